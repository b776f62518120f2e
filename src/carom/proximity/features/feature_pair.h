// A smooth surface and a feature of a convex body (body_features.h): one local minimum of the gap,
// found to rounding.
//
// Let D be the signed distance from the surface. A body K + qB touches where D has a local minimum
// over K. On a feature with point y(λ) and tangents t_i, p the foot of y on the surface, n, K its
// normal and shape operator, d = y - p, D = n.d and g the tangential part of d, Newton's method
// solves
//
//   S δλ = -n.t_i - t_i.A g,   S_ij = t_i.A t_j + n.y_ij,   A = K (1 + D K)⁻¹          (1)
//   (1 + D K) s = g + P t δλ                                                          (2)
//
// s the step of p and P the projection across n. A is the second derivative of D, so it is a
// minimum where 1 + D K and S are positive definite and the gap does not fall on the way into a
// feature of higher dimension. Nothing is singular at contact, and sharp corners are as good as
// round ones. Where y passes the border of a feature, or the gap falls into a neighbour, Newton's
// method goes on there; a minimum is followed over faces, edges and corners as it is over a
// surface.
#pragma once

#include "carom/proximity/distance.h"
#include "carom/proximity/features/body_features.h"
#include "carom/proximity/smooth/smooth_pair.h"

namespace carom {

/// The body in the axes of the surface.
struct FeatureBody {
  const BodyFeatures& features;
  Pose X_AB;
};

/// A minimum of the gap, in the axes of the surface but for y_B.
struct FeatureMinimum {
  Vec3 state;
  SurfacePoint at;
  FeatureName feature;
  Vec3 y_B;            ///< of the core, in the axes of the body
  Vec3 y;              ///< of the rounded body
  double phi = 0.0;    ///< along at.n, of the rounded body
  double stiff = 0.0;  ///< least eigenvalue of S times the size of the body; of corners infinite
};

/// Newton's method on one feature, continued beyond its border. False where it does not settle, or
/// not on a minimum over the feature.
bool find_on_feature(const SmoothSurface& surface, const FeatureBody& body, FeatureName feature,
                     const Vec3& state, const Vec3& y_B, FeatureMinimum& out);

/// The same from farther away: p and y first go to each other by turns, which needs no good start.
bool find_by_turns(const SmoothSurface& surface, const FeatureBody& body, FeatureName feature,
                   const Vec3& state, const Vec3& y_B, FeatureMinimum& out);

/// Whether a point that was found is a minimum of the gap over the whole body nearby.
bool is_minimum(const FeatureBody& body, const FeatureMinimum& m);

/// The minimum at `body.X_AB` that is `known` at `from`. `out` is the last that was found.
FollowEnd follow_minimum(const SmoothSurface& surface, const FeatureBody& body, const Pose& from,
                         const FeatureMinimum& known, FeatureMinimum& out);

/// Curvature of the rounded body at a minimum; a sharp edge has that of a very small ball [1/m].
struct BodyCurvature {
  Vec3 e1;             ///< tangent of the surface; across an edge, if there is one
  SurfaceCurvature k;  ///< over e1 and n x e1
};
BodyCurvature body_curvature(const FeatureBody& body, const FeatureMinimum& m);

}  // namespace carom
