#include "carom/proximity/shape_piece.h"

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/finder.h"

namespace carom {

ShapePiece make_piece(const Core& core, bool is_part) {
  ShapePiece piece;
  piece.finder = &finder_convex;
  piece.core = core;
  piece.is_round = core.kind == &core_point || core.kind == &core_ellipsoid;
  piece.radius = piece.reach = bounding_radius(core);
  // A part may lie far from the origin of its shape; whole shapes are about theirs.
  if (!is_part) return piece;
  const BoundingBox box = bounding_box(core);
  piece.centre = 0.5 * (box.lower + box.upper);
  piece.reach = 0.5 * norm(box.upper - box.lower);
  return piece;
}

ShapePiece make_piece(const SmoothSurface& surface, const Core& box) {
  ShapePiece piece = make_piece(box, true);
  piece.finder = &finder_smooth;
  piece.smooth = &surface;
  piece.is_round = true;
  return piece;
}

}  // namespace carom
