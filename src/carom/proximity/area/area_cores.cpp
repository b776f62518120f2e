#include "carom/proximity/area/area_cores.h"

#include "carom/proximity/area/line_exit.h"

namespace carom {

bool is_area_mesh(const Shape& shape) {
  return shape.mesh && shape.kind == find_shape_kind("triangle_mesh");
}

std::vector<Core> area_cores(const Shape& shape) {
  if (shape.surface || is_area_mesh(shape)) return {};
  std::vector<Core> cores;
  if (!shape.pieces && shape.kind->rounding == Rounding::inward) {
    Shape sharp = shape;
    sharp.edge_radius = 0.0;
    cores.push_back(sharp.kind->core(sharp));
  } else {
    const auto own = contact_cores(shape);
    cores.assign(own.begin(), own.end());
  }
  for (const Core& core : cores) {
    if (!knows_exits(core)) return {};
  }
  return cores;
}

}  // namespace carom
