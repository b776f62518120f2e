// The damping factor that gives a set restitution exactly.
//
// With F = Fe(d) (1 + c d'/v0), Fe any elastic force, and no force besides,
//   m v dv/dd = -Fe (1 + c v/v0)   =>   integral of u / (1 + c u) du from 1 to -e is 0,
// so that
//   c (1 + e) = ln((1 + c) / (1 - c e)),   0 < c < 1/e.                            (1)
#pragma once

namespace carom {

/// c of (1) for 0 < e <= 1; 0 for e = 1.
double exact_damping_factor(double e);

}  // namespace carom
