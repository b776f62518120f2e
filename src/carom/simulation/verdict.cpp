#include "carom/simulation/verdict.h"

#include <algorithm>
#include <cmath>
#include <functional>

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

Grade Verdict::grade() const {
  Grade worst = Grade::sound;
  for (const Finding& reason : reasons) worst = std::max(worst, reason.grade);
  return worst;
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
    reasons.push_back({"energy_from_nothing", "", watch.gain, broken, Grade::broken,
                       "energy from nothing: " + percent(watch.gain, of)});
  }
  if (!(watch.residual <= doubtful)) {
    reasons.push_back({"residual", "", watch.residual, doubtful, Grade::doubtful,
                       "the energy ledger does not close: " + percent(watch.residual, of)});
  }
  if (!(watch.model <= doubtful)) {
    reasons.push_back({"model_work", "", watch.model, doubtful, Grade::doubtful,
                       "laws of contact did work of their own: " + percent(watch.model, of)});
  }
  if (!(watch.given <= doubtful)) {
    reasons.push_back({"given_back", "", watch.given, doubtful, Grade::doubtful,
                       "friction or damping gave energy: " + percent(watch.given, of)});
  }
  for (const Finding& f : findings) {
    (f.grade == Grade::sound ? verdict.notes : reasons).push_back(f);
  }
  std::ranges::stable_sort(reasons, std::greater{}, &Finding::grade);
  return verdict;
}

}  // namespace carom
