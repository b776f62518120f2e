#include "carom/proximity/convex/newton_step.h"

#include <algorithm>

namespace carom {
namespace {

TangentForm tangential(const Sym3& h, const Vec3& e1, const Vec3& e2) {
  const Vec3 h1 = h * e1;
  return {dot(e1, h1), dot(e2, h1), dot(e2, h * e2)};
}

double taken_off(const Minkowski& M, const ActivePiece& p) {
  return (p.moves_a ? M.inner_a : 0.0) + (p.moves_b ? M.inner_b : 0.0);
}

/// A slope that is only rounding calls for no step: where the maximum is flat (a point
/// near the axis of a cylinder) that is all that can be known.
bool is_rounding(const Reduced& r, double slope) { return std::abs(slope) <= r.rounding; }

/// Where the matrix is not positive definite (overlap, away from a maximum) its
/// eigenvalues are turned positive: the step still climbs.
void solve_one(const Reduced& r, Step& d) {
  d.weight[0] = 1.0;
  const double mean = 0.5 * (r.mxx + r.myy), half = 0.5 * (r.mxx - r.myy);
  const double root = std::sqrt(half * half + r.mxy * r.mxy);
  if (is_rounding(r, r.wx[0]) && is_rounding(r, r.wy[0])) {
    d.x = d.y = 0.0;
    return;
  }
  if (mean - root > 0.0) {
    const double det = r.mxx * r.myy - r.mxy * r.mxy;
    d.x = (r.myy * r.wx[0] - r.mxy * r.wy[0]) / det;
    d.y = (r.mxx * r.wy[0] - r.mxy * r.wx[0]) / det;
    return;
  }
  // Eigenvectors (c, s) and (-s, c) at half the angle of (half, mxy).
  const double angle = 0.5 * std::atan2(r.mxy, half), cosine = std::cos(angle),
               sine = std::sin(angle);
  const double major = std::max(std::abs(mean + root), r.rounding),
               minor = std::max(std::abs(mean - root), r.rounding);
  const double p = (cosine * r.wx[0] + sine * r.wy[0]) / major;
  const double q = (cosine * r.wy[0] - sine * r.wx[0]) / minor;
  d.x = cosine * p - sine * q, d.y = sine * p + cosine * q;
}

/// The difference u fixes d along u; across it, along v, (3) remains.
bool solve_two(const Reduced& r, Step& d) {
  const double ux = r.wx[0] - r.wx[1], uy = r.wy[0] - r.wy[1];
  const double u2 = ux * ux + uy * uy;
  if (!(u2 > 0.0)) return false;
  const double k = 1.0 / std::sqrt(u2), vx = -k * uy, vy = k * ux;
  const double mvx = r.mxx * vx + r.mxy * vy, mvy = r.mxy * vx + r.myy * vy;
  const double curvature = std::max(std::abs(vx * mvx + vy * mvy), r.rounding);
  const double along = (r.value[1] - r.value[0]) / u2;
  const double px = along * ux, py = along * uy;
  const double slope = vx * r.wx[1] + vy * r.wy[1] - (mvx * px + mvy * py);
  const double across = is_rounding(r, slope) ? 0.0 : slope / curvature;
  d.x = px + across * vx, d.y = py + across * vy;
  const double fx = r.mxx * d.x + r.mxy * d.y - r.wx[1], fy = r.mxy * d.x + r.myy * d.y - r.wy[1];
  d.weight[0] = (ux * fx + uy * fy) / u2;
  d.weight[1] = 1.0 - d.weight[0];
  return true;
}

bool solve_three(const Reduced& r, Step& d) {
  const double ux = r.wx[0] - r.wx[2], uy = r.wy[0] - r.wy[2];
  const double vx = r.wx[1] - r.wx[2], vy = r.wy[1] - r.wy[2];
  const double det = ux * vy - uy * vx;
  const double size = std::max(ux * ux + uy * uy, vx * vx + vy * vy);
  if (!(std::abs(det) > 1e-13 * size)) return false;
  const double p = r.value[2] - r.value[0], q = r.value[2] - r.value[1];
  d.x = (p * vy - q * uy) / det, d.y = (q * ux - p * vx) / det;
  const double fx = r.mxx * d.x + r.mxy * d.y - r.wx[2], fy = r.mxy * d.x + r.myy * d.y - r.wy[2];
  d.weight[0] = (fx * vy - fy * vx) / det;
  d.weight[1] = (ux * fy - uy * fx) / det;
  d.weight[2] = 1.0 - d.weight[0] - d.weight[1];
  return true;
}

}  // namespace

Tangent tangent_plane(const Minkowski& M, const Vec3& n) {
  const Vec3 e1 = any_perpendicular(n);
  Tangent at{n, e1, cross(n, e1), {}, {}, {}};
  if (M.kind_b->curved) {
    at.n_B = -transpose_times(M.R, n), at.e1_B = transpose_times(M.R, e1);
    at.e2_B = cross(at.e1_B, at.n_B);
  }
  return at;
}

void evaluate(const Minkowski& M, const Tangent& at, ActivePiece& p) {
  if (p.moves_a) {
    const SupportDerivatives d = M.kind_a->derivatives(*M.A, p.piece_a, at.n);
    p.a = d.point - M.inner_a * at.n;
    p.radii_a = tangential(d.hessian, at.e1, at.e2);
  }
  if (p.moves_b) {
    const SupportDerivatives d = M.kind_b->derivatives(*M.B, p.piece_b, at.n_B);
    p.b = M.t + M.R * d.point + M.inner_b * at.n;
    p.radii_b = tangential(d.hessian, at.e1_B, at.e2_B);
  }
  p.w = p.b - p.a;
  p.value = dot(at.n, p.w);
}

double lowest_value(const ActiveSet& s) {
  double v = s.piece[0].value;
  for (int i = 1; i < s.count; ++i) v = std::min(v, s.piece[i].value);
  return v;
}

Reduced reduce(const Minkowski& M, const Tangent& at, const ActiveSet& s) {
  Reduced r;
  double sum = 0.0, size = 0.0;
  for (int i = 0; i < s.count; ++i) {
    const ActivePiece& p = s.piece[i];
    size = std::max(size, M.magnitude(p.a, p.b));
    r.wx[i] = dot(at.e1, p.w), r.wy[i] = dot(at.e2, p.w), r.value[i] = p.value;
    r.mxx += p.weight * (p.radii_a.xx + p.radii_b.xx);
    r.mxy += p.weight * (p.radii_a.xy + p.radii_b.xy);
    r.myy += p.weight * (p.radii_a.yy + p.radii_b.yy);
    sum += p.weight;
  }
  r.rounding = 4.0 * kEpsilon * size;
  // The balls that were taken off (minkowski.h) are in the radii of the whole bodies.
  const double scale = 1.0 / sum, phi = lowest_value(s) - taken_off(M, s.piece[0]);
  r.mxx = scale * r.mxx + phi, r.mxy *= scale, r.myy = scale * r.myy + phi;
  return r;
}

bool solve_set(const Reduced& r, int count, Step& d) {
  if (count == 3) return solve_three(r, d);
  if (count == 2) return solve_two(r, d);
  solve_one(r, d);
  return true;
}

}  // namespace carom
