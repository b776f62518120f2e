// A ball against a ball or a box: most contacts of most scenes.
//
// What the general path would answer, without its search, its active pieces and its
// matrices of curvature: the surfaces are known to be round or flat.
#pragma once

#include "carom/proximity/distance.h"

namespace carom {

/// False where the pair is another, or where the centre of the ball is all but on what it
/// touches: then the general path answers.
bool ball_distance(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB,
                   Contact& contact);

}  // namespace carom
