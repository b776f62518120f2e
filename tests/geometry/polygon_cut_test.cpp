// Faces of mesh files with notches: random ones against a point-in-polygon test of their own, and
// a channel in three formats.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "carom/geometry/mesh_file.h"
#include "carom/geometry/polygon_cut.h"

namespace carom {
namespace {

/// Even-odd rule along +x.
bool is_inside(const std::vector<Vec3>& p, double x, double y) {
  bool inside = false;
  for (std::size_t i = 0, j = p.size() - 1; i < p.size(); j = i++) {
    if ((p[i].y > y) == (p[j].y > y)) continue;
    if (x < (p[j].x - p[i].x) * (y - p[i].y) / (p[j].y - p[i].y) + p[i].x) inside = !inside;
  }
  return inside;
}

/// A polygon around the origin whose corners are near and far in turn: notches everywhere.
std::vector<Vec3> jagged(std::mt19937& random, std::size_t corners) {
  std::uniform_real_distribution<double> radius(0.1, 1.0), jitter(0.1, 0.9);
  std::vector<Vec3> p;
  for (std::size_t i = 0; i < corners; ++i) {
    const double angle =
        2.0 * M_PI * (static_cast<double>(i) + jitter(random)) / static_cast<double>(corners);
    const double r = radius(random);
    p.push_back({r * std::cos(angle), r * std::sin(angle), 0.0});
  }
  return p;
}

double area_of(const std::vector<Vec3>& p) {
  double twice = 0.0;
  for (std::size_t i = 0, j = p.size() - 1; i < p.size(); j = i++) twice += cross(p[j], p[i]).z;
  return 0.5 * twice;
}

TEST(PolygonCut, OfRandomFacesCoversTheirInsideAndNothingElse) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 4 + random() % 40;
    std::vector<Vec3> p = jagged(random, n);
    std::vector<std::uint32_t> corners(n);
    for (std::size_t i = 0; i < n; ++i) corners[i] = static_cast<std::uint32_t>(i);
    std::rotate(corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(random() % n),
                corners.end());
    const bool backwards = trial % 2 == 1;
    if (backwards) std::reverse(corners.begin(), corners.end());
    std::vector<Triangle> triangles;
    ASSERT_EQ(cut_polygon(p, corners, triangles), "") << trial;
    ASSERT_EQ(triangles.size(), n - 2);
    double area = 0.0;
    for (const Triangle& t : triangles) {
      const Vec3 &a = p[t[0]], &b = p[t[1]], &c = p[t[2]];
      const double twice = cross(b - a, c - a).z * (backwards ? -1.0 : 1.0);
      EXPECT_GT(twice, -1e-12) << "a triangle is turned over";
      area += 0.5 * twice;
      if (twice < 1e-9) continue;
      EXPECT_TRUE(is_inside(p, (a.x + b.x + c.x) / 3.0, (a.y + b.y + c.y) / 3.0)) << trial;
    }
    EXPECT_NEAR(area, area_of(p), 1e-12);
  }
}

TEST(PolygonCut, OfAConvexFaceIsTheFanItAlwaysWas) {
  const std::vector<Vec3> p{{0, 0, 1}, {1, 0, 1}, {1.5, 1, 1}, {1, 2, 1}, {0, 2, 1}};
  const std::vector<std::uint32_t> corners{2, 3, 4, 0, 1};
  std::vector<Triangle> triangles;
  EXPECT_EQ(cut_polygon(p, corners, triangles), "");
  EXPECT_EQ(triangles, (std::vector<Triangle>{{2, 3, 4}, {2, 4, 0}, {2, 0, 1}}));
}

TEST(PolygonCut, RefusesFacesThatCrossThemselves) {
  std::vector<Vec3> p;
  for (int i = 0; i < 5; ++i) p.push_back({std::cos(0.8 * M_PI * i), std::sin(0.8 * M_PI * i), 0});
  std::vector<Triangle> triangles;
  const std::vector<std::uint32_t> star{0, 1, 2, 3, 4};
  EXPECT_NE(cut_polygon(p, star, triangles).find("crosses itself"), std::string::npos);
  EXPECT_TRUE(triangles.empty());
}

/// A channel of 0.3 x 0.3 x 0.1 with a notch of 0.1 x 0.2; faces start where a fan fails.
struct NotchedBar {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> faces{{2, 1, 0, 7, 6, 5, 4, 3}, {10, 11, 12, 13, 14, 15, 8, 9}};
  NotchedBar() {
    const double outline[8][2] = {{0, 0},     {0.3, 0},   {0.3, 0.3}, {0.2, 0.3},
                                  {0.2, 0.1}, {0.1, 0.1}, {0.1, 0.3}, {0, 0.3}};
    for (const double z : {0.0, 0.1}) {
      for (const auto& q : outline) vertices.push_back({q[0], q[1], z});
    }
    for (int i = 0; i < 8; ++i) faces.push_back({i, (i + 1) % 8, (i + 1) % 8 + 8, i + 8});
  }
};

std::string text_of(const NotchedBar& c, const std::string& format) {
  std::ostringstream out;
  if (format == "off") out << "OFF\n" << c.vertices.size() << " " << c.faces.size() << " 0\n";
  if (format == "ply") {
    out << "ply\nformat ascii 1.0\nelement vertex " << c.vertices.size()
        << "\nproperty double x\nproperty double y\nproperty double z\nelement face "
        << c.faces.size() << "\nproperty list uchar int vertex_indices\nend_header\n";
  }
  const bool obj = format == "obj";
  for (const Vec3& v : c.vertices) {
    out << (obj ? "v " : "") << v.x << " " << v.y << " " << v.z << "\n";
  }
  for (const std::vector<int>& face : c.faces) {
    obj ? out << "f" : out << face.size();
    for (const int i : face) out << " " << i + (obj ? 1 : 0);
    out << "\n";
  }
  return out.str();
}

TEST(MeshFaces, WithANotchHaveTheVolumeOfTheirBodyInEveryFormat) {
  const auto folder = std::filesystem::temp_directory_path() / "carom_polygon_cut";
  std::filesystem::create_directories(folder);
  for (const std::string format : {"obj", "off", "ply"}) {
    SCOPED_TRACE(format);
    const auto path = folder / ("channel." + format);
    std::ofstream(path) << text_of(NotchedBar(), format);
    Diagnostics diagnostics;
    const auto mesh = read_mesh(path, diagnostics, {});
    ASSERT_TRUE(mesh);
    EXPECT_TRUE(diagnostics.all().empty());
    EXPECT_NEAR(inspect(*mesh).volume, 0.3 * 0.3 * 0.1 - 0.1 * 0.2 * 0.1, 1e-15);
    NotchedBar crossed;
    std::swap(crossed.faces[1][2], crossed.faces[1][6]);
    std::ofstream(path) << text_of(crossed, format);
    EXPECT_FALSE(read_mesh(path, diagnostics, {}));
    const std::string message = diagnostics.all().back().message;
    EXPECT_NE(message.find("crosses itself"), std::string::npos) << message;
    const std::string line = format == "obj"   ? "line 18:"
                             : format == "off" ? "line 20:"
                                               : "line 27:";
    EXPECT_NE(message.find(line), std::string::npos) << message;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace carom
