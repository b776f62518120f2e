#include "carom/engine/contact/area/area_points.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact_forces.h"

namespace carom {
namespace {

/// The two closer to each other by `way` along the normal.
Contact moved_together(Contact contact, double way) {
  contact.phi -= way;
  contact.p_WCb -= way * contact.n_AB_W;
  return contact;
}

}  // namespace

void find_area(const PairState& s, const Contact& contact, double way, AreaPatch& patch) {
  Pose X_WB = s.X_WB;
  X_WB.p -= way * contact.n_AB_W;
  find_area({s.PA.core, s.X_WA, s.PA.centre, s.PA.reach},
            {s.PB.core, X_WB, s.PB.centre, s.PB.reach}, moved_together(contact, way),
            s.law.area.order, patch);
}

void put_area(const AreaPatch& patch, const Contact& contact, PairState& s, Manifold& m) {
  m.count = patch.count;
  m.has_normals = false;
  m.springs = 1.0;
  m.n_AB_W = contact.n_AB_W;
  m.length_direction_W = {};
  m.area = patch.area, m.length = m.width = 0.0;
  for (std::size_t i = 0; i < at(patch.count); ++i) {
    const AreaPoint& p = patch.points[i];
    m.points[i] = {p.p_W, -p.u, p.area / patch.area, static_cast<std::uint32_t>(i)};
  }
  s.stiffness = ContactStiffness{s.pair.foundation * patch.area, 0.0};
  s.has_points = true;
}

double area_energy(const AreaPatch& patch, double foundation) {
  double sum = 0.0;
  for (std::size_t i = 0; i < at(patch.count); ++i) {
    sum += patch.points[i].area * patch.points[i].u * patch.points[i].u;
  }
  return 0.5 * foundation * sum;
}

double area_depth(const Workspace& w, const PairState& s, const Contact& contact) {
  constexpr int kHalvings = 24;  // of a logarithm: to 1e-6 of the depth
  const double mass = lighter_mass(w, s.pair);
  const double weight = mass * norm(w.parameters.gravity.uniform);
  const double kinetic = 0.5 * mass * s.pair.start.speed * s.pair.start.speed;
  if (!(std::isfinite(mass) && (weight > 0.0 || kinetic > 0.0))) return kInf;
  double low = 1e-15, high = std::min(s.PA.reach, s.PB.reach);
  AreaPatch patch;
  for (int i = 0; i < kHalvings; ++i) {
    const double d = std::sqrt(low * high);
    find_area(s, contact, d + contact.phi, patch);
    const bool holds = area_energy(patch, s.pair.foundation) > kinetic &&
                       s.pair.foundation * patch.volume > weight;
    (holds ? high : low) = d;
  }
  return high;
}

double fitting_foundation(Workspace& w, const PairState& s, const Contact& contact) {
  constexpr double kOfSize = 1e-3;  // where nothing says how deep
  double depth = expected_depth(w, s, contact);
  if (!std::isfinite(depth)) depth = kOfSize * std::min(s.PA.reach, s.PB.reach);
  Manifold& m = w.contacts.scratch.manifold;
  find_points(s, contact, m);
  const ContactStiffness k = unit_stiffness(s, contact, m, depth);
  AreaPatch patch;
  find_area(s, contact, depth + contact.phi, patch);
  return patch.volume > 0.0 ? depth * (k.linear + k.hertz * std::sqrt(depth)) / patch.volume : 0.0;
}

}  // namespace carom
