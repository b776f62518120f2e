// A contact gives back no more energy than went into it.
#pragma once

#include "carom/engine/contact/contact_points.h"

namespace carom {

/// Scales the elastic forces in the scratch of the pair where they would give more than the contact
/// holds. Returns the elastic energy of the contact [J], which the reading has then, too. `state`
/// is that of its slot, or null.
double hold_back(Workspace& w, const PairState& s, const double* state, ContactReading& reading);

/// What a contact holds that presses nowhere at the moment, as a patch at the rim of a sheet whose
/// depth by memory is zero: it gives that back once its depth can be measured again.
void hold_unpressed(Workspace& w, const PairState& s, const double* state, ContactReading& reading);

}  // namespace carom
