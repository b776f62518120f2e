#include "carom/proximity/smooth/two_surfaces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/proximity/follow.h"

namespace carom {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// A symmetric matrix over the tangent plane of a.
struct Form2 {
  double xx = 0.0, xy = 0.0, yy = 0.0;
  double size() const { return std::abs(xx) + std::abs(xy) + std::abs(yy); }
  double least() const { return 0.5 * (xx + yy) - std::hypot(0.5 * (xx - yy), xy); }
};
Form2 form(const Sym3& a, const Vec3& e1, const Vec3& e2) {
  const Vec3 a1 = a * e1;
  return {dot(e1, a1), dot(e2, a1), dot(e2, a * e2)};
}
struct Vec2d {
  double x = 0.0, y = 0.0;
};
Vec2d operator*(const Form2& f, const Vec2d& v) {
  return {f.xx * v.x + f.xy * v.y, f.xy * v.x + f.yy * v.y};
}

/// 1 + phi K, and K times its inverse.
Form2 offset(const Form2& K, double phi) {
  return {1.0 + phi * K.xx, phi * K.xy, 1.0 + phi * K.yy};
}
Form2 behind(const Form2& K, double phi) {
  const Form2 J = offset(K, phi);
  const double det = J.xx * J.yy - J.xy * J.xy, gauss = K.xx * K.yy - K.xy * K.xy;
  return {(K.xx + phi * gauss) / det, K.xy / det, (K.yy + phi * gauss) / det};
}

bool place(const TwoSurfaces& two, SurfaceMinimum& m) {
  m.at_a = two.a.at(m.state_a);
  const SurfacePoint b = two.b.at(m.state_b);
  m.at_b = {two.X_AB * b.p, two.X_AB.R * b.n, rotated(two.X_AB.R, b.K)};
  m.phi = dot(m.at_a.n, m.at_b.p - m.at_a.p);
  return std::isfinite(m.phi) && is_finite(m.at_b.n) && std::isfinite(trace(m.at_a.K)) &&
         std::isfinite(trace(m.at_b.K));
}

/// Steps of both surfaces, in the axes of A.
struct Steps {
  Vec3 a, b;
  bool is_minimum = false;
  double length() const { return std::max(norm(a), norm(b)); }
};

/// The step of (1), along eigenvectors of S with positive eigenvalues only.
bool newton_step(const SurfaceMinimum& m, Steps& out) {
  constexpr double kZero = 1e-10;
  const Vec3 &n = m.at_a.n, &n_b = m.at_b.n;
  if (!(dot(n, n_b) < -0.1)) return false;
  const Vec3 e1 = any_perpendicular(n), e2 = cross(n, e1);
  const Form2 Ka = form(m.at_a.K, e1, e2), Kb = form(m.at_b.K, e1, e2);
  const Form2 J = offset(Ka, m.phi), A = behind(Ka, m.phi);
  if (!(J.least() > 0.0)) return false;
  const Form2 S{A.xx + Kb.xx, A.xy + Kb.xy, A.yy + Kb.yy};
  const double scale = A.size() + Kb.size();
  if (!(scale > 0.0)) return false;
  const Vec3 d = m.at_b.p - m.at_a.p;
  const Vec2d g{dot(e1, d), dot(e2, d)}, turn{dot(e1, n_b), dot(e2, n_b)};
  Vec2d rest = Kb * g;
  rest.x -= turn.x, rest.y -= turn.y;
  const double half = 0.5 * (S.xx - S.yy), r = std::sqrt(half * half + S.xy * S.xy);
  const double large = 0.5 * (S.xx + S.yy) + r, small = 0.5 * (S.xx + S.yy) - r;
  if (!(large > kZero * scale)) return false;
  out.is_minimum = small >= -kZero * scale && offset(Kb, m.phi).least() > 0.0;
  Vec2d w;
  if (std::abs(small) > kZero * scale) {
    const double k = 1.0 / (S.xx * S.yy - S.xy * S.xy);
    w = {k * (S.yy * rest.x - S.xy * rest.y), k * (S.xx * rest.y - S.xy * rest.x)};
  } else {
    // Only the part along the eigenvector of the large one, (S - small) rest/(large - small).
    const double k = 1.0 / (large * (large - small));
    w = {k * ((S.xx - small) * rest.x + S.xy * rest.y),
         k * (S.xy * rest.x + (S.yy - small) * rest.y)};
  }
  const double det = J.xx * J.yy - J.xy * J.xy;
  const Vec2d sa{(J.yy * w.x - J.xy * w.y) / det, (J.xx * w.y - J.xy * w.x) / det};
  out.a = sa.x * e1 + sa.y * e2;
  const Vec3 sb = (w.x - g.x) * e1 + (w.y - g.y) * e2;
  out.b = sb - dot(sb, n_b) * n_b;
  return is_finite(out.a) && is_finite(out.b);
}

bool is_stationary(const SurfaceMinimum& m, double size) {
  const Vec3 g = m.at_b.p - m.at_a.p - m.phi * m.at_a.n;
  return norm(g) <= 1e-9 * size && norm(m.at_a.n + m.at_b.n) <= 1e-9;
}

/// Newton's method; where the states belong to a minimum (`is_followed`), none of its steps may
/// pass a place that is none.
bool settle(const TwoSurfaces& two, const Vec3& state_a, const Vec3& state_b, bool is_followed,
            SurfaceMinimum& out) {
  constexpr int kMostSteps = 20;
  constexpr double kShrinks = 0.5;
  const double size_b = two.b.size();
  const double size = std::isfinite(size_b) ? std::max(two.a.size(), size_b) : two.a.size();
  out.state_a = state_a, out.state_b = state_b;
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostSteps; ++i) {
    Steps step;
    if (!place(two, out) || !newton_step(out, step)) return false;
    if (is_followed && !step.is_minimum) return false;
    const double length = step.length();
    if (length > size) return false;
    const double rounding = kEps * (size + norm(out.at_a.p) + norm(out.at_b.p));
    const bool is_last = is_last_step(length, last, rounding);
    if (!is_last && length > kShrinks * last) {
      if (length > 1e4 * rounding) return false;
      return step.is_minimum && is_stationary(out, size);  // as far as the formulas resolve
    }
    out.state_a = two.a.moved(out.state_a, step.a);
    out.state_b = two.b.moved(out.state_b, transpose_times(two.X_AB.R, step.b));
    if (is_last) return step.is_minimum && place(two, out) && is_stationary(out, size);
    last = length;
  }
  return false;
}

class Plane final : public SmoothSurface {
 public:
  SurfacePoint at(const Vec3& s) const override { return {{s.x, s.y, 0.0}, {0.0, 0.0, 1.0}, {}}; }
  Vec3 moved(const Vec3& s, const Vec3& t) const override { return {s.x + t.x, s.y + t.y, 0.0}; }
  bool holds(const Vec3&) const override { return true; }
  CellBounds bounds(const SurfaceCell& cell) const override {
    CellBounds out;
    out.p = {cell.s[0], cell.s[1], Interval(0.0)};
    out.normal = {Interval(0.0), Interval(0.0), Interval(1.0)};
    return out;
  }
  std::vector<SurfaceCell> split(const SurfaceCell&) const override { return {}; }
  TriangleMesh triangles(int) const override { return {}; }
};

}  // namespace

bool find_minimum(const TwoSurfaces& two, const Vec3& state_a, const Vec3& state_b,
                  SurfaceMinimum& out) {
  return settle(two, two.a.moved(state_a, {}), two.b.moved(state_b, {}), false, out);
}

FollowEnd follow_minimum(const TwoSurfaces& two, const Pose& from, const Vec3& state_a,
                         const Vec3& state_b, SurfaceMinimum& out) {
  Vec3 known_a = state_a, known_b = state_b;
  const bool is_known = follow_way([&](double share) {
    const Pose X = share >= 1.0 ? two.X_AB : pose_between(from, two.X_AB, share);
    SurfaceMinimum found;
    if (!settle({two.a, two.b, X}, known_a, known_b, true, found)) return false;
    known_a = found.state_a, known_b = found.state_b, out = found;
    return true;
  });
  if (!is_known) return FollowEnd::merged;
  return two.a.holds(out.state_a) && two.b.holds(out.state_b) ? FollowEnd::found : FollowEnd::left;
}

const SmoothSurface& plane_surface() {
  static const Plane plane;
  return plane;
}

}  // namespace carom
