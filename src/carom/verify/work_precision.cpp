#include "carom/verify/work_precision.h"

#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/integrate/integrator.h"
#include "carom/verify/verify.h"

namespace carom::verify {
namespace {

struct Problem {
  const char* name;
  std::size_t check;  ///< of the case
  std::vector<double> tolerances, steps;
  /// Only events are read: rows would take longer than the integration and are left out.
  bool reads_events = false;
};

/// A curve ends with a point that took longer than this [s], so that the whole is bounded.
constexpr double kLongest = 2.0;

/// Explicit fixed steps would need less than 1e-5 s for the impact and are left out there.
const std::vector<Problem>& problems() {
  static const std::vector<Problem> all{
      {"double_pendulum", 1, {1e-4, 1e-6, 1e-8, 1e-10}, {1e-2, 3e-3, 1e-3, 3e-4}},
      {"drop_exact", 2, {1e-4, 1e-6, 1e-8, 1e-10}, {}, true}};
  return all;
}

Case find_case(const std::string& name) {
  for (const CarriedCase& c : carried_cases()) {
    if (name == c.name) return read_case(c.name, c.text);
  }
  return {};
}

WorkPoint measure(const Case& of, double setting) {
  WorkPoint point{setting, NAN, HUGE_VAL};
  constexpr double kLong = 0.05;  // [s]; longer runs are measured well enough by one
  for (int i = 0; i < 3 && !(std::isfinite(point.cpu_seconds) && point.cpu_seconds > kLong); ++i) {
    const CaseResult r = run_case(of);
    if (!r.failure.empty()) return point;
    const CheckResult& c = r.checks.front();
    point.error = std::abs(c.computed - c.expected);
    point.cpu_seconds = std::min(point.cpu_seconds, r.cpu_seconds);
  }
  return point;
}

/// The case with one check left, and what that reads.
Case reduced_case(const Problem& problem) {
  Case of = find_case(problem.name);
  of.checks = {of.checks.at(problem.check)};
  of.plots.clear();
  if (problem.reads_events) {
    std::erase_if(of.quantities, [](const Quantity& q) { return q.how != "event"; });
  }
  return of;
}

}  // namespace

std::vector<WorkDiagram> measure_work_precision(
    const std::function<void(const std::string&)>& tell) {
  std::vector<WorkDiagram> diagrams;
  for (const Problem& problem : problems()) {
    Case of = reduced_case(problem);
    WorkDiagram diagram{problem.name, of.title, of.checks.front().what, {}};
    for (const Method* method : method_catalogue()) {
      if (tell) tell(std::string(problem.name) + ", " + method->name);
      WorkCurve curve{method->name, {}};
      const bool fixed = !method->error_controlled;
      for (const double setting : fixed ? problem.steps : problem.tolerances) {
        const std::string key = fixed ? "run.step=" : "run.tolerance=";
        of.runs = {
            {"", {std::string("run.integrator=") + method->name, key + number_text(setting)}}};
        if (problem.reads_events) of.runs[0].overrides.emplace_back("run.output.step=0.1");
        const WorkPoint point = measure(of, setting);
        if (std::isfinite(point.error)) curve.points.push_back(point);
        if (std::isfinite(point.cpu_seconds) && point.cpu_seconds > kLongest) break;
      }
      if (!curve.points.empty()) diagram.curves.push_back(std::move(curve));
    }
    diagrams.push_back(std::move(diagram));
  }
  return diagrams;
}

}  // namespace carom::verify
