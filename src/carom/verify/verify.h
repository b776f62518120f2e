// Runs verification cases and compares.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "carom/verify/case.h"

namespace carom::verify {

struct CheckResult {
  std::string what;
  double expected = 0.0, computed = 0.0;
  double error = 0.0;  ///< |computed - expected|, over |expected| where the check is relative
  double tolerance = 0.0;
  bool relative = false;
  bool passed = false;
  /// "energy", "forces", "events", "gaps", "states" or "impacts" where the engine's figures are
  /// compared with those recomputed from its rows; empty: of the case itself.
  std::string recomputed;
  std::size_t values = 0;  ///< that were recomputed
};

/// A course to draw.
struct Course {
  std::string label, unit;
  std::vector<double> time, values;
};

struct CaseResult {
  std::string name, title, source;
  bool passed = false;
  std::string failure;  ///< why it could not be compared at all
  std::vector<CheckResult> checks;
  std::vector<Course> courses;
  double cpu_seconds = 0.0;

  /// The check of the case's own that is nearest to its limit, or any that is past it; null if
  /// there is none.
  const CheckResult* worst() const;
};

/// Runs every variant, reads, compares. In addition energies, forces, gaps and instants of contacts
/// are compared with those recomputed from the rows (own_sums.h, own_contacts.h). Never throws for
/// what a case does: that is its `failure`.
CaseResult run_case(const Case& of);

/// Runs the cases on `threads` threads; results in the order of the cases.
std::vector<CaseResult> run_cases(std::span<const Case> cases, unsigned threads,
                                  const std::function<void(const CaseResult&)>& done = {});

/// One JSON document: {"cases": [{"name", "passed", "expected", "computed", "error",
/// "tolerance", "source", …}]}; the numbers of a case are those of its worst check, and
/// "checks" lists all.
std::string results_json(std::span<const CaseResult> results);

}  // namespace carom::verify
