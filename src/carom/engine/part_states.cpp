#include "carom/engine/part_states.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/index.h"
#include "carom/contact/bristle.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/events/contact_events.h"
#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

/// States of contacts that nothing else is known of [m].
constexpr double kDeflection = 1e-6;
/// Bristles count against so many of the greatest deflection that they bear: friction is known to
/// as many tolerances of its limit. Held to one of them, bristles that sway by a thousandth of
/// their length in 100 ns took half of all steps of dominoes on a ramp; the velocities that their
/// force acts on have a tolerance of their own, in which it counts by what it does within a step.
constexpr double kBristles = 25.0;
/// A body that moves at this speed [m/s] has energy worth knowing to relative accuracy.
constexpr double kSlow = 0.01;

/// Of a half space, towards which only moves along it change a distance; else zero.
Vec3 normal_of_plane(const Workspace& w, const ContactPair& pair) {
  const ContactModel& contact = w.model->contact;
  for (const PieceId piece : {pair.piece_a, pair.piece_b}) {
    if (contact.pieces[piece].core.kind != &core_half_space) continue;
    const Collider& plane = contact.colliders[contact.pieces[piece].collider];
    return shape_pose(w.tree.links[at(plane.link)], plane).R.col(2);
  }
  return {};
}

/// A remembered friction force counts against the load that the contact is expected to carry.
void scale_remembered_force(const Workspace& w, const ContactPair& pair, std::span<double> scale) {
  const ContactModel& contact = w.model->contact;
  if (!contact.laws[at(pair.law)].friction->remembers_force) return;
  const double load = expected_load(w, pair);
  if (!(load > 0.0)) return;
  for (int k = 0; k < 4; ++k) scale[at(contact.slot.bristle + k)] = 0.1 * load;
}

void scale_bristles(const Workspace& w, const ContactPair& pair, std::span<double> scale) {
  const ContactModel& contact = w.model->contact;
  const PairLaw& law = contact.laws[at(pair.law)];
  const FrictionLaw& friction = *law.friction;
  if (!friction.has_bristle || friction.remembers_force || friction.has_elastic_border) return;
  const std::vector<double>& p = law.friction_params;
  double most = std::max(p[Bristle::kMuK], p[Bristle::kMuS]) / p[Bristle::kStiffness];
  if (bristles_add_up(friction, p)) most *= expected_load(w, pair);  // s0 is in N/m
  if (!(most > 0.0) || !std::isfinite(most)) return;
  for (int k = 0; k < 4; ++k) scale[at(contact.slot.bristle + k)] = kBristles * most;
}

/// The states of one contact are a group, and so are its integrals: these feed nothing back,
/// but an implicit method must iterate until they too are right. Idle slots do not count.
void add_states(const Workspace& w, const ContactPair& pair, double fastest2, int group,
                PartStates& out) {
  const ContactModel& contact = w.model->contact;
  const SlotLayout& slot = contact.slot;
  const Collider &A = contact.colliders[pair.a], &B = contact.colliders[pair.b];
  const double gravity = norm(w.parameters.gravity.uniform), size = smaller_reach(contact, pair);
  const double speed2 = fastest2 + (std::isfinite(size) ? gravity * size : 0.0);
  const std::size_t first = at(pair.slot * slot.width);
  out.blocks.push_back({first, at(slot.width), A.link, B.link});
  for (int k = 0; k < slot.width; ++k) {
    const std::size_t i = first + at(k);
    const bool is_integral = k < SlotLayout::kIntegrals;
    out.group[i] = is_integral ? group : group + 1;
    out.follows[i] = is_integral;
    if (!is_integral) continue;
    // Energies are worth knowing against that of the body, impulses against its momentum.
    const double scale = pair.mass * (k == SlotLayout::kImpulse ? std::sqrt(speed2) : speed2);
    if (scale > 0.0 && std::isfinite(scale)) out.scale[i] = scale;
  }
  const auto own = std::span(out.scale).subspan(first, at(slot.width));
  scale_remembered_force(w, pair, own);
  scale_bristles(w, pair, own);
  part_for(w, pair).scale_states(w, pair, size, own);
}

}  // namespace

PartStates calc_part_states(const Workspace& w) {
  const ContactModel& contact = w.model->contact;
  const std::size_t count = state_size(w) - w.model->size();
  PartStates out;
  out.group.assign(count, -1), out.follows.assign(count, 0);
  out.scale.assign(count, kDeflection);
  double fastest2 = kSlow * kSlow;
  for (const LinkState& L : w.tree.links) fastest2 = std::max(fastest2, norm2(L.V.v));
  int group = 0;
  for (const ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.slot >= 0) add_states(w, pair, fastest2, group, out), group += 2;
    if (pair.mode == ContactMode::apart || !std::isfinite(pair.expected_depth)) continue;
    const int impulse = pair.slot * contact.slot.width + SlotLayout::kImpulse;
    for (const ColliderId c : {pair.a, pair.b}) {
      out.held.push_back({contact.colliders[c].link, pair.expected_depth, pair.start.settling,
                          std::isfinite(pair.mass) && pair.slot >= 0 ? impulse : -1, pair.mass,
                          normal_of_plane(w, pair)});
    }
  }
  return out;
}

bool may_hide_kinks(const Workspace& w) {
  static const FrictionLaw* const none = find_friction_law("none");
  const ContactModel& contact = w.model->contact;
  return std::ranges::any_of(w.contacts.touching, [&](std::size_t i) {
    const ContactPair& pair = w.modes.contacts.pairs[i];
    if (contact.laws[at(pair.law)].friction != none) return true;
    return std::ranges::any_of(std::array{pair.piece_a, pair.piece_b}, [&](PieceId piece) {
      const CoreKind* kind = contact.pieces[piece].core.kind;
      return kind != &core_point && kind != &core_half_space;
    });
  });
}

bool rests_on_contacts(const Workspace& w) {
  return std::ranges::any_of(
      w.contacts.touching, [&](std::size_t i) { return w.modes.contacts.pairs[i].start.settling; });
}

}  // namespace carom
