// The answer of an implicit step, and its end: coordinates and velocities, states of contacts, work
// from outside.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/base/patience.h"
#include "carom/engine/implicit/implicit_step.h"
#include "carom/engine/implicit/joint_modes.h"

namespace carom {
namespace {

/// An answer is revised for friction and for its energy, a few times each.
constexpr int kMostRevisions = 16;

}  // namespace

bool ImplicitStep::solve() {
  bool converged = true;
  for (std::size_t i = 0; i < problem_.islands.size(); ++i) {
    VelocityAnswer answer;
    if (solver_.predict(problem_, i)) predict_loads(i);
    for (int k = 0; k < kMostRevisions && !Patience::is_over(); ++k) {
      answer = solver_.solve(problem_, i);
      iterations_ += answer.iterations, sweeps_ += answer.linear_iterations;
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
}

/// Where a contact pushes, with the velocity of the answer; elsewhere freely, which keeps the
/// energy.
void ImplicitStep::move_bodies(std::span<double> x_new) {
  for (const FreeBody& b : bodies_) {
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

void ImplicitStep::commit(std::vector<EngineEvent>& events) {
  if (!trees_.empty()) switch_joints(w_, t_ + h_, next_friction_, next_stop_, events);
  std::vector<ContactPair>& pairs = w_.modes.contacts.pairs;
  for (ContactPair& pair : pairs) pair.load = pair.unpaid = 0.0;
  for (std::size_t i = 0; i < touch_count_; ++i) {
    const Touch& touch = touches_[i];
    if (touch.slot < 0) continue;
    // What the step met on its way may have come into the list since.
    ContactPair* pair = &pairs[touch.pair];
    if (!pair->is_same_site(touch.begun)) {
      const auto same = [&](const ContactPair& p) { return p.is_same_site(touch.begun); };
      const auto found = std::ranges::find_if(pairs, same);
      if (found == pairs.end()) continue;
      pair = &*found;
    }
    pair->load = touch.taken * touch.press;
    pair->acted = force_of(touch, problem_.groups[i]);
    pair->unpaid = touch.unpaid;
    pair->base = touch.begun.base;  // the face that told of the overlap
  }
  w_.modes.contacts.ended.normal += unremembered_.normal;
  w_.modes.contacts.ended.friction += unremembered_.friction;
  w_.modes.step_loss += lost_;
  w_.modes.step_lift += lifted_;
  unremembered_ = {};
  lost_ = lifted_ = 0.0;
  attempts_ = 0;
}

}  // namespace carom
