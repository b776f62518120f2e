// Begin and end of contacts: located events, and switches at the end of fixed steps.
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

// In what follows `g` holds all event functions, of contacts and others.

/// Switches every pair to the mode that its distance asks for; without location of the
/// instant, as at the end of a fixed step. Returns whether any changed. Pairs that would meet
/// within StepTraits::look_ahead touch already.
bool switch_contacts(Workspace& w, double t, std::span<double> x, EventOutcome& outcome);

/// The first pair that counts as apart and overlaps by more than its contact may begin with, which
/// is what the distance resolves or a thousandth of the depth to expect; none: -1. `g` is of where
/// the links are. Such a state must not be accepted. Event functions in `crossed` changed sign at
/// the state: a site that appears there may do so at any depth. `begin` holds the functions where
/// the step began: a site that was overlooked there is no less deep after a shorter one.
int find_sunken_pair(Workspace& w, std::span<const double> g, std::span<const int> crossed,
                     std::span<const double> begin = {});
/// Whether there may be one: to be asked first, before the links are put there.
bool may_have_sunken(const Workspace& w, std::span<const double> g);
/// "'ball' and 'floor'".
std::string pair_name(const Workspace& w, const ContactPair& pair);

/// Whether event function `f` announces the begin of a contact whose surfaces part, and not by
/// rounding, in the time `span` since the step began: the error of the step brings them together,
/// not their motion. The links are where the contact would begin.
bool begins_by_error(const Workspace& w, std::size_t f, double span);

/// Begins the contacts of shapes that overlap by less than that although they count as apart, and
/// ends those of shapes that have parted; `g` is of this state. One event may be
/// passed by the error of another's location. Returns whether there was any.
bool mend_overlooked_contacts(Workspace& w, double t, std::span<double> x,
                              std::span<const double> g, EventOutcome& outcome);

/// An accepted step ends where the functions are g: notes how deep contacts are.
void note_depths(Workspace& w, std::span<const double> g);

/// Ends the contacts of links that are taken from where they are at (t, x); `moved` is by link.
void end_contacts_of(Workspace& w, double t, std::span<double> x,
                     std::span<const std::uint8_t> moved, EventOutcome& outcome);
/// Begins the contacts of pairs that overlap at the start, or where links were put; they are
/// settling. Those that last stay.
void begin_overlapping(Workspace& w, double t, std::span<const double> x);

/// Lets every pair that is near at (t, x) touch, without a start of its own: where nothing
/// moves, a law decides by depth alone.
void touch_near_pairs(Workspace& w, double t, std::span<const double> x);

/// Sites that were a part of another take over its states; x has room for them.
void inherit_states(Workspace& w, std::span<double> x);

/// "ball" or "ball.rim" for a named shape of several.
std::string collider_name(const Model& model, ColliderId collider);

/// Begins a contact before it presses, without a word; begin_event() is said when it does.
void begin_ahead(Workspace& w, double t, ContactPair& pair);
EngineEvent begin_event(const Workspace& w, const ContactPair& pair);
/// Ends a contact; what its slot holds goes to the totals.
void end_pair(Workspace& w, double t, std::span<double> x, ContactPair& pair, EventOutcome& outcome,
              const char* kind = "contact_end");

}  // namespace carom
