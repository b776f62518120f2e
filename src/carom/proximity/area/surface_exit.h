// Where a line meets a smooth surface near a point of it that is known.
#pragma once

#include "carom/geometry/smooth_surface.h"
#include "carom/proximity/area/line_exit.h"

namespace carom {

/// The place of the surface on the line p + t d to which Newton's method leads along the surface
/// from `state`, which becomes its state. False where the line passes the surface by: it turns away
/// from d, or ends.
bool follow_exit(const SmoothSurface& surface, const Vec3& p, const Vec3& d, Vec3& state,
                 LineExit& out);

}  // namespace carom
