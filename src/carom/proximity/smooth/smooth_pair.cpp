#include "carom/proximity/smooth/smooth_pair.h"

#include <cmath>
#include <limits>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/follow.h"

namespace carom {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// A matrix over the tangent plane.
struct Tangent2 {
  double xx = 0.0, xy = 0.0, yx = 0.0, yy = 0.0;
  double det() const { return xx * yy - xy * yx; }
  double trace() const { return xx + yy; }
};

struct Form2 {
  double xx, xy, yy;
};
Form2 form(const Sym3& a, const Vec3& e1, const Vec3& e2) {
  const Vec3 a1 = a * e1;
  return {dot(e1, a1), dot(e2, a1), dot(e2, a * e2)};
}

/// Where the surface and the body are at a state: y, phi, H.
bool place(const SmoothSurface& surface, const ConvexBody& body, SmoothMinimum& m) {
  m.at = surface.at(m.state);
  if (!is_finite(m.at.p) || !is_finite(m.at.n)) return false;
  const Vec3 &p = m.at.p, &n = m.at.n;
  const SupportDerivatives d = surface_derivatives(body.core, transpose_times(body.X_AB.R, -n));
  m.y = body.X_AB * d.point;
  m.radii = rotated(body.X_AB.R, d.hessian);
  m.phi = dot(n, m.y - p);
  return is_finite(m.y);
}

/// The step of (1), along eigenvectors of positive eigenvalues only. `is_minimum`: there are no
/// others.
bool newton_step(const SmoothMinimum& m, Vec3& t, bool& is_minimum) {
  constexpr double kZero = 1e-10;
  const Vec3& n = m.at.n;
  const Vec3 e1 = any_perpendicular(n), e2 = cross(n, e1);
  const Form2 K = form(m.at.K, e1, e2), H = form(m.radii, e1, e2);
  const double a = m.phi + H.xx, b = H.xy, c = m.phi + H.yy;
  const Tangent2 M{1.0 + a * K.xx + b * K.xy, a * K.xy + b * K.yy, b * K.xx + c * K.xy,
                   1.0 + b * K.xy + c * K.yy};
  const Vec3 g = m.y - m.at.p;
  const double x = dot(e1, g), y = dot(e2, g), det = M.det(), sum = M.trace();
  if (!(sum > 0.0)) return false;
  // The eigenvalues are real: M is similar to 1 + √S K √S, S = phi + H.
  const double large = 0.5 * sum + std::sqrt(std::max(0.0, 0.25 * sum * sum - det));
  const double small = det / large;
  is_minimum = small >= -kZero * std::max(1.0, large);
  if (small > kZero * std::max(1.0, large)) {
    t = ((M.yy * x - M.xy * y) / det) * e1 + ((M.xx * y - M.yx * x) / det) * e2;
    return is_finite(t);
  }
  if (!(large > kZero)) return false;
  // Only the part along the eigenvector of the large one, (M - small) g / (large - small).
  const double k = 1.0 / (large * (large - small));
  t = k * (((M.xx - small) * x + M.xy * y) * e1 + (M.yx * x + (M.yy - small) * y) * e2);
  return is_finite(t);
}

/// Whether y lies along the normal, as it does at every stationary point.
bool is_stationary(const SmoothMinimum& m, double size) {
  const Vec3 g = m.y - m.at.p - m.phi * m.at.n;
  return norm(g) <= 1e-9 * size;
}

/// Newton's method from `state`; where that belongs to a minimum (`is_followed`), none of its steps
/// may pass a place where the gap is not convex.
bool settle(const SmoothSurface& surface, const ConvexBody& body, const Vec3& state,
            bool is_followed, SmoothMinimum& out) {
  constexpr int kMostSteps = 16;
  constexpr double kShrinks = 0.5;
  const double size = surface.size();
  out.state = state;
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostSteps; ++i) {
    Vec3 t;
    bool is_minimum = false;
    if (!place(surface, body, out) || !newton_step(out, t, is_minimum)) return false;
    if (is_followed && !is_minimum) return false;
    const double length = norm(t), rounding = kEps * (size + norm(out.at.p) + norm(out.y));
    // The step that is lost in rounding is still made: it halves what is left of the error.
    const bool is_last = is_last_step(length, last, rounding);
    if (!is_last && length > kShrinks * last) {
      if (length > 1e4 * rounding) return false;
      return is_minimum && is_stationary(out, size);  // settled as far as the formula resolves
    }
    out.state = surface.moved(out.state, t);
    if (is_last) return is_minimum && place(surface, body, out) && is_stationary(out, size);
    last = length;
  }
  return false;
}

}  // namespace

bool is_strictly_convex(const Core& core) {
  return core.kind == &core_point || core.kind == &core_ellipsoid;
}

bool find_minimum(const SmoothSurface& surface, const ConvexBody& body, const Vec3& state,
                  SmoothMinimum& out) {
  return settle(surface, body, state, false, out);
}

FollowEnd follow_minimum(const SmoothSurface& surface, const Core& core, const Pose& from,
                         const Vec3& state, const Pose& to, SmoothMinimum& out) {
  const bool turns = core.kind != &core_point || norm2(core.v[0]) > 0.0;
  const auto pose_at = [&](double share) {
    if (share >= 1.0) return to;
    if (turns) return pose_between(from, to, share);
    return Pose{to.R, (1.0 - share) * from.p + share * to.p};
  };
  Vec3 known = state;
  const bool is_known = follow_way([&](double share) {
    SmoothMinimum found;
    if (!settle(surface, {core, pose_at(share)}, known, true, found)) return false;
    known = found.state, out = found;
    return true;
  });
  if (!is_known) return FollowEnd::merged;
  return surface.holds(out.state) ? FollowEnd::found : FollowEnd::left;
}

}  // namespace carom
