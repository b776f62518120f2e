// Sharp bodies, turned at random and let into the plane z = 0, for tests of contact areas.
#pragma once

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "carom/geometry/shape.h"

namespace carom::area_tests {

inline Shape sharp(const char* kind, std::vector<double> params) {
  ShapeInput input{.kind = find_shape_kind(kind), .params = std::move(params)};
  if (input.kind->rounding == Rounding::inward) input.edge_radius = 0.0;
  return make_shape(std::move(input));
}

inline Mat3 random_rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Quat q{normal(random), normal(random), normal(random), normal(random)};
  const double k = 1.0 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return to_matrix(Quat{k * q.w, k * q.x, k * q.y, k * q.z});
}

/// A pose in which the lowest point of the body is `depth` below z = 0.
inline Pose sunk(const Shape& shape, const Mat3& R, double depth) {
  const Vec3 down = transpose_times(R, Vec3{0.0, 0.0, -1.0});
  return {R, {0.01, -0.02, extent(shape.core, down) - depth}};
}

}  // namespace carom::area_tests
