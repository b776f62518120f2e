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

/// How contact is found on one kind of core.
struct PieceKind {
  const CoreKind* kind;
  /// A farthest point along the unit `d`, and the piece it is on.
  Vec3 (*support)(const Core&, const Vec3& d, std::uint32_t& piece);
  /// Support point and Hessian of one piece alone.
  SupportDerivatives (*derivatives)(const Core&, std::uint32_t piece, const Vec3& n);
  bool curved;  ///< some piece has a support point that moves
  bool dense;   ///< many pieces lie close together
  /// The normal of the flat face nearest to `n`; false if none is near. May be null.
  bool (*flat_face)(const Core&, const Vec3& n, Vec3& normal);
  /// Does `p` project into the face of this normal?
  bool (*above_face)(const Core&, const Vec3& normal, const Vec3& p);
  /// A ball of this radius rolls inside the surface: the core is the sum of a smaller
  /// convex body and that ball. Null: 0.
  double (*inner_radius)(const Core&);
};

/// Pieces of a core of any bounded kind.
const PieceKind& piece_kind(const CoreKind* kind);

}  // namespace carom
