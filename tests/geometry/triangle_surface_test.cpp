// A mesh as one collider: neighbours, parts, tree, and its faces moved in.
#include "carom/geometry/triangle_surface.h"

#include <gtest/gtest.h>

#include <set>

#include "carom/geometry/flat_faces.h"
#include "mesh_files.h"
#include "proximity/surface_meshes.h"

namespace carom {
namespace {

TEST(TriangleSurface, KnowsItsEdgesAndWhoIsBesideThem) {
  const TriangleSurface s = make_triangle_surface(box_mesh({0, 0, 0}, {1, 2, 3}));
  EXPECT_EQ(s.edges.size(), 18u);  // 12 triangles: Euler, V - E + F = 2
  EXPECT_TRUE(s.is_closed);
  EXPECT_EQ(s.part_seed.size(), 1u);
  for (std::uint32_t t = 0; t < s.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const SurfaceEdge& e = s.edges[s.edges_of[t][k]];
      const std::uint32_t from = s.triangles[t][k], to = s.triangles[t][(k + 1) % 3];
      EXPECT_EQ(e.low, std::min(from, to));
      EXPECT_EQ(e.high, std::max(from, to));
      EXPECT_EQ(s.runs_forward(t, k) ? e.left : e.right, t);
      EXPECT_TRUE(e.is_closed());
    }
  }
  for (std::uint32_t v = 0; v < s.vertices.size(); ++v) {
    for (const std::uint32_t t : s.around(v)) {
      EXPECT_EQ(std::count(s.triangles[t].begin(), s.triangles[t].end(), v), 1);
    }
  }
}

TEST(TriangleSurface, SeesRimsAndParts) {
  TriangleMesh m = box_mesh({0, 0, 0}, {1, 1, 1});
  const TriangleMesh other = box_mesh({2, 0, 0}, {3, 1, 1});
  for (const Triangle& t : other.triangles) m.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  m.vertices.insert(m.vertices.end(), other.vertices.begin(), other.vertices.end());
  EXPECT_EQ(make_triangle_surface(m).part_seed.size(), 2u);
  EXPECT_TRUE(make_triangle_surface(m).is_closed);
  m.triangles.pop_back();
  EXPECT_FALSE(make_triangle_surface(m).is_closed);
  std::swap(m.triangles[0][0], m.triangles[0][1]);
  EXPECT_FALSE(make_triangle_surface(m).is_closed);  // a turned triangle has no counterpart
}

TEST(TriangleSurface, MovesEveryFaceInByTheSame) {
  for (const TriangleMesh& m : {box_mesh({0, 0, 0}, {1, 2, 3}), tetrahedron_mesh()}) {
    const TriangleSurface s = make_triangle_surface(m);
    EXPECT_EQ(s.shrink, 0x1p-34 * 3.0);
    for (const Triangle& t : s.triangles) {
      const Vec3 n = normalized(
          cross(s.vertices[t[1]] - s.vertices[t[0]], s.vertices[t[2]] - s.vertices[t[0]]));
      for (const std::uint32_t v : t) {
        // Coordinates of 3 m are rounded to 4e-16.
        EXPECT_NEAR(dot(n, s.drawn_in[v] - s.vertices[v]), -s.shrink, 2e-15);
      }
    }
  }
}

TEST(TriangleSurface, LeavesOutWhatHasNoAreaAndSaysWhatItCannotUse) {
  TriangleMesh m = tetrahedron_mesh();
  m.triangles.push_back({0, 0, 1});
  EXPECT_EQ(surface_problem(m), "");
  EXPECT_EQ(make_triangle_surface(m).triangles.size(), 4u);
  m.triangles.push_back({0, 1, 9});
  EXPECT_EQ(surface_problem(m), "triangle 5 names a vertex that is not there");
  m.vertices[2].z = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(surface_problem(m), "vertex 2 is not finite or beyond 1e90 m");
  m = tetrahedron_mesh();
  m.vertices[0].y = 1e-200;  // its square would be none
  EXPECT_EQ(surface_problem(m), "");
  for (const Vec3& p : make_triangle_surface(m).vertices) EXPECT_TRUE(p.y == 0.0 || p.y > 0.1);
  const TriangleSurface nothing = make_triangle_surface({});
  EXPECT_TRUE(nothing.tree.nodes.empty());
  EXPECT_EQ(nothing.shrink, 0.0);
}

/// Every item once, within all boxes above it.
void walk(const Box4Tree& tree, std::size_t at, const std::vector<BoundingBox>& boxes,
          std::multiset<std::uint32_t>& found, const BoundingBox& above) {
  const Box4Tree::Node& node = tree.nodes[at];
  for (std::size_t i = 0; i < 4; ++i) {
    if (node.child[i] == Box4Tree::kNothing) continue;
    BoundingBox box;
    for (std::size_t k = 0; k < 3; ++k) {
      const double c = tree.middle[k] + static_cast<double>(node.centre[k][i]);
      box.lower[k] = c - static_cast<double>(node.half[k][i]);
      box.upper[k] = c + static_cast<double>(node.half[k][i]);
    }
    const bool is_item = Box4Tree::is_item(node.child[i]);
    for (std::size_t k = 0; is_item && k < 3; ++k) {
      const BoundingBox& own = boxes[Box4Tree::item(node.child[i])];
      // The sums with `middle` are rounded; the boxes themselves are not too small.
      EXPECT_LE(box.lower[k], own.lower[k] + 1e-15);
      EXPECT_GE(box.upper[k], own.upper[k] - 1e-15);
      EXPECT_GE(own.lower[k], above.lower[k] - 1e-15);
    }
    if (is_item) {
      found.insert(Box4Tree::item(node.child[i]));
    } else {
      walk(tree, static_cast<std::size_t>(node.child[i]), boxes, found, box);
    }
  }
}

TEST(Box4Tree, HoldsEveryItemOnceInsideItsBoxes) {
  for (const std::size_t count : {1u, 2u, 3u, 4u, 5u, 7u, 16u, 17u, 100u, 1000u}) {
    std::vector<BoundingBox> boxes;
    for (std::size_t i = 0; i < count; ++i) {
      const auto x = static_cast<double>(i * 7919 % 101), y = static_cast<double>(i * 31 % 17);
      boxes.push_back({{0.01 * x, 0.02 * y, 0.1}, {0.01 * x + 0.003, 0.02 * y + 0.1, 0.2}});
    }
    const Box4Tree tree = make_box4_tree(boxes);
    std::multiset<std::uint32_t> found;
    walk(tree, 0, boxes, found, {{-9, -9, -9}, {9, 9, 9}});
    EXPECT_EQ(found.size(), count);
    EXPECT_EQ(std::set<std::uint32_t>(found.begin(), found.end()).size(), count);
  }
}

TEST(FlatFaces, HaveTheBorderOfTheWholeFaceHoweverItIsCut) {
  TriangleMesh box = box_mesh({0, 0, 0}, {1, 2, 3});
  for (int times = 0; times < 4; ++times) {
    EXPECT_NEAR(longest_face_border(make_triangle_surface(box)), 10.0, 1e-12);
    test::subdivide(box, 1);
  }
  // No two triangles of a ball lie in one plane: what is left is a triangle, and smaller ones.
  const auto one = [](const Vec3&) { return 1.0; };
  const double edge = 1.0 / std::sin(0.4 * std::numbers::pi);  // of the icosahedron
  EXPECT_NEAR(longest_face_border(make_triangle_surface(test::icosphere(0, one))), 3.0 * edge,
              1e-12);
  EXPECT_LT(longest_face_border(make_triangle_surface(test::icosphere(4, one))), 0.3);
  EXPECT_EQ(longest_face_border(make_triangle_surface({})), 0.0);
}

}  // namespace
}  // namespace carom
