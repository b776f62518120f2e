// The flat faces of a triangle surface: triangles in one plane that hang together by their edges.
#pragma once

#include "carom/geometry/triangle_surface.h"

namespace carom {

/// The longest border of such a face [m], however it is cut into triangles; of a finely drawn ball
/// that of a facet.
double longest_face_border(const TriangleSurface& surface);

}  // namespace carom
