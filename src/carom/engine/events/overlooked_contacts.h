// Contacts that no event announced: pairs that sank in unseen, begins that are an error of the
// step, and what is mended where a step is accepted.
//
// `g` holds all event functions, of contacts and others, where the links are.
#pragma once

#include <span>

#include "carom/engine/events/events.h"

namespace carom {

/// The first pair that counts as apart and overlaps by more than its contact may begin with, which
/// is what the distance resolves or a thousandth of the depth to expect; none: -1. `g` is of where
/// the links are. Such a state must not be accepted. Event functions in `crossed` changed sign at
/// the state: a site that appears there may do so at any depth. `begin` holds the functions where
/// the step began: a site that was overlooked there is no less deep after a shorter one.
int find_sunken_pair(Workspace& w, std::span<const double> g, std::span<const int> crossed,
                     std::span<const double> begin = {});
/// Whether there may be one: to be asked first, before the links are put there.
bool may_have_sunken(const Workspace& w, std::span<const double> g);
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

}  // namespace carom
