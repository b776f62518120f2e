#include "body_pairs.h"

#include <algorithm>
#include <cmath>

#include "carom/base/json.h"
#include "carom/base/text.h"
#include "carom/engine/study/distances.h"
#include "carom/record/result_file.h"
#include "talk.h"

namespace carom::cli {
namespace {

/// Poses from the recorded row nearest to `time`; bodies that were not recorded stay.
void take_recorded_poses(const Model& model, const BodyPairOptions& o, std::vector<Pose>& poses) {
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

}  // namespace

void add_pose_options(CLI::App& command, BodyPairOptions& options) {
  command.add_option("--result", options.result, "take the poses from this result file (.h5)");
  command.add_option("--time", options.time, "… at this time [s]");
  add_scene_options(command, options.scene);
}

std::vector<Pose> poses_of(const std::shared_ptr<const Model>& model, const BodyPairOptions& o) {
  std::vector<Pose> poses = body_poses(model, model->scene.run.start, model->initial);
  if (!o.result.empty()) take_recorded_poses(*model, o, poses);
  return poses;
}

std::string shape_name(const Model& model, int body, int shape) {
  const BodySpec& spec = model.scene.bodies[static_cast<std::size_t>(body)];
  const ShapeSpec& s = spec.shapes[static_cast<std::size_t>(shape)];
  const std::string own = s.name.empty() ? std::to_string(shape) : s.name;
  return spec.shapes.size() == 1 ? spec.name : spec.name + "." + own;
}

std::string json_vec(const Vec3& v) { return json_numbers(std::span<const double>(&v.x, 3), ", "); }

int body_named(const Model& model, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].name == name) return static_cast<int>(i);
    names.push_back(model.bodies[i].name);
  }
  tell("carom: there is no body '{}'\n  {}\n", name, suggest(name, names));
  return -1;
}

}  // namespace carom::cli
