#include "carom/engine/study/study.h"

#include "carom/engine/events/events.h"

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
  return count_freedom(w, model->initial);
}

Freedom count_freedom(Workspace& w, std::span<const double> x) {
  const Model* model = w.model.get();
  evaluate(w, model->scene.run.start, x);
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

}  // namespace carom
