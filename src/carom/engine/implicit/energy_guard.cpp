#include "carom/engine/implicit/energy_guard.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/multibody/joint_batch.h"

namespace carom {
namespace {

/// A tree that moves freely is not made faster by more than this: there the step is too long.
constexpr double kMostFaster = 1.05;

}  // namespace

/// Kinetic energy where velocities that are not prescribed are `scale` of the answer; leaves the
/// links of trees with these.
double EnergyGuard::kinetic(const Guarded& guarded, double scale, std::span<const double> x_new) {
  const Model& model = *w_.model;
  double sum = 0.0;
  for (const int b : guarded.bodies) sum += scale * scale * kinetic_of_body_(b);
  for (const int t : guarded.trees) {
    const TreeBlock& tree = trees_.list[at(t)];
    for (std::size_t i = 0; i < tree.dofs.size(); ++i) {
      const std::size_t j = at(tree.dofs[i]);
      w_.v[j] = tree.off[i] + scale * (x_new[model.nq() + j] - tree.off[i]);
    }
    for (const int i : tree.links) {
      const Link& link = model.tree.links[at(i)];
      link.joint->kinematics({model.tree, w_.tree, w_.q, w_.v, {i, i + 1, link.joint}});
      const LinkState& L = w_.tree.links[at(i)];
      sum += 0.5 * dot(L.V, Inertia{link.inertia.m, L.h, L.I} * L.V);
    }
    for (const std::vector<int>* list : {&tree.dofs, &tree.known}) {
      for (const int j : *list) sum += 0.5 * model.tree.armature[at(j)] * w_.v[at(j)] * w_.v[at(j)];
    }
  }
  return sum;
}

EnergyGuard::Taken EnergyGuard::slow_down(const Guarded& guarded, double excess,
                                          std::span<double> x_new) {
  double size = 0.0;
  for (const int t : guarded.trees) size += std::abs(trees_.list[at(t)].energy);
  const double all = kinetic(guarded, 1.0, x_new);
  if (std::abs(excess) <= kGuardRounding * (size + all)) return {};
  const double none = kinetic(guarded, 0.0, x_new), half = kinetic(guarded, 0.5, x_new);
  // K(s) = none + b s + a s²
  const double a = 2.0 * (all - 2.0 * half + none), b = all - none - a;
  const double wanted = all - excess - none;
  const double root = b * b + 4.0 * a * wanted;
  double s = 0.0;
  if (root >= 0.0 && a > 0.0) s = std::clamp((-b + std::sqrt(root)) / (2.0 * a), 0.0, kMostFaster);
  const double left = kinetic(guarded, s, x_new);
  for (const int t : guarded.trees) {
    for (const int j : trees_.list[at(t)].dofs) x_new[w_.model->nq() + at(j)] = w_.v[at(j)];
  }
  for (const int i : guarded.bodies) {
    double* v = &x_new[w_.model->nq() + at(w_.model->tree.links[at(bodies_[at(i)].link)].v0)];
    for (std::size_t k = 0; k < 6; ++k) v[k] *= s;
  }
  return {all - left, excess - (all - left) > kGuardRounding * (size + all)};
}

void EnergyGuard::put_back(const Guarded& guarded, std::span<const double> x,
                           std::span<double> x_new) const {
  const auto put = [&](int i) {
    const Link& link = w_.model->tree.links[at(i)];
    for (int k = 0; k < link.joint->nq; ++k) x_new[at(link.q0 + k)] = x[at(link.q0 + k)];
  };
  for (const int t : guarded.trees) std::ranges::for_each(trees_.list[at(t)].links, put);
  for (const int b : guarded.bodies) put(bodies_[at(b)].link);
}

}  // namespace carom
