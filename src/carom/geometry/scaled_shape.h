// Shapes with factors along their axes: `scale: [a, b, c]` (Otter 2005, section 2: "all objects
// can be scaled in the 3 coordinate axes").
#pragma once

#include "carom/geometry/shape.h"

namespace carom {

/// Multiplies what the user wrote by input.scale and sets that to 1 where nothing is left to
/// scale. Where the scaled body is of another kind, the input becomes one of that kind: a sphere
/// an ellipsoid, a body that is no longer round the hull of points on its surface, with a note.
/// False, with a finding, where a kind cannot be scaled so.
bool scale_input(ShapeInput& input, Diagnostics& out, const SourcePos& where);

}  // namespace carom
