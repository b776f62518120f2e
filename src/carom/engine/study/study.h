// A model looked at in one state: at its start, or settled.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "carom/engine/study/equilibrium.h"

namespace carom {

struct StudyState {
  /// Modes are those of the start; `settle` moves to the static equilibrium first.
  StudyState(std::shared_ptr<const Model> model, bool settle);

  std::shared_ptr<const Model> model;
  double t = 0.0;
  Workspace workspace;
  std::vector<double> x;
  EquilibriumResult equilibrium;  ///< of `settle`
};

/// Rows of all loops and couplings, how many of them say nothing new, and the freedom
/// that they and prescribed motions leave.
struct Freedom {
  std::size_t rows = 0, redundant = 0, degrees = 0;
};
/// The same in a workspace that has begun, at its state.
Freedom count_freedom(Workspace& workspace, std::span<const double> x);
Freedom count_freedom(const std::shared_ptr<const Model>& model);

}  // namespace carom
