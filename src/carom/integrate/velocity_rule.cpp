#include "carom/integrate/velocity_rule.h"

#include <algorithm>

#include "carom/math/velocity_step.h"

namespace carom {
namespace {

/// Steps in which bodies sink into each other are halved, down to this share.
constexpr double kLeastShare = 0.2;

Status take_velocity_step(VelocityStep& step, IntegratorStatistics& counts, double t, double h,
                          double least, std::span<const double> x, std::span<double> x_new) {
  const std::size_t n = step.size();  // behind the states: integrals of powers
  VelocityCounts known = step.counts();
  const std::int64_t cut_before = known.cut;
  bool converged = true;
  do {
    ++counts.rhs_evaluations;
    const Status status = step.begin(t, h, x.first(n));
    if (status != Status::ok) return status;
    converged = step.solve();
    const VelocityCounts now = step.counts();
    counts.newton_iterations += now.iterations - known.iterations;
    counts.linear_iterations += now.sweeps - known.sweeps;
    known = now;
    step.finish(x_new.first(n));
  } while (step.missed(x_new.first(n)));
  if (h > least && step.sinks(x_new.first(n))) return Status::recoverable;
  counts.unconverged_steps += !converged;
  counts.bank_actions += step.counts().cut - cut_before;
  std::ranges::copy(x.subspan(n), x_new.subspan(n).begin());
  step.add_work(x_new.subspan(n));
  return Status::ok;
}

StepRule make_velocity_rule(CheckedRhs& rhs, IntegratorStatistics& counts,
                            const IntegratorSettings& settings) {
  const double least = kLeastShare * std::min(settings.fixed_step, settings.max_step);
  return [&rhs, &counts, least](double t, double h, std::span<const double> x,
                                std::span<double> x_new) {
    VelocityStep* step = rhs.system().velocity_step();
    if (!step) return Status::fatal;
    return take_velocity_step(*step, counts, t, h, least, x, x_new);
  };
}

}  // namespace

std::unique_ptr<Integrator> make_velocity_integrator(System& system,
                                                     const IntegratorSettings& settings) {
  if (!system.velocity_step()) return find_method("semi_implicit_euler")->make(system, settings);
  // Between the ends of a step there is no motion but a straight line: forces are not those of the
  // right-hand side.
  return make_fixed_step_integrator(system, settings, {make_velocity_rule, 1, true});
}

}  // namespace carom
