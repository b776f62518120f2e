// Two points (balls): the difference of their positions.
#include "carom/geometry/core_kinds.h"
#include "carom/proximity/pair_kernel.h"

namespace carom {
namespace {

bool solve(const Minkowski& M, bool swapped, Optimum& out) {
  const Vec3 a = M.A->v[0], b = M.t + M.R * M.B->v[0];
  const Vec3 &x = swapped ? b : a, &y = swapped ? a : b;
  if (!set_direction(swapped, x, y, out)) return false;
  set_active(out.set, swapped, 0, x, 0, y, 1.0);
  return true;
}

}  // namespace

extern const PairKernel pair_point_point{"point-point", &core_point, &core_point, solve};

}  // namespace carom
