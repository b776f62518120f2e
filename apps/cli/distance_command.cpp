// carom distance: signed distance, normal, witness points and curvature of pairs.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/engine/distances.h"
#include "carom/record/result_file.h"
#include "exit_code.h"
#include "scene_source.h"
#include "talk.h"

namespace carom::cli {
namespace {

struct DistanceOptions {
  SceneOptions scene;
  std::vector<std::string> bodies;
  std::string result;
  double time = 0.0;
  bool json = false;
};

/// Poses from the recorded row nearest to `time`; bodies that were not recorded stay.
void take_recorded_poses(const Model& model, const DistanceOptions& o, std::vector<Pose>& poses) {
  const ResultFile file(o.result);
  const std::vector<double> times = file.time();
  if (times.empty()) throw std::runtime_error("'" + o.result + "' holds no rows");
  const auto after = std::lower_bound(times.begin(), times.end(), o.time);
  std::size_t row = static_cast<std::size_t>(std::min(after, times.end() - 1) - times.begin());
  if (row > 0 && o.time - times[row - 1] < times[row] - o.time) --row;
  const ColumnIndex index(file.channels());
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].link == 0) continue;
    const std::string& name = model.bodies[i].name;
    const ColumnIndex::Range p = index.channel(name + ".position");
    const ColumnIndex::Range q = index.channel(name + ".orientation");
    const std::vector<double> at = file.block(row, 1, p.first, 3),
                              turn = file.block(row, 1, q.first, 4);
    poses[i] = {to_matrix({turn[0], turn[1], turn[2], turn[3]}), {at[0], at[1], at[2]}};
  }
}

std::string shape_name(const Model& model, int body, int shape) {
  const BodySpec& spec = model.scene.bodies[static_cast<std::size_t>(body)];
  const ShapeSpec& s = spec.shapes[static_cast<std::size_t>(shape)];
  const std::string own = s.name.empty() ? std::to_string(shape) : s.name;
  return spec.shapes.size() == 1 ? spec.name : spec.name + "." + own;
}

std::string json_vec(const Vec3& v) {
  return "[" + json_number(v.x) + ", " + json_number(v.y) + ", " + json_number(v.z) + "]";
}

void print_json(const Model& model, const std::vector<ShapeDistance>& rows) {
  std::string out;
  for (const ShapeDistance& d : rows) {
    const Contact& c = d.contact;
    out += (out.empty() ? "" : ",\n ") +
           fmt::format(
               "{{\"pair\": [{}, {}], \"shapes\": [{}, {}], \"distance\": {}, \"normal\": {}, "
               "\"points\": [{}, {}], \"curvatures\": [{}, {}], \"curvature_direction\": {}}}",
               json_quote(model.bodies[static_cast<std::size_t>(d.body_a)].name),
               json_quote(model.bodies[static_cast<std::size_t>(d.body_b)].name),
               json_quote(shape_name(model, d.body_a, d.shape_a)),
               json_quote(shape_name(model, d.body_b, d.shape_b)), json_number(c.phi),
               json_vec(c.n_AB_W), json_vec(c.p_WCa), json_vec(c.p_WCb), json_number(c.k1),
               json_number(c.k2), json_vec(c.k1_direction_W));
  }
  say("{{\"pairs\": [{}]}}\n", out);
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

int body_named(const Model& model, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].name == name) return static_cast<int>(i);
    names.push_back(model.bodies[i].name);
  }
  tell("carom: there is no body '{}'\n  {}\n", name, suggest(name, names));
  return -1;
}

int print_distances(const DistanceOptions& o) {
  const std::shared_ptr<const Model> model = load_model(o.scene);
  std::vector<Pose> poses = body_poses(model, model->scene.run.start, model->initial);
  if (!o.result.empty()) take_recorded_poses(*model, o, poses);
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
  command->add_option("--result", options->result, "take the poses from this result file (.h5)");
  command->add_option("--time", options->time, "… at this time [s]");
  command->add_flag("--json", options->json, "print one JSON document");
  add_scene_options(*command, options->scene);
}

}  // namespace carom::cli
