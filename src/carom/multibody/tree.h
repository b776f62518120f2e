// The tree of links: immutable structure (TreeModel) and what one evaluation
// computes on it (TreeData).
//
// Link 0 is the world. A link's own frame L is the M frame of the joint that
// connects it with its parent, so a joint's motion is the motion of L itself; the
// user's body frame B is at the constant X_LB. Links are ordered parents first,
// level by level, with equal joint kinds side by side: a batch is a run of links
// with the same kind, and kinds are dispatched per batch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/base/id.h"
#include "carom/multibody/joint_kind.h"

namespace carom {

using LinkId = Id<struct LinkOrder, int>;

struct Link {
  LinkId parent = 0;
  const JointKind* joint = nullptr;
  int q0 = 0, v0 = 0;         ///< first coordinate and velocity
  int param0 = 0;             ///< first joint parameter
  Pose X_PF;                  ///< joint frame in the parent's link frame
  Pose X_LB;                  ///< body frame in the link frame
  Inertia inertia;            ///< about Lo, link axes
  bool is_free_body = false;  ///< free in the world, and carries nothing
};

struct LinkBatch {
  int begin = 0, end = 0;
  const JointKind* joint = nullptr;
};

struct TreeModel {
  IdArray<LinkId, Link> links{Link{}};
  std::vector<LinkBatch> batches;
  std::vector<double> joint_params;
  std::vector<double> armature;  ///< added to the diagonal of the mass matrix, per velocity
  int nq = 0, nv = 0;

  int link_count() const { return static_cast<int>(links.size()); }
};

/// Adds a link below `parent` and returns its index; call finish_tree afterwards.
int add_link(TreeModel& tree, int parent, const JointKind& joint, const Pose& X_PF,
             const Inertia& inertia, std::span<const double> params = {});

/// Orders links by level and kind, assigns coordinates, makes batches. Returns for
/// each link, as it was added, its new index.
std::vector<int> finish_tree(TreeModel& tree);

/// All that is computed per link, in world axes about Lo.
struct LinkState {
  Mat3 R_WL;
  Vec3 p_WL;
  Vec3 r;                 ///< from the parent's origin to Lo
  Motion V;               ///< velocity
  Motion c;               ///< acceleration that remains when parent and joint accelerations vanish
  Sym3 I;                 ///< rotational inertia about Lo
  Vec3 h;                 ///< mass × (centre of mass − Lo)
  ArticulatedInertia IA;  ///< of the subtree
  Wrench pA;
  Motion A;      ///< acceleration (classical: of the material point Lo)
  Wrench f_ext;  ///< applied wrench: gravity, force elements, contacts
};

struct TreeData {
  explicit TreeData(const TreeModel& tree);

  IdArray<LinkId, LinkState> links;
  std::vector<Motion> H;            ///< column of the motion subspace per velocity
  std::vector<Wrench> U;            ///< IA H
  std::vector<double> D_inv;        ///< inverse of Hᵀ IA H, 36 per link at 36 × index
  std::vector<double> u;            ///< per velocity
  std::vector<std::uint8_t> known;  ///< 1: this velocity's rate is prescribed
  std::vector<double> tau;          ///< generalised applied force
  std::vector<double> vdot;         ///< in: prescribed ones; out: all
  bool keeps_factors = true;        ///< false: U and D_inv of free bodies are not made
};

}  // namespace carom
