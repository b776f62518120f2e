// Block Gauss-Seidel on a scaled cone problem: contact by contact, each with its own forces alone.
// Slow to converge and hard to lead astray: a start for what is fast and easily led astray.
#pragma once

#include "carom/contact/cones/scaled_cones.h"

namespace carom {

void sweep_cones(const ScaledCones& problem, int sweeps, std::vector<double>& r);

}  // namespace carom
