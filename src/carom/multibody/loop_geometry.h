// A loop-closing joint at the current poses: its error, the directions it holds, and how
// fast these move. Equation (1) of constraints.h.
#pragma once

#include "carom/multibody/constraints.h"

namespace carom {

/// A loop at the current poses, in world axes about Mo.
struct LoopGeometry {
  int rows = 0;
  Vec3 p_M;
  Motion normal[6];    ///< the basis N of (1)
  Motion subspace[6];  ///< orthonormal basis of H, and H itself
  Motion H[6];
  Mat3 R_WF;
  Vec3 p_F;
  Motion error;  ///< e of (1)
};

inline double product(const Motion& a, const Motion& b) { return dot(a.w, b.w) + dot(a.v, b.v); }

LoopGeometry calc_loop(const LoopConstraint& loop, const TreeData& data);

/// Velocity of M relative to F, about Mo.
Motion relative_velocity(const LoopConstraint& loop, const LoopGeometry& g, const TreeData& data);

/// Acceleration of M relative to F, minus the bias of the loop's own joint.
Motion relative_acceleration(const LoopConstraint& loop, const LoopGeometry& g,
                             const TreeData& data);

}  // namespace carom
