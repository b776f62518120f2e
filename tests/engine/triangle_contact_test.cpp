// Shapes that touch as triangles: forces at one instant, sites, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "carom/engine/contact/contact_part.h"
#include "carom/engine/events/events.h"
#include "carom/engine/part_states.h"
#include "carom/engine/run_state.h"
#include "carom/scene/read/read.h"
#include "support/mesh_texts.h"

namespace carom {
namespace {

std::string triangle_scene(const std::string& bodies, const std::string& contact) {
  return R"yaml(
carom: 1
materials: {soft: {density: 1250, youngs_modulus: 2.1e6, poissons_ratio: 0.3}}
bodies:
)yaml" + bodies +
         "contact: {" + contact + "}\nrun: {until: 1}\n";
}

struct CompiledScene {
  Diagnostics diagnostics;
  std::shared_ptr<const Model> model;
  explicit CompiledScene(const std::string& text, const std::string& mesh = {}) {
    ReadOptions options;
    options.carried = {{"mesh.obj", mesh}};
    model = compile(read_scene_text(text, "test", options), diagnostics);
  }
  std::string findings() const {
    std::string all;
    for (const Diagnostic& d : diagnostics.all()) all += d.message + " | " + d.remedy + "\n";
    return all;
  }
};

struct AtInstant {
  explicit AtInstant(const CompiledScene& compiled) : model(compiled.model) {
    if (!model) return;
    w = std::make_unique<Workspace>(model);
    x = model->initial;
    initialise_modes(*w, 0.0, x);
    x.resize(state_size(*w), 0.0);
    EXPECT_EQ(evaluate(*w, 0.0, x), Status::ok);
  }
  std::shared_ptr<const Model> model;
  std::unique_ptr<Workspace> w;
  std::vector<double> x;
};

const char* kSoftFloor = "  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}\n";
const char* kSoftCube =
    "  cube: {material: soft, mass: 10, inertia: [0.0667, 0.0667, 0.0667], shapes: [{box: {size: "
    "[0.2, 0.2, 0.2]}}], position: [0.3, 0, 0.099]}\n";

// (E*/4) L_r L δ with E* = 1.1538 MPa, L = 0.8 m and δ = 1 mm, in whichever order they stand.
TEST(TriangleContact, OfACubePressesAsItsCircumferenceSays) {
  for (const bool floor_first : {true, false}) {
    const CompiledScene compiled(triangle_scene(
        floor_first ? std::string(kSoftFloor) + kSoftCube : std::string(kSoftCube) + kSoftFloor,
        "method: triangles, law: hertz, friction: none"));
    ASSERT_TRUE(compiled.model) << compiled.findings();
    const AtInstant s(compiled);
    ASSERT_EQ(s.w->contacts.touching.size(), 1u);
    const ContactReading& r = s.w->contacts.readings.front();
    EXPECT_NEAR(r.normal_force, 277.02, 0.005);
    EXPECT_NEAR(r.phi, -1e-3, 1e-12);
    EXPECT_NEAR(std::abs(r.force.z), r.normal_force, 1e-9);
    EXPECT_NEAR(s.w->tree.vdot[5], 277.02 / 10.0 - 9.81, 1e-3);
    EXPECT_NEAR(norm(r.point - Vec3{0.3, 0.0, 0.0}), 0.0, 1e-9);
    EXPECT_NEAR(r.contact_area, 0.04, 1e-9);
    EXPECT_NEAR(r.circumference, 0.8, 1e-9);
    EXPECT_NEAR(r.mean_pressure(), 277.02 / 0.04, 0.2);
  }
}

TEST(TriangleContact, HasASiteForEveryPatch) {
  const CompiledScene compiled(
      triangle_scene(std::string(kSoftFloor) +
                         "  table: {material: soft, shapes: [{triangle_mesh: {file: mesh.obj}}], "
                         "position: [0, 0, 0.099]}\n",
                     "method: triangles, law: hertz, friction: none"),
      testing::table_obj());
  ASSERT_TRUE(compiled.model) << compiled.findings();
  const AtInstant s(compiled);
  ASSERT_EQ(s.w->contacts.touching.size(), 4u);
  EXPECT_EQ(s.w->modes.contacts.pairs.size(), 5u);  // one watches for more
  // Each leg has a foot of 0.1 m.
  for (const ContactReading& r : s.w->contacts.readings) {
    EXPECT_NEAR(r.normal_force, 277.02 / 2.0, 0.005);
    EXPECT_NEAR(std::abs(r.point.x), 0.2, 1e-9);
    EXPECT_NEAR(std::abs(r.point.y), 0.2, 1e-9);
  }
  RunState state;
  state.x = s.x, state.parameters = s.w->parameters, state.modes = s.w->modes;
  EXPECT_EQ(state_problem(*s.model, run_state_from_bytes(to_bytes(state))), "");
}

// One body, two partners, two formulations.
TEST(TriangleContact, LivesBesideElasticContact) {
  const CompiledScene compiled(triangle_scene(
      std::string(kSoftFloor) + kSoftCube +
          "  ball: {material: soft, shapes: [{sphere: {radius: 0.1}}], position: [0.3, 0, "
          "0.298]}\n",
      "law: hertz, friction: none, pairs: [{between: [floor, cube], method: triangles}]"));
  ASSERT_TRUE(compiled.model) << compiled.findings();
  const AtInstant s(compiled);
  ASSERT_EQ(s.w->contacts.touching.size(), 2u);
  int of_triangles = 0;
  for (const ContactReading& r : s.w->contacts.readings) {
    const bool is_mesh = &part_for(*s.w, s.w->modes.contacts.pairs[r.pair]) == &triangle_part;
    of_triangles += is_mesh;
    const double hertz = 4.0 / 3.0 * 1.153846e6 * std::sqrt(0.1) * std::pow(1e-3, 1.5);
    EXPECT_NEAR(r.normal_force, is_mesh ? 277.02 : hertz, 0.005);
  }
  EXPECT_EQ(of_triangles, 1);
}

TEST(TriangleContact, RefusesWhatItCannotDo) {
  const std::string mesh_body =
      "  thing: {material: soft, mass: 1, inertia: [1, 1, 1], shapes: [{triangle_mesh: {file: "
      "mesh.obj}}], position: [0, 0, 1]}\n";
  std::string second = mesh_body;
  second.replace(second.find("thing"), 5, "other");
  const CompiledScene open(triangle_scene(mesh_body + second, "method: triangles"),
                           "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\n");
  EXPECT_FALSE(open.model);
  EXPECT_NE(open.findings().find("neither mesh is closed"), std::string::npos) << open.findings();
  const CompiledScene law(
      triangle_scene(std::string(kSoftFloor) + kSoftCube,
                     "method: triangles, law: {kelvin_voigt: {stiffness: 1e5}}"));
  EXPECT_FALSE(law.model);
  EXPECT_NE(law.findings().find("stiffness of its own"), std::string::npos) << law.findings();
  const CompiledScene inside(triangle_scene(
      std::string(kSoftCube) +
          "  pea: {material: soft, shapes: [{sphere: {radius: 0.01}}], position: [0.3, 0, "
          "0.1]}\n",
      "method: triangles"));
  EXPECT_FALSE(inside.model);
  EXPECT_NE(inside.findings().find("overlap by"), std::string::npos) << inside.findings();
}

/// Which method two bodies take where the scene does not say.
std::string method_of(const std::string& bodies, const std::string& mesh,
                      const std::string& contact = "law: hertz") {
  const CompiledScene compiled(triangle_scene(bodies, contact), mesh);
  if (!compiled.model) return compiled.findings();
  return compiled.model->contact.laws.front().method->name;
}

TEST(TriangleContact, IsWhatMeshesTakeWhereNothingIsSaid) {
  const std::string closed = testing::table_obj();
  const std::string sheet = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n";
  const auto mesh_body = [](const std::string& how, const std::string& name = "thing") {
    return "  " + name + ": {" + how +
           "material: soft, shapes: [{triangle_mesh: {file: mesh.obj}, mass: off}], position: [0, "
           "0, 2]}\n";
  };
  const std::string moving = "mass: 1, inertia: [1, 1, 1], ", fixed = "fixed: true, ";
  EXPECT_EQ(method_of(kSoftFloor + mesh_body(moving), closed), "triangles");
  EXPECT_EQ(method_of(kSoftCube + mesh_body(fixed), sheet), "triangles");
  EXPECT_EQ(method_of(kSoftCube + mesh_body(moving), sheet), "elastic");
  EXPECT_EQ(method_of(mesh_body(fixed) + mesh_body(moving, "other"), sheet), "elastic");
  EXPECT_EQ(method_of(std::string(kSoftFloor) + kSoftCube, ""), "elastic");
  EXPECT_EQ(method_of(kSoftFloor + mesh_body(moving), closed, "method: elastic"), "elastic");
  // A law with a stiffness of its own.
  EXPECT_EQ(
      method_of(kSoftFloor + mesh_body(moving), closed, "law: {kelvin_voigt: {stiffness: 1e5}}"),
      "elastic");
}

}  // namespace
}  // namespace carom
