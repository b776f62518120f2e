// Spring and damper of the two surfaces of a pair (Otter, Elmqvist and Díaz López 2005,
// sections 2 and 4.5), with the defaults of its table.
#pragma once

#include <cmath>
#include <span>

#include "carom/base/param.h"
#include "carom/contact/pair_material.h"

namespace carom {

struct OtterSurfaces {
  enum Field { kStiffness, kDamping, kStiffness2, kDamping2 };
  static constexpr ParamField kFields[] = {
      {"stiffness", "N/m", "spring constant c of a surface", 1e7, 0.0, kInf, ParamType::number,
       true},
      {"damping", "N.s/m", "damping constant d of a surface", 0.0, 0.0},
      {"stiffness_2", "N/m", "spring constant of the other surface; without it the same", kRequired,
       0.0, kInf, ParamType::number, true},
      {"damping_2", "N.s/m", "damping constant of the other surface; without it the same",
       kRequired, 0.0},
  };

  static void bind(const PairMaterial&, std::span<double> p) {
    if (std::isnan(p[kStiffness2])) p[kStiffness2] = p[kStiffness];
    if (std::isnan(p[kDamping2])) p[kDamping2] = p[kDamping];
  }

  /// Springs in series; for everything else Otter takes the mean.
  static double stiffness(std::span<const double> p) {
    return p[kStiffness] * p[kStiffness2] / (p[kStiffness] + p[kStiffness2]);
  }
  static double damping(std::span<const double> p) { return 0.5 * (p[kDamping] + p[kDamping2]); }
};

}  // namespace carom
