#include "carom/simulation/scene_system.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/base/patience.h"
#include "carom/engine/events/event_blocks.h"
#include "carom/engine/part_states.h"
#include "carom/engine/stepper.h"
#include "carom/engine/study/tangent.h"

namespace carom {

SceneSystem::SceneSystem(Workspace& workspace)
    : w_(workspace), model_(*workspace.model), scales_(workspace) {}

void SceneSystem::refresh() { scales_are_known_ = pattern_is_known_ = false; }

const ErrorScales& SceneSystem::known_scales() const {
  if (!scales_are_known_) scales_.find();
  scales_are_known_ = true;
  return scales_;
}

std::span<const int> SceneSystem::groups() const { return known_scales().groups(); }

std::size_t SceneSystem::size() const { return state_size(w_); }
std::size_t SceneSystem::position_size() const { return model_.nq(); }
std::size_t SceneSystem::velocity_size() const { return model_.nv(); }

Status SceneSystem::rhs(double t, std::span<const double> x, std::span<double> xdot) {
  if (Patience::is_over()) return Status::fatal;
  return calc_rates(w_, before_jump(t), x, xdot);
}

void SceneSystem::error_weights(std::span<const double> x, double rtol, double,
                                std::span<double> w) const {
  known_scales().weights(x, rtol, w);
}

void SceneSystem::sizes(std::span<const double> x, double rtol, double atol,
                        std::span<double> s) const {
  System::sizes(x, rtol, atol, s);
  known_scales().sizes(s);
}

void SceneSystem::position_rates(double t, std::span<const double> x, std::span<double> qdot) {
  (void)t;
  calc_position_rates(model_.tree, x.first(model_.nq()), x.subspan(model_.nq(), model_.nv()), qdot);
}

bool SceneSystem::has_projection() const {
  return !model_.constraints.empty() || (model_.contact.has_rigid && !w_.modes.banks);
}

Status SceneSystem::project(double t, std::span<double> x, std::span<double> error) {
  // A step leaves the manifold by its own error, so two or three iterations suffice. They
  // go on to rounding: near a change point a gap is a far larger error of the coordinates.
  const double left = carom::project(w_, t, x, kToRounding, 6);
  if (!(left < 1e-9)) return Status::recoverable;
  if (!error.empty() && !model_.constraints.empty()) {
    project_velocities(model_.tree, model_.constraints, error.subspan(model_.nq(), model_.nv()),
                       w_.tree, w_.constraints);
  }
  return Status::ok;
}

std::size_t SceneSystem::event_count() const { return carom::event_count(w_); }

int SceneSystem::event_direction(std::size_t i) const { return event_traits(w_, i).direction; }

double SceneSystem::event_rate_bound(std::size_t i, double, double) const {
  return event_traits(w_, i).rate_bound;
}

bool SceneSystem::event_is_kink(std::size_t i) const { return event_traits(w_, i).is_kink; }

bool SceneSystem::may_be_stiff() const {
  return model_.contact.empty() || !w_.contacts.touching.empty() || !model_.forces.empty() ||
         !model_.parameters.dofs.empty();
}

/// Edges that lift off and friction that turns are no events; connected surfaces name their kinks,
/// and rigid contact has none between its events.
bool SceneSystem::hides_kinks() const {
  return w_.events.kinks.empty() && !w_.model->contact.has_rigid && may_hide_kinks(w_);
}

/// Rigid contacts have no springs: what holds their steps down is friction of slow slip, which the
/// stability of explicit steps shows.
bool SceneSystem::may_vibrate() const {
  return w_.model->contact.has_elastic() && rests_on_contacts(w_);
}

bool SceneSystem::accept(double t, std::span<const double> x) {
  watched_.note(w_);
  const bool must_restart = Stepper(w_).accept(t, x);
  keeps_events_ = watched_.are_kept(w_);
  return must_restart;
}

void SceneSystem::events(double t, std::span<const double> x, std::span<double> g) {
  if (g.empty()) return;
  event_functions(w_, t, x, g);
}

void SceneSystem::some_events(double t, std::span<const double> x,
                              std::span<const std::size_t> which, std::span<double> g) {
  some_event_functions(w_, t, x, which, g);
}

double SceneSystem::event_resolution(std::size_t i) const { return w_.events.resolution[i]; }

bool SceneSystem::event_ends_mode(std::size_t i) const { return event_traits(w_, i).ends_mode; }

void SceneSystem::use_steps(VelocityStepKind kind) {
  if (kind == step_kind_) return;
  step_kind_ = kind;
  step_ = make_scene_step(w_, kind);
}

void SceneSystem::commit_step(std::vector<EngineEvent>& events) {
  if (step_) step_->commit(events);
}

}  // namespace carom
