// How the depth field of a patch changes where one body turns against the other.
//
// A turn about an axis through c_A, in the plane of the patch, brings the surfaces together at the
// rate t.r, r = x - c_A. Where the depth falls off at the edge of the patch with the slope s, that
// moves the circumference outwards by t.r / s. With what it does to area, volume and their moments,
// the slope of the field (patch_load.h, (1)) changes by
//
//   g' = D t,   D = 1 - I_A⁻¹ Q,   Q = ∮ max(0, δ(x)) r rᵀ / s ds,                          (1)
//   1 / s = |n_a.n| |n_b.n| / |n_a × n_b|                                                   (2)
//
// with the normals n_a, n_b of the two triangles of a segment. A face between steep sides has Q =
// 0: its field turns with it. Where the depth is a paraboloid, of a ball as of a cylinder across
// its axis, D = 0: the overlap goes along as the body rolls, and its field stays what it is.
//
// What resists g' (springs and dampers of the field, with second moments C) does work g'.C g' = t.
// (Dᵀ C D) t: it acts on the bodies as if at arms Dᵀ a, where a aᵀ adds up to C.
#pragma once

#include "carom/proximity/triangles/intersection.h"
#include "carom/proximity/triangles/patch_plane.h"

namespace carom::triangles {

/// Q of (1), segment by segment.
class EdgeMotion {
 public:
  EdgeMotion(const TriangleSurface& A, const TriangleSurface& B, const Mat3& R_AB, const Vec3& n)
      : a_(A), b_(B), R_AB_(R_AB), n_(n) {}

  /// From p to q, seen from c_A, with the depths there.
  void add(const Segment& s, const Vec3& p, double depth_p, const Vec3& q, double depth_q);
  const Sym3& moment() const { return moment_; }

 private:
  double flatness(const Segment& s) const;  ///< (2)

  const TriangleSurface &a_, &b_;
  const Mat3& R_AB_;
  const Vec3& n_;
  Sym3 moment_;
};

/// Dᵀ of (1).
class FieldRate {
 public:
  /// `area_moment` is I_A.
  FieldRate(const Sym3& area_moment, const Sym3& edge_moment, const Tangents& t)
      : area_(area_moment, t), edge_(edge_moment), t_(t) {}

  /// Where an arm of the field acts on the bodies: no longer than it is. Facets let D of a round
  /// body flicker about zero, by less than a third where a patch is as wide as two of them: so much
  /// is none, two thirds are what they are. What is all but a line turns as it is.
  Vec3 arm(const Vec3& of_field) const;

 private:
  Form2 area_;
  const Sym3& edge_;
  const Tangents& t_;
};

}  // namespace carom::triangles
