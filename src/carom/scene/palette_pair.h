// Restitution and friction of two materials from the palette.
#pragma once

#include <string>

#include "carom/contact/pair_palette.h"
#include "carom/scene/contact_spec.h"

namespace carom {

/// Data of the pair, and in `how` what was done where the palette has no such pair.
MaterialPair palette_pair(const std::string& a, const std::string& b, std::string& how);

/// The note about what was taken so, less what the choice says itself; "" if that is all.
std::string palette_note(const std::string& a, const std::string& b, const std::string& how,
                         const PairMaterial& m, const ContactChoice& choice);

}  // namespace carom
