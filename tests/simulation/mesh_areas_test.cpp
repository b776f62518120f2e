// Runs of triangle meshes by their area: rest, impact, tumbling, implicit steps, sheets, what is
// refused.
#include <cmath>
#include <numbers>

#include "carom/geometry/triangle_surface.h"
#include "carom/simulation/simulation.h"
#include "contact_runs.h"
#include "proximity/surface_meshes.h"
#include "support/mesh_texts.h"

namespace carom {
namespace {

using testing::body;
using testing::events_of;
using testing::only_contact;
using testing::unexplained;

constexpr double kFoundation = 0.5 * 0.7 / (1.3 * 0.4) * 5e6 / 4e-3;

TriangleMesh fine_ball(double radius, int times = 4) {
  return test::icosphere(times, [&](const Vec3&) { return radius; });
}

TriangleMesh block(const Vec3& size) {
  return tessellate(
      make_shape(
          {.kind = find_shape_kind("box"), .params = {size.x, size.y, size.z}, .edge_radius = 0.0}),
      8);
}

TriangleMesh square_sheet(double half, bool is_upward) {
  TriangleMesh m{{{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}},
                 {{0, 1, 2}, {0, 2, 3}}};
  if (!is_upward) m.triangles = {{0, 2, 1}, {0, 3, 2}};
  return m;
}

RunResult run_with_mesh(const std::string& text, const TriangleMesh& mesh) {
  const std::string carried = testing::obj_text(mesh);
  ReadOptions options;
  options.carried = {{"mesh.obj", carried}};
  Diagnostics diagnostics;
  auto model = compile(read_scene_text(text, "mesh areas", options), diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  RunResult result = run(model);
  EXPECT_EQ(result.status, RunStatus::completed) << result.reason;
  return result;
}

const std::string kHead = R"yaml(
carom: 1
materials: {soft: {density: 1200, youngs_modulus: 5e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
)yaml";

TEST(MeshAreas, CarryABallAtTheDepthOfItsCap) {
  const RunResult result = run_with_mesh(kHead + R"yaml(
  ball: {material: soft, shapes: [{triangle_mesh: {file: mesh.obj}}], position: [0, 0, 0.0999]}
contact: {area: {pressure: foundation, layer: 4e-3}, restitution: 0.2}
run: {until: 1, tolerance: 1e-8}
)yaml",
                                         fine_ball(0.1));
  const ContactReading& c = only_contact(result);
  const double weight = 1200.0 * 9.81 * make_triangle_surface(fine_ball(0.1)).volume;
  EXPECT_NEAR(c.normal_force, weight, 1e-4 * weight);
  // Facets lie below the sphere, by this in the mean, and the lowest ones by some more or less.
  const double facets = 2.0 * std::numbers::pi * 0.1 / (std::sqrt(3.0) * 5120.0);
  const double depth = std::sqrt(weight / (std::numbers::pi * kFoundation * 0.1));
  const double middle = body(result, "ball").position.z;
  EXPECT_NEAR(0.1 - middle, depth + facets, 0.3 * facets);
  EXPECT_LT(unexplained(result), 1e-6);
}

TEST(MeshAreas, TumbleAsTheBoxThatTheyDraw) {
  const std::string rest = R"yaml(position: [0, 0, 0.15],
          rotation: [0.4, 0.3, 0.1], velocity: [0.3, 0, 0], angular_velocity: [1, 2, 3]}
contact: {area: {pressure: foundation, layer: 5e-3}, restitution: 0.6, mu_k: 0.4}
run: {until: 0.21, tolerance: 1e-8}
)yaml";
  const TriangleMesh mesh = block({0.1, 0.08, 0.06});
  const RunResult drawn = run_with_mesh(
      kHead + "  thing: {material: soft, shapes: [{triangle_mesh: {file: mesh.obj}}], " + rest,
      mesh);
  const RunResult box = run_with_mesh(
      kHead + "  thing: {material: soft, shapes: [{box: {size: [0.1, 0.08, 0.06]}}], " + rest,
      mesh);
  EXPECT_LT(unexplained(drawn), 1e-5);
  EXPECT_LT(std::abs(drawn.energy.model_work), 1e-3 * drawn.energy_scale);
  ASSERT_GE(events_of(box, "contact_begin").size(), 1u);
  // The same pressure; friction acts at other points of it.
  EXPECT_LT(norm(body(drawn, "thing").position - body(box, "thing").position), 2e-4);
}

TEST(MeshAreas, ReturnTheRestitutionThatWasSet) {
  for (const double e : {0.3, 0.8}) {
    const RunResult r = run_with_mesh(kHead + R"yaml(
  ball: {material: soft, shapes: [{triangle_mesh: {file: mesh.obj}}], position: [0, 0, 0.1001], velocity: [0, 0, -0.5],
         angular_velocity: [0, 0, 0]}
gravity: off
contact: {law: exact, area: {pressure: foundation, layer: 4e-3}, friction: none, restitution: )yaml" +
                                          std::to_string(e) + R"yaml(}
run: {until: 0.05, tolerance: 1e-10}
)yaml",
                                      block({0.1, 0.08, 0.2}));
    ASSERT_EQ(events_of(r, "contact_end").size(), 1u);
    EXPECT_NEAR(body(r, "ball").velocity.z / 0.5, e, 1e-6) << e;
  }
}

TEST(MeshAreas, HoldConvexBodiesOnAMesh) {
  // Ball, box and cylinder at rest on a block of twelve triangles: what is displaced carries them.
  const RunResult r = run_with_mesh(R"yaml(
carom: 1
materials: {soft: {density: 1200, youngs_modulus: 5e6, poissons_ratio: 0.3}}
bodies:
  block: {fixed: true, material: soft, shapes: [{triangle_mesh: {file: mesh.obj}}]}
  ball: {material: soft, shapes: [{sphere: {radius: 0.05}}], position: [0.2, 0.03, 0.1499]}
  brick: {material: soft, shapes: [{box: {size: [0.1, 0.08, 0.06]}}], position: [-0.2, 0.02, 0.13]}
  pin: {material: soft, shapes: [{cylinder: {radius: 0.04, length: 0.06}, axis: z}], position: [0.01, 0, 0.13]}
contact: {area: {pressure: foundation, layer: 4e-3}, restitution: 0.2}
run: {until: 1, tolerance: 1e-7}
)yaml",
                                    block({0.8, 0.4, 0.2}));
  EXPECT_LT(unexplained(r), 1e-4);
  const double ball = 1200.0 * 9.81 * 4.0 / 3.0 * std::numbers::pi * 1.25e-4;
  const double d = std::sqrt(ball / (std::numbers::pi * kFoundation * 0.05));
  EXPECT_NEAR(0.15 - body(r, "ball").position.z, d, 0.02 * d);
  const double brick = 1200.0 * 9.81 * 0.06 / kFoundation;  // the same for what stands on a face
  EXPECT_NEAR(0.13 - body(r, "brick").position.z, brick, 0.01 * brick);
  EXPECT_NEAR(0.13 - body(r, "pin").position.z, brick, 0.01 * brick);
}

TEST(MeshAreas, CarryOnASheetWhicheverWayItRuns) {
  for (const bool is_upward : {true, false}) {
    const RunResult r = run_with_mesh(R"yaml(
carom: 1
materials: {soft: {density: 1200, youngs_modulus: 5e6, poissons_ratio: 0.3}}
bodies:
  sheet: {fixed: true, material: soft, shapes: [{triangle_mesh: {file: mesh.obj}}]}
  ball: {material: soft, shapes: [{sphere: {radius: 0.05}}], position: [0.02, 0.03, 0.0499]}
contact: {area: {pressure: foundation, layer: 4e-3}, restitution: 0.2}
run: {until: 1, tolerance: 1e-7}
)yaml",
                                      square_sheet(0.3, is_upward));
    const double weight = 1200.0 * 9.81 * 4.0 / 3.0 * std::numbers::pi * 1.25e-4;
    const double d = std::sqrt(weight / (std::numbers::pi * kFoundation * 0.05));
    EXPECT_NEAR(0.05 - body(r, "ball").position.z, d, 0.02 * d);
  }
}

TEST(MeshAreas, AreSteppedOverImplicitly) {
  const RunResult r = run_with_mesh(kHead + R"yaml(
  ball: {material: soft, shapes: [{triangle_mesh: {file: mesh.obj}}], position: [0, 0, 0.12],
         angular_velocity: [0, 0, 20]}
contact: {area: {pressure: foundation, layer: 4e-3}, restitution: 0.2, mu_k: 0.5}
run: {until: 1, integrator: implicit_contact, step: 1e-3}
)yaml",
                                    fine_ball(0.1, 3));
  EXPECT_LT(unexplained(r), 1e-9);
  const ContactReading& c = only_contact(r);
  const double weight = 9.81 * 1200.0 * 4.0 / 3.0 * std::numbers::pi * 1e-3;
  EXPECT_NEAR(c.normal_force, weight, 0.02 * weight);
}

TEST(RingAreas, HoldARingFlatOnAFloor) {
  // It is thrown tilted and turning, and comes to lie on all of a circle.
  for (const char* how : {"tolerance: 1e-7", "integrator: implicit_contact, step: 1e-3"}) {
    const RunResult r = testing::run_text(kHead + R"yaml(
  ring: {material: soft, shapes: [{torus: {radius: 0.1, tube_radius: 0.02}}], position: [0, 0, 0.03],
         rotation: [0.1, 0, 0], angular_velocity: [0, 0, 3]}
contact: {area: {pressure: foundation, layer: 4e-3}, restitution: 0.3, mu_k: 0.4}
run: {until: 1, )yaml" + std::string(how) +
                                          "}\n");
    EXPECT_LT(unexplained(r), 1e-5) << how;
    EXPECT_EQ(r.verdict.grade(), Grade::sound) << how;
    // K times Pappus's volume of the segment, 4/3 (2 r)^½ d^3/2 2 pi R, carries it.
    const double weight = 1200.0 * 9.81 * 2.0 * std::numbers::pi * std::numbers::pi * 0.1 * 4e-4;
    const ContactReading& c = only_contact(r);
    const double segment = weight / (kFoundation * 2.0 * std::numbers::pi * 0.1);
    const double depth = std::pow(0.75 * segment / std::sqrt(0.04), 2.0 / 3.0);
    EXPECT_NEAR(c.normal_force, weight, 1e-5 * weight) << how;
    EXPECT_NEAR(0.02 - body(r, "ring").position.z, depth, 5e-3 * depth) << how;
  }
}

TEST(RingAreas, HoldARingOnAnother) {
  // Dropped on one of its size, off the axis and tilted: it comes to rest along a circle.
  for (const char* how : {"[0, 0, 0.0405]", "[0.002, 0.001, 0.043], rotation: [0.02, 0, 0]"}) {
    const RunResult r = testing::run_text(R"yaml(
carom: 1
materials: {soft: {density: 1200, youngs_modulus: 5e6, poissons_ratio: 0.3}}
bodies:
  lower: {fixed: true, material: soft, shapes: [{torus: {radius: 0.1, tube_radius: 0.02}}]}
  upper: {material: soft, shapes: [{torus: {radius: 0.1, tube_radius: 0.02}}], position: )yaml" +
                                          std::string(how) + R"yaml(}
contact: {area: {pressure: foundation, layer: 4e-3}, restitution: 0.2, mu_k: 0.8}
run: {until: 0.3, tolerance: 1e-6}
)yaml");
    EXPECT_EQ(r.status, RunStatus::completed) << r.reason;
    EXPECT_LT(unexplained(r), 1e-4) << how;
    EXPECT_GT(body(r, "upper").position.z, 0.0385) << how;
    const double weight = 1200.0 * 9.81 * 2.0 * std::numbers::pi * std::numbers::pi * 0.1 * 4e-4;
    EXPECT_NEAR(only_contact(r).normal_force, weight, 0.02 * weight) << how;
  }
}

// The same on a formula for a plane, and in a half space: another integral of the same area.
TEST(MeshAreas, OnAFlatGraphMoveAsOnAHalfSpace) {
  const std::string text = R"yaml(
carom: 1
materials: {soft: {density: 1200, youngs_modulus: 5e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [FLOOR]}
  stone: {material: soft, shapes: [{triangle_mesh: {file: mesh.obj}}], position: [0, 0, 0.06], rotation: [0.4, 0.3, 0], velocity: [0.3, 0, 0]}
contact: {area: {layer: 2e-3}, restitution: 0.5, mu_k: 0.3}
run: {until: 0.1, tolerance: 1e-7}
)yaml";
  const auto with = [&](const std::string& floor) {
    std::string made = text;
    return made.replace(made.find("FLOOR"), 5, floor);
  };
  const TriangleMesh mesh = block({0.06, 0.05, 0.04});
  const RunResult plane = run_with_mesh(with("{half_space: {}}"), mesh);
  const RunResult graph =
      run_with_mesh(with(R"({graph: {z: "0*x", x: [-1, 1], y: [-1, 1]}})"), mesh);
  EXPECT_FALSE(events_of(graph, "contact_begin").empty());
  EXPECT_LT(norm(body(graph, "stone").position - body(plane, "stone").position), 1e-6);
  EXPECT_LT(unexplained(graph), 1e-5);
}

TEST(MeshAreas, LieInABowlByAFormula) {
  const RunResult result = run_with_mesh(R"yaml(
carom: 1
materials: {soft: {density: 1200, youngs_modulus: 5e6, poissons_ratio: 0.3}}
bodies:
  bowl: {fixed: true, material: soft, shapes: [{paraboloid: {radius_x: 0.1, radius_y: 0.12, half_x: 0.2, half_y: 0.2}}]}
  stone: {material: soft, shapes: [{triangle_mesh: {file: mesh.obj}}], position: [0.01, 0.005, 0.06]}
contact: {area: {layer: 2e-3}, restitution: 0.2, mu_k: 0.5}
run: {until: 0.1, tolerance: 1e-5}
)yaml",
                                         fine_ball(0.04, 2));
  EXPECT_LT(unexplained(result), 1e-4);
  EXPECT_GT(only_contact(result).contact_area, 0.0);
  EXPECT_LT(std::hypot(body(result, "stone").position.x, body(result, "stone").position.y), 0.02);
}

TEST(MeshAreas, OfTwoMeshesAreRefusedWithARemedy) {
  const std::string text = R"yaml(
carom: 1
bodies:
  a: {fixed: true, material: steel, shapes: [{triangle_mesh: {file: mesh.obj}}]}
  b: {material: steel, shapes: [{triangle_mesh: {file: mesh.obj}}], position: [0, 0, 0.3]}
contact: {method: elastic, area: {pressure: foundation, layer: 2e-3}}
run: {until: 0.1}
)yaml";
  try {
    run_with_mesh(text, block({0.1, 0.1, 0.1}));
    FAIL();
  } catch (const InputError& e) {
    const std::string all = e.what();
    EXPECT_NE(all.find("of two triangle meshes"), std::string::npos) << all;
    EXPECT_NE(all.find("method: triangles"), std::string::npos) << all;
  }
}

}  // namespace
}  // namespace carom
