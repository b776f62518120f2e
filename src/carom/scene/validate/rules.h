// Rules between the values of one part of a scene: what is broken, in words that go on from its
// path (" ends before it begins"); empty if nothing is. Readers and validate() share them.
#pragma once

#include <string>

#include "carom/scene/scene.h"

namespace carom {

std::string limits_problem(const DofSpec& dof);
std::string friction_problem(const DofSpec& dof);
std::string active_problem(const JointSpec& joint);
/// Of the times and values of a table.
std::string table_problem(const SignalSpec& signal);
/// The last row against the one before.
std::string row_problem(const Restitution& restitution);
std::string rotation_problem(const Mat3& R);
/// The first of com and inertia that is given without a mass, or null.
const char* massless_part(const BodySpec& body);
/// The velocity that a fixed body has, or null.
const char* fixed_velocity(const BodySpec& body);

}  // namespace carom
