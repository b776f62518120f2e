// Motion without contact for 100 s, where conserved quantities are the referee.
//
// free_top: a body with principal inertias 1, 2, 3 kg·m² turns about its middle axis,
// slightly disturbed, without gravity: energy and the vector of angular momentum stay.
// double_pendulum: two uniform rods, 1 m and 1 kg, square section of 50 mm, hinged
// about y, released horizontally along x: energy stays.
//
// A driver advances its engine to every sample time, measures outside the timed part,
// and prints one row per setting. C++17, for the peers' headers.
#pragma once

#include <array>
#include <cmath>
#include <string>

#include "../common/report.h"

namespace carom::bench {

inline constexpr double kDuration = 100.0;  // s
inline constexpr int kSamples = 1000;
inline constexpr double kSampleTime = kDuration / kSamples;
inline constexpr double kGravity = 9.81;

struct FreeTop {
  static constexpr std::array<double, 3> inertia{1.0, 2.0, 3.0};
  static constexpr std::array<double, 3> w0{0.5, 3.0, 0.2};  ///< body axes = world axes at t = 0

  /// ½ w·I w for w in body axes.
  static double energy(const double* w) {
    return 0.5 * (inertia[0] * w[0] * w[0] + inertia[1] * w[1] * w[1] + inertia[2] * w[2] * w[2]);
  }
  static double energy_error(const double* w) { return energy(w) / energy(w0.data()) - 1.0; }
  /// |L − L0| / |L0| of the angular momentum in world axes.
  static double momentum_error(const double* L) {
    double change = 0.0, size = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double L0 = inertia[k] * w0[k];
      change += (L[k] - L0) * (L[k] - L0);
      size += L0 * L0;
    }
    return std::sqrt(change / size);
  }
};

struct DoublePendulum {
  static constexpr double I_along = 2 * 0.05 * 0.05 / 12.0;
  static constexpr double I_across = (1.0 + 0.05 * 0.05) / 12.0;
  /// Errors are relative to the range of the potential energy.
  static constexpr double energy_range = 2.0 * kGravity;
};

/// The largest errors of a run.
struct Drift {
  double energy = 0.0, momentum = 0.0;

  void sample(double energy_error, double momentum_error) {
    energy = larger(energy, energy_error);
    momentum = larger(momentum, momentum_error);
  }

 private:
  /// Keeps a NaN, which would compare as not larger.
  static double larger(double a, double b) { return std::fabs(b) <= a ? a : std::fabs(b); }
};

inline void print_drift(const std::string& scene, const std::string& engine,
                        const std::string& setting, const Stopwatch& watch, long rhs,
                        const Drift& drift) {
  Row row{setting, watch.seconds(), kDuration, rhs, {}};
  row.add("energy_error", drift.energy);
  if (scene == "free_top") row.add("momentum_error", drift.momentum);
  print_row("s8_free_motion/" + scene, engine, row);
}

}  // namespace carom::bench
