// The contact that would vibrate fastest at a state, which is what holds up a method that follows
// it.
//
//   period = 2 pi / w,   w^2 = F / (m d)
//
// F the normal force, m the mass that the pair moves against each other, d the depth: the secant of
// the spring, which for Hertz is two thirds of its slope.
#pragma once

#include <span>
#include <string>

#include "carom/engine/workspace.h"

namespace carom {

struct FastestVibration {
  std::string name;     ///< of both bodies; "" where none presses
  double period = 0.0;  ///< [s]
};

/// Evaluates at (t, x).
FastestVibration find_fastest_vibration(Workspace& w, double t, std::span<const double> x);

}  // namespace carom
