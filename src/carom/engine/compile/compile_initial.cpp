// The initial state: what the scene gives (initial_state.cpp), assembled so that loops close, and
// checked to be one that can move.
#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/engine/compile/compiler.h"
#include "carom/engine/compile/initial_state.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/study/placement.h"
#include "carom/engine/study/tangent.h"

namespace carom {

void Compiler::assemble(std::span<double> q, std::span<double> v) {
  Workspace w(model_);
  apply_modes(w);
  for (const std::string& name : scene_.initial.keep) {
    const auto joint = joint_index_.find(name);
    if (joint == joint_index_.end()) {
      diagnostics_.error(scene_.initial.where,
                         "initial: keep names '" + name + "', which is not a tree joint",
                         "name joints that are not loops");
      return;
    }
    const JointInfo& info = model_->joints[static_cast<std::size_t>(joint->second)];
    for (int k = 0; k < info.kind->nv; ++k) {
      w.tree.known[static_cast<std::size_t>(info.v0 + k)] = 1;
    }
  }
  const double error = carom::assemble(w, q, v);
  if (!(error <= 1e-9)) {
    diagnostics_.error(scene_.joints.empty() ? SourcePos{} : scene_.joints.back().where,
                       "the loops cannot be closed from the given start: " + rounded_text(error) +
                           " (m, rad) remain",
                       "start nearer to a closed position, or keep fewer coordinates");
  }
}

// The start may be singular (a dead centre), so ranks are taken at closed positions
// around it; the largest one is generic.
void Compiler::find_generic_ranks(std::span<const double> start) {
  const TreeModel& tree = model_->tree;
  Workspace w(model_);
  std::vector<int> best(model_->constraints.islands.size(), 0);
  std::vector<double> q(start.size()), step(model_->nv());
  unsigned seed = 1;
  constexpr int kTrials = 12;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::copy(start.begin(), start.end(), q.begin());
    for (double& s : step) {
      seed = 1664525u * seed + 1013904223u;  // any spread of directions will do
      s = 0.3 * trial / kTrials * (static_cast<double>(seed >> 8) / (1u << 23) - 1.0);
    }
    move_positions(tree, step, q);
    const double error =
        project_positions(tree, model_->constraints, q, w.tree, w.constraints, kToRounding, 100);
    if (!(error <= 1e-10) || factor_mass(tree, w.tree) != Status::ok) continue;
    const std::vector<int> ranks = calc_ranks(tree, model_->constraints, w.tree, w.constraints);
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = std::max(best[i], ranks[i]);
  }
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (best[i] > 0) model_->constraints.islands[i].generic_rank = best[i];
  }
}

void Compiler::compile_initial() {
  std::vector<double>& x = model_->initial;
  x.assign(model_->size(), 0.0);
  const std::span<double> q(x.data(), model_->nq()), v(x.data() + model_->nq(), model_->nv());
  give_initial_state(*model_, scene_, x, diagnostics_);
  for (CouplingConstraint& c : model_->constraints.couplings) {
    if (!std::isnan(c.offset)) continue;
    c.offset =
        q[static_cast<std::size_t>(c.q_first)] - c.ratio * q[static_cast<std::size_t>(c.q_second)];
  }
  if (diagnostics_.has_errors()) return;
  auto w = std::make_unique<Workspace>(model_);
  // Prescribed coordinates start where their motion says.
  evaluate_kinematics(*w, scene_.run.start, x);
  std::copy(w->q.begin(), w->q.end(), q.begin());
  std::copy(w->v.begin(), w->v.end(), v.begin());
  if (!model_->constraints.empty()) {
    find_generic_ranks(q);
    assemble(q, v);
    w = std::make_unique<Workspace>(model_);  // the ranks are part of the model
  }
  if (diagnostics_.has_errors()) return;
  apply_modes(*w);
  if (evaluate(*w, scene_.run.start, x) != Status::ok) report_immovable(*w, q);
}

/// Names the body and the joint at which the articulated inertias cannot be folded.
void Compiler::report_immovable(Workspace& w, std::span<const double> q) {
  const JointInfo* worst = nullptr;
  const std::string beside = "give mass and inertia, or shapes with a material";
  for (const JointInfo& joint : model_->joints) {
    const BodySpec& body = scene_.bodies[static_cast<std::size_t>(joint.body)];
    const Inertia& a = model_->tree.links[static_cast<std::size_t>(joint.link)].inertia;
    if (joint.kind->nv == 0 || (a.m > 0.0 && trace(a.I) > 0.0)) continue;
    diagnostics_.error(body.where,
                       "body '" + body.name +
                           "' has no inertia in a direction in which its joint (" +
                           joint.kind->name + ") lets it move",
                       beside);
    return;
  }
  calc_kinematics(model_->tree, q, w.v, w.tree);
  const int link = find_singular_link(model_->tree, w.tree);
  for (const JointInfo& joint : model_->joints) {
    if (joint.link == link) worst = &joint;
  }
  if (!worst) {
    diagnostics_.error(scene_.bodies.empty() ? scene_.run.where : scene_.bodies.front().where,
                       "the scene cannot be evaluated at its start",
                       "numbers may be too large or too small: check sizes, masses and velocities");
    return;
  }
  const BodySpec& body = scene_.bodies[static_cast<std::size_t>(worst->body)];
  diagnostics_.error(body.where,
                     "the mass matrix is singular at the start: body '" + body.name +
                         "' and what it carries have next to no inertia in a direction in which " +
                         (worst->name.empty() ? "its joint" : "joint '" + worst->name + "'") +
                         " (" + worst->kind->name + ") lets it move",
                     beside + "; sizes of a body that differ by many powers of ten do the same");
}

}  // namespace carom
