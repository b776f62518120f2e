#include "carom/engine/contact/area/area_points.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/proximity/thin_out.h"

namespace carom {
namespace {

/// The two closer to each other by `way` along the normal.
Contact moved_together(Contact contact, double way) {
  contact.phi -= way;
  contact.p_WCb -= way * contact.n_AB_W;
  return contact;
}

/// Other contacts of the same two surfaces, that press now.
std::size_t find_rivals(const Workspace& w, const PairState& s,
                        std::array<AreaRival, kMostMinima>& out) {
  std::size_t count = 0;
  if (!s.PA.smooth && !s.PB.smooth) return count;
  for (const ContactPair& p : w.modes.contacts.pairs) {
    if (p.piece_a != s.pair.piece_a || p.piece_b != s.pair.piece_b) continue;
    if (p.branch == s.pair.branch || p.mode == ContactMode::apart || count == out.size()) continue;
    const Contact other = find_contact(pair_state(w, p));
    if (!(other.phi < 0.0) || other.status != Status::ok) continue;
    out[count++] = rival_of(other, std::min(s.PA.reach, s.PB.reach));
  }
  return count;
}

}  // namespace

void find_area(const Workspace& w, const PairState& s, const Contact& contact, double way,
               AreaPatch& patch) {
  std::array<AreaRival, kMostMinima> rivals;
  const std::size_t count = way == 0.0 ? find_rivals(w, s, rivals) : 0;
  Pose X_WB = s.X_WB;
  X_WB.p -= way * contact.n_AB_W;
  find_area({s.PA.core, s.X_WA, s.PA.centre, s.PA.reach, s.PA.smooth},
            {s.PB.core, X_WB, s.PB.centre, s.PB.reach, s.PB.smooth}, moved_together(contact, way),
            s.law.area.order, patch, {rivals.data(), count});
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
    find_area(w, s, contact, d + contact.phi, patch);
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
  find_area(w, s, contact, depth + contact.phi, patch);
  return patch.volume > 0.0 ? depth * (k.linear + k.hertz * std::sqrt(depth)) / patch.volume : 0.0;
}

}  // namespace carom
