// The state that a scene gives, joint by joint, before loops are closed around it.
#pragma once

#include <span>

#include "carom/engine/model.h"

namespace carom {

/// Fills x of Model::size(): coordinates from q or the pose of the body, velocities likewise, and
/// states of the user's own. `scene` is the model's, or differs from it in these numbers only.
void give_initial_state(const Model& model, const Scene& scene, std::span<double> x,
                        Diagnostics& diagnostics);

}  // namespace carom
