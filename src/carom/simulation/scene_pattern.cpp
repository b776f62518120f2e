// Which unknowns influence which: the structure of the Jacobian.
//
// Unknowns of one island influence each other; islands do not. Contacts join islands while
// they last. User states may read anything, which the compiler has taken into account by
// joining all.
#include <algorithm>
#include <numeric>

#include "carom/base/index.h"
#include "carom/engine/contact_events.h"
#include "carom/simulation/scene_system.h"

namespace carom {
namespace {}  // namespace

/// Per link, with contacts.
std::vector<int> SceneSystem::find_islands() const {
  std::vector<int> island = model_.island;
  const auto root = [&](int i) {
    while (island[at(i)] != i) i = island[at(i)];
    return i;
  };
  for (const ContactPair& pair : w_.modes.contacts.pairs) {
    if (pair.mode == ContactMode::apart) continue;
    const int a = model_.contact.colliders[pair.a].link, b = model_.contact.colliders[pair.b].link;
    if (a == 0 || b == 0) continue;  // the world carries no influence
    const int ra = root(a), rb = root(b);
    island[at(std::max(ra, rb))] = std::min(ra, rb);
  }
  for (std::size_t i = 0; i < island.size(); ++i) island[i] = root(static_cast<int>(i));
  return island;
}

void SceneSystem::make_pattern() const {
  const std::size_t nq = model_.nq(), nv = model_.nv(), n = size();
  const std::vector<int> island = find_islands();
  std::vector<int> owner(n, -1);
  int largest = 0;
  for (std::size_t i = 1; i < model_.tree.links.size(); ++i) {
    const Link& link = model_.tree.links[i];
    for (int k = 0; k < link.joint->nq; ++k) owner[at(link.q0 + k)] = island[i];
    for (int k = 0; k < link.joint->nv; ++k) owner[nq + at(link.v0 + k)] = island[i];
    largest = std::max(largest, island[i]);
  }
  for (const DriveElement& d : model_.parameters.drives) {
    if (d.state < 0) continue;
    const DofElement& e = model_.parameters.dofs[at(d.element)];
    owner[nq + nv + at(d.state)] = owner[nq + at(e.v)];
  }
  for (std::size_t i = 0; i < model_.nz; ++i) {
    if (owner[nq + nv + i] < 0) owner[nq + nv + i] = island.size() > 1 ? island[1] : 0;
  }
  std::vector<bool> follows(n, false);  // depends on its island, which does not depend on it
  const SlotLayout& slot = model_.contact.slot;
  for (const ContactPair& pair : w_.modes.contacts.pairs) {
    if (pair.slot < 0) continue;
    const int a = model_.contact.colliders[pair.a].link, b = model_.contact.colliders[pair.b].link;
    for (int k = 0; k < slot.width; ++k) {
      const std::size_t i = model_.size() + at(pair.slot * slot.width + k);
      owner[i] = island[at(a > 0 ? a : b)];
      follows[i] = k < SlotLayout::kIntegrals;
    }
  }
  std::vector<std::vector<int>> members(at(largest) + 1);
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
