// A maximum between two rows, before it is known whether it stands above both.
#pragma once

#include <cstdint>
#include <vector>

namespace carom {

struct LocatedPeak {
  std::uint64_t quantity = 0;   ///< into the list of what is watched
  double time = 0.0;            ///< [s]
  double value = 0.0;           ///< magnitude
  std::vector<double> columns;  ///< of the object at that instant
};

/// What a run has found since its last row, and the largest values so far.
struct OpenPeaks {
  std::vector<LocatedPeak> waiting;
  std::vector<double> last_row;                ///< magnitudes at the last row
  std::vector<double> largest, largest_times;  ///< of all rows and peaks
  std::vector<double> largest_rows;            ///< of rows alone
};

}  // namespace carom
