// Triangles of a shape as it collides: with its edges rounded.
//
// The contact body is K + q B, a core and a ball (core.h). Where the drawn surface has an
// edge between faces with normals a and b, the rounded one has the points c + q n with
// the core's point c = support(K, a + b) and n on the arc from a to b; a corner becomes
// the spherical polygon over its faces' normals. So every vertex lies on the contact body
// with n as its normal:  n.p = h(n) + q  with the support function h of K.
#pragma once

#include "carom/geometry/shape.h"

namespace carom {

struct SmoothMesh {
  TriangleMesh mesh;
  std::vector<Vec3> normals;  ///< unit, one per vertex; empty: as the faces say
};

/// Convex shapes have their edge radius, others are as tessellate() gives them.
/// `segments` per full turn, also of large fillets; small fillets get fewer.
SmoothMesh rounded_mesh(const Shape& shape, int segments = 48);

}  // namespace carom
