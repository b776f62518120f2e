// S5: a cube of 1 kg between two plates of 1 kg on sliders, each pushed by 50 N, friction 0.5.
//
// Friction can carry 50 N, the weight is 9.81 N: the cube must not slip. Referees: no motion at
// all between 10 s and 60 s (statics), and no turning (symmetry). Where an engine is too slow to
// get there, the slip is that of the last five sixths of its run, scaled to 50 s.
#pragma once

#include <algorithm>
#include <cmath>

#include "report.h"

namespace carom::bench {

struct Gripper {
  static constexpr double edge = 0.1, mass = 1.0, inertia = mass * edge * edge / 6.0;
  static constexpr double plate_thickness = 0.02, plate_width = 0.2, plate_mass = 1.0;
  static constexpr double plate_x = (edge + plate_thickness) / 2.0;
  static constexpr double force = 50.0, friction = 0.5, gravity = 9.81, duration = 60.0;
  static constexpr double sample = 0.1;
};

class SlipWatch {
 public:
  /// Height of the cube and the cosine of its tilt (zz of its rotation) at time t.
  void feed(double t, double z, double zz) {
    times_.push_back(t);
    heights_.push_back(z);
    tilt_ = std::acos(std::clamp(zz, -1.0, 1.0));
  }
  bool is_lost() const { return !heights_.empty() && !(heights_.back() > -0.3); }
  void report(Row& row) const {
    row.simulated = times_.back();
    const double from = times_.back() / 6.0;
    const double slip = std::fabs(heights_.back() - height_at(from));
    const double whole = (Gripper::duration - 10.0) / (times_.back() - from);
    row.add("slip_mm", is_lost() ? HUGE_VAL : 1e3 * slip * whole);
    row.add("slip_first_second_mm", 1e3 * std::fabs(height_at(1.0)));
    row.add("tilt_deg", tilt_ * 57.29577951308232);
    row.add("dropped", is_lost() ? 1.0 : 0.0);
  }

 private:
  double height_at(double t) const {
    std::size_t i = 0;
    while (i + 1 < times_.size() && times_[i] < t - 1e-9) ++i;
    return heights_[i];
  }
  std::vector<double> times_, heights_;
  double tilt_ = 0.0;
};

/// Advances an engine with step(), which moves by dt, and watches it every 0.1 s.
template <class Step, class Feed>
Row run_gripper(const std::string& setting, double dt, Step step, Feed feed) {
  Row row;
  row.setting = setting;
  SlipWatch watch;
  Stopwatch clock;
  const long per_sample = std::max(1L, std::lround(Gripper::sample / dt));
  const long samples = std::lround(Gripper::duration / (static_cast<double>(per_sample) * dt));
  for (long i = 1; i <= samples && !watch.is_lost() && clock.seconds() < kCpuLimit; ++i) {
    clock.start();
    for (long k = 0; k < per_sample; ++k) step();
    clock.stop();
    row.evaluations += per_sample;
    feed(watch, static_cast<double>(row.evaluations) * dt);
  }
  row.cpu_seconds = clock.seconds();
  watch.report(row);
  return row;
}

}  // namespace carom::bench
