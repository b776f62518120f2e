// Circumferences of intersections against tables and closed forms.
//
// Tables: icospheres (vertices projected onto the sphere at every halving of edges) of radius
// 0.2 m in a plane, and cubes of 0.2 m that overlap by 1 mm, computed as exact polygons by another
// program; the law they belong to is that of Moisio, "Contact dynamics of triangle meshes" (2013).
#include <gtest/gtest.h>

#include "carom/proximity/triangles/intersection.h"
#include "support/allocation_counter.h"
#include "surface_meshes.h"

namespace carom::triangles {
namespace {

using test::bumpy_sphere, test::bumpy_torus, test::cube;

TriangleMesh projected_icosphere(int times) {
  const auto onto = [](const Vec3&) { return 0.2; };
  TriangleMesh m = test::icosphere(0, onto);
  for (; times > 0; --times) {
    test::subdivide(m, 1);
    for (Vec3& p : m.vertices) p = 0.2 * normalized(p);
  }
  return m;
}

/// The plane z = 0 as one large triangle.
TriangleSurface plane() {
  return make_triangle_surface({{{-3, -2, 0}, {3, -2, 0}, {0, 3, 0}}, {{0, 1, 2}}});
}

double total_length(const Intersection& x) {
  double sum = 0.0;
  for (const TrianglePatch& p : x.patches) sum += p.length;
  return sum;
}

struct SphereRow {
  int times;
  double depth;
  std::size_t segments;
  double length;
};
constexpr SphereRow kSpheres[] = {
    {3, 0.0001, 0, 0.0},
    {3, 0.0002, 6, 0.003365771650637121},
    {3, 0.0005, 6, 0.03632148020961556},
    {3, 0.001, 6, 0.0912476611412473},
    {3, 0.002, 12, 0.1530297511635821},
    {3, 0.005, 20, 0.26412646369110654},
    {3, 0.01, 30, 0.3821947024294904},
    {3, 0.015, 34, 0.4695047890462},
    {3, 0.02, 41, 0.5408271406275171},
    {4, 0.0001, 0, 0.0},
    {4, 0.0002, 10, 0.03873463785814146},
    {4, 0.0005, 12, 0.07665273809492185},
    {4, 0.001, 18, 0.11865853367783634},
    {4, 0.002, 24, 0.17118961273983782},
    {4, 0.005, 42, 0.27595133725511245},
    {4, 0.01, 58, 0.3898332868823409},
    {4, 0.015, 70, 0.4753454252446352},
    {4, 0.02, 81, 0.546024735857015},
    {5, 0.0001, 10, 0.03385117947026603},
    {5, 0.0002, 16, 0.05181163974171324},
    {5, 0.0005, 28, 0.08633786837053954},
    {5, 0.001, 40, 0.12369474442695733},
    {5, 0.002, 52, 0.1758358299301658},
    {5, 0.005, 84, 0.2783884148909121},
    {5, 0.01, 116, 0.3917579236360765},
    {5, 0.015, 142, 0.4769665336197883},
    {5, 0.02, 163, 0.547317689860874},
};

TEST(Circumference, OfSpheresInAPlaneIsThatOfTheTable) {
  const TriangleSurface ground = plane();
  const Mat3 R = axis_angle(normalized(Vec3{1, 2, 3}), 0.7);
  const TriangleSurface spheres[] = {make_triangle_surface(projected_icosphere(3)),
                                     make_triangle_surface(projected_icosphere(4)),
                                     make_triangle_surface(projected_icosphere(5))};
  Intersection x;
  for (const SphereRow& row : kSpheres) {
    const TriangleSurface& sphere = spheres[row.times - 3];
    const Pose X{R, {0, 0, 0.2 - row.depth}};
    intersect(ground, sphere, X, x, Faces::as_given);
    EXPECT_NEAR(total_length(x), row.length, 1e-12) << row.times << " " << row.depth;
    EXPECT_EQ(x.curves.segments.size(), row.segments) << row.times << " " << row.depth;
    // Drawn in by 2e-11 m; near the lowest point the length changes by 100 m per m of depth.
    intersect(ground, sphere, X, x);
    EXPECT_NEAR(total_length(x), row.length, 1e-8) << row.times << " " << row.depth;
    for (const TrianglePatch& p : x.patches) EXPECT_TRUE(p.is_measured);
  }
}

struct LevelRow {
  double z, offset;
  std::size_t segments;
  double length;
};
/// Planes through vertices: on the plane counts as above.
constexpr LevelRow kLevels[] = {
    {-0.2, -1e-09, 0, 0.0},
    {-0.2, 0.0, 0, 0.0},
    {-0.2, 1e-09, 6, 7.991606266440376e-08},
    {-0.198087776391, -1e-09, 6, 0.15281730193086632},
    {-0.198087776391, 0.0, 14, 0.15281738183964977},
    {-0.198087776391, 1e-09, 14, 0.15281744220872945},
    {-0.197537668119, -1e-09, 14, 0.18602685160048266},
    {-0.197537668119, 0.0, 14, 0.1860269119681739},
    {-0.197537668119, 1e-09, 18, 0.18602694187504715},
    {-0.19327851948, -1e-09, 18, 0.31340236286516965},
    {-0.19327851948, 0.0, 26, 0.31340239276910214},
    {-0.19327851948, 1e-09, 26, 0.3134024177723398},
    {-0.192772252694, -1e-09, 26, 0.3260606765453458},
    {-0.192772252694, 0.0, 26, 0.3260607015485835},
    {-0.192772252694, 1e-09, 30, 0.3260607239012012},
    {-0.192387671557, -1e-09, 30, 0.33465658941239834},
    {-0.192387671557, 0.0, 30, 0.3346566117637552},
    {-0.192387671557, 1e-09, 30, 0.3346566321751032},
};

TEST(Circumference, OfPlanesThroughVerticesIsThatOfOneSide) {
  const TriangleSurface ground = plane(), sphere = make_triangle_surface(projected_icosphere(3));
  Intersection x;
  for (const LevelRow& row : kLevels) {
    intersect(ground, sphere, Pose::translation({0, 0, -(row.z + row.offset)}), x, Faces::as_given);
    EXPECT_NEAR(total_length(x), row.length, 1e-12) << row.z << " " << row.offset;
    // The levels have twelve digits: without an offset they pass a vertex on one side or the other.
    if (row.offset != 0.0) {
      EXPECT_EQ(x.curves.segments.size(), row.segments) << row.z << " " << row.offset;
    }
    for (const Curve& c : x.curves.curves) EXPECT_TRUE(c.is_closed);
  }
}

struct CubeCase {
  double x, y;   ///< offset of the upper cube
  double scale;  ///< of it
  double length;
};

TEST(Circumference, OfCubesIsThatOfTheTable) {
  const TriangleSurface lower = make_triangle_surface(cube(0.2));
  // As in the table where no faces lie in one plane. Where they do, a strict test of crossing
  // triangles finds 0 (aligned) and 0.4 m (shifted along x); right are the limits of a body that
  // is drawn in: 0.8, and 0.2 + 0.2 + 2 (0.2 - s) and two uprights of the depth for a shift s.
  const CubeCase cases[] = {
      {0, 0, 1, 0.8},        {0, 0, 1 - 1e-9, 0.7999999992000001}, {0, 0, 1 + 1e-9, 0.8},
      {1e-9, 0, 1, 0.802},   {1e-9, 1e-9, 1, 0.801999996},         {0.05, 0, 1, 0.702},
      {0.05, 0.05, 1, 0.602}};
  Intersection x;
  for (const CubeCase& c : cases) {
    const TriangleSurface upper = make_triangle_surface(cube(0.2 * c.scale));
    const Pose X = Pose::translation({c.x, c.y, 0.099 + 0.1 * c.scale});
    intersect(lower, upper, X, x);
    ASSERT_EQ(x.patches.size(), 1u);
    EXPECT_TRUE(x.patches[0].is_measured);
    EXPECT_NEAR(x.patches[0].length, c.length, 1e-8) << c.x << " " << c.y << " " << c.scale;
    EXPECT_NEAR(x.patches[0].volume, (0.2 - c.x) * (0.2 - c.y) * 0.001, 1e-11);
    const bool is_aligned = c.scale == 1 && (c.x == 0 || c.y == 0);
    if (is_aligned) continue;
    intersect(lower, upper, X, x, Faces::as_given);
    EXPECT_NEAR(total_length(x), c.length, 1e-12) << c.x << " " << c.y << " " << c.scale;
  }
}

TEST(Circumference, OfAlignedCubesDoesNotDependOnTheCommonPose) {
  std::mt19937_64 gen(19);
  Intersection x;
  for (const int times : {0, 3}) {
    TriangleMesh mesh = cube(0.2);
    test::subdivide(mesh, times);
    const TriangleSurface s = make_triangle_surface(mesh);
    for (int i = 0; i < (times == 0 ? 2000 : 50); ++i) {
      const Pose X_WA = test::random_turn(gen, 1.0);
      const Pose X_WB = X_WA * Pose::translation({0, 0, 0.199});
      intersect(s, s, inverse(X_WA) * X_WB, x);
      ASSERT_EQ(x.patches.size(), 1u);
      const TrianglePatch& p = x.patches[0];
      ASSERT_TRUE(p.is_measured);
      ASSERT_NEAR(p.length, 0.8, 1e-8);
      ASSERT_NEAR(p.volume, 4e-5, 4e-12);
      // No force aside: the area looks along the common axis.
      ASSERT_LE(norm(p.area_vector - Vec3{0, 0, 0.04}), 1e-10);
      ASSERT_LE(norm(p.volume_centre - Vec3{0, 0, 0.0995}), 1e-8);
      ASSERT_LE(norm(p.area_centre - Vec3{0, 0, 0.1}), 1e-8);
    }
  }
}

TEST(Circumference, OfASquarePatchHasTheMomentsOfASquare) {
  const TriangleSurface plate = make_triangle_surface(cube(1.0)),
                        peg = make_triangle_surface(cube(0.2));
  Intersection x;
  intersect(plate, peg, Pose::translation({0.1, 0.2, 0.59}), x, Faces::as_given);
  ASSERT_EQ(x.patches.size(), 1u);
  const TrianglePatch& p = x.patches[0];
  EXPECT_NEAR(p.length, 0.8, 1e-14);
  EXPECT_NEAR(p.area, 0.04, 1e-15);
  EXPECT_NEAR(p.volume, 0.04 * 0.01, 1e-16);
  EXPECT_LE(norm(p.normal - Vec3{0, 0, 1}), 1e-14);
  EXPECT_LE(norm(p.area_centre - Vec3{0.1, 0.2, 0.5}), 1e-14);
  EXPECT_LE(norm(p.length_centre - Vec3{0.1, 0.2, 0.5}), 1e-14);
  EXPECT_LE(norm(p.volume_centre - Vec3{0.1, 0.2, 0.495}), 1e-14);
  EXPECT_NEAR(p.area_moment.xx, std::pow(0.2, 4) / 12.0, 1e-16);
  EXPECT_NEAR(p.area_moment.yy, std::pow(0.2, 4) / 12.0, 1e-16);
  EXPECT_NEAR(p.area_moment.xy, 0.0, 1e-16);
  EXPECT_NEAR(p.area_moment.zz, 0.0, 1e-16);
  // Two sides at distance 0.1, two with x² of mean 0.01 / 3.
  EXPECT_NEAR(p.length_moment.xx, 0.4 * 0.01 * (1.0 + 1.0 / 3.0), 1e-15);
}

struct QueryCase {
  TriangleMesh mesh;
  Vec3 p;
  std::size_t pairs;
};

TEST(Intersection, FindsThePairsThatExactPredicatesFind) {
  // Numbers of intersecting pairs by the exact predicates of CGAL. B is a copy of A.
  const Vec3 beside{1.9, 0.11, 0.07}, linked{1.0, 0.1, 0.05};
  const QueryCase cases[] = {{bumpy_sphere(4), beside, 108},  {bumpy_sphere(5), beside, 218},
                             {bumpy_sphere(6), beside, 440},  {bumpy_torus(50), linked, 442},
                             {bumpy_torus(100), linked, 892}, {bumpy_torus(187), linked, 1656}};
  const Mat3 R = to_matrix(Quat{0.8, 0.3, 0.4, 0.33});
  Intersection x;
  for (const QueryCase& c : cases) {
    const TriangleSurface s = make_triangle_surface(c.mesh);
    intersect(s, s, {R, c.p}, x, Faces::as_given);
    EXPECT_EQ(x.curves.segments.size(), c.pairs);
    for (const TrianglePatch& p : x.patches) EXPECT_TRUE(p.is_measured);
    intersect(s, s, {R, c.p}, x);
    EXPECT_EQ(x.curves.segments.size(), c.pairs);
    const long before = carom::testing::allocation_count();
    intersect(s, s, {R, c.p}, x);
    if (carom::testing::can_count_allocations()) {
      EXPECT_EQ(carom::testing::allocation_count(), before);
    }
  }
}

}  // namespace
}  // namespace carom::triangles
