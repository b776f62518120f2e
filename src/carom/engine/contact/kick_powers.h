// What contacts dissipate in a step that changes velocities at once.
//
// The semi-implicit Euler method takes the forces f at the begin of a step for all of it. Their
// work, to which the kinetic energy answers, is then that along the mean of both velocities,
//
//   W = h f . (v + v_new) / 2 = h (f . v + h/2 f . a),                                     (1)
//
// while the power at the begin misses the second term: in a damped impact of twenty steps, a tenth
// of the energy. Left out are dampers of joints and force elements, which seldom stop a body within
// so few steps.
#pragma once

#include "carom/engine/workspace.h"

namespace carom {

/// Adds the second term of (1) to the rates of contact energies; accelerations are known.
void add_kick_powers(Workspace& w);

}  // namespace carom
