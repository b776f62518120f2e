// S4: a bumpy torus of 5184 triangles, 20 kg, falls onto a bumpy ground of 5000 triangles.
//
// Friction 0.5; the centre of the torus starts 0.6 m above the middle of the ground. Referees: the
// deepest vertex of the torus below the ground's own formula, computed from the pose every 20 ms,
// and the speed at the end, which must be none: it comes to rest on the ground. Engines whose
// surfaces are covered by a layer touch that much earlier, and say so.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "report.h"

namespace carom::bench {

struct Mesh {
  std::vector<std::array<double, 3>> vertices;
  std::vector<std::array<int, 3>> triangles;
};

struct Meshes {
  static constexpr double mass = 20.0, friction = 0.5, gravity = 9.81, height = 0.6;
  static constexpr double duration = 5.0, sample = 0.02, half = 1.5;
  static constexpr double R = 0.3, r = 0.12, bump = 0.015;
  static constexpr double cpu_limit = 40.0;  ///< [s]; slower rows say how far they came
  /// Of a solid torus without bumps.
  static constexpr double Ix = mass * (0.5 * R * R + 0.625 * r * r);
  static constexpr double Iz = mass * (R * R + 0.75 * r * r);

  static double ground_height(double x, double y) {
    return 0.06 * std::sin(5.0 * x) * std::cos(4.0 * y) + 0.05 * (x * x + y * y);
  }
  static Mesh torus() {
    constexpr int around = 72, across = 36;
    const double turn = 2.0 * 3.14159265358979323846;
    Mesh m;
    for (int i = 0; i < around; ++i) {
      for (int j = 0; j < across; ++j) {
        const double u = turn * i / around, w = turn * j / across;
        const double thick = r + bump * std::cos(6.0 * u) * std::cos(4.0 * w);
        const double out = R + thick * std::cos(w);
        m.vertices.push_back({out * std::cos(u), out * std::sin(u), thick * std::sin(w)});
        const int i1 = (i + 1) % around, j1 = (j + 1) % across;
        add_quad(m, {i * across + j, i1 * across + j, i1 * across + j1, i * across + j1});
      }
    }
    return m;
  }
  /// `cells` along each side; 50 give 5000 triangles.
  static Mesh ground(int cells = 50) {
    Mesh m;
    for (int i = 0; i <= cells; ++i) {
      for (int j = 0; j <= cells; ++j) {
        const double x = half * (2.0 * i / cells - 1.0), y = half * (2.0 * j / cells - 1.0);
        m.vertices.push_back({x, y, ground_height(x, y)});
        if (i == cells || j == cells) continue;
        const int a = i * (cells + 1) + j, b = a + cells + 1;
        add_quad(m, {a, b, b + 1, a + 1});
      }
    }
    return m;
  }
  /// The ground with sides and a bottom, for engines that need a body with an inside.
  static Mesh closed_ground() {
    constexpr int cells = 48, side = cells + 1, count = side * side;
    Mesh m = ground(cells);
    for (int v = 0; v < count; ++v) {
      const auto [x, y, z] = m.vertices[static_cast<std::size_t>(v)];
      m.vertices.push_back({x, y, -0.4});
    }
    for (int i = 0; i < cells; ++i) {
      for (int j = 0; j < cells; ++j) {
        const int a = count + i * side + j, b = a + side;
        add_quad(m, {a, a + 1, b + 1, b});
      }
    }
    const auto add_side = [&](int from, int to) {
      add_quad(m, {count + from, count + to, to, from});
    };
    for (int k = 0; k < cells; ++k) {
      add_side(k * side, (k + 1) * side);
      add_side(cells * side + k, cells * side + k + 1);
      add_side((k + 1) * side + cells, k * side + cells);
      add_side(k + 1, k);
    }
    return m;
  }

 private:
  static void add_quad(Mesh& m, const std::array<int, 4>& q) {
    m.triangles.push_back({q[0], q[1], q[2]});
    m.triangles.push_back({q[0], q[2], q[3]});
  }
};

/// Where the torus is: position, and its rotation by rows.
struct TorusAt {
  std::array<double, 3> p{};
  std::array<std::array<double, 3>, 3> R{};
  double speed = 0.0;
};

class MeshWatch {
 public:
  /// `layer` is what covers both surfaces together [m].
  explicit MeshWatch(double layer) : layer_(layer) {}

  void feed(double t, const TorusAt& at) {
    time_ = t;
    last_ = at;
    depth_ = -1.0;
    for (const auto& v : torus_.vertices) {
      std::array<double, 3> w = at.p;
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) w[i] += at.R[i][k] * v[k];
      }
      if (std::fabs(w[0]) < Meshes::half && std::fabs(w[1]) < Meshes::half) {
        depth_ = std::max(depth_, Meshes::ground_height(w[0], w[1]) - w[2] + layer_);
      }
    }
    deepest_ = std::max(deepest_, depth_);
  }
  bool is_lost() const { return !(std::fabs(last_.p[2]) < 2.0) || !(depth_ < 0.1); }
  void report(Row& row) const {
    row.simulated = time_;
    row.add("cpu_per_second", is_lost() ? HUGE_VAL : row.cpu_seconds / time_);
    row.add("deepest_mm", 1e3 * deepest_);
    row.add("depth_at_end_mm", 1e3 * depth_);
    row.add("speed_at_end", last_.speed);
    row.add("height_at_end", last_.p[2]);
    row.add("lost", is_lost() ? 1.0 : 0.0);
  }

 private:
  Mesh torus_ = Meshes::torus();
  TorusAt last_;
  double layer_ = 0.0, time_ = 0.0, depth_ = 0.0, deepest_ = 0.0;
};

/// Advances an engine with step(), which moves by dt, and watches it every 20 ms.
template <class Step, class Pose>
Row run_meshes(const std::string& setting, double layer, double dt, Step step, Pose pose) {
  Row row;
  row.setting = setting;
  MeshWatch watch(layer);
  Stopwatch clock;
  const long per_sample = std::max(1L, std::lround(Meshes::sample / dt));
  const long steps = std::lround(Meshes::duration / dt);
  watch.feed(0.0, pose());
  while (row.evaluations < steps && !watch.is_lost() && clock.seconds() < Meshes::cpu_limit) {
    clock.start();
    for (long k = 0; k < per_sample; ++k) step();
    clock.stop();
    row.evaluations += per_sample;
    watch.feed(static_cast<double>(row.evaluations) * dt, pose());
  }
  row.cpu_seconds = clock.seconds();
  watch.report(row);
  return row;
}

}  // namespace carom::bench
