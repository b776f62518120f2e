// The answer of an implicit step, and its end: coordinates and velocities, states of contacts, work
// from outside.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/base/patience.h"
#include "carom/engine/implicit/implicit_step.h"
#include "carom/engine/implicit/joint_modes.h"

namespace carom {

bool ImplicitStep::solve() {
  bool converged = true;
  for (std::size_t i = 0; i < problem_.islands.size(); ++i) {
    VelocityAnswer answer;
    if (solver_.predict(problem_, i)) predict_loads(i);
    // Each reason to revise an answer has a bound of its own, and the last one has to be kept to
    // what the bank holds.
    while (!Patience::is_over()) {
      answer = solver_.solve(problem_, i);
      iterations_ += answer.iterations, sweeps_ += answer.linear_iterations;
      islands_[i].converged = answer.converged;
      if (!revise(i)) break;
    }
    converged &= answer.converged;
  }
  return converged;
}

void ImplicitStep::finish(std::span<double> x_new) {
  std::copy(x_.begin(), x_.end(), x_new.begin());
  const std::size_t first = w_.model->nq() + w_.model->nv();
  for (std::size_t i = first; i < w_.model->size(); ++i) x_new[i] += h_ * rates_[i];
  move_bodies(x_new);
  move_trees(x_new);
  put_slots(x_new);
  put_outside(x_new);
  guard_trees(x_new);
  settle(x_new);
}

/// Where a contact pushes, with the velocity of the answer; elsewhere freely, which keeps the
/// energy.
void ImplicitStep::move_bodies(std::span<double> x_new) {
  for (const FreeBody& b : bodies_) {
    if (frozen_[at(b.link)]) continue;
    Vec3 way, turned;  // over the step
    if (b.block < 0 || !pushed_[at(b.block)]) {
      way = (0.5 * h_) * (b.v + b.v_free), turned = h_ * (b.R * b.w_mean);
      put_body(*w_.model, b, b.p + way, b.turn, b.v_free, transpose_times(b.R, b.w_free), x_new);
    } else {
      const double* v = &problem_.v[problem_.blocks[at(b.block)].start];
      const double s = 1.0 / block_theta_[at(b.block)];
      const Vec3 w_mean{v[0], v[1], v[2]}, v_mean{v[3], v[4], v[5]};
      const Vec3 w_end = b.w + s * (w_mean - b.w), v_end = b.v + s * (v_mean - b.v);
      way = h_ * v_mean, turned = h_ * w_mean;
      put_body(*w_.model, b, b.p + way, quat_exp(transpose_times(b.R, turned)), v_end,
               transpose_times(b.R, w_end), x_new);
    }
    const Vec3 load = b.force - b.element - gravity_of(b);
    outside_work_ += dot(load, way) + dot(b.torque - b.twist, turned);
  }
}

void ImplicitStep::put_slots(std::span<double> x_new) {
  const SlotLayout& layout = w_.model->contact.slot;
  for (std::size_t i = 0; i < touch_count_; ++i) {
    const Touch& touch = touches_[i];
    if (touch.slot < 0) continue;
    double* slot = &x_new[slot_place(*w_.model, touch.slot)];
    slot[SlotLayout::kImpulse] += h_ * touch.taken * touch.press;
    slot[SlotLayout::kNormal] += touch.damped;
    slot[SlotLayout::kFriction] += touch.rubbed;
    slot[SlotLayout::kStored] = touch.stored;
    if (layout.bristle < 0) continue;
    double* z = slot + layout.bristle;
    Vec3 kept;
    const double scale = touch.rub.patch > 0.0 ? 1.0 / touch.rub.patch_unit
                         : touch.load > 0.0 && touch.rub.law_stiffness > 0.0
                             ? 1.0 / (touch.load * touch.rub.law_stiffness)
                             : 0.0;
    if (touch.rubs && touch.rub.has_memory) kept = scale * touch.bristle;
    const PairState s = pair_state(w_, w_.modes.contacts.pairs[touch.pair]);
    const Vec3 z_A = transpose_times(s.X_WA.R, kept.x * touch.t1 + kept.y * touch.t2);
    z[0] = z_A.x, z[1] = z_A.y, z[2] = z_A.z, z[3] = kept.z;
  }
}

/// On the second body, normal force and friction.
Vec3 ImplicitStep::force_of(const Touch& touch, const RowGroup& group) {
  Vec3 force = touch.press * touch.n;
  std::size_t row = at(group.normals);
  const auto add = [&](int size) {
    force += touch.forces[row] * touch.t1 + touch.forces[row + 1] * touch.t2;
    row += at(size);
  };
  if (touch.rubs) add(touch.radius > 0.0 ? 3 : 2);
  if (touch.rubs && touch.rub.viscous > 0.0) add(2);
  return touch.taken * force;
}

/// Prescribed coordinates are where they are at the end.
void ImplicitStep::put_outside(std::span<double> x_new) {
  const Model& model = *w_.model;
  for (const DofElement& e : w_.parameters.dofs) {
    if (e.motion < 0) continue;
    const SignalJet jet = w_.signals.all[at(e.motion)].jet(t_ + h_);
    x_new[at(e.q)] = jet.value, x_new[model.nq() + at(e.v)] = jet.rate;
  }
}

/// What means of forces keep of what they are: nothing where the step begins on the grid, else the
/// share of the time since then that the step has not.
double ImplicitStep::begin_means() {
  constexpr double kOnGrid = 1e-6;  // of a step
  const double grid = w_.step.grid_step;
  const bool begins = !(grid > 0.0) || std::abs(t_ / grid - std::round(t_ / grid)) < kOnGrid;
  const double before = begins ? 0.0 : w_.modes.acted_span;
  w_.modes.acted_span = before + h_;
  return before / w_.modes.acted_span;
}

/// Adds the share of the i-th contact's forces: by the rows of a free body that it moves, which
/// need not have one normal, else by that of the contact.
void ImplicitStep::add_acted(std::size_t i, double share, ActedForce& acted) const {
  const Touch& touch = touches_[i];
  const RowGroup& group = problem_.groups[i];
  const bool on_b = touch.b.body >= 0;
  acted.has_torque = on_b || touch.a.body >= 0;
  if (acted.has_torque) {
    const std::size_t width = problem_.row_width(group);
    const double* J = &problem_.jacobian[group.jacobian + (on_b ? width - 6 : 0)];
    Wrench on_body;
    for (std::size_t r = 0; r < touch.forces.size(); ++r, J += width) {
      on_body.t += touch.forces[r] * Vec3{J[0], J[1], J[2]};
      on_body.f += touch.forces[r] * Vec3{J[3], J[4], J[5]};
    }
    const Wrench w = (share * touch.taken * (on_b ? 1.0 : -1.0)) * on_body;
    const Vec3 p = bodies_[at(on_b ? touch.b.body : touch.a.body)].p;
    if (!(acted.normal > 0.0)) acted.at = p;
    acted.force += w.f;
    acted.torque += w.t + cross(p - acted.at, w.f);
  } else {
    acted.force += share * force_of(touch, group);
  }
  acted.normal += share * touch.taken * touch.press;
}

/// Over the step the force is one.
void ImplicitStep::follow_load(const Touch& touch, LoadTrack& track) const {
  const double load = touch.taken * touch.press;
  track.slip += h_ * touch.slip;
  track.peak_depth = std::max(track.peak_depth, touch.depth);
  if (load > track.peak_force) track.peak_force = load, track.peak_time = t_ + h_;
}

void ImplicitStep::commit(std::vector<EngineEvent>& events) {
  if (!trees_.empty()) switch_joints(w_, t_ + h_, next_friction_, next_stop_, events);
  std::vector<ContactPair>& pairs = w_.modes.contacts.pairs;
  const double kept = begin_means();
  for (ContactPair& pair : pairs) {
    if (stays_frozen(pair)) continue;
    pair.load = pair.unpaid = 0.0, pair.rub_energy = kInf;
    pair.acted.normal *= kept, pair.acted.force *= kept, pair.acted.torque *= kept;
  }
  for (std::size_t i = 0; i < touch_count_; ++i) {
    const Touch& touch = touches_[i];
    if (touch.slot < 0 && !(touch.press > 0.0)) continue;
    // What the step met on its way may have come into the list since.
    ContactPair* pair = &pairs[touch.pair];
    if (!pair->is_same_site(touch.begun)) {
      const auto same = [&](const ContactPair& p) { return p.is_same_site(touch.begun); };
      const auto found = std::ranges::find_if(pairs, same);
      if (found == pairs.end()) continue;
      pair = &*found;
    }
    add_acted(i, 1.0 - kept, pair->acted);
    if (touch.slot < 0) continue;
    pair->load = touch.taken * touch.press;
    follow_load(touch, pair->track);
    pair->unpaid = touch.unpaid;
    if (touch.rubs && touch.rub.has_memory) pair->rub_energy = touch.bristle_energy;
    pair->base = touch.begun.base;  // the face that told of the overlap
  }
  w_.modes.contacts.ended.normal += unremembered_.normal;
  w_.modes.contacts.ended.friction += unremembered_.friction;
  w_.modes.step_loss += lost_;
  w_.modes.step_lift += lifted_;
  unremembered_ = {};
  lost_ = lifted_ = 0.0;
  attempts_ = 0;
  commit_rests(events);
}

}  // namespace carom
