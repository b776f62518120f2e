// The outline of a flat surface in the view of flat_pair.h: four sides, or an ellipse in eight arcs
//
//   p(alpha) = c + u cos(alpha) + v sin(alpha).                                          (1)
//
// Internal.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "carom/base/param.h"
#include "carom/proximity/vec2.h"

namespace carom {

inline constexpr int kEighths = 8;
inline constexpr double kEighth = std::numbers::pi / 4.0;
inline constexpr std::size_t kMostCuts = 16;

struct Cuts {
  std::size_t count = 0;
  std::array<double, kMostCuts> t;
  void add(double x) {
    if (count < kMostCuts) t[count++] = x;
  }
};

/// The outline of a flat surface in the view, counter-clockwise: four sides, or eight arcs.
struct Region {
  bool is_round = false;
  std::array<Vec2, 4> corner{};
  Vec2 c, u, v;

  int edges() const { return is_round ? kEighths : 4; }
  double first(int i) const { return is_round ? i * kEighth : 0.0; }
  double last(int i) const { return is_round ? (i + 1) * kEighth : 1.0; }
  const Vec2& from(int i) const { return corner[static_cast<std::size_t>(i & 3)]; }
  Vec2 side(int i) const { return from(i + 1) - from(i); }
  Vec2 point(int i, double t) const {
    return is_round ? c + std::cos(t) * u + std::sin(t) * v : from(i) + t * side(i);
  }
  Vec2 tangent(int i, double t) const {
    return is_round ? std::cos(t) * v - std::sin(t) * u : side(i);
  }
  /// The outline as the unit circle.
  Vec2 to_unit(const Vec2& d) const {
    const double k = 1.0 / cross(u, v);
    return {k * cross(d, v), k * cross(u, d)};
  }
  double area() const {
    if (is_round) return std::numbers::pi * cross(u, v);
    return 0.5 * cross(corner[2] - corner[0], corner[3] - corner[1]);
  }
  /// Of p beyond the outline, as a share of its size; negative inside.
  double beyond(const Vec2& p) const {
    if (is_round) {
      const Vec2 w = to_unit(p - c);
      return 0.5 * (dot(w, w) - 1.0);
    }
    double most = -kInf;
    for (int j = 0; j < 4; ++j) {
      most = std::max(most, -cross(side(j), p - from(j)) / std::abs(cross(side(j), side(j + 1))));
    }
    return most;
  }
  /// Farthest place along the unit vector n.
  double extent(const Vec2& n) const {
    if (is_round) return dot(n, c) + std::hypot(dot(n, u), dot(n, v));
    double most = -kInf;
    for (const Vec2& q : corner) most = std::max(most, dot(n, q));
    return most;
  }
};

/// Where edge i of A meets the outline of B, with its own ends, in order.
Cuts cuts_of(const Region& a, int i, const Region& b);

}  // namespace carom
