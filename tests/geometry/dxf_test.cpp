// DXF: polygon meshes, blocks that are placed, and units.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/geometry/mass_properties.h"
#include "carom/geometry/mesh_file.h"
#include "mesh_files.h"

namespace carom {
namespace {

struct Read {
  std::optional<TriangleMesh> mesh;
  std::string findings;
};
Read read(const std::string& bytes, const MeshLimits& limits = {}) {
  Diagnostics diagnostics;
  Read out;
  out.mesh = read_mesh_bytes(bytes, "a.dxf", diagnostics, {"scene.yaml", 4, 9}, limits);
  for (const Diagnostic& d : diagnostics.all()) out.findings += d.message + "\n";
  return out;
}

std::string group(int code, double value) {
  return std::to_string(code) + "\n" + std::to_string(value) + "\n";
}
std::string whole(int code, int value) {
  return std::to_string(code) + "\n" + std::to_string(value) + "\n";
}

/// A torus of m × n vertices as a polygon mesh that is closed both ways.
std::string torus_grid(int m, int n, int flag) {
  std::string out =
      "  0\nPOLYLINE\n" + dxf_corner(0, {}) + whole(70, flag) + whole(71, m) + whole(72, n);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      const double a = 2.0 * std::numbers::pi * i / m, b = 2.0 * std::numbers::pi * j / n;
      const double r = 2.0 + std::cos(b);
      out += "  0\nVERTEX\n" + dxf_corner(0, {r * std::cos(a), r * std::sin(a), std::sin(b)}) +
             whole(70, 64);
    }
  }
  return out + "  0\nSEQEND\n";
}

TEST(Dxf, ReadsPolygonMeshesClosedEitherWay) {
  const Read torus = read(dxf_section(torus_grid(12, 8, 16 | 1 | 32)));
  ASSERT_TRUE(torus.mesh);
  EXPECT_EQ(torus.findings, "");
  EXPECT_EQ(torus.mesh->triangles.size(), 2u * 12 * 8);
  EXPECT_TRUE(inspect(*torus.mesh).bounds_a_body());
  // A polygon of 8 sides swept around 12 straight pieces: area 2√2, against 2π² R r².
  EXPECT_NEAR(polyhedron_properties(*torus.mesh).volume, 34.0, 1.0);
  const Read tube = read(dxf_section(torus_grid(12, 8, 16 | 32)));
  EXPECT_EQ(tube.mesh->triangles.size(), 2u * 11 * 8);
  EXPECT_EQ(tube.findings, "mesh file 'a.dxf' has 16 open edges (holes)\n");
  EXPECT_EQ(read(dxf_section(torus_grid(12, 8, 16))).mesh->triangles.size(), 2u * 11 * 7);
}

TEST(Dxf, PassesOverTheFrameOfASmoothedPolygonMesh) {
  std::string entities = "  0\nPOLYLINE\n" + whole(70, 16 | 4) + whole(71, 5) + whole(72, 7) +
                         whole(73, 2) + whole(74, 2);
  for (int i = 0; i < 3; ++i) {
    entities += "  0\nVERTEX\n" + dxf_corner(0, {9.0, 9.0 * i, 9}) + whole(70, 16 | 64);
  }
  for (const Vec3& p : {Vec3{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}}) {
    entities += "  0\nVERTEX\n" + dxf_corner(0, p) + whole(70, 8 | 64);
  }
  const Read square = read(dxf_section(entities + "  0\nSEQEND\n"));
  ASSERT_TRUE(square.mesh);
  EXPECT_EQ(square.mesh->triangles.size(), 2u);
  EXPECT_EQ(extent(*square.mesh).upper, (Vec3{1, 1, 0}));
}

TEST(Dxf, SaysWhenAPolygonMeshLacksVertices) {
  const Read bad =
      read(dxf_section("  0\nPOLYLINE\n" + whole(70, 16) + whole(71, 3) + whole(72, 2) +
                       "  0\nVERTEX\n" + dxf_corner(0, {}) + "  0\nSEQEND\n"));
  EXPECT_FALSE(bad.mesh);
  EXPECT_NE(bad.findings.find("announces 3 x 2 vertices and has 1"), std::string::npos);
}

TEST(Dxf, PlacesBlocksScaledTurnedAndInRows) {
  const std::string part = dxf_face_entities(box_mesh({0, 0, 0}, {1, 2, 3}));
  const Read placed = read(dxf_block(
      "", part,
      dxf_corner(0, {10, 20, 30}) + group(41, 2) + group(42, 0.5) + group(43, 3) + group(50, 90)));
  ASSERT_TRUE(placed.mesh);
  // (x, y) of the scaled box, 2 by 1, turned by 90° about the insertion point.
  const MeshExtent box = extent(*placed.mesh);
  EXPECT_LE(norm(box.lower - Vec3{9, 20, 30}), 1e-14);
  EXPECT_LE(norm(box.upper - Vec3{10, 22, 39}), 1e-14);
  const Read rows = read(dxf_block(
      "", part, dxf_corner(0, {}) + whole(70, 3) + whole(71, 2) + group(44, 5) + group(45, 7)));
  ASSERT_TRUE(rows.mesh);
  EXPECT_EQ(rows.mesh->triangles.size(), 6u * 12);
  EXPECT_EQ(extent(*rows.mesh).upper, (Vec3{11, 9, 3}));
  // A mirrored copy is not inside out.
  const Read mirrored = read(dxf_block("", part, dxf_corner(0, {}) + group(41, -1)));
  EXPECT_EQ(mirrored.findings, "");
  EXPECT_NEAR(polyhedron_properties(*mirrored.mesh).volume, 6.0, 1e-14);
  EXPECT_EQ(extent(*mirrored.mesh).lower.x, -1.0);
}

TEST(Dxf, KnowsTheAxesOfAnExtrusion) {
  const std::string part = dxf_face_entities(box_mesh({0, 0, 0}, {1, 2, 3}));
  // z of the block along -z of the drawing: the arbitrary axes are (-x, y, -z).
  const Read down = read(dxf_block(
      "", part, dxf_corner(0, {10, 0, 0}) + group(210, 0) + group(220, 0) + group(230, -1)));
  ASSERT_TRUE(down.mesh);
  EXPECT_LE(norm(extent(*down.mesh).lower - Vec3{-11, 0, -3}), 1e-14);
  // Along x: axes (y, z, x).
  const Read side = read(dxf_block(
      "", part, dxf_corner(0, {0, 0, 5}) + group(210, 1) + group(220, 0) + group(230, 0)));
  EXPECT_LE(norm(extent(*side.mesh).lower - Vec3{5, 0, 0}), 1e-14);
  EXPECT_LE(norm(extent(*side.mesh).upper - Vec3{8, 1, 2}), 1e-14);
}

std::string nested(int levels, int copies, const std::string& innermost) {
  std::string blocks;
  for (int i = 0; i < levels; ++i) {
    blocks += "  0\nBLOCK\n  2\nB" + std::to_string(i) + "\n" + dxf_corner(0, {1, 0, 0});
    for (int k = 0; i + 1 < levels && k < copies; ++k) {
      blocks += "  0\nINSERT\n  2\nB" + std::to_string(i + 1) + "\n" + dxf_corner(0, {2, 0, 0});
    }
    blocks += (i + 1 == levels ? innermost : "") + "  0\nENDBLK\n";
  }
  return "  0\nSECTION\n  2\nBLOCKS\n" + blocks +
         "  0\nENDSEC\n  0\nSECTION\n  2\nENTITIES\n  0\nINSERT\n  2\nB0\n" +
         dxf_corner(0, {2, 0, 0}) + "  0\nENDSEC\n  0\nEOF\n";
}

TEST(Dxf, NestsBlocksAndBoundsThem) {
  const std::string part = dxf_face_entities(tetrahedron_mesh());
  const Read three = read(nested(3, 1, part));
  ASSERT_TRUE(three.mesh) << three.findings;
  // Each level moves by insertion point less base point.
  EXPECT_EQ(extent(*three.mesh).lower.x, 3.25);
  EXPECT_NEAR(polyhedron_properties(*three.mesh).volume, 1.0, 1e-14);
  EXPECT_NE(read(nested(9, 10, "")).findings.find("places more than 1000000 blocks"),
            std::string::npos);
  EXPECT_NE(read(nested(9, 10, part), {.triangles = 1000}).findings.find("more than 1000"),
            std::string::npos);
  EXPECT_NE(read(nested(40, 1, part)).findings.find("nested deeper than 32"), std::string::npos);
  const Read own = read(dxf_block("", "  0\nINSERT\n  2\nPART\n", ""));
  EXPECT_NE(own.findings.find("block 'PART' contains itself"), std::string::npos);
  const Read none = read(dxf_section("  0\nINSERT\n  2\nNONE\n"));
  EXPECT_NE(none.findings.find("block 'NONE' is not there"), std::string::npos);
  EXPECT_FALSE(none.mesh);
}

TEST(Dxf, ConvertsToMetresWhereTheHeaderNamesAUnit) {
  const std::string part = dxf_face_entities(box_mesh({0, 0, 0}, {200, 200, 200}));
  const auto with_unit = [&](int code) {
    return read(dxf_block("  9\n$INSUNITS\n" + whole(70, code), part, dxf_corner(0, {})));
  };
  EXPECT_EQ(with_unit(4).findings,
            "mesh file 'a.dxf': its coordinates are in millimetres ($INSUNITS 4) and were "
            "converted to metres\n");
  EXPECT_NEAR(extent(*with_unit(4).mesh).upper.x, 0.2, 1e-16);
  EXPECT_NEAR(extent(*with_unit(1).mesh).upper.x, 5.08, 1e-15);
  for (const int code : {0, 6, 99}) {
    EXPECT_EQ(extent(*with_unit(code).mesh).upper.x, 200.0) << code;
    EXPECT_EQ(with_unit(code).findings, "") << code;
  }
}

}  // namespace
}  // namespace carom
