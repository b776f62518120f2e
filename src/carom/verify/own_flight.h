// Motion of one rigid body between two rows, by integrating it anew: the classical Runge-Kutta
// method in steps of a small angle. Internal to verify.
#pragma once

#include "carom/geometry/mass_properties.h"
#include "carom/math/pose.h"

namespace carom::verify {

struct Flight {
  Vec3 p, v;  ///< of the centre of mass
  Quat q;     ///< of the body's axes
  Vec3 spin;  ///< I w, in world axes
};

/// Angular velocity, in world axes.
Vec3 turning(const MassProperties& mass, const Quat& q, const Vec3& spin);

/// Where a body is after `dt` under a constant force and a constant torque about its centre.
Flight fly(const MassProperties& mass, const Flight& from, const Vec3& force, const Vec3& torque,
           double dt);

}  // namespace carom::verify
