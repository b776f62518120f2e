#include "scenes.h"

#include <algorithm>
#include <filesystem>

#include "carom/engine/implicit/implicit_contacts.h"
#include "carom/integrate/integrator.h"
#include "carom/scene/read/read.h"
#include "carom/verify/case.h"
#include "support/project_folder.h"

namespace carom::golden {
namespace {

constexpr const char* kTumbling = R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  box: {material: steel, shapes: [{box: {size: [0.1, 0.12, 0.14]}}], position: [0, 0, 0.12], angular_velocity: [3, 2, 1]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0.02, 0.01, 0.25]}
contact: {law: exact, friction: lugre, restitution: 0.5, k_red: 1e-4}
run: {until: 0.2, tolerance: 1e-6}
)yaml";

constexpr const char* kRolling = R"yaml(
carom: 1
bodies:
  ramp: {fixed: true, material: soft, shapes: [{box: {size: [2, 1, 0.1]}, at: [0, 0, -0.05]}], rotation: [0, 0.2, 0]}
  egg: {material: soft, shapes: [{ellipsoid: {radii: [0.12, 0.1, 0.1]}}], position: [0, 0, 0.12], velocity: [1, 0, 0]}
  drum: {material: soft, shapes: [{cylinder: {radius: 0.08, length: 0.2}, axis: y}], position: [0.4, 0, 0.005]}
materials: {soft: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
contact: {law: flores, friction: coulomb, restitution: 0.7}
run: {until: 0.2, tolerance: 1e-6}
)yaml";

constexpr const char* kStopped = R"yaml(
carom: 1
bodies:
  wall: {fixed: true, material: rubber, shapes: [{box: {size: [0.1, 1, 1]}, at: [0.35, 0, 0]}]}
  arm:
    material: steel
    shapes: [{capsule: {radius: 0.02, length: 0.3}, at: [0.15, 0, 0]}]
    joint: {revolute: {axis: y}, name: pivot, q: -1.2, limits: {upper: 1.0, stiffness: 1e4, damping: 5}, friction: {coulomb: 0.05}}
  hammer: {material: rubber, shapes: [{box: {size: [0.06, 0.06, 0.06]}}], joint: {revolute: {parent: arm, at: [0.3, 0, 0], axis: y}, name: wrist, damping: 0.01}}
contact: {law: hunt_crossley, friction: elasto_plastic, restitution: 0.6}
run: {until: 0.2, tolerance: 1e-6}
)yaml";

constexpr double kFixedStep = 2e-4;  // [s]

std::shared_ptr<const Model> compiled(const Scene& scene) {
  Diagnostics diagnostics;
  std::shared_ptr<const Model> model = compile(scene, diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  return model;
}

void add_demos(std::vector<Guarded>& out) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(testing::project_folder() / "examples")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    out.push_back({"demo/" + file.stem().string(), compiled(read_scene_file(file.string()))});
  }
}

void add_cases(std::vector<Guarded>& out) {
  for (const verify::CarriedCase& carried : verify::carried_cases()) {
    const verify::Case c = verify::read_case(carried.name, carried.text);
    ReadOptions options;
    options.overrides = c.runs.front().overrides;
    options.carried = verify::carried_meshes();
    out.push_back({"verify/" + c.name, compiled(read_scene_text(c.scene, c.name, options))});
  }
}

void add_methods(std::vector<Guarded>& out) {
  const struct {
    const char *name, *text;
  } scenes[] = {{"tumbling", kTumbling}, {"rolling", kRolling}, {"stopped", kStopped}};
  for (const auto& scene : scenes) {
    for (const Method* method : method_catalogue()) {
      if (method->name == std::string("time_stepping")) continue;  // takes rigid contact alone
      ReadOptions options;
      options.overrides = {std::string("run.integrator=") + method->name};
      if (!method->error_controlled) {
        options.overrides.push_back("run.step=" + std::to_string(kFixedStep));
      }
      const std::shared_ptr<const Model> model =
          compiled(read_scene_text(scene.text, scene.name, options));
      // Joints beside contacts are refused.
      const bool is_implicit = method->name == std::string("implicit_contact");
      if (is_implicit && !find_implicit_obstacle(*model).empty()) continue;
      out.push_back({std::string(scene.name) + "/" + method->name, model});
    }
  }
}

}  // namespace

std::vector<Guarded> guarded_runs() {
  std::vector<Guarded> out;
  add_demos(out);
  add_cases(out);
  add_methods(out);
  return out;
}

}  // namespace carom::golden
