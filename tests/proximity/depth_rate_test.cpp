// How the depth field follows bodies that turn, against fields that are found before and after.
#include "carom/proximity/triangles/depth_rate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "carom/proximity/triangles/piece_surfaces.h"
#include "proximity/surface_meshes.h"

namespace carom::triangles {
namespace {

TriangleSurface plane() {
  TriangleSurface p = make_triangle_surface(plane_mesh(1.0));
  p.drawn_in = p.vertices;
  return p;
}

/// Corners of a regular polygon, drawn along y; of four it is a block.
TriangleMesh prism(std::uint32_t corners, double radius, double length) {
  TriangleMesh m;
  for (const double y : {-0.5 * length, 0.5 * length}) {
    for (std::uint32_t i = 0; i < corners; ++i) {
      const double angle = 2.0 * std::numbers::pi * (i + 0.5) / corners;
      m.vertices.push_back({radius * std::sin(angle), y, -radius * std::cos(angle)});
    }
  }
  for (std::uint32_t i = 0; i < corners; ++i) {
    const std::uint32_t j = (i + 1) % corners;
    m.triangles.push_back({i, corners + i, j});
    m.triangles.push_back({j, corners + i, corners + j});
    if (i == 0 || j == 0) continue;
    m.triangles.push_back({0, i, j});
    m.triangles.push_back({corners, corners + j, corners + i});
  }
  return m;
}

/// Of a body whose lowest point is `depth` below the plane z = 0.
struct Pressed {
  TriangleSurface ground = plane(), body;
  Pose X;

  Pressed(const TriangleMesh& mesh, const Mat3& R, double depth)
      : body(make_triangle_surface(mesh)), X{R, {}} {
    double lowest = 0.0;
    for (const Vec3& v : mesh.vertices) lowest = std::min(lowest, (R * v).z);
    X.p.z = -lowest - depth;
  }
  PatchLoad load(const Pose& moved = {}) const {
    Intersection x;
    const Pose X_AB = moved * X;
    intersect(ground, body, X_AB, x, Faces::as_given);
    EXPECT_EQ(x.patches.size(), 1u);
    return x.patches.empty() ? PatchLoad{} : calc_load(ground, body, X_AB.R, x, x.patches.front());
  }
  /// What an arm of the field gains per turn about an axis through the middle of the patch.
  double rate_of(const Vec3& arm, const Vec3& axis) const {
    constexpr double kTurn = 1e-7;
    const Vec3 c = load().centre;
    const auto slope = [&](double turn) {
      const Mat3 R = to_matrix(quat_exp(turn * axis));
      return load({R, c - R * c}).slope;
    };
    return dot(arm, slope(kTurn) - slope(-kTurn)) / (2.0 * kTurn);
  }
};

/// How fast a turn about `axis` brings the surfaces together at r from the middle.
double approach(const Vec3& axis, const Vec3& r) { return -cross(axis, r).z; }

double size(const Vec3 (&arms)[2]) { return std::sqrt(norm2(arms[0]) + norm2(arms[1])); }

/// Arms that are left as they came out have the rate of the field; of those that are left out, as
/// the flicker of facets, the field has less than a third of theirs. What is below the plane moves
/// sideways besides, by its depth: terms of depth over width. How many were compared.
int expect_rate_of_field(const Pressed& p, double error) {
  const PatchLoad load = p.load();
  int compared = 0;
  const auto compare = [&](const Vec3& of_field, const Vec3& arm, const Vec3& axis) {
    const double was = norm(of_field), is = norm(arm), rate = p.rate_of(of_field, axis);
    if (is == 0.0) {
      EXPECT_LT(std::abs(rate), (1.0 / 3.0 + error) * was);
    } else if (is > 2.0 / 3.0 * was && is < 0.999999 * was) {
      EXPECT_NEAR(approach(axis, arm), rate, error * was);
      ++compared;
    }
  };
  for (const Vec3& axis : {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.6, -0.8, 0.0}}) {
    for (std::size_t i = 0; i < 2; ++i) {
      compare(load.arm[i], load.turning_arm[i], axis);
      compare(load.spread[i], load.turning_spread[i], axis);
    }
  }
  return compared;
}

TEST(DepthRate, OfAFaceIsThatOfItsTilt) {
  const Pressed upright(prism(4, 0.1, 0.3), {}, 1e-3);
  const PatchLoad load = upright.load();
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(norm(load.turning_arm[i] - load.arm[i]), 0.0, 1e-15);
    EXPECT_NEAR(norm(load.turning_spread[i] - load.spread[i]), 0.0, 1e-15);
  }
  // Tilted so far that a part of the face is out: a wedge has its slope, too.
  const Pressed wedge(prism(4, 0.1, 0.3), to_matrix(quat_exp({0.0, 0.02, 0.0})), 1e-3);
  const Vec3 along_y{0.0, 1.0, 0.0};
  for (const Vec3& arm : wedge.load().spread) {
    EXPECT_NEAR(wedge.rate_of(arm, along_y), approach(along_y, arm), 0.02 * norm(arm));
  }
  EXPECT_NEAR(size(wedge.load().turning_spread), size(wedge.load().spread),
              0.02 * size(wedge.load().spread));
}

// Paraboloids: nothing is left, and what facets are is left out as soon as a patch has some.
TEST(DepthRate, OfWhatRollsIsNone) {
  const TriangleMesh ball = test::icosphere(5, [](const Vec3&) { return 0.2; });
  std::mt19937 random(5);
  std::normal_distribution<double> u;
  for (int i = 0; i < 20; ++i) {
    const Mat3 R = to_matrix(normalized(Quat{u(random), u(random), u(random), u(random)}));
    const double edge = 0.2 * 1.1071 / 32.0, depth = std::pow((1.1 + 0.3 * i) * edge, 2.0) / 0.4;
    const PatchLoad load = Pressed(ball, R, depth + edge * edge / 2.4).load();
    EXPECT_EQ(size(load.turning_arm), 0.0) << i;
    EXPECT_EQ(size(load.turning_spread), 0.0) << i;
  }
}

// Across its axis a roller is a parabola; along it widens where it is deeper, and 2/3 is left.
TEST(DepthRate, OfARollerIsNoneAcrossItsAxis) {
  const PatchLoad load = Pressed(prism(400, 0.1, 0.3), {}, 2e-3).load();
  Vec3 across, along;
  for (std::size_t i = 0; i < 2; ++i) {
    (std::abs(load.spread[i].x) > std::abs(load.spread[i].y) ? across : along) =
        load.turning_spread[i];
  }
  EXPECT_EQ(norm(across), 0.0);
  EXPECT_NEAR(norm(along) / std::max(norm(load.spread[0]), norm(load.spread[1])), 2.0 / 3.0, 0.02);
}

// Shallow overlaps of flat and round bodies; a sharp corner is as deep as it is wide.
TEST(DepthRate, OfRandomBodiesIsThatOfTheirFields) {
  std::mt19937 random(17);
  std::normal_distribution<double> u;
  const auto turn = [&] {
    return to_matrix(normalized(Quat{u(random), u(random), u(random), u(random)}));
  };
  const TriangleMesh coarse = test::icosphere(2, [](const Vec3&) { return 0.2; });
  int compared = 0;
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    compared += expect_rate_of_field(Pressed(coarse, turn(), 4e-3), 0.05);
    TriangleMesh flat = coarse;
    for (Vec3& v : flat.vertices) v = {v.x, 0.7 * v.y, 0.4 * v.z};
    compared += expect_rate_of_field(Pressed(flat, turn(), 4e-3), 0.1);
    const Mat3 tilt = to_matrix(quat_exp(0.02 * Vec3{u(random), u(random), u(random)}));
    compared += expect_rate_of_field(Pressed(prism(7, 0.1, 0.25), tilt, 1e-3), 0.05);
  }
  EXPECT_GT(compared, 100);
}

TEST(DepthRate, LengthensNoArm) {
  std::mt19937 random(23);
  std::normal_distribution<double> u;
  const TriangleMesh mesh = test::icosphere(1, [](const Vec3&) { return 0.2; });
  for (int i = 0; i < 200; ++i) {
    const Mat3 R = to_matrix(normalized(Quat{u(random), u(random), u(random), u(random)}));
    const PatchLoad load = Pressed(mesh, R, std::pow(10.0, -8.0 + 0.03 * i)).load();
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_LE(norm(load.turning_arm[k]), (1.0 + 1e-15) * norm(load.arm[k])) << i;
      EXPECT_LE(norm(load.turning_spread[k]), (1.0 + 1e-15) * norm(load.spread[k])) << i;
    }
  }
}

}  // namespace
}  // namespace carom::triangles
