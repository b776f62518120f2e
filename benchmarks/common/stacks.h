// S3: ten cubes of 10 kg, edge 0.2 m, friction 0.5, stand on each other for 60 s: exactly, or
// leaning by 15 mm per cube, three quarters of what would topple the stack.
//
// Referee: statics, nothing moves. Drift is the largest horizontal motion of a cube: from the
// start, and from 1 s on, when an elastic stack has found its rest. Second referee: the height of
// the stack, by how much it has sunk.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "report.h"

namespace carom::bench {

struct Stacks {
  static constexpr int cubes = 10;
  static constexpr double edge = 0.2, mass = 10.0, inertia = mass * edge * edge / 6.0;
  static constexpr double friction = 0.5, gravity = 9.81, duration = 60.0, sample = 0.1;
  static constexpr double leans[2] = {0.0, 0.015};

  static double x(int i, double lean) { return lean * i; }
  static double z(int i) { return edge * (i + 0.5); }
};

inline const char* stack_scene(double lean) {
  return lean > 0.0 ? "s3_stacks/leaning" : "s3_stacks/exact";
}

struct CubeAt {
  double x = 0.0, y = 0.0, z = 0.0;
  double zz = 1.0;  ///< cosine of the tilt
};

class StackWatch {
 public:
  explicit StackWatch(double lean) : lean_(lean) {}
  void feed(double t, const std::vector<CubeAt>& cubes) {
    t_ = t;
    if (at_1_.empty() && t >= 1.0 - 1e-9) at_1_ = cubes;
    now_ = cubes;
    for (std::size_t i = 0; i < cubes.size(); ++i) {
      const bool tilted = !(cubes[i].zz > 0.87) || !(std::fabs(cubes[i].x) < 10.0);
      if (tilted && toppled_ < 0.0) toppled_ = t;
    }
  }
  bool has_toppled() const { return toppled_ >= 0.0; }
  void report(Row& row) const {
    row.simulated = t_;
    double start = 0.0, later = 0.0, sunk = 0.0;
    for (std::size_t i = 0; i < now_.size(); ++i) {
      const int k = static_cast<int>(i);
      const CubeAt& c = now_[i];
      start = std::max(start, std::hypot(c.x - Stacks::x(k, lean_), c.y));
      sunk = std::max(sunk, std::fabs(c.z - Stacks::z(k)));
      if (!at_1_.empty()) later = std::max(later, std::hypot(c.x - at_1_[i].x, c.y - at_1_[i].y));
    }
    row.add("drift_mm", has_toppled() ? HUGE_VAL : 1e3 * start);
    row.add("drift_after_1s_mm", has_toppled() ? HUGE_VAL : 1e3 * later);
    row.add("sunk_mm", has_toppled() ? HUGE_VAL : 1e3 * sunk);
    row.add("toppled_at", toppled_);
    row.add("cpu_per_second", row.cpu_seconds / t_);
  }

 private:
  double lean_, t_ = 0.0, toppled_ = -1.0;
  std::vector<CubeAt> now_, at_1_;
};

/// Advances an engine with step(), which moves by dt; cubes() returns where they are.
template <class Step, class Cubes>
Row run_stack(const std::string& setting, double lean, double dt, Step step, Cubes cubes) {
  Row row;
  row.setting = setting;
  StackWatch watch(lean);
  Stopwatch clock;
  const long per_sample = std::max(1L, std::lround(Stacks::sample / dt));
  const long steps = std::lround(Stacks::duration / dt);
  while (row.evaluations < steps && !watch.has_toppled() && clock.seconds() < kCpuLimit) {
    clock.start();
    for (long k = 0; k < per_sample; ++k) step();
    clock.stop();
    row.evaluations += per_sample;
    watch.feed(static_cast<double>(row.evaluations) * dt, cubes());
  }
  row.cpu_seconds = clock.seconds();
  watch.report(row);
  return row;
}

}  // namespace carom::bench
