// Begin and end of contacts: located events, and switches at the end of fixed steps.
//
// Every pair has three event functions:
//
//   distance   phi while apart, -phi while touching: ends the mode by falling through zero
//   force      of laws that may let go: the largest force of the contact's points before it
//              is clamped. Where it crosses zero either way the right-hand side has a kink,
//              so the step ends there; the mode stays.
//   layer      of connected surfaces: what is left of the thickness of their elastic layer
#pragma once

#include "carom/engine/events.h"

namespace carom {

inline constexpr std::size_t kContactFunctions = 3;
enum class ContactFunction { distance, force, layer };

/// Which function of which pair the f-th is, from 0.
inline ContactFunction contact_function(std::size_t f) {
  return static_cast<ContactFunction>(f % kContactFunctions);
}

inline std::size_t contact_event_count(const Workspace& w) {
  return w.locates_contacts ? kContactFunctions * w.modes.contacts.pairs.size() : 0;
}

/// After kinematics; g has contact_event_count() entries.
void contact_event_functions(Workspace& w, std::span<const double> x, std::span<double> g);

/// Carries out the end of mode that function `f` (from 0) announces. Slots may be added:
/// then x must grow, by zeros, to state_size().
void handle_contact_event(Workspace& w, double t, std::span<double> x, int f,
                          EventOutcome& outcome);

/// Switches every pair to the mode that its distance asks for; without location of the
/// instant, as at the end of a fixed step. Returns whether any changed.
bool switch_contacts(Workspace& w, double t, std::span<double> x, EventOutcome& outcome);

/// Begins the contacts of shapes that overlap although they count as apart, and ends those of
/// shapes that have parted; `g` holds the functions at this state. A pair that parts and meets
/// again within less than events resolve does so without a change of sign, and would fall through
/// each other; one whose force changes its sign as it parts may have parted where the method starts
/// anew. Returns whether there was any.
bool mend_overlooked_contacts(Workspace& w, double t, std::span<double> x,
                              std::span<const double> g, EventOutcome& outcome);

/// Ends the contacts of links that are taken from where they are at (t, x); `moved` is by link.
void end_contacts_of(Workspace& w, double t, std::span<double> x,
                     std::span<const std::uint8_t> moved, EventOutcome& outcome);
/// Begins the contacts of pairs that overlap at the start, or where links were put; they are
/// settling. Those that last stay.
void begin_overlapping(Workspace& w, double t, std::span<const double> x);

/// Warnings about the contacts that last.
std::vector<std::string> contact_warnings(const Workspace& w);

/// Lets every pair that is near at (t, x) touch, without a start of its own: where nothing
/// moves, a law decides by depth alone.
void touch_near_pairs(Workspace& w, double t, std::span<const double> x);

/// Length of the state with the slots of all contacts.
std::size_t state_size(const Workspace& w);

/// "ball" or "ball.rim" for a named shape of several.
std::string collider_name(const Model& model, std::uint32_t collider);

}  // namespace carom
