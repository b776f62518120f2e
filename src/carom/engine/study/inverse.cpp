#include "carom/engine/study/inverse.h"

#include <algorithm>

#include "carom/base/index.h"

namespace carom {
namespace {

/// "the loop of 'close'": an island by its first constraint.
std::string name_of(const Model& model, const ConstraintIsland& island) {
  if (island.loops.empty()) return "a coupling";
  return "the loop of '" + model.loops[at(island.loops.front())].name + "'";
}

/// Why the driven joints do not determine an island's motion, or more than that.
std::string find_fault(const Model& model, const ConstraintIsland& island, const TreeData& tree,
                       int rank) {
  int driven = 0;
  for (const int v : island.velocities) driven += tree.known[at(v)];
  const int count = static_cast<int>(island.velocities.size());
  const int freedom = count - std::min(count, island.generic_rank);
  if (driven == freedom && rank == count - driven) return {};
  return name_of(model, island) + " has " + std::to_string(freedom) +
         " degrees of freedom: give the acceleration of as many of its joints (given: " +
         std::to_string(driven) + ")" +
         (driven == freedom ? ", of others here, as these leave it free to move" : "");
}

}  // namespace

RequiredForces required_forces(StudyState& state, std::span<const double> vdot,
                               std::span<const std::uint8_t> named) {
  Workspace& w = state.workspace;
  const Model& model = *state.model;
  RequiredForces result;
  std::ranges::fill(w.tree.known, std::uint8_t{1});
  for (const ConstraintIsland& island : model.constraints.islands) {
    for (const int v : island.velocities) w.tree.known[at(v)] = named[at(v)];
  }
  for (const DofElement& e : w.parameters.dofs) {
    if (e.motion >= 0) w.tree.known[at(e.v)] = 1;
  }
  for (std::size_t i = 0; i < vdot.size(); ++i) w.tree.vdot[i] = named[i] ? vdot[i] : 0.0;
  if (evaluate(w, state.t, state.x) != Status::ok) {
    result.reason = "the mass matrix is singular";
  } else {
    const std::vector<int> ranks = calc_ranks(model.tree, model.constraints, w.tree, w.constraints);
    for (std::size_t i = 0; i < ranks.size() && result.reason.empty(); ++i) {
      result.reason = find_fault(model, model.constraints.islands[i], w.tree, ranks[i]);
    }
    calc_reactions(w);
    result.forces.assign(model.nv(), 0.0);
    for (std::size_t i = 0; i < model.nv(); ++i) {
      if (w.tree.known[i]) result.forces[i] = w.forces.rnea_tau[i] - w.tree.tau[i];
    }
  }
  apply_modes(w);
  return result;
}

}  // namespace carom
