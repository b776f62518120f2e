// The last digits of a scaled cone problem whose modes are known: open (r = 0), sticking (u = 0) or
// sliding (u_n = 0, r_t |u_t| + r_n u_t = 0) are smooth equations; Newton with steps of least norm
// solves them where redundant contacts make them singular.
#pragma once

#include "carom/contact/cones/scaled_cones.h"

namespace carom {

/// Takes the modes from r, anew after every step; adds the linear systems it solves to
/// `iterations`.
void polish_cones(const ScaledCones& problem, std::vector<double>& r, int& iterations);

}  // namespace carom
