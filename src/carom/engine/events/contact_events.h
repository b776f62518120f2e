// Where contacts begin and end: located events, and switches at the end of fixed steps. What then
// happens is contact_life.h, what no event announced overlooked_contacts.h.
//
// Every pair has three event functions:
//
//   distance   phi + gamma while apart, parted - phi while touching: ends the mode by falling
//              through zero. gamma is what the distance resolves (distance_resolution), and
//              parted = max(1e-13 m, 8 gamma), so that either event leaves the function of the
//              new mode farther from its zero than it resolves.
//   force      of laws that may let go: the largest force of the contact's points before it
//              is clamped. Where it crosses zero either way the right-hand side has a kink,
//              so the step ends there; the mode stays.
//   layer      of connected surfaces: what is left of the thickness of their elastic layer
#pragma once

#include <optional>

#include "carom/engine/contact/contact_points.h"
#include "carom/engine/events/events.h"
#include "carom/engine/part_states.h"

namespace carom {

/// How far apart surfaces are where their contact ends [m]: eight times what their distance
/// resolves, so that wheels which just touch do not part and meet at every step.
double parted(double resolution);

inline constexpr std::size_t kContactFunctions = 3;
enum class ContactFunction { distance, force, layer };

/// The functions of a pair whose distance is known and resolves `gamma`, into g and `resolution`;
/// that of the layer stays 1.
void calc_pair_functions(Workspace& w, const PairState& s, std::span<const double> x,
                         const Contact& contact, double gamma, double* g, double* resolution);

/// An event of this pair.
EngineEvent contact_event(const Workspace& w, double t, const char* kind, const ContactPair& pair,
                          double value);

/// Carries out the end of mode that a function announces, if it has ended in x: a pair
/// whose distance is positive does not begin to touch, and one that overlaps does not cease to.
/// Slots may be added: then x must grow, by zeros, to state_size().
void handle_contact_event(Workspace& w, double t, std::span<double> x, ContactPair& pair,
                          ContactFunction function, EventOutcome& outcome);

/// Which event function of all this is, if it is one of a contact.
struct ContactPlace {
  std::size_t pair;
  ContactFunction function;
};
std::optional<ContactPlace> contact_place(const Workspace& w, std::size_t f);

/// Switches every pair to the mode that its distance asks for; without location of the
/// instant, as at the end of a fixed step. Returns whether any changed. Pairs that would meet
/// within StepTraits::look_ahead touch already.
bool switch_contacts(Workspace& w, double t, std::span<double> x, EventOutcome& outcome);

/// "'ball' and 'floor'".
std::string pair_name(const Workspace& w, const ContactPair& pair);

/// "ball" or "ball.rim" for a named shape of several.
std::string collider_name(const Model& model, ColliderId collider);

}  // namespace carom
