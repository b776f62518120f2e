// Runs of shapes that touch as triangles: impacts, rest, energy.
#include <cmath>

#include "carom/simulation/simulation.h"
#include "contact_runs.h"
#include "proximity/surface_meshes.h"
#include "support/mesh_texts.h"

namespace carom {
namespace {

using testing::body;
using testing::events_of;
using testing::Impact;
using testing::impact;

/// Projected onto the sphere at every halving.
std::string soft_ball_obj(int times) {
  TriangleMesh mesh = test::icosphere(0, [](const Vec3&) { return 0.2; });
  for (; times > 0; --times) {
    test::subdivide(mesh, 1);
    for (Vec3& v : mesh.vertices) v = 0.2 * normalized(v);
  }
  return testing::obj_text(mesh);
}

std::shared_ptr<const Model> mesh_model(const std::string& text, const std::string& mesh) {
  ReadOptions options;
  options.carried = {{"mesh.obj", mesh}};
  Diagnostics diagnostics;
  auto model = compile(read_scene_text(text, "test", options), diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  return model;
}
RunResult run_mesh(const std::string& text, const std::string& mesh) {
  RunResult result = run(mesh_model(text, mesh));
  EXPECT_EQ(result.status, RunStatus::completed) << result.reason;
  return result;
}

/// A ball of 1 kg falls from 1 m on a fixed ball of the same kind [Moisio 2013, 6.1].
std::string mesh_drop(const std::string& law, double restitution, const std::string& how) {
  return R"yaml(
carom: 1
materials: {soft: {density: 1000, youngs_modulus: 2.1e5, poissons_ratio: 0.3}}
bodies:
  anvil: {fixed: true, material: soft, shapes: [{triangle_mesh: {file: mesh.obj}, mass: off}]}
  ball: {mass: 1, inertia: [0.016, 0.016, 0.016], material: soft, shapes: [{triangle_mesh: {file: mesh.obj}, mass: off}], joint: {prismatic: {axis: z}, name: drop, q: 1}}
contact: {method: triangles, friction: none, resistance: none, law: )yaml" +
         law + ", restitution: " + std::to_string(restitution) + "}\nrun: {" + how + "}\n";
}

// Integrations of the one-dimensional laws by another program, as in drop_laws_test.cpp. The lens
// of two spheres differs from Hertz's paraboloids by 0.8 % at a fifth of the radius, the mesh of
// 5,120 triangles by what its facets cut off.
TEST(TriangleDrop, ReboundsAsTheLawsOfHertzAndFloresDo) {
  struct Row {
    const char* law;
    double restitution, v_out, depth, peak;
  };
  for (const Row& row : {Row{"hertz", 1.0, 3.4310348, 0.0401344607, 391.16752},
                         Row{"flores", 0.5, 1.4864771, 0.0302595914, 0.0},
                         Row{"exact", 0.5, 1.5944217, 0.0308939293, 0.0},
                         // With the thesis's L_r, over the exact circle.
                         Row{"{circumference: {Lr: 1}}", 1.0, 3.4310348, 0.0327648425, 470.77584},
                         Row{"{circumference: {Lr: 0.5}}", 0.5, 1.4755613, 0.0327959466, 0.0}}) {
    for (const char* how : {"until: 0.7, integrator: rk4, step: 1e-4", "until: 0.7"}) {
      SCOPED_TRACE(std::string(row.law) + " " + how);
      const RunResult r = run_mesh(mesh_drop(row.law, row.restitution, how), soft_ball_obj(4));
      const Impact hit = impact(r);
      EXPECT_NEAR(hit.v_in, std::sqrt(2.0 * 9.81 * 0.6), 0.002 * 3.43);
      EXPECT_NEAR(hit.v_out / row.v_out, 1.0, 0.002);
      EXPECT_EQ(events_of(r, "contact_end").size(), 1u);
      const EngineEvent end = events_of(r, "contact_end").front();
      // Mean depth: half of the approach, and 1.7 % more in a lens.
      EXPECT_NEAR(2.0 * end.peak_depth / row.depth, 1.0 + row.depth / 2.4, 0.015);
      if (row.peak > 0.0) {
        EXPECT_NEAR(end.peak_force / row.peak, 1.0, 0.015);
      }
    }
  }
}

// Blows so damped that the ball stays; then it rests where Hertz's force is its weight, 3.4387 mm
// deep, below the mesh: facets of both balls lie s = 2 pi R / (√3 N) = 0.142 mm below their sphere.
TEST(TriangleDrop, StaysAndRestsAtTheStaticDepth) {
  struct Row {
    const char* law;
    double depth, peak;
  };
  const double rest = 3.438652e-3;
  const double s = 2.0 * std::numbers::pi * 0.2 / (std::numbers::sqrt3 * 5120.0);
  for (const Row& row : {Row{"{flores: {}}", 0.0126591441, 807.520925},
                         Row{"{exact: {}}", 0.0147154005, 694.028171}}) {
    SCOPED_TRACE(row.law);
    std::string text = mesh_drop(row.law, 0.05, "until: 1.6, integrator: rk4, step: 1e-4");
    text.insert(text.find("method: triangles"), "damping_max: 1e9, ");
    const RunResult r = run_mesh(text, soft_ball_obj(4));
    EXPECT_TRUE(events_of(r, "contact_end").empty());
    ASSERT_EQ(r.contact_pairs.size(), 1u);
    EXPECT_NEAR(r.contact_pairs[0].peak_force / row.peak, 1.0, 0.015);
    EXPECT_NEAR(2.0 * r.contact_pairs[0].peak_depth / row.depth, 1.0 + row.depth / 2.4, 0.015);
    ASSERT_EQ(r.contacts.size(), 1u);
    EXPECT_NEAR(2.0 * -r.contacts[0].reading.phi / rest, 1.0 + rest / 2.4, 0.015);
    EXPECT_NEAR(body(r, "ball").position.z, 0.4 - 2.0 * s - rest, 0.01 * rest);
  }
}

TEST(TriangleDrop, KeepsItsHeightOverTwentyElasticBounces) {
  const RunResult r =
      run_mesh(mesh_drop("hertz", 1.0, "until: 14.8, tolerance: 1e-8"), soft_ball_obj(2));
  EXPECT_EQ(events_of(r, "contact_begin").size(), 20u);
  const double start = 9.81 * 1.0, end = r.energy.kinetic + r.energy.potential;
  EXPECT_NEAR(end, start, 0.001 * 9.81 * 0.6);
}

// Steps of 0.1 ms resolve the contact: h sqrt(k/m) is 0.015 at the deepest.
TEST(TriangleDrop, KeepsItsHeightInImplicitStepsThatResolveIt) {
  const RunResult r =
      run_mesh(mesh_drop("hertz", 1.0, "until: 1.4, integrator: implicit_contact, step: 1e-4"),
               soft_ball_obj(3));
  EXPECT_EQ(events_of(r, "contact_end").size(), 2u);
  const double kept = r.energy.kinetic + r.energy.potential - 9.81 * 0.4;
  EXPECT_GT(kept, 0.998 * 9.81 * 0.6);  // 99.9 % of each
  EXPECT_LT(kept, 1.001 * 9.81 * 0.6);
}

// Depths under 1 to 4 cubes of 10 kg: n m g / ((E*/4) L_r L).
TEST(TriangleStack, RestsAtTheDepthsOfItsSprings) {
  std::string text = R"yaml(
carom: 1
materials: {soft: {density: 1250, youngs_modulus: 2.1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
)yaml";
  double z = -0.1;
  const double depths[] = {1.417e-3, 1.062e-3, 0.708e-3, 0.354e-3};
  for (int i = 0; i < 4; ++i) {
    z += 0.2 - 1.02 * depths[i];  // a little too deep
    text += "  c" + std::to_string(i) +
            ": {material: soft, mass: 10, inertia: [0.0667, 0.0667, 0.0667], shapes: [{box: {size: "
            "[0.2, 0.2, 0.2]}}], position: [0, 0, " +
            std::to_string(z) + "]}\n";
  }
  text +=
      "contact: {method: triangles, friction: coulomb, mu_k: 0.5, damping_max: 10}\n"
      "run: {until: 2}\n";
  const RunResult r = run_mesh(text, "");
  ASSERT_EQ(r.contacts.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(-r.contacts[i].reading.phi, depths[i], 0.6e-6);  // three digits are given
    EXPECT_LT(std::hypot(body(r, "c" + std::to_string(i)).position.x,
                         body(r, "c" + std::to_string(i)).position.y),
              1e-5);
  }
}

// A ring hits the floor on one side, then on the other: no friction, so what is neither kinetic,
// potential nor dissipated along the normal is the error of the force model.
TEST(TriangleRing, TurnsOverItsEnergyWithLittleWorkOfTheModel) {
  const std::string text = R"yaml(
carom: 1
materials: {soft: {density: 1250, youngs_modulus: 2.1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  torus: {material: soft, shapes: [{triangle_mesh: {file: mesh.obj}}], position: [0, 0, 0.35], rotation: [0.4, 0.2, 0]}
contact: {method: triangles, law: exact, restitution: 0.9, friction: none, resistance: none}
run: {until: 1.5, tolerance: 1e-6}
)yaml";
  const RunResult r = run_mesh(text, testing::torus_obj(24, 0.1, 0.035));
  EXPECT_GE(events_of(r, "contact_begin").size(), 3u);
  EXPECT_LT(std::abs(r.energy.model_work), 0.01 * r.energy_scale);
  EXPECT_LT(r.energy.model_work, 1e-5 * r.energy_scale);  // never from nothing
  EXPECT_LT(testing::unexplained(r), 1e-4);
}

// Legs come down one after the other, each its own impact; a run that is saved goes on alike.
TEST(TriangleTable, LandsOnItsLegsAndGoesOnFromASavedState) {
  const std::string text = R"yaml(
carom: 1
materials: {soft: {density: 1250, youngs_modulus: 2.1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  table: {material: soft, shapes: [{triangle_mesh: {file: mesh.obj}}], position: [0, 0, 0.2], rotation: [0.1, 0.2, 0]}
contact: {method: triangles, law: exact, restitution: 0.4, friction: lugre, mu_k: 0.3}
run: {until: 0.6}
)yaml";
  const auto model = mesh_model(text, testing::table_obj());
  const RunResult r = run(model);
  EXPECT_EQ(r.status, RunStatus::completed) << r.reason;
  EXPECT_EQ(r.contacts.size(), 4u);
  EXPECT_LT(norm(body(r, "table").velocity), 0.02);
  EXPECT_LT(testing::unexplained(r), 1e-4);
  Simulation whole(model);
  whole.advance(0.2);
  const RunState saved = whole.save();
  whole.advance(0.3);
  Simulation again(model);
  again.restore(saved);
  again.advance(0.3);
  ASSERT_EQ(whole.state().size(), again.state().size());
  for (std::size_t i = 0; i < whole.state().size(); ++i) {
    EXPECT_EQ(whole.state()[i], again.state()[i]);
  }
}

}  // namespace
}  // namespace carom
