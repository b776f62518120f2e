// Momentum of bodies that are struck, also through joints, loops and couplings, from the rows just
// before and just after.
//
// Shares nothing with the engine's dynamics: joints are what their wrenches may be. With the
// impulses P of the pairs that were recorded, those P_k of their points, and a wrench W_j in every
// joint, on its child and backwards on its parent,
//
//   m (v+ - v-)  =  sum of P_k and of the forces of W_j,       of every body                (1)
//   I (w+ - w-)  =  sum of their moments about its centre
//   sum of P_k of a pair  =  P                                                              (2)
//   h_k . W_j    =  -J (u_k+ - u_k-)    along every coordinate h_k that joint j leaves free  (3)
//
// with J the rotor of that coordinate. What is prescribed takes any force, and what a coupling
// joins shares one unknown. P_k and W_j are not recorded, and need not be unique: the smallest
// residual of all these equations is what is told, and it vanishes for true records alone.
#pragma once

#include "carom/verify/own_rigid.h"

namespace carom::verify {

/// What a joint of the scene connects, and what it leaves free.
struct OwnJoint {
  const JointSpec* spec = nullptr;
  int parent = -1, child = -1;  ///< into Model::bodies; -1: the world
};

class BalanceCheck {
 public:
  explicit BalanceCheck(const Model& model);

  /// The states of an instant, and the impulse that each of `pairs` has got there, on its body B.
  void instant(const RecordedBodies& before, std::size_t row_before, const RecordedBodies& after,
               std::size_t row_after, std::span<const Vec3> impulses);
  void tell(std::vector<Recomputed>& out) const;

 private:
  void join_bodies(const RecordedBodies& after, std::size_t row, std::span<const Vec3> impulses);
  void weigh(int group, const RecordedBodies& before, std::size_t row_before,
             const RecordedBodies& after, std::size_t row_after, std::span<const Vec3> impulses);
  void see_joints(const RecordedBodies& after, std::size_t row);
  bool is_active(const OwnJoint& joint, double t) const;

  const Model& model_;
  std::vector<OwnJoint> joints_;
  std::vector<int> group_;  ///< per body: the first one that it acts on
  Recomputed balance_{"impacts", "momentum of all that is struck, through joints and loops", 0.0,
                      1e-9, 0};
  Recomputed joints_hold_{"impacts", "speeds across joints and loops after impacts", 0.0, 1e-9, 0};
};

}  // namespace carom::verify
