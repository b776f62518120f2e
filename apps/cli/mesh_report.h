// What `carom check` says about the meshes of a scene.
#pragma once

#include "carom/base/json.h"
#include "carom/engine/model.h"

namespace carom::cli {

/// A line per mesh: triangles, what it lacks, and whether its unit looks odd; nothing if the
/// scene has none.
void print_meshes(const Model& model);

/// The value "meshes"; none if there are none.
JsonObject meshes_json(const Model& model);

}  // namespace carom::cli
