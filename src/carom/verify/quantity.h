// Numbers taken from what a run recorded.
//
//   last, first, at (time:)     value of a formula in recorded columns
//   max, min, range, mean       over the rows, between `from` and `until` where given
//   peak                        the maximum of a smooth course, by a parabola through three rows
//   integral                    over time, by the trapezoidal rule
//   crossing (number:)          where a formula changes its sign: cubic interpolation of rows
//   event (subject:, take:)     time, value or impulse of an event as the run reported it
//   count                       how many events of a kind
//   mass, inertia, center       of a body: "ball", "ball.xx", "ball.x"
//   residual, steps             of the energy ledger over the energy turned over; steps taken
//   differ                      values that are not the same bits in another variant
#pragma once

#include <map>
#include <string>

#include "carom/record/recording.h"
#include "carom/simulation/run.h"
#include "carom/verify/case.h"
#include "carom/verify/own_rigid.h"

namespace carom::verify {

/// A variant of a case that has run.
struct CaseRun {
  std::string name;
  std::shared_ptr<const Model> model;
  Recording rows;
  /// Around the events that happened in this process, of scenes with rigid contacts.
  EventRows at_events;
  RunResult result;
};

/// Names that formulas may use.
using Numbers = std::map<std::string, double>;

/// Value of a formula in `numbers`; throws InputError at `where`.
double calculate(const std::string& formula, const Numbers& numbers, const SourcePos& where);

/// Rows of a formula in columns, aliases of the case, own sums and `t`.
std::vector<double> rows_of(const std::string& formula, const Case& of, const CaseRun& run,
                            const Numbers& numbers, const SourcePos& where);

double read_quantity(const Quantity& quantity, const Case& of, std::span<const CaseRun> runs,
                     const Numbers& numbers);

}  // namespace carom::verify
