#include "carom/proximity/ball.h"

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/contact_geometry.h"

namespace carom {
namespace {

/// Witness points either side of the middle, and the curvature k in every direction.
void set_contact(double phi, const Vec3& n, const Vec3& middle, double k, Contact& contact) {
  contact.phi = phi;
  contact.n_AB_W = n;
  contact.p_WCa = middle - (0.5 * phi) * n;
  contact.p_WCb = middle + (0.5 * phi) * n;
  contact.k1 = contact.k2 = k;
  contact.k1_direction_W = any_perpendicular(n);
}

bool between_balls(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB,
                   Contact& contact) {
  const Vec3 a = X_WA.R * A.v[0], b = X_WB.R * B.v[0];
  const Vec3 d = (X_WB.p - X_WA.p) + (b - a);
  const double length = norm(d);
  // Below the smallest square that is exact the direction is not known.
  if (!(length > 1e-150)) return false;
  const Vec3 n = d / length;
  const Vec3 middle = X_WA.p + a + 0.5 * d + (0.5 * (A.rounding - B.rounding)) * n;
  set_contact(length - (A.rounding + B.rounding), n, middle,
              ball_curvature(A.rounding) + ball_curvature(B.rounding), contact);
  contact.feature_a = contact.feature_b = vertex_feature(0);
  return true;
}

/// n leads from the box to the ball.
bool on_face(const Core& box, const Pose& X_WX, const Core& ball, const Pose& X_WO,
             Contact& contact) {
  const Vec3 d = (X_WO.p - X_WX.p) + X_WO.R * ball.v[0];
  const Vec3 x = transpose_times(X_WX.R, d);
  const Vec3& h = box.v[0];
  const Vec3 beyond{std::abs(x.x) - h.x, std::abs(x.y) - h.y, std::abs(x.z) - h.z};
  const int outside = (beyond.x > 0.0) + (beyond.y > 0.0) + (beyond.z > 0.0);
  if (outside > 1) return false;
  const std::size_t i = beyond.x >= beyond.y && beyond.x >= beyond.z ? 0
                        : beyond.y >= beyond.z                       ? 1
                                                                     : 2;
  const Vec3 outward = X_WX.R.col(i);
  const Vec3 n = x[i] < 0.0 ? -outward : outward;
  const double phi = beyond[i] - (box.rounding + ball.rounding);
  const Vec3 middle = X_WX.p + d - (ball.rounding + 0.5 * phi) * n;
  set_contact(phi, n, middle, ball_curvature(ball.rounding), contact);
  contact.feature_a = face_feature(i, x[i] < 0.0);
  contact.feature_b = vertex_feature(0);
  return true;
}

}  // namespace

bool ball_distance(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB,
                   Contact& contact) {
  if (A.kind == &core_point && B.kind == &core_point) {
    return between_balls(A, X_WA, B, X_WB, contact);
  }
  if (A.kind == &core_box && B.kind == &core_point) return on_face(A, X_WA, B, X_WB, contact);
  if (A.kind == &core_point && B.kind == &core_box && on_face(B, X_WB, A, X_WA, contact)) {
    exchange(contact);
    return true;
  }
  return false;
}

}  // namespace carom
