// Signed distance of two convex bodies: how far, where, and along which normal.
//
// With t the vector from the origin of A to that of B and h the support functions,
//
//   phi = max over unit n of g(n),   g(n) = n.t - h_A(n) - h_B(-n)              (1)
//
// is the distance of separated bodies and minus the depth of overlapping ones. The
// bodies are cores with rounding (geometry/core.h); as long as the cores do not
// overlap, (1) plus the radii of rounding is the maximum of a concave function: it is
// unique and depends smoothly on the poses, through phi = 0 as anywhere else.
//
// The answer is the root of the optimality conditions of (1), solved by Newton's
// method to rounding, and certified by the support functions. So it does not depend on
// how it was found: a warm start changes the time, not the answer.
#pragma once

#include <cstdint>

#include "carom/base/status.h"
#include "carom/geometry/core.h"
#include "carom/math/pose.h"

namespace carom {

/// The part of a core that carries the contact.
struct ContactFeature {
  std::uint8_t dimension =
      0;  ///< 0 a point of the surface or a vertex, 1 an edge or ruling, 2 a flat face
  std::uint32_t key = 0;  ///< the same number for the same feature of the same core
  bool operator==(const ContactFeature&) const = default;
};

/// The curvature of one surface as a quadratic form over two tangents; huge at sharp edges [1/m].
struct SurfaceCurvature {
  double xx = 0.0, xy = 0.0, yy = 0.0;
};

/// Conventions of the module: n from A to B, p_WCb - p_WCa = phi n, phi < 0 in overlap.
struct Contact {
  double phi = 0.0;     ///< signed distance [m]
  Vec3 n_AB_W;          ///< unit normal from A to B
  Vec3 p_WCa, p_WCb;    ///< witness points [m]
  double k1 = 0.0;      ///< larger relative principal curvature, infinite at sharp edges [1/m]
  double k2 = 0.0;      ///< smaller relative principal curvature [1/m]
  Vec3 k1_direction_W;  ///< unit tangent along which k1 is measured
  /// Of each surface alone, over k1_direction_W and n_AB_W x k1_direction_W; they add up to k1, k2.
  SurfaceCurvature own_a, own_b;
  ContactFeature feature_a, feature_b;
  Vec3 state_a, state_b;  ///< of the witness points on smooth surfaces
  /// Of a site that is one minimum among several: it is there, it has met a saddle and is none any
  /// more, or the surface ends before it. phi is then that of bodies well apart.
  enum class End : std::uint8_t { none, merged, left };
  End end = End::none;
  /// recoverable: a pose is not finite. fatal: two half spaces, which have no distance.
  Status status = Status::ok;
};

/// What a pair remembers from its last query. A default one is a cold start.
struct DistanceCache {
  Vec3 n_A;                     ///< the last normal in the axes of A
  std::uint32_t piece[3][2]{};  ///< pairs of pieces that carried the contact
  std::int32_t count = 0;       ///< of them; 0: nothing is known
  bool apart = false;           ///< the cores did not overlap
  // Of smooth surfaces (smooth_pair.h): which minimum it is, and where that is known.
  Vec3 state, state_b;  ///< on the first surface, and on the other body where that is one, too
  Pose X_AB;            ///< of the other body in the axes of the surface
};

/// Whether distance() looks from the second body, which is the larger one. What it remembers is
/// that of the two in this order.
bool is_sought_from_b(const Core& A, const Core& B);

/// Signed distance, normal, witness points and curvature of two bodies. Allocates
/// nothing, throws nothing. `warm` may be null; it is read and then written.
Contact distance(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB,
                 DistanceCache* warm = nullptr);

}  // namespace carom
