// What runs, as one digest: two runs of equal fingerprint have the same scene, with all that was
// set, and the same vertices and triangles in the mesh files that it names.
#pragma once

#include <string>

#include "carom/scene/scene.h"

namespace carom {

/// 64 digits.
std::string scene_fingerprint(const Scene& scene);

}  // namespace carom
