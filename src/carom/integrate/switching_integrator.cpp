#include "carom/integrate/switching_integrator.h"

#include <vector>

#include "carom/integrate/dop853.h"
#include "carom/integrate/sundials/cvode_integrator.h"

namespace carom {
namespace {

/// Of the explicit method, on the negative real axis.
constexpr double kStabilityBorder = 6.1;
constexpr int kStiffSteps = 15;  ///< at the border, until BDF takes over
constexpr int kCalmSteps = 6;    ///< away from it in a row, until they are forgotten

class SwitchingIntegrator final : public Integrator {
 public:
  SwitchingIntegrator(System& system, const IntegratorSettings& settings)
      : system_(system),
        explicit_(make_dop853_integrator(system, settings)),
        implicit_(make_cvode_integrator(system, settings, Multistep::bdf)),
        current_(explicit_.get()) {}

  void start(double t, std::span<const double> x) override {
    if (!system_.may_be_stiff()) current_ = explicit_.get();
    stiff_steps_ = calm_steps_ = 0;
    current_->start(t, x);
  }

  void suggest_step(double h) override {
    if (current_ != explicit_.get()) {
      hand_over(*explicit_);
      stiff_steps_ = calm_steps_ = 0;
    }
    current_->suggest_step(h);
  }

  StepStatus step(double t_limit) override {
    if (current_ == explicit_.get() && stiff_steps_ >= kStiffSteps) hand_over(*implicit_);
    const StepStatus status = current_->step(t_limit);
    if (current_ == explicit_.get()) count_stiff_step();
    return status;
  }

  double time() const override { return current_->time(); }
  double previous_time() const override { return current_->previous_time(); }
  std::span<const double> state() const override { return current_->state(); }
  void interpolate(double t, std::span<double> x) override { current_->interpolate(t, x); }
  bool interpolant_is_accurate() const override { return current_->interpolant_is_accurate(); }
  StepStatus repeat_until(double t_end) override { return current_->repeat_until(t_end); }
  const IntegratorStatistics& statistics() const override {
    add_up();
    return statistics_;
  }
  std::string failure() const override { return current_->failure(); }

 private:
  void hand_over(Integrator& next) {
    const std::vector<double> x(current_->state().begin(), current_->state().end());
    next.start(current_->time(), x);
    current_ = &next;
  }

  void count_stiff_step() {
    if (explicit_->stiffness() > kStabilityBorder) {
      ++stiff_steps_;
      calm_steps_ = 0;
    } else if (stiff_steps_ > 0 && ++calm_steps_ >= kCalmSteps) {
      stiff_steps_ = 0;
    }
  }

  void add_up() const {
    statistics_ = {};
    for (const Integrator* i : {explicit_.get(), implicit_.get()}) {
      const IntegratorStatistics& s = i->statistics();
      statistics_.steps += s.steps;
      statistics_.rejected_steps += s.rejected_steps;
      statistics_.rhs_evaluations += s.rhs_evaluations;
      statistics_.jacobian_evaluations += s.jacobian_evaluations;
      statistics_.restarts += s.restarts;
    }
  }

  System& system_;
  std::unique_ptr<Integrator> explicit_, implicit_;
  Integrator* current_;
  mutable IntegratorStatistics statistics_;  ///< of both
  int stiff_steps_ = 0, calm_steps_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_switching_integrator(System& system,
                                                      const IntegratorSettings& settings) {
  return std::make_unique<SwitchingIntegrator>(system, settings);
}

}  // namespace carom
