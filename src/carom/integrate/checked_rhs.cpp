#include "carom/integrate/checked_rhs.h"

#include <cmath>

#include "carom/base/text.h"

namespace carom {

Status CheckedRhs::operator()(double t, std::span<const double> x, std::span<double> xdot) {
  ++statistics_.rhs_evaluations;
  Status status = system_.rhs(t, x, xdot);
  bool not_finite = false;
  if (status == Status::ok) {
    double sum = 0.0;  // 0 * value is NaN exactly for values that are not finite
    for (const double value : xdot) sum += 0.0 * value;
    not_finite = sum != 0.0;
    if (not_finite) status = Status::recoverable;
  }
  if (status == Status::ok) return status;
  status_ = status;
  time_ = t;
  not_finite_ = not_finite;
  component_ = 0;
  while (not_finite && component_ + 1 < xdot.size() && std::isfinite(xdot[component_])) {
    ++component_;
  }
  return status;
}

std::string CheckedRhs::complaint() const {
  if (status_ == Status::ok) return {};
  const std::string at = " at t = " + number_text(time_);
  if (not_finite_) {
    return "the right-hand side is not finite (component " + std::to_string(component_) + ")" + at;
  }
  return status_ == Status::fatal ? "the right-hand side cannot be evaluated" + at
                                  : "the right-hand side asks for smaller steps" + at;
}

}  // namespace carom
