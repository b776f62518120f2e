#include "carom/proximity/shape_piece.h"

#include <algorithm>

#include "carom/geometry/core_kinds.h"
#include "carom/geometry/superquadric_core.h"
#include "carom/geometry/superquadric_surface.h"
#include "carom/geometry/triangle_surface.h"
#include "carom/proximity/features/body_features.h"
#include "carom/proximity/finder.h"

namespace carom {

ShapePiece make_piece(const Core& core, bool is_part) {
  ShapePiece piece;
  piece.finder = &finder_convex;
  piece.core = core;
  piece.is_round =
      core.kind == &core_point || core.kind == &core_ellipsoid || core.kind == &core_superquadric;
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

void prepare_for_smooth(ShapePiece& piece) {
  if (piece.smooth || piece.surface || piece.finder != &finder_convex) return;
  if (piece.core.kind == &core_superquadric) {
    piece.skin = make_superquadric_surface(piece.core);
    return;
  }
  BodyFeatures features = make_features(piece.core);
  if (!features.empty()) piece.features = std::make_shared<const BodyFeatures>(std::move(features));
}

ShapePiece make_surface_piece(const Core& core, const TriangleSurface* triangles,
                              const TriangleSurface* plane) {
  ShapePiece piece = make_piece(core, false);
  piece.finder = &finder_triangles;
  piece.triangles = triangles, piece.plane = plane;
  if (!triangles) return piece;
  piece.centre = triangles->tree.middle;
  piece.radius = piece.reach = 0.0;
  for (const Vec3& v : triangles->vertices) {
    piece.radius = std::max(piece.radius, norm(v));
    piece.reach = std::max(piece.reach, norm(v - piece.centre));
  }
  return piece;
}

}  // namespace carom
