#include "carom/geometry/round_bodies.h"

#include <numbers>

#include "carom/geometry/tessellation.h"

namespace carom {

MassProperties hollow_cylinder_properties(double outer, double inner, double length) {
  const double r2 = outer * outer + inner * inner;
  const double volume = std::numbers::pi * (outer - inner) * (outer + inner) * length;
  const double across = volume * (3.0 * r2 + length * length) / 12.0;
  return {volume, volume, {}, Sym3::diagonal({0.5 * volume * r2, across, across})};
}

TriangleMesh hollow_cylinder_mesh(double outer, double inner, double length, int segments) {
  const double h = 0.5 * length;
  const ProfilePoint profile[] = {{h, inner}, {h, outer}, {-h, outer}, {-h, inner}};
  return revolve(profile, segments);
}

}  // namespace carom
