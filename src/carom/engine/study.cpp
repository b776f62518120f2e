#include "carom/engine/study.h"

#include <algorithm>

#include "carom/engine/events.h"

namespace carom {

StudyState::StudyState(std::shared_ptr<const Model> m, bool settle)
    : model(std::move(m)), t(model->scene.run.start), workspace(model), x(model->initial) {
  apply_modes(workspace);
  if (settle) equilibrium = find_equilibrium(workspace, t, x);
  initialise_modes(workspace, t, x);
}

Freedom count_freedom(const std::shared_ptr<const Model>& model) {
  Workspace w(model);
  apply_modes(w);
  evaluate(w, model->scene.run.start, model->initial);
  Freedom freedom;
  freedom.rows = model->constraints.couplings.size();
  for (const LoopConstraint& loop : model->constraints.loops) {
    freedom.rows += static_cast<std::size_t>(loop.rows());
  }
  freedom.redundant = w.constraints.redundant;
  freedom.degrees = model->nv() - (freedom.rows - freedom.redundant);
  for (const DofElement& e : model->parameters.dofs) freedom.degrees -= e.motion >= 0 ? 1 : 0;
  return freedom;
}

std::vector<double> required_forces(StudyState& state, std::span<const double> vdot) {
  Workspace& w = state.workspace;
  // Nothing is locked: what holds a joint is what is asked for.
  std::fill(w.tree.known.begin(), w.tree.known.end(), std::uint8_t{0});
  evaluate(w, state.t, state.x);
  std::vector<double> needed(state.model->nv());
  inverse_dynamics(state.model->tree, vdot, w.tree, needed);
  for (std::size_t i = 0; i < needed.size(); ++i) needed[i] -= w.tree.tau[i];
  apply_modes(w);
  return needed;
}

}  // namespace carom
