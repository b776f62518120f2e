// Triangles of a shape as it collides: with its edges rounded.
#pragma once

#include "carom/geometry/shape.h"

namespace carom {

/// Like tessellate(), but convex shapes have their edge radius. `segments` per full turn
/// also divides the fillets. Shapes that are not convex keep their sharp edges.
TriangleMesh rounded_mesh(const Shape& shape, int segments = 48);

}  // namespace carom
