// S2: 1000 spheres fall into a box and come to rest as a heap.
//
// Radius 50 mm, 1000 kg/m³, friction 0.5, no restitution, box 2 m x 2 m. The figure is CPU time
// per simulated second, and it counts only while no overlap exceeds 5 % of the radius. Overlaps
// are computed here from the positions, every 10 ms, over all pairs and walls; second referee:
// no sphere is lost, and the heap of all engines has about the same height.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <unordered_map>
#include <vector>

#include "report.h"

namespace carom::bench {

struct Point {
  double x = 0.0, y = 0.0, z = 0.0;
};

struct Spheres {
  static constexpr double radius = 0.05, density = 1000.0, friction = 0.5, half = 1.0;
  static constexpr double gravity = 9.81, duration = 2.0, sample = 0.01;
  static double mass() {
    return 4.0 / 3.0 * 3.14159265358979323846 * density * radius * radius * radius;
  }
  static double inertia() { return 0.4 * mass() * radius * radius; }

  /// Layers of side x side spheres, displaced at random by up to 20 mm.
  static std::vector<Point> start(int count) {
    const int side = count > 100 ? 10 : 5;
    constexpr double pitch = 0.15, jitter = 0.02;
    std::mt19937_64 random(2005);
    const auto shake = [&] {
      return jitter * (std::ldexp(static_cast<double>(random() >> 11), -52) - 1.0);
    };
    std::vector<Point> points;
    for (int i = 0; i < count; ++i) {
      const int column = i % side, row = i / side % side, layer = i / (side * side);
      const double middle = 0.5 * (side - 1);
      points.push_back({pitch * (column - middle) + shake(), pitch * (row - middle) + shake(),
                        0.1 + pitch * layer + shake()});
    }
    return points;
  }
};

/// Largest overlap [m] of all pairs and walls, by cells of the size of a sphere; spheres outside
/// the box are counted as lost.
struct Overlap {
  double largest = 0.0;
  int lost = 0;

  explicit Overlap(const std::vector<Point>& points) {
    constexpr double r = Spheres::radius, cell = 2.0 * r;
    const auto index = [](double v) { return static_cast<std::int64_t>(std::floor(v / cell)); };
    const auto key = [](std::int64_t i, std::int64_t j, std::int64_t k) {
      return (i * 100003 + j) * 100003 + k;
    };
    std::unordered_map<std::int64_t, std::vector<const Point*>> cells;
    for (const Point& p : points) {
      const double wall =
          r - std::min({p.z, Spheres::half - std::fabs(p.x), Spheres::half - std::fabs(p.y)});
      if (!(wall < 4.0 * r) || !(p.z < 10.0)) {
        ++lost;
        continue;
      }
      largest = std::max(largest, wall);
      const std::int64_t a = index(p.x), b = index(p.y), c = index(p.z);
      for (std::int64_t n = 0; n < 27; ++n) {
        const auto near = cells.find(key(a + n % 3 - 1, b + n / 3 % 3 - 1, c + n / 9 - 1));
        if (near == cells.end()) continue;
        for (const Point* q : near->second) {
          largest = std::max(largest, 2.0 * r - std::hypot(p.x - q->x, p.y - q->y, p.z - q->z));
        }
      }
      cells[key(a, b, c)].push_back(&p);
    }
  }
};

class HeapWatch {
 public:
  void feed(double t, const std::vector<Point>& points) {
    const Overlap overlap(points);
    largest_ = std::max(largest_, overlap.largest);
    lost_ = overlap.lost;
    t_ = t;
    mean_ = 0.0;
    for (const Point& p : points) mean_ += p.z / static_cast<double>(points.size());
  }
  void report(Row& row) const {
    row.simulated = t_;
    row.add("cpu_per_second", row.cpu_seconds / t_);
    row.add("overlap_percent", 100.0 * largest_ / Spheres::radius);
    row.add("mean_height", mean_);
    row.add("lost", lost_);
  }

 private:
  double largest_ = 0.0, t_ = 0.0, mean_ = 0.0;
  int lost_ = 0;
};

/// Advances an engine with step(), which moves by dt; positions() returns the centres.
template <class Step, class Positions>
Row run_spheres(const std::string& setting, double dt, Step step, Positions positions) {
  Row row;
  row.setting = setting;
  HeapWatch watch;
  Stopwatch clock;
  const long per_sample = std::max(1L, std::lround(Spheres::sample / dt));
  const long steps = std::lround(Spheres::duration / dt);
  while (row.evaluations < steps && clock.seconds() < kHeapCpuLimit) {
    clock.start();
    for (long k = 0; k < per_sample; ++k) step();
    clock.stop();
    row.evaluations += per_sample;
    watch.feed(static_cast<double>(row.evaluations) * dt, positions());
  }
  row.cpu_seconds = clock.seconds();
  watch.report(row);
  return row;
}

}  // namespace carom::bench
