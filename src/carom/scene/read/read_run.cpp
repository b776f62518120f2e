// Gravity, the initial state, the run and its output.
#include "carom/scene/read/read_parts.h"

namespace carom {

void read_gravity(Reader& reader, Scene& scene) {
  const Node* node = reader.document.root.find("gravity");
  if (!node) return;
  const Field& field = *scene_record("scene").find_field("gravity");
  if (says_off(*node)) {
    scene.gravity.uniform = {};
    return;
  }
  if (node->is_list()) {
    const auto g = reader.vector3(*node, field, "gravity");
    if (g) scene.gravity.uniform = *g;
    return;
  }
  if (!node->is_map()) {
    reader.wrong(*node, "gravity", kind_text(FieldKind::gravity), "write [0, 0, -9.81] or off");
    return;
  }
  MapReader gravity(reader, *node, "gravity", "gravity");
  if (!gravity.kind()) return;
  MapReader point(reader, gravity.kind_value(), "gravity.point", "gravity.point");
  scene.gravity.kind = GravitySpec::Kind::point;
  scene.gravity.uniform = {};
  scene.gravity.center = point.vector3("center");
  scene.gravity.mu = point.number("mu");
}

namespace {

void read_keep(MapReader& map, InitialSpec& initial) {
  MapReader keep(map.reader, map.kind_value(), "initial.keep", map.path(map.kind()->name));
  const Node* list = keep.find("keep");
  if (!list) return;
  if (!list->is_list()) {
    map.reader.wrong(*list, keep.path("keep"), "a list of joints");
    return;
  }
  for (const std::string& joint : keep.texts("keep")) initial.keep.push_back(joint);
}

}  // namespace

void read_initial(Reader& reader, Scene& scene) {
  const Node* node = reader.document.root.find("initial");
  if (!node) return;
  using Kind = InitialSpec::Kind;
  scene.initial.where = reader.at(node->where);
  if (!node->is_map()) {
    const auto word = reader.word(*node, *scene_record("scene").find_field("initial"), "initial");
    scene.initial.kind = word == "equilibrium" ? Kind::equilibrium : Kind::as_given;
    return;
  }
  MapReader map(reader, *node, "initial", "initial");
  if (!map.kind()) return;
  scene.initial.kind = map.kind()->name == "equilibrium" ? Kind::equilibrium : Kind::as_given;
  read_keep(map, scene.initial);
}

namespace {

/// Where the value under `key` is, else the map that lacks it.
SourcePos place_of(const MapReader& map, std::string_view key) {
  const Node* node = map.find(key);
  return map.reader.at(node ? node->where : map.node().where);
}

}  // namespace

void read_run(Reader& reader, Scene& scene) {
  const Node* node = reader.document.root.find("run");
  if (!node) return;
  MapReader map(reader, *node, "run", "run");
  RunSpec& run = scene.run;
  run.where = reader.at(node->where);
  run.start = map.number("start");
  run.until = map.number("until");
  run.tolerance = map.number("tolerance");
  run.integrator = map.text("integrator");
  run.step = map.number("step");
  run.freeze = map.number("freeze");
  run.max_step = map.number("max_step");
  run.max_steps = map.integer("max_steps");
  run.max_cpu = map.number("max_cpu");
  run.checkpoint = map.number("checkpoint");
  run.until_where = place_of(map, "until");
  run.integrator_where = place_of(map, "integrator");
  run.step_where = place_of(map, "step");
  run.freeze_where = place_of(map, "freeze");
  if (const Node* output = map.find("output")) {
    MapReader out(reader, *output, "output", "run.output");
    run.output.step = out.number("step");
    run.output.channels = out.texts("channels");
    run.output.peaks = out.boolean("peaks");
    run.output.maps = out.boolean("maps");
    run.output.step_where = place_of(out, "step");
    run.output.channels_where = place_of(out, "channels");
  }
}

}  // namespace carom
