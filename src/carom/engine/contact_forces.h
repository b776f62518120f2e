// Forces of the pairs in contact: narrow phase, normal law, friction law, gather.
#pragma once

#include <optional>
#include <span>

#include "carom/engine/workspace.h"

namespace carom {

/// Distance of a pair at the kinematics last evaluated.
Contact find_contact(const Workspace& w, const ContactPair& pair);
/// The same of connected surfaces; their points stay in the scratch, for strongest_force().
Contact find_connected(Workspace& w, const ContactPair& pair);
/// Whether the balls around the shapes of a pair do not meet, nor the ball around one a half
/// space: then nothing more need be asked.
bool surely_apart(const Workspace& w, const ContactPair& pair);
/// Every pair's answer as the start of its next questions; at accepted steps only, so that a
/// trial step leaves no trace.
void remember_contacts(Workspace& w);
/// Rate of its signed distance, of the material points that touch [m/s].
double distance_rate(const Workspace& w, const ContactPair& pair, const Contact& contact);

/// How far two connected surfaces are apart at least, if that is more than a quarter of the
/// smaller one [m].
std::optional<double> far_apart(const Workspace& w, const ContactPair& pair);

/// Mean of the points of two connected surfaces, in the frame of that along which they move.
Vec3 mean_point(Workspace& w, const ContactPair& pair);

/// What the distance of a pair resolves at the kinematics last evaluated: its rounding [m]. That
/// of a closed form is some units in the last place of the positions and sizes that enter; of an
/// iteration, what a sweep of poses shows, with room.
double distance_resolution(const Workspace& w, const ContactPair& pair);

/// What decides whether a contact lets go: the largest force of its points before it is
/// clamped at zero [N], and how fast it may change with the depth of its point [N/m].
struct StrongestForce {
  double force = 0.0, slope = 0.0;
};
StrongestForce strongest_force(Workspace& w, const ContactPair& pair, const Contact& contact,
                               std::span<const double> x);

/// Adds the forces of all pairs in contact to the links; rates of contact states, powers
/// and energies go to the Workspace.
void apply_contacts(Workspace& w, std::span<const double> x);

/// Whether the elastic force of a contact is the gradient of its energy, so that nothing is left
/// for `model_work`: what does not balance is an error of the integration, and shows as one. Balls
/// on balls and half spaces, whose stiffness does not depend on the pose.
bool is_conservative(const Workspace& w, const ContactPair& pair);
/// Elastic energy of the normal law where the bodies are now [J].
double elastic_energy(Workspace& w, const ContactPair& pair, const Contact& contact,
                      std::span<const double> x);

/// Depth at which the law of the pair holds a body that arrives with its approach speed,
/// or its weight, whichever is more [m].
double expected_depth(Workspace& w, const ContactPair& pair, const Contact& contact);

/// Force that stops the lighter body within the expected depth, and its weight [N].
double expected_load(const Workspace& w, const ContactPair& pair);

/// Mass of the lighter body of the pair; infinite if neither can move [kg].
double lighter_mass(const Workspace& w, const ContactPair& pair);

/// Makes room for what the present pairs need; to be called when they have changed.
void prepare_contacts(Workspace& w);

}  // namespace carom
