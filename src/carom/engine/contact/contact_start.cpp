// What is decided once, where a contact begins: what its energy is made of, how deep it will go,
// and what the guard against energy from nothing lets pass.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/normal_forces.h"
#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

/// Mass that a contact sees of a link; the world is infinitely heavy.
double mass_of(const Workspace& w, int link) {
  return link == 0 ? kInf : w.model->tree.links[at(link)].inertia.m;
}

}  // namespace

bool is_published(const Workspace& w, const ContactPair& pair) {
  const PairLaw& law = w.model->contact.laws[at(pair.law)];
  return part_for(w, pair).is_published || law.normal->is_published || law.elements.is_on;
}

void start_law(const Workspace& w, ContactPair& pair, const Contact& contact, bool is_put) {
  const PairLaw& law = w.model->contact.laws[at(pair.law)];
  pair.start.speed = std::max(0.0, -distance_rate(w, pair, contact));
  pair.start.settling = is_put || pair.start.speed < law.material.v_small;
  pair.start.restitution = restitution_at(law.material, pair.start.speed);
  if (law.normal->start) {
    law.normal->start(pair.start, law.material, law.normal_params, pair.constants);
  }
}

void start_law_at_rest(const Workspace& w, ContactPair& pair) {
  const PairLaw& law = w.model->contact.laws[at(pair.law)];
  pair.start = {0.0, restitution_at(law.material, 0.0), true};
  if (law.normal->start) {
    law.normal->start(pair.start, law.material, law.normal_params, pair.constants);
  }
}

void note_expectations(Workspace& w, const PairState& s, const Contact& contact,
                       ContactPair& pair) {
  pair.expected_depth = expected_depth(w, s, contact);
  pair.mass = lighter_mass(w, pair);
}

bool is_conservative(const Workspace& w, const ContactPair& pair) {
  const NormalLaw& law = *w.model->contact.laws[at(pair.law)].normal;
  const ContactPart& part = part_for(w, pair);
  if (part.is_published || part.is_banked) return false;
  // Implicit fixed steps integrate what flows into a contact that is shorter than they are by
  // two stages: the guard may hold it back by an error of that integral, and booked as work of the
  // law the error would stand in the residual once more, with the other sign.
  const bool has_rough_flow = w.step.look_ahead > 0.0;
  if (pair.base_changed || (pair.track.held_steps > 0 && !has_rough_flow)) return false;
  if (!law.has_exact_energy) return false;
  if (pair.base.kind != SpringBase::points) return true;
  const auto& pieces = w.model->contact.pieces;
  const CoreKind *A = pieces[pair.piece_a].core.kind, *B = pieces[pair.piece_b].core.kind;
  if (A != &core_point) std::swap(A, B);
  if (A != &core_point) return false;
  return B == &core_point || B == &core_half_space || law.own_stiffness;
}

bool bristles_last(const PairLaw& law) {
  const FrictionLaw& friction = *law.friction;
  return friction.has_bristle && friction.per_load >= 0 &&
         law.friction_params[at(friction.per_load)] == 0.0;
}

void add_stored(const Workspace& w, const ContactPair& pair, double flow, ContactTotals& totals) {
  if (is_conservative(w, pair)) return;
  totals.stored += pair.brought + flow;
  if (is_published(w, pair)) totals.published += pair.brought + flow;
}

namespace {

/// Elastic energy of the pair's base in the pose last evaluated.
double pose_energy(Workspace& w, const PairState& s, const Contact& contact) {
  strongest_force(w, s, contact, {});  // fills the scratch
  if (s.pair.base.kind != SpringBase::points) return w.contacts.scratch.springs.energy;
  double energy = 0.0;
  for (std::size_t i = 0; i < at(w.contacts.scratch.manifold.count); ++i) {
    if (acts(s.pair, w.contacts.scratch, i)) energy += w.contacts.scratch.normal_out[i].energy;
  }
  return energy;
}

}  // namespace

bool change_base(Workspace& w, const Contact& contact, ContactPair& pair) {
  // A jump below this share of the energy of the impact is booked; a larger one would be felt.
  constexpr double kMostFelt = 1e-4;
  // Banks keep the energy themselves, and what is softer by far is no hold: there the rest is
  // theirs.
  const double most_scale = w.modes.banks ? 2.0 : 100.0;
  const double felt = std::min(kMostFelt, guard_share(w, false));
  SpringBase base = choose_base(pair_state(w, pair), contact, &pair.base);
  base.scale = pair.base.scale;
  const bool is_same = base == pair.base;
  if (is_same && base.scale == 1.0) return false;
  const double before = pose_energy(w, pair_state(w, pair), contact);
  ContactPair next = pair;
  next.base = base, next.base.scale = 1.0;
  const double after = pose_energy(w, pair_state(w, next), contact);
  const double least = std::max(felt * pair.guard.scale, pair.guard.rest);
  const bool is_felt = std::abs(after - before) > least;
  if (is_same && is_felt) return false;
  if (is_felt && pair.guard.scale > 0.0 && after > 0.0) {
    next.base.scale = std::clamp(before / after, 1.0 / most_scale, most_scale);
  }
  pair.base = next.base, pair.base_changed = true;
  pair.guard.share = guard_share(w, false);  // the energy of the pose may have jumped
  return true;
}

namespace {

/// Once for all contacts that begin at these kinematics: of a crowd there are as many as bodies.
double fastest_squared(Workspace& w) {
  double& fastest = w.contacts.fastest2;
  if (fastest >= 0.0) return fastest;
  fastest = 0.0;
  for (const LinkState& L : w.tree.links) fastest = std::max(fastest, norm2(L.V.v));
  return fastest;
}

}  // namespace

void prepare_guard(Workspace& w, const PairState& s, const Contact& contact, ContactPair& pair) {
  // Of two balls, and of a ball on a plane, the force depends on the distance alone.
  const bool are_balls = s.A.contact_radius.is_sphere && s.B.contact_radius.is_sphere;
  const bool has_springs = pair.base.kind != SpringBase::points;
  const bool is_gradient =
      has_springs ? !pair.base.is_bounded : are_balls || is_conservative(w, pair);
  pair.guard = {.share = guard_share(w, is_gradient)};
  pair.guard.stored = pose_energy(w, s, contact);
  if (is_published(w, pair) || !std::isfinite(pair.mass) || !std::isfinite(pair.expected_depth)) {
    return;
  }
  // Bodies that touch before they are hit begin without any speed: that of the fastest counts.
  const double speed2 = std::max(pair.start.speed * pair.start.speed, fastest_squared(w));
  const double gravity = norm(w.parameters.gravity.uniform);
  pair.guard.scale = pair.mass * (0.5 * speed2 + gravity * std::min(s.PA.reach, s.PB.reach));
  // What the weight stores (2/5 of weight times depth) may come and go: a ball that rolls from a
  // face to an edge must neither sink in nor be thrown up. A blow needs none of it. And a base that
  // hardly carries has no depth of rest.
  constexpr double kOfWeight = 0.5, kOfImpact = 0.01, kBlow = 100.0;
  ContactPair still = pair;
  still.start.speed = 0.0;
  const double depth = expected_depth(w, pair_state(w, still), contact);
  if (!std::isfinite(depth)) return;
  // Of a smooth surface the curvature changes little by little all along: what may come and go once
  // would come again on every wave.
  if (s.PA.smooth || s.PB.smooth) return;
  const double rest = kOfWeight * pair.mass * gravity * depth;
  const double blow = 0.5 * pair.mass * pair.start.speed * pair.start.speed;
  const double share = blow > kBlow * rest ? kBlow * rest / blow : 1.0;
  pair.guard.rest = std::min(share * rest, kOfImpact * pair.guard.scale);
}

double lighter_mass(const Workspace& w, const ContactPair& pair) {
  const auto& colliders = w.model->contact.colliders;
  return std::min(mass_of(w, colliders[pair.a].link), mass_of(w, colliders[pair.b].link));
}

double expected_load(const Workspace& w, const ContactPair& pair) {
  const double speed2 = pair.start.speed * pair.start.speed;
  const double stop = speed2 > 0.0 ? 0.5 * speed2 / pair.expected_depth : 0.0;
  const double load = pair.mass * (norm(w.parameters.gravity.uniform) + stop);
  return std::isfinite(load) ? load : 0.0;
}

double expected_depth(Workspace& w, const PairState& s, const Contact& contact) {
  const ContactPair& pair = s.pair;
  const bool has_springs = pair.base.kind != SpringBase::points;
  if (!s.has_points && !has_springs) find_points(s, contact, w.contacts.scratch.manifold);
  const double mass = lighter_mass(w, pair);
  const double weight = mass * norm(w.parameters.gravity.uniform);
  const double kinetic = 0.5 * mass * pair.start.speed * pair.start.speed;
  if (!(std::isfinite(mass) && (weight > 0.0 || kinetic > 0.0))) return kInf;
  if (has_springs) {
    return expected_depth_of_springs(s, std::max(0.0, -contact.phi), weight, kinetic,
                                     w.contacts.scratch.springs);
  }
  // The energy of the law grows with depth: bisection of its logarithm.
  double low = 1e-15, high = std::min(s.PA.reach, s.PB.reach);
  NormalInput in;
  NormalOutput out;
  for (int i = 0; i < 50; ++i) {
    const double d = std::sqrt(low * high);
    const ContactStiffness k = unit_stiffness(s, contact, w.contacts.scratch.manifold, d);
    in.weight = s.springs;
    in.depth = d;
    in.linear = in.weight * k.linear, in.hertz = in.weight * k.hertz;
    in.radius = combined_radius(s.A.contact_radius, s.B.contact_radius);
    in.has_sphere = has_sphere(s);
    s.law.normal->evaluate({&in, 1}, s.law.material, s.law.normal_params, pair.constants,
                           {&out, 1});
    (out.energy > kinetic && out.elastic > weight ? high : low) = d;
  }
  return high;
}

}  // namespace carom
