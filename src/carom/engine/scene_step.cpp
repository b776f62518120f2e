#include "carom/engine/scene_step.h"

#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_search.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/implicit/implicit_contacts.h"
#include "carom/engine/implicit/implicit_step.h"
#include "carom/engine/part_states.h"
#include "carom/engine/time_stepping/stepped_contacts.h"
#include "carom/engine/time_stepping/time_step.h"

namespace carom {

std::size_t SceneStep::size() const { return state_size(w_); }

void SceneStep::add_work(std::span<double> work) const {
  if (work.empty()) return;
  const std::array<double, Powers::kCount> done = this->work().values();
  for (std::size_t i = 0; i < work.size(); ++i) work[i] += done[i];
}

std::unique_ptr<SceneStep> make_scene_step(Workspace& w, VelocityStepKind kind) {
  switch (kind) {
    case VelocityStepKind::none: return nullptr;
    case VelocityStepKind::implicit: return std::make_unique<ImplicitStep>(w);
    case VelocityStepKind::impulses: return std::make_unique<TimeStep>(w);
  }
  return nullptr;
}

StepObstacle find_step_obstacle(const Model& model, VelocityStepKind kind) {
  if (kind == VelocityStepKind::implicit) return find_implicit_obstacle(model);
  if (kind == VelocityStepKind::impulses) return find_stepping_obstacle(model);
  return {};
}

void find_pairs_ahead(Workspace& w, double t, std::span<const double> x, double h) {
  const Model& model = *w.model;
  find_near_pairs(w, t, x);
  std::vector<double>&ahead = w.contacts.search.ahead, &rate = w.contacts.search.rate;
  ahead.assign(x.begin(), x.end()), rate.resize(model.nq());
  calc_position_rates(model.tree, x.first(model.nq()), x.subspan(model.nq(), model.nv()), rate);
  for (std::size_t i = 0; i < model.nq(); ++i) ahead[i] += h * rate[i];
  widen_near_pairs(w, t + h, ahead, h);
  evaluate_kinematics(w, t, x);
  remember_contacts(w);
}

}  // namespace carom
