#include "carom/proximity/flat_face.h"

#include <algorithm>
#include <vector>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/finder.h"

namespace carom {

Polytope prism_below(const SmoothSurface& surface) {
  const CellNode& whole = surface.tree()[0];
  if (!whole.bounds.has_parameters || surface.is_closed()) return {};
  for (const IntervalVector& second : whole.bounds.second) {
    const auto is_zero = [](const Interval& x) { return x.lo == 0.0 && x.hi == 0.0; };
    if (!std::ranges::all_of(second, is_zero)) return {};
  }
  std::vector<Vec3> corners;
  const Vec3 down = -surface.size() * surface.at(whole.cell.middle()).n;
  for (const double u : {whole.cell.s[0].lo, whole.cell.s[0].hi}) {
    for (const double v : {whole.cell.s[1].lo, whole.cell.s[1].hi}) {
      const Vec3 p = surface.at({u, v, 0.0}).p;
      corners.push_back(p), corners.push_back(p + down);
    }
  }
  return make_polytope(corners);
}

bool has_edges(const ShapePiece& piece) {
  const CoreKind* kind = piece.core.kind;
  return piece.finder == &finder_convex && kind != &core_point && kind != &core_ellipsoid &&
         kind != &core_segment && kind != &core_half_space;
}

}  // namespace carom
