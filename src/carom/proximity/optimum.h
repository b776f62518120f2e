// The optimality conditions of the signed distance, and Newton's method for them.
//
//   phi = max over unit n of min over z in M of n.z                              (1)
//
// At a (local) maximum a few pieces of M carry the contact: points w_i(n) = least points
// of smooth pieces of M along n, with weights l_i >= 0, sum 1, such that
//
//   n.w_i(n) = phi  for all i,     sum of l_i w_i(n) = phi n.                    (2)
//
// The derivative of w_i is -H_i, the sum of the two bodies' radii of curvature, and
// that of n.w_i is w_i. In the tangent plane of n, a Newton step d solves
//
//   w_i.d = phi - n.w_i,      (sum of l_i H_i + phi) d = sum of l_i w_i          (3)
//
// by eliminating first what the differences of the w_i fix: then nothing is divided by
// phi unless a sharp vertex or edge meets another, and phi = 0 is not special.
//
// For phi > 0, (2) together with min over M of n.z = phi proves the global maximum.
// For phi < 0 it is a local one, and (3) must be positive definite where it is free.
#pragma once

#include "carom/proximity/minkowski.h"

namespace carom {

/// One pair of pieces that carries the contact.
struct ActivePiece {
  Vec3 a, b, w;
  double hxx = 0.0, hxy = 0.0, hyy = 0.0;  ///< H_i in the tangent basis
  double value = 0.0;                      ///< n.w
  double weight = 1.0;                     ///< l_i
  std::uint32_t piece_a = 0, piece_b = 0;
  bool moves_a = false, moves_b = false;  ///< w_i depends on n through this body
};

struct ActiveSet {
  ActivePiece piece[3];
  int count = 0;
  bool freeze_a = false, freeze_b = false;  ///< take points of this body as fixed
};

struct Optimum {
  Vec3 n;
  double phi = 0.0;  ///< of M: without rounding and without the inner balls
  ActiveSet set;
  bool face_a = false, face_b = false;  ///< the contact lies inside a flat face of this body
};

/// Size of the numbers that are subtracted: phi is known to kEpsilon times this.
double magnitude(const Vec3& a, const Vec3& b);
inline double magnitude(const MinkowskiPoint& p) { return magnitude(p.a, p.b); }

/// Adds a point; a second point on the same pair of moving pieces only adds its weight.
void add_piece(const Minkowski& M, const MinkowskiPoint& p, double weight, ActiveSet& set);

/// Solves (2) from the direction `n` and a guess of the active pieces, which are added
/// and removed as needed. False if it does not get to a certified (local) maximum.
bool solve_optimum(const Minkowski& M, const Vec3& n, const ActiveSet& guess, Optimum& out);

/// The optimum inside a flat face of one of the bodies whose normal is near `n`.
bool face_optimum(const Minkowski& M, const Vec3& n, Optimum& out);

}  // namespace carom
