// The scene written out: YAML with every default filled in and every short form
// spelt out. Reading it again gives an equal Scene, to the last bit: orientations are
// written as matrices where angles would round.
#pragma once

#include <string>

#include "carom/scene/scene.h"

namespace carom {

std::string expand(const Scene& scene);

}  // namespace carom
