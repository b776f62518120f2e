#include "carom/simulation/work_watch.h"

#include <algorithm>

namespace carom {
namespace {

/// Evaluations times bodies that are too many for a run: some ten seconds of processor time.
constexpr double kTooMuch = 2e7;
/// The same of a window: long enough not to take one impact for the whole run.
constexpr double kWindow = 2.5e5;
/// In a row, until a run goes over: one may be a burst that passes.
constexpr int kWindows = 2;
/// Of the rest of the run: a shorter window says no more than this.
constexpr double kInstant = 0.01;
/// A restart finds step size and order anew, and looks at every pair.
constexpr double kEventCost = 50.0;

}  // namespace

void WorkWatch::start(double t, const Work& work) { begun_ = t, at_begin_ = work, crowded_ = 0; }

std::optional<double> WorkWatch::step_instead(double t, double t_end, const Work& work,
                                              double contact) {
  const double done = static_cast<double>(work.evaluations - at_begin_.evaluations) +
                      kEventCost * static_cast<double>(work.events - at_begin_.events);
  if (done * bodies_ < patience_ * kWindow) return {};
  const double rest = t_end - t, step = contact / kStepsPerContact;
  // Events of one instant are as many as they are, not endless.
  projected_ = done / std::max(t - begun_, kInstant * rest) * rest;  // (1)
  begun_ = t, at_begin_ = work;
  const bool is_crowd = projected_ * bodies_ >= kTooMuch && step > 0.0 && step < rest &&
                        projected_ >= kLeastGain * rest / step;  // (2)
  crowded_ = is_crowd ? crowded_ + 1 : 0;
  return crowded_ >= kWindows ? std::optional(step) : std::nullopt;
}

}  // namespace carom
