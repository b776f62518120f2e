// Line integrals and volumes of patches.
#pragma once

#include "carom/proximity/triangles/intersection.h"

namespace carom::triangles {

/// Length, area and their moments, of the curves of a patch.
void measure_curves(const Intersection& x, TrianglePatch& patch);

/// Volumes and their centres, of all patches.
void measure_volumes(const PlacedPair& placed, Intersection& x);

}  // namespace carom::triangles
