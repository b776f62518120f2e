// One side of a contact: a convex piece of a shape, of which most have one, the shape as triangles,
// or an idealised surface. A shape of many pieces is one collider; every pair of pieces that come
// near each other is a site of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "carom/base/id.h"
#include "carom/geometry/core.h"
#include "carom/geometry/smooth_surface.h"
#include "carom/math/pose.h"

namespace carom {

struct BodyFeatures;
struct ContactFinder;
struct IdealSurface;
struct TriangleSurface;

using ColliderId = Id<struct ColliderOrder, std::uint32_t>;
using PieceId = Id<struct PieceOrder, std::uint32_t>;

/// Two pieces may stand for a flat surface: it, and the face of a prism for what has edges
/// (flat_face.h).
enum class FlatRole : std::uint8_t { none, surface, face };

struct ShapePiece {
  ColliderId collider = 0;                ///< the shape that it is a piece of
  bool is_round = false;                  ///< strictly convex: meets anything in one point
  bool has_area = false;                  ///< with sharp edges, for contacts by their area
  const ContactFinder* finder = nullptr;  ///< that knows such shapes
  Core core;
  const IdealSurface* surface = nullptr;  ///< in place of a core
  const SmoothSurface* smooth = nullptr;  ///< the core is then the box around it
  FlatRole flat = FlatRole::none;
  /// Of a convex core that may touch smooth surfaces (prepare_for_smooth): its corners, edges and
  /// faces, or all of it as such a surface. Balls and ellipsoids need neither.
  std::shared_ptr<const BodyFeatures> features;
  std::shared_ptr<const SmoothSurface> skin;
  /// The whole shape as triangles, where these are what touches; null there: a half space.
  const TriangleSurface* triangles = nullptr;
  /// What a half space looks like to it: a tetrahedron with one face in the plane, about where it
  /// is.
  const TriangleSurface* plane = nullptr;
  /// Of a torus, about the z axis of its shape; 0: it is none [m].
  double ring_radius = 0.0, tube_radius = 0.0;
  double radius = 0.0;  ///< largest distance of its points from its origin; may be infinite [m]
  Vec3 centre;          ///< of a ball around its points, in the frame of the shape
  double reach = 0.0;   ///< radius of that ball, its size; may be infinite [m]
};

/// A piece and where the frame of its shape is.
struct Place {
  const ShapePiece& piece;
  const Pose& X_WS;
};

/// A piece of a shape of one convex core, or of many (`is_part`).
ShapePiece make_piece(const Core& core, bool is_part);
/// Of a smooth surface, which may have several nearest points; `box` is its core.
ShapePiece make_piece(const SmoothSurface& surface, const Core& box);

/// Finds what a convex piece is to a smooth surface; nothing of cores that cannot touch one.
void prepare_for_smooth(ShapePiece& piece);

/// A whole shape as triangles, with what a half space looks like to it; both null: a half space.
/// `core` is what is around it.
ShapePiece make_surface_piece(const Core& core, const TriangleSurface* triangles,
                              const TriangleSurface* plane);

}  // namespace carom
