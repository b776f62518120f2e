// Random trees of every joint kind, for tests that compare algorithms.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "carom/multibody/dynamics.h"

namespace carom::testing {

struct RandomTree {
  TreeModel tree;
  std::vector<double> q, v;
};

inline Vec3 random_vec(std::mt19937& gen, double scale) {
  std::uniform_real_distribution<double> u(-scale, scale);
  return {u(gen), u(gen), u(gen)};
}

/// A physically possible inertia about the link origin: three point masses.
inline Inertia random_inertia(std::mt19937& gen, double mass) {
  Inertia a;
  for (int k = 0; k < 4; ++k) {
    const Vec3 p = random_vec(gen, 0.5);
    const double m = mass / 4.0;
    a.m += m;
    a.h += m * p;
    a.I += m * point_inertia(p);
  }
  return a;
}

inline RandomTree random_tree(std::mt19937& gen, int links, double log10_mass_ratio = 0.0) {
  RandomTree r;
  const auto kinds = joint_catalogue();
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int i = 1; i <= links; ++i) {
    const int parent = std::uniform_int_distribution<int>(0, i - 1)(gen);
    const JointKind& kind =
        *kinds[std::uniform_int_distribution<std::size_t>(0, kinds.size() - 1)(gen)];
    const Pose X_PF{to_matrix(quat_exp(random_vec(gen, 2.0))), random_vec(gen, 1.0)};
    const double mass = std::pow(10.0, 0.5 * log10_mass_ratio * unit(gen));
    std::vector<double> params;
    for (const ParamField& f : kind.fields) params.push_back(f.default_value);
    add_link(r.tree, parent, kind, X_PF, random_inertia(gen, mass), params);
  }
  finish_tree(r.tree);
  r.q.resize(static_cast<std::size_t>(r.tree.nq));
  r.v.resize(static_cast<std::size_t>(r.tree.nv));
  for (double& a : r.tree.armature) a = 0.01 * (1.0 + unit(gen));
  for (std::size_t i = 1; i < r.tree.links.size(); ++i) {
    const Link& link = r.tree.links[i];
    link.joint->set_zero(r.q.data() + link.q0);
    double dv[kMaxJointVelocities];
    for (double& d : dv) d = unit(gen);
    link.joint->move(dv, r.q.data() + link.q0);
  }
  for (double& x : r.v) x = unit(gen);
  return r;
}

}  // namespace carom::testing
