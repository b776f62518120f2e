// Where a surface over two parameters passes through itself.
//
// A grid of its points is cut into triangles. Where an edge of one passes through another that is
// no neighbour, Newton's method with least steps goes from the parameters of both to
//
//   r(s) = r(s'),   s and s' apart,                                                  (1)
//
// and only what it finds, with normals that differ, is told. Loops that are smaller than a cell of
// the grid are not seen.
#pragma once

#include <functional>
#include <optional>

#include "carom/geometry/smooth_surface.h"

namespace carom {

struct SurfaceGrid {
  Interval range[2];
  bool is_periodic[2] = {false, false};
  /// The point with its two derivatives.
  std::function<std::array<Vec3, 3>(double u, double v)> at;
};

/// A place where it does, if one was found.
std::optional<Vec3> find_crossing(const SurfaceGrid& surface);

}  // namespace carom
