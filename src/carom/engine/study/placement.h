// Bodies and joints put where they are wanted: coordinates from poses and velocities in the world,
// and the rest of closed loops from the joints that are held.
#pragma once

#include <span>

#include "carom/engine/workspace.h"

namespace carom {

/// Pose of a link's frame in the world, from the coordinates alone.
Pose link_pose(const TreeModel& tree, std::span<const double> q, int link);
/// Velocity of a link's origin in the world, the same way.
Motion link_velocity(const TreeModel& tree, std::span<const double> q, std::span<const double> v,
                     int link);

/// Coordinates of the joint that bring its body to X_WB; false if it cannot get there. The joint
/// keeps a guess among equivalent turns.
bool place_body(const Model& model, const JointInfo& joint, const Pose& X_WB, std::span<double> q);

/// Velocities of the joint that give its body the motion `wanted` of its origin, as far as they
/// can; returns what is missing, in the axes of the joint.
Motion move_body(const Model& model, const JointInfo& joint, const Motion& wanted,
                 std::span<const double> q, std::span<double> v);

/// Brings q onto the constraints and v along with them; velocities that w.tree.known marks, and
/// their coordinates, stay. Returns what remains of the position error (m, rad).
double assemble(Workspace& w, std::span<double> q, std::span<double> v);

}  // namespace carom
