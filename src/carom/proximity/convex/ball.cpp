#include "carom/proximity/convex/ball.h"

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/contact_geometry.h"

namespace carom {
namespace {

/// Witness points either side of the middle, and curvatures that are alike in every direction.
void set_contact(double phi, const Vec3& n, const Vec3& middle, double k_a, double k_b,
                 Contact& contact) {
  contact.phi = phi;
  contact.n_AB_W = n;
  contact.p_WCa = middle - (0.5 * phi) * n;
  contact.p_WCb = middle + (0.5 * phi) * n;
  contact.k1 = contact.k2 = k_a + k_b;
  contact.own_a = {k_a, 0.0, k_a}, contact.own_b = {k_b, 0.0, k_b};
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
  set_contact(length - (A.rounding + B.rounding), n, middle, ball_curvature(A.rounding),
              ball_curvature(B.rounding), contact);
  contact.feature_a = contact.feature_b = vertex_feature(0);
  return true;
}

/// The centre of a ball and a box. Normals lead from the box to the ball.
struct BallOverBox {
  const Core &box, &ball;
  const Pose& X_WX;
  Vec3 d;       ///< from the centre of the box to that of the ball, in the world
  Vec3 x;       ///< the same in the axes of the box
  Vec3 beyond;  ///< how far it is beyond each pair of faces

  BallOverBox(const Core& box_, const Pose& X_WX_, const Core& ball_, const Pose& X_WO)
      : box(box_), ball(ball_), X_WX(X_WX_) {
    d = (X_WO.p - X_WX.p) + X_WO.R * ball.v[0];
    x = transpose_times(X_WX.R, d);
    const Vec3& h = box.v[0];
    beyond = {std::abs(x.x) - h.x, std::abs(x.y) - h.y, std::abs(x.z) - h.z};
  }

  void over_face(Contact& contact) const {
    const std::size_t i = beyond.x >= beyond.y && beyond.x >= beyond.z ? 0
                          : beyond.y >= beyond.z                       ? 1
                                                                       : 2;
    const Vec3 outward = X_WX.R.col(i);
    const Vec3 n = x[i] < 0.0 ? -outward : outward;
    const double phi = beyond[i] - (box.rounding + ball.rounding);
    const Vec3 middle = X_WX.p + d - (ball.rounding + 0.5 * phi) * n;
    set_contact(phi, n, middle, 0.0, ball_curvature(ball.rounding), contact);
    contact.feature_a = face_feature(i, x[i] < 0.0);
    contact.feature_b = vertex_feature(0);
  }

  /// Over an edge or a vertex, where two or three coordinates are beyond.
  bool over_edge(Contact& contact) const {
    Vec3 w;
    std::uint32_t first = 0, free_bit = 0;
    std::size_t along = 3;
    for (std::size_t i = 0; i < 3; ++i) {
      if (beyond[i] > 0.0) {
        w[i] = std::copysign(beyond[i], x[i]);
        if (x[i] < 0.0) first |= 1u << i;
      } else {
        along = i, free_bit = 1u << i;
      }
    }
    const double length = norm(w);
    if (!(length > 1e-150)) return false;
    const Vec3 n = X_WX.R * (w / length);
    const double phi = length - (box.rounding + ball.rounding);
    const Vec3 middle = X_WX.p + d - (ball.rounding + 0.5 * phi) * n;
    const double k = ball_curvature(ball.rounding), sharp = ball_curvature(box.rounding);
    set_contact(phi, n, middle, sharp, k, contact);
    contact.feature_a = vertex_feature(first);
    contact.feature_b = vertex_feature(0);
    if (along < 3) {
      contact.k2 = k;
      contact.own_a.yy = 0.0;  // along the edge
      contact.k1_direction_W = cross(n, X_WX.R.col(along));
      contact.feature_a = edge_feature(first, first | free_bit);
    }
    return true;
  }

  bool describe(Contact& contact) const {
    const int outside = (beyond.x > 0.0) + (beyond.y > 0.0) + (beyond.z > 0.0);
    if (outside > 1) return over_edge(contact);
    over_face(contact);
    return true;
  }
};

}  // namespace

bool ball_distance(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB,
                   Contact& contact) {
  if (A.kind == &core_point && B.kind == &core_point) {
    return between_balls(A, X_WA, B, X_WB, contact);
  }
  if (A.kind == &core_box && B.kind == &core_point) {
    return BallOverBox(A, X_WA, B, X_WB).describe(contact);
  }
  if (A.kind != &core_point || B.kind != &core_box) return false;
  if (!BallOverBox(B, X_WB, A, X_WA).describe(contact)) return false;
  exchange(contact);
  return true;
}

}  // namespace carom
