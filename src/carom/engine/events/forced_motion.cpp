#include "carom/engine/events/forced_motion.h"

#include <algorithm>

#include "carom/base/index.h"

namespace carom {
namespace {

/// Share of the right-hand side of (1) that may stay unmet: rows that a change point leaves
/// out contribute 1e-5 (see constraints.cpp), a contradiction its own size.
constexpr double kContradiction = 1e-4;
/// For how long the acceleration is followed to see where it leads [s]: long enough for
/// its bias to outweigh the accelerations themselves, so that (1) stands out.
constexpr double kAhead = 1.0;

const DofElement* find_contradicted(const Workspace& w) {
  const auto& islands = w.model->constraints.islands;
  for (std::size_t i = 0; i < islands.size(); ++i) {
    if (!(w.constraints.contradiction[i] > kContradiction)) continue;
    for (const DofElement& e : w.parameters.dofs) {
      if (e.friction < 0 || w.modes.friction[at(e.friction)] != 0) continue;
      if (std::ranges::binary_search(islands[i].velocities, e.v)) return &e;
    }
  }
  return nullptr;
}

bool any_stuck(const Workspace& w) {
  return std::ranges::find(w.modes.friction, std::int8_t{0}) != w.modes.friction.end();
}

/// Evaluates where the acceleration at (t, x) leads to.
Status evaluate_ahead(Workspace& w, double t, std::span<const double> x) {
  const Model& model = *w.model;
  std::copy(x.begin(), x.end(), w.events.ahead.begin());
  const std::span<double> v = std::span(w.events.ahead).subspan(model.nq(), model.nv());
  for (std::size_t k = 0; k < v.size(); ++k) v[k] += kAhead * w.tree.vdot[k];
  project_velocities(model.tree, model.constraints, v, w.tree, w.constraints);
  return evaluate(w, t, w.events.ahead);
}

}  // namespace

const DofElement* find_forced(Workspace& w, double t, std::span<const double> x) {
  if (!w.constraints.is_deficient || !any_stuck(w)) return nullptr;
  if (const DofElement* e = find_contradicted(w)) return e;
  const bool is_ok = evaluate_ahead(w, t, x) == Status::ok;
  const DofElement* forced = is_ok ? find_contradicted(w) : nullptr;
  evaluate(w, t, x);
  return forced;
}

double coming_acceleration(Workspace& w, double t, std::span<const double> x, int v) {
  const bool is_ok = evaluate_ahead(w, t, x) == Status::ok;
  const double coming = is_ok ? w.tree.vdot[at(v)] : 0.0;
  evaluate(w, t, x);
  return coming;
}

}  // namespace carom
