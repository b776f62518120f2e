#include "carom/multibody/dynamics.h"
#include "carom/multibody/joint_batch.h"

namespace carom {

void calc_kinematics(const TreeModel& tree, std::span<const double> q, std::span<const double> v,
                     TreeData& data) {
  for (const LinkBatch& batch : tree.batches) {
    batch.joint->kinematics({tree, data, q, v, batch});
  }
}

void calc_position_rates(const TreeModel& tree, std::span<const double> q,
                         std::span<const double> v, std::span<double> qdot) {
  for (const LinkBatch& batch : tree.batches) {
    for (int i = batch.begin; i < batch.end; ++i) {
      const Link& link = tree.links[static_cast<std::size_t>(i)];
      batch.joint->position_rate(q.data() + link.q0, v.data() + link.v0, qdot.data() + link.q0);
    }
  }
}

void clear_forces(TreeData& data) {
  for (LinkState& L : data.links) L.f_ext = {};
  for (double& tau : data.tau) tau = 0.0;
}

double kinetic_energy(const TreeModel& tree, const TreeData& data, std::span<const double> v) {
  double twice = 0.0;
  for (std::size_t i = 1; i < tree.links.size(); ++i) {
    const LinkState& L = data.links[i];
    twice += dot(L.V, Inertia{tree.links[i].inertia.m, L.h, L.I} * L.V);
  }
  for (std::size_t k = 0; k < v.size(); ++k) twice += tree.armature[k] * v[k] * v[k];
  return 0.5 * twice;
}

}  // namespace carom
