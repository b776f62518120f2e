// A contact area as rows of the velocity problem of a step.
//
// The force F = K V over the approach s is a chord: F0 where the step begins and F1 where its own
// speed leads, s away,
//
//   k = (F1 - F0) / s,   d = F0 / k,                                                        (1)
//
// so that both are exact along the normal; the tangent is K A. Four springs k/4 about the centre of
// the area A, at a distance a along each principal axis, resist a tilt as the foundation does,
//
//   2 (k/4) a² = K I - F c,   I the second moment of the area about the other axis,         (2)
//
// with depths that press at its centre of pressure. What a step adds to u is linear in the
// velocity, as if bodies turned about the place where they touch; but their centres of mass, at the
// height c over it, go straight on, and so lift them off by c φ²/2 where they turn by φ:
//
//   1/2 K I φ² - F c φ²/2                                                                   (3)
//
// is what a tilt stores. For a face the second term is nothing beside the first; for a ball that
// rolls they are equal, K I = F R, since its patch goes along with it. Without it a ball of steel
// came to rest within half a second of steps of 1 ms. What they hold, 1/2 sum (k/4) d_i², is not
// 1/2 K integral of u²: the bank is told the ratio. An area that is yet to come is that of the
// surfaces moved together by the gap and what the step may bring.
#pragma once

#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_points.h"

namespace carom {

/// Of a pair whose foundation is laid and whose gap is at most `look.reach`; false where there is
/// no area.
bool find_area_rows(const Workspace& w, const PairState& s, const Contact& contact,
                    const StepReach& look, PairRows& out);

}  // namespace carom
