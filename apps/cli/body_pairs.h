// Bodies, shapes and poses as `carom distance` and `carom intersect` name them.
#pragma once

#include <string>
#include <vector>

#include "scene_source.h"

namespace carom::cli {

/// A scene, two of its bodies, and where they are.
struct BodyPairOptions {
  SceneOptions scene;
  std::vector<std::string> bodies;
  std::string result;
  double time = 0.0;
};

/// The scene, --result and --time.
void add_pose_options(CLI::App& command, BodyPairOptions& options);

/// World poses at the start of the scene, or of the recorded row nearest to the time.
std::vector<Pose> poses_of(const std::shared_ptr<const Model>& model, const BodyPairOptions& o);

/// The body's name; with its number or own name if the body has several shapes.
std::string shape_name(const Model& model, int body, int shape);

/// -1, and a word on stderr, if there is none.
int body_named(const Model& model, const std::string& name);

std::string json_vec(const Vec3& v);

}  // namespace carom::cli
