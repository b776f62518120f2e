// A point and a segment (ball and capsule): the nearest point of the segment.
//
//   y(s) = c + s e,   s = clamp(e.(x - c) / e.e, -1, 1)
#include <algorithm>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/pair_kernel.h"

namespace carom {
namespace {

/// Witness points that are apart by rounding only tell no direction: `out_of_it` is one
/// that leads out of the segment.
bool set_normal(bool swapped, const Vec3& x, const Vec3& y, double rounding, const Vec3& out_of_it,
                Optimum& out) {
  if (norm2(x - y) > rounding * rounding) return set_direction(swapped, x, y, out);
  out.n = swapped ? out_of_it : -out_of_it, out.phi = 0.0;
  out.face_a = out.face_b = false;
  return true;
}

bool solve(const Minkowski& M, bool swapped, Optimum& out) {
  const Core& segment = swapped ? *M.A : *M.B;
  const Vec3 c = swapped ? segment.v[0] : M.t + M.R * segment.v[0];
  const Vec3 e = swapped ? segment.v[1] : M.R * segment.v[1];
  const Vec3 x = swapped ? M.t + M.R * M.B->v[0] : M.A->v[0];
  const double length2 = norm2(e);
  const double along = dot(e, x - c);
  const double rounding = 4.0 * kEpsilon * (largest(x) + largest(c) + largest(e));
  if (!(length2 > 0.0)) return false;
  if (std::abs(along) >= length2) {
    const bool end = along < 0.0;
    const Vec3 y = end ? c - e : c + e;
    if (!set_normal(swapped, x, y, rounding, normalized(end ? -e : e), out)) return false;
    set_active(out.set, swapped, 0, x, end ? 1 : 0, y, 1.0);
    return true;
  }
  const double s = along / length2;
  // Across the segment to rounding, however near the point is.
  Vec3 y = c + s * e;
  const Vec3 w = (x - y) - (dot(e, x - y) / length2) * e;
  y = x - w;
  if (!set_normal(swapped, x, y, rounding, any_perpendicular(normalized(e)), out)) return false;
  out.n = normalized(out.n - (dot(out.n, e) / length2) * e);
  set_active(out.set, swapped, 0, x, 0, c + e, 0.5 * (1.0 + s));
  set_active(out.set, swapped, 0, x, 1, c - e, 0.5 * (1.0 - s));
  return true;
}

}  // namespace

extern const PairKernel pair_point_segment{"point-segment", &core_point, &core_segment, solve};

}  // namespace carom
