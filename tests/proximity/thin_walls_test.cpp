// Bodies that reach through walls and over edges: the force is that of a thick wall, and goes over
// edges without a jump (the failures of penalty methods in Moisio 2013, figures 4.6 to 4.8).
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "carom/geometry/shape.h"
#include "carom/proximity/shape_piece.h"
#include "carom/proximity/triangles/piece_surfaces.h"
#include "proximity/surface_meshes.h"

namespace carom::triangles {
namespace {

TriangleSurface brick(const Vec3& size, int times = 0) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back(
        0.5 * Vec3{i & 1 ? size.x : -size.x, i & 2 ? size.y : -size.y, i & 4 ? size.z : -size.z});
  }
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  test::subdivide(mesh, times);
  return make_triangle_surface(mesh);
}

/// Everything that presses between two surfaces.
struct Pressed {
  Vec3 force;  ///< on B, over E*/4 L_r [m²]
  bool is_through = false;
  std::size_t patches = 0;
};
Pressed press(const TriangleSurface& A, const Pose& X_WA, const TriangleSurface& B,
              const Pose& X_WB) {
  Intersection scratch;
  SurfaceState state;
  find_state({&A, &B, X_WA, X_WB, Faces::second_drawn_in}, 0.0, scratch, state);
  Pressed out;
  for (const PatchLoad& p : state.patches) {
    out.force += p.pressed * p.normal;
    out.is_through = out.is_through || p.is_through;
  }
  out.patches = state.patches.size();
  return out;
}

/// A cube of 0.2 m on its corner, which is at the origin.
Pose on_corner() {
  const Mat3 R = rotation_x(std::atan(std::sqrt(0.5))) * rotation_y(0.25 * std::numbers::pi);
  return {R, R * Vec3{0.1, 0.1, 0.1} * -1.0};
}

TEST(ThinWall, IsAsStiffAsAThickOneForACornerThatHasPassedIt) {
  const TriangleSurface cube = brick({0.2, 0.2, 0.2}, 1);
  const TriangleSurface thin = brick({1.0, 1.0, 0.01}), thick = brick({1.0, 1.0, 0.5});
  Pose X = on_corner();
  // The lowest corner straight below the middle, tilted a little so that nothing is in line.
  X.R = rotation_z(0.3) * X.R;
  Vec3 lowest{0.0, 0.0, 1.0};
  for (const Vec3& v : cube.vertices) {
    if ((X.R * v).z < lowest.z) lowest = X.R * v;
  }
  for (const double depth : {0.004, 0.0099, 0.0101, 0.012, 0.02, 0.04, 0.06}) {
    X.p = Vec3{0.013, 0.021, -depth} - lowest;
    for (const bool cube_first : {false, true}) {
      const auto force_on = [&](const TriangleSurface& plate, double half) {
        const Pose P{{}, {0.0, 0.0, -half}};
        return cube_first ? press(cube, X, plate, P) : press(plate, P, cube, X);
      };
      const Pressed on_thin = force_on(thin, 0.005), on_thick = force_on(thick, 0.25);
      EXPECT_EQ(on_thin.patches, 1u);
      EXPECT_EQ(on_thin.is_through, depth > 0.01) << depth;
      EXPECT_FALSE(on_thick.is_through);
      EXPECT_GT(norm(on_thick.force), 0.0);
      EXPECT_LT(norm(on_thin.force - on_thick.force), 0.01 * norm(on_thick.force)) << depth;
    }
  }
}

// A ring-shaped patch has two curves in one plane, and reaches through nothing.
TEST(ThinWall, IsNoneUnderATubeOnEnd) {
  TriangleMesh tube;
  constexpr std::uint32_t n = 24;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double t = 2.0 * std::numbers::pi * i / n, c = std::cos(t), s = std::sin(t);
    for (const double r : {0.08, 0.1}) {
      for (const double z : {0.0, 0.2}) tube.vertices.push_back({r * c, r * s, z});
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    // Inside below, inside above, outside below, outside above.
    const std::array<std::uint32_t, 4> a{4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3};
    std::array<std::uint32_t, 4> b = a;
    for (std::uint32_t& v : b) v = (v + 4) % (4 * n);
    const auto face = [&](std::uint32_t p, std::uint32_t q, std::uint32_t r, std::uint32_t s) {
      tube.triangles.push_back({p, q, r}), tube.triangles.push_back({p, r, s});
    };
    face(a[2], b[2], b[3], a[3]);  // outside
    face(b[0], a[0], a[1], b[1]);  // inside
    face(a[3], b[3], b[1], a[1]);  // above
    face(a[0], b[0], b[2], a[2]);  // below
  }
  const TriangleSurface ring = make_triangle_surface(tube), plate = brick({1.0, 1.0, 0.1});
  ASSERT_TRUE(ring.is_closed);
  const Pressed on = press(plate, {{}, {0.0, 0.0, -0.05}}, ring, {{}, {0.0, 0.0, -0.001}});
  EXPECT_EQ(on.patches, 1u);
  EXPECT_FALSE(on.is_through);
  EXPECT_GT(on.force.z, 0.0);
}

// Over the edge of a table, straight and askew: a face that leaves it presses less and less. At
// both ends of the way, where it first and last touches the edge, in steps of 5 um: over a strip no
// wider than the depth the force turns outwards and ends within a millimetre.
TEST(ThinWall, LetsACubeOverItsEdgeWithoutAJump) {
  const TriangleSurface cube = brick({0.2, 0.2, 0.2}, 1), table = brick({1.0, 1.0, 0.3}, 2);
  const Pose T{{}, {0.0, 0.0, -0.15}};
  for (const double turn : {0.0, 0.2}) {
    const double half = 0.1 * (std::cos(turn) + std::sin(turn));
    const auto force_at = [&](double x) {
      return press(table, T, cube, {rotation_z(turn), {x, 0.01, 0.1 - 0.0009}}).force;
    };
    const double whole = norm(force_at(0.3));
    for (const double end : {0.5 - half, 0.5 + half}) {
      Vec3 before = force_at(end - 3e-3);
      double largest = 0.0;
      for (double x = end - 3e-3; x < end + 3e-3; x += 5e-6) {
        const Vec3 now = force_at(x);
        largest = std::max(largest, norm(now - before));
        before = now;
      }
      EXPECT_LT(largest, 0.01 * whole) << turn << " " << end;
    }
    EXPECT_EQ(norm(force_at(0.5 + half + 1e-3)), 0.0);
  }
}

}  // namespace
}  // namespace carom::triangles
