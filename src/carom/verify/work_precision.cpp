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
};

/// Explicit fixed steps would need less than 1e-5 s for the impact and are left out there.
const std::vector<Problem>& problems() {
  static const std::vector<Problem> all{
      {"double_pendulum", 1, {1e-4, 1e-6, 1e-8, 1e-10}, {1e-2, 3e-3, 1e-3, 3e-4}},
      {"drop_exact", 2, {1e-4, 1e-6, 1e-8, 1e-10}, {}}};
  return all;
}

Case find_case(const std::string& name) {
  for (const CarriedCase& c : carried_cases()) {
    if (name == c.name) return read_case(c.name, c.text);
  }
  return {};
}

WorkPoint measure(const Case& of, std::size_t check, double setting) {
  WorkPoint point{setting, NAN, HUGE_VAL};
  constexpr double kLong = 0.05;  // [s]; longer runs are measured well enough by one
  for (int i = 0; i < 3 && !(std::isfinite(point.cpu_seconds) && point.cpu_seconds > kLong); ++i) {
    const CaseResult r = run_case(of);
    if (!r.failure.empty() || r.checks.size() <= check) return point;
    point.error = std::abs(r.checks[check].computed - r.checks[check].expected);
    point.cpu_seconds = std::min(point.cpu_seconds, r.cpu_seconds);
  }
  return point;
}

}  // namespace

std::vector<WorkDiagram> measure_work_precision() {
  std::vector<WorkDiagram> diagrams;
  for (const Problem& problem : problems()) {
    Case of = find_case(problem.name);
    WorkDiagram diagram{problem.name, of.checks.at(problem.check).what, {}};
    for (const Method* method : method_catalogue()) {
      WorkCurve curve{method->name, {}};
      const bool fixed = !method->error_controlled;
      for (const double setting : fixed ? problem.steps : problem.tolerances) {
        const std::string key = fixed ? "run.step=" : "run.tolerance=";
        of.runs = {
            {"", {std::string("run.integrator=") + method->name, key + number_text(setting)}}};
        const WorkPoint point = measure(of, problem.check, setting);
        if (std::isfinite(point.error)) curve.points.push_back(point);
      }
      if (!curve.points.empty()) diagram.curves.push_back(std::move(curve));
    }
    diagrams.push_back(std::move(diagram));
  }
  return diagrams;
}

}  // namespace carom::verify
