// Reading mesh files: all formats give one body, and broken files give a message.
#include "carom/geometry/mesh_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "carom/geometry/mass_properties.h"
#include "mesh_files.h"

namespace carom {
namespace {

class MeshFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("carom_") + info->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  std::optional<TriangleMesh> read(const std::string& name, const std::string& bytes,
                                   const MeshLimits& limits = {}) {
    diagnostics_ = Diagnostics();
    return read_mesh(write(name, bytes), diagnostics_, {"scene.yaml", 4, 9}, limits);
  }
  /// The findings with the folder's name taken out.
  std::string findings() const {
    std::string text;
    for (const Diagnostic& d : diagnostics_.all()) text += d.message + "\n";
    const std::string path = folder_.string() + "/";
    for (std::size_t at = 0; (at = text.find(path)) != std::string::npos;)
      text.erase(at, path.size());
    return text;
  }

  std::filesystem::path folder_;
  Diagnostics diagnostics_;
};

/// Area of what is seen from above, less that of backs.
double signed_area_above(const TriangleMesh& m) {
  double area = 0.0;
  for (const Triangle& t : m.triangles) {
    const Vec3& a = m.vertices[t[0]];
    area += 0.5 * cross(m.vertices[t[1]] - a, m.vertices[t[2]] - a).z;
  }
  return area;
}

std::vector<std::pair<std::string, std::string>> all_formats(const TriangleMesh& m) {
  return {{"a.stl", ascii_stl(m)},
          {"b.STL", binary_stl(m)},
          {"c.dxf", dxf_faces(m)},
          {"d.dxf", dxf_polyface(m)},
          {"e.obj", obj(m)},
          {"f.ply", ply(m)},
          {"g.off", off(m)},
          {"h.gltf", gltf(m, "h.bin")},
          {"i.3ds", max_3ds(m)},
          {"j.ply", binary_ply(m, false)},
          {"k.ply", binary_ply(m, true)},
          {"l.dxf", dxf_in_block(m)}};
}

TEST_F(MeshFile, OfAnyFormatGivesTheSameBody) {
  for (const TriangleMesh& m : {tetrahedron_mesh(), box_mesh({-1, 0, 0.5}, {2, 0.25, 1.5})}) {
    const MassProperties expected = polyhedron_properties(m);
    write("h.bin", gltf_buffer(m));
    for (const auto& [name, bytes] : all_formats(m)) {
      const auto mesh = read(name, bytes);
      ASSERT_TRUE(mesh) << name << findings();
      EXPECT_EQ(findings(), "") << name;
      EXPECT_EQ(mesh->vertices.size(), m.vertices.size()) << name;
      EXPECT_EQ(mesh->triangles.size(), m.triangles.size()) << name;
      // Coordinates are the same bits; the order of summation may differ.
      const MassProperties p = polyhedron_properties(*mesh);
      EXPECT_NEAR(p.volume, expected.volume, 1e-15) << name;
      EXPECT_LE(norm(p.com - expected.com), 1e-15) << name;
      EXPECT_NEAR(p.inertia.xx, expected.inertia.xx, 1e-14) << name;
      EXPECT_NEAR(p.inertia.yz, expected.inertia.yz, 1e-14) << name;
    }
  }
  EXPECT_NEAR(polyhedron_properties(tetrahedron_mesh()).volume, 1.0, 1e-15);
}

TEST_F(MeshFile, KeepsDoublePrecisionWhereTheFormatHasIt) {
  TriangleMesh m = tetrahedron_mesh();
  m.vertices[3].z = 0.1 + 1e-13;
  for (const auto& [name, bytes] : {std::pair{"a.stl", ascii_stl(m)},
                                    {"b.dxf", dxf_faces(m)},
                                    {"c.obj", obj(m)},
                                    {"d.ply", ply(m)},
                                    {"e.ply", binary_ply(m, true)},
                                    {"f.off", off(m)}}) {
    const auto mesh = read(name, bytes);
    ASSERT_TRUE(mesh);
    double top = 0.0;
    for (const Vec3& p : mesh->vertices) top = std::max(top, p.z);
    EXPECT_EQ(top, 0.1 + 1e-13) << name;
  }
}

TEST_F(MeshFile, WithAHoleIsReadWithAWarningThatSaysWhatToDo) {
  TriangleMesh m = box_mesh({0, 0, 0}, {1, 1, 1});
  m.triangles.pop_back();
  ASSERT_TRUE(read("a.stl", ascii_stl(m)));
  ASSERT_EQ(diagnostics_.all().size(), 1u);
  EXPECT_EQ(diagnostics_.all()[0].severity, Severity::warning);
  EXPECT_EQ(findings(), "mesh file 'a.stl' has 3 open edges (holes)\n");
  EXPECT_EQ(diagnostics_.all()[0].where.line, 4);
}

TEST_F(MeshFile, OfAnOpenSheetKeepsItsSenseAndIsNoFindingWhereNoMassFollows) {
  // A roof that is low or high above the middle of its box: as it is in the file, seen from above.
  for (const double height : {0.3, -0.3}) {
    TriangleMesh m;
    m.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, height}};
    m.triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
    const auto mesh = read("a.stl", ascii_stl(m), {.holes = OpenMesh::meant});
    ASSERT_TRUE(mesh);
    EXPECT_EQ(findings(), "");
    EXPECT_EQ(signed_area_above(*mesh), 4.0);
    std::swap(m.triangles[2][0], m.triangles[2][1]);
    const auto mended = read("b.stl", ascii_stl(m), {.holes = OpenMesh::meant});
    ASSERT_TRUE(mended);
    EXPECT_EQ(findings(), "mesh file 'b.stl': 1 triangle was turned so that all face outward\n");
    EXPECT_EQ(signed_area_above(*mended), 4.0);
    read("c.stl", ascii_stl(*mesh), {.holes = OpenMesh::note});
    EXPECT_EQ(findings(),
              "mesh file 'c.stl' has 4 open edges (holes) and is touched from both sides\n");
    EXPECT_EQ(diagnostics_.all()[0].severity, Severity::note);
  }
}

TEST_F(MeshFile, WithTrianglesTurnedTheWrongWayIsMended) {
  TriangleMesh m = box_mesh({0, 0, 0}, {1, 1, 1});
  std::swap(m.triangles[3][0], m.triangles[3][1]);
  auto mesh = read("a.stl", ascii_stl(m));
  ASSERT_TRUE(mesh);
  EXPECT_EQ(findings(), "mesh file 'a.stl': 1 triangle was turned so that all face outward\n");
  EXPECT_NEAR(polyhedron_properties(*mesh).volume, 1.0, 1e-15);
  for (Triangle& t : m.triangles) std::swap(t[0], t[1]);
  mesh = read("b.stl", ascii_stl(m));
  EXPECT_NEAR(polyhedron_properties(*mesh).volume, 1.0, 1e-15);
  EXPECT_EQ(findings(), "mesh file 'b.stl': 11 triangles were turned so that all face outward\n");
}

TEST_F(MeshFile, InObjMayUseQuadsSlashesAndNegativeIndices) {
  const auto mesh = read("a.obj",
                         "mtllib none.mtl\nv 0 0 0 # corner\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                         "v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nvn 0 0 1\nusemtl steel\n"
                         "f 4 3 2 1\nf 5/1/1 6/2/1 7/3/1 8/4/1\nf 1//1 2//1 6//1 5//1\n"
                         "f -6 -5 -1 -2\nf 2 3 7 6\nf 1 5 8 4\n");
  ASSERT_TRUE(mesh) << findings();
  EXPECT_EQ(mesh->triangles.size(), 12u);
  EXPECT_EQ(findings(), "");
  EXPECT_NEAR(polyhedron_properties(*mesh).volume, 1.0, 1e-15);
}

TEST_F(MeshFile, KeepsCavities) {
  TriangleMesh m = box_mesh({0, 0, 0}, {3, 3, 3}), hole = box_mesh({1, 1, 1}, {2, 2, 2});
  for (const Triangle& t : hole.triangles) m.triangles.push_back({t[0] + 8, t[2] + 8, t[1] + 8});
  m.vertices.insert(m.vertices.end(), hole.vertices.begin(), hole.vertices.end());
  const auto mesh = read("a.stl", binary_stl(m));
  ASSERT_TRUE(mesh);
  EXPECT_EQ(findings(), "");
  EXPECT_NEAR(polyhedron_properties(*mesh).volume, 26.0, 1e-13);
  EXPECT_EQ(inspect(*mesh).components, 2u);
}

TEST_F(MeshFile, WithSeamsOfRoundedDigitsIsJoined) {
  TriangleMesh m = tetrahedron_mesh(), torn;
  std::mt19937 gen(1);
  std::uniform_real_distribution<double> u(-1e-7, 1e-7);
  for (const Triangle& t : m.triangles) {
    for (const std::uint32_t v : t)
      torn.vertices.push_back(m.vertices[v] + Vec3{u(gen), u(gen), u(gen)});
    const auto n = static_cast<std::uint32_t>(torn.vertices.size());
    torn.triangles.push_back({n - 3, n - 2, n - 1});
  }
  const auto mesh = read("a.stl", ascii_stl(torn));
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->vertices.size(), 4u);
  EXPECT_NE(findings().find("were joined to close seams"), std::string::npos);
  EXPECT_NEAR(polyhedron_properties(*mesh).volume, 1.0, 1e-5);
}

TEST_F(MeshFile, WithAFinIsReportedAsNotAManifold) {
  TriangleMesh m = box_mesh({0, 0, 0}, {1, 1, 1});
  m.vertices.push_back({0.5, -1, 0});
  m.triangles.push_back({0, 1, 8});
  ASSERT_TRUE(read("a.stl", ascii_stl(m)));
  EXPECT_EQ(findings(),
            "mesh file 'a.stl' has 2 open edges (holes), 1 edge with more than two triangles\n");
}

TEST_F(MeshFile, ThatIsFlatHasNoVolumeAndSliversAreLeftOut) {
  const TriangleMesh two_sided{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  ASSERT_TRUE(read("a.stl", ascii_stl(two_sided)));
  EXPECT_EQ(findings(), "mesh file 'a.stl' has no volume\n");
  TriangleMesh m = tetrahedron_mesh();
  m.triangles.push_back({0, 0, 1});
  ASSERT_TRUE(read("b.stl", ascii_stl(m)));
  EXPECT_EQ(findings(), "mesh file 'b.stl': 1 triangles without area were left out\n");
}

TEST_F(MeshFile, ThatCannotBeUsedIsAnErrorWithAReason) {
  const std::string stl = binary_stl(tetrahedron_mesh());
  EXPECT_FALSE(read("a.stl", stl.substr(0, stl.size() - 1)));
  EXPECT_EQ(findings(),
            "mesh file 'a.stl': its size does not fit the 4 triangles it announces; it "
            "may be cut off, or no STL file\n");
  EXPECT_FALSE(read("b.stl", ""));
  EXPECT_EQ(findings(), "mesh file 'b.stl': it is empty\n");
  EXPECT_FALSE(read("c.xyz", "1 2 3"));
  EXPECT_NE(findings().find("its kind '.xyz' is not known; known: .stl"), std::string::npos);
  EXPECT_FALSE(read("d.stl", "solid x\nfacet\nvertex 1 2\nendfacet\n"));
  EXPECT_EQ(findings(), "mesh file 'd.stl': line 4: 'vertex' needs three numbers\n");
  EXPECT_FALSE(read("e.stl", "solid x\nfacet\nvertex 1 2 3\nendfacet\n"));
  EXPECT_EQ(findings(), "mesh file 'e.stl': line 4: a facet must have three vertices\n");
  TriangleMesh bad = tetrahedron_mesh();
  bad.vertices[2].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(read("f.stl", binary_stl(bad)));
  EXPECT_EQ(findings(), "mesh file 'f.stl': a coordinate of vertex 2 is not a finite number\n");
  EXPECT_FALSE(read("g.dxf", dxf_section("  0\nLINE\n 10\n1\n")));
  EXPECT_EQ(findings(), "mesh file 'g.dxf': it has no triangles\n");
  EXPECT_FALSE(read("h.dxf", "hello\nworld\n"));
  EXPECT_EQ(findings(), "mesh file 'h.dxf': line 2: a group code must stand here\n");
  Diagnostics d;
  EXPECT_FALSE(read_mesh(folder_ / "none.stl", d, {}));
  EXPECT_NE(d.all()[0].message.find("there is no such file"), std::string::npos);
  EXPECT_FALSE(read_mesh(folder_, d, {}));
  EXPECT_NE(d.all()[1].message.find("it is not a regular file"), std::string::npos);
}

TEST_F(MeshFile, LargerThanAllowedIsRefusedBeforeItIsRead) {
  for (const auto& [name, bytes] : all_formats(tetrahedron_mesh())) {
    if (name == "h.gltf") write("h.bin", gltf_buffer(tetrahedron_mesh()));
    EXPECT_FALSE(read(name, bytes, {.file_bytes = 1'000'000, .triangles = 2}));
    EXPECT_NE(findings().find("more than 2 triangles"), std::string::npos) << name << findings();
    EXPECT_FALSE(read(name, bytes, {.file_bytes = 50, .triangles = 100}));
    EXPECT_NE(findings().find("at most 50 are read"), std::string::npos) << name;
  }
  std::string announced = binary_stl(tetrahedron_mesh());
  announced[83] = '\x7f';  // two thousand million triangles in a small file
  EXPECT_FALSE(read("a.stl", announced));
}

TEST_F(MeshFile, DoesNotReachIntoOtherFolders) {
  const TriangleMesh m = tetrahedron_mesh();
  std::filesystem::create_directories(folder_ / "inner");
  write("secret.bin", gltf_buffer(m));
  EXPECT_FALSE(read("inner/a.gltf", gltf(m, "../secret.bin")));
  EXPECT_FALSE(read("inner/b.gltf", gltf(m, (folder_ / "secret.bin").string())));
  std::filesystem::create_symlink(folder_ / "secret.bin", folder_ / "inner/link.bin");
  EXPECT_FALSE(read("inner/c.gltf", gltf(m, "link.bin")));
  write("inner/own.bin", gltf_buffer(m));
  EXPECT_TRUE(read("inner/d.gltf", gltf(m, "own.bin"))) << findings();
}

/// Whatever comes out must be a mesh or an error, never a crash.
void expect_sane(const std::optional<TriangleMesh>& mesh, const Diagnostics& d,
                 const std::string& name) {
  ASSERT_EQ(mesh.has_value(), !d.has_errors()) << name;
  if (!mesh) return;
  for (const Triangle& t : mesh->triangles) {
    for (const std::uint32_t v : t) ASSERT_LT(v, mesh->vertices.size()) << name;
  }
  for (const Vec3& p : mesh->vertices) ASSERT_TRUE(is_finite(p)) << name;
}

TEST_F(MeshFile, CutOffAnywhereDoesNotCrash) {
  const TriangleMesh m = tetrahedron_mesh();
  write("h.bin", gltf_buffer(m));
  for (const auto& [name, bytes] : all_formats(m)) {
    for (std::size_t size = 1; size < bytes.size(); size += 1 + size / 60) {
      const auto mesh = read(name, bytes.substr(0, size));
      expect_sane(mesh, diagnostics_, name);
    }
  }
}

TEST_F(MeshFile, WithRandomDamageDoesNotCrash) {
  const TriangleMesh m = tetrahedron_mesh();
  std::mt19937 gen(12345);
  write("h.bin", gltf_buffer(m));
  for (const auto& [name, bytes] : all_formats(m)) {
    for (int round = 0; round < 200; ++round) {
      std::string damaged = bytes;
      const unsigned hits = 1 + gen() % 8;
      for (unsigned i = 0; i < hits; ++i) {
        const std::size_t at = gen() % damaged.size();
        switch (gen() % 4) {
          case 0: damaged[at] = static_cast<char>(gen()); break;
          case 1: damaged[at] = "0129-+.eE \n\0xnif"[gen() % 16]; break;
          case 2: damaged.erase(at, 1 + gen() % 5); break;
          case 3: damaged.insert(at, damaged.substr(gen() % damaged.size(), 1 + gen() % 20)); break;
        }
        if (damaged.empty()) damaged = " ";
      }
      const auto mesh = read(name, damaged);
      expect_sane(mesh, diagnostics_, name + " round " + std::to_string(round));
    }
  }
}

}  // namespace
}  // namespace carom
