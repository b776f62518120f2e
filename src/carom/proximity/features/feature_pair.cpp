#include "carom/proximity/features/feature_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "carom/proximity/contact_geometry.h"
#include "carom/proximity/follow.h"

namespace carom {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kInf = std::numeric_limits<double>::infinity();
/// Slopes and eigenvalues that are zero to rounding.
constexpr double kZero = 1e-10, kFlat = 1e-9;
/// Slopes that a line of contact has from one end to the other.
constexpr double kHeld = 1e-4;

/// A symmetric matrix over two directions.
struct Form2 {
  double xx = 0.0, xy = 0.0, yy = 0.0;
  double size() const { return std::abs(xx) + std::abs(xy) + std::abs(yy); }
  double least() const { return 0.5 * (xx + yy) - std::hypot(0.5 * (xx - yy), xy); }
};
struct Vec2d {
  double x = 0.0, y = 0.0;
};
Vec2d operator*(const Form2& f, const Vec2d& v) {
  return {f.xx * v.x + f.xy * v.y, f.xy * v.x + f.yy * v.y};
}
double dot(const Vec2d& a, const Vec2d& b) { return a.x * b.x + a.y * b.y; }

Form2 form(const Sym3& a, const Vec3& e1, const Vec3& e2) {
  const Vec3 a1 = a * e1;
  return {dot(e1, a1), dot(e2, a1), dot(e2, a * e2)};
}

/// Where the foot and y are.
struct Placed {
  SurfacePoint at;
  Vec3 y, n_B;
  double D = 0.0;
};
bool place(const SmoothSurface& surface, const FeatureBody& body, const Vec3& state,
           const Vec3& y_B, Placed& out) {
  out.at = surface.at(state);
  out.y = body.X_AB * y_B;
  out.n_B = transpose_times(body.X_AB.R, out.at.n);
  out.D = dot(out.at.n, out.y - out.at.p);
  return std::isfinite(out.D) && std::isfinite(trace(out.at.K));
}

struct Step {
  Vec3 s;        ///< of the foot
  Vec3 along_B;  ///< of y, in the axes of the body
  double stiff = 0.0;
  bool is_minimum = false;
  bool is_cut = false;  ///< shortened to what a step may be
};

double cut(double way, double most, Step& step) {
  if (!(std::abs(way) > most)) return way;
  step.is_cut = true;
  return std::copysign(most, way);
}

/// S δλ = r along eigenvectors whose eigenvalues are not zero, along each by `most` at most; the
/// least eigenvalue comes back.
double solve(const Form2& S, const Vec2d& r, double scale, double most, Step& step, Vec2d& out) {
  const double half = 0.5 * (S.xx - S.yy), root = std::hypot(half, S.xy);
  const double large = 0.5 * (S.xx + S.yy) + root, small = 0.5 * (S.xx + S.yy) - root;
  const double angle = 0.5 * std::atan2(S.xy, half), c = std::cos(angle), s = std::sin(angle);
  const auto part = [&](double value, double along) {
    return std::abs(value) > kZero * scale ? cut(along / value, most, step) : 0.0;
  };
  const double a = part(large, c * r.x + s * r.y), b = part(small, c * r.y - s * r.x);
  out = {c * a - s * b, s * a + c * b};
  return small;
}

bool newton_step(const FeatureBody& body, FeatureName feature, const Vec3& y_B, const Placed& m,
                 double most, Step& out) {
  const Vec3& n = m.at.n;
  const Vec3 e1 = any_perpendicular(n), e2 = cross(n, e1);
  const Form2 K = form(m.at.K, e1, e2);
  const Form2 J{1.0 + m.D * K.xx, m.D * K.xy, 1.0 + m.D * K.yy};
  const double det = J.xx * J.yy - J.xy * J.xy, gauss = K.xx * K.yy - K.xy * K.xy;
  if (!(J.least() > 0.0)) return false;
  const Form2 A{(K.xx + m.D * gauss) / det, K.xy / det, (K.yy + m.D * gauss) / det};
  const Vec3 d = m.y - m.at.p;
  Vec2d g{dot(e1, d), dot(e2, d)};
  const FeatureFrame frame = frame_at(body.features, feature, y_B, m.n_B);
  const double size = body.features.size, scale = A.size() + std::abs(frame.along) + 1e-6 / size;
  out.stiff = kInf;
  out.is_minimum = true, out.is_cut = false, out.along_B = {};
  if (frame.dimension > 0) {
    const Vec3 t1 = body.X_AB.R * frame.t[0], t2 = body.X_AB.R * frame.t[1];
    const Vec2d T1{dot(e1, t1), dot(e2, t1)}, T2{dot(e1, t2), dot(e2, t2)};
    const Vec2d AT1 = A * T1, AT2 = A * T2;
    const Vec2d rest{-dot(n, t1) - dot(AT1, g), -dot(n, t2) - dot(AT2, g)};
    const Form2 S{dot(T1, AT1) + frame.along, dot(T1, AT2), dot(T2, AT2)};
    Vec2d step;
    double least = 0.0;
    if (frame.dimension == 1) {
      least = S.xx;
      step.x = std::abs(S.xx) > kZero * scale ? cut(rest.x / S.xx, most, out) : 0.0;
    } else {
      least = solve(S, rest, scale, most, out, step);
    }
    out.is_minimum = least >= -kZero * scale;
    out.stiff = least * size;
    g.x += T1.x * step.x + T2.x * step.y, g.y += T1.y * step.x + T2.y * step.y;
    out.along_B = step.x * frame.t[0] + step.y * frame.t[1];
  }
  out.s = ((J.yy * g.x - J.xy * g.y) / det) * e1 + ((J.xx * g.y - J.xy * g.x) / det) * e2;
  return is_finite(out.s) && is_finite(out.along_B);
}

/// Steps of the point on the feature are at most `most` along each eigenvector of S. Where the gap
/// is nearly level in one direction (a ring that is about to lie flat), a first step that the other
/// direction still bends would lead anywhere.
bool settle(const SmoothSurface& surface, const FeatureBody& body, FeatureName feature,
            const Vec3& state, const Vec3& y_B, bool is_followed, double most,
            FeatureMinimum& out) {
  constexpr int kMostSteps = 24;
  constexpr double kShrinks = 0.5;
  const double size = std::max(surface.size(), body.features.size);
  out.feature = feature, out.state = state, out.y_B = y_B;
  double last = kInf;
  Placed m;
  Step step;
  bool is_settled = false;
  for (int i = 0; i < kMostSteps && !is_settled; ++i) {
    if (!place(surface, body, out.state, out.y_B, m)) return false;
    if (!newton_step(body, feature, out.y_B, m, most, step)) return false;
    if (is_followed && !step.is_minimum) return false;
    const double length = std::max(norm(step.s), norm(step.along_B));
    if (length > size) return false;
    const double rounding = kEps * (size + norm(m.at.p) + norm(m.y));
    is_settled = is_last_step(length, last, rounding);
    if (!is_settled && !step.is_cut && length > kShrinks * last) {
      if (length > 1e4 * rounding) return false;
      break;  // as far as the formula resolves
    }
    out.state = surface.moved(out.state, step.s);
    out.y_B = moved_on(body.features, feature, out.y_B, step.along_B);
    last = step.is_cut ? kInf : length;
  }
  if (last > 1e-6 * size || !place(surface, body, out.state, out.y_B, m)) return false;
  out.at = m.at;
  out.phi = m.D - body.features.rounding;
  out.y = m.y - body.features.rounding * m.at.n;
  out.stiff = step.stiff;
  const Vec3 g = m.y - m.at.p - m.D * m.at.n;
  return step.is_minimum && norm(g) <= 1e-9 * size;
}

/// From feature to feature, until a minimum of the whole body is found. `flat` is one on the way
/// from which the body falls off by less than kHeld.
bool settle_on_body(const SmoothSurface& surface, const FeatureBody& body,
                    const FeatureMinimum& from, FeatureMinimum& out,
                    std::optional<FeatureMinimum>& flat) {
  constexpr int kMostChanges = 12;
  const BodyFeatures& features = body.features;
  FeatureName feature = from.feature;
  Vec3 state = from.state, y_B = from.y_B;
  for (int i = 0; i < kMostChanges; ++i) {
    if (!settle(surface, body, feature, state, y_B, true, kInf, out)) return false;
    FeatureName next;
    Vec3 at;
    if (is_beyond(features, feature, out.y_B, kFlat * features.size, next, at)) {
      feature = next, state = out.state, y_B = at;
      continue;
    }
    const Vec3 n_B = transpose_times(body.X_AB.R, out.at.n);
    const Descent down = steepest_descent(features, feature, out.y_B, n_B);
    if (down.slope >= -kFlat) return true;
    if (!std::isfinite(down.slope)) return false;
    if (!flat && down.slope >= -kHeld) flat = out;
    // Off the border by a little, where a cone has no ruling of its own yet.
    feature = down.next, state = out.state;
    y_B = nearest_on(features, feature, out.y_B + (1e-3 * features.size) * down.direction);
  }
  return false;
}

/// Follows a minimum to where it has moved. Along a line of contact, a cylinder on its side in a
/// groove, the minima at both ends come and go with slopes of a depth over a length, and without
/// them the body would fall back on one end: one is held until the slope is more than that.
bool follow_on_body(const SmoothSurface& surface, const FeatureBody& body,
                    const FeatureMinimum& from, FeatureMinimum& out) {
  constexpr double kNear = 0.1;  // of the size: what moves on stays near, what ends does not
  std::optional<FeatureMinimum> flat;
  const bool is_found = settle_on_body(surface, body, from, out, flat);
  if (!flat) return is_found;
  if (is_found && norm(out.y_B - flat->y_B) < kNear * body.features.size) return true;
  out = *flat;
  return true;
}

}  // namespace

bool find_on_feature(const SmoothSurface& surface, const FeatureBody& body, FeatureName feature,
                     const Vec3& state, const Vec3& y_B, FeatureMinimum& out) {
  const Vec3 start = nearest_on(body.features, feature, y_B);
  return settle(surface, body, feature, state, start, false, kInf, out);
}

bool find_by_turns(const SmoothSurface& surface, const FeatureBody& body, FeatureName feature,
                   const Vec3& state, const Vec3& y_B, FeatureMinimum& out) {
  constexpr int kTurns = 12;
  constexpr double kStride = 0.1;
  const Pose X_BA = inverse(body.X_AB);
  Vec3 s = state, y = nearest_on(body.features, feature, y_B);
  for (int i = 0; i < kTurns; ++i) {
    Placed m;
    if (!place(surface, body, s, y, m)) return false;
    const Vec3 d = m.y - m.at.p, g = d - m.D * m.at.n;
    const Eigenvalues K = eigenvalues(m.at.K);
    s = surface.moved(s, (1.0 / std::max(1.0, 1.0 + m.D * K.large)) * g);
    y = nearest_on(body.features, feature, X_BA * surface.at(s).p);
  }
  const double most = kStride * std::min(surface.size(), body.features.size);
  return settle(surface, body, feature, s, y, false, most, out);
}

bool is_minimum(const FeatureBody& body, const FeatureMinimum& m) {
  FeatureName next;
  Vec3 at;
  const double much = kFlat * body.features.size;
  if (is_beyond(body.features, m.feature, m.y_B, much, next, at)) return false;
  const Vec3 n_B = transpose_times(body.X_AB.R, m.at.n);
  return steepest_descent(body.features, m.feature, m.y_B, n_B).slope >= -kFlat;
}

FollowEnd follow_minimum(const SmoothSurface& surface, const FeatureBody& body, const Pose& from,
                         const FeatureMinimum& known, FeatureMinimum& out) {
  FeatureMinimum last = known;
  const bool is_known = follow_way([&](double share) {
    const Pose X = share >= 1.0 ? body.X_AB : pose_between(from, body.X_AB, share);
    FeatureMinimum found;
    if (!follow_on_body(surface, {body.features, X}, last, found)) return false;
    last = out = found;
    return true;
  });
  if (!is_known) return FollowEnd::merged;
  return surface.holds(out.state) ? FollowEnd::found : FollowEnd::left;
}

BodyCurvature body_curvature(const FeatureBody& body, const FeatureMinimum& m) {
  constexpr double kSharpest = 1e-12;
  const double q = body.features.rounding, round = 1.0 / std::max(q, kSharpest);
  const Vec3 n_B = transpose_times(body.X_AB.R, m.at.n);
  const FeatureFrame frame = frame_at(body.features, m.feature, m.y_B, n_B);
  if (frame.dimension == 0) return {any_perpendicular(m.at.n), {round, 0.0, round}};
  // Along a curve of curvature c the rounded body has the radius 1/c + q.
  const double along = frame.along / (1.0 + q * frame.along);
  return {across_edge(body.X_AB.R * frame.t[0], m.at.n),
          {frame.dimension == 1 ? round : 0.0, 0.0, along}};
}

}  // namespace carom
