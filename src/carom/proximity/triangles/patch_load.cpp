#include "carom/proximity/triangles/patch_load.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/proximity/triangles/depth_rate.h"

namespace carom::triangles {
namespace {

/// g of (1). A patch that is all but a line has no slope across it.
Vec3 depth_slope(const TrianglePatch& patch, const Tangents& t) {
  const Form2 I(patch.area_moment, t);
  const Vec3 offset = patch.volume_centre - patch.area_centre;
  const double a = patch.volume * dot(t.e1, offset), b = patch.volume * dot(t.e2, offset);
  if (!(I.trace() > 0.0)) return {};
  return I.is_line() ? (a * t.e1 + b * t.e2) / I.trace() : I.solve(a, b, t);
}

/// The integrals of (2), moments from c_A.
struct PressedLine {
  double sum = 0.0;
  Vec3 moment;

  /// A piece of length l over which the depth is linear and not negative.
  void add(double l, const Vec3& p, double dp, const Vec3& q, double dq) {
    sum += 0.5 * l * (dp + dq);
    moment += l / 6.0 * ((2.0 * dp + dq) * p + (dp + 2.0 * dq) * q);
  }
  void add_clamped(const Vec3& p, double dp, const Vec3& q, double dq) {
    const double l = norm(q - p);
    if (dp >= 0.0 && dq >= 0.0) return add(l, p, dp, q, dq);
    if (dp <= 0.0 && dq <= 0.0) return;
    const double share = dp / (dp - dq);  // of the way to where it is zero
    const Vec3 zero = p + share * (q - p);
    if (dp > 0.0) {
      add(share * l, p, dp, zero, 0.0);
    } else {
      add((1.0 - share) * l, zero, 0.0, q, dq);
    }
  }
};

/// The symmetric root of a form turns with the patch, and has no axes of its own where that is
/// round.
void set_roots(const Form2& C, double factor, const Tangents& t, Vec3 (&out)[2]) {
  const double root = std::sqrt(std::max(0.0, C.det()));
  const double scale = std::sqrt(C.trace() + 2.0 * root);
  if (!(scale > 0.0)) return;
  const double f = factor / scale;
  out[0] = f * ((C.xx + root) * t.e1 + C.xy * t.e2);
  out[1] = f * (C.xy * t.e1 + (C.yy + root) * t.e2);
}

/// Four points c ± √2 r_i, r_i the columns of the root, have the second moments of the form. Arms
/// have the mean lever of a pressure over the whole patch, 2/3 of that of its circumference.
void set_arms(const TrianglePatch& patch, const Tangents& t, PatchLoad& out) {
  const Sym3 own = (1.0 / patch.length) * patch.length_moment;
  const Vec3 off = out.pressure_centre - patch.length_centre;
  set_roots(Form2(own, t), std::numbers::sqrt2, t, out.spread);
  set_roots(Form2(own + outer(off), t), 2.0 / 3.0 * std::numbers::sqrt2, t, out.arm);
  for (std::size_t i = 0; i < 2; ++i) {
    out.turning_arm[i] = out.arm[i], out.turning_spread[i] = out.spread[i];
  }
}

/// Those that have the rate of the field.
void turn_arms(const FieldRate& rate, PatchLoad& out) {
  for (std::size_t i = 0; i < 2; ++i) {
    out.turning_arm[i] = rate.arm(out.arm[i]);
    out.turning_spread[i] = rate.arm(out.spread[i]);
  }
}

}  // namespace

PatchLoad calc_load(const TriangleSurface& A, const TriangleSurface& B, const Mat3& R_AB,
                    const Intersection& x, const TrianglePatch& patch) {
  PatchLoad out;
  out.length = patch.length, out.area = patch.area, out.volume = patch.volume;
  out.normal = patch.normal, out.centre = patch.area_centre;
  out.volume_centre = patch.volume_centre;
  out.pressure_centre = patch.area_centre;
  out.length_centre = patch.length_centre;
  out.is_measured = patch.is_measured && patch.area > 0.0 && patch.volume > 0.0;
  if (patch.curves == 0) out.depth = std::cbrt(std::max(0.0, patch.volume));  // wholly inside
  out.is_at_rim = !patch.is_measured && patch.curves > 0 && patch.area > 0.0;
  out.has_ends = !patch.is_closed;
  if (!out.is_measured && !out.is_at_rim) return out;
  const Tangents tangents(patch.normal);
  if (out.is_at_rim) {
    out.pressure_centre = out.volume_centre = patch.length_centre;
    set_arms(patch, tangents, out);
    return out;
  }
  out.depth = patch.volume / patch.area;
  const Vec3 slope = out.slope = depth_slope(patch, tangents);
  PressedLine line;
  EdgeMotion edge(A, B, R_AB, patch.normal);
  const Curves& c = x.curves;
  for (std::uint32_t k = 0; k < patch.curves; ++k) {
    const Curve& curve = c.curves[x.curves_by_patch[patch.first_curve + k]];
    for (std::uint32_t i = 0; i < curve.count; ++i) {
      const Segment& s = c.segments[c.order[curve.first + i]];
      const Vec3 p = c.piercings[s.from].p - patch.area_centre,
                 q = c.piercings[s.to].p - patch.area_centre;
      const double dp = out.depth + dot(slope, p), dq = out.depth + dot(slope, q);
      line.add_clamped(p, dp, q, dq);
      edge.add(s, p, dp, q, dq);
    }
  }
  out.pressed = line.sum;
  if (line.sum > 0.0) out.pressure_centre += line.moment / line.sum;
  set_arms(patch, tangents, out);
  turn_arms(FieldRate(patch.area_moment, edge.moment(), tangents), out);
  return out;
}

void remember_depth(double depth, PatchLoad& load) {
  load.depth = std::max(0.0, depth);
  load.volume = load.depth * load.area;
  load.pressed = load.depth * load.length;
}

PatchLoad moved(const Pose& X, const PatchLoad& load) {
  PatchLoad out = load;
  out.normal = X.R * load.normal;
  out.centre = X * load.centre;
  out.volume_centre = X * load.volume_centre;
  out.pressure_centre = X * load.pressure_centre;
  out.slope = X.R * load.slope;
  out.length_centre = X * load.length_centre;
  for (std::size_t i = 0; i < 2; ++i) {
    out.arm[i] = X.R * load.arm[i], out.spread[i] = X.R * load.spread[i];
    out.turning_arm[i] = X.R * load.turning_arm[i];
    out.turning_spread[i] = X.R * load.turning_spread[i];
  }
  return out;
}

}  // namespace carom::triangles
