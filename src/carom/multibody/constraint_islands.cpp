// Which constraints belong together: those between trees that constraints connect.
#include <algorithm>
#include <numeric>

#include "carom/base/index.h"

#include "carom/multibody/constraints.h"

namespace carom {
namespace {

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
  }
}

}  // namespace carom
