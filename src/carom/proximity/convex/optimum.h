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

#include "carom/proximity/convex/minkowski.h"

namespace carom {

/// A symmetric 2x2 matrix in the tangent basis.
struct TangentForm {
  double xx = 0.0, xy = 0.0, yy = 0.0;
};

/// One pair of pieces that carries the contact.
struct ActivePiece {
  Vec3 a, b, w;
  TangentForm radii_a, radii_b;  ///< H_i is their sum, less the balls that were taken off [m]
  double value;                  ///< n.w
  double weight;                 ///< l_i
  std::uint32_t piece_a, piece_b;
  bool moves_a, moves_b;  ///< w_i depends on n through this body
};

/// The first `count` pieces are meant. The rest is not even cleared: that would cost as
/// much as solving.
struct ActiveSet {
  union {
    ActivePiece piece[3];
  };
  int count = 0;
  bool freeze_a = false, freeze_b = false;  ///< take points of this body as fixed

  ActiveSet() {}
  ActiveSet(const ActiveSet& other) { *this = other; }
  ActiveSet& operator=(const ActiveSet& other) {
    count = other.count, freeze_a = other.freeze_a, freeze_b = other.freeze_b;
    for (int i = 0; i < count; ++i) piece[i] = other.piece[i];
    return *this;
  }
  void clear() { count = 0, freeze_a = freeze_b = false; }
};

struct Optimum {
  Vec3 n;
  double phi = 0.0;  ///< of M: without rounding and without the inner balls
  ActiveSet set;
  bool face_a = false, face_b = false;  ///< the contact lies inside a flat face of this body
  double margin = 0.0;                  ///< … and so far from its edge [m]
  bool evaluated = false;               ///< the pieces of the set have their radii at n
};

/// Adds a point; a second point on the same pair of moving pieces only adds its weight.
void add_piece(const Minkowski& M, const MinkowskiPoint& p, double weight, ActiveSet& set);

/// Solves (2) from the direction `n` and a guess of the active pieces, which are added
/// and removed as needed. False if it does not get to a certified (local) maximum; then
/// out.n is where it ended.
bool solve_optimum(const Minkowski& M, const Vec3& n, const ActiveSet& guess, Optimum& out);

/// The same where the normal is that of a flat face with a curved rim, and the other body
/// touches it along an edge or a face: fixed points on the rim stand for the face.
bool solve_on_rim(const Minkowski& M, const Vec3& n, Optimum& out);

/// The optimum inside the flat face of a body whose normal (in its axes) is near `normal`.
bool optimum_on_face_of_a(const Minkowski& M, const Vec3& normal, Optimum& out);
bool optimum_on_face_of_b(const Minkowski& M, const Vec3& normal, Optimum& out);
/// The same for either body and the direction `n`.
bool face_optimum(const Minkowski& M, const Vec3& n, Optimum& out);

}  // namespace carom
