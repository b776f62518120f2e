// Rounded meshes against the contact bodies they draw.
#include "carom/geometry/rounded_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace carom {
namespace {

constexpr double pi = std::numbers::pi;

TEST(RoundedMesh, LiesOnTheContactBodyWithItsNormals) {
  const int segments = 48;
  for (const ShapeKind* kind : shape_catalogue()) {
    for (const ShapeInput& input : examples(*kind)) {
      const Shape shape = make_shape(input);
      const SmoothMesh m = rounded_mesh(shape, segments);
      if (m.normals.empty()) continue;
      ASSERT_EQ(m.normals.size(), m.mesh.vertices.size());
      for (std::size_t i = 0; i < m.normals.size(); ++i) {
        const Vec3& n = m.normals[i];
        // No vertex is outside. Inside by no more than the sagitta of the chords, since a
        // facet's normal is not quite that of the surface of revolution it stands for.
        const double R = bounding_radius(shape), sagitta = R * (1.0 - std::cos(pi / segments));
        const double missing = extent(shape.core, n) - dot(n, m.mesh.vertices[i]);
        EXPECT_GE(missing, -1e-12 * R) << kind->name << " vertex " << i;
        EXPECT_LE(missing, kind->max_edge_radius ? sagitta : 1e-12 * R)
            << kind->name << " vertex " << i;
      }
    }
  }
}

TEST(RoundedMesh, IsClosedAndSlightlySmallerThanTheSharpShape) {
  int rounded = 0;
  for (const ShapeKind* kind : shape_catalogue()) {
    for (const ShapeInput& input : examples(*kind)) {
      const Shape shape = make_shape(input);
      SmoothMesh m = rounded_mesh(shape, 48);
      if (m.normals.empty() || kind->rounding != Rounding::inward) continue;
      weld(m.mesh, 1e-12);
      const MeshReport report = inspect(m.mesh), sharp = inspect(tessellate(shape, 48));
      EXPECT_TRUE(report.bounds_a_body()) << kind->name << ": " << describe(report);
      EXPECT_LT(report.volume, sharp.volume) << kind->name;
      EXPECT_GT(report.volume, 0.5 * sharp.volume) << kind->name;
      ++rounded;
    }
  }
  EXPECT_GE(rounded, 5);
}

TEST(RoundedMesh, OfABoxHasTheVolumeOfSteiner) {
  // V(K + qB) = V + A q + pi q^2 (a + b + c) + 4/3 pi q^3 of the core box a b c; inscribed
  // fillets of 16 steps a quarter lose less than 0.2 % of the rounded parts.
  Shape shape =
      make_shape({.kind = find_shape_kind("box"), .params = {0.4, 0.3, 0.2}, .edge_radius = 0.08});
  SmoothMesh m = rounded_mesh(shape, 96);
  weld(m.mesh, 1e-12);
  const double q = 0.08, a = 0.24, b = 0.14, c = 0.04;
  const double steiner = a * b * c + 2 * q * (a * b + b * c + c * a) + pi * q * q * (a + b + c) +
                         4.0 / 3.0 * pi * q * q * q;
  EXPECT_NEAR(inspect(m.mesh).volume, steiner, 2e-3 * steiner);
  EXPECT_LT(inspect(m.mesh).volume, steiner);
}

}  // namespace
}  // namespace carom
