// The rules of a Scene, however it was made.
//
// Between its parts: names, references, the tree of joints, masses and sizes of lists. Within a
// part: ranges of single values, and what they must be to each other. Readers check the latter as
// they read, with the place of each value, by the same tables and rules (fields.h, rules.h);
// compile() checks both.
#pragma once

#include <string>

#include "carom/scene/scene.h"

namespace carom {

/// Reports everything that keeps the scene from being simulated.
void validate(const Scene& scene, Diagnostics& diagnostics);
/// The same between its parts: for readers, which have checked the values.
void validate_parts(const Scene& scene, Diagnostics& diagnostics);

/// Parts that stand in no file get their path ("bodies.ball") as their place.
void give_places(Scene& scene);

/// Why `name` cannot be a name in a scene; empty if it can.
std::string name_problem(const std::string& name);

// The parts of validate().
void check_values(const Scene& scene, Diagnostics& diagnostics);
void check_names(const Scene& scene, Diagnostics& diagnostics);
void check_joints(const Scene& scene, Diagnostics& diagnostics);
void check_masses(const Scene& scene, Diagnostics& diagnostics);
void check_mesh_units(const Scene& scene, Diagnostics& diagnostics);
void check_references(const Scene& scene, Diagnostics& diagnostics);
void check_contact(const Scene& scene, Diagnostics& diagnostics);
void check_surfaces(const Scene& scene, Diagnostics& diagnostics);
void check_controls(const Scene& scene, Diagnostics& diagnostics);
void check_run(const Scene& scene, Diagnostics& diagnostics);

}  // namespace carom
