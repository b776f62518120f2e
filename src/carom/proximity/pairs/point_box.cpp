// A point and a box (ball and box), outside and inside.
//
// Outside, coordinates beyond the box are clamped; how many tells whether a face, an edge
// or a vertex is nearest. Inside, the nearest face is the way out.
#include <algorithm>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/pair_kernel.h"

namespace carom {
namespace {

struct Placed {
  const Minkowski& M;
  bool swapped;  ///< the box is A
  Vec3 point(const Vec3& p) const { return swapped ? p : M.t + M.R * p; }
  Vec3 direction(const Vec3& d) const { return swapped ? d : M.R * d; }
};

bool on_face(const Placed& box, const Vec3& x_box, const Vec3& x, std::size_t i, Optimum& out) {
  const Vec3& h = (box.swapped ? box.M.A : box.M.B)->v[0];
  const double sign = x_box[i] < 0.0 ? -1.0 : 1.0;
  Vec3 normal;
  normal[i] = sign;
  const Vec3 outward = box.direction(normal);
  out.phi = std::abs(x_box[i]) - h[i];
  out.n = box.swapped ? outward : -outward;
  out.face_a = box.swapped, out.face_b = !box.swapped;
  const std::uint32_t vertex = sign < 0.0 ? 1u << i : 0u;
  set_active(out.set, box.swapped, 0, x, vertex, x - out.phi * outward, 1.0);
  return true;
}

bool solve(const Minkowski& M, bool swapped, Optimum& out) {
  const Placed box{M, swapped};
  const Vec3& h = (swapped ? M.A : M.B)->v[0];
  const Vec3 x = swapped ? M.t + M.R * M.B->v[0] : M.A->v[0];
  const Vec3 x_box = swapped ? x : transpose_times(M.R, x - M.t);
  const Vec3 beyond{std::abs(x_box.x) - h.x, std::abs(x_box.y) - h.y, std::abs(x_box.z) - h.z};
  int count = 0;
  for (std::size_t i = 0; i < 3; ++i) count += beyond[i] > 0.0;
  if (count <= 1) {
    const std::size_t i = beyond.x >= beyond.y && beyond.x >= beyond.z ? 0
                          : beyond.y >= beyond.z                       ? 1
                                                                       : 2;
    return on_face(box, x_box, x, i, out);
  }
  Vec3 low, high;  // the ends of the nearest edge, equal at a vertex
  std::uint32_t first = 0, second = 0;
  double weight = 1.0;
  Vec3 y;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint32_t bit = 1u << i;
    y[i] = std::clamp(x_box[i], -h[i], h[i]);
    if (beyond[i] > 0.0) {
      low[i] = high[i] = y[i];
      if (y[i] < 0.0) first |= bit, second |= bit;
    } else {
      high[i] = h[i], low[i] = -h[i];
      second |= bit;
      weight = 0.5 * (1.0 + x_box[i] / h[i]);
    }
  }
  if (!set_direction(swapped, x, box.point(y), out)) return false;
  set_active(out.set, swapped, 0, x, first, box.point(high), weight);
  if (count == 2) set_active(out.set, swapped, 0, x, second, box.point(low), 1.0 - weight);
  return true;
}

}  // namespace

extern const PairKernel pair_point_box{"point-box", &core_point, &core_box, solve};

}  // namespace carom
