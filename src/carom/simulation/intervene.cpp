// A simulation changed from outside: states, joints and bodies set anew.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/base/text.h"
#include "carom/engine/implicit/frozen.h"
#include "carom/engine/put_state.h"
#include "carom/engine/study/placement.h"
#include "carom/scene/read/reader.h"
#include "carom/simulation/simulation.h"

namespace carom {
namespace {

[[noreturn]] void refuse_setting(const std::string& message, const std::string& remedy = {}) {
  Diagnostics diagnostics;
  diagnostics.error({}, message, remedy);
  throw InputError(std::move(diagnostics));
}

void require_finite(std::span<const double> values, const std::string& what) {
  for (const double value : values) {
    if (!std::isfinite(value)) {
      refuse_setting(what + " is " + number_text(value) + ", it must be a finite number");
    }
  }
}

/// Joints with a quaternion have it in front of their coordinates. One that steps have left a
/// little off its length stays as it is, to the last bit.
void normalize_turns(const Model& model, std::span<double> q) {
  for (const JointInfo& joint : model.joints) {
    if (joint.kind->nq != joint.kind->nv + 1) continue;
    double* own = q.data() + joint.q0;
    Quat r{own[0], own[1], own[2], own[3]};
    const std::string& body = model.bodies[at(joint.body)].name;
    const double length = norm(r);
    if (!normalize(r)) refuse_setting("the quaternion of '" + body + "' is zero");
    if (std::abs(length - 1.0) < 1e-6) continue;
    own[0] = r.w, own[1] = r.x, own[2] = r.y, own[3] = r.z;
  }
}

std::vector<std::uint8_t> velocities_of(const Model& model, const JointInfo& joint) {
  std::vector<std::uint8_t> held(model.nv(), 0);
  std::fill_n(held.begin() + joint.v0, joint.kind->nv, std::uint8_t{1});
  return held;
}

}  // namespace

/// Brings x onto the loops and couplings, around the velocities that are held, in the observer.
void Simulation::close_loops(double t, std::vector<double>& x, std::span<const std::uint8_t> held) {
  constexpr double kOnTheLoops = 1e-11;  // where steps leave a state: it stays to the last bit
  Workspace& w = observer_;
  const ConstraintModel& constraints = model_->constraints;
  observer_is_current_ = false;
  w.parameters = workspace_.parameters;
  // What sticks may give way to an assembly; which loops hold depends on the time.
  std::ranges::fill(w.modes.friction, std::int8_t{1});
  for (std::size_t i = 0; i < model_->loops.size(); ++i) {
    const LoopInfo& loop = model_->loops[i];
    w.modes.loop_active[i] = t >= loop.active_from && t < loop.active_until;
  }
  apply_modes(w);
  evaluate_kinematics(w, t, x);
  const std::span<double> q(x.data(), model_->nq()), v(x.data() + model_->nq(), model_->nv());
  std::ranges::copy(w.q, q.begin());  // prescribed coordinates are where their motion is
  std::ranges::copy(w.v, v.begin());
  if (constraints.empty()) return;
  for (std::size_t i = 0; i < held.size(); ++i) w.tree.known[i] |= held[i];
  const double speed =
      1.0 + std::abs(*std::ranges::max_element(v, {}, [](double rate) { return std::abs(rate); }));
  const auto off = [&] {
    const double gap = position_error(model_->tree, constraints, q, w.tree, w.constraints);
    return std::max(gap,
                    velocity_error(model_->tree, constraints, v, w.tree, w.constraints) / speed);
  };
  if (off() <= kOnTheLoops) return;
  const double gap = assemble(w, q, v);
  calc_kinematics(model_->tree, q, v, w.tree);
  if (gap <= 1e-9 && off() <= 1e-7) return;
  refuse_setting("the loops cannot be closed around what was set: " +
                     rounded_text(std::max(gap, off())) + " (m, rad, or their rates) remain",
                 "set what the mechanism can reach, or set another of its joints");
}

void Simulation::put(double t, std::vector<double> x, std::span<const std::uint8_t> held) {
  normalize_turns(*model_, {x.data(), model_->nq()});
  close_loops(t, x, held);
  evaluate_kinematics(observer_, t, x);
  const RunState before = present();
  const Ledger ledger_before = calc_ledger(workspace_, t_, x_, energy_reference_);
  EventOutcome outcome;
  if (put_state(workspace_, t_, x_, t, x, observer_.tree.links, outcome) != Status::ok) {
    adopt(before);
    refuse_setting("the system has no accelerations at this state");
  }
  energy_reference_ = calc_ledger(workspace_, t_, x_, 0.0).total() - ledger_before.residual;
  wake_all(workspace_.modes);
  adopt(present());
  if (t != before.time) place_sample_clock();
  needs_look_ = true;
  report(outcome);
}

/// Several things are often set one after the other, so that bodies overlap in between. Where they
/// still do when the simulation is to go on, that would be a burst of energy (N16).
bool Simulation::may_go_on() {
  if (!needs_look_) return true;
  evaluate_kinematics(workspace_, t_, x_);
  const std::string burst = find_burst(workspace_, "where they were put");
  needs_look_ = !burst.empty();
  if (needs_look_) failure_ = burst;
  return !needs_look_;
}

void Simulation::set_state(double t, std::span<const double> x) {
  if (x.size() != model_->size() && x.size() != x_.size()) {
    refuse_setting("the state has " + std::to_string(model_->size()) + " numbers, not " +
                   std::to_string(x.size()));
  }
  require_finite({&t, 1}, "the time");
  require_finite(x, "an entry of the state");
  const auto own = x.first(model_->size());
  put(t, {own.begin(), own.end()}, {});
}

const JointInfo& Simulation::find_joint(const std::string& name) const {
  std::vector<std::string> known;
  for (const JointInfo& joint : model_->joints) {
    if (joint.name == name && !name.empty()) return joint;
    if (!joint.name.empty()) known.push_back(joint.name);
  }
  for (const LoopInfo& loop : model_->loops) {
    if (loop.name != name) continue;
    refuse_setting("joint '" + name + "' closes a loop: it has no coordinates of its own",
                   "set a joint of the tree; the loop follows");
  }
  refuse_setting("there is no joint '" + name + "'", suggest(name, known));
}

void Simulation::refuse_prescribed(const JointInfo& joint) const {
  for (const DofElement& e : workspace_.parameters.dofs) {
    if (&model_->joints[at(e.joint)] != &joint || e.motion < 0) continue;
    refuse_setting("the motion of joint '" + joint.name + "' is prescribed",
                   "change the signal that it follows");
  }
}

void Simulation::set_joint(const std::string& name, std::span<const double> q,
                           std::span<const double> v) {
  const JointInfo& joint = find_joint(name);
  refuse_prescribed(joint);
  const auto check = [&](std::span<const double> values, int count, const char* what) {
    if (!values.empty() && values.size() != at(count)) {
      refuse_setting("joint '" + name + "' (" + joint.kind->name + ") has " +
                     std::to_string(count) + " " + what + ", not " + std::to_string(values.size()));
    }
    require_finite(values, "a value for joint '" + name + "'");
  };
  check(q, joint.kind->nq, "coordinates");
  check(v, joint.kind->nv, "velocities");
  std::vector<double> x(x_.begin(), x_.begin() + static_cast<std::ptrdiff_t>(model_->size()));
  const std::vector<std::uint8_t> held = velocities_of(*model_, joint);
  if (!q.empty() && !model_->constraints.empty()) follow_joint(joint, q, held, x);
  std::ranges::copy(q, x.begin() + joint.q0);
  std::ranges::copy(v, x.begin() + static_cast<std::ptrdiff_t>(model_->nq()) + joint.v0);
  put(t_, std::move(x), held);
}

/// Takes the joint to q in small steps, around each of which the loops are closed: so the mechanism
/// stays in the branch it is in. Where that way is barred, x is left for one large step.
void Simulation::follow_joint(const JointInfo& joint, std::span<const double> q,
                              std::span<const std::uint8_t> held, std::vector<double>& x) {
  constexpr double kStep = 0.1;  // [m or rad]
  const std::vector<double> start = x;
  double way = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    way = std::max(way, std::abs(q[i] - start[at(joint.q0) + i]));
  }
  const double steps = std::clamp(std::ceil(way / kStep), 1.0, 1000.0);
  try {
    for (double k = 1.0; k < steps; k += 1.0) {
      for (std::size_t i = 0; i < q.size(); ++i) {
        const double from = start[at(joint.q0) + i];
        x[at(joint.q0) + i] = from + k / steps * (q[i] - from);
      }
      close_loops(t_, x, held);
    }
    // Velocities are those from before, until they are brought in line at the end.
    std::copy(start.begin() + static_cast<std::ptrdiff_t>(model_->nq()), start.end(),
              x.begin() + static_cast<std::ptrdiff_t>(model_->nq()));
  } catch (const InputError&) {
    x = start;
  }
}

const JointInfo& Simulation::find_joint_of(const std::string& name) const {
  const auto body = std::ranges::find(model_->bodies, name, &BodyInfo::name);
  if (body == model_->bodies.end()) {
    std::vector<std::string> known;
    for (const BodyInfo& b : model_->bodies) known.push_back(b.name);
    refuse_setting("there is no body '" + name + "'", suggest(name, known));
  }
  const BodyId index = body - model_->bodies.begin();
  const auto joint = std::ranges::find(model_->joints, index, &JointInfo::body);
  if (body->link == 0 || joint == model_->joints.end()) {
    refuse_setting("body '" + name + "' is fixed", "only bodies that move can be set");
  }
  return *joint;
}

void Simulation::set_body(const std::string& name, const BodyPlacement& p) {
  const JointInfo& joint = find_joint_of(name);
  refuse_prescribed(joint);
  for (const std::optional<Vec3>& given : {p.position, p.velocity, p.angular_velocity}) {
    if (given) require_finite({&given->x, 3}, "a value for body '" + name + "'");
  }
  Quat turn = p.orientation.value_or(Quat{});
  require_finite({&turn.w, 4}, "the orientation of body '" + name + "'");
  if (!normalize(turn)) refuse_setting("the quaternion of '" + name + "' is zero");

  evaluate_kinematics(workspace_, t_, x_);
  const LinkState& L = workspace_.tree.links[at(joint.link)];
  const Pose& X_LB = model_->bodies[at(joint.body)].X_LB;
  const Vec3 r = L.R_WL * X_LB.p;
  std::vector<double> x(x_.begin(), x_.begin() + static_cast<std::ptrdiff_t>(model_->size()));
  const std::span<double> q(x.data(), model_->nq()), v(x.data() + model_->nq(), model_->nv());
  const std::string what =
      "the joint (" + std::string(joint.kind->name) + ") of body '" + name + "'";
  if (p.position || p.orientation) {
    const Pose X_WB{p.orientation ? to_matrix(turn) : L.R_WL * X_LB.R,
                    p.position.value_or(L.p_WL + r)};
    if (!place_body(*model_, joint, X_WB, q)) {
      refuse_setting(what + " cannot bring it there", "set the joint's coordinate with set_joint");
    }
  }
  // A free body keeps its velocity in the world; a joint keeps its own.
  if (p.velocity || p.angular_velocity || joint.kind->nv == 6) {
    const Motion wanted{p.angular_velocity.value_or(L.V.w),
                        p.velocity.value_or(L.V.v + cross(L.V.w, r))};
    const Motion left = move_body(*model_, joint, wanted, q, v);
    const double scale = 1e-9 * (1.0 + norm(wanted.w) + norm(wanted.v));
    if ((p.velocity && norm(left.v) > scale) || (p.angular_velocity && norm(left.w) > scale)) {
      refuse_setting(what + " does not allow this velocity",
                     "set the joint's velocity with set_joint");
    }
  }
  put(t_, std::move(x), velocities_of(*model_, joint));
}

}  // namespace carom
