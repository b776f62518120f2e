// M times velocities, in one pass out and one back: recursive Newton-Euler at rest and without
// applied wrenches, so that nothing cancels.
#include "carom/multibody/dynamics.h"

namespace carom {

void apply_mass(const TreeModel& tree, const TreeData& data, std::span<const double> v,
                ResponseScratch& s, std::span<double> p) {
  s.a[0] = {};
  for (std::size_t i = 1; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const LinkState& L = data.links[i];
    Motion a = shifted(s.a[static_cast<std::size_t>(link.parent)], L.r);
    for (int k = 0; k < link.joint->nv; ++k) {
      const auto j = static_cast<std::size_t>(link.v0 + k);
      a += v[j] * data.H[j];
    }
    s.a[i] = a;
    s.p[i] = Inertia{link.inertia.m, L.h, L.I} * a;
  }
  for (std::size_t i = tree.links.size() - 1; i > 0; --i) {
    const Link& link = tree.links[i];
    for (int k = 0; k < link.joint->nv; ++k) {
      const auto j = static_cast<std::size_t>(link.v0 + k);
      p[j] = dot(data.H[j], s.p[i]) + tree.armature[j] * v[j];
    }
    if (link.parent > 0)
      s.p[static_cast<std::size_t>(link.parent)] += shifted(s.p[i], data.links[i].r);
  }
}

}  // namespace carom
