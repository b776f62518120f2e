#include "carom/integrate/dop853.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "carom/base/text.h"
#include "carom/integrate/checked_rhs.h"
#include "carom/integrate/dop853_coefficients.h"
#include "carom/integrate/dop853_interpolant.h"
#include "carom/integrate/group_norm.h"
#include "carom/integrate/kink_pacing.h"
#include "carom/integrate/step_record.h"
#include "carom/integrate/unseen_force.h"
#include "carom/integrate/with_powers.h"

namespace carom {
namespace {

using dop853::Term;
using Row = std::span<const Term>;

const Row kRows[dop853::kDenseStages] = {{},         dop853::a1,  dop853::a2,  dop853::a3,
                                         dop853::a4, dop853::a5,  dop853::a6,  dop853::a7,
                                         dop853::a8, dop853::a9,  dop853::a10, dop853::a11,
                                         dop853::b,  dop853::a13, dop853::a14, dop853::a15};
/// The highest coefficients of the dense output.
const Row kDenseRow[dop853::kDenseRows] = {dop853::d0, dop853::d1, dop853::d2, dop853::d3};

/// The slope at the end of the step, which is the first one of the next.
constexpr std::size_t kLast = dop853::kStages;
/// Stages without weight in the new state, those that have one and the end, and those of the dense
/// output.
constexpr StageRange kBlind{1, 5}, kCounting{5, kLast + 1}, kDense{kLast + 1, dop853::kDenseStages};
/// Error of a step that has missed a force: it gets three times shorter.
constexpr double kMissed = 1e4;

/// The first step after a restart, where the system may be as stiff as before it, at most in steps
/// that were taken there.
constexpr double kLongestStart = 10.0;

/// A third-order difference that is so many times larger than the one of the step before, scaled by
/// h^4, tells of a kink within the step.
constexpr double kRough = 10.0;

/// Error of a repeated step that still passes, in units of the tolerance.
constexpr double kWorstRepetition = 10.0;

class Dop853 final : public Integrator {
 public:
  Dop853(System& system, const IntegratorSettings& settings)
      : settings_(settings),
        inner_(system),
        system_(system, WithPowers::Norm::without_work),
        rhs_(system_, statistics_) {}

  void start(double t, std::span<const double> x) override;
  void resume() override {
    first_slope_known_ = last_slope_known_ = dense_ready_ = false;
    bend_ = 0.0;
    kinks_.restart();
  }
  void suggest_step(double h) override { natural_step_ = h; }
  StepStatus step(double t_limit) override;
  void interpolate(double t, std::span<double> x) override;
  bool interpolant_is_accurate() const override { return true; }
  double stiffness() const override { return stiffness_; }
  StepStatus repeat_until(double t_end) override;
  bool integrate_powers(double t, std::span<double> work, std::span<double> error) override;

  double time() const override { return record_.time; }
  double previous_time() const override { return record_.previous_time; }
  std::span<const double> state() const override { return std::span(record_.state).first(states_); }
  const IntegratorStatistics& statistics() const override { return statistics_; }
  std::string failure() const override { return record_.failure; }

 private:
  struct Trial {
    Status status = Status::ok;
    double error = 0.0;  ///< in units of the tolerance
    bool given_up = false;
  };

  std::span<double> slope(std::size_t stage) { return {slopes_.data() + stage * size_, size_}; }
  void add_terms(std::span<const double> from, Row row, double h, std::span<double> out) const;
  Status prepare_first_slope();
  Trial attempt(double h, bool with_error_control);
  double calc_error(double h);
  bool is_rough(double h) const;
  double calc_stiffness(double h) const;
  double calc_blind_error(double h);
  double calc_first_step(double t_limit);
  double calc_step_of_start(double t_limit);
  void finish(double t_end);
  void prepare_dense();
  void interpolate_from(std::size_t first, double t, std::span<double> x);
  StepStatus fail(const std::string& why);

  IntegratorSettings settings_;
  IntegratorStatistics statistics_;
  const System& inner_;
  WithPowers system_;
  CheckedRhs rhs_;
  GroupNorm norm_;
  KinkPacing kinks_;
  std::size_t size_ = 0;    ///< of all that is integrated
  std::size_t states_ = 0;  ///< of these: states of the system; integrals of its powers follow
  StepRecord record_;
  std::vector<double> slopes_;
  std::vector<double> weights_;
  std::vector<double> next_;
  std::vector<double> stage_;
  std::vector<double> error_;  ///< the two estimates
  Dop853Interpolant dense_;
  std::vector<double> work_error_;  ///< of the integrals of powers in the last step
  bool has_started_ = false;
  bool first_slope_known_ = false;  ///< slope(0) is that at the record's time
  bool last_slope_known_ = false;   ///< slope(kLast) is that at the record's time
  bool dense_ready_ = false;
  double natural_step_ = 0.0;       ///< what (2) proposes; 0: not known yet
  double step_before_start_ = 0.0;  ///< the natural one; 0: there was none
  double difference_ = 0.0;         ///< of third order, of the last attempt, in tolerances
  std::uint64_t begin_sides_ = 0, end_sides_ = 0;
  bool crosses_ = false;    ///< the last attempt saw both sides of a kink
  double bend_ = 0.0;       ///< the same of the last step, over h^4; 0: not known
  double stiffness_ = 0.0;  ///< of the last step
};

void Dop853::start(double t, std::span<const double> x) {
  if (has_started_) ++statistics_.restarts;
  has_started_ = true;
  record_.start(t, x);
  states_ = x.size();
  size_ = system_.size();
  for (std::vector<double>* v : {&record_.state, &record_.previous}) v->resize(size_, 0.0);
  work_error_.assign(size_ - states_, 0.0);
  norm_ = GroupNorm(size_, rhs_.system().groups());
  slopes_.resize(size_ * dop853::kDenseStages);
  for (std::vector<double>* v : {&weights_, &next_, &stage_}) v->resize(size_);
  error_.resize(size_ * 2);
  dense_.resize(size_);
  first_slope_known_ = last_slope_known_ = dense_ready_ = false;
  bend_ = 0.0;
  kinks_.restart();
  if (natural_step_ > 0.0) step_before_start_ = natural_step_;
  natural_step_ = settings_.without_error_control ? settings_.fixed_step : settings_.initial_step;
}

/// out = from + h (slopes of the row); four components at a time, which stay in registers.
void Dop853::add_terms(std::span<const double> from, Row row, double h,
                       std::span<double> out) const {
  constexpr std::size_t kBlock = 4;
  std::size_t i = 0;
  for (; i + kBlock <= size_; i += kBlock) {
    double sum[kBlock] = {from[i], from[i + 1], from[i + 2], from[i + 3]};
    for (const Term& term : row) {
      const double factor = h * term.factor;
      const double* k = slopes_.data() + term.stage * size_ + i;
      for (std::size_t j = 0; j < kBlock; ++j) sum[j] += factor * k[j];
    }
    for (std::size_t j = 0; j < kBlock; ++j) out[i + j] = sum[j];
  }
  for (; i < size_; ++i) {
    double sum = from[i];
    for (const Term& term : row) sum += h * term.factor * slopes_[term.stage * size_ + i];
    out[i] = sum;
  }
}

double Dop853::calc_error(double h) {
  const std::span<double> e5(error_.data(), size_);
  const std::span<double> e3(error_.data() + size_, size_);
  std::fill(error_.begin(), error_.end(), 0.0);
  add_terms(e5, dop853::e5, 1.0, e5);
  add_terms(e3, dop853::e3, 1.0, e3);
  double largest = 0.0, largest5 = 0.0;
  difference_ = 0.0;
  for (std::size_t g = 0; g < norm_.group_count(); ++g) {
    double sum5 = 0.0;
    double sum3 = 0.0;
    for (const std::size_t i : norm_.members(g)) {
      sum5 += (weights_[i] * e5[i]) * (weights_[i] * e5[i]);
      sum3 += (weights_[i] * e3[i]) * (weights_[i] * e3[i]);
    }
    if (sum5 == 0.0) continue;
    const auto n = static_cast<double>(norm_.members(g).size());
    const double error = h * sum5 / std::sqrt((sum5 + 0.01 * sum3) * n);  // (1)
    if (std::isnan(error)) return error;
    largest = std::max(largest, error);
    largest5 = std::max(largest5, h * std::sqrt(sum5 / n));
    difference_ = std::max(difference_, h * std::sqrt(sum3 / n));
  }
  if (crosses_ || is_rough(h)) largest = std::max(largest, largest5);
  for (std::size_t i = states_; i < size_; ++i) {
    const double sum5 = e5[i] * e5[i];
    const double all = std::sqrt(sum5 + 0.01 * e3[i] * e3[i]);
    work_error_[i - states_] = all > 0.0 ? h * sum5 / all : 0.0;
  }
  return largest;
}

/// (1) takes the error for that of a smooth step, e5 times the ratio in which the differences fall.
/// Across a kink they do not fall: both, and the error, are about the same, and (1) is too small by
/// their ratio. One step of a cylinder that spun on its rim had gained 350 tolerances that way.
/// Weaker kinks do not show in differences of third order: where the system tells that a step has
/// crossed one (`crosses_`) it is judged by e5 as well. An edge of a box had gained 450.
bool Dop853::is_rough(double h) const {
  return inner_.hides_kinks() && bend_ > 0.0 && difference_ > kRough * bend_ * (h * h) * (h * h);
}

/// All stages from the record's state, whose slope is slope(0); the new state is in next_.
Dop853::Trial Dop853::attempt(double h, bool with_error_control) {
  const double t = record_.time;
  kinks_.begin_attempt(h);
  crosses_ = false;
  for (std::size_t stage = 1; stage < dop853::kStages; ++stage) {
    add_terms(record_.state, kRows[stage], h, stage_);
    const Status status = rhs_(t + dop853::c[stage] * h, stage_, slope(stage));
    if (status != Status::ok) return {status, 0.0};
    const bool is_hopeless = kinks_.look(dop853::c[stage], rhs_.system().kinks());
    if (is_hopeless && with_error_control) return {status, 0.0, true};
    crosses_ |= rhs_.system().sides() != begin_sides_;
  }
  add_terms(record_.state, kRows[kLast], h, next_);
  Trial trial;
  if (with_error_control) trial.error = calc_error(h);
  if (!(trial.error <= 1.0)) return trial;
  System& system = rhs_.system();
  if (system.has_projection()) trial.status = system.project(t + h, next_, {});
  if (trial.status == Status::ok) trial.status = rhs_(t + h, next_, slope(kLast));
  if (trial.status != Status::ok) return trial;
  kinks_.set_end(system.kinks());
  end_sides_ = system.sides();
  stiffness_ = calc_stiffness(h);
  if (!with_error_control) return trial;
  const bool misses = sees_unseen_force(norm_, weights_, slopes_, h, kBlind, kCounting);
  trial.error = std::max(trial.error, misses ? kMissed : calc_blind_error(h));
  return trial;
}

/// Weights of the second to fifth stage are zero in the result and in (1), and so are their
/// products with the stages that follow: a force that only they see, one of a contact that
/// throws the body out again, leaves no trace. But then the slope at the end of the step is
/// not what the last stage, at the same time, found. The share is so small that smooth
/// systems never notice.
double Dop853::calc_blind_error(double h) {
  constexpr double kShare = 1e-5;
  const std::span<double> difference(error_.data(), size_);
  const double* last_stage = slopes_.data() + (dop853::kStages - 1) * size_;
  for (std::size_t i = 0; i < size_; ++i) difference[i] = h * (slope(kLast)[i] - last_stage[i]);
  return kShare * norm_(difference.data(), weights_.data());
}

/// The last stage and the new state are two approximations at the same time; slopes that
/// differ by much more than h times their distance tell of a fast rate.
double Dop853::calc_stiffness(double h) const {
  const double* last_stage = slopes_.data() + (dop853::kStages - 1) * size_;
  const double* end = slopes_.data() + kLast * size_;
  double slopes = 0.0, states = 0.0;
  for (std::size_t i = 0; i < size_; ++i) {
    const double w = weights_[i];
    slopes += w * w * (end[i] - last_stage[i]) * (end[i] - last_stage[i]);
    states += w * w * (next_[i] - stage_[i]) * (next_[i] - stage_[i]);
  }
  return states > 0.0 ? h * std::sqrt(slopes / states) : 0.0;
}

/// The step for which an Euler step and the change of slope along it promise an error
/// of 1/100 (Hairer, Norsett & Wanner, II.4).
double Dop853::calc_first_step(double t_limit) {
  const double farthest = std::min(t_limit - record_.time, settings_.max_step);
  const double size = norm_(record_.state.data(), weights_.data());
  const double speed = norm_(slope(0).data(), weights_.data());
  double h = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
  h = std::min(h, farthest);
  for (std::size_t i = 0; i < size_; ++i) stage_[i] = record_.state[i] + h * slope(0)[i];
  if (rhs_(record_.time + h, stage_, slope(1)) != Status::ok) return 0.01 * h;
  for (std::size_t i = 0; i < size_; ++i) stage_[i] = slope(1)[i] - slope(0)[i];
  const double bend = norm_(stage_.data(), weights_.data()) / h;
  const double steepest = std::max(speed, bend);
  const double next =
      steepest <= 1e-15 ? std::max(1e-6, 1e-3 * h) : std::pow(0.01 / steepest, 1.0 / 8.0);
  return std::min({100.0 * h, next, farthest});
}

/// Where one contact of several has ended, the slope tells nothing of how stiff the others are: six
/// attempts in a row failed until the step was short enough.
double Dop853::calc_step_of_start(double t_limit) {
  const double h = calc_first_step(t_limit);
  const bool is_known = step_before_start_ > 0.0 && inner_.may_be_stiff();
  return is_known ? std::min(h, kLongestStart * step_before_start_) : h;
}

Status Dop853::prepare_first_slope() {
  if (last_slope_known_)
    std::ranges::copy(slope(kLast), slope(0).begin()), begin_sides_ = end_sides_;
  first_slope_known_ = first_slope_known_ || last_slope_known_;
  last_slope_known_ = false;
  if (first_slope_known_) return Status::ok;
  const Status status = rhs_(record_.time, record_.state, slope(0));
  first_slope_known_ = status == Status::ok;
  kinks_.set_begin(rhs_.system().kinks());
  begin_sides_ = rhs_.system().sides();
  return status;
}

StepStatus Dop853::fail(const std::string& why) {
  record_.failure = "the step from t = " + number_text(record_.time) + " failed: " + why;
  record_.take_empty_step(record_.time);  // the slopes of the last good step are gone
  return StepStatus::failed;
}

void Dop853::finish(double t_end) {
  std::swap(record_.previous, record_.state);
  std::swap(record_.state, next_);
  record_.finish_step(t_end);
  first_slope_known_ = false;
  last_slope_known_ = true;
  dense_ready_ = false;
  kinks_.end_becomes_begin();
}

StepStatus Dop853::step(double t_limit) {
  if (settings_.max_steps > 0 && statistics_.steps >= settings_.max_steps) {
    return fail("more than " + std::to_string(settings_.max_steps) + " steps were needed");
  }
  if (record_.reached(t_limit)) {
    record_.take_empty_step(t_limit);
    return StepStatus::ok;
  }
  rhs_.forget_complaint();
  if (prepare_first_slope() != Status::ok) return fail(rhs_.complaint());
  const bool controlled = !settings_.without_error_control;
  rhs_.system().error_weights(record_.state, settings_.rtol, settings_.atol, weights_);
  if (natural_step_ <= 0.0) natural_step_ = calc_step_of_start(t_limit);

  double h = std::min(kinks_.limit(natural_step_), settings_.max_step);
  bool was_rejected = false;
  for (;;) {
    // A remainder of less than 1% is not worth a step of its own.
    const bool is_last = record_.time + 1.01 * h >= t_limit;
    const double taken = is_last ? t_limit - record_.time : h;
    if (!(taken > 4e-16 * std::abs(record_.time))) {
      const std::string complaint = rhs_.complaint();
      return fail(complaint.empty() ? "the error stays too large however small the step"
                                    : complaint);
    }
    const Trial trial = attempt(taken, controlled);
    if (trial.status == Status::fatal) return fail(rhs_.complaint());
    if (trial.status == Status::ok && trial.error <= 1.0 && !trial.given_up) {
      ++statistics_.steps;
      if (controlled) {
        const double growth =
            std::clamp(0.9 * std::pow(trial.error, -1.0 / 8.0), 1.0 / 3.0, 6.0);  // (2)
        const double proposed = taken * (was_rejected ? std::min(growth, 1.0) : growth);
        // A step cut short by its limit says little about the natural one.
        natural_step_ = taken < h ? std::max(proposed, std::min(natural_step_, h)) : proposed;
        natural_step_ = kinks_.go_on(taken, trial.error, natural_step_);
      }
      bend_ = difference_ / ((taken * taken) * (taken * taken));
      finish(is_last ? t_limit : record_.time + taken);
      return StepStatus::ok;
    }
    ++statistics_.rejected_steps;
    was_rejected = true;
    const bool was_evaluated = trial.status == Status::ok && std::isfinite(trial.error);
    if (was_evaluated) h = kinks_.shorten(taken, trial.error, natural_step_);
    if (was_evaluated && h > 0.0) continue;
    h = taken *
        (was_evaluated ? std::max(1.0 / 3.0, 0.9 * std::pow(trial.error, -1.0 / 8.0)) : 0.25);
  }
}

/// The coefficients of the interpolant; without the extra slopes it stays cubic.
void Dop853::prepare_dense() {
  const double h = record_.length();
  dense_.take_cubic(record_.previous, record_.state, slope(0), slope(kLast), h);
  dense_ready_ = true;
  for (std::size_t stage = kLast + 1; stage < dop853::kDenseStages; ++stage) {
    add_terms(record_.previous, kRows[stage], h, stage_);
    const double t = record_.previous_time + dop853::c[stage] * h;
    if (rhs_(t, stage_, slope(stage)) != Status::ok) return;
  }
  if (sees_unseen_force(norm_, weights_, slopes_, h, kDense, {kBlind.begin, kCounting.end})) return;
  for (std::size_t k = 0; k < dop853::kDenseRows; ++k) {
    add_terms(dense_.high(k), kDenseRow[k], h, dense_.high(k));
  }
}

void Dop853::interpolate(double t, std::span<double> x) { interpolate_from(0, t, x); }

/// The components from `first` on.
void Dop853::interpolate_from(std::size_t first, double t, std::span<double> x) {
  if (t >= record_.time || record_.length() <= 0.0) {
    std::copy_n(record_.state.begin() + static_cast<std::ptrdiff_t>(first), x.size(), x.begin());
    return;
  }
  if (!dense_ready_) prepare_dense();
  const double s = std::max(0.0, (t - record_.previous_time) / record_.length());
  dense_.evaluate(record_.previous, s, first, x);
}

bool Dop853::integrate_powers(double t, std::span<double> work, std::span<double> error) {
  interpolate_from(states_, t, work);
  for (std::size_t i = 0; i < work.size(); ++i) work[i] -= record_.previous[states_ + i];
  std::ranges::copy(work_error_, error.begin());
  return true;
}

StepStatus Dop853::repeat_until(double t_end) {
  const double end = record_.time;
  record_.time = record_.previous_time;
  std::swap(record_.previous, record_.state);
  rhs_.forget_complaint();
  if (record_.reached(t_end)) {
    record_.take_empty_step(t_end);
    first_slope_known_ = true;
    last_slope_known_ = false;
    return StepStatus::ok;
  }
  // It is shorter than the step that was accepted, but its stages lie elsewhere: in a stiff contact
  // they may see what that one did not.
  const double h = t_end - record_.time;
  const bool is_computed = attempt(h, false).status == Status::ok;
  const double error = settings_.without_error_control ? 0.0 : calc_error(h);
  if (is_computed && error <= kWorstRepetition) {
    finish(t_end);
    return StepStatus::ok;
  }
  std::swap(record_.previous, record_.state);
  record_.time = end;
  last_slope_known_ = false;
  return fail("it cannot be repeated to t = " + number_text(t_end) + "; " + rhs_.complaint());
}

}  // namespace

std::unique_ptr<Integrator> make_dop853_integrator(System& system,
                                                   const IntegratorSettings& settings) {
  return std::make_unique<Dop853>(system, settings);
}

}  // namespace carom
