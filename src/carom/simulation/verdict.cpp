#include "carom/simulation/verdict.h"

#include <algorithm>
#include <cmath>

#include "carom/base/text.h"

namespace carom {
namespace {

constexpr double kDoubtful = 0.01;     ///< of the energy turned over
constexpr double kTolerances = 100.0;  ///< if that is more
constexpr double kBroken = 0.05;

std::string percent(double value, double of) {
  return rounded_text(value) + " J, " + rounded_text(100.0 * value / of) + " % of the " +
         rounded_text(of) + " J turned over";
}

}  // namespace

const char* to_string(Grade grade) {
  switch (grade) {
    case Grade::sound: return "sound";
    case Grade::doubtful: return "doubtful";
    default: return "broken";
  }
}

Grade Verdict::grade() const {
  if (reasons.empty()) return Grade::sound;
  const bool broken = std::ranges::any_of(reasons, [](const Finding& f) { return f.is_broken; });
  return broken ? Grade::broken : Grade::doubtful;
}

void EnergyWatch::begin(const Ledger& l) {
  *this = {};
  start = l.kinetic + std::abs(l.elastic);
  potential = lowest = l.potential;
}

void EnergyWatch::note(const Ledger& l, double switched) {
  lowest = std::min(lowest, l.potential);
  put_in += std::max(0.0, l.drive_work - drive) + std::max(0.0, switched - switches);
  drive = l.drive_work, switches = switched;
  const double modelled = l.model_work - switched;
  residual = std::max(residual, std::abs(l.residual));
  model = std::max(model, std::abs(modelled));
  gain = std::max(gain, l.residual + modelled);
}

Verdict judge(const EnergyWatch& watch, double tolerance, double least,
              std::span<const Finding> findings) {
  Verdict verdict;
  const double of = std::max(watch.turned_over(), least);
  const double doubtful = std::max(kDoubtful, kTolerances * tolerance) * of;
  const double broken = std::max(kBroken, kTolerances * tolerance) * of;
  std::vector<Finding>& reasons = verdict.reasons;
  // Not a number is no small one.
  if (!(watch.gain <= broken)) {
    reasons.push_back({"energy_from_nothing", "", watch.gain, broken, true,
                       "energy from nothing: " + percent(watch.gain, of)});
  }
  if (!(watch.residual <= doubtful)) {
    reasons.push_back({"residual", "", watch.residual, doubtful, false,
                       "the energy ledger does not close: " + percent(watch.residual, of)});
  }
  if (!(watch.model <= doubtful)) {
    reasons.push_back({"model_work", "", watch.model, doubtful, false,
                       "laws of contact did work of their own: " + percent(watch.model, of)});
  }
  reasons.insert(reasons.end(), findings.begin(), findings.end());
  std::ranges::stable_partition(reasons, [](const Finding& f) { return f.is_broken; });
  return verdict;
}

void add_finding(std::vector<Finding>& findings, const Finding& finding) {
  for (Finding& known : findings) {
    if (known.name != finding.name || known.subject != finding.subject) continue;
    const double before = known.value / known.limit, now = finding.value / finding.limit;
    // A duration is the worse the shorter it is.
    const bool is_worse = finding.value > finding.limit ? now > before : now < before;
    if (is_worse) known = finding;
    return;
  }
  findings.push_back(finding);
}

}  // namespace carom
