// All points in which two bodies touch of which one at least is round (rigid_form_sites.h).
//
// Every pair of features is asked. One of them is a contact where its points lie within their
// features, within rounding of each other, and its normal parts the bodies. Two faces that lie on
// each other touch in the corners of what they have in common: corners of one on the other,
// crossings of edges and rims, and of a rim between those points that stand for it.
#pragma once

#include <vector>

#include "carom/engine/contact/rigid/rigid_form_sites.h"

namespace carom {

/// All that touch or nearly do, each place once; none where the bodies are farther apart, or meet
/// so that nothing says where their normal is.
void find_form_sites(const PairState& s, const RigidForm& A, const RigidForm& B, double size,
                     std::vector<RigidSite>& out);

}  // namespace carom
