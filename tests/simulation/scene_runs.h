// Helpers of tests that run scenes given as text.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "carom/scene/read/read.h"
#include "carom/simulation/run.h"

namespace carom::testing {

inline std::shared_ptr<const Model> model_of(const std::string& text,
                                             std::vector<std::string> overrides = {}) {
  ReadOptions options;
  options.overrides = std::move(overrides);
  const Scene scene = read_scene_text(text, "test", options);
  Diagnostics diagnostics;
  std::shared_ptr<const Model> model = compile(scene, diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  return model;
}

inline RunResult run_text(const std::string& text, std::vector<std::string> overrides = {}) {
  const RunResult result = run(model_of(text, std::move(overrides)));
  EXPECT_EQ(result.status, RunStatus::completed) << result.reason;
  return result;
}

inline const JointState& joint(const RunResult& result, const std::string& name) {
  for (const JointState& j : result.joints) {
    if (j.name == name) return j;
  }
  throw std::runtime_error("no joint " + name);
}

inline const BodyState& body(const RunResult& result, const std::string& name) {
  for (const BodyState& b : result.bodies) {
    if (b.name == name) return b;
  }
  throw std::runtime_error("no body " + name);
}

/// Angle between two orientations.
inline double turn_between(const Quat& a, const Mat3& R) {
  return norm(quat_log(to_quat(transpose(to_matrix(a)) * R)));
}

/// Where a free body is and how it moves, as publications list it.
struct FreeState {
  Vec3 r, v;
  Mat3 R;
  Vec3 w;
};

}  // namespace carom::testing
