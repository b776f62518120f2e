// What happens where a contact begins and ends: its law starts, it gets a slot of states, and what
// the slot holds goes to the totals in the end.
#pragma once

#include <span>

#include "carom/engine/contact/contact_points.h"
#include "carom/engine/events/events.h"

namespace carom {

/// Lets a pair touch from t on. Slots may be added: then x must grow, by zeros, to state_size().
/// `at_start`: it was in contact before the run, or where links were put.
void begin_contact(Workspace& w, double t, ContactPair& pair, bool at_start, EventOutcome* outcome);
/// Ends a contact; what its slot holds goes to the totals.
void end_contact(Workspace& w, double t, std::span<double> x, ContactPair& pair,
                 EventOutcome& outcome, const char* kind = "contact_end");
/// Begins what is in contact besides the sites that are, where two pieces touch in several places.
/// Returns whether there was any.
bool begin_branches(Workspace& w, double t, bool at_start, EventOutcome* outcome);

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

/// Begins a contact before it presses, without a word; begin_event() is said when it does.
void begin_ahead(Workspace& w, double t, ContactPair& pair);
EngineEvent begin_event(const Workspace& w, const ContactPair& pair);

}  // namespace carom
