// Every pair of shape kinds under rigid contact: located, or a finding that says what to do; by
// time steps always.
#include "scene_runs.h"

namespace carom {
namespace {

/// A kind and its first example, made once: meshes take time.
struct Example {
  const ShapeKind* kind;
  Shape shape;
};

std::vector<Example> all_examples() {
  std::vector<Example> all;
  for (const ShapeKind* kind : shape_catalogue()) {
    all.push_back({kind, make_shape(examples(*kind).front())});
  }
  return all;
}

/// Two bodies with these shapes, the second one above.
Scene scene_of_kinds(const Example& below, const Example& above, const std::string& run) {
  Scene scene = read_scene_text(
      "carom: 1\nbodies:\n  below: {fixed: true, shapes: [{sphere: {radius: 0.1}}]}\n  above: "
      "{mass: 1, inertia: [1, 1, 1], shapes: [{sphere: {radius: 0.1}}], position: [0, 0, 50]}\n"
      "contact: {method: rigid, restitution: 0.5, mu_k: 0.3}\nrun: {until: 1, " +
          run + "}\n",
      "table", {});
  scene.bodies[0].shapes[0].shape = below.shape, scene.bodies[1].shapes[0].shape = above.shape;
  return scene;
}

std::string errors_of(const Scene& scene) {
  Diagnostics diagnostics;
  if (compile(scene, diagnostics)) return {};
  return InputError(std::move(diagnostics)).what();
}

bool is_endless(const Example& example) {
  const std::string name = example.kind->name;
  return name == "half_space" || name == "graph" || name == "paraboloid";
}

TEST(RigidTable, EveryPairOfShapesIsLocatedOrRefusedWithARemedy) {
  int located = 0, refused = 0;
  const std::vector<Example> all = all_examples();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      const Example &below = all[i], &above = all[j];
      if (is_endless(above) || (j < i && !is_endless(below))) continue;  // each pair once
      const std::string names = std::string(below.kind->name) + " below " + above.kind->name;
      const std::string found = errors_of(scene_of_kinds(below, above, "integrator: erk8"));
      ++(found.empty() ? located : refused);
      if (found.empty()) continue;
      EXPECT_NE(found.find("remedy: "), std::string::npos) << names << ": " << found;
      // Surfaces by formulas on bodies with faces are found by no method.
      if (found.find("cannot be found") != std::string::npos) continue;
      EXPECT_NE(found.find("is not known"), std::string::npos) << names << ": " << found;
      EXPECT_NE(found.find("integrator: time_stepping"), std::string::npos) << names;
      EXPECT_EQ(errors_of(scene_of_kinds(below, above, "integrator: time_stepping, step: 1e-3")),
                "")
          << names;
    }
  }
  std::printf("%d pairs located, %d refused\n", located, refused);
  EXPECT_GE(located, 130);
}

// What only rigid contact knows gets a note where nothing is rigid, and none where something is.
TEST(RigidTable, DrillingIsNotedWhereNothingIsRigid) {
  for (const bool is_rigid : {false, true}) {
    Diagnostics diagnostics;
    const Scene scene = read_scene_text(
        "carom: 1\nbodies:\n  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n"
        "  ball: {material: steel, shapes: [{sphere: {radius: 0.1}}], position: [0, 0, 0.2]}\n"
        "contact: {spin_radius: 0.02, " +
            std::string(is_rigid ? "method: rigid" : "method: elastic") + "}\nrun: {until: 1}\n",
        "note", {});
    ASSERT_TRUE(compile(scene, diagnostics));
    bool is_noted = false;
    for (const Diagnostic& d : diagnostics.all()) {
      is_noted |= d.message.find("spin_radius applies to rigid") != std::string::npos;
    }
    EXPECT_EQ(is_noted, !is_rigid);
  }
}

}  // namespace
}  // namespace carom
