// One deflection of a force element: linear spring and damper, or an overriding law.
#pragma once

#include "carom/multibody/force_kind.h"

namespace carom {

/// Force that opposes the deflection x with rate v, with its energy bookkeeping.
inline double resist(double stiffness, double damping, double x, double v, const LawValue& law,
                     ForceOutput& out) {
  if (!law.given) {
    out.elastic += 0.5 * stiffness * x * x;
    out.damping_power += damping * v * v;
    return stiffness * x + damping * v;
  }
  if (law.driven) {
    out.drive_power -= law.force * v;
  } else {
    out.elastic += law.energy;
    out.damping_power += (law.force - law.elastic) * v;
  }
  return law.force;
}

}  // namespace carom
