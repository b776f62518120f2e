// Result file in HDF5: one run with its scene, rows, events and summary.
//
//   /                 attributes: format ("carom result"), format_version,
//                     carom_version, scene_name, created, status, reason,
//                     rows, event_count (what is safely in the file)
//   /scene, /summary  text: the scene's YAML, the run's JSON
//   /time             rows doubles [s]
//   /data             rows x columns doubles, all channels side by side
//   /channel_table    one line per channel: name, unit, doc, components, offset, width
//   /channels/<name>  rows x width view into /data with attributes unit,
//                     components, doc; at most kMaxChannelViews of them
//   /events/          time, kind, subject, one dataset per event column (NaN where
//                     an event has none), other ("name=value;…"); attributes columns, units
//
// Why so, and what a kill leaves behind: docs/decisions/result-files.md.
#pragma once

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
  void do_append(double time, std::span<const double> row) override;
  void do_append_event(const EventRecord& event) override;
  void do_flush() override;
  void do_finish(RunStatus status, std::string_view reason, std::string_view summary) override;

  std::string path_;
  Hdf5Options options_;
  std::unique_ptr<File> file_;
};

}  // namespace carom
