#include "carom/integrate/switching_integrator.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "carom/integrate/dop853.h"
#include "carom/integrate/sundials/cvode_integrator.h"

namespace carom {
namespace {

/// Of the explicit method, on the negative real axis.
constexpr double kStabilityBorder = 6.1;
constexpr int kStiffSteps = 15;  ///< at the border, until BDF takes over
constexpr int kCalmSteps = 6;    ///< away from it in a row, until they are forgotten

/// h |lambda| from which the steps of the explicit method may be short for no gain, though they are
/// stable: errors of its stages grow with powers of it.
constexpr double kSuspicious = 1.5;
/// Steps of one length in a row, at which BDF is tried; twice as many after a trial in vain.
constexpr int kEvenSteps = 15, kMostEvenSteps = 960;
constexpr double kEven = 0.1;  ///< of their length
/// Restarts in a row as far apart as the last two, each after so few steps, at which BDF takes
/// over: where explicit steps are at the border and the force of an elastic contact is cut at zero,
/// every step swings it to zero and is an event, and neither of the above is ever seen. Rigid balls
/// bounce as evenly, with nothing stiff between.
constexpr int kEvenRestarts = 10, kFewSteps = 2;
/// And restarts of BDF in a row after so few steps, at which explicit steps take over again: its
/// first ones are of order 1, and where a rigid body lifts off, by the cube of the time, they lead
/// back into what it lifts off from, again and again.
constexpr int kVainRestarts = 20;

/// Times that BDF lowers its order for its stability, until order 2 takes over for good.
constexpr int kLoweredOrders = 3;

/// Evaluations since the last trial until another one; twice as many after each in vain, until a
/// restart.
constexpr std::int64_t kFirstTrial = 5000;
/// Steps of a trial. Only the last 30 to 60 count, in the first a method finds its order.
constexpr int kTrialSteps = 60;
/// Steps in which BDF of order 2 must have gained something: at h omega = q it damps a vibration
/// by q^4/4 in every step, and its steps grow only as that goes, within about 3/q^4 of them.
constexpr int kDampingSteps = 420;
/// How many times fewer evaluations per second the method tried must need to stay; and BDF, whose
/// steps grow for long and err less, where order 2 was in use.
constexpr double kTrialGain = 2.0, kHighOrderGain = 1.3;
constexpr int kHighOrderSteps = 240;

/// Explicit steps at loose tolerances find stiffness late, and BDF then loses energy beyond them: a
/// cam at 3000 rpm was open by 1 % of its energy at 1e-4, for more evaluations than at 1e-5, and at
/// 2400 rpm by 570 tolerances at 4e-6. There is next to nothing to win, either: from 1e-6 to 4e-6
/// evaluations fall by a tenth.
double useful_tolerance(double asked, double loose) {
  constexpr double kRoot = 0.1;
  return asked > loose ? loose * std::pow(asked / loose, kRoot) : asked;
}

/// Runs that go on begin with the explicit half, in one step; BDF comes later.
IntegratorSettings at_least_accurate(IntegratorSettings settings) {
  settings.goes_on = false;
  settings.rtol = useful_tolerance(settings.rtol, settings.loose);
  settings.atol = useful_tolerance(settings.atol, settings.loose);
  return settings;
}

/// Tolerances below which BDF of order 2 is tried after BDF has been: its steps grow as the cube
/// root of the tolerance. A ball that rolled on its contact for 10,000 of them at 4e-9 had gained
/// 116 tolerances of its energy, where BDF took 1,500 steps and gained 20.
constexpr double kTight = 1e-7;
/// There errors of thousands of steps of BDF have one sign where a contact goes on vibrating.
constexpr double kTighterBdf = 0.5;

IntegratorSettings of_bdf(IntegratorSettings settings) {
  settings = at_least_accurate(settings);
  if (settings.rtol >= kTight) return settings;
  settings.rtol *= kTighterBdf, settings.atol *= kTighterBdf;
  return settings;
}

/// What the steps since the last restart tell.
struct Watch {
  int stiff_steps = 0, calm_steps = 0;
  int even_steps = 0;
  double step = 0.0;         ///< of the last one
  double even_since = 0.0;   ///< [s]
  std::int64_t even_at = 0;  ///< evaluations there
  std::int64_t next_trial = kFirstTrial;
  int trials_in_vain = 0;
  bool explicit_is_cheaper = false;  ///< than BDF, by a trial: being at the border says no more
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

/// Restarts of the method in use. They say something of it where its steps are hardly longer than
/// the time between; samples of a controller that end its steps do not.
class Stutter {
 public:
  void count_step(double h, bool is_cut) {
    ++steps_;
    longest_ = is_cut ? std::numeric_limits<double>::infinity() : std::max(longest_, h);
  }
  void count_restart(double t) {
    constexpr double kShare = 0.4;  // of a step
    const double span = t - at_;
    const bool is_even = steps_ <= kFewSteps && std::abs(span - span_) < kEven * span;
    even_ = is_even && span > kShare * longest_ ? even_ + 1 : 0;
    vain_ = steps_ <= kFewSteps && std::isfinite(longest_) ? vain_ + 1 : 0;
    at_ = t, span_ = span, steps_ = 0, longest_ = 0.0;
  }
  bool is_even() const { return even_ >= kEvenRestarts; }
  bool is_in_vain() const { return vain_ >= kVainRestarts; }

 private:
  int steps_ = 0, even_ = 0, vain_ = 0;
  double at_ = 0.0, span_ = 0.0;  ///< of the last restart, and since the one before [s]
  double longest_ = 0.0;          ///< step since then; infinite: one was cut short
};

class SwitchingIntegrator final : public Integrator {
 public:
  SwitchingIntegrator(System& system, const IntegratorSettings& settings)
      : system_(system),
        is_tight_(settings.rtol < kTight),
        explicit_(make_dop853_integrator(system, at_least_accurate(settings))),
        implicit_(make_cvode_integrator(system, of_bdf(settings), Multistep::bdf)),
        damping_(make_cvode_integrator(system, of_bdf(settings), Multistep::bdf_2)),
        current_(explicit_.get()) {}

  void start(double t, std::span<const double> x) override {
    if (!system_.may_be_stiff()) current_ = explicit_.get();
    current_->start(t, x);
    stutter_.count_restart(t);
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
    stutter_.count_step(time() - previous_time(), !(time() < t_limit));
    if (current_ == explicit_.get()) count_stiff_step(), count_even_step();
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
    watch_ = {};
    rival_ = nullptr;
    rate_ = {};
  }

  void count_even_step() {
    const double h = explicit_->time() - explicit_->previous_time();
    const bool is_even = std::abs(h - watch_.step) < kEven * h;
    watch_.even_steps = is_even && explicit_->stiffness() > kSuspicious ? watch_.even_steps + 1 : 0;
    watch_.step = h;
    if (watch_.even_steps > 0) return;
    watch_.even_since = explicit_->time();
    watch_.even_at = explicit_->statistics().rhs_evaluations;
  }

  /// Evaluations per second of the explicit method, in steps of one length.
  double even_rate() const {
    const auto evaluations = explicit_->statistics().rhs_evaluations - watch_.even_at;
    return static_cast<double>(evaluations) / (explicit_->time() - watch_.even_since);
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
      judge_trial();
    } else if (current_ == implicit_.get() && implicit_->lowered_orders() >= kLoweredOrders) {
      hand_over(*damping_);
      watch_anew();
      watch_.next_trial = kDampingSteps;  // by then a vibration is gone that held the orders down
      tried_at_ = statistics().rhs_evaluations;
    } else if (current_ == explicit_.get() &&
               ((watch_.stiff_steps >= kStiffSteps && !watch_.explicit_is_cheaper) ||
                (stutter_.is_even() && system_.hides_kinks()))) {
      stutter_ = {};
      hand_over(*implicit_);
      watch_anew();
    } else if (current_ != explicit_.get() && stutter_.is_in_vain()) {
      stutter_ = {};
      hand_over(*explicit_);
      watch_anew();
    } else if (current_ == explicit_.get() && watch_.even_steps >= even_steps_needed_) {
      even_steps_needed_ = std::min(2 * even_steps_needed_, kMostEvenSteps);
      begin_trial(*implicit_, even_rate());
    } else if (rate_.steps() >= kTrialSteps &&
               (current_ == damping_.get() || system_.may_vibrate()) &&
               statistics().rhs_evaluations - tried_at_ >= watch_.next_trial) {
      begin_trial(next_rival(), rate_(*current_));
    }
  }

  /// The method to be tried instead of the one in use. Implicit steps that err at kinks within
  /// them, as of a contact whose force is scaled, may be shorter than explicit ones at their
  /// border.
  Integrator& next_rival() {
    if (current_ == explicit_.get()) return is_tight_ ? *implicit_ : *damping_;
    if (watch_.trials_in_vain % 2 == 1) return *explicit_;
    return current_ == damping_.get() ? *implicit_ : *damping_;
  }

  void judge_trial() {
    if (rate_.steps() < kTrialSteps || rate_.steps() % (kTrialSteps / 2) != 0) return;
    const bool is_higher = current_ == implicit_.get() && rival_ == damping_.get();
    const int most = current_ == damping_.get() ? kDampingSteps
                     : is_higher                ? kHighOrderSteps
                                                : kTrialSteps;
    if ((is_higher ? kHighOrderGain : kTrialGain) * rate_(*current_) <= rival_rate_) {
      even_steps_needed_ = kEvenSteps;
      watch_anew();
      watch_.explicit_is_cheaper = current_ == explicit_.get();
      tried_at_ = statistics().rhs_evaluations;
    } else if (rate_.steps() >= most) {
      end_trial();
    }
  }

  void begin_trial(Integrator& method, double rival_rate) {
    rival_ = current_;
    rival_rate_ = rival_rate;
    hand_over(method);
  }

  /// Back to the method in use before, for twice as long.
  void end_trial() {
    hand_over(*rival_);
    const Watch before = watch_;
    watch_anew();
    watch_.next_trial = 2 * before.next_trial;
    watch_.trials_in_vain = before.trials_in_vain + 1;
    watch_.explicit_is_cheaper = before.explicit_is_cheaper;
    tried_at_ = statistics().rhs_evaluations;
  }

  void add_up() const {
    statistics_ = {};
    for (const Integrator* i : {explicit_.get(), implicit_.get(), damping_.get()}) {
      statistics_ += i->statistics();
    }
  }

  System& system_;
  bool is_tight_;
  std::unique_ptr<Integrator> explicit_, implicit_, damping_;
  Integrator* current_;
  Integrator* rival_ = nullptr;         ///< the method in use before, during a trial
  double rival_rate_ = 0.0;             ///< its evaluations per second
  int even_steps_needed_ = kEvenSteps;  ///< until the next trial
  std::int64_t tried_at_ = 0;           ///< evaluations of all when the last trial ended
  Watch watch_;
  Stutter stutter_;
  Rate rate_;
  mutable IntegratorStatistics statistics_;  ///< of all
};

}  // namespace

std::unique_ptr<Integrator> make_switching_integrator(System& system,
                                                      const IntegratorSettings& settings) {
  return std::make_unique<SwitchingIntegrator>(system, settings);
}

}  // namespace carom
