// carom check: validates a scene and prints what was understood.
#include <fmt/core.h>

#include "carom/base/json.h"
#include "carom/base/text.h"
#include "carom/engine/compile/as_drawn.h"
#include "carom/engine/study/study.h"
#include "carom/geometry/parametric_surface.h"
#include "carom/scene/expand/expand.h"
#include "carom/simulation/run.h"
#include "carom/sweep/read_study.h"
#include "contact_report.h"
#include "exit_code.h"
#include "mesh_report.h"
#include "scene_source.h"
#include "surface_report.h"
#include "sweep_command.h"
#include "talk.h"

namespace carom::cli {
namespace {

struct CheckOptions {
  SceneOptions scene;
  bool json = false, expand = false;
};

/// Kind, volume, bounding box, and what contact makes of it.
void print_shape(const ShapeSpec& s, bool is_as_drawn) {
  const ShapeKind& kind = *s.shape.kind;
  const BoundingBox box = bounding_box(s.shape);
  say("  {}: volume {:.6g} m3, box [{:.4g}, {:.4g}, {:.4g}] to [{:.4g}, {:.4g}, {:.4g}] m",
      kind.name, mass_properties(s.shape, 1.0).volume, box.lower.x, box.lower.y, box.lower.z,
      box.upper.x, box.upper.y, box.upper.z);
  if (s.shape.edge_radius > 0.0) {
    say(", edges {} by {:.3g} m", kind.rounding == Rounding::layer ? "covered" : "rounded",
        s.shape.edge_radius);
  }
  if (!s.contact) say(", no contact");
  if (*kind.contact_as) say(", contact as {}", is_as_drawn ? "drawn" : kind.contact_as);
  const auto* parametric = dynamic_cast<const ParametricSurface*>(s.shape.surface.get());
  if (parametric) say(", {}", parametric->describe());
  if (*kind.mass_as) say(", mass as {}", kind.mass_as);
  say("\n");
}

void print_bodies(const Model& model) {
  say("{:<16} {:>12} {:>34} {:>36}\n", "body", "mass [kg]", "centre of mass [m]",
      "inertia about it: xx yy zz [kg.m2]");
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const BodyInfo& b = model.bodies[i];
    const MassProperties& m = b.mass;
    say("{:<16} {:>12.6g} {:>34} {:>36}{}\n", b.name, m.mass,
        fmt::format("{:.5g} {:.5g} {:.5g}", m.com.x, m.com.y, m.com.z),
        fmt::format("{:.5g} {:.5g} {:.5g}", m.inertia.xx, m.inertia.yy, m.inertia.zz),
        b.link == 0 ? "  fixed" : "");
    const std::vector<ShapeSpec>& shapes = model.scene.bodies[i].shapes;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      print_shape(shapes[k], is_as_drawn(model.contact, static_cast<int>(i), static_cast<int>(k)));
    }
  }
}

void print_joints(const Model& model) {
  if (model.joints.empty()) return;
  say("{:<16} {:<12} {:<16} {}\n", "joint", "kind", "child", "q at the start");
  for (const JointInfo& joint : model.joints) {
    std::string q;
    for (int k = 0; k < joint.kind->nq; ++k) {
      q += fmt::format("{:.6g} ", model.initial[static_cast<std::size_t>(joint.q0 + k)]);
    }
    say("{:<16} {:<12} {:<16} {}\n", joint.name.empty() ? "(free)" : joint.name, joint.kind->name,
        model.bodies[static_cast<std::size_t>(joint.body)].name, q);
  }
}

int check(const CheckOptions& o) {
  if (sweep::is_study_file(o.scene.file)) {
    return check_study(o.scene.file, o.scene.allow_outside, o.json);
  }
  if (o.expand) {
    say("{}", expand(load_scene(o.scene)));
    return kDone;
  }
  const std::shared_ptr<const Model> model = load_model(o.scene);
  const std::unique_ptr<Simulation> start = check_run(model);
  const Freedom freedom = count_freedom(start->workspace(), start->state());
  if (o.json) {
    JsonObject bodies;
    for (const BodyInfo& b : model->bodies) {
      const MassProperties& m = b.mass;
      const Sym3& I = m.inertia;
      JsonObject body;
      body.number("mass", m.mass)
          .put("com", json_numbers(std::array{m.com.x, m.com.y, m.com.z}, ", "));
      body.put("inertia", json_numbers(std::array{I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}, ", "));
      bodies.put(b.name, body.number("volume", m.volume).flag("fixed", b.link == 0).str());
    }
    JsonObject out;
    out.text("name", model->scene.name).put("bodies", bodies.str());
    out.count("joints", model->joints.size()).count("degrees_of_freedom", freedom.degrees);
    out.count("constraint_rows", freedom.rows).count("redundant_rows", freedom.redundant);
    out.count("states", model->size()).all_of(surfaces_json(*model));
    out.all_of(meshes_json(*model)).all_of(contact_steps_json(*start));
    say("{}\n", out.str());
    return kDone;
  }
  say("{}\n\n", model->scene.name);
  print_bodies(*model);
  print_meshes(*model);
  say("\n");
  print_joints(*model);
  print_surfaces(*model);
  print_contact_steps(*start);
  say("\n{} degrees of freedom, {} states", freedom.degrees, model->size());
  if (freedom.rows > 0)
    say(", {} constraint rows of which {} are redundant", freedom.rows, freedom.redundant);
  say("\n");
  return kDone;
}

}  // namespace

void add_check(Program& program) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command =
      program.add("check", "validate a scene or a study and print what was understood",
                  [options] { return check(*options); });
  command->add_option("scene", options->scene.file, "scene or study file (.yaml)")->required();
  command->add_flag("--json", options->json, "print one JSON document");
  command->add_flag("--expand", options->expand, "print the scene with every default filled in");
  add_scene_options(*command, options->scene);
}

}  // namespace carom::cli
