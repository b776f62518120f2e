// The classical Runge-Kutta method of order 4, with a fixed step.
//
//   k1 = f(t, x), k2 = f(t + h/2, x + h/2 k1), k3 = f(t + h/2, x + h/2 k2),
//   k4 = f(t + h, x + h k3),   x_new = x + h/6 (k1 + 2 k2 + 2 k3 + k4)          (1)
//
// Kutta, "Beitrag zur naeherungsweisen Integration totaler Differentialgleichungen",
// Z. Math. Phys. 46 (1901) 435-453.
#include <vector>

#include "carom/integrate/fixed_step.h"

namespace carom {
namespace {

StepRule make_rk4_rule(CheckedRhs& rhs, IntegratorStatistics&, const IntegratorSettings&) {
  const std::size_t n = rhs.system().size();
  return [&rhs, slope = std::vector<double>(n), stage = std::vector<double>(n)](
             double t, double h, std::span<const double> x, std::span<double> x_new) mutable {
    constexpr double kNode[] = {0.0, 0.5, 0.5, 1.0};
    constexpr double kWeight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    std::copy(x.begin(), x.end(), x_new.begin());
    for (int k = 0; k < 4; ++k) {
      // The stage before gave the slope from which this stage starts.
      for (std::size_t i = 0; i < x.size(); ++i) {
        stage[i] = k == 0 ? x[i] : x[i] + h * kNode[k] * slope[i];
      }
      const Status status = rhs(t + kNode[k] * h, stage, slope);
      if (status != Status::ok) return status;
      for (std::size_t i = 0; i < x.size(); ++i) x_new[i] += h * kWeight[k] * slope[i];  // (1)
    }
    return Status::ok;
  };
}

}  // namespace

extern const Method method_rk4{
    .name = "rk4",
    .doc = "classical Runge-Kutta of order 4, fixed step",
    .error_controlled = false,
    .implicit = false,
    .handles_projection = true,
    .order = 4,
    .make = [](System& system, const IntegratorSettings& settings) {
      return make_fixed_step_integrator(system, settings, {make_rk4_rule, 4, true});
    }};

}  // namespace carom
