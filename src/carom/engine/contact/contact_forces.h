// Forces of the pairs in contact: narrow phase, normal law, friction law, gather.
#pragma once

#include <optional>
#include <span>

#include "carom/engine/contact/contact_points.h"

namespace carom {

/// Distance of a pair at the kinematics last evaluated.
Contact find_contact(const Workspace& w, const ContactPair& pair);
/// Whether the balls around the shapes of a pair are farther apart than `gap`, or the ball around
/// one from a half space: then nothing more need be asked.
bool surely_apart(const Workspace& w, const ContactPair& pair, double gap = 0.0);
/// Every pair's answer as the start of its next questions; at accepted steps only, so that a
/// trial step leaves no trace. True where a contact has come to press on another face, so that its
/// force has changed.
bool remember_contacts(Workspace& w);
/// The same of these shapes.
bool remember_contacts(Workspace& w, std::span<ContactPair> pairs);
/// Rate of its signed distance, of the material points that touch [m/s].
double distance_rate(const Workspace& w, const ContactPair& pair, const Contact& contact);

/// What the distance of a pair resolves at the kinematics last evaluated: its rounding [m]. That
/// of a closed form is some units in the last place of the positions and sizes that enter; of an
/// iteration (not `is_closed`), what a sweep of poses shows, with room.
double distance_resolution(const Workspace& w, const ContactPair& pair, bool is_closed);
/// That of what the finder of its shapes finds.
double finder_resolution(const Workspace& w, const ContactPair& pair);
/// As its part says.
double distance_resolution(const Workspace& w, const ContactPair& pair);

/// What decides whether a contact lets go: the largest force of its points before it is
/// clamped at zero [N], and how fast it may change with the depth of its point [N/m].
struct StrongestForce {
  double force = 0.0, slope = 0.0;
};
StrongestForce strongest_force(Workspace& w, const PairState& s, const Contact& contact,
                               std::span<const double> x);

/// Adds the forces of all pairs in contact to the links; rates of contact states, powers
/// and energies go to the Workspace.
void apply_contacts(Workspace& w, std::span<const double> x);

/// The same of one pair whose distance is known, and whose points are in the scratch unless it has
/// springs. `forces`, if not null, are those on B at the points.
void apply_pair(Workspace& w, const PairState& s, std::span<const double> x, const Contact& contact,
                Vec3* forces, ContactReading& reading);

/// Whether the force of a contact is that of a publication, be it the gradient of an energy or not:
/// connected surfaces, and laws that say so.
bool is_published(const Workspace& w, const ContactPair& pair);
/// Whether the elastic force of a contact is the gradient of its energy, so that nothing is left
/// for `model_work`: what does not balance is an error of the integration, and shows as one.
/// Springs that were kept from the begin of the contact on and never held back; balls on balls and
/// half spaces, and on anything where the law has a stiffness of its own.
bool is_conservative(const Workspace& w, const ContactPair& pair);
/// Elastic energy of a contact by its flow, to the totals in which it counts.
void add_stored(const Workspace& w, const ContactPair& pair, double flow, ContactTotals& totals);

/// Whether the energy of bristles depends on their deflection alone, as in N/m: then no load does
/// work on it, and what is there no more of what flowed in is lost by friction.
bool bristles_last(const PairLaw& law);

/// What the law of a contact that begins is told: how fast, and whether it was put there.
void start_law(const Workspace& w, ContactPair& pair, const Contact& contact, bool is_put);
void start_law_at_rest(const Workspace& w, ContactPair& pair);
/// Depth and mass, after what its elastic energy is made of was chosen.
void note_expectations(Workspace& w, const PairState& s, const Contact& contact, ContactPair& pair);
/// Notes then the energy with which it begins, and decides how much the guard lets pass. Where the
/// pair has points of its own, they are in the scratch.
void prepare_guard(Workspace& w, const PairState& s, const Contact& contact, ContactPair& pair);
/// Decides after a step anew what the elastic energy is made of. If that is a switch, the new
/// springs are scaled to hold what the old ones held, until the difference is too small to be felt.
/// Whether anything has changed.
bool change_base(Workspace& w, const Contact& contact, ContactPair& pair);

/// Depth at which the law of the pair holds a body that arrives with its approach speed,
/// or its weight, whichever is more [m].
double expected_depth(Workspace& w, const PairState& s, const Contact& contact);

/// Force that stops the lighter body within the expected depth, and its weight [N].
double expected_load(const Workspace& w, const ContactPair& pair);

/// Mass of the lighter body of the pair; infinite if neither can move [kg].
double lighter_mass(const Workspace& w, const ContactPair& pair);

/// Makes room for what the present pairs need; to be called when they have changed.
void prepare_contacts(Workspace& w);

}  // namespace carom
