// Smooth pieces of a core.
//
// The surface of every core is the convex hull of finitely many smooth pieces: the
// vertices of a polytope, the rims of a cylinder, the one piece of an ellipsoid. A
// support function is the maximum of those of its pieces, each of which is smooth:
// that is what Newton's method needs, and what a plain support mapping does not tell.
//
// A flat face is known besides: a contact inside of it has its normal exactly.
#pragma once

#include <cstdint>

#include "carom/geometry/core.h"

namespace carom {

/// The lateral surface of a body of revolution: normals n with n.axis = `along`, where
/// h(n) = `extent` + |n.straight|. Each of them is normal to a whole ruling.
struct Ring {
  Vec3 axis;            ///< unit, in the axes of the body
  double along = 0.0;   ///< n.axis
  double extent = 0.0;  ///< [m]
  Vec3 straight{};      ///< half of the straight part of a stadium [m]
  double ends[2]{};     ///< ends of a ruling along the axis, turned to the ring [m]
};

/// How contact is found on one kind of core.
struct PieceKind {
  const CoreKind* kind = nullptr;
  /// A farthest point along the unit `d`, and the piece it is on.
  Vec3 (*support)(const Core&, const Vec3& d, std::uint32_t& piece) = nullptr;
  /// Support point and Hessian of one piece alone.
  SupportDerivatives (*derivatives)(const Core&, std::uint32_t piece, const Vec3& n) = nullptr;
  bool curved = false;  ///< some piece has a support point that moves
  bool dense = false;   ///< many pieces lie close together
  bool single = false;  ///< there is one piece
  /// The normal of the flat face nearest to `n`; false if none is near. May be null.
  bool (*flat_face)(const Core&, const Vec3& n, Vec3& normal) = nullptr;
  /// How far inside the face of this normal `p` projects; negative outside [m].
  double (*face_margin)(const Core&, const Vec3& normal, const Vec3& p) = nullptr;
  /// A ball of this radius rolls inside the surface: the core is the sum of a smaller
  /// convex body and that ball. Null: 0.
  double (*inner_radius)(const Core&) = nullptr;
  /// Turning the normal by less than this part of a radian leaves at least half of every
  /// radius of curvature. Null: not known.
  double (*turn_scale)(const Core&, const Vec3& n) = nullptr;
  /// The lateral surface; false if this core has none. May be null.
  bool (*ring)(const Core&, Ring& out) = nullptr;
};

/// Pieces of a core of any bounded kind.
const PieceKind& piece_kind(const CoreKind* kind);

/// Whether `derivatives` may be asked for this piece of the core.
bool has_piece(const Core& core, std::uint32_t piece);

}  // namespace carom
