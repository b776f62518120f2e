// Contact manifolds: the points that carry a contact of flat or alike curved surfaces.
//
// The gap g(s) between two bodies over the plane across the contact normal is lowest at
// the contact, g = phi. Where the bodies have a face, an edge or a ruling there, it is
// lowest, or nearly so, on a whole patch: the intersection of the two features. A manifold
// is the patch reduced to its corners, each with
//
//   phi_i    the gap of the rounded cores at the corner, along the common normal n, and
//   weight   the share of all small tilts of the bodies (at most `tilt`) that would make
//            this corner the lowest point (tilt_window.h). The weights add up to one.
//
// So a law with stiffness k acts as springs w_i k at the points. Their force and moment are
// continuous in the poses, for any law that is continuous in phi, because the weights are
// shares of a measure that depends continuously on g:
//
// - Tilting a face by more than `tilt` leaves the weight on its lowest edge or corner; on
//   the way the other weights fall to zero. From there another face may take over.
// - Clipping moves corners continuously; a corner that splits does so in one place.
// - A polygon whose slope against n is between 16 and 32 tilts (a round face between 2 and 4) is
//   faded out in favour of its lowest line. That leaves the same points, unless edges meet at
//   less than 4 degrees, and is continuous even then.
//
// Two nearly parallel lines (rulings, edges) touch over a length that depends on their
// curvature: g = phi + slope x + x² sin²(angle) / (2 Q), Q the sum of the radii. The
// lumps of that measure move from the ends to the crossing as the angle grows.
//
// Round end faces of beams are drawn by 32 tangents, and of faces with more than 64 corners
// every second (third, ...) one is left out.
//
// A rim is cut into eighths fixed to the body; each holds one point, at the mean of its
// measure. As the tilt grows they gather at the lowest point of the rim.
//
// For stiffness (N8) the manifold tells area, length and width. Length and width are twice
// the standard deviations of the points along the principal axes: the sides of a rectangle,
// the length of a segment. The area is that of the patch where it is flat, and falls to zero
// as the faces tilt by `tilt`. regime_shares() blends point, line and face over the contact
// half-width.
#pragma once

#include <cstdint>

#include "carom/geometry/core.h"
#include "carom/math/pose.h"
#include "carom/proximity/distance.h"
#include "carom/proximity/point_list.h"

namespace carom {

inline constexpr int kMaxManifoldPoints = 64;
/// Far below what the eye sees, above what a contact of stiff bodies yields: 10 µm on 0.1 m.
inline constexpr double kDefaultTilt = 1e-4;

struct ManifoldPoint {
  Vec3 p_WC;            ///< midpoint of the two surfaces: p_WC -+ phi n / 2 are their points [m]
  double phi = 0.0;     ///< gap at this point, along the common normal [m]
  double weight = 0.0;  ///< > 0, the share of this point; all of them add up to 1
  std::uint32_t feature = 0;  ///< the same number while it is the same corner of this pair
  Vec3 n_AB_W{};              ///< its own normal, where the points have their own
};

struct Manifold {
  int count = 0;  ///< at least 1, unless the distance query failed
  PointList<ManifoldPoint, kMaxManifoldPoints> points;  ///< more of meshes alone
  Vec3 n_AB_W;                                          ///< of all points, or their mean
  bool has_normals = false;  ///< the points have their own, as over a curved area
  double springs = 1.0;      ///< that the points stand for: factor of a law's own stiffness
  Vec3 length_direction_W;   ///< unit tangent along `length`; any if length equals width
  double area = 0.0;         ///< of the flat patch [m²]
  double length = 0.0;       ///< [m]
  double width = 0.0;        ///< <= length [m]

  const Vec3& normal_at(std::size_t i) const { return has_normals ? points[i].n_AB_W : n_AB_W; }
};

/// The manifold of a pair whose distance() is `contact`. `tilt` is the slope over which
/// face, edge and corner are blended. Allocates nothing.
void find_manifold(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB,
                   const Contact& contact, double tilt, Manifold& out);

/// How much of the contact is a point, a line and a face; they add up to 1.
struct RegimeShares {
  double point = 1.0, line = 0.0, face = 0.0;
};
/// A patch is long (wide) if its half length (width) is large against `half_width`, the
/// half-width of the contact of the curved surfaces [m].
RegimeShares regime_shares(const Manifold& manifold, double half_width);

}  // namespace carom
