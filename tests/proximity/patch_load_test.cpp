// How patches press, against closed forms, and distances of surfaces, against those of convex
// bodies.
#include "carom/proximity/triangles/patch_load.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "carom/geometry/core_kinds.h"
#include "carom/geometry/shape.h"
#include "carom/proximity/distance.h"
#include "carom/proximity/triangles/piece_surfaces.h"
#include "carom/proximity/triangles/surface_distance.h"
#include "proximity/surface_meshes.h"

namespace carom::triangles {
namespace {

constexpr double kLr = 8.0 * std::numbers::sqrt2 / (3.0 * std::numbers::pi);
constexpr double kModulus = 1.0 / (2.0 * (1.0 - 0.09) / 2.1e6);

TriangleSurface cube(double side, int times) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back(0.5 * side *
                            Vec3{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
  }
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  test::subdivide(mesh, times);
  return make_triangle_surface(mesh);
}
TriangleSurface plane() {
  TriangleSurface p = make_triangle_surface(plane_mesh(1.0));
  p.drawn_in = p.vertices;
  return p;
}
/// Projected onto the sphere at every halving, so that its triangles are alike.
TriangleSurface ball(int times) {
  TriangleMesh mesh = test::icosphere(0, [](const Vec3&) { return 0.2; });
  for (; times > 0; --times) {
    test::subdivide(mesh, 1);
    for (Vec3& v : mesh.vertices) v = 0.2 * normalized(v);
  }
  return make_triangle_surface(mesh);
}

PatchLoad only_load(const TriangleSurface& A, const TriangleSurface& B, const Pose& X_AB,
                    Faces faces = Faces::as_given) {
  Intersection x;
  intersect(A, B, X_AB, x, faces);
  EXPECT_EQ(x.patches.size(), 1u);
  return x.patches.empty() ? PatchLoad{} : calc_load(A, B, X_AB.R, x, x.patches.front());
}
double force_of(const PatchLoad& load) { return 0.25 * kLr * kModulus * load.pressed; }

// E 2.1 MPa twice, depth 1 mm, circumference 0.8 m.
TEST(PatchLoad, OfACubeIsThatOfItsEdgesHoweverItIsCut) {
  const TriangleSurface ground = plane();
  for (const int times : {0, 2, 5}) {
    const TriangleSurface c = cube(0.2, times);
    EXPECT_EQ(c.triangles.size(), 12u << (2 * times));
    const PatchLoad load = only_load(ground, c, Pose::translation({0.3, -0.2, 0.099}));
    EXPECT_NEAR(force_of(load), 277.02, 0.005);
    EXPECT_NEAR(force_of(load), 0.25 * kLr * kModulus * 0.8 * 1e-3, 1e-9 * 277.0);
    EXPECT_NEAR(load.depth, 1e-3, 1e-14);
    EXPECT_NEAR(norm(load.normal - Vec3{0, 0, 1}), 0.0, 1e-13);
    EXPECT_NEAR(norm(load.pressure_centre - Vec3{0.3, -0.2, 0.0}), 0.0, 1e-12);
  }
}

// A wedge: depth d + t x over a square of side a, so with x from the middle the circumference
// presses with moment ∮ t x² ds = t (a³/2 + a³/6).
TEST(PatchLoad, OfATiltedCubeHasTheMomentOfItsSlope) {
  const TriangleSurface ground = plane();
  const double a = 0.2, d = 1e-3, t = 1e-3;
  const Mat3 R = to_matrix(quat_exp({0.0, std::atan(t), 0.0}));
  std::array<double, 3> moments{};
  for (const int times : {0, 2, 5}) {
    const TriangleSurface c = cube(a, times);
    const Vec3 middle_of_face = R * Vec3{0.0, 0.0, -0.5 * a};
    const PatchLoad load = only_load(ground, c, {R, Vec3{0.0, 0.0, -d} - middle_of_face});
    const double moment = load.pressed * load.pressure_centre.x;
    // The face is longer than its shadow by t²/2, and the sides lean: terms of t² and t d / a.
    EXPECT_NEAR(moment, t * (a * a * a) * (2.0 / 3.0), 0.02 * t * a * a * a);
    moments[times == 0 ? 0 : times == 2 ? 1 : 2] = moment;
  }
  EXPECT_NEAR(moments[1] / moments[0], 1.0, 1e-9);
  EXPECT_NEAR(moments[2] / moments[0], 1.0, 1e-9);
}

// Hertz: F = (4/3) E* √R d^(3/2). A facet cuts off its sagitta e²/(8 R) at most (e the longest edge
// times 2/√3): where a facet is below, that much depth is missing.
TEST(PatchLoad, OfASphereIsThatOfHertz) {
  const TriangleSurface ground = plane(), sphere = ball(5);
  EXPECT_EQ(sphere.triangles.size(), 20480u);
  const double edge = 0.2 * 1.1071 / 32.0, sagitta = edge * edge / 6.0 / 0.2;
  for (const double depth : {1e-3, 5e-3, 10e-3}) {
    const double hertz = 4.0 / 3.0 * kModulus * std::sqrt(0.2) * std::pow(depth, 1.5);
    const double error = depth > 2e-3 ? 0.015 : 1.5 * sagitta / depth;
    for (const Vec3& turn : {Vec3{}, Vec3{0.3, 0.5, -0.2}}) {
      const Pose X{to_matrix(quat_exp(turn)), {0.0, 0.0, 0.2 - depth}};
      EXPECT_NEAR(force_of(only_load(ground, sphere, X)) / hertz, 1.0, error) << depth;
    }
  }
}

// 0.4 m at a height that stays, in steps of 1 mm: facets let the force flicker and do no work.
TEST(PatchLoad, OfASphereThatRollsRipplesByLessThanAHundredth) {
  const TriangleSurface ground = plane(), sphere = ball(4);
  EXPECT_EQ(sphere.triangles.size(), 5120u);
  constexpr double kHeight = 0.198, kWay = 0.4;
  constexpr int kSteps = 400;
  std::mt19937 random(20130517);
  std::normal_distribution<double> normal;
  for (int pose = 0; pose < 4; ++pose) {
    const Mat3 start = to_matrix(quat_exp({normal(random), normal(random), normal(random)}));
    double sum = 0.0, sum2 = 0.0, torque = 0.0;
    for (int i = 0; i < kSteps; ++i) {
      const double x = kWay * i / kSteps - 0.5 * kWay;
      const Mat3 turn = to_matrix(quat_exp({0.0, x / kHeight, 0.0}));
      const PatchLoad load = only_load(ground, sphere, {turn * start, {x, 0.03, kHeight}});
      const double force = force_of(load);
      sum += force, sum2 += force * force, torque += force * (load.pressure_centre.x - x);
    }
    const double mean = sum / kSteps;
    EXPECT_LT(std::sqrt(sum2 / kSteps - mean * mean), 0.01 * mean);
    EXPECT_LT(std::abs(torque) / kSteps, 1e-3 * mean * 0.2);
  }
}

// A facet of area 4 pi R²/N lies s = 2 pi R / (√3 N) below the sphere in the mean, 35 µm here: in
// every pose a mesh with its vertices on the sphere is softer by that, by 1.5 s/d, which is more
// than 5 % at 1 mm. With the volume of the ball it is Hertz's.
TEST(PatchLoad, OfASphereMissesWhatItsFacetsCutOff) {
  const TriangleSurface ground = plane(), inscribed = ball(5);
  const double s = 2.0 * std::numbers::pi * 0.2 / (std::numbers::sqrt3 * 20480.0);
  const double whole = 4.0 / 3.0 * std::numbers::pi * 0.008;
  const double larger = std::cbrt(whole / inscribed.volume);
  EXPECT_NEAR(0.2 * (larger - 1.0), s, 0.02 * s);
  TriangleMesh mesh{inscribed.vertices, inscribed.triangles};
  for (Vec3& v : mesh.vertices) v = larger * v;
  const TriangleSurface full = make_triangle_surface(mesh);
  std::mt19937 random(3);
  std::normal_distribution<double> u;
  for (int i = 0; i < 40; ++i) {
    const Mat3 R = to_matrix(normalized(Quat{u(random), u(random), u(random), u(random)}));
    for (const double depth : {1e-3, 2e-3, 5e-3, 10e-3}) {
      const double hertz = 4.0 / 3.0 * kModulus * std::sqrt(0.2) * std::pow(depth, 1.5);
      const Pose X{R, {0.0, 0.0, 0.2 - depth}};
      const double missing = 1.0 - force_of(only_load(ground, inscribed, X)) / hertz;
      const double error = 1.0 - force_of(only_load(ground, full, X)) / hertz;
      EXPECT_LT(std::abs(error), depth < 4e-3 ? 0.05 : 0.015) << i << " " << depth;
      EXPECT_NEAR(missing - error, 1.5 * s / depth, 0.1 * 1.5 * s / depth) << i << " " << depth;
    }
  }
}

// A disc of pressure has the mean lever 2/3 of its radius.
TEST(PatchLoad, HasTheLeverOfItsPressure) {
  const TriangleSurface ground = plane(), sphere = ball(5);
  const PatchLoad load = only_load(ground, sphere, Pose::translation({0.0, 0.0, 0.19}));
  const double radius = load.length / (2.0 * std::numbers::pi);
  for (const Vec3& arm : load.arm) EXPECT_NEAR(norm(arm), 2.0 / 3.0 * radius, 1e-3 * radius);
  EXPECT_NEAR(dot(load.arm[0], load.arm[1]), 0.0, 1e-3 * radius * radius);
}

// Faces in one plane, turned together: the force stays what it is, and vertical.
TEST(PatchLoad, OfAlignedCubesDoesNotDependOnTheCommonPose) {
  const TriangleSurface c = cube(0.2, 0);
  std::mt19937 random(11);
  std::normal_distribution<double> u;
  for (int i = 0; i < 200; ++i) {
    const Mat3 R = to_matrix(normalized(Quat{u(random), u(random), u(random), u(random)}));
    const Pose X_WA{R, {}}, X_WB{R, R * Vec3{0.0, 0.0, 0.199}};
    Intersection x;
    intersect(c, c, inverse(X_WA) * X_WB, x);
    ASSERT_EQ(x.patches.size(), 1u);
    const PatchLoad load = calc_load(c, c, (inverse(X_WA) * X_WB).R, x, x.patches.front());
    EXPECT_NEAR(force_of(load), 277.02, 0.005) << i;
    EXPECT_LT(std::hypot(load.normal.x, load.normal.y), 1e-6);
  }
}

// Boxes are convex: their distance is known by another algorithm.
TEST(SurfaceDistance, IsThatOfConvexBodies) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  const auto turn = [&] {
    return to_matrix(normalized(Quat{u(random), u(random), u(random), 0.4}));
  };
  TreePairs scratch;
  int apart = 0;
  for (int i = 0; i < 2000; ++i) {
    ShapeInput input[2];
    for (ShapeInput& s : input) {
      s.kind = find_shape_kind("box");
      s.params = {0.3 + 0.2 * u(random), 0.3 + 0.2 * u(random), 0.3 + 0.2 * u(random)};
      s.edge_radius = 0.0;
    }
    const Shape a = make_shape(input[0]), b = make_shape(input[1]);
    TriangleMesh ma = tessellate(a), mb = tessellate(b);
    test::subdivide(ma, i % 3), test::subdivide(mb, i % 2);
    const Pose X_AB{turn(), {0.7 * u(random), 0.7 * u(random), 0.7 * u(random)}};
    const Contact expected = distance(a.core, {}, b.core, X_AB);
    if (!(expected.phi > 1e-6)) continue;
    ++apart;
    const SurfaceDistance found = find_distance(
        make_triangle_surface(ma), make_triangle_surface(mb), X_AB, Faces::as_given, 10.0, scratch);
    EXPECT_TRUE(found.is_found);
    EXPECT_NEAR(found.distance, expected.phi, 1e-12) << i;
    EXPECT_NEAR(norm(found.p_b - found.p_a), found.distance, 1e-14);
    // Nothing is nearer than less than that.
    EXPECT_FALSE(find_distance(make_triangle_surface(ma), make_triangle_surface(mb), X_AB,
                               Faces::as_given, 0.99 * expected.phi, scratch)
                     .is_found);
  }
  EXPECT_GT(apart, 300);
}

// Above a plane that is one large triangle of a body with three more: only those few triangles of a
// fine mesh are looked at that may be the nearest, and the answer is that of its lowest vertex. It
// has 1.3 million triangles.
TEST(SurfaceDistance, OfAFineMeshAboveAPlaneIsThatOfItsLowestVertex) {
  const TriangleSurface ground = plane(), sphere = ball(8);
  std::mt19937 random(4);
  std::normal_distribution<double> u;
  TreePairs scratch;
  Intersection x;
  for (int i = 0; i < 5; ++i) {
    const Mat3 R = to_matrix(normalized(Quat{u(random), u(random), u(random), u(random)}));
    const Pose X{R, {0.1, -0.05, 0.25}};
    double lowest = 1.0;
    for (const Vec3& v : sphere.vertices) lowest = std::min(lowest, (X * v).z);
    const SurfaceDistance found =
        find_distance(ground, sphere, X, Faces::as_given, 1e6, scratch, nullptr);
    EXPECT_NEAR(found.distance, lowest, 1e-14) << i;
    // And 10 mm deep it has the volume of a cap, less what facets cut off.
    intersect(ground, sphere, {R, {0.1, -0.05, 0.19}}, x, Faces::as_given);
    ASSERT_EQ(x.patches.size(), 1u);
    const double cap = std::numbers::pi * 1e-4 * (0.2 - 0.01 / 3.0);
    const auto n = static_cast<double>(sphere.triangles.size());
    const double s = 2.0 * std::numbers::pi * 0.2 / (std::numbers::sqrt3 * n);
    EXPECT_NEAR(x.patches[0].volume / cap, 1.0 - 2.0 * s / 0.01, 0.5 * s / 0.01) << i;
  }
}

// Two triangles that were nearest say how far to look, and nothing else: also where faces are
// parallel and many points are equally near, and where the two are of quite another pose.
TEST(SurfaceDistance, HasTheSameBitsWithAGuess) {
  const TriangleSurface torus = make_triangle_surface(test::bumpy_torus(20)), box = cube(0.4, 2);
  std::mt19937 random(8);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  TreePairs scratch;
  int found_some = 0;
  for (const TriangleSurface* other : {&torus, &box}) {
    ItemPair guess{kNoIndex, kNoIndex};
    Pose X{{}, {0.0, 0.0, 0.7}};
    for (int i = 0; i < 300; ++i) {
      const double way = i % 40 == 39 ? 0.2 : 1e-3;
      X.p += way * Vec3{u(random), u(random), u(random)};
      if (other == &torus) X.R = rotation_x(way * u(random)) * X.R;  // cubes stay parallel
      if (i % 7 == 0) guess.a = static_cast<std::uint32_t>(random() % box.triangles.size());
      const auto with = find_distance(box, *other, X, Faces::as_given, 1.0, scratch, &guess);
      const auto without = find_distance(box, *other, X, Faces::as_given, 1.0, scratch);
      ASSERT_EQ(with.is_found, without.is_found) << i;
      EXPECT_EQ(with.distance, without.distance) << i;
      EXPECT_EQ(with.p_a, without.p_a) << i;
      EXPECT_EQ(with.p_b, without.p_b) << i;
      found_some += with.is_found && with.distance > 0.0;
    }
  }
  EXPECT_GT(found_some, 200);
}

}  // namespace
}  // namespace carom::triangles
