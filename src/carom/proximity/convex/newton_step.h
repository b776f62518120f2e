// One step of Newton's method for the optimality conditions: the linear algebra of (3) in
// optimum.h, in the tangent plane of the direction.
#pragma once

#include "carom/proximity/convex/optimum.h"

namespace carom {

/// A direction and a basis of its tangent plane, in the axes of A and, where B is curved, in
/// those of B, with the sign that its outward normals have.
struct Tangent {
  Vec3 n, e1, e2;
  Vec3 n_B, e1_B, e2_B;
};
Tangent tangent_plane(const Minkowski& M, const Vec3& n);

struct Step {
  double x = 0.0, y = 0.0;  ///< d of (3) in the tangent basis
  double weight[3];         ///< the new l_i
};

/// w_i, n.w_i and H_i at the direction of `at`.
void evaluate(const Minkowski& M, const Tangent& at, ActivePiece& p);

double lowest_value(const ActiveSet& s);

/// The matrix of (3) and the tangential parts of the w_i.
struct Reduced {
  double mxx = 0.0, mxy = 0.0, myy = 0.0;
  double wx[3], wy[3], value[3];
  double rounding;  ///< of the entries
};
Reduced reduce(const Minkowski& M, const Tangent& at, const ActiveSet& s);

/// Solves (3) for this many pieces. False where they determine no step.
bool solve_set(const Reduced& r, int count, Step& d);

}  // namespace carom
