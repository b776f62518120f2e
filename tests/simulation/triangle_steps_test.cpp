// Implicit contact steps of shapes as triangles.
#include <cmath>
#include <random>

#include "contact_runs.h"
#include "support/mesh_texts.h"

namespace carom {
namespace {

using testing::body;
using testing::events_of;

RunResult run_with(const std::string& text, const std::string& mesh) {
  ReadOptions options;
  options.carried = {{"mesh.obj", mesh}};
  Diagnostics diagnostics;
  const auto model = compile(read_scene_text(text, "test", options), diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  RunResult result = run(model);
  EXPECT_EQ(result.status, RunStatus::completed) << result.reason;
  return result;
}

// Steel rests a nanometre deep: less than any step moves it, were it not for patches that outlive
// their curve.
TEST(TriangleSteps, LetSteelCubesStandOnEachOther) {
  for (const char* step : {"0.001", "0.005", "0.01"}) {
    std::string text =
        "carom: 1\nbodies:\n"
        "  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n";
    for (int i = 0; i < 5; ++i) {
      text += "  c" + std::to_string(i) +
              ": {material: steel, shapes: [{box: {size: [0.2, 0.2, 0.2]}}], position: [0, 0, " +
              std::to_string(0.1 + 0.2 * i) + "]}\n";
    }
    text += "contact: {method: triangles, friction: lugre, mu_k: 0.5, restitution: 0.3}\n";
    text += std::string("run: {until: 0.5, integrator: implicit_contact, step: ") + step + "}\n";
    const RunResult r = run_with(text, "");
    for (int i = 0; i < 5; ++i) {
      const Vec3 drift = body(r, "c" + std::to_string(i)).position - Vec3{0.0, 0.0, 0.1 + 0.2 * i};
      EXPECT_LT(norm(drift), 1e-6) << step << " s, cube " << i;
    }
  }
}

// A pile of rings and boxes of unlike mass, stiff and thrown together: what steps that do not
// resolve its impacts make of it must not be energy.
TEST(TriangleSteps, NeverGainEnergy) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  for (const char* step : {"0.001", "0.005", "0.01"}) {
    std::string text =
        "carom: 1\nbodies:\n"
        "  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n";
    for (int i = 0; i < 4; ++i) {
      const std::string shape = i % 2 == 0 ? "triangle_mesh: {file: mesh.obj}, mass: off"
                                           : "box: {size: [0.2, 0.15, 0.1]}, mass: off";
      const double mass = std::pow(10.0, 1.5 * u(random) - 0.5);
      const std::string inertia = std::to_string(0.004 * mass);
      text += "  b" + std::to_string(i) + ": {material: steel, mass: " + std::to_string(mass) +
              ", inertia: [" + inertia + ", " + inertia + ", " + inertia + "], shapes: [{" + shape +
              "}], position: [" + std::to_string(0.05 * u(random)) + ", " +
              std::to_string(0.05 * u(random)) + ", " + std::to_string(0.25 + 0.3 * i) +
              "], rotation: [" + std::to_string(u(random)) + ", " + std::to_string(u(random)) +
              ", 0], velocity: [0, 0, -2]}\n";
    }
    text += "contact: {method: triangles, friction: coulomb, mu_k: 0.4, restitution: 0.7}\n";
    text += std::string("run: {until: 0.6, integrator: implicit_contact, step: ") + step + "}\n";
    const RunResult r = run_with(text, testing::torus_obj(12, 0.1, 0.035));
    EXPECT_GT(events_of(r, "contact_begin").size(), 3u);
    // What should be constant: all rows together. Bodies that turn in a step are found deeper than
    // they came; what lifts them out is less than friction takes, and stands in model_work.
    EXPECT_GE(r.energy.dissipated_step, -1e-9 * r.energy_scale) << step;
    EXPECT_LT(r.energy.model_work, 1e-3 * r.energy_scale) << step;
    EXPECT_LT(testing::unexplained(r), 1e-9) << step;
  }
}

}  // namespace
}  // namespace carom
