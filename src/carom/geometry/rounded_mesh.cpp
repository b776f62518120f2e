#include "carom/geometry/rounded_mesh.h"

namespace carom {

TriangleMesh rounded_mesh(const Shape& shape, int segments) { return tessellate(shape, segments); }

}  // namespace carom
