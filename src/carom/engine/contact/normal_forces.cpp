#include "carom/engine/contact/normal_forces.h"

#include <algorithm>

namespace carom {

void calc_normal_forces(const PairState& s, const Contact& contact, double normal_state,
                        ContactScratch& scratch) {
  if (s.pair.base.kind != SpringBase::points) return calc_spring_forces(s, normal_state, scratch);
  const Manifold& m = scratch.manifold;
  const double depth = std::max(0.0, -contact.phi);
  ContactStiffness k = unit_stiffness(s, contact, m, depth);
  k.linear *= s.pair.base.scale, k.hertz *= s.pair.base.scale;
  const double radius = combined_radius(s.A.contact_radius, s.B.contact_radius);
  const auto count = static_cast<std::size_t>(m.count);
  for (std::size_t i = 0; i < count; ++i) {
    const ManifoldPoint& p = m.points[i];
    scratch.velocity[i] = relative_velocity(s, p.p_WC);
    const double rate = -dot(m.normal_at(i), scratch.velocity[i]);
    const double weight = p.weight * m.springs;
    scratch.normal_in[i] = {std::max(0.0, -p.phi), rate,   weight * k.linear,
                            weight * k.hertz,      weight, radius,
                            normal_state};
    scratch.normal_in[i].has_sphere = has_sphere(s);
  }
  s.law.normal->evaluate({scratch.normal_in.data(), count}, s.law.material, s.law.normal_params,
                         s.pair.constants, {scratch.normal_out.data(), count});
}

}  // namespace carom
