// A compiled scene as the system that integrators see.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "carom/engine/evaluate.h"
#include "carom/engine/implicit/implicit_step.h"
#include "carom/engine/velocity_rows.h"
#include "carom/integrate/system.h"
#include "carom/integrate/velocity_step.h"
#include "carom/simulation/error_scales.h"

namespace carom {

/// Implicit contact steps of a scene, as methods ask for them.
class SceneVelocityStep final : public VelocityStep {
 public:
  explicit SceneVelocityStep(Workspace& w) : w_(w), step_(w) {}
  Status begin(double t, double h, std::span<const double> x) override {
    return step_.begin(t, h, x);
  }
  StepProblem& problem() override { return step_.problem(); }
  bool revise(std::size_t island) override { return step_.revise(island); }
  void finish(std::span<double> x_new) override { step_.finish(x_new); }
  bool missed(std::span<const double> x_new) override { return step_.missed(x_new); }
  bool sinks(std::span<const double> x_new) override { return step_.sinks(x_new); }
  std::int64_t bank_actions() const override { return step_.bank_actions(); }
  std::size_t size() const override;
  void add_work(std::span<double> work) const override;
  void commit(std::vector<EngineEvent>& events) { step_.commit(events); }

 private:
  Workspace& w_;
  ImplicitStep step_;
};

class SceneSystem final : public System {
 public:
  explicit SceneSystem(Workspace& workspace);

  std::size_t size() const override;
  Status rhs(double t, std::span<const double> x, std::span<double> xdot) override;
  std::span<const double> kinks() const override { return w_.events.kinks; }
  std::size_t power_count() const override { return model_.does_work ? Powers::kCount : 0; }
  void powers(std::span<double> p) const override {
    if (!p.empty()) std::ranges::copy(w_.ledger.powers.values(), p.begin());
  }
  double power_scale() const override { return known_scales().energy(); }
  void error_weights(std::span<const double> x, double rtol, double atol,
                     std::span<double> w) const override;
  void sizes(std::span<const double> x, double rtol, double atol,
             std::span<double> s) const override;
  std::span<const int> groups() const override;
  const SparsePattern* jacobian_pattern() const override;
  std::size_t position_size() const override;
  std::size_t velocity_size() const override;
  void position_rates(double t, std::span<const double> x, std::span<double> qdot) override;
  bool has_projection() const override;
  Status project(double t, std::span<double> x, std::span<double> error) override;
  std::size_t event_count() const override;
  void events(double t, std::span<const double> x, std::span<double> g) override;
  void some_events(double t, std::span<const double> x, std::span<const std::size_t> which,
                   std::span<double> g) override;
  double event_resolution(std::size_t i) const override;
  bool event_ends_mode(std::size_t i) const override;
  int event_direction(std::size_t i) const override;
  double event_rate_bound(std::size_t i, double t0, double t1) const override;
  bool event_is_kink(std::size_t i) const override;
  bool may_be_stiff() const override;
  bool may_vibrate() const override;
  bool accept(double t, std::span<const double> x) override;
  VelocityStep* velocity_step() override { return velocity_step_.get(); }

  /// Contacts are rows of a velocity problem from now on, or no longer.
  void use_velocity_steps(bool use);
  /// The step that was taken last is accepted: contacts remember it; what joints have come to is
  /// told.
  void commit_step(std::vector<EngineEvent>& events);

  // scene_velocity.cpp
  const VelocityProblem* velocity_problem(double t, std::span<const double> x, double h) override;
  void apply_mass(std::span<const double> v, std::span<double> p) override;
  void apply_inverse_mass(std::span<const double> p, std::span<double> v) override;
  ContactPotential potential(std::size_t contact, double depth) override;
  void move(std::span<const double> x, std::span<const double> v, double h,
            std::span<double> moved) override;

  /// Contacts have begun or ended: their states, groups, weights and couplings change. To be
  /// followed by a restart.
  void refresh();

 private:
  const ErrorScales& known_scales() const;
  void make_pattern() const;

  Workspace& w_;
  std::unique_ptr<SceneVelocityStep> velocity_step_;
  const Model& model_;
  // What only methods with error control or Newton's iteration ask for is made when they do.
  mutable ErrorScales scales_;
  mutable bool scales_are_known_ = false;
  mutable SparsePattern pattern_;
  mutable bool pattern_is_known_ = false;
  std::unique_ptr<RowBuffer> rows_;  ///< of the velocity problem, once it was asked for
};

}  // namespace carom
