// Time stepping with impulses: velocities at the end of a step are those that its impulses leave
// (impulse_step.h), whatever bodies meet within it. For rigid contact of many bodies.
//
// A system without such steps is integrated by semi-implicit Euler.
#include <algorithm>

#include "carom/integrate/fixed_step.h"
#include "carom/integrate/impulse_step.h"

namespace carom {
namespace {

/// Steps in which bodies come into each other are halved, down to this share.
constexpr double kLeastOfStep = 0.2;

StepRule make_impulse_rule(CheckedRhs& rhs, IntegratorStatistics& counts,
                           const IntegratorSettings& settings) {
  const double least = kLeastOfStep * std::min(settings.fixed_step, settings.max_step);
  return [&rhs, &counts, least](double t, double h, std::span<const double> x,
                                std::span<double> x_new) {
    ImpulseStep* step = rhs.system().impulse_step();
    if (!step) return Status::fatal;
    const std::size_t n = step->size();  // behind the states: integrals of powers
    const ImpulseCounts before = step->counts();
    ++counts.rhs_evaluations;
    const Status status = step->take(t, h, h > least, x.first(n), x_new.first(n));
    const ImpulseCounts after = step->counts();
    counts.newton_iterations += after.iterations - before.iterations;
    counts.linear_iterations += after.sweeps - before.sweeps;
    if (status != Status::ok) return status;
    counts.unconverged_steps += after.unsolved > before.unsolved;
    counts.bank_actions += after.guarded - before.guarded;
    std::ranges::copy(x.subspan(n), x_new.subspan(n).begin());
    step->add_work(x_new.subspan(n));
    return Status::ok;
  };
}

}  // namespace

extern const Method method_time_stepping{
    .name = "time_stepping",
    .doc = "impulses of rigid contact, order 1, fixed step; heaps of hundreds of bodies",
    .error_controlled = false,
    .implicit = false,
    .handles_projection = true,
    .order = 1,
    .make = [](System& system, const IntegratorSettings& settings) {
      if (!system.impulse_step()) return find_method("semi_implicit_euler")->make(system, settings);
      // Between the ends of a step there is no motion but a straight line.
      return make_fixed_step_integrator(system, settings, {make_impulse_rule, 1, true});
    }};

}  // namespace carom
