#include "carom/engine/evaluate.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/kick_powers.h"
#include "carom/engine/contact/rigid/rigid_hold.h"
#include "carom/engine/events/joint_stop.h"
#include "carom/engine/force_elements.h"
#include "carom/engine/implicit/acted_forces.h"
#include "carom/engine/time_stepping/stepped_contacts.h"

namespace carom {
namespace {

/// q and v with prescribed coordinates in place, and their known accelerations.
void unpack(Workspace& w, std::span<const double> x) {
  const Model& model = *w.model;
  std::copy_n(x.begin(), model.nq(), w.q.begin());
  std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(model.nq()), model.nv(), w.v.begin());
  if (!model.has_motion) return;
  for (const DofElement& e : w.parameters.dofs) {
    if (e.motion < 0) continue;
    const SignalJet jet = w.signals.all[at(e.motion)].jet(w.t);
    w.q[at(e.q)] = jet.value;
    w.v[at(e.v)] = jet.rate;
    w.tree.vdot[at(e.v)] = jet.acceleration;
  }
}

/// Whether the links already are where x puts them: a step ends where the next one begins.
/// Prescribed motions depend on time as well, and projection moves links on its own.
bool has_kinematics_of(const Workspace& w, std::span<const double> x) {
  const Model& model = *w.model;
  if (!w.has_kinematics || model.has_motion || !model.constraints.empty()) return false;
  return std::equal(w.q.begin(), w.q.end(), x.begin()) &&
         std::equal(w.v.begin(), w.v.end(), x.begin() + static_cast<std::ptrdiff_t>(model.nq()));
}

double measure(const Workspace& w, const Measure& m, std::span<const double> z) {
  using What = Measure::What;
  if (m.what == What::q) return w.q[at(m.index)];
  if (m.what == What::v) return w.v[at(m.index)];
  if (m.what == What::state) return z[at(m.index)];
  const LinkState& L = w.tree.links[at(m.index)];
  const Vec3 r = L.R_WL * m.X_LK.p;
  const auto k = at(m.component);
  switch (m.what) {
    case What::position: return (L.p_WL + r)[k];
    case What::velocity: return (L.V.v + cross(L.V.w, r))[k];
    case What::angular_velocity: return L.V.w[k];
    case What::orientation: {
      const Quat o = to_quat(L.R_WL * m.X_LK.R);
      return (&o.w)[k];
    }
    default: return 0.0;
  }
}

void evaluate_signals(Workspace& w, std::span<const double> z) {
  const Model& model = *w.model;
  for (std::size_t i = 0; i < model.measures.size(); ++i) {
    if (model.measures[i].what != Measure::What::signal) {
      w.signals.measured[i] = measure(w, model.measures[i], z);
    }
  }
  for (const int i : model.signal_order) {
    const Signal& s = w.signals.all[at(i)];
    w.signals.values[at(i)] = s.is_constant() ? w.parameters.constants[at(i)] : s.value(w.t);
  }
}

void apply_gravity(Workspace& w) {
  const TreeModel& tree = w.model->tree;
  const GravitySpec& gravity = w.parameters.gravity;
  if (gravity.kind == GravitySpec::Kind::uniform) {
    const Vec3 g = gravity.uniform;
    for (std::size_t i = 1; i < tree.links.size(); ++i) {
      LinkState& L = w.tree.links[i];
      L.f_ext += {cross(L.h, g), tree.links[i].inertia.m * g};
    }
    return;
  }
  for (std::size_t i = 1; i < tree.links.size(); ++i) {
    LinkState& L = w.tree.links[i];
    const double m = tree.links[i].inertia.m;
    if (m == 0.0) continue;
    const Vec3 r = L.p_WL + L.h / m - gravity.center;
    const Vec3 g = (-gravity.mu / (norm2(r) * norm(r))) * r;
    L.f_ext += {cross(L.h, g), m * g};
  }
}

/// Force of a drive on its coordinate; the rate of its own state goes to zdot.
double drive_force(Workspace& w, const DriveElement& d, const DofElement& e,
                   std::span<const double> z) {
  const double reference = w.signals.values[at(d.signal)];
  const double q = e.has_position ? w.q[at(e.q)] : 0.0, v = w.v[at(e.v)];
  double force = 0.0;
  switch (d.kind) {
    case DriveSpec::Kind::force: force = reference; break;
    case DriveSpec::Kind::position: {
      const bool feed = d.rate_feedforward && d.damping != 0.0 && w.signals.is_timed[at(d.signal)];
      const double rate = feed ? w.signals.all[at(d.signal)].jet(w.t).rate : 0.0;
      force = d.stiffness * (reference - q) + d.damping * (rate - v);
      if (d.state >= 0) {
        force += d.integral * z[at(d.state)];
        w.zdot[at(d.state)] = reference - q;
      }
      break;
    }
    case DriveSpec::Kind::velocity:
      force = d.damping * (reference - v);
      if (d.state >= 0) {
        force += d.integral * z[at(d.state)];
        w.zdot[at(d.state)] = reference - v;
      }
      break;
    case DriveSpec::Kind::cascade: {
      const double u = d.inner_gain * d.ratio * (reference - q) - d.ratio * v;
      force = d.ratio * d.gain * (z[at(d.state)] + u);
      w.zdot[at(d.state)] = u / d.time_constant;
      break;
    }
  }
  return std::clamp(force, -d.limit, d.limit);
}

/// Force of a stop on its coordinate.
double stop_force(Workspace& w, const DofElement& e) {
  const int mode = w.modes.stop[at(e.stop)];
  if (mode == kStopFree) return 0.0;
  const StopState s = stop_state(e, mode, w.q[at(e.q)], w.v[at(e.v)]);
  const double elastic = e.stop_stiffness * s.depth;
  const double force = is_pressing(mode) ? s.press : 0.0;
  w.ledger.stops += 0.5 * elastic * s.depth;
  w.ledger.powers.damping += (force - elastic) * s.rate;
  return mode > 0 ? -force : force;
}

void apply_dof_elements(Workspace& w, std::span<const double> z) {
  for (const DofElement& e : w.parameters.dofs) {
    const double v = w.v[at(e.v)];
    double force = -e.damping * v;
    w.ledger.powers.damping += e.damping * v * v;
    if (e.has_position) {
      const double stretch = w.q[at(e.q)] - e.rest;
      force -= e.stiffness * stretch;
      w.ledger.joint_springs += 0.5 * e.stiffness * stretch * stretch;
    }
    if (e.drive >= 0) {
      const double f = drive_force(w, w.parameters.drives[at(e.drive)], e, z);
      w.forces.of_drives[at(e.drive)] = f;
      w.ledger.powers.drive += f * v;
      force += f;
    }
    if (e.stop >= 0) force += stop_force(w, e);
    if (e.friction >= 0) {
      const int direction = w.modes.friction[at(e.friction)];
      force -= direction * e.coulomb;
      w.ledger.powers.friction += direction * e.coulomb * v;
    }
    if (!w.step.rows_apart) w.tree.tau[at(e.v)] += force;
  }
}

/// Integral of the law from 0 to x at v = 0: 16 panels of the five-point Gauss rule,
/// exact for polynomials to degree 9 and to rounding for anything smooth.
double law_energy(LawSlot& law, double x) {
  constexpr double kNode[] = {0.0, 0.5384693101056831, 0.9061798459386640};
  constexpr double kWeight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  constexpr int kPanels = 16;
  const auto f = [&](double s) {
    law.xv[0] = s;
    return law.signal.value(s);
  };
  law.xv[1] = 0.0;
  const double half = 0.5 * x / kPanels;
  double sum = 0.0;
  for (int panel = 0; panel < kPanels; ++panel) {
    const double mid = (2 * panel + 1) * half;
    sum += kWeight[0] * f(mid);
    for (int k = 1; k < 3; ++k) {
      sum += kWeight[k] * (f(mid - half * kNode[k]) + f(mid + half * kNode[k]));
    }
  }
  return half * sum;
}

void evaluate_laws(Workspace& w, std::size_t index, ForceInput& in, bool with_energy,
                   std::span<LawValue> values) {
  std::vector<LawSlot>& laws = w.forces.laws[index];
  double x[6], v[6];
  w.model->forces[index].kind->deflections(in, x, v);
  for (std::size_t i = 0; i < laws.size(); ++i) {
    LawSlot& law = laws[i];
    LawValue& value = values[i];
    value = {};
    if (!law.given) continue;
    value.given = true;
    value.driven = law.driven;
    if (with_energy && !law.driven) value.energy = law_energy(law, x[i]);
    law.xv[0] = x[i];
    law.xv[1] = 0.0;
    value.elastic = law.signal.value(x[i]);
    law.xv[1] = v[i];
    value.force = law.signal.value(x[i]);
  }
}

}  // namespace

AttachmentState attachment_state(const TreeData& tree, const Attachment& a) {
  const LinkState& L = tree.links[at(a.link)];
  AttachmentState s;
  s.R_WK = L.R_WL * a.X_LK.R;
  const Vec3 r = L.R_WL * a.X_LK.p;
  s.p_WK = L.p_WL + r;
  s.V_WK = shifted(L.V, r);
  return s;
}

ForceOutput evaluate_force_between(Workspace& w, std::size_t index, const AttachmentState& from,
                                   const AttachmentState& to, bool with_energy) {
  const ForceElement& e = w.model->forces[index];
  ForceInput in;
  in.to = to;
  if (!e.kind->is_load) in.from = from;
  in.params = std::span<const double>(w.parameters.force_params)
                  .subspan(at(e.param0), width(e.kind->fields));
  in.in_body_axes = e.in_body_axes;
  double signals[6];
  LawValue laws[6];
  if (e.kind->is_load) {
    for (std::size_t i = 0; i < e.signals.size(); ++i)
      signals[i] = w.signals.values[at(e.signals[i])];
    in.signals = {signals, e.signals.size()};
  } else {
    evaluate_laws(w, index, in, with_energy, laws);
    in.laws = {laws, e.laws.size()};
  }
  ForceOutput out;
  e.kind->evaluate(in, out);
  return out;
}

namespace {

ForceOutput evaluate_force(Workspace& w, std::size_t index, bool with_energy) {
  const ForceElement& e = w.model->forces[index];
  const AttachmentState to = attachment_state(w.tree, e.to);
  if (e.kind->is_load) return evaluate_force_between(w, index, {}, to, with_energy);
  return evaluate_force_between(w, index, attachment_state(w.tree, e.from), to, with_energy);
}

void apply_force_elements(Workspace& w) {
  const std::vector<ForceElement>& forces = w.model->forces;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const ForceElement& e = forces[i];
    if (w.step.rows_apart && !e.kind->is_load) continue;
    const ForceOutput out = evaluate_force(w, i, false);
    const LinkState& to = w.tree.links[at(e.to.link)];
    const Vec3 p = to.p_WL + to.R_WL * e.to.X_LK.p;
    apply_wrench(w.tree, e.to.link, p, out.on_to);
    if (!e.kind->is_load) apply_wrench(w.tree, e.from.link, p, -1.0 * out.on_to);
    w.ledger.powers.damping += out.damping_power;
    w.ledger.powers.drive += out.drive_power;
    w.ledger.powers.model += out.model_power;
    w.forces.outputs[i] = out;
  }
}

/// Forces that hold stuck coordinates and drive prescribed ones.
void calc_known_forces(Workspace& w) {
  calc_reactions(w);
  for (const DofElement& e : w.parameters.dofs) {
    if (!w.tree.known[at(e.v)]) continue;
    const double needed = w.forces.rnea_tau[at(e.v)] - w.tree.tau[at(e.v)];
    if (e.motion >= 0) {
      w.forces.of_motions[at(e.v)] = needed;
      w.ledger.powers.drive += needed * w.v[at(e.v)];
    } else if (e.friction >= 0) {
      w.forces.holding[at(e.friction)] = needed;
    }
  }
}

}  // namespace

void apply_modes(Workspace& w) {
  std::fill(w.tree.known.begin(), w.tree.known.end(), std::uint8_t{0});
  for (const DofElement& e : w.parameters.dofs) {
    const bool stuck = e.friction >= 0 && w.modes.friction[at(e.friction)] == 0;
    if (e.motion < 0 && !stuck) continue;
    w.tree.known[at(e.v)] = 1;
    w.tree.vdot[at(e.v)] = 0.0;
  }
  for (std::size_t i = 0; i < w.modes.loop_active.size(); ++i) {
    w.constraints.loop_active[i] = w.modes.loop_active[i] && w.parameters.loop_enabled[i] != 0.0;
  }
  if (!w.model->contact.empty()) prepare_contacts(w);
}

void follow_modes(const Workspace& w, Workspace& observer) {
  make_room(observer.modes.contacts.pairs, w.modes.contacts.pairs.size());
  observer.modes = w.modes;
  observer.parameters = w.parameters;
  apply_modes(observer);
}

void evaluate_kinematics(Workspace& w, double t, std::span<const double> x) {
  if (!has_kinematics_of(w, x)) {
    w.t = t;
    unpack(w, x);
    calc_kinematics(w.model->tree, w.q, w.v, w.tree);
    w.has_kinematics = true;
    w.contacts.known.are_current = false;
    w.contacts.fastest2 = -1.0;
  }
  w.t = t;
  evaluate_signals(w, x.subspan(w.model->nq() + w.model->nv()));
}

Status evaluate(Workspace& w, double t, std::span<const double> x) {
  const Model& model = *w.model;
  const std::span<const double> z = x.subspan(model.nq() + model.nv());
  evaluate_kinematics(w, t, x);
  clear_forces(w.tree);
  w.ledger.powers = {};
  w.ledger.stops = w.ledger.joint_springs = 0.0;
  w.ledger.contacts = w.ledger.modelled = w.ledger.bristles = w.ledger.published = 0.0;
  w.ledger.lasting = 0.0;
  apply_gravity(w);
  apply_dof_elements(w, z);
  apply_force_elements(w);
  w.events.kinks.clear();
  w.contacts.scratch.sides = 0;
  const bool has_rigid = model.contact.has_rigid;
  if (!w.contacts.touching.empty()) {  // steps look away from contacts to see what moves without
    apply_contacts(w, x);
    if (w.modes.banks && !has_rigid) tell_acted_forces(w);
  }
  if (forward_dynamics(model.tree, w.tree, has_rigid || !model.constraints.empty()) != Status::ok)
    return Status::recoverable;
  if (has_rigid) w.contacts.rigid.free = w.tree.vdot;
  if (!model.constraints.empty()) {
    constrain_accelerations(model.tree, model.constraints, w.v, w.tree, w.constraints);
  }
  if (has_rigid) w.contacts.rigid.forces.clear();
  if (has_rigid && is_stepped(w)) {
    if (tell_stepped(w) != Status::ok) return Status::recoverable;
  } else if (has_rigid && holds_bodies(w) && hold_bodies(w, x) != Status::ok) {
    return Status::recoverable;
  }
  if (w.step.kick_step > 0.0 && !w.contacts.touching.empty()) add_kick_powers(w);
  if (model.has_motion || model.friction_count > 0) calc_known_forces(w);
  return Status::ok;
}

Status calc_rates(Workspace& w, double t, std::span<const double> x, std::span<double> xdot) {
  const Model& model = *w.model;
  const Status status = evaluate(w, t, x);
  if (status != Status::ok) return status;
  // Rates of a quaternion need the unnormalised one that is being integrated.
  calc_position_rates(model.tree, x.first(model.nq()), w.v, xdot.first(model.nq()));
  std::copy(w.tree.vdot.begin(), w.tree.vdot.end(),
            xdot.begin() + static_cast<std::ptrdiff_t>(model.nq()));
  const std::span<double> zdot = xdot.subspan(model.nq() + model.nv());
  if (zdot.empty()) return Status::ok;
  std::copy(w.zdot.begin(), w.zdot.end(), zdot.begin());
  const std::span<double> slots = zdot.subspan(model.nz);
  std::copy_n(w.contacts.slot_rates.begin(), slots.size(), slots.begin());
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    zdot[i] = w.signals.values[at(model.states[i].rate)];
  }
  return Status::ok;
}

void calc_reactions(Workspace& w) {
  const Model& model = *w.model;
  // Loop reactions act on both links like any applied wrench.
  for (std::size_t i = 0; i < model.constraints.loops.size(); ++i) {
    const LoopConstraint& loop = model.constraints.loops[i];
    const LinkState& B = w.tree.links[at(loop.link_b)];
    const Vec3 p_M = B.p_WL + B.R_WL * loop.X_BM.p;
    apply_wrench(w.tree, loop.link_b, p_M, w.constraints.loop_reaction[i]);
    apply_wrench(w.tree, loop.link_a, p_M, -1.0 * w.constraints.loop_reaction[i]);
  }
  inverse_dynamics(model.tree, w.tree.vdot, w.tree, w.forces.rnea_tau);
  for (std::size_t i = 0; i < model.constraints.loops.size(); ++i) {
    const LoopConstraint& loop = model.constraints.loops[i];
    const LinkState& B = w.tree.links[at(loop.link_b)];
    const Vec3 p_M = B.p_WL + B.R_WL * loop.X_BM.p;
    apply_wrench(w.tree, loop.link_b, p_M, -1.0 * w.constraints.loop_reaction[i]);
    apply_wrench(w.tree, loop.link_a, p_M, w.constraints.loop_reaction[i]);
  }
  for (std::size_t i = 0; i < model.constraints.couplings.size(); ++i) {
    const CouplingConstraint& c = model.constraints.couplings[i];
    w.forces.rnea_tau[at(c.v_first)] -= w.constraints.coupling_force[i];
    w.forces.rnea_tau[at(c.v_second)] += c.ratio * w.constraints.coupling_force[i];
  }
}

Energies calc_energies(Workspace& w) {
  const Model& model = *w.model;
  Energies e;
  e.kinetic = kinetic_energy(model.tree, w.tree, w.v);
  const GravitySpec& gravity = w.parameters.gravity;
  for (std::size_t i = 1; i < model.tree.links.size(); ++i) {
    const LinkState& L = w.tree.links[i];
    const double m = model.tree.links[i].inertia.m;
    if (gravity.kind == GravitySpec::Kind::uniform) {
      e.potential -= dot(gravity.uniform, m * L.p_WL + L.h);
    } else if (m > 0.0) {
      e.potential -= gravity.mu * m / norm(L.p_WL + L.h / m - gravity.center);
    }
  }
  e.elastic = w.ledger.joint_springs + w.ledger.stops + w.ledger.contacts + w.ledger.bristles;
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    if (!model.forces[i].kind->is_load) e.elastic += evaluate_force(w, i, true).elastic;
  }
  return e;
}

}  // namespace carom
