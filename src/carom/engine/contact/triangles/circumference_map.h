// The circumference of a patch as a curve of points with the force per length along it.
#pragma once

#include "carom/engine/contact/triangles/triangle_sites.h"
#include "carom/engine/results/pressure_maps.h"

namespace carom {

/// Appends the curves of the patch of a site, which presses with `force` [N].
void map_circumference(Workspace& w, const ContactPair& pair, double force,
                       std::vector<PressureMap>& out);

}  // namespace carom
