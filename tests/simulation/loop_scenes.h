// Closed-loop mechanisms as scene texts, and their closure in closed form.
#pragma once

#include <cmath>
#include <functional>
#include <string>

#include "scene_runs.h"

namespace carom::testing {

/// A free-running slider-crank: crank 0.1 m, rod 0.3 m, slider along x.
inline const char* kSliderCrank = R"yaml(
carom: 1
gravity: off
bodies:
  crank: {mass: 0.5, inertia: [1e-4, 1e-3, 1e-3], joint: {revolute: {}, name: shaft, q: 0.8, v: 4}}
  rod: {mass: 0.3, com: [0.15, 0, 0], inertia: [1e-5, 2e-3, 2e-3], joint: {revolute: {parent: crank, at: [0.1, 0, 0]}, name: big_end, q: -1.04}}
  slider: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], joint: {prismatic: {axis: x}, name: guide, q: 0.36}}
joints: {small_end: {revolute: {parent: rod, at: [0.3, 0, 0], child: slider}, loop: true}}
initial: {assemble: {keep: [shaft]}}
run: {until: 1000, tolerance: 1e-8}
)yaml";

/// A four-bar linkage in the plane; a, b, c, d are crank, coupler, rocker and ground.
inline const char* kFourBar = R"yaml(
carom: 1
gravity: off
values: {a: 0.1, b: 0.3, c: 0.25, d: 0.3, speed: 3, start: 1.0}
bodies:
  crank: {mass: 0.3, com: ["=a/2", 0, 0], inertia: [1e-4, 1e-3, 1e-3], joint: {revolute: {}, name: crank_pivot, q: $start, v: $speed}}
  coupler: {mass: 0.2, com: ["=b/2", 0, 0], inertia: [1e-4, 1e-3, 1e-3], joint: {revolute: {parent: crank, at: [$a, 0, 0]}, name: crank_end, q: -0.414}}
  rocker: {mass: 0.2, com: ["=c/2", 0, 0], inertia: [1e-4, 1e-3, 1e-3], joint: {revolute: {at: [$d, 0, 0]}, name: rocker_pivot, q: 1.555}}
joints: {coupler_end: {revolute: {parent: coupler, at: [$b, 0, 0], child: rocker, child_at: [$c, 0, 0]}, loop: true}}
initial: {assemble: {keep: [crank_pivot]}}
run: {until: 1000, tolerance: 1e-8}
)yaml";

/// Distance of the ends that kFourBar joins, from its angles alone.
inline double four_bar_gap(double a, double b, double c, double d, double crank, double coupler,
                           double rocker) {
  const double x = a * std::cos(crank) + b * std::cos(crank + coupler) - d - c * std::cos(rocker);
  const double y = a * std::sin(crank) + b * std::sin(crank + coupler) - c * std::sin(rocker);
  return std::hypot(x, y);
}

/// Bennett's linkage: four hinges in space that move only because the lengths a, b and
/// twists alpha, beta of opposite bars are equal and sin(alpha)/a = sin(beta)/b. Its
/// angles (each about the next hinge) obey
///   theta1 + theta3 = 0,  tan(theta1/2) tan(theta2/2) = sin((b+a)/2)/sin((b-a)/2)   (1)
/// with theta counted from the folded position [Bennett1903].
inline const char* kBennett = R"yaml(
carom: 1
gravity: off
values: {a: 0.2, alpha: 0.5, b: "=0.2*sin(1.1)/sin(0.5)", beta: 1.1}
bodies:
  ground: {fixed: true}
  first: {mass: 0.3, com: ["=a/2", 0, 0], inertia: [1e-3, 1e-3, 1e-3], joint: {revolute: {parent: ground}, name: j1, q: 1.0, damping: 0.01, drive: {force: 0.03}}}
  second: {mass: 0.4, com: ["=b/2", 0, 0], inertia: [1e-3, 2e-3, 2e-3], joint: {revolute: {parent: first, at: [$a, 0, 0], rotation: [$alpha, 0, 0], axis: [0, "=-sin(alpha)", "=cos(alpha)"]}, name: j2, q: 2.67}}
  third: {mass: 0.3, com: ["=a/2", 0, 0], inertia: [1e-3, 1e-3, 1e-3], joint: {revolute: {parent: second, at: [$b, 0, 0], rotation: [$beta, 0, 0], axis: [0, "=-sin(beta)", "=cos(beta)"]}, name: j3, q: -1.0}}
joints:
  j4: {revolute: {parent: third, at: [$a, 0, 0], axis: [0, "=-sin(alpha)", "=cos(alpha)"], rotation: ["=alpha + beta", 0, 0], child: ground, child_at: ["=-b", 0, 0]}, loop: true}
initial: {assemble: {keep: [j1]}}
run: {until: 1000, tolerance: 1e-8}
)yaml";

}  // namespace carom::testing
