#include "carom/integrate/sundials/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/text.h"

namespace carom {
namespace {

SundialsProblem& as_problem(void* pointer) { return *static_cast<SundialsProblem*>(pointer); }

}  // namespace

bool SundialsProblem::has_changed() const {
  if (!is_built_ || system_.size() != size_) return true;
  const std::span<const int> groups = system_.groups();
  if (!std::equal(groups.begin(), groups.end(), groups_.begin(), groups_.end())) return true;
  const SparsePattern* pattern = system_.jacobian_pattern();
  if (pattern == nullptr) return !pattern_.empty();
  return pattern->start != pattern_.start || pattern->rows != pattern_.rows;
}

void SundialsProblem::rebuild(bool implicit) {
  size_ = system_.size();
  const std::span<const int> groups = system_.groups();
  groups_.assign(groups.begin(), groups.end());
  const SparsePattern* pattern = system_.jacobian_pattern();
  pattern_ = pattern == nullptr ? SparsePattern{} : *pattern;
  norm_ = GroupNorm(size_, groups_);
  state_ = make_group_vector(size_, norm_, context());
  scratch_ = make_group_vector(size_, norm_, context());
  if (newton_) last_jacobian_ = newton_->known();
  newton_.reset();
  if (implicit) {
    newton_ = std::make_unique<NewtonMatrix>(rhs_, statistics_, settings_.rtol, settings_.atol,
                                             state(), context());
  }
  is_built_ = true;
}

void SundialsProblem::keep_jacobian() {
  constexpr int kMostTimes = 8;
  const std::int64_t evaluated = statistics_.jacobian_evaluations;
  kept_ = evaluated == jacobians_ ? kept_ + 1 : 0;
  jacobians_ = evaluated;
  if (!newton_ || kept_ >= kMostTimes) return;
  const NewtonMatrix::Known known = newton_->known();
  newton_->take(known.values.empty() ? last_jacobian_ : known);
}

double SundialsProblem::begin_step(double t, double t_limit) {
  message_.clear();
  rhs_.forget_complaint_before(t);
  return std::isfinite(t_limit) ? t_limit : t + 1e6 * std::max(1.0, std::abs(t));
}

std::string SundialsProblem::used_all_steps() const {
  return "more than " + std::to_string(settings_.max_steps) + " steps were needed";
}

std::string SundialsProblem::failed_step(int flag, double t) const {
  if (flag < 0) return "the step from t = " + number_text(t) + " failed: " + failure();
  return "the steps have become too small to move on from t = " + number_text(t) + "; " + failure();
}

std::string SundialsProblem::failure() const {
  const std::string complaint = rhs_.complaint();
  if (complaint.empty()) return message_;
  return message_.empty() ? complaint : complaint + " (" + message_ + ")";
}

int SundialsProblem::call_rhs(double t, N_Vector x, N_Vector xdot, void* problem) {
  return static_cast<int>(as_problem(problem).rhs_(t, values(x), values(xdot)));
}

int SundialsProblem::call_weights(N_Vector x, N_Vector w, void* problem) {
  // Nothing is known better than this: a ball of 1 cm, 1 km from the origin, has no micrometre to
  // the tenth digit. SUNDIALS refuses to begin where an error of one rounding is too much.
  constexpr double kFewRoundings = 4.0 * std::numeric_limits<double>::epsilon();
  const SundialsProblem& self = as_problem(problem);
  self.system_.error_weights(values(x), self.settings_.rtol, self.settings_.atol, values(w));
  const std::span<const double> state = values(x);
  const std::span<double> weights = values(w);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0.0)) return -1;
    weights[i] *= self.tightening_;
    if (weights[i] * kFewRoundings * std::abs(state[i]) > 1.0) {
      weights[i] = 1.0 / (kFewRoundings * std::abs(state[i]));
    }
  }
  return 0;
}

/// The matrix that is to be formed is that of newton_: no other was given away.
int SundialsProblem::call_matrix(double t, N_Vector x, N_Vector f, SUNMatrix, int may_keep,
                                 int* is_new, double gamma, void* problem, N_Vector, N_Vector,
                                 N_Vector) {
  NewtonMatrix& newton = *as_problem(problem).newton_;
  *is_new = may_keep == 0;
  const Status status = may_keep != 0 ? Status::ok : newton.differentiate(t, values(x), values(f));
  if (status == Status::ok) newton.form(gamma);
  return static_cast<int>(status);
}

int SundialsProblem::call_project_step(double t, N_Vector x, void* problem) {
  return static_cast<int>(as_problem(problem).system_.project(t, values(x), {}));
}

int SundialsProblem::call_project_error(double t, N_Vector x, N_Vector correction, double,
                                        N_Vector error, void* problem) {
  const std::span<double> current = values(x);
  const std::span<double> moved = values(correction);
  std::copy(current.begin(), current.end(), moved.begin());
  const std::span<double> estimate = error == nullptr ? std::span<double>{} : values(error);
  const Status status = as_problem(problem).system_.project(t, moved, estimate);
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] -= current[i];
  return static_cast<int>(status);
}

void SundialsProblem::call_message(int code, const char*, const char*, char* message,
                                   void* problem) {
  if (code < 0) as_problem(problem).message_ = message;  // warnings have positive codes
}

}  // namespace carom
