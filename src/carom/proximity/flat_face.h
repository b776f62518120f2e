// Surfaces by formulas that are flat all over.
//
// Local minima of a gap say nothing of a face that lies on a face: of a disc on a plane any point
// of its rim is one. So to bodies with edges a flat surface is the face of a prism below it, which
// has its edges where the surface ends; balls, ellipsoids, capsules and other surfaces meet the
// surface itself.
#pragma once

#include "carom/geometry/polytope.h"
#include "carom/geometry/smooth_surface.h"
#include "carom/proximity/shape_piece.h"

namespace carom {

/// The prism below a surface whose second derivatives are zero everywhere, as deep as it is large;
/// an empty polytope of any other.
Polytope prism_below(const SmoothSurface& surface);

/// What a piece is to pieces that stand for a flat surface.
bool has_edges(const ShapePiece& piece);

}  // namespace carom
