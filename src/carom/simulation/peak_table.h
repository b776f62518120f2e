// The peaks of a run on their way to its recorder: of all that was found between two rows, the
// largest of every quantity, if it stands above both rows.
#pragma once

#include <functional>

#include "carom/engine/results/finding.h"
#include "carom/record/recording.h"
#include "carom/simulation/peak_watch.h"

namespace carom {

class PeakTable {
 public:
  PeakTable() = default;
  explicit PeakTable(std::span<const OutputChannel> channels) : watched_(find_watched(channels)) {}

  const std::vector<WatchedQuantity>& quantities() const { return watched_.quantities; }
  void add(const LocatedPeak& peak) { open_.waiting.push_back(peak); }

  /// Peaks before the row at time t, ascending in time; `rows` were recorded before it. The
  /// magnitudes of the row are then the floor of the next.
  std::vector<PeakRecord> close(double t, std::span<const double> row, std::size_t rows);
  std::span<const double> floor() const { return open_.last_row; }

  /// The largest of each quantity so far, in rows and between them.
  std::vector<PeakRecord> largest() const;
  /// What stands far above all rows.
  std::vector<Finding> unresolved() const;

  const OpenPeaks& open() const { return open_; }
  /// Peaks of a run that watched other quantities, or none, are left behind.
  void restore(const OpenPeaks& open);

 private:
  PeakRecord record_of(std::size_t quantity, double time, double value) const;
  void see(std::size_t quantity, double time, double value);

  WatchedRow watched_;
  OpenPeaks open_;
};

}  // namespace carom
