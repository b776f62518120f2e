// Scenes of rigid bodies on a plane, as text.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

#include "scene_runs.h"

namespace carom::testing {

inline std::string text_of(double x) {
  char out[40];
  std::snprintf(out, sizeof out, "%.17g", x);
  return out;
}
inline std::string text_of(const Vec3& v) {
  return "[" + text_of(v.x) + ", " + text_of(v.y) + ", " + text_of(v.z) + "]";
}

/// What is thrown on the plane z = 0.
struct Thrown {
  std::string shape = "sphere: {radius: 0.1}";
  Vec3 inertia{0.004, 0.004, 0.004};
  Vec3 position, velocity, turn, rotation;
  double restitution = 0.5, mu = 0.3;
  double until = 1.0, tolerance = 1e-10;
  Vec3 gravity{0, 0, -9.81};
};

inline std::string scene_of(const Thrown& t) {
  return "carom: 1\ngravity: " + text_of(t.gravity) +
         "\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n  body: {mass: 1, "
         "inertia: " +
         text_of(t.inertia) + ", shapes: [{" + t.shape + "}], position: " + text_of(t.position) +
         ", rotation: " + text_of(t.rotation) + ", velocity: " + text_of(t.velocity) +
         ", angular_velocity: " + text_of(t.turn) +
         "}\ncontact: {method: rigid, restitution: " + text_of(t.restitution) +
         ", mu_k: " + text_of(t.mu) + "}\nrun: {until: " + text_of(t.until) +
         ", tolerance: " + text_of(t.tolerance) + ", output: {step: 0.05}}\n";
}

inline Thrown box_of(const Vec3& size) {
  Thrown t;
  t.shape = "box: {size: " + text_of(size) + "}";
  const Vec3 s{size.x * size.x, size.y * size.y, size.z * size.z};
  t.inertia = (1.0 / 12.0) * Vec3{s.y + s.z, s.x + s.z, s.x + s.y};
  return t;
}

inline std::vector<double> times_of(const RunResult& result, const std::string& kind) {
  std::vector<double> times;
  for (const EngineEvent& e : result.events) {
    if (e.kind == kind) times.push_back(e.time);
  }
  return times;
}

inline double landing_of(const RunResult& result) {
  for (const EngineEvent& e : result.events) {
    if (e.kind == "landing") return e.value;
  }
  return std::nan("");
}

}  // namespace carom::testing
