// carom distance: signed distance, normal, witness points and curvature of pairs.
#include <fmt/core.h>

#include <array>

#include "body_pairs.h"
#include "carom/base/json.h"
#include "carom/base/text.h"
#include "carom/engine/study/distances.h"
#include "exit_code.h"
#include "talk.h"

namespace carom::cli {
namespace {

struct DistanceOptions : BodyPairOptions {
  bool json = false;
};

void print_json(const Model& model, const std::vector<ShapeDistance>& rows) {
  const auto body = [&](int i) { return model.bodies[static_cast<std::size_t>(i)].name; };
  const auto row = [&](const ShapeDistance& d) {
    const Contact& c = d.contact;
    const std::string shapes[] = {shape_name(model, d.body_a, d.shape_a),
                                  shape_name(model, d.body_b, d.shape_b)};
    JsonObject out;
    out.put("pair", json_texts(std::array{body(d.body_a), body(d.body_b)}));
    out.put("shapes", json_texts(shapes)).number("distance", c.phi);
    out.put("normal", json_vec(c.n_AB_W));
    out.put("points", "[" + json_vec(c.p_WCa) + ", " + json_vec(c.p_WCb) + "]");
    out.put("curvatures", json_numbers(std::array{c.k1, c.k2}, ", "));
    return out.put("curvature_direction", json_vec(c.k1_direction_W)).str();
  };
  say("{}\n", JsonObject().put("pairs", json_list(rows, row, ",\n ")).str());
}

void print_table(const Model& model, const std::vector<ShapeDistance>& rows) {
  for (const ShapeDistance& d : rows) {
    const Contact& c = d.contact;
    say("{} - {}: {:.15g} m\n", shape_name(model, d.body_a, d.shape_a),
        shape_name(model, d.body_b, d.shape_b), c.phi);
    say("  normal     {:>20.15f} {:>20.15f} {:>20.15f}\n", c.n_AB_W.x, c.n_AB_W.y, c.n_AB_W.z);
    say("  first      {:>20.15g} {:>20.15g} {:>20.15g} m\n", c.p_WCa.x, c.p_WCa.y, c.p_WCa.z);
    say("  second     {:>20.15g} {:>20.15g} {:>20.15g} m\n", c.p_WCb.x, c.p_WCb.y, c.p_WCb.z);
    say("  curvatures {:>20.15g} {:>20.15g} 1/m\n", c.k1, c.k2);
  }
}

int print_distances(const DistanceOptions& o) {
  const std::shared_ptr<const Model> model = load_model(o.scene);
  const std::vector<Pose> poses = poses_of(model, o);
  std::vector<ShapeDistance> rows;
  if (o.bodies.empty()) {
    rows = nearest_distances(*model, poses);
  } else if (o.bodies.size() == 2) {
    const int a = body_named(*model, o.bodies[0]), b = body_named(*model, o.bodies[1]);
    if (a < 0 || b < 0) return kWrongUsage;
    rows = distances_between(*model, poses, a, b);
  } else {
    tell("carom: give two bodies, or none for all pairs\n");
    return kWrongUsage;
  }
  for (std::size_t i = 0; i < model->bodies.size(); ++i) {
    for (const ShapeSpec& s : model->scene.bodies[i].shapes) {
      if (*s.shape.kind->contact_as) {
        tell("note: {} of '{}' counts as {}\n", s.shape.kind->name, model->bodies[i].name,
             s.shape.kind->contact_as);
      }
    }
  }
  o.json ? print_json(*model, rows) : print_table(*model, rows);
  return kDone;
}

}  // namespace

void add_distance(Program& program) {
  auto options = std::make_shared<DistanceOptions>();
  CLI::App* command =
      program.add("distance", "signed distance, normal and closest points of bodies",
                  [options] { return print_distances(*options); });
  command->add_option("scene", options->scene.file, "scene file (.yaml)")->required();
  command->add_option("bodies", options->bodies, "two bodies; without them, all pairs");
  add_pose_options(*command, *options);
  command->add_flag("--json", options->json, "print one JSON document");
}

}  // namespace carom::cli
