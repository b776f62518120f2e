// Recorded quantities: what a study keeps of a run.
//
//   cube.position@end                      a channel or column at the end; also @start
//   max(X), min(X), absmax(X), peak(X)     extremes over the recorded rows, events and peaks that
//                                          the run found between rows; peak is max
//   mean(X), rms(X)                        over time, by the trapezoidal rule of the rows
//   time@max(X), cube.position@min(X)      when, and what else was then
//   cube.velocity@contact_begin(cube,table)   at an event: the first; #3 the third, #last the last
//   time@…, value@…, impulse@…             of that event
//   count(contact_begin), count(contact_begin(cube,table))
//   statistics.steps, energy.largest_residual, energy.turned_over, warnings, time
//   "=sqrt(rest.x^2 + rest.y^2)"           a formula of recorded columns and of what varies
//
// A vector becomes a column per component. What did not happen is NaN.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/sweep/study.h"

namespace carom::sweep {

/// An event that a quantity waits for.
struct EventPick {
  std::string kind, subject, other;  ///< subject and other may be empty: any
  int number = 1;                    ///< from 1; 0: the last
};

struct Quantity {
  enum class What { channel, time, event_value, event_impulse, count, statistic, formula };
  enum class When { end, start, event, max, min };
  enum class Fold { none, max, min, absmax, mean, rms };
  What what = What::channel;
  When when = When::end;
  Fold fold = Fold::none;
  std::string channel;  ///< of `what` channel: a channel or one column of it
  std::string of;       ///< column whose extreme is `when`
  std::string text;     ///< statistic's name, or formula
  EventPick event;

  std::string name;  ///< in the table
  SourcePos where;
};

/// What `spec` says; nothing (reported) if it cannot be understood.
std::optional<Quantity> parse_quantity(const RecordSpec& spec, Diagnostics& diagnostics);

/// Names of `statistics.…` and the like that a quantity may be.
std::vector<std::string> statistic_names();

}  // namespace carom::sweep
