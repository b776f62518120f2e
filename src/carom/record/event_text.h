// Event values that have no column of their own, as one text "name=value;…".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/record/recording.h"

namespace carom {

/// One double per column, NaN where the event has no such value.
std::vector<double> event_columns_of(const EventRecord& event,
                                     std::span<const EventColumn> columns);

/// The values that are in no column: "torque=0.5;spin=1e-3".
std::string other_values_text(const EventRecord& event, std::span<const EventColumn> columns);

/// Reads that text back; parts that are not "name=number" are skipped.
std::vector<NamedValue> parse_other_values(std::string_view text);

}  // namespace carom
