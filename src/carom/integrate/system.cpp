// Defaults of System: what a system that is only x' = f(t, x) need not say.
#include "carom/integrate/system.h"

#include <cmath>
#include <limits>

namespace carom {

void System::error_weights(std::span<const double> x, double rtol, double atol,
                           std::span<double> w) const {
  for (std::size_t i = 0; i < x.size(); ++i) w[i] = 1.0 / (rtol * std::abs(x[i]) + atol);
}

void System::sizes(std::span<const double> x, double rtol, double atol, std::span<double> s) const {
  error_weights(x, rtol, atol, s);
  for (double& size : s) size = 1.0 / (rtol * size);
}

void System::position_rates(double, std::span<const double>, std::span<double>) {}

Status System::project(double, std::span<double>, std::span<double>) { return Status::ok; }

void System::events(double, std::span<const double>, std::span<double>) {}

void System::some_events(double t, std::span<const double> x, std::span<const std::size_t> which,
                         std::span<double> g) {
  std::vector<double> all(event_count());
  events(t, x, all);
  for (std::size_t k = 0; k < which.size(); ++k) g[k] = all[which[k]];
}

double System::event_resolution(std::size_t) const { return 0.0; }

bool System::event_ends_mode(std::size_t) const { return false; }

int System::event_direction(std::size_t) const { return 0; }

double System::event_rate_bound(std::size_t, double, double) const {
  return std::numeric_limits<double>::infinity();
}

bool System::event_is_kink(std::size_t) const { return false; }

bool System::accept(double, std::span<const double>) { return false; }

}  // namespace carom
