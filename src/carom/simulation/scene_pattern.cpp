// Which unknowns influence which: the structure of the Jacobian.
//
// Unknowns of one island influence each other; islands do not. Contacts join islands while
// they last. User states may read anything, which the compiler has taken into account by
// joining all.
#include <algorithm>
#include <numeric>

#include "carom/base/index.h"
#include "carom/engine/islands.h"
#include "carom/engine/part_states.h"
#include "carom/simulation/scene_system.h"

namespace carom {
void SceneSystem::make_pattern() const {
  const std::size_t nq = model_.nq(), nv = model_.nv(), n = size();
  const std::vector<int>& island = current_islands(w_).of_link;
  std::vector<int> owner(n, -1);
  for (std::size_t i = 1; i < model_.tree.links.size(); ++i) {
    const Link& link = model_.tree.links[i];
    for (int k = 0; k < link.joint->nq; ++k) owner[at(link.q0 + k)] = island[i];
    for (int k = 0; k < link.joint->nv; ++k) owner[nq + at(link.v0 + k)] = island[i];
  }
  for (const DriveElement& d : model_.parameters.drives) {
    if (d.state < 0) continue;
    const DofElement& e = model_.parameters.dofs[at(d.element)];
    owner[nq + nv + at(d.state)] = owner[nq + at(e.v)];
  }
  for (std::size_t i = 0; i < model_.nz; ++i) {
    if (owner[nq + nv + i] < 0) owner[nq + nv + i] = 0;
  }
  std::vector<bool> follows(n, false);  // depends on its island, which does not depend on it
  const PartStates states = calc_part_states(w_);
  for (std::size_t i = 0; i < states.owner.size(); ++i) {
    if (states.owner[i] < 0) continue;
    owner[model_.size() + i] = island[at(states.owner[i])];
    follows[model_.size() + i] = states.follows[i] != 0;
  }
  std::vector<std::vector<int>> members(std::max<std::size_t>(1, current_islands(w_).links.size()));
  for (std::size_t i = 0; i < n; ++i) {
    if (owner[i] >= 0) members[at(owner[i])].push_back(static_cast<int>(i));
  }
  pattern_ = {};
  pattern_is_known_ = true;
  std::size_t islands = 0;
  for (const auto& m : members) islands += m.empty() ? 0 : 1;
  const bool has_idle = n > model_.size();
  if (islands < 2 && !has_idle) return;  // one block: dense
  for (std::size_t j = 0; j < n; ++j) {
    pattern_.start.push_back(static_cast<int>(pattern_.rows.size()));
    if (owner[j] >= 0 && !follows[j]) {
      const auto& m = members[at(owner[j])];
      pattern_.rows.insert(pattern_.rows.end(), m.begin(), m.end());
    } else {
      pattern_.rows.push_back(static_cast<int>(j));
    }
  }
  pattern_.start.push_back(static_cast<int>(pattern_.rows.size()));
}

const SparsePattern* SceneSystem::jacobian_pattern() const {
  if (!pattern_is_known_) make_pattern();
  return pattern_.empty() ? nullptr : &pattern_;
}

}  // namespace carom
