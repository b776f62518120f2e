#include "carom/multibody/tree.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace carom {

int add_link(TreeModel& tree, int parent, const JointKind& joint, const Pose& X_PF,
             const Inertia& inertia, std::span<const double> params) {
  Link link;
  link.parent = parent;
  link.joint = &joint;
  link.X_PF = X_PF;
  link.inertia = inertia;
  link.param0 = static_cast<int>(tree.joint_params.size());
  tree.joint_params.insert(tree.joint_params.end(), params.begin(), params.end());
  tree.links.push_back(link);
  return tree.link_count() - 1;
}

std::vector<int> finish_tree(TreeModel& tree) {
  const std::size_t n = tree.links.size();
  std::vector<int> level(n, 0);
  for (std::size_t i = 1; i < n; ++i) {
    level[i] = level[static_cast<std::size_t>(tree.links[i].parent)] + 1;
  }
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin() + 1, order.end(), [&](int a, int b) {
    const auto sa = static_cast<std::size_t>(a), sb = static_cast<std::size_t>(b);
    if (level[sa] != level[sb]) return level[sa] < level[sb];
    // By name, not by address: the order must not change from run to run.
    return std::strcmp(tree.links[sa].joint->name, tree.links[sb].joint->name) < 0;
  });

  std::vector<int> new_index(n);
  for (std::size_t k = 0; k < n; ++k)
    new_index[static_cast<std::size_t>(order[k])] = static_cast<int>(k);

  IdArray<LinkId, Link> sorted;
  sorted.reserve(n);
  for (const int old : order) sorted.push_back(tree.links[static_cast<std::size_t>(old)]);
  tree.links = std::move(sorted);
  tree.nq = tree.nv = 0;
  tree.batches.clear();
  for (std::size_t i = 1; i < n; ++i) {
    Link& link = tree.links[i];
    link.parent = new_index[static_cast<std::size_t>(link.parent)];
    link.q0 = tree.nq;
    link.v0 = tree.nv;
    tree.nq += link.joint->nq;
    tree.nv += link.joint->nv;
    // A batch may not hold a link together with its parent: kinematics of a batch
    // may run in any order. Levels guarantee it.
    const bool same = !tree.batches.empty() && tree.batches.back().joint == link.joint &&
                      link.parent < tree.batches.back().begin;
    if (!same) tree.batches.push_back({static_cast<int>(i), static_cast<int>(i), link.joint});
    ++tree.batches.back().end;
  }
  for (Link& link : tree.links) {
    link.is_free_body = link.parent == 0 && link.joint && link.joint->subspace == Subspace::full;
  }
  for (std::size_t i = 1; i < n; ++i) {
    tree.links[static_cast<std::size_t>(tree.links[i].parent)].is_free_body = false;
  }
  tree.armature.assign(static_cast<std::size_t>(tree.nv), 0.0);
  return new_index;
}

TreeData::TreeData(const TreeModel& tree)
    : links(tree.links.size()),
      H(static_cast<std::size_t>(tree.nv)),
      U(static_cast<std::size_t>(tree.nv)),
      D_inv(36 * tree.links.size(), 0.0),
      u(static_cast<std::size_t>(tree.nv), 0.0),
      known(static_cast<std::size_t>(tree.nv), 0),
      tau(static_cast<std::size_t>(tree.nv), 0.0),
      vdot(static_cast<std::size_t>(tree.nv), 0.0) {}

}  // namespace carom
