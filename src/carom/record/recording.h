// One run, whole, in memory: what every writer is given and every reader gives back.
#pragma once

#include <array>
#include <cstddef>
#include <span>
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
  /// Digest of the scene with all that was set and of the meshes it uses; may be empty.
  std::string fingerprint{};
  /// Room for a name in the tables of events, peaks and contacts [bytes].
  std::size_t name_room = 64;
  /// Whether peaks are recorded beside the rows.
  bool peaks = false;
  /// Whether maps of contacts are recorded beside the rows.
  bool maps = false;
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
  std::string subject;             ///< "ball", or the name of a user's event
  std::vector<NamedValue> values;  ///< those this event has, in any order
  std::string partner{};           ///< the second body of a contact, "table"
};

/// "ball, table", or the subject alone.
std::string full_subject(const EventRecord& event);

/// The largest value of a force between two rows, where it is above both.
struct PeakRecord {
  double time = 0.0;     ///< [s]
  std::string object;    ///< "contact(table,ball)"
  std::string quantity;  ///< "force"
  std::string unit;
  double value = 0.0;             ///< magnitude
  std::size_t row = 0;            ///< rows before it
  std::size_t first_column = 0;   ///< of the object's channels in a row
  std::vector<double> columns{};  ///< their values at this instant
};

/// Where a contact presses at the instant of a row: along the circumference of an overlap, or over
/// an area. Of one closed curve the first point stands at the end again.
struct MapRecord {
  std::size_t row = 0;             ///< of this
  std::string object;              ///< "contact(table,ball)"
  std::string quantity;            ///< "circumference" or "pressure"
  std::string unit;                ///< of the values: "N/m" or "Pa"
  std::array<double, 3> normal{};  ///< from the first body to the second
  /// Of every point kMapNumbers: x, y, z [m], the value there, and the length or area that the
  /// point stands for. Values times shares add up to the normal force.
  std::vector<double> points{};
};
inline constexpr std::size_t kMapNumbers = 5;

/// A column with the peaks of its object between the rows.
struct MergedColumn {
  std::vector<double> time, values;
};
/// `time` and `values` of the rows, and the peaks that tell of the column.
MergedColumn merge_peaks(std::span<const double> time, std::span<const double> values,
                         std::span<const PeakRecord> peaks, std::size_t column);

/// What became of all contacts of two shapes during a run.
struct ContactSummary {
  std::string first, second;
  std::size_t count = 0;                     ///< contacts that began, those at the start included
  double duration = 0.0;                     ///< of all together [s]
  double impulse = 0.0;                      ///< of the normal forces [N.s]
  double peak_force = 0.0, peak_time = 0.0;  ///< of the normal force [N], [s]
  double peak_depth = 0.0;                   ///< [m]
  double slip = 0.0;                         ///< way slid [m]
  double energy_lost = 0.0;                  ///< to normal and friction laws [J]
};

/// Takes another pair's contacts into `sum`: counts and integrals add up, of peaks the larger
/// stays.
void add_to(ContactSummary& sum, const ContactSummary& more);

/// What is known only when a run has ended.
struct RunEnding {
  std::string summary = "{}";  ///< JSON
  std::string verdict = "{}";  ///< JSON
  std::vector<ContactSummary> contacts{};
};

struct Recording {
  RunMeta meta;
  RunStatus status = RunStatus::running;
  std::string reason;          ///< why the run ended, when not by reaching its end
  std::string summary = "{}";  ///< JSON
  std::string verdict = "{}";  ///< JSON
  std::vector<Channel> channels;
  std::vector<EventColumn> event_columns;
  std::vector<double> time;    ///< [s], one per row
  std::vector<double> values;  ///< rows x width(), row by row, without gaps
  std::vector<EventRecord> events;
  std::vector<PeakRecord> peaks;  ///< ascending in time
  std::vector<ContactSummary> contacts;
  std::vector<MapRecord> maps;  ///< ascending in rows

  std::size_t rows() const { return time.size(); }
  std::size_t width() const { return total_width(channels); }
  /// Copy of the column "ball.position.z"; throws std::runtime_error if there is none.
  std::vector<double> column(std::string_view name) const;
};

}  // namespace carom
