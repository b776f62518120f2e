// Mass, centre of mass and inertia of a body, from what the scene says about it.
#pragma once

#include <optional>
#include <string_view>

#include "carom/geometry/mass_properties.h"
#include "carom/scene/scene.h"

namespace carom {

/// The scene's own material of this name, else the palette's.
std::optional<MaterialSpec> find_material(const Scene& scene, std::string_view name);

/// The shape's density, else its material's, else the body's material's.
std::optional<double> shape_density(const Scene& scene, const BodySpec& body,
                                    const ShapeSpec& shape);

/// In the body frame; inertia about the centre of mass, body axes. What the body states
/// (mass, com, inertia) comes first. With a mass and shapes, the shapes' distribution is
/// scaled to that mass, by volume if one of them has no density. With a mass alone the
/// body is a point mass.
MassProperties body_mass_properties(const Scene& scene, const BodySpec& body);

}  // namespace carom
