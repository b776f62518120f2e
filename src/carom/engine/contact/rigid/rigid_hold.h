// Forces of rigid contacts between events: modes are frozen, so that every closed point is a row
// beside the loops and the forces solve one linear system.
//
//   sticking   u' = 0                     r_n, r_1, r_2
//   sliding    phi'' = 0                  r_n, with r_t = -mu r_n d, d the direction of slip
//   onset      phi'' = 0, u' = lambda d   r_n, with d of unit length unknown too: slip that has
//              just begun has no direction of its own yet, and follows its acceleration
//
// Redundant points share their forces so that the sum of squares is least: a choice, the limit of
// equal stiff springs, and the same everywhere. Where that would leave the cones of a round face,
// it is least of what changes since all was decided (rigid_shares.cpp).
#pragma once

#include "carom/engine/contact/rigid/rigid_rows.h"

namespace carom {

/// Whether rigid contacts hold bodies apart now.
bool holds_bodies(const Workspace& w);

/// The closed points where the links are now, to RigidData::forces, which are none yet. Kinematics
/// must be current.
void gather_closed(Workspace& w);

/// After forward_dynamics, whose accelerations are in RigidData::free, and loops: adds the forces
/// of the closed points and finds accelerations anew. Readings and powers go to the Workspace.
Status hold_bodies(Workspace& w, std::span<const double> x);

/// Brings gaps of closed points to zero, and the velocities that they hold; returns the largest
/// gap that remains.
double project_on_contacts(Workspace& w, double t, std::span<double> x);

/// Takes from a tangent vector what closed points do not let pass. Kinematics and factors of the
/// mass must be current.
void keep_on_contacts(Workspace& w, std::span<double> v);

/// Slip below which friction grows with it; 0: friction is exact [m/s].
double regularised_slip(const Workspace& w);

/// Slip of a pair slower than this is none: errors of the run would turn it round [m/s].
/// Kinematics must be current.
double least_slip(const Workspace& w, const ContactPair& pair);

/// Direction of slip of a point that slides: that of its velocity, as long as it has one on the
/// side where the step began, and behind that its opposite. So a step that goes on beyond the
/// instant at which slip ends stays smooth.
/// Where friction is regularised it is shorter than one below `slow`.
Vec3 slip_direction(const RigidPoint& point, const RigidSite& site, double slow);

}  // namespace carom
