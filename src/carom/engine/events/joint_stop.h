// Elastic stops of joint coordinates: Kelvin-Voigt, never pulling.
//
// With the depth d beyond the stop and its rate d', the stop presses with
//
//   f = k d + c d'                                                              (1)
//
// from the instant at which d becomes positive until f falls to zero, which with
// damping happens while d is still positive. Then it is released: no force, until the
// body has left (d = 0) or is pushed back so that (1) becomes positive again. Each of
// these instants is an event, so that (1) needs no clamp.
#pragma once

#include <algorithm>
#include <cstdint>

#include "carom/engine/model.h"

namespace carom {

/// Sign: which stop, + upper, − lower.
enum StopMode : std::int8_t { kStopFree = 0, kStopPressing = 1, kStopReleased = 2 };

struct StopState {
  double depth = 0.0, rate = 0.0;
  double press = 0.0;  ///< (1)
};

inline bool is_pressing(int mode) { return mode == kStopPressing || mode == -kStopPressing; }

inline StopState stop_state(const DofElement& e, int mode, double q, double v) {
  StopState s;
  s.depth = mode > 0 ? q - e.upper : e.lower - q;
  s.rate = mode > 0 ? v : -v;
  s.press = e.stop_stiffness * s.depth + e.stop_damping * s.rate;
  return s;
}

/// Positive while the mode lasts.
inline double stop_event(const DofElement& e, int mode, double q, double v) {
  if (mode == kStopFree) return std::min(e.upper - q, q - e.lower);
  const StopState s = stop_state(e, mode, q, v);
  return is_pressing(mode) ? s.press : std::min(s.depth, -s.press);
}

/// The mode that follows where stop_event has fallen to zero.
inline std::int8_t next_stop_mode(const DofElement& e, int mode, double q, double v) {
  const auto side = static_cast<std::int8_t>(mode > 0 ? 1 : -1);
  if (mode == kStopFree) {
    return static_cast<std::int8_t>(e.upper - q < q - e.lower ? kStopPressing : -kStopPressing);
  }
  const StopState s = stop_state(e, mode, q, v);
  // Without damping force and depth end together, up to rounding of the event's instant.
  const bool gone = s.rate < 0.0 && (s.depth <= 0.0 || e.stop_damping == 0.0);
  if (gone) return kStopFree;
  if (is_pressing(mode)) return static_cast<std::int8_t>(side * kStopReleased);
  // Released: the smaller of depth and −press has crossed.
  const bool left = s.depth < -s.press;
  return left ? std::int8_t{kStopFree} : static_cast<std::int8_t>(side * kStopPressing);
}

}  // namespace carom
