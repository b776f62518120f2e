// Semi-implicit (symplectic) Euler, the method of real-time engines; order 1.
//
//   v_new = v + h v'(q, v, z),   z_new = z + h z',   q_new = q + h N(q) v_new      (1)
//
// Its energy error stays bounded for conservative systems. A system that does not tell
// q and v apart is integrated by the explicit Euler method.
#include <vector>

#include "carom/integrate/fixed_step.h"

namespace carom {
namespace {

StepRule make_rule(CheckedRhs& rhs, IntegratorStatistics&, const IntegratorSettings&) {
  const std::size_t n = rhs.system().size();
  return [&rhs, slope = std::vector<double>(n)](double t, double h, std::span<const double> x,
                                                std::span<double> x_new) mutable {
    const Status status = rhs(t, x, slope);
    if (status != Status::ok) return status;
    System& system = rhs.system();
    const std::size_t n_q = system.velocity_size() > 0 ? system.position_size() : 0;
    std::copy(x.begin(), x.end(), x_new.begin());
    for (std::size_t i = n_q; i < x.size(); ++i) x_new[i] += h * slope[i];
    if (n_q == 0) return Status::ok;
    system.position_rates(t, x_new, slope);
    for (std::size_t i = 0; i < n_q; ++i) x_new[i] += h * slope[i];  // (1)
    return Status::ok;
  };
}

}  // namespace

extern const Method method_semi_implicit_euler{
    .name = "semi_implicit_euler",
    .doc = "semi-implicit Euler of order 1, fixed step; fast, bounded energy error",
    .error_controlled = false,
    .implicit = false,
    .handles_projection = true,
    .order = 1,
    .make = [](System& system, const IntegratorSettings& settings) {
      return make_fixed_step_integrator(system, settings, {make_rule, 3, true});
    }};

}  // namespace carom
