#include "carom/engine/time_stepping/stepped_contacts.h"

#include <algorithm>
#include <tuple>

#include "carom/base/index.h"
#include "carom/contact/cones/impact.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_history.h"
#include "carom/engine/contact/rigid/rigid_settle.h"
#include "carom/engine/contact/rigid/rigid_sites.h"
#include "carom/multibody/dynamics.h"

namespace carom {

StepObstacle find_stepping_obstacle(const Model& model) {
  const ContactModel& contact = model.contact;
  if (contact.has_elastic()) {
    return {"time steps take rigid contacts alone, and some of this scene are elastic",
            "say contact: {method: rigid} for all of them, or take implicit_contact or 'auto'"};
  }
  if (model.scene.contact.rigid.law == kNoImpacts) {
    return {
        "time steps do not tell an impact, which contact.rigid.impact: off forbids, from a body "
        "that goes on pressing",
        "take an integrator with error control, or leave contact.rigid.impact out"};
  }
  if (model.scene.contact.rigid.slip_regularisation > 0.0) {
    return {
        "time steps know Coulomb's law as it is, and not with slip that grows as "
        "contact.rigid.slip_regularisation says",
        "take an integrator with error control, or leave contact.rigid.slip_regularisation out"};
  }
  return {};
}

bool is_stepped(const Workspace& w) { return w.modes.banks && w.model->contact.has_rigid; }

void begin_stepping(Workspace& w, std::span<double> x) {
  ContactMemory& memory = w.modes.contacts;
  const SlotLayout& layout = w.model->contact.slot;
  for (ContactPair& pair : memory.pairs) {
    if (pair.mode == ContactMode::apart || pair.slot < 0) continue;
    const std::size_t first = w.model->size() + at(pair.slot * layout.width);
    if (first + at(layout.width) <= x.size()) {
      const double normal = x[first + SlotLayout::kNormal];
      const double friction = x[first + SlotLayout::kFriction];
      memory.ended.normal += normal, memory.ended.friction += friction;
      pair.sums = {x[first + SlotLayout::kImpulse], normal + friction};
      std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(first), layout.width, 0.0);
    }
    memory.free_slots.push_back(pair.slot);
    pair.slot = -1;
  }
  memory.rigid.points.clear();
  memory.rigid.steps.clear();
  memory.rigid.step = 0.0;
  prepare_contacts(w);
}

std::uint64_t stepped_modes(const Workspace& w) {
  const ContactModel& contact = w.model->contact;
  for (const ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.mode == ContactMode::apart) continue;
    if (!touch_is_known(contact, contact.colliders[pair.a], contact.colliders[pair.b])) return 0;
  }
  std::uint64_t digest = 1469598103934665603u;  // FNV-1a
  const auto add = [&](std::uint64_t word) { digest = (digest ^ word) * 1099511628211u; };
  bool presses = false;  // what flies will land, and events pile up again
  for (const StepImpulse& s : w.modes.contacts.rigid.steps) {
    if (norm2(s.bounce) > 0.0) return 0;
    if (!(s.normal > 0.0)) continue;
    // Of faces and edges a step leaves points that no event has decided on.
    if (!contact.pieces[s.piece_a].is_round && !contact.pieces[s.piece_b].is_round) return 0;
    presses = true;
    add(s.piece_a), add(s.piece_b), add(s.branch), add(s.feature);
    add(static_cast<std::uint64_t>(s.state));
  }
  return presses ? std::max<std::uint64_t>(1, digest) : 0;
}

void end_stepping(Workspace& w, double t, std::span<double> x, EventOutcome& outcome) {
  // Gaps of what rests are rounding, those of what rolls grow by (w h)^2 r/2 in a step. Bodies that
  // overlap by more would be lifted for all to see.
  constexpr double kDeep = 1e-5;
  ContactMemory& memory = w.modes.contacts;
  evaluate_kinematics(w, t, x);
  for (ContactPair& pair : memory.pairs) {
    if (pair.mode == ContactMode::apart) continue;
    if (nearest_site(w, pair).phi < -kDeep * rigid_size(w, pair)) {
      outcome.failure = "bodies are deep in each other";
      return;
    }
    pair.mode = ContactMode::apart;
    add_to_history(memory.history, history_of(pair, t, pair.sums.impulse, pair.sums.energy_lost));
  }
  memory.rigid.points.clear();
  memory.rigid.steps.clear();
  memory.rigid.step = 0.0;
  prepare_contacts(w);
  settle_rigid(w, t, x, &outcome);
  std::erase_if(outcome.events, [](const EngineEvent& e) { return e.kind == "landing"; });
}

Status tell_stepped(Workspace& w) {
  const RigidMemory& memory = w.modes.contacts.rigid;
  if (w.contacts.touching.empty() || memory.steps.empty() || !(memory.step > 0.0)) {
    return Status::ok;
  }
  const auto& colliders = w.model->contact.colliders;
  const auto key = [](const auto& s) { return std::tie(s.piece_a, s.piece_b, s.branch); };
  for (ContactReading& reading : w.contacts.readings) {
    const ContactPair& pair = w.modes.contacts.pairs[reading.pair];
    const PairState state = pair_state(w, pair);
    Vec3 moment, centre;
    const auto first = std::ranges::lower_bound(memory.steps, key(pair), {}, key);
    for (auto s = first; s != memory.steps.end() && key(*s) == key(pair); ++s) {
      const Vec3 force = s->impulse() / memory.step;
      const Vec3 drilling = ((s->spin + s->bounce_spin) / memory.step) * s->n;
      const double press = dot(s->n, force);
      const Vec3 u = relative_velocity(state, s->p), slip = u - dot(s->n, u) * s->n;
      reading.normal = s->n;
      reading.force += force, reading.normal_force += press;
      reading.slip_speed = std::max(reading.slip_speed, norm(slip));
      reading.friction_power -= dot(force - press * s->n, slip);
      const Vec3 turn =
          (state.B.link ? state.LB.V.w : Vec3{}) - (state.A.link ? state.LA.V.w : Vec3{});
      reading.friction_power -= dot(drilling, turn);
      moment += cross(s->p, force) + drilling, centre += press * s->p;
      reading.point = s->p;
      ++reading.points;
      apply_wrench(w.tree, colliders[pair.b].link, s->p, {drilling, force});
      apply_wrench(w.tree, colliders[pair.a].link, s->p, {-drilling, -force});
    }
    const Contact nearest = find_contact(w, pair);
    reading.phi = nearest.phi;
    if (reading.points == 0) reading.normal = nearest.n_AB_W;
    reading.nearest_a = nearest.p_WCa, reading.nearest_b = nearest.p_WCb;
    if (reading.normal_force > 0.0) reading.point = centre / reading.normal_force;
    reading.torque = moment - cross(reading.point, reading.force);
  }
  const Status status = forward_dynamics(w.model->tree, w.tree, true);
  if (status == Status::ok && !w.model->constraints.empty()) {
    constrain_accelerations(w.model->tree, w.model->constraints, w.v, w.tree, w.constraints);
  }
  return status;
}

}  // namespace carom
