// The rules between the parts of a Scene, however it was made.
//
// Names, references, the tree of joints, masses and sizes of lists. Ranges of single
// values are the readers' affair (they know the place of each value), except where a
// Scene made in C++ or Python would crash the engine.
#pragma once

#include <string>

#include "carom/scene/scene.h"

namespace carom {

/// Reports everything that keeps the scene from being simulated.
void validate(const Scene& scene, Diagnostics& diagnostics);

/// Why `name` cannot be a name in a scene; empty if it can.
std::string name_problem(const std::string& name);

// The parts of validate().
void check_names(const Scene& scene, Diagnostics& diagnostics);
void check_joints(const Scene& scene, Diagnostics& diagnostics);
void check_masses(const Scene& scene, Diagnostics& diagnostics);
void check_references(const Scene& scene, Diagnostics& diagnostics);
void check_contact(const Scene& scene, Diagnostics& diagnostics);
void check_surfaces(const Scene& scene, Diagnostics& diagnostics);
void check_run(const Scene& scene, Diagnostics& diagnostics);

}  // namespace carom
