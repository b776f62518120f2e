// The set M = B - A of differences of two cores, in the axes of A.
//
// The signed distance of the cores is that of the origin from M. Where a core has an
// inner radius (an ellipsoid is a smaller convex body and a ball), that ball is taken
// off: M is smaller, and bodies that overlap less than the balls are apart.
#pragma once

#include <algorithm>

#include "carom/math/pose.h"
#include "carom/proximity/pieces.h"

namespace carom {

inline constexpr double kEpsilon = 2.220446049250313e-16;

/// A point w = b - a of M, and where it comes from.
struct MinkowskiPoint {
  Vec3 w, a, b;
  std::uint32_t piece_a = 0, piece_b = 0;
};

inline double largest(const Vec3& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

struct Minkowski {
  const Core* A;
  const Core* B;
  const PieceKind* kind_a;
  const PieceKind* kind_b;
  Mat3 R;                   ///< R_AB
  Vec3 t;                   ///< p_AB
  double inner_a, inner_b;  ///< radii of the balls taken off [m]

  double reach = 0.0;  ///< largest coordinate of t [m]

  /// Size of the numbers that make a point of M: it is known to kEpsilon times this.
  double magnitude(const Vec3& a, const Vec3& b) const {
    return largest(a) + largest(b) + 2.0 * reach;
  }
  double magnitude(const MinkowskiPoint& p) const { return magnitude(p.a, p.b); }

  bool curved() const { return kind_a->curved || kind_b->curved; }
  bool single() const { return kind_a->single && kind_b->single; }
  bool dense() const { return kind_a->dense || kind_b->dense; }

  /// The point of M least along the unit `n`: b along -n, a along n.
  MinkowskiPoint support(const Vec3& n) const {
    MinkowskiPoint p;
    p.a = kind_a->support(*A, n, p.piece_a) - inner_a * n;
    p.b = t + R * kind_b->support(*B, -transpose_times(R, n), p.piece_b) + inner_b * n;
    p.w = p.b - p.a;
    return p;
  }
};

inline Minkowski make_minkowski(const Core& A, const Core& B, const Pose& X_AB) {
  const PieceKind& ka = piece_kind(A.kind);
  const PieceKind& kb = piece_kind(B.kind);
  const double inner_a = ka.inner_radius ? ka.inner_radius(A) : 0.0;
  const double inner_b = kb.inner_radius ? kb.inner_radius(B) : 0.0;
  return {&A, &B, &ka, &kb, X_AB.R, X_AB.p, inner_a, inner_b, largest(X_AB.p)};
}

}  // namespace carom
