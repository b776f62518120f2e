// A compiled scene as the system that integrators see.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "carom/engine/evaluate.h"
#include "carom/engine/events/watched_pairs.h"
#include "carom/engine/scene_step.h"
#include "carom/integrate/system.h"
#include "carom/simulation/error_scales.h"

namespace carom {

class SceneSystem final : public System {
 public:
  explicit SceneSystem(Workspace& workspace);

  std::size_t size() const override;
  Status rhs(double t, std::span<const double> x, std::span<double> xdot) override;
  std::span<const double> kinks() const override { return w_.events.kinks; }
  bool hides_kinks() const override;
  std::uint64_t sides() const override { return w_.contacts.scratch.sides; }
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
  bool keeps_events() const override { return keeps_events_; }
  VelocityStep* velocity_step() override { return step_.get(); }

  /// Where a signal jumps next [s]. Steps end there, and belong to what was before: stages at their
  /// end, and the slope of an interpolant there, must not see the jump.
  void end_before(double jump) { last_ = std::nextafter(jump, -kInf); }
  /// Where the right-hand side of time t is evaluated, in a step that ends before the next jump.
  double before_jump(double t) const { return std::min(t, last_); }

  /// How contacts are stepped from now on.
  void use_steps(VelocityStepKind kind);
  /// The step that was taken last is accepted: contacts remember it; what has happened is told.
  void commit_step(std::vector<EngineEvent>& events);

  /// Contacts have begun or ended: their states, groups, weights and couplings change. To be
  /// followed by a restart.
  void refresh();

 private:
  const ErrorScales& known_scales() const;
  void make_pattern() const;

  Workspace& w_;
  std::unique_ptr<SceneStep> step_;
  VelocityStepKind step_kind_ = VelocityStepKind::none;
  const Model& model_;
  double last_ = kInf;  ///< time before the next jump
  // What only methods with error control or Newton's iteration ask for is made when they do.
  mutable ErrorScales scales_;
  WatchedPairs watched_;  ///< before the last `accept`
  bool keeps_events_ = false;
  mutable bool scales_are_known_ = false;
  mutable SparsePattern pattern_;
  mutable bool pattern_is_known_ = false;
};

}  // namespace carom
