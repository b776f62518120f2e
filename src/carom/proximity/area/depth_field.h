// The depth u of two bodies in each other over the plane across their normal, with its slope.
#pragma once

#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/area/line_exit.h"

namespace carom {

struct FieldDepth {
  bool hits = false;  ///< the line along n at this place meets both bodies
  double u = -1.0;    ///< [m]
  double ux = 0.0, uy = 0.0;
  double middle = 0.0;  ///< between the two surfaces, along n [m]
};

class DepthField {
 public:
  /// About the point between the deepest points, e1 along x.
  DepthField(const AreaBody& A, const AreaBody& B, const Contact& contact, const Vec3& e1)
      : A_(A.core), B_(B.core) {
    o_W = 0.5 * (contact.p_WCa + contact.p_WCb), n_W = contact.n_AB_W;
    e1_W = e1, e2_W = cross(n_W, e1);
    in_A_ = seen_from(A.X_WS, 1.0), in_B_ = seen_from(B.X_WS, -1.0);
  }

  FieldDepth at(double x, double y) const {
    LineExit a, b;
    if (!find_exit(A_, in_A_.o + x * in_A_.e1 + y * in_A_.e2, in_A_.n, a)) return {};
    if (!find_exit(B_, in_B_.o + x * in_B_.e1 + y * in_B_.e2, in_B_.n, b)) return {};
    FieldDepth out{true, a.t + b.t, 0.0, 0.0, 0.5 * (a.t - b.t)};
    const double ka = -1.0 / dot(a.normal, in_A_.n), kb = -1.0 / dot(b.normal, in_B_.n);
    out.ux = ka * dot(a.normal, in_A_.e1) + kb * dot(b.normal, in_B_.e1);
    out.uy = ka * dot(a.normal, in_A_.e2) + kb * dot(b.normal, in_B_.e2);
    return out;
  }

  Vec3 point(double x, double y, double middle) const {
    return o_W + x * e1_W + y * e2_W + middle * n_W;
  }

  Vec3 o_W, n_W, e1_W, e2_W;

 private:
  struct Axes {
    Vec3 o, e1, e2, n;
  };
  Axes seen_from(const Pose& X, double sign) const {
    return {transpose_times(X.R, o_W - X.p), transpose_times(X.R, e1_W), transpose_times(X.R, e2_W),
            transpose_times(X.R, sign * n_W)};
  }

  const Core &A_, &B_;
  Axes in_A_, in_B_;
};

}  // namespace carom
