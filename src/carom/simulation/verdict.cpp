#include "carom/simulation/verdict.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

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

/// Of notes of one kind, the largest few: in a crowd there may be one of every pair.
std::vector<Finding> largest_of_each(std::vector<Finding> notes) {
  constexpr std::size_t kMost = 5;
  std::vector<Finding> kept;
  while (!notes.empty()) {
    const std::string name = notes.front().name;
    const auto others = std::stable_partition(notes.begin(), notes.end(),
                                              [&](const Finding& f) { return f.name == name; });
    std::vector<Finding> same(std::make_move_iterator(notes.begin()),
                              std::make_move_iterator(others));
    notes.erase(notes.begin(), others);
    if (same.size() > kMost) {
      std::ranges::stable_sort(same, std::greater{}, &Finding::value);
      const double left = static_cast<double>(same.size() - kMost), next = same[kMost].value;
      same.resize(kMost);
      same.push_back({name, "", left, 0.0, Grade::sound,
                      "the same of " + rounded_text(left) + " more ('" + name + "', at most " +
                          rounded_text(next) + ")"});
    }
    std::ranges::move(same, std::back_inserter(kept));
  }
  return kept;
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
  verdict.notes = largest_of_each(std::move(verdict.notes));
  std::ranges::stable_sort(reasons, std::greater{}, &Finding::grade);
  return verdict;
}

}  // namespace carom
