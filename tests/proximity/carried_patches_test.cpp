// Patches that are moved along, against patches that are found where the bodies have come to.
#include "carom/proximity/triangles/carried_patches.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "proximity/surface_meshes.h"

namespace carom::triangles {
namespace {

TriangleSurface block(const Vec3& size) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back({i & 1 ? 0.5 * size.x : -0.5 * size.x,
                             i & 2 ? 0.5 * size.y : -0.5 * size.y,
                             i & 4 ? 0.5 * size.z : -0.5 * size.z});
  }
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return make_triangle_surface(mesh);
}
TriangleSurface ball() {
  TriangleMesh mesh = test::icosphere(5, [](const Vec3&) { return 0.2; });
  return make_triangle_surface(mesh);
}
Pose turned(const Vec3& turn, const Vec3& p) { return {to_matrix(quat_exp(turn)), p}; }

/// A table, and what stands on it: the second overlaps it by a millimetre or so.
struct OnTable {
  TriangleSurface table = block({1.0, 1.0, 0.1});
  TriangleSurface body;
  Pose X_WB;

  SurfaceState found(const Motions& since = {}) const {
    const PieceSurfaces s{&table, &body, since.A * Pose::translation({0, 0, -0.05}), since.B * X_WB,
                          Faces::as_given};
    Intersection scratch;
    SurfaceState out;
    find_state(s, 1.0, scratch, out);
    return out;
  }
};

PatchLoad only(const SurfaceState& state) {
  EXPECT_EQ(state.patches.size(), 1u);
  return state.patches.empty() ? PatchLoad{} : state.patches.front();
}
PatchLoad only_carried(const SurfaceState& found, const Motions& since) {
  SurfaceState out;
  carry(found, since, out);
  return only(out);
}

void expect_equal(const PatchLoad& a, const PatchLoad& b, double far) {
  EXPECT_NEAR(a.depth, b.depth, far);
  EXPECT_NEAR(a.pressed, b.pressed, far);
  EXPECT_NEAR(a.volume, b.volume, far);
  EXPECT_EQ(a.length, b.length);
  EXPECT_EQ(a.area, b.area);
  EXPECT_NEAR(norm(a.normal - b.normal), 0.0, far);
  EXPECT_NEAR(norm(a.slope - b.slope), 0.0, far);
  for (const auto place : {&PatchLoad::centre, &PatchLoad::volume_centre,
                           &PatchLoad::pressure_centre, &PatchLoad::length_centre}) {
    EXPECT_NEAR(norm(a.*place - b.*place), 0.0, far);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(norm(a.arm[i] - b.arm[i]), 0.0, far);
    EXPECT_NEAR(norm(a.spread[i] - b.spread[i]), 0.0, far);
    EXPECT_NEAR(norm(a.turning_arm[i] - b.turning_arm[i]), 0.0, far);
    EXPECT_NEAR(norm(a.turning_spread[i] - b.turning_spread[i]), 0.0, far);
  }
}

/// Only how the bodies move against each other counts: where both move alike besides, all of it
/// moves along. Rounding of coordinates of about a metre, some ten operations.
TEST(CarriedPatches, MoveWithWhatBothBodiesDo) {
  std::mt19937_64 dice(7);
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  const auto vector = [&](double size) { return size * Vec3{draw(dice), draw(dice), draw(dice)}; };
  const OnTable cube{.body = block({0.2, 0.2, 0.2}),
                     .X_WB = turned({4e-3, 2e-3, 0.3}, {0, 0, 0.099})};
  const SurfaceState found = cube.found();
  for (int i = 0; i < 20; ++i) {
    const Pose G = turned(vector(2.0), vector(1.0));
    const Motions own{turned(vector(1e-3), vector(1e-4)), turned(vector(1e-3), vector(1e-4))};
    expect_equal(only_carried(found, {G * own.A, G * own.B}), moved(G, only_carried(found, own)),
                 1e-14);
    expect_equal(only_carried(found, {G, G}), moved(G, only(found)), 1e-14);
  }
}

/// A face keeps its curve, so that what is carried is what is found: to rounding where it is
/// pressed in, to second order where it tilts (its sides lean, and its shadow is shorter).
TEST(CarriedPatches, OfAFaceAreThoseThatAreFound) {
  const OnTable cube{.body = block({0.2, 0.3, 0.2}), .X_WB = Pose::translation({0.1, 0, 0.099})};
  const SurfaceState start = cube.found();
  const Motions pressed{Pose::translation({0, 0, 2e-4}), Pose::translation({0, 0, -3e-4})};
  const PatchLoad deeper = only_carried(start, pressed);
  EXPECT_NEAR(deeper.depth, 1.5e-3, 1e-14);
  EXPECT_NEAR(deeper.pressed, only(cube.found(pressed)).pressed, 1e-13);
  double last = 0.0;
  for (const double tilt : {2e-3, 1e-3, 5e-4}) {
    const Pose about =
        Pose::translation({0.1, 0, 0}) * turned({0, tilt, 0}, {}) * Pose::translation({-0.1, 0, 0});
    const PatchLoad is = only_carried(start, {{}, about}), was = only(start);
    const PatchLoad there = only(cube.found({{}, about}));
    // t a²b/2 + t a³/6 of two sides: (M = t ∮ x² ds).
    const double moment = tilt * (0.3 * 0.02 + 2.0 * 0.2 * 0.2 * 0.2 / 12.0);
    EXPECT_NEAR(is.pressed * (is.pressure_centre.x - 0.1), moment, 1e-3 * moment) << tilt;
    EXPECT_NEAR(is.pressed, was.pressed, 1e-5 * was.pressed);
    const double error = norm(is.pressed * (is.pressure_centre - was.centre) -
                              there.pressed * (there.pressure_centre - was.centre));
    EXPECT_LT(error, 0.02 * moment) << tilt;
    if (last > 0.0) {
      EXPECT_LT(error, 0.6 * last) << tilt;
    }
    last = error;
  }
}

/// P = L δ of a ball is as d^(3/2) with δ = d/2: it grows by 3/2 P/d where it is found, and by L =
/// 2 P/d over a curve that stays. Of 20,480 facets a millimetre of way averages over some.
TEST(CarriedPatches, OfABallChangeByFourThirds) {
  const OnTable sphere{.body = ball(), .X_WB = turned({0.3, 0.5, -0.2}, {0, 0, 0.19})};
  const SurfaceState start = sphere.found();
  const Motions in{{}, Pose::translation({0, 0, -1e-3})}, out{{}, Pose::translation({0, 0, 1e-3})};
  const double found = only(sphere.found(in)).pressed - only(sphere.found(out)).pressed;
  const double carried = only_carried(start, in).pressed - only_carried(start, out).pressed;
  EXPECT_NEAR(carried / found, 4.0 / 3.0, 0.02);
}

/// What has come apart does not pull, however far; a gap stays one.
TEST(CarriedPatches, DoNotPressWhereBodiesHaveParted) {
  const OnTable cube{.body = block({0.2, 0.2, 0.2}), .X_WB = Pose::translation({0, 0, 0.099})};
  for (const double up : {1e-3, 2e-3, 0.5}) {
    const PatchLoad patch = only_carried(cube.found(), {{}, Pose::translation({0, 0, up})});
    EXPECT_EQ(patch.pressed, 0.0) << up;
    EXPECT_LT(patch.depth, 0.0) << up;
    EXPECT_EQ(patch.volume, 0.0) << up;
  }
  // The centre of pressure stays within the face, even where nearly nothing presses.
  const Pose tip = turned({0, 0.0099, 0}, {0, 0, 0.99e-3});
  const PatchLoad edge = only_carried(cube.found(), {{}, tip});
  EXPECT_GT(edge.pressed, 0.0);
  EXPECT_LT(norm(edge.pressure_centre), 0.2);
}

TEST(CarriedPatches, OfBodiesApartHaveTheirDistance) {
  const OnTable cube{.body = block({0.2, 0.2, 0.2}), .X_WB = turned({0.3, 0.2, 0.1}, {0, 0, 0.2})};
  const SurfaceState start = cube.found();
  ASSERT_TRUE(start.patches.empty());
  const Motions since{
      turned({0.1, -0.2, 0.3}, {0.3, 0.2, 0.1}),
      turned({0.1, -0.2, 0.3}, {0.3, 0.2, 0.1}) * turned({1e-5, 2e-5, 0}, {1e-3, 0, -2e-3})};
  SurfaceState carried;
  carry(start, since, carried);
  const Contact there = cube.found(since).apart;
  EXPECT_NEAR(carried.apart.phi, there.phi, 1e-7);  // what the turn by 2e-5 does to the normal
  EXPECT_LT(carried.apart.phi, start.apart.phi - 1.9e-3);
  EXPECT_NEAR(norm(carried.apart.n_AB_W - there.n_AB_W), 0.0, 3e-5);
  EXPECT_NEAR(norm(carried.apart.p_WCb - there.p_WCb), 0.0, 1e-12);
}

/// Ends lie half-way between where the bodies take them, normals turn with their own.
TEST(CarriedPatches, CarryTheirSegments) {
  const OnTable cube{.body = block({0.2, 0.2, 0.2}), .X_WB = Pose::translation({0, 0, 0.099})};
  const PieceSurfaces s{&cube.table, &cube.body, Pose::translation({0, 0, -0.05}), cube.X_WB,
                        Faces::as_given};
  Intersection scratch;
  SurfaceState state;
  find_state(s, 1.0, scratch, state);
  PatchSegments found, out;
  list_segments(s, scratch, state, found);
  ASSERT_FALSE(found.segments.empty());
  ASSERT_EQ(found.approach.size(), 1u);
  const Motions since{turned({0, 0, 0.1}, {}), Pose::translation({0, 0, -1e-4})};
  carry(found, state, since, out);
  ASSERT_EQ(out.segments.size(), found.segments.size());
  for (std::size_t i = 0; i < found.segments.size(); ++i) {
    const PatchSegment &a = found.segments[i], &b = out.segments[i];
    EXPECT_EQ(b.a, a.a);
    EXPECT_EQ(b.b, a.b);
    EXPECT_EQ(b.patch, a.patch);
    EXPECT_NEAR(norm(b.from - 0.5 * (since.A * a.from + since.B * a.from)), 0.0, 1e-15);
    EXPECT_NEAR(norm(b.to - 0.5 * (since.A * a.to + since.B * a.to)), 0.0, 1e-15);
    EXPECT_EQ(b.n_a, since.A.R * a.n_a);
    EXPECT_EQ(b.n_b, a.n_b);
  }
  EXPECT_NEAR(out.approach[0], found.approach[0] + 1e-4, 1e-14);
  carry(found, state, {{}, Pose::translation({0, 0, 0.01})}, out);
  EXPECT_EQ(out.approach[0], 0.0);
}

}  // namespace
}  // namespace carom::triangles
