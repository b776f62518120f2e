// Repairing a mesh, and saying what was done.
#include "carom/geometry/mesh_repair.h"

#include <gtest/gtest.h>

#include <random>

#include "carom/geometry/mass_properties.h"
#include "carom/geometry/triangle_surface.h"
#include "mesh_files.h"

namespace carom {
namespace {

TEST(MeshRepair, LeavesACleanMeshAsItIs) {
  TriangleMesh m = box_mesh({0, 0, 0}, {1, 1, 1});
  const MeshRepair done = repair(m);
  EXPECT_EQ(done.collapsed + done.duplicates + done.slivers + done.turned, 0u);
  EXPECT_EQ(done.joined_within, 0.0);
  EXPECT_EQ(m.triangles.size(), 12u);
}

TEST(MeshRepair, DropsRepeatedTrianglesButKeepsSheetsWithTwoSides) {
  TriangleMesh m = box_mesh({0, 0, 0}, {1, 1, 1});
  const Triangle t = m.triangles[5];
  m.triangles.push_back({t[1], t[2], t[0]});
  EXPECT_EQ(repair(m).duplicates, 1u);
  EXPECT_TRUE(inspect(m).bounds_a_body());
  TriangleMesh sheet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_EQ(repair(sheet).duplicates, 0u);
  EXPECT_EQ(sheet.triangles.size(), 2u);
}

/// A box of which one triangle is cut by a vertex on its longest edge, with a triangle without
/// area in the slit: closed by its edges, with no hole to be seen.
TriangleMesh box_with_sliver() {
  TriangleMesh m = box_mesh({0, 0, 0}, {1, 1, 1});
  // Edge 2 - 1 is the diagonal of the bottom, of (0 2 1) and (1 2 3).
  m.vertices.push_back({0.5, 0.5, 0});
  m.triangles[0] = {0, 2, 8};
  m.triangles.push_back({0, 8, 1});
  m.triangles.push_back({2, 1, 8});
  return m;
}

TEST(MeshRepair, MergesTrianglesWithoutAreaWithoutLeavingASlit) {
  TriangleMesh m = box_with_sliver();
  ASSERT_TRUE(inspect(m).closed());
  ASSERT_EQ(inspect(m).degenerate_triangles, 1u);
  const MeshRepair done = repair(m);
  EXPECT_EQ(done.slivers, 1u);
  const MeshReport report = inspect(m);
  EXPECT_TRUE(report.bounds_a_body());
  EXPECT_EQ(report.degenerate_triangles, 0u);
  EXPECT_NEAR(polyhedron_properties(m).volume, 1.0, 1e-15);
  EXPECT_TRUE(make_triangle_surface(box_with_sliver()).is_closed);
}

TEST(MeshRepair, MergesARowOfThem) {
  // Four vertices on one edge, with a fan of triangles without area over them.
  TriangleMesh m{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}};
  for (int i = 1; i <= 4; ++i) m.vertices.push_back({0.2 * i, 0, 0});
  // The face below the edge 0 - 1 in the plane z = 0 keeps it whole, the one in y = 0 does not.
  m.triangles = {{0, 2, 1}, {0, 3, 2}, {1, 2, 3}};
  const std::uint32_t on_edge[] = {0, 4, 5, 6, 7, 1};
  for (std::size_t i = 0; i < 5; ++i) m.triangles.push_back({on_edge[i], on_edge[i + 1], 3});
  for (std::size_t i = 1; i < 5; ++i) m.triangles.push_back({0, on_edge[i + 1], on_edge[i]});
  ASSERT_TRUE(inspect(m).closed());
  ASSERT_EQ(inspect(m).degenerate_triangles, 4u);
  repair(m);
  EXPECT_TRUE(inspect(m).bounds_a_body());
  EXPECT_EQ(inspect(m).degenerate_triangles, 0u);
  EXPECT_NEAR(polyhedron_properties(m).volume, 1.0 / 6.0, 1e-15);
}

TEST(MeshRepair, SuspectsMillimetresAndForgottenScales) {
  EXPECT_EQ(unit_finding(0.2, 0.0), "");
  EXPECT_EQ(unit_finding(0.2, 5.0), "");
  EXPECT_EQ(unit_finding(40.0, 1.0), "");
  EXPECT_NE(unit_finding(350.0, 0.0).find("scale: 0.001"), std::string::npos);
  EXPECT_NE(unit_finding(200.0, 0.2).find("200 m across"), std::string::npos);
  EXPECT_NE(unit_finding(2e-4, 1.0).find("leave the scale out"), std::string::npos);
  EXPECT_EQ(unit_finding(2e-4, 1e-3), "");
  EXPECT_NE(unit_finding(3.5e-4, 0.35).find("leave the scale out"), std::string::npos);
  EXPECT_EQ(unit_finding(3.5e-3, 3.5), "");
  // Nothing beside it, or nothing that is larger: less than a millimetre in all.
  EXPECT_NE(unit_finding(2e-4, 0.0).find("if it should be 0.2 m"), std::string::npos);
  EXPECT_NE(unit_finding(2e-4, 5e-4).find("scale: 1000"), std::string::npos);
  EXPECT_EQ(unit_finding(2e-3, 0.0), "");
}

}  // namespace
}  // namespace carom
