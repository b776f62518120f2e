// Runs a scene with loops and shows its samples to a closed form.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "loop_scenes.h"

namespace carom::testing {

/// Runs a scene and shows 5000 samples to `check`: the coordinates of the named joints.
inline RunResult watch(const std::string& text, const std::vector<std::string>& joints,
                       const std::function<void(std::span<const double> q)>& check,
                       std::vector<std::string> overrides = {}) {
  const auto model = model_of(text, std::move(overrides));
  std::vector<std::size_t> places;
  for (const std::string& name : joints) {
    for (const JointInfo& info : model->joints) {
      if (info.name == name) places.push_back(static_cast<std::size_t>(info.q0));
    }
  }
  EXPECT_EQ(places.size(), joints.size());
  Simulation simulation(model);
  std::vector<double> q(joints.size());
  simulation.on_sample(model->scene.run.until / 5000.0, [&](double, std::span<const double> x) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = x[places[i]];
    check(q);
  });
  RunResult r;
  EXPECT_EQ(simulation.advance(model->scene.run.until), AdvanceStatus::reached)
      << simulation.failure();
  r.energy = simulation.ledger();
  r.largest_residual = simulation.largest_residual();
  r.energy_scale = simulation.energy_scale();
  r.statistics = simulation.statistics();
  return r;
}

}  // namespace carom::testing
