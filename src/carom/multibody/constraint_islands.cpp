// Which constraints belong together: those between trees that constraints connect.
#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "carom/base/index.h"

#include "carom/multibody/constraints.h"

namespace carom {
namespace {

/// From as many rows on, lists of entries are quicker than whole matrices.
constexpr int kManyRows = 40;

/// Of a constraint between these two links.
ConstraintIsland::Support support_of(const TreeModel& tree, const ConstraintIsland& island,
                                     std::span<const int> tree_of, int a, int b) {
  ConstraintIsland::Support s;
  int place = 0;
  for (const int i : island.links) {
    const Link& link = tree.links[at(i)];
    const bool moves = tree_of[at(i)] == tree_of[at(a)] || tree_of[at(i)] == tree_of[at(b)];
    if (moves) s.links.push_back(i);
    for (int k = 0; k < link.joint->nv; ++k, ++place) {
      if (moves) s.places.push_back(place);
    }
  }
  return s;
}

bool share(const std::vector<int>& a, const std::vector<int>& b) {
  return std::ranges::any_of(a, [&](int i) { return std::ranges::binary_search(b, i); });
}

/// `ends` are the two links of every constraint of the island, loops first.
void find_supports(const TreeModel& tree, std::span<const std::pair<int, int>> ends,
                   ConstraintIsland& island) {
  std::vector<int> tree_of(tree.links.size(), 0);  // its link at level one
  for (std::size_t i = 1; i < tree_of.size(); ++i) {
    const int parent = tree.links[i].parent;
    tree_of[i] = parent == 0 ? static_cast<int>(i) : tree_of[at(parent)];
  }
  for (const auto& [a, b] : ends) {
    ConstraintIsland::Support s = support_of(tree, island, tree_of, a, b);
    const int self = static_cast<int>(island.supports.size());
    for (int other = 0; other < self; ++other) {
      if (share(s.links, island.supports[at(other)].links)) s.neighbours.push_back(other);
    }
    s.neighbours.push_back(self);
    island.supports.push_back(std::move(s));
  }
}

}  // namespace

void finish_constraints(const TreeModel& tree, ConstraintModel& constraints) {
  // Union of trees: each link belongs to the tree of its ancestor at level one.
  const std::size_t n = tree.links.size();
  std::vector<int> group(n);
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int i) {
    while (group[at(i)] != i) i = group[at(i)];
    return i;
  };
  for (std::size_t i = 1; i < n; ++i) {
    if (tree.links[i].parent > 0) group[i] = root(tree.links[i].parent);
  }
  const auto link_of_velocity = [&](int v) {
    for (std::size_t i = 1; i < n; ++i) {
      const Link& link = tree.links[i];
      if (v >= link.v0 && v < link.v0 + link.joint->nv) return static_cast<int>(i);
    }
    return 0;
  };
  const auto join = [&](int a, int b) {
    if (a == 0 || b == 0) return;
    const int ra = root(a), rb = root(b);
    group[at(std::max(ra, rb))] = std::min(ra, rb);
  };
  for (const LoopConstraint& c : constraints.loops) join(c.link_a, c.link_b);
  for (const CouplingConstraint& c : constraints.couplings) {
    join(link_of_velocity(c.v_first), link_of_velocity(c.v_second));
  }
  std::vector<int> island_of(n, -1);
  const auto island_at = [&](int link) -> ConstraintIsland& {
    const int r = root(link);
    if (island_of[at(r)] < 0) {
      island_of[at(r)] = static_cast<int>(constraints.islands.size());
      constraints.islands.emplace_back();
    }
    return constraints.islands[at(island_of[at(r)])];
  };
  constraints.islands.clear();
  for (std::size_t i = 0; i < constraints.loops.size(); ++i) {
    const LoopConstraint& c = constraints.loops[i];
    ConstraintIsland& island = island_at(c.link_b != 0 ? c.link_b : c.link_a);
    island.loops.push_back(static_cast<int>(i));
    island.max_rows += c.rows();
  }
  for (std::size_t i = 0; i < constraints.couplings.size(); ++i) {
    ConstraintIsland& island = island_at(link_of_velocity(constraints.couplings[i].v_first));
    island.couplings.push_back(static_cast<int>(i));
    island.max_rows += 1;
  }
  for (std::size_t i = 1; i < n; ++i) {
    const int index = island_of[at(root(static_cast<int>(i)))];
    if (index < 0) continue;
    ConstraintIsland& island = constraints.islands[at(index)];
    island.links.push_back(static_cast<int>(i));
    for (int k = 0; k < tree.links[i].joint->nv; ++k) {
      island.velocities.push_back(tree.links[i].v0 + k);
    }
  }
  for (ConstraintIsland& island : constraints.islands) {
    std::sort(island.velocities.begin(), island.velocities.end());
    if (island.max_rows < kManyRows) continue;
    std::vector<std::pair<int, int>> ends;
    for (const int i : island.loops) {
      ends.emplace_back(constraints.loops[at(i)].link_a, constraints.loops[at(i)].link_b);
    }
    for (const int i : island.couplings) {
      const CouplingConstraint& c = constraints.couplings[at(i)];
      ends.emplace_back(link_of_velocity(c.v_first), link_of_velocity(c.v_second));
    }
    find_supports(tree, ends, island);
  }
}

}  // namespace carom
