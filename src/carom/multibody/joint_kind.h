// A row of the joint catalogue (multibody/joints/, one file each).
//
// A joint connects frame F, fixed to the parent link, with frame M, the child
// link's own frame. With the coordinates q and velocities v of the joint,
//
//   X_FM = X(q),   (w_FM, v_FMo) = H(q) v,   q' = N(q) v,              (1)
//
// all in F axes. Joints with one axis use the z axis of F.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "carom/base/param.h"
#include "carom/math/pose.h"
#include "carom/math/spatial.h"

namespace carom {

inline constexpr int kMaxJointVelocities = 6;
inline constexpr int kMaxJointPositions = 7;

struct KinematicBatch;  // joint_batch.h

/// What the columns of H are known to be, so that work with their zeros is left out.
enum class Subspace : unsigned char {
  general,
  rotation,  ///< no linear part: the joint turns about Mo
  full,      ///< the six unit motions along the axes of F
};

/// One coordinate direction of a joint.
struct JointCoordinate {
  const char* name;
  bool angular;  ///< unit rad (and N·m) instead of m (and N)
};

struct JointKind {
  const char* name;
  const char* doc;
  std::span<const ParamField> fields;
  int nq;
  int nv;
  std::span<const JointCoordinate> coordinates;  ///< of v, nv of them
  bool vector_space;  ///< q' = v: the coordinates can be limited, sprung and driven
  Subspace subspace = Subspace::general;

  /// Coordinates at which M coincides with F.
  void (*set_zero)(double* q);
  /// X_FM at q, and (optional, else null) the columns of H in F axes.
  void (*evaluate)(const double* q, const double* params, Pose* X_FM, Motion* H);
  /// H' v, the relative acceleration that remains at v' = 0, in the axes of H.
  Motion (*bias)(const double* v, const Motion* H);
  /// N(q) v.
  void (*position_rate)(const double* q, const double* v, double* qdot);
  /// q that brings X_FM nearest to the given pose; false if the joint cannot get there
  /// within 1e-9 (m, rad). `q` holds a guess that selects among equivalent turns.
  bool (*from_pose)(const Pose& X_FM, const double* params, double* q);
  /// q ⊕ dv: moves q by the small velocity-like increment dv.
  void (*move)(const double* dv, double* q);

  /// Positions, velocities, subspaces and bias accelerations of a batch of links.
  void (*kinematics)(const KinematicBatch& batch);
};

std::span<const JointKind* const> joint_catalogue();
const JointKind* find_joint_kind(std::string_view name);

}  // namespace carom
