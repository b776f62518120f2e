// Where contacts press, point by point: circumferences of overlaps and pressures over areas, for
// result files and pictures.
#pragma once

#include <string>
#include <vector>

#include "carom/engine/workspace.h"

namespace carom {

struct MapPoint {
  Vec3 p_W;            ///< [m]
  double value = 0.0;  ///< force per length [N/m] or per area [Pa]
  double share = 0.0;  ///< length [m] or area [m²] that the point stands for
};

/// Points of a curve in their order, or points over an area. Values times shares add up to the
/// normal force of the contact.
struct PressureMap {
  std::string object;  ///< "contact(table,ball)"
  const char* quantity = kPressure;
  const char* unit = "Pa";
  Vec3 normal;  ///< from the first body to the second
  std::vector<MapPoint> points;

  static constexpr const char* kPressure = "pressure";
  static constexpr const char* kCircumference = "circumference";
};

/// Of all contacts at the state last evaluated that have more than a point.
std::vector<PressureMap> find_pressure_maps(Workspace& w);

}  // namespace carom
