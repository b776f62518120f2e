// Progress of a sweep on the terminal.
//
//   1234 of 4096 runs  [######--------------]  30 %  2 failed  212 runs/s  about 14 s left
#pragma once

#include <string>

#include "carom/sweep/sweep.h"

namespace carom::cli {

/// "14 s", "3 min", "2.5 h".
std::string duration_text(double seconds);

std::string sweep_line(const sweep::SweepProgress& progress);

/// Rewrites one line of stderr where that is a terminal.
class SweepLine {
 public:
  explicit SweepLine(bool enabled);
  void operator()(const sweep::SweepProgress& progress);
  void clear();

 private:
  bool enabled_, shown_ = false;
};

}  // namespace carom::cli
