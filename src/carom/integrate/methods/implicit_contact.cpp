// Implicit contact steps: the velocity at the end of a step minimises a convex function
// (math/step_problem.h), which its system sets up (velocity_step.h). Stable at any stiffness.
//
// A system without such a problem, where nothing touches, is integrated by semi-implicit Euler.
#include <algorithm>
#include <vector>

#include "carom/base/patience.h"
#include "carom/integrate/fixed_step.h"
#include "carom/integrate/velocity_step.h"
#include "carom/math/velocity_solver.h"

namespace carom {
namespace {

/// An answer is revised for friction and for its energy, a few times each.
constexpr int kMostRevisions = 16;
/// Steps in which bodies sink into each other are halved, down to this share.
constexpr double kLeastShare = 0.2;

/// False if an island did not converge.
bool solve_islands(VelocityStep& step, VelocitySolver& solver, IntegratorStatistics& counts) {
  bool converged = true;
  for (std::size_t i = 0; i < step.problem().islands.size(); ++i) {
    VelocityAnswer answer;
    for (int k = 0; k < kMostRevisions && !Patience::is_over(); ++k) {
      answer = solver.solve(step.problem(), i);
      counts.newton_iterations += answer.iterations;
      counts.linear_iterations += answer.linear_iterations;
      if (!step.revise(i)) break;
    }
    converged &= answer.converged;
  }
  return converged;
}

Status take_velocity_step(VelocityStep& step, VelocitySolver& solver, IntegratorStatistics& counts,
                          double t, double h, double least, std::span<const double> x,
                          std::span<double> x_new) {
  const std::size_t n = step.size();  // behind the states: integrals of powers
  const std::int64_t before = step.bank_actions();
  bool converged = true;
  do {
    ++counts.rhs_evaluations;
    const Status status = step.begin(t, h, x.first(n));
    if (status != Status::ok) return status;
    converged = solve_islands(step, solver, counts);
    step.finish(x_new.first(n));
  } while (step.missed(x_new.first(n)));
  if (h > least && step.sinks(x_new.first(n))) return Status::recoverable;
  counts.unconverged_steps += !converged;
  std::ranges::copy(x.subspan(n), x_new.subspan(n).begin());
  step.add_work(x_new.subspan(n));
  counts.bank_actions += step.bank_actions() - before;
  return Status::ok;
}

/// (1) of semi_implicit_euler.cpp.
Status take_euler_step(CheckedRhs& rhs, std::vector<double>& slope, double t, double h,
                       std::span<const double> x, std::span<double> x_new) {
  slope.resize(x.size());
  const Status status = rhs(t, x, slope);
  if (status != Status::ok) return status;
  System& system = rhs.system();
  const std::size_t n_q = system.velocity_size() > 0 ? system.position_size() : 0;
  std::copy(x.begin(), x.end(), x_new.begin());
  for (std::size_t i = n_q; i < x.size(); ++i) x_new[i] += h * slope[i];
  if (n_q == 0) return Status::ok;
  system.position_rates(t, x_new, slope);
  for (std::size_t i = 0; i < n_q; ++i) x_new[i] += h * slope[i];
  return Status::ok;
}

StepRule make_rule(CheckedRhs& rhs, IntegratorStatistics& counts,
                   const IntegratorSettings& settings) {
  const double least = kLeastShare * std::min(settings.fixed_step, settings.max_step);
  return [&rhs, &counts, least, solver = VelocitySolver(), slope = std::vector<double>()](
             double t, double h, std::span<const double> x, std::span<double> x_new) mutable {
    VelocityStep* step = rhs.system().velocity_step();
    if (!step) return take_euler_step(rhs, slope, t, h, x, x_new);
    return take_velocity_step(*step, solver, counts, t, h, least, x, x_new);
  };
}

}  // namespace

extern const Method method_implicit_contact{
    .name = "implicit_contact",
    .doc =
        "implicit contact of order 1 (2 where a step resolves it), fixed step; any stiffness, "
        "never more energy",
    .error_controlled = false,
    .implicit = true,
    .handles_projection = true,
    .order = 1,
    .make = [](System& system, const IntegratorSettings& settings) {
      // Between the ends of a step forces are not those of the right-hand side.
      const int degree = system.velocity_step() ? 1 : 3;
      return make_fixed_step_integrator(system, settings, {make_rule, degree, true, true});
    }};

}  // namespace carom
