// Round numbers on an axis, and numbers as short text.
#pragma once

#include <string>
#include <vector>

namespace carom::viewer {

struct Axis {
  double low = 0.0, high = 1.0;
  double step = 0.2;
  std::vector<double> ticks;  ///< multiples of step within [low, high]
};

/// About `count` ticks at 1, 2 or 5 times a power of ten. With `grow`, low and high move
/// out to ticks; a range of no size is widened first.
Axis make_axis(double low, double high, int count, bool grow);

/// As many digits as the step needs: "0.25" for a step of 0.05.
std::string tick_text(double value, double step);

/// "N.m" as people write it: N·m; "" for a pure number.
std::string unit_text(const std::string& unit);

}  // namespace carom::viewer
