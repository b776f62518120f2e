// Bodies of every kind of shape, as lines of a scene; for the campaigns.
#pragma once

#include <string>

#include "campaign.h"

namespace carom::campaign {

/// A shape of about 0.03 to 0.12 m: "box: {size: [...]}". `kind` gets its name.
std::string shape_text(Dice& dice, std::string& kind);

/// A unit quaternion: any, or one of the axes turned by `tilt` [rad].
std::string orientation_text(Dice& dice, bool is_any, double tilt);

}  // namespace carom::campaign
