// Steps of a scene that are no right-hand sides (math/velocity_step.h): implicit contact steps and
// time steps with impulses, as drivers ask for them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/engine/events/event_table.h"
#include "carom/engine/workspace.h"
#include "carom/math/velocity_step.h"

namespace carom {

class SceneStep : public VelocityStep {
 public:
  explicit SceneStep(Workspace& w) : w_(w) {}
  /// The step that was taken last is accepted: contacts remember it, and what has happened in it
  /// goes to `events`.
  virtual void commit(std::vector<EngineEvent>& events) = 0;

  std::size_t size() const override;
  void add_work(std::span<double> work) const override;

 protected:
  /// Over the step [J].
  virtual Powers work() const = 0;
  Workspace& w_;
};

enum class VelocityStepKind {
  none,
  implicit,  ///< of elastic contact (engine/implicit)
  impulses,  ///< of rigid contact (engine/time_stepping)
};

/// Null for `none`.
std::unique_ptr<SceneStep> make_scene_step(Workspace& w, VelocityStepKind kind);

/// Why such steps cannot take the model, and what to do instead; empty: they can.
struct StepObstacle {
  std::string what, remedy;
  bool empty() const { return what.empty(); }
};
StepObstacle find_step_obstacle(const Model& model, VelocityStepKind kind);

/// Finds all pairs that a step of length h from (t, x) may bring together, and what they know of
/// each other there.
void find_pairs_ahead(Workspace& w, double t, std::span<const double> x, double h);

}  // namespace carom
