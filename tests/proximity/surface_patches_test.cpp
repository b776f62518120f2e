// Patches of surfaces that are hollow, open, in several parts, or no surface at all.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "carom/geometry/mass_properties.h"
#include "carom/proximity/triangles/piece_surfaces.h"
#include "support/allocation_counter.h"
#include "surface_meshes.h"

namespace carom::triangles {
namespace {

using test::brick, test::cube, test::sheet, test::together;

TriangleMesh moved(TriangleMesh m, const Vec3& by) {
  for (Vec3& p : m.vertices) p += by;
  return m;
}

Intersection meet(const TriangleMesh& a, const TriangleMesh& b, const Pose& X = {}) {
  Intersection x;
  intersect(make_triangle_surface(a), make_triangle_surface(b), X, x);
  return x;
}

const TriangleMesh kPlate = brick({-1, -1, -0.5}, {1, 1, 0});

TEST(SurfacePatch, OfFourLegsIsOnePerLegThoughTheFloorIsTwoTriangles) {
  TriangleMesh table;
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5}) table = together(table, moved(cube(0.1), {x, y, 0.04}));
  }
  for (const bool legs_first : {true, false}) {
    const Intersection x = legs_first ? meet(table, kPlate) : meet(kPlate, table);
    ASSERT_EQ(x.patches.size(), 4u);
    for (const TrianglePatch& p : x.patches) {
      EXPECT_TRUE(p.is_measured);
      EXPECT_NEAR(p.length, 0.4, 1e-8);
      EXPECT_NEAR(p.volume, 0.01 * 0.01, 1e-10);
      EXPECT_NEAR(p.normal.z, legs_first ? -1.0 : 1.0, 1e-8);
    }
  }
}

TEST(SurfacePatch, OfATubeOnEndIsOneWithTwoCurves) {
  // Walls of 0.1 around a bore that is open at both ends.
  TriangleMesh tube = brick({-0.3, -0.3, 0}, {0.3, 0.3, 0.5});
  tube.triangles.erase(tube.triangles.begin(), tube.triangles.begin() + 4);  // top and bottom
  TriangleMesh bore = brick({-0.2, -0.2, 0}, {0.2, 0.2, 0.5});
  bore.triangles.erase(bore.triangles.begin(), bore.triangles.begin() + 4);
  tube = together(tube, bore, true);
  for (const std::uint32_t z : {0u, 4u}) {
    const std::uint32_t ring[4] = {0, 1, 3, 2};
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint32_t a = ring[i] + z, b = ring[(i + 1) % 4] + z, c = b + 8, d = a + 8;
      if (z == 0) tube.triangles.insert(tube.triangles.end(), {{a, c, b}, {a, d, c}});
      if (z == 4) tube.triangles.insert(tube.triangles.end(), {{a, b, c}, {a, c, d}});
    }
  }
  ASSERT_TRUE(inspect(tube).bounds_a_body());
  const Intersection x = meet(kPlate, tube, Pose::translation({0.05, -0.03, -0.02}));
  ASSERT_EQ(x.patches.size(), 1u);
  EXPECT_EQ(x.patches[0].curves, 2u);
  EXPECT_NEAR(x.patches[0].area, 0.36 - 0.16, 1e-8);
  EXPECT_NEAR(x.patches[0].volume, 0.02 * 0.20, 1e-9);
  EXPECT_NEAR(x.patches[0].length, 4.0, 1e-8);
}

TEST(SurfacePatch, OfAHollowBodyJoinsItsShellsWithinOneTriangle) {
  // Both shells cut the upper face of the plate inside one of its triangles; no edge joins them.
  const TriangleMesh hollow = together(cube(0.4), cube(0.3), true);
  for (const bool first : {true, false}) {
    const Pose X = Pose::translation({0.5, -0.4, 0.1});
    const Intersection x = first ? meet(hollow, kPlate, inverse(X)) : meet(kPlate, hollow, X);
    ASSERT_EQ(x.patches.size(), 1u);
    EXPECT_EQ(x.patches[0].curves, 2u);
    EXPECT_TRUE(x.patches[0].is_measured);
    EXPECT_NEAR(x.patches[0].area, 0.16 - 0.09, 1e-8);
    EXPECT_NEAR(x.patches[0].volume, 0.16 * 0.1 - 0.09 * 0.05, 1e-9);
  }
}

TEST(SurfacePatch, OfAnEdgeThroughAWallHasTwoCurvesAndItsVolume) {
  // A long bar through a thin wall: no vertex of either is inside the other.
  const TriangleMesh bar = brick({-0.1, -0.1, -1}, {0.1, 0.1, 1});
  const TriangleMesh wall = brick({-1, -1, -0.05}, {1, 1, 0.05});
  for (int i = 0; i < 20; ++i) {
    const Pose X{rotation_x(0.1 * i / 20.0) * rotation_z(0.3 * i), {0.01 * i, 0.3, 0.0}};
    for (const bool bar_first : {true, false}) {
      const Intersection x = bar_first ? meet(bar, wall, inverse(X)) : meet(wall, bar, X);
      ASSERT_EQ(x.patches.size(), 1u);
      EXPECT_EQ(x.patches[0].curves, 2u);
      EXPECT_LE(x.patches[0].area, 1e-8);  // what is entered on one side is left on the other
      EXPECT_NEAR(x.patches[0].volume, 0.04 * 0.1 / std::cos(0.1 * i / 20.0), 1e-9);
    }
  }
}

TEST(SurfacePatch, OfABodyInsideAnotherHasNoCurveButAVolume) {
  for (const Pose& X : {Pose{}, Pose{rotation_x(0.3) * rotation_y(0.2), {0.1, 0.2, 0.1}}}) {
    const Intersection outer = meet(cube(1.0), cube(0.2), X);
    ASSERT_EQ(outer.patches.size(), 1u);
    EXPECT_EQ(outer.patches[0].curves, 0u);
    EXPECT_NEAR(outer.patches[0].volume, 0.008, 1e-9);
    const Intersection inner = meet(cube(0.2), cube(1.0), inverse(X));
    ASSERT_EQ(inner.patches.size(), 1u);
    EXPECT_NEAR(inner.patches[0].volume, 0.008, 1e-9);
  }
  // In the same place: the second is drawn in, and so inside.
  const Intersection same = meet(cube(1.0), cube(1.0));
  ASSERT_EQ(same.patches.size(), 1u);
  EXPECT_EQ(same.patches[0].curves, 0u);
  EXPECT_NEAR(same.patches[0].volume, 1.0, 1e-8);
  // Within a cavity is not inside.
  EXPECT_TRUE(meet(together(cube(1.0), cube(0.8), true), cube(0.5)).patches.empty());
}

TEST(SurfacePatch, OnASheetIsMeasuredAsLongAsItsRimTakesNoPart) {
  const TriangleMesh ground = sheet(8, [](double x, double y) { return 0.1 * x * y; });
  const double flat_volume = 0.2 * 0.2 * 0.03;
  for (const bool ground_first : {true, false}) {
    const Pose X{rotation_z(0.4), {0, 0, 0.07}};
    const Intersection x =
        ground_first ? meet(ground, cube(0.2), X) : meet(cube(0.2), ground, inverse(X));
    ASSERT_EQ(x.patches.size(), 1u);
    EXPECT_TRUE(x.patches[0].is_measured);
    EXPECT_NEAR(x.patches[0].volume, flat_volume, 0.02 * flat_volume);
  }
  // Over the rim the curve ends, and nothing is said of a volume.
  const Intersection rim = meet(ground, cube(0.2), Pose::translation({1.0, 0.05, 0.05}));
  ASSERT_EQ(rim.patches.size(), 1u);
  EXPECT_FALSE(rim.patches[0].is_closed);
  EXPECT_FALSE(rim.patches[0].is_measured);
  EXPECT_GT(rim.patches[0].length, 0.3);
  // A beam over the rim that dips into the middle as well: that patch is still measured.
  const TriangleMesh beam = together(brick({-0.05, -0.05, -0.1}, {0.05, 0.05, 0.3}),
                                     brick({0.9, -0.05, -0.1}, {1.2, 0.05, 0.3}));
  const Intersection both = meet(ground, beam);
  ASSERT_EQ(both.patches.size(), 2u);
  EXPECT_NE(both.patches[0].is_measured, both.patches[1].is_measured);
  EXPECT_NEAR(both.patches[0].volume + both.patches[1].volume, 1e-3, 1e-5);
  // Two sheets that cross.
  const Intersection cross = meet(ground, ground, Pose{rotation_x(1.0), {0.1, 0.1, 0.0}});
  for (const TrianglePatch& p : cross.patches) EXPECT_FALSE(p.is_measured);
  EXPECT_GT(cross.curves.segments.size(), 8u);
}

TEST(SurfacePatch, OfBoxesIsTheBoxTheyShare) {
  std::mt19937_64 gen(11);
  std::uniform_real_distribution<double> u(0.1, 0.9);
  Intersection x;
  const TriangleSurface s = make_triangle_surface(cube(1.0));
  for (int i = 0; i < 200; ++i) {
    const Vec3 d{u(gen), -u(gen), u(gen)};
    intersect(s, s, Pose::translation(d), x, Faces::as_given);
    const double a = 1 - d.x, b = 1 + d.y, c = 1 - d.z;
    ASSERT_EQ(x.patches.size(), 1u);
    EXPECT_NEAR(x.patches[0].volume, a * b * c, 1e-15);
    EXPECT_NEAR(x.patches[0].length, 2 * (a + b + c), 1e-14);
    EXPECT_LE(norm(x.patches[0].area_vector - Vec3{b * c, -a * c, a * b}), 1e-15);
    EXPECT_LE(norm(x.patches[0].volume_centre - 0.5 * d), 1e-15);
  }
}

// A list that is kept from pose to pose says where to look, and nothing else.
TEST(SurfacePatch, HasTheSameBitsWithAListOfNearPairs) {
  const TriangleSurface torus = make_triangle_surface(test::bumpy_torus(20)),
                        ball = make_triangle_surface(test::bumpy_sphere(2));
  std::mt19937_64 gen(5);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  Pose X{rotation_y(0.4), {0.9, 0.3, 0.2}};
  NearPairs near;
  Intersection with, without;
  std::size_t kept = 0, patches = 0;
  for (int i = 0; i < 400; ++i) {
    // Mostly a little way, at times far.
    const double way = i % 50 == 49 ? 0.3 : std::pow(10.0, -6.0 + 4.0 * std::abs(u(gen)));
    X.p += way * Vec3{u(gen), u(gen), u(gen)};
    X.R = rotation_z(way * u(gen)) * rotation_x(way * u(gen)) * X.R;
    const Pose before = near.X_AB;
    intersect(ball, torus, X, with, Faces::second_drawn_in, &near);
    intersect(ball, torus, X, without);
    kept += before.p == near.X_AB.p;
    ASSERT_EQ(with.patches.size(), without.patches.size()) << i;
    patches += with.patches.size();
    for (std::size_t k = 0; k < with.patches.size(); ++k) {
      EXPECT_EQ(with.patches[k].volume, without.patches[k].volume) << i;
      EXPECT_EQ(with.patches[k].length, without.patches[k].length) << i;
      EXPECT_EQ(with.patches[k].area_vector, without.patches[k].area_vector) << i;
    }
  }
  EXPECT_GT(kept, 100u);
  EXPECT_GT(patches, 200u);
}

// The side of a sheet that has less of the body is the one that counts, whichever way it runs.
TEST(SurfacePatch, OfASheetIsOnTheSideThatHasLessOfTheBody) {
  TriangleMesh flat = sheet(6, [](double, double) { return 0.0; });
  const auto body = make_collider_surface(cube(0.2));
  for (const bool turned : {false, true}) {
    if (turned) {
      for (Triangle& t : flat.triangles) std::swap(t[1], t[2]);
    }
    const auto ground = make_collider_surface(flat);
    ASSERT_TRUE(ground->back);
    for (const double z : {0.09, -0.09}) {
      for (const bool ground_first : {true, false}) {
        const Pose X{rotation_z(0.3), {0.03, 0.04, z}};
        PieceSurfaces s{ground.get(), body.get(), {}, X, Faces::as_given};
        if (!ground_first) s = {body.get(), ground.get(), X, {}, Faces::as_given};
        Intersection scratch;
        SurfaceState state;
        find_state(s, 0.0, scratch, state);
        ASSERT_EQ(state.patches.size(), 1u);
        EXPECT_TRUE(state.patches[0].is_measured);
        EXPECT_NEAR(state.patches[0].depth, 0.01, 1e-9);
        // From the first to the second.
        EXPECT_NEAR(state.patches[0].normal.z, (z > 0.0) == ground_first ? 1.0 : -1.0, 1e-9);
      }
    }
  }
}

// The rim of a cup that stands upside down ends inside the floor: no volume is closed there.
TEST(SurfacePatch, AroundARimIsNotMeasured) {
  TriangleMesh cup = cube(0.2);
  std::erase_if(cup.triangles, [&](const Triangle& t) {
    return cup.vertices[t[0]].z < 0.0 && cup.vertices[t[1]].z < 0.0 && cup.vertices[t[2]].z < 0.0;
  });
  const Intersection x = meet(cube(1.0), cup, Pose::translation({0.0, 0.0, 0.59}));
  ASSERT_EQ(x.patches.size(), 1u);
  EXPECT_TRUE(x.patches[0].is_closed);
  EXPECT_FALSE(x.patches[0].is_measured);
  EXPECT_NEAR(x.patches[0].length, 0.8, 1e-8);
}

TEST(SurfacePatch, DependsOnTheRelativePoseOnlyAndNotOnWhatWasAskedBefore) {
  const TriangleSurface torus = make_triangle_surface(test::bumpy_torus(20)),
                        ball = make_triangle_surface(test::bumpy_sphere(2));
  const Pose X{rotation_y(0.4), {0.9, 0.3, 0.2}};
  Intersection used, fresh;
  intersect(ball, torus, X, used);
  intersect(torus, torus, Pose::translation({0.5, 0, 0}), used);
  intersect(ball, ball, Pose::translation({0.1, 0, 0}), used);
  intersect(torus, ball, X, used);
  intersect(torus, ball, X, fresh);
  ASSERT_EQ(used.patches.size(), fresh.patches.size());
  for (std::size_t i = 0; i < used.patches.size(); ++i) {
    EXPECT_EQ(used.patches[i].volume, fresh.patches[i].volume);
    EXPECT_EQ(used.patches[i].length, fresh.patches[i].length);
    EXPECT_EQ(used.patches[i].area_vector, fresh.patches[i].area_vector);
  }
  const long before = carom::testing::allocation_count();
  for (int i = 0; i < 20; ++i) {
    intersect(torus, ball, X, used);
    intersect(ball, torus, X, used);
  }
  if (carom::testing::can_count_allocations()) {
    EXPECT_EQ(carom::testing::allocation_count(), before);
  }
}

TEST(SurfacePatch, OfNothingOrOfNoPoseIsNone) {
  const TriangleMesh nothing;
  EXPECT_TRUE(meet(nothing, cube(1.0)).patches.empty());
  EXPECT_TRUE(meet(cube(1.0), nothing).patches.empty());
  EXPECT_TRUE(meet(nothing, nothing).patches.empty());
  const double nan = std::nan("");
  EXPECT_TRUE(meet(cube(1.0), cube(1.0), Pose::translation({nan, 0, 0})).patches.empty());
  EXPECT_TRUE(meet(cube(1.0), cube(1.0), Pose{Mat3::diagonal({1, nan, 1}), {}}).patches.empty());
  EXPECT_TRUE(meet(cube(1.0), cube(1.0), Pose::translation({1e300, 0, 0})).patches.empty());
  TriangleMesh broken = cube(1.0);
  broken.vertices[3].y = nan;
  EXPECT_TRUE(meet(broken, cube(1.0)).patches.empty());
  const TriangleMesh slivers{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}, {0, 0, 1}}};
  EXPECT_TRUE(meet(slivers, cube(1.0)).patches.empty());
}

TEST(SurfacePatch, OfABodyAcrossAWallInsideHasAllItsVolume) {
  // Two bricks in one mesh with a face in common, there twice: drawn in, it is a gap of a hair.
  const TriangleMesh halves =
      together(brick({-1, -1, -1}, {0, 1, 1}), brick({0, -1, -1}, {1, 1, 1}));
  std::mt19937_64 gen(8);
  for (int i = 0; i < 20; ++i) {
    const Pose X = test::random_turn(gen, 0.3);
    for (const bool first : {true, false}) {
      const Intersection x =
          first ? meet(halves, cube(0.5), X) : meet(cube(0.5), halves, inverse(X));
      double volume = 0.0;
      for (const TrianglePatch& p : x.patches) {
        EXPECT_TRUE(p.is_measured);
        volume += p.volume;
      }
      EXPECT_NEAR(volume, 0.125, 1e-9);
    }
  }
}

TEST(SurfacePatch, OfSizesAThousandTimesApartIsAsExact) {
  for (const double unit : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
    const TriangleMesh small = cube(unit);
    const Intersection x = meet(moved(cube(1000 * unit), {0, 0, -500 * unit}), small,
                                Pose{rotation_z(0.3), {unit, unit, 0.49 * unit}});
    ASSERT_EQ(x.patches.size(), 1u);
    EXPECT_NEAR(x.patches[0].length, 4 * unit, 1e-8 * unit);
    EXPECT_NEAR(x.patches[0].volume, 0.01 * unit * unit * unit, 1e-9 * unit * unit * unit);
  }
}

}  // namespace
}  // namespace carom::triangles
