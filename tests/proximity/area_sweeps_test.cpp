// Areas of a die over ten thousand poses, from a face over an edge to a corner: force and moment
// have no jump above the accuracy that is stated, and their slope stays bounded.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/geometry/shape.h"
#include "carom/math/rotation.h"
#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/distance.h"

namespace carom {
namespace {

constexpr double kDieSize = 0.01;

Shape die_of(double exponent) {
  ShapeInput input{.kind = find_shape_kind("superquadric"),
                   .params = {kDieSize, kDieSize, kDieSize}};
  input.formulas.ranges = {{"exponents", exponent, exponent}};
  return make_shape(std::move(input));
}

/// Force and moment about the middle of the die, per stiffness of the foundation.
struct Load {
  double force = 0.0;
  Vec3 moment;
};
Load load_at(const Core& die, const Mat3& R, double depth) {
  const Core plane = make_shape({.kind = find_shape_kind("half_space")}).core;
  const Pose X_WF, X_WD{R, {0.0, 0.0, extent(die, transpose_times(R, {0, 0, -1})) - depth}};
  const Contact contact = distance(plane, X_WF, die, X_WD);
  AreaPatch patch;
  const double reach = bounding_radius(die);
  find_area({plane, X_WF, {}, INFINITY, nullptr}, {die, X_WD, {}, reach, nullptr}, contact, 8,
            patch);
  Load out;
  for (int i = 0; i < patch.count; ++i) {
    const AreaPoint& p = patch.points[static_cast<std::size_t>(i)];
    out.force += p.u * p.area;
    out.moment += cross(p.p_W - X_WD.p, (p.u * p.area) * contact.n_AB_W);
  }
  return out;
}

/// The largest step of a course beyond what its neighbours let expect.
struct Jumps {
  double force = 0.0, moment = 0.0, slope = 0.0;
};
Jumps sweep(const Core& die, double depth) {
  constexpr int kPoses = 10000;
  Jumps most;
  Load before, last;
  double largest = 0.0, last_edge = 0.0, last_corner = 0.0;
  for (int i = 0; i < kPoses; ++i) {
    // Half the poses from the face to the edge, half from the edge to the corner, close where a
    // tilt as small as the depth over the size changes everything.
    const double way = 2.0 * i / (kPoses - 1), first = std::min(1.0, way), second = way - first;
    const double edge = 0.25 * M_PI * first * first;
    const double corner = std::atan(std::sqrt(0.5)) * second * second;
    const Load now = load_at(die, rotation_y(corner) * rotation_x(edge), depth);
    largest = std::max(largest, now.force);
    if (i > 1) {
      most.force = std::max(most.force, std::abs(now.force - 2.0 * last.force + before.force));
      most.moment =
          std::max(most.moment, norm(now.moment - 2.0 * last.moment + before.moment) / kDieSize);
      const double turned = std::abs(edge - last_edge) + std::abs(corner - last_corner);
      most.slope = std::max(most.slope, norm(now.moment - last.moment) / kDieSize / turned);
    }
    before = last, last = now, last_edge = edge, last_corner = corner;
  }
  return {most.force / largest, most.moment / largest, most.slope / largest};
}

TEST(AreaSweep, ADieHasNoJumpFromFaceToEdgeToCorner) {
  struct Row {
    double exponent, accuracy;  // docs/contact-area.md
  };
  for (const Row& row : {Row{8.0, 1e-3}, Row{20.0, 1e-3}}) {
    for (const double depth : {1e-5, 1e-4}) {
      const Jumps jumps = sweep(die_of(row.exponent).core, depth);
      EXPECT_LT(jumps.force, row.accuracy) << row.exponent << " " << depth;
      EXPECT_LT(jumps.moment, row.accuracy) << row.exponent << " " << depth;
      // No steeper than the moment of a square face that is pressed in evenly, K A a²/3 over K A d.
      EXPECT_LT(jumps.slope, kDieSize / (3.0 * depth)) << row.exponent << " " << depth;
    }
  }
}

}  // namespace
}  // namespace carom
