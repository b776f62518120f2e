// Result file in HDF5: one run with its scene, rows, events and summary.
//
//   512 bytes          what it is and its digest (result_seal.h), before HDF5 begins
//   /                  attributes: format ("carom result"), format_version, carom_version,
//                      scene_name, fingerprint, created, status, reason, and counts of what
//                      is safely in the file: rows, event_count, peak_count, peak_value_count,
//                      contact_count, summary_bytes, verdict_bytes
//   /scene             text: the scene's YAML
//   /summary, /verdict bytes: the run's JSON, its judgement of itself
//   /time              rows doubles [s]
//   /data              rows x columns doubles, all channels side by side
//   /channel_table     name, group, object, quantity, unit, doc, components, offset, width
//   /channels/<name>   rows x width view into /data with attributes unit,
//                      components, doc; at most kMaxChannelViews of them
//   /events            time, kind, subject, partner, other ("name=value;…"), then the event
//                      columns (NaN where an event has none)
//   /peaks             time, object, quantity, unit, value, row (rows before it), first_column,
//                      columns, values_at: the object's columns at that instant in /peak_values
//   /contacts          one line per pair of shapes that touched
//
// All texts have a fixed length and are filled up with zeros.
// Why so, and what a kill leaves behind: docs/decisions/result-files.md.
#pragma once

#include "carom/record/output_file.h"
#include "carom/record/recorder.h"

namespace carom {

/// Above this number of channels a file has no views: each costs 0.1 ms and 2 kB.
inline constexpr std::size_t kMaxChannelViews = 500;

struct Hdf5Options {
  /// Deflate level, 0 (none) to 9. Compressed rows reach the disk in whole
  /// blocks only, so a kill costs up to one block more.
  int compression = 0;
  double flush_seconds = kDefaultFlushSeconds;
};

class Hdf5Writer final : public Recorder {
 public:
  explicit Hdf5Writer(std::string path, Hdf5Options options = {});
  /// Without finish(), keeps all rows and leaves the status "running".
  ~Hdf5Writer() override;

 private:
  class File;

  void do_open() override;
  void do_publish() override;
  void do_append(double time, std::span<const double> row) override;
  void do_append_event(const EventRecord& event) override;
  void do_append_peak(const PeakRecord& peak) override;
  void do_append_map(const MapRecord& map) override;
  void do_flush() override;
  void do_finish(RunStatus status, std::string_view reason, const RunEnding& ending) override;

  std::string path_;
  Hdf5Options options_;
  std::unique_ptr<OutputFile> output_;
  std::unique_ptr<File> file_;
};

}  // namespace carom
