#include "carom/proximity/convex/half_space.h"

#include <limits>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/contact_geometry.h"

namespace carom {
namespace {

/// The half space is A.
Contact below(const Core& plane, const Pose& X_WP, const Core& body, const Pose& X_WB) {
  Contact c;
  const Vec3 n = X_WP.R.col(2);
  const Vec3 n_B = -transpose_times(X_WB.R, n);
  const PieceKind& kind = piece_kind(body.kind);
  std::uint32_t piece = 0;
  const Vec3 p_B = kind.support(body, n_B, piece);
  const Vec3 offset = (X_WB.p - X_WP.p) + X_WB.R * p_B;
  const double out = plane.rounding + body.rounding;
  c.phi = dot(n, offset) - out;
  c.n_AB_W = n;
  c.p_WCb = X_WP.p + offset - body.rounding * n;
  c.p_WCa = c.p_WCb - c.phi * n;
  c.feature_a = {2, 0};
  c.feature_b = {0, piece};
  const Vec3 e1 = any_perpendicular(n), e2 = cross(n, e1);
  set_principal_curvatures({},
                           piece_curvature(body, kind, piece, n_B, transpose_times(X_WB.R, e1),
                                           transpose_times(X_WB.R, e2)),
                           e1, e2, c);
  return c;
}

}  // namespace

Contact half_space_distance(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB) {
  if (A.kind == &core_half_space && B.kind == &core_half_space) {
    Contact c;
    c.phi = -std::numeric_limits<double>::infinity();
    c.n_AB_W = X_WA.R.col(2);
    c.p_WCa = X_WA.p, c.p_WCb = X_WB.p;
    c.k1_direction_W = X_WA.R.col(0);
    c.status = Status::fatal;
    return c;
  }
  if (A.kind == &core_half_space) return below(A, X_WA, B, X_WB);
  Contact c = below(B, X_WB, A, X_WA);
  exchange(c);
  return c;
}

}  // namespace carom
