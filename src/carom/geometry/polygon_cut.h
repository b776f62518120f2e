// Cuts the polygon of a mesh file into triangles. Internal to geometry.
//
// A fan from the first corner is right where each of its triangles turns as the whole polygon
// does, and together they turn less than once. Elsewhere ears are cut off: a corner at which the
// polygon turns inward, and whose triangle holds no other corner, can always be found in a
// polygon that does not cross itself [Meisters1975].
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "carom/geometry/mesh.h"

namespace carom {

/// Appends the triangles of the face; a message if it crosses itself.
std::string cut_polygon(std::span<const Vec3> vertices, std::span<const std::uint32_t> corners,
                        std::vector<Triangle>& triangles);

}  // namespace carom
