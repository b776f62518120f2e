// One run, whole, in memory: what every writer is given and every reader gives back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "carom/record/channel.h"

namespace carom {

/// How far a run has come. A file that still says `running` without a process
/// behind it was cut off; the rows it holds are good.
enum class RunStatus { running, completed, failed, interrupted };

std::string_view to_string(RunStatus status);
/// Throws std::runtime_error for an unknown word.
RunStatus run_status_from(std::string_view word);

/// What a run was made from.
struct RunMeta {
  std::string carom_version;
  std::string scene_name;
  std::string scene;    ///< the scene's YAML text
  std::string created;  ///< UTC, "2024-05-01T12:00:00Z"; filled in by open() when empty
};

/// A named number that events may carry, with its unit.
struct EventColumn {
  std::string name;  ///< "approach_speed"
  std::string unit;  ///< "m/s"
};

struct NamedValue {
  std::string name;
  double value = 0.0;
};

/// Something that happened at an instant.
struct EventRecord {
  double time = 0.0;               ///< [s]
  std::string kind;                ///< "contact_begin"
  std::string subject;             ///< "ball|table", or the name of a user's event
  std::vector<NamedValue> values;  ///< those this event has, in any order
};

struct Recording {
  RunMeta meta;
  RunStatus status = RunStatus::running;
  std::string reason;          ///< why the run ended, when not by reaching its end
  std::string summary = "{}";  ///< JSON
  std::vector<Channel> channels;
  std::vector<EventColumn> event_columns;
  std::vector<double> time;    ///< [s], one per row
  std::vector<double> values;  ///< rows x width(), row by row, without gaps
  std::vector<EventRecord> events;

  std::size_t rows() const { return time.size(); }
  std::size_t width() const { return total_width(channels); }
  /// Copy of the column "ball.position.z"; throws std::runtime_error if there is none.
  std::vector<double> column(std::string_view name) const;
};

}  // namespace carom
