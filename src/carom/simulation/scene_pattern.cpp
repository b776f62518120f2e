// Which unknowns influence which: the structure of the Jacobian.
//
// Unknowns of what joints, loops, couplings and force elements join, a cluster, influence each
// other. A contact joins two clusters while it lasts, and no more than these: the force between two
// dominoes does not change at once with the place of a third. So a row of n bodies has about n
// blocks of entries, where one island of all would have n².
//
//   column of cluster C           rows of C, of the clusters it touches, of its contacts
//   column of a contact's state   rows of its two clusters, and of the contact
//
// User states may read anything, which the compiler has taken into account by joining all.
#include <algorithm>

#include "carom/base/index.h"
#include "carom/engine/islands.h"
#include "carom/engine/part_states.h"
#include "carom/simulation/scene_system.h"

namespace carom {
namespace {

constexpr int kIdle = -1;

/// Per state of the model, the cluster that it belongs to.
std::vector<int> clusters_of_states(const Model& model, const Islands& clusters) {
  const std::size_t nq = model.nq(), nv = model.nv();
  std::vector<int> owner(model.size(), kIdle);
  for (std::size_t i = 1; i < model.tree.links.size(); ++i) {
    const Link& link = model.tree.links[i];
    for (int k = 0; k < link.joint->nq; ++k) owner[at(link.q0 + k)] = clusters.of_link[i];
    for (int k = 0; k < link.joint->nv; ++k) owner[nq + at(link.v0 + k)] = clusters.of_link[i];
  }
  for (const DriveElement& d : model.parameters.drives) {
    if (d.state < 0) continue;
    const DofElement& e = model.parameters.dofs[at(d.element)];
    owner[nq + nv + at(d.state)] = owner[nq + at(e.v)];
  }
  for (std::size_t i = 0; i < model.nz; ++i) {
    if (owner[nq + nv + i] < 0) owner[nq + nv + i] = 0;
  }
  return owner;
}

/// What a column has rows of: for each cluster, and for each contact.
struct RowSets {
  std::vector<std::vector<int>> members;     ///< per cluster: its own states
  std::vector<std::vector<int>> of_cluster;  ///< per cluster
  std::vector<std::vector<int>> of_contact;  ///< per block of PartStates
};

void append(std::vector<int>& to, const std::vector<int>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void sort_out(std::vector<int>& rows) {
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

RowSets find_rows(std::span<const int> owner, const Islands& clusters, const PartStates& states,
                  std::size_t first_part_state) {
  RowSets sets;
  sets.members.resize(std::max<std::size_t>(1, clusters.links.size()));
  for (std::size_t i = 0; i < owner.size(); ++i) {
    if (owner[i] != kIdle) sets.members[at(owner[i])].push_back(static_cast<int>(i));
  }
  sets.of_cluster = sets.members;
  for (const PartStates::Block& block : states.blocks) {
    std::vector<int> rows(block.count);
    for (std::size_t k = 0; k < block.count; ++k) {
      rows[k] = static_cast<int>(first_part_state + block.first + k);
    }
    std::vector<int> joined;  // clusters, without the world
    for (const int link : {block.a, block.b}) {
      if (link > 0) joined.push_back(clusters.of_link[at(link)]);
    }
    for (const int c : joined) append(rows, sets.members[at(c)]);
    for (const int c : joined) append(sets.of_cluster[at(c)], rows);
    sets.of_contact.push_back(std::move(rows));
  }
  for (std::vector<int>& rows : sets.of_cluster) sort_out(rows);
  for (std::vector<int>& rows : sets.of_contact) sort_out(rows);
  return sets;
}

}  // namespace

void SceneSystem::make_pattern() const {
  const Islands clusters = find_islands(model_, {});
  const std::vector<int> owner = clusters_of_states(model_, clusters);
  const PartStates states = calc_part_states(w_);
  const RowSets sets = find_rows(owner, clusters, states, model_.size());
  pattern_ = {};
  pattern_is_known_ = true;
  if (sets.members.size() < 2 && size() == model_.size()) return;  // one block: dense
  std::vector<int> contact_of(size() - model_.size(), kIdle);
  for (std::size_t b = 0; b < states.blocks.size(); ++b) {
    const PartStates::Block& block = states.blocks[b];
    for (std::size_t k = block.first; k < block.first + block.count; ++k) {
      if (states.follows[k] == 0) contact_of[k] = static_cast<int>(b);
    }
  }
  for (std::size_t j = 0; j < size(); ++j) {
    pattern_.start.push_back(static_cast<int>(pattern_.rows.size()));
    const bool is_own = j < model_.size();
    const int set = is_own ? owner[j] : contact_of[j - model_.size()];
    if (set == kIdle) {
      pattern_.rows.push_back(static_cast<int>(j));
    } else {
      append(pattern_.rows, is_own ? sets.of_cluster[at(set)] : sets.of_contact[at(set)]);
    }
  }
  pattern_.start.push_back(static_cast<int>(pattern_.rows.size()));
}

const SparsePattern* SceneSystem::jacobian_pattern() const {
  if (!pattern_is_known_) make_pattern();
  return pattern_.empty() ? nullptr : &pattern_;
}

}  // namespace carom
