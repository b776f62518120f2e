// Building blocks of tessellations. All are closed and oriented outward.
#pragma once

#include <span>

#include "carom/geometry/mesh.h"

namespace carom {

/// A point of a profile in the half plane (x, r >= 0).
struct ProfilePoint {
  double x, r;
};

/// Revolves a closed profile, run through so that its inside lies on the left in
/// the (x, r) plane, about the x axis. Points on the axis become poles; consecutive
/// ones form no surface. All points must be given in order, the first not repeated.
TriangleMesh revolve(std::span<const ProfilePoint> profile, int segments);

/// Extrudes a closed polygon in the x, y plane (counter-clockwise, star-shaped about
/// `centre`) from z = -half to z = +half.
TriangleMesh extrude(std::span<const Vec3> polygon, const Vec3& centre, double half);

/// A unit sphere: `segments` around x, half as many from pole to pole.
TriangleMesh unit_sphere(int segments);

/// Directions well spread over the sphere (Fibonacci lattice), `count` of them.
std::vector<Vec3> spread_directions(std::size_t count);

}  // namespace carom
