// ABA, RNEA and CRBA check each other on random trees; kinematics is checked against
// difference quotients and energy.
#include "carom/multibody/dynamics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "random_tree.h"

namespace carom {
namespace {

using testing::random_tree;
using testing::random_vec;
using testing::RandomTree;

double norm_of(std::span<const double> a) {
  double s = 0.0;
  for (const double x : a) s += x * x;
  return std::sqrt(s);
}

struct Solved {
  TreeData data;
  std::vector<double> tau, bias, M;
};

Solved solve(const RandomTree& r, std::mt19937& gen) {
  const auto nv = static_cast<std::size_t>(r.tree.nv);
  Solved s{TreeData(r.tree), std::vector<double>(nv), std::vector<double>(nv),
           std::vector<double>(nv * nv)};
  calc_kinematics(r.tree, r.q, r.v, s.data);
  clear_forces(s.data);
  for (LinkState& L : s.data.links) L.f_ext = {random_vec(gen, 1.0), random_vec(gen, 1.0)};
  const std::vector<double> zero(nv, 0.0);
  inverse_dynamics(r.tree, zero, s.data, s.bias);
  calc_mass_matrix(r.tree, s.data, s.M);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (double& t : s.tau) t = unit(gen);
  s.data.tau = s.tau;
  EXPECT_EQ(forward_dynamics(r.tree, s.data), Status::ok);
  return s;
}

// The bound is that of backward stability: 1e-12 of the forces that appear.
TEST(RandomTrees, InverseDynamicsUndoesForwardDynamics) {
  std::mt19937 gen(20260101);
  for (int trial = 0; trial < 1000; ++trial) {
    const RandomTree r = random_tree(gen, 1 + trial % 25, 6.0);
    const auto nv = static_cast<std::size_t>(r.tree.nv);
    Solved s = solve(r, gen);
    const std::vector<double> vdot = s.data.vdot;
    std::vector<double> tau(nv);
    inverse_dynamics(r.tree, vdot, s.data, tau);
    const double scale = norm_of(s.M) * norm_of(vdot) + norm_of(s.bias);
    for (std::size_t k = 0; k < nv; ++k) tau[k] -= s.tau[k];
    EXPECT_LE(norm_of(tau), 1e-12 * scale) << "trial " << trial;
  }
}

TEST(RandomTrees, CompositeBodiesAgreeWithForwardDynamics) {
  std::mt19937 gen(20260102);
  for (int trial = 0; trial < 1000; ++trial) {
    const RandomTree r = random_tree(gen, 1 + trial % 25, 6.0);
    const auto nv = static_cast<std::size_t>(r.tree.nv);
    const Solved s = solve(r, gen);
    std::vector<double> rest(nv);
    for (std::size_t i = 0; i < nv; ++i) {
      rest[i] = s.bias[i] - s.tau[i];
      for (std::size_t j = 0; j < nv; ++j) rest[i] += s.M[i * nv + j] * s.data.vdot[j];
    }
    const double scale = norm_of(s.M) * norm_of(s.data.vdot) + norm_of(s.bias);
    EXPECT_LE(norm_of(rest), 1e-12 * scale) << "trial " << trial;
  }
}

/// A free body, below the world or not, with a chain below it; without armature, so that
/// the inverse by blocks is used where it applies.
RandomTree free_tree(std::mt19937& gen, int trial) {
  RandomTree r;
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto mass = [&] { return std::pow(10.0, 1.5 * unit(gen)); };
  const auto pose = [&] {
    return Pose{to_matrix(quat_exp(random_vec(gen, 2.0))), random_vec(gen, 1.0)};
  };
  const JointKind& floating = *find_joint_kind("free");
  const Pose X_WF = trial % 3 == 0 ? Pose{} : pose();
  int last = add_link(r.tree, 0, floating, X_WF, testing::random_inertia(gen, mass()));
  for (int i = 0; i < trial % 4; ++i) {
    const JointKind& kind = i == 1 ? floating : *find_joint_kind("revolute");
    last = add_link(r.tree, last, kind, pose(), testing::random_inertia(gen, mass()));
  }
  finish_tree(r.tree);
  r.q.resize(static_cast<std::size_t>(r.tree.nq));
  r.v.resize(static_cast<std::size_t>(r.tree.nv));
  for (double& x : r.q) x = unit(gen);  // a quaternion need not be normalised
  for (double& x : r.v) x = unit(gen);
  return r;
}

TEST(FreeBodies, InverseDynamicsUndoesForwardDynamics) {
  std::mt19937 gen(20260108);
  for (int trial = 0; trial < 1000; ++trial) {
    const RandomTree r = free_tree(gen, trial);
    const auto nv = static_cast<std::size_t>(r.tree.nv);
    Solved s = solve(r, gen);
    const std::vector<double> vdot = s.data.vdot;
    ResponseScratch scratch(r.tree);
    std::vector<double> tau(nv), response(nv);
    apply_inverse_mass(r.tree, s.data, all_links(r.tree), s.tau, scratch, response);
    const double scale = norm_of(s.M) * norm_of(vdot) + norm_of(s.bias);
    double worst = 0.0;
    for (std::size_t i = 0; i < nv; ++i) {
      double rest = -s.tau[i];
      for (std::size_t j = 0; j < nv; ++j) rest += s.M[i * nv + j] * response[j];
      worst = std::max(worst, std::abs(rest));
    }
    EXPECT_LE(worst, 1e-12 * norm_of(s.M) * norm_of(response)) << "trial " << trial;
    inverse_dynamics(r.tree, vdot, s.data, tau);
    for (std::size_t k = 0; k < nv; ++k) tau[k] -= s.tau[k];
    EXPECT_LE(norm_of(tau), 1e-12 * scale) << "trial " << trial;
  }
}

// Two ways to the same accelerations. Rounding grows with the distance of the centre of mass, as
// far as free_tree puts it.
TEST(FreeBodies, GoTheShorterWayToTheSameAccelerations) {
  std::mt19937 gen(20260116);
  for (int trial = 0; trial < 1000; ++trial) {
    const RandomTree r = free_tree(gen, trial);
    Solved s = solve(r, gen);
    const std::vector<double> vdot = s.data.vdot;
    const double scale = norm_of(s.M) * norm_of(vdot) + norm_of(s.bias);
    ASSERT_EQ(forward_dynamics(r.tree, s.data, false), Status::ok);
    std::vector<double> tau(vdot.size());
    inverse_dynamics(r.tree, s.data.vdot, s.data, tau);
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] -= s.tau[k];
    EXPECT_LE(norm_of(tau), 1e-12 * scale) << "trial " << trial;
    // A body one of whose rates is known goes the longer way.
    s.data.known[0] = 1;
    ASSERT_EQ(forward_dynamics(r.tree, s.data, false), Status::ok);
    const std::vector<double> some_known = s.data.vdot;
    ASSERT_EQ(forward_dynamics(r.tree, s.data), Status::ok);
    EXPECT_EQ(some_known[0], s.data.vdot[0]);
    double largest = 0.0, difference = 0.0;
    for (std::size_t k = 0; k < some_known.size(); ++k) {
      largest = std::max(largest, std::abs(some_known[k]));
      difference = std::max(difference, std::abs(some_known[k] - s.data.vdot[k]));
    }
    EXPECT_LE(difference, 1e-9 * largest) << "trial " << trial;
  }
}

TEST(FreeBodies, WithoutMassOrWithoutExtentAreReported) {
  for (const Inertia& inertia :
       {Inertia{}, Inertia{1.0, {0.3, -0.2, 0.7}, point_inertia({0.3, -0.2, 0.7})}}) {
    TreeModel tree;
    add_link(tree, 0, *find_joint_kind("free"), Pose{}, inertia);
    finish_tree(tree);
    TreeData data(tree);
    const std::vector<double> q{1, 0, 0, 0, 0, 0, 0}, v(6, 0.1);
    calc_kinematics(tree, q, v, data);
    EXPECT_EQ(forward_dynamics(tree, data), Status::fatal);
    EXPECT_EQ(forward_dynamics(tree, data, false), Status::fatal);
  }
}

// A known rate must leave no trace: the second evaluation of the same state is the first.
TEST(RandomTrees, ForwardDynamicsCanBeRepeated) {
  std::mt19937 gen(20260109);
  for (int trial = 0; trial < 50; ++trial) {
    const RandomTree r = random_tree(gen, 12);
    Solved s = solve(r, gen);
    for (std::size_t k = 0; k < s.data.known.size(); k += 2) s.data.known[k] = 1;
    ASSERT_EQ(forward_dynamics(r.tree, s.data), Status::ok);
    const std::vector<double> first = s.data.vdot;
    ASSERT_EQ(forward_dynamics(r.tree, s.data), Status::ok);
    EXPECT_EQ(first, s.data.vdot) << "trial " << trial;
  }
}

TEST(RandomTrees, InverseMassUndoesTheMassMatrix) {
  std::mt19937 gen(20260103);
  for (int trial = 0; trial < 200; ++trial) {
    const RandomTree r = random_tree(gen, 1 + trial % 15);
    const auto nv = static_cast<std::size_t>(r.tree.nv);
    const Solved s = solve(r, gen);
    ResponseScratch scratch(r.tree);
    std::vector<double> a(nv);
    apply_inverse_mass(r.tree, s.data, all_links(r.tree), s.tau, scratch, a);
    double worst = 0.0;
    for (std::size_t i = 0; i < nv; ++i) {
      double sum = -s.tau[i];
      for (std::size_t j = 0; j < nv; ++j) sum += s.M[i * nv + j] * a[j];
      worst = std::max(worst, std::abs(sum));
    }
    EXPECT_LE(worst, 1e-12 * norm_of(s.M) * norm_of(a)) << "trial " << trial;
  }
}

TEST(RandomTrees, KnownAccelerationsAreKeptAndTheRestFollows) {
  std::mt19937 gen(20260104);
  for (int trial = 0; trial < 200; ++trial) {
    const RandomTree r = random_tree(gen, 2 + trial % 12);
    const auto nv = static_cast<std::size_t>(r.tree.nv);
    if (nv < 2) continue;
    Solved s = solve(r, gen);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    std::vector<double> given(nv, 0.0);
    for (std::size_t k = 0; k < nv; ++k) {
      if (unit(gen) < 0.0) continue;
      s.data.known[k] = 1;
      given[k] = s.data.vdot[k] = unit(gen);
    }
    calc_kinematics(r.tree, r.q, r.v, s.data);
    ASSERT_EQ(forward_dynamics(r.tree, s.data), Status::ok);
    const std::vector<double> vdot = s.data.vdot;
    std::vector<double> tau(nv);
    inverse_dynamics(r.tree, vdot, s.data, tau);
    const double scale = norm_of(s.M) * norm_of(vdot) + norm_of(s.bias);
    for (std::size_t k = 0; k < nv; ++k) {
      if (s.data.known[k]) {
        EXPECT_EQ(vdot[k], given[k]);
      } else {
        EXPECT_NEAR(tau[k], s.tau[k], 1e-12 * scale);
      }
    }
  }
}

// Referee for every joint kind's H and bias: difference quotients along q' = N v.
TEST(RandomTrees, VelocitiesAndAccelerationsAreDerivativesOfPoses) {
  std::mt19937 gen(20260105);
  for (int trial = 0; trial < 100; ++trial) {
    const RandomTree r = random_tree(gen, 8);
    TreeData now(r.tree), later(r.tree), before(r.tree);
    calc_kinematics(r.tree, r.q, r.v, now);
    const std::vector<double> zero(r.v.size(), 0.0);
    std::vector<double> tau(r.v.size());
    inverse_dynamics(r.tree, zero, now, tau);  // fills A for v' = 0
    const double h = 1e-5;
    const auto displaced = [&](double step) {
      // Two halves of N(q) v by the midpoint rule: second order in the step.
      std::vector<double> q = r.q;
      for (std::size_t i = 1; i < r.tree.links.size(); ++i) {
        const Link& link = r.tree.links[i];
        double dv[kMaxJointVelocities];
        for (int k = 0; k < link.joint->nv; ++k) {
          dv[k] = step * r.v[static_cast<std::size_t>(link.v0 + k)];
        }
        link.joint->move(dv, q.data() + link.q0);
      }
      return q;
    };
    calc_kinematics(r.tree, displaced(h), r.v, later);
    calc_kinematics(r.tree, displaced(-h), r.v, before);
    for (std::size_t i = 1; i < now.links.size(); ++i) {
      const LinkState &a = before.links[i], &b = now.links[i], &c = later.links[i];
      EXPECT_LE(norm((c.p_WL - a.p_WL) / (2 * h) - b.V.v), 1e-7);
      EXPECT_LE(norm((c.V.v - a.V.v) / (2 * h) - b.A.v), 1e-7);
      EXPECT_LE(norm((c.V.w - a.V.w) / (2 * h) - b.A.w), 1e-7);
      const Vec3 turn = quat_log(to_quat(c.R_WL * transpose(a.R_WL)));
      EXPECT_LE(norm(turn / (2 * h) - b.V.w), 1e-7);
    }
  }
}

TEST(RandomTrees, KineticEnergyIsHalfVMV) {
  std::mt19937 gen(20260106);
  for (int trial = 0; trial < 100; ++trial) {
    const RandomTree r = random_tree(gen, 10);
    const auto nv = static_cast<std::size_t>(r.tree.nv);
    const Solved s = solve(r, gen);
    double twice = 0.0;
    for (std::size_t i = 0; i < nv; ++i) {
      for (std::size_t j = 0; j < nv; ++j) twice += r.v[i] * s.M[i * nv + j] * r.v[j];
    }
    EXPECT_NEAR(kinetic_energy(r.tree, s.data, r.v), 0.5 * twice, 1e-12 * (1.0 + std::abs(twice)));
  }
}

TEST(JointCatalogue, EveryKindFindsItsCoordinatesFromItsPose) {
  std::mt19937 gen(7);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (const JointKind* kind : joint_catalogue()) {
    std::vector<double> params;
    for (const ParamField& f : kind->fields) params.push_back(f.default_value);
    for (int trial = 0; trial < 20; ++trial) {
      double q[kMaxJointPositions], found[kMaxJointPositions], dv[kMaxJointVelocities];
      kind->set_zero(q);
      kind->set_zero(found);
      for (double& d : dv) d = unit(gen);
      kind->move(dv, q);
      Pose X, again;
      kind->evaluate(q, params.data(), &X, nullptr);
      EXPECT_TRUE(kind->from_pose(X, params.data(), found)) << kind->name;
      kind->evaluate(found, params.data(), &again, nullptr);
      EXPECT_LE(norm(X.p - again.p), 1e-14) << kind->name;
    }
  }
}

}  // namespace
}  // namespace carom
