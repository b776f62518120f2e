// S7: an ellipsoid with half axes 1.2, 1.3 and 1.0 m spins at 10 rad/s about its short axis, which
// stands 0.1 rad off the vertical, on a plane with friction 0.1; 20 s.
//
// It rises: its centre goes from 1.01 m towards 1.3 m while its energy falls. There is no closed
// form; referees are the energy, which may never grow, and Carom's own run at a hundredth of the
// tolerance.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "report.h"

namespace carom::bench {

struct Egg {
  static constexpr double a = 1.2, b = 1.3, c = 1.0, density = 1.0, friction = 0.1;
  static constexpr double spin = 10.0, tilt = 0.1, height = 1.01, gravity = 9.81;
  static constexpr double duration = 20.0, sample = 0.02;
  static double mass() { return 4.0 / 3.0 * 3.14159265358979323846 * a * b * c * density; }
  static std::array<double, 3> inertia() {
    const double m = mass() / 5.0;
    return {m * (b * b + c * c), m * (a * a + c * c), m * (a * a + b * b)};
  }
  /// Kinetic and potential energy; `w` in body axes.
  static double energy(const std::array<double, 3>& w, double speed, double z) {
    const std::array<double, 3> I = inertia();
    return 0.5 * (I[0] * w[0] * w[0] + I[1] * w[1] * w[1] + I[2] * w[2] * w[2]) +
           0.5 * mass() * speed * speed + mass() * gravity * z;
  }
  /// At the start the world's spin has the body components (0, sin tilt, cos tilt).
  static double start_energy() {
    return energy({0.0, spin * std::sin(tilt), spin * std::cos(tilt)}, 0.0, height);
  }
};

class RiseWatch {
 public:
  void feed(double z, double energy) {
    highest_ = std::max(highest_, z);
    most_ = std::max(most_, energy);
    z_ = z;
    energy_ = energy;
  }
  void report(Row& row) const {
    row.simulated = Egg::duration;
    row.add("highest", highest_);
    row.add("height_at_end", z_);
    row.add("energy_at_end", energy_ / Egg::start_energy());
    row.add("energy_gain", std::max(0.0, most_ / Egg::start_energy() - 1.0));
  }

 private:
  double highest_ = 0.0, most_ = 0.0, z_ = 0.0, energy_ = 0.0;
};

/// Advances an engine with step(), which moves by dt; feed(watch) measures it.
template <class Step, class Feed>
Row run_egg(const std::string& setting, double dt, Step step, Feed feed) {
  Row row;
  row.setting = setting;
  RiseWatch watch;
  Stopwatch clock;
  const long per_sample = std::max(1L, std::lround(Egg::sample / dt));
  const long steps = std::lround(Egg::duration / dt);
  while (row.evaluations < steps) {
    clock.start();
    for (long k = 0; k < per_sample; ++k) step();
    clock.stop();
    row.evaluations += per_sample;
    feed(watch);
  }
  row.cpu_seconds = clock.seconds();
  watch.report(row);
  return row;
}

}  // namespace carom::bench
