// The end of a time step: where bodies are, and what contacts remember.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_history.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/rigid/rigid_overlap.h"
#include "carom/engine/contact/rigid/rigid_sites.h"
#include "carom/engine/events/contact_events.h"
#include "carom/engine/implicit/joint_modes.h"
#include "carom/engine/time_stepping/time_step.h"

namespace carom {

/// Bodies that a point pushes go with the velocities that keep them apart, others freely.
void TimeStep::move_bodies(std::span<double> x_new) {
  const std::vector<StepBody>& ways =
      kept_apart_.size() == bodies_.size() ? kept_apart_ : solver_.bodies;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const FreeBody& b = bodies_[i];
    const StepBody& end = solver_.bodies[i];
    const Vec3 w_end = transpose_times(b.R, end.w);
    const bool is_pushed = i < is_pushed_.size() && is_pushed_[i] != 0;
    if (is_pushed) {
      const Quat turn = quat_exp(transpose_times(b.R, h_ * ways[i].w));
      put_body(*w_.model, b, b.p + h_ * ways[i].v, turn, end.v, w_end, x_new);
    } else {
      put_body(*w_.model, b, b.p + (0.5 * h_) * (b.v + b.v_free), b.turn, end.v, w_end, x_new);
    }
  }
}

void TimeStep::remember_points() {
  RigidMemory& memory = w_.modes.contacts.rigid;
  memory.steps.clear();
  memory.step = h_;
  for (std::size_t i = 0; i < presses_.size(); ++i) {
    const StepPoint& p = solver_.points[i];
    const Press& press = presses_[i];
    if (!(p.normal > 0.0) && !(norm2(press.bounce) > 0.0)) continue;
    const ContactPair& pair = w_.modes.contacts.pairs[press.pair];
    StepImpulse s;
    s.piece_a = pair.piece_a, s.piece_b = pair.piece_b, s.branch = pair.branch;
    s.feature = press.feature;
    s.state = p.slides ? RigidState::sliding : RigidState::sticking;
    s.p = press.p, s.n = p.n;
    s.normal = p.normal, s.friction = p.friction, s.bounce = press.bounce;
    s.spin = p.spin, s.bounce_spin = press.bounce_spin;
    // What is below its cone sticks, whatever it was taken for.
    constexpr double kWithin = 1.0 - 1e-9;
    if (norm(p.friction) < kWithin * p.mu_k * p.normal) s.state = RigidState::sticking;
    memory.steps.push_back(s);
  }
  // Points of where the step ends were found after the others.
  const auto key = [](const StepImpulse& s) { return std::tie(s.piece_a, s.piece_b, s.branch); };
  if (!std::ranges::is_sorted(memory.steps, {}, key)) {
    std::ranges::stable_sort(memory.steps, {}, key);
  }
  memory.lost_normal += lost_normal_, memory.lost_friction += lost_friction_;
}

/// What the points [first, last) of one pair have met with.
void TimeStep::tell_impact(std::size_t first, std::size_t last, std::vector<EngineEvent>& events) {
  double approach = 0.0, separation = 0.0, normal = 0.0, friction = 0.0;
  Vec3 impulse;
  for (std::size_t i = first; i < last; ++i) {
    const StepPoint& p = solver_.points[i];
    const Press& press = presses_[i];
    impulse += p.normal * p.n + p.friction + press.bounce;
    normal += press.pressed, friction += press.rubbed;
    if (!has_met(i) || !(press.approach > approach)) continue;
    approach = press.approach, separation = dot(p.n, solver_.velocity(p));
  }
  if (!(approach > 0.0)) return;
  const ContactPair& pair = w_.modes.contacts.pairs[presses_[first].pair];
  std::vector<RigidRecord>& records = w_.modes.contacts.rigid.records;
  const auto key = [](const auto& r) { return std::tie(r.piece_a, r.piece_b); };
  auto place = std::ranges::lower_bound(records, key(pair), {}, key);
  if (place == records.end() || key(*place) != key(pair)) {
    place = records.insert(place, {pair.piece_a, pair.piece_b, 0, 0, {}, 0.0});
  }
  ++place->impacts, ++place->since_landing;
  place->impulse += impulse;
  EngineEvent event = contact_event(w_, t_ + h_, "impact", pair, approach);
  event.impulse = norm(impulse);
  event.separation = separation;
  event.lost_normal = normal, event.lost_friction = friction;
  event.energy_lost = normal + friction;
  const StepPoint& p = solver_.points[first];
  const std::size_t island = at(solver_.island_of(p));
  event.share = shares_[island];
  event.points = static_cast<double>(solver_.island(island).size());
  events.push_back(std::move(event));
}

/// Pairs that press touch; they cease to where they have parted.
void TimeStep::switch_pairs(std::vector<EngineEvent>& events) {
  std::vector<ContactPair>& pairs = w_.modes.contacts.pairs;
  std::vector<PairLoad>& now = pair_loads_;
  now.assign(pairs.size(), {});
  for (std::size_t first = 0, last = 0; first < presses_.size(); first = last) {
    for (last = first; last < presses_.size() && presses_[last].pair == presses_[first].pair;) {
      const StepPoint& p = solver_.points[last];
      const Press& press = presses_[last++];
      PairLoad& n = now[press.pair];
      n.load += (p.normal + dot(p.n, press.bounce)) / h_;
      n.lost += press.pressed + press.rubbed;
      n.presses |= p.normal > 0.0;
      n.speed = std::max(n.speed, press.approach);
      if (p.normal > 0.0) {
        const Vec3 u = solver_.velocity(p);
        n.slip = std::max(n.slip, norm(u - dot(p.n, u) * p.n));
      }
      if (press.end_gap >= n.gap) continue;
      n.gap = press.end_gap;
    }
    if (!presses_[first].is_late) tell_impact(first, last, events);
  }
  const auto track_load = [&](ContactPair& pair, const PairLoad& n) {
    LoadTrack& track = pair.track;
    track.slip += h_ * n.slip;
    track.peak_depth = std::max(track.peak_depth, -n.gap);
    if (n.load > track.peak_force) track.peak_force = n.load, track.peak_time = t_ + h_;
  };
  bool changed = false;
  constexpr double kParted = 1e-4;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ContactPair& pair = pairs[i];
    pair.load = now[i].load;
    if (now[i].presses && pair.mode != ContactMode::apart) {
      track_load(pair, now[i]);
      pair.sums.impulse += h_ * now[i].load, pair.sums.energy_lost += now[i].lost;
    }
    if (now[i].presses) note_overlap(w_, t_ + h_, pair, -now[i].gap);
    if (pair.mode == ContactMode::apart && now[i].presses) {
      pair.mode = ContactMode::touching, pair.slot = -1;
      pair.begun = t_ + h_, pair.track = {};
      part_for(w_, pair).begin(w_, pair, {}, false);
      pair.start.speed = now[i].speed;
      pair.sums = {h_ * now[i].load, now[i].lost};
      changed = true;
      track_load(pair, now[i]);
    } else if (pair.mode != ContactMode::apart && !now[i].presses &&
               now[i].gap > kParted * rigid_size(w_, pair)) {
      pair.mode = ContactMode::apart;
      const double rate = distance_rate(w_, pair, find_contact(w_, pair));
      events.push_back(contact_event(w_, t_ + h_, "lift_off", pair, rate));
      add_to_history(w_.modes.contacts.history,
                     history_of(pair, t_ + h_, pair.sums.impulse, pair.sums.energy_lost));
      changed = true;
    }
  }
  if (changed) prepare_contacts(w_);
}

/// Points that are deep in each other and go deeper, against all impulses, by what is moved as
/// prescribed.
void TimeStep::note_jam() {
  constexpr double kDeep = 0.02, kShare = 0.1;
  RigidJam& jam = w_.contacts.rigid.jam;
  jam = {};
  std::vector<double>& given = given_speed_;
  given.assign(solver_.island_count(), 0.0);
  for (const StepPoint& p : solver_.points) {
    double& own = given[at(solver_.island_of(p))];
    own = std::max(own, std::abs(dot(p.n, p.drift)));
  }
  for (std::size_t i = 0; i < presses_.size(); ++i) {
    const StepPoint& p = solver_.points[i];
    const Press& press = presses_[i];
    const double pushed = given[at(solver_.island_of(p))], speed = -dot(p.n, press.u_kept);
    if (!(pushed > 0.0 && p.normal > 0.0 && speed > kShare * pushed)) continue;
    const double size = rigid_size(w_, w_.modes.contacts.pairs[press.pair]);
    if (press.phi < -kDeep * size && speed > jam.speed) jam = {press.pair, speed};
  }
  // Both are moved as prescribed, or one is and the other is fixed: no point presses there.
  const auto& colliders = w_.model->contact.colliders;
  for (std::size_t i = 0; i < w_.modes.contacts.pairs.size() && w_.model->has_motion; ++i) {
    const ContactPair& pair = w_.modes.contacts.pairs[i];
    const int a = colliders[pair.a].link, b = colliders[pair.b].link;
    if (a + b == 0 || mover_of(a) >= 0 || mover_of(b) >= 0) continue;
    const Contact contact = find_contact(w_, pair);
    if (contact.status != Status::ok || !(contact.phi < -kDeep * rigid_size(w_, pair))) continue;
    const double speed = -distance_rate(w_, pair, contact);
    if (speed > jam.speed) jam = {i, speed};
  }
}

void TimeStep::commit(std::vector<EngineEvent>& events) {
  if (!(h_ > 0.0)) return;
  note_jam();
  switch_pairs(events);
  remember_points();
  if (has_rows()) switch_joints(w_, t_ + h_, next_friction_, next_stop_, events);
  w_.modes.step_loss += lost_;
  h_ = 0.0;
}

}  // namespace carom
