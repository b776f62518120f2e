// Depth of the origin in M by an expanding polytope, with a proof that it is the least.
//
// The polytope P has its vertices on M, so no direction is shallower than the nearest
// face of P; a solution of the optimality conditions (optimum.h) bounds the depth from
// above. Faces nearer than that bound are expanded until there is none, or until those
// that are left lie beside the solution and lead to it.
#pragma once

#include "carom/proximity/convex/optimum.h"
#include "carom/proximity/convex/simplex.h"

namespace carom {

/// `simplex` holds points of M around (or nearly around) the origin, as
/// find_separation() leaves them. `known` is a local maximum, or null; then the search
/// begins at the direction `n`.
Optimum find_depth(const Minkowski& M, const Simplex& simplex, const Vec3& n, const Optimum* known);

}  // namespace carom
