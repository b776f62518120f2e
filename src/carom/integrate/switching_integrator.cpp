#include "carom/integrate/switching_integrator.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "carom/integrate/dop853.h"
#include "carom/integrate/sundials/cvode_integrator.h"

namespace carom {
namespace {

/// Of the explicit method, on the negative real axis.
constexpr double kStabilityBorder = 6.1;
constexpr int kStiffSteps = 15;  ///< at the border, until BDF takes over
constexpr int kCalmSteps = 6;    ///< away from it in a row, until they are forgotten

/// Evaluations without a restart until another method is tried; twice as many until the next time.
constexpr std::int64_t kFirstTrial = 10000;
/// Steps of a trial. Only the second half counts, in the first a method finds its order.
constexpr int kTrialSteps = 60;
/// How many times fewer evaluations per second the method tried must need to stay.
constexpr double kTrialGain = 2.0;

/// The loosest tolerance of the explicit method. Beyond, its error estimate sees an instability so
/// late that steps swing about the border, and stiffness is not found: a cam took six times the
/// evaluations at 1e-4 that it takes at 1e-6. To a method of order 8 a tenth of the tolerance costs
/// a third more steps.
constexpr double kLoosest = 1e-5;

IntegratorSettings at_least_accurate(IntegratorSettings settings) {
  settings.rtol = std::min(settings.rtol, kLoosest);
  settings.atol = std::min(settings.atol, kLoosest);
  return settings;
}

/// What the steps since the last restart tell.
struct Watch {
  int stiff_steps = 0, calm_steps = 0;
  std::int64_t next_trial = kFirstTrial;
  std::int64_t begun = 0;  ///< evaluations of the method in use, where its watch began
};

/// Evaluations per second in the last 30 to 60 steps of a method.
class Rate {
 public:
  void count(const Integrator& method) {
    if (steps_++ % (kTrialSteps / 2) != 0) return;
    from_ = since_;
    since_ = {method.time(), method.statistics().rhs_evaluations};
  }
  int steps() const { return steps_; }
  double operator()(const Integrator& method) const {
    const auto evaluations = method.statistics().rhs_evaluations - from_.evaluations;
    return static_cast<double>(evaluations) / (method.time() - from_.time);
  }

 private:
  struct Mark {
    double time = 0.0;
    std::int64_t evaluations = 0;
  };
  int steps_ = 0;
  Mark from_, since_;
};

class SwitchingIntegrator final : public Integrator {
 public:
  SwitchingIntegrator(System& system, const IntegratorSettings& settings)
      : system_(system),
        explicit_(make_dop853_integrator(system, at_least_accurate(settings))),
        implicit_(make_cvode_integrator(system, settings, Multistep::bdf)),
        damping_(make_cvode_integrator(system, settings, Multistep::bdf_2)),
        current_(explicit_.get()) {}

  void start(double t, std::span<const double> x) override {
    if (!system_.may_be_stiff()) current_ = explicit_.get();
    current_->start(t, x);
    watch_anew();
  }

  void resume() override { current_->resume(); }

  void suggest_step(double h) override {
    if (current_ != explicit_.get()) {
      hand_over(*explicit_);
      watch_anew();
    }
    current_->suggest_step(h);
  }

  StepStatus step(double t_limit) override {
    choose_method();
    StepStatus status = current_->step(t_limit);
    if (status == StepStatus::failed && rival_) {
      end_trial();
      status = current_->step(t_limit);
    }
    if (status == StepStatus::failed && current_ != explicit_.get()) {
      // Where the right-hand side has a kink, the equations of an implicit step may have no
      // solution that Newton's iteration finds; explicit steps need none.
      hand_over(*explicit_);
      watch_anew();
      status = current_->step(t_limit);
    }
    rate_.count(*current_);
    if (current_ == explicit_.get()) count_stiff_step();
    return status;
  }

  double time() const override { return current_->time(); }
  double previous_time() const override { return current_->previous_time(); }
  std::span<const double> state() const override { return current_->state(); }
  void interpolate(double t, std::span<double> x) override { current_->interpolate(t, x); }
  bool interpolant_is_accurate() const override { return current_->interpolant_is_accurate(); }
  StepStatus repeat_until(double t_end) override { return current_->repeat_until(t_end); }
  bool interpolates_repeated_step() const override {
    return current_->interpolates_repeated_step();
  }
  bool integrate_powers(double t, std::span<double> work, std::span<double> error) override {
    return current_->integrate_powers(t, work, error);
  }
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
    rate_ = {};
  }

  void watch_anew() {
    watch_ = {.begun = current_->statistics().rhs_evaluations};
    rival_ = nullptr;
    rate_ = {};
  }

  void count_stiff_step() {
    if (explicit_->stiffness() > kStabilityBorder) {
      ++watch_.stiff_steps;
      watch_.calm_steps = 0;
    } else if (watch_.stiff_steps > 0 && ++watch_.calm_steps >= kCalmSteps) {
      watch_.stiff_steps = 0;
    }
  }

  void choose_method() {
    if (rival_) {
      if (rate_.steps() < kTrialSteps) return;
      if (kTrialGain * rate_(*current_) > rival_rate_) {
        end_trial();
      } else {
        watch_anew();
      }
    } else if (current_ == explicit_.get() && watch_.stiff_steps >= kStiffSteps) {
      hand_over(*implicit_);
      watch_anew();
    } else if (rate_.steps() >= kTrialSteps && system_.may_vibrate() &&
               current_->statistics().rhs_evaluations - watch_.begun >= watch_.next_trial) {
      begin_trial();
    }
  }

  void begin_trial() {
    rival_ = current_;
    rival_rate_ = rate_(*current_);
    hand_over(current_ == damping_.get() ? *implicit_ : *damping_);
  }

  /// Back to the method in use before, for twice as long.
  void end_trial() {
    hand_over(*rival_);
    const std::int64_t wait = 2 * watch_.next_trial;
    watch_anew();
    watch_.next_trial = wait;
  }

  void add_up() const {
    statistics_ = {};
    for (const Integrator* i : {explicit_.get(), implicit_.get(), damping_.get()}) {
      statistics_ += i->statistics();
    }
  }

  System& system_;
  std::unique_ptr<Integrator> explicit_, implicit_, damping_;
  Integrator* current_;
  Integrator* rival_ = nullptr;  ///< the method in use before, during a trial
  double rival_rate_ = 0.0;      ///< its evaluations per second
  Watch watch_;
  Rate rate_;
  mutable IntegratorStatistics statistics_;  ///< of all
};

}  // namespace

std::unique_ptr<Integrator> make_switching_integrator(System& system,
                                                      const IntegratorSettings& settings) {
  return std::make_unique<SwitchingIntegrator>(system, settings);
}

}  // namespace carom
