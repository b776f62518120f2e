// What one contact does at the state last evaluated.
#pragma once

#include <array>
#include <cstddef>

#include "carom/math/spatial.h"
#include "carom/proximity/smooth/surface_pair.h"

namespace carom {

struct ContactReading {
  std::size_t pair = 0;       ///< into ContactMemory::pairs
  double phi = 0.0;           ///< [m]
  Vec3 point;                 ///< centre of pressure [m]
  Vec3 normal;                ///< from A to B
  Vec3 nearest_a, nearest_b;  ///< where the surfaces are deepest in each other [m]
  double normal_force = 0.0;
  double elastic_force = 0.0;                       ///< the part of it that stores energy [N]
  Wrench rest;                                      ///< elastic, on B beyond normal forces
  double energy = 0.0;                              ///< elastic, of the pose [J]
  bool held = false;                                ///< by the guard
  Vec3 force;                                       ///< on B [N]
  Vec3 torque;                                      ///< on B about `point` [N·m]
  double slip_speed = 0.0;                          ///< [m/s]
  double normal_power = 0.0, friction_power = 0.0;  ///< dissipated [W]
  int points = 0;
  ContactArea area = ContactArea::none;  ///< of connected surfaces
  double contact_area = 0.0;             ///< of patches of triangles and of areas [m²]
  double circumference = 0.0;            ///< of these [m]
  double peak_pressure = 0.0;            ///< of contact areas [Pa]
  Vec3 rolling_torque;                   ///< of the pressure about where they are deepest [N·m]

  double mean_pressure() const { return contact_area > 0.0 ? normal_force / contact_area : 0.0; }
};

/// The points of two connected surfaces.
struct SurfacePoints {
  static constexpr std::size_t kMost = 16;
  struct Point {
    Vec3 position;  ///< [m]
    Vec3 force;     ///< on B [N]
    double phi = 0.0, weight = 0.0;
  };
  std::size_t count = 0;
  double area = 0.0, length = 0.0;  ///< of the contact [m²], [m]
  std::array<Point, kMost> points;
};

}  // namespace carom
