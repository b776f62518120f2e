// What a page is given to draw: a mesh for every shape that differs, and open surfaces from both
// sides.
#include "viewer/drawn_scene.h"

#include <gtest/gtest.h>

#include "carom/scene/read/read.h"

namespace carom::viewer {
namespace {

DrawnScene drawn(const std::string& shapes) {
  const Scene scene = read_scene_text("carom: 1\nbodies: {b: {fixed: true, shapes: [" + shapes +
                                      "]}}\nrun: {until: 1}\n");
  Diagnostics findings;
  return draw(compile(scene, findings));
}

TEST(DrawnScene, HasAMeshOfItsOwnForEveryFormula) {
  const DrawnScene graphs = drawn(
      "{graph: {z: \"x^2\", x: [-1, 1], y: [-1, 1]}}, {graph: {z: \"-x^2\", x: [-1, 1], y: [-1, "
      "1]}}, "
      "{graph: {z: \"x^2\", x: [-1, 2], y: [-1, 1]}}, {graph: {z: \"x^2\", x: [-1, 1], y: [-1, "
      "1]}, "
      "at: [5, 0, 0]}");
  ASSERT_EQ(graphs.meshes.size(), 3u);
  const auto& shapes = graphs.bodies[0].shapes;
  EXPECT_NE(shapes[0].mesh, shapes[1].mesh);
  EXPECT_NE(shapes[0].mesh, shapes[2].mesh);
  EXPECT_EQ(shapes[0].mesh, shapes[3].mesh);  // the same elsewhere
  EXPECT_EQ(drawn("{superquadric: {radii: 0.1, exponents: [2, 2]}}, {superquadric: {radii: 0.1, "
                  "exponents: [20, 20]}}")
                .meshes.size(),
            2u);
}

/// Volume that the triangles of a mesh enclose: 0 where each is there from both sides.
double enclosed(const DrawnMesh& mesh) {
  double sum = 0.0;
  for (std::size_t i = 0; i + 2 < mesh.corners.size(); i += 3) {
    const auto at = [&](std::size_t k) {
      const float* p = &mesh.positions[3 * mesh.corners[i + k]];
      return Vec3{p[0], p[1], p[2]};
    };
    sum += dot(at(0), cross(at(1), at(2))) / 6.0;
  }
  return sum;
}

TEST(DrawnScene, ShowsOpenSurfacesFromBothSides) {
  const DrawnScene open = drawn("{graph: {z: \"1 + x^2\", x: [-1, 1], y: [-1, 1]}}");
  EXPECT_NEAR(enclosed(open.meshes[0]), 0.0, 1e-6);
  EXPECT_GT(open.meshes[0].corners.size(), 0u);
  const DrawnScene closed = drawn("{torus: {radius: 0.5, tube_radius: 0.2}}");
  EXPECT_GT(enclosed(closed.meshes[0]), 0.3);  // 2 pi² R r² = 0.39
}

}  // namespace
}  // namespace carom::viewer
