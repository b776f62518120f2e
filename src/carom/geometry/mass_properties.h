// Mass, centre of mass and inertia of bodies; exact for polyhedra.
#pragma once

#include "carom/geometry/mesh.h"
#include "carom/math/pose.h"

namespace carom {

struct MassProperties {
  double volume = 0.0;  ///< [m³]
  double mass = 0.0;    ///< [kg]
  Vec3 com;             ///< centre of mass, in the shape's frame [m]
  Sym3 inertia;         ///< about the centre of mass, in the shape's axes [kg·m²]
};

/// Volume integrals of 1, x and x xᵀ about the origin. They add up over parts.
struct VolumeMoments {
  double volume = 0.0;
  Vec3 first;
  Sym3 second;

  VolumeMoments& operator+=(const VolumeMoments& b) {
    volume += b.volume, first += b.first, second += b.second;
    return *this;
  }
};

/// Mass properties at density 1.
MassProperties to_mass_properties(const VolumeMoments& moments);

/// Moments of the solid bounded by `mesh`, by the divergence theorem: each triangle
/// with a reference point forms a signed tetrahedron. Exact up to round-off.
MassProperties polyhedron_properties(const TriangleMesh& mesh);

/// The same body seen from frame A, in which its own frame S has the pose X_AS.
MassProperties moved(const Pose& X_AS, const MassProperties& body);

/// Both bodies together, in one frame.
MassProperties combined(const MassProperties& a, const MassProperties& b);

}  // namespace carom
