// The depth u of two bodies in each other over the plane across their normal, with its slope.
#pragma once

#include <limits>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/area/line_exit.h"
#include "carom/proximity/vec2.h"

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
    if (!find_exit(A_, in_A_.o + x * in_A_.e1 + y * in_A_.e2, in_A_.n, a, last_a_)) return {};
    if (!find_exit(B_, in_B_.o + x * in_B_.e1 + y * in_B_.e2, in_B_.n, b, last_b_)) return {};
    last_a_ = a.t, last_b_ = b.t;
    FieldDepth out{true, a.t + b.t, 0.0, 0.0, 0.5 * (a.t - b.t)};
    const double ka = -1.0 / dot(a.normal, in_A_.n), kb = -1.0 / dot(b.normal, in_B_.n);
    out.ux = ka * dot(a.normal, in_A_.e1) + kb * dot(b.normal, in_B_.e1);
    out.uy = ka * dot(a.normal, in_A_.e2) + kb * dot(b.normal, in_B_.e2);
    return out;
  }

  /// The rim of the area of a body on a half space is where a line within the plane leaves the
  /// body, for as long as that turns its underside there. False where it does not, or there is no
  /// half space; `r` counts lengths of `way`, and `slope` is that of u along it.
  bool find_plane_rim(const Vec2& from, const Vec2& way, double& r, double& slope,
                      double& middle) const {
    const bool is_on_A = A_.kind == &core_half_space;
    if (is_on_A == (B_.kind == &core_half_space)) return false;
    const Axes &in_plane = is_on_A ? in_A_ : in_B_, &in_body = is_on_A ? in_B_ : in_A_;
    LineExit plane, rim;
    const auto place = [&](const Axes& in) { return in.o + from.x * in.e1 + from.y * in.e2; };
    if (!find_exit(is_on_A ? A_ : B_, place(in_plane), in_plane.n, plane)) return false;
    const Vec3 along = way.x * in_body.e1 + way.y * in_body.e2;
    const double length = norm(along);
    const Vec3 start = place(in_body) - plane.t * in_body.n;
    if (!find_exit(is_on_A ? B_ : A_, start, (1.0 / length) * along, rim)) return false;
    const double below = dot(rim.normal, in_body.n);
    constexpr double kSteepest = 1e-9;  // beside a wall along n the rim is not known that way
    if (!(rim.t > 0.0) || !(below > kSteepest)) return false;
    r = rim.t / length, slope = -dot(rim.normal, along) / below;
    middle = is_on_A ? plane.t : -plane.t;
    return true;
  }

  /// To which depths are known: lines leave bodies where these are seen from their own middles.
  double rounding() const {
    constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();
    return kRounding * (norm(in_A_.o) + norm(in_B_.o));
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
  /// Where the last line left the bodies: guesses for the next one.
  mutable double last_a_ = std::numeric_limits<double>::quiet_NaN(),
                 last_b_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace carom
