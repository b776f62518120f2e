// What `carom check` says about idealised surfaces.
#pragma once

#include <string>

#include "carom/base/json.h"
#include "carom/engine/model.h"

namespace carom::cli {

/// The surfaces, the matrix of their pairs and the laws of those connected; nothing if the
/// scene has none.
void print_surfaces(const Model& model);

/// The values "surfaces" and "contacts".
JsonObject surfaces_json(const Model& model);

}  // namespace carom::cli
