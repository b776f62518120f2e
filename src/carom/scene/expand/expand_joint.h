// Joints and couplings for expand().
#pragma once

#include <string>

#include "carom/scene/scene.h"

namespace carom {

std::string expand_joint(const JointSpec& joint);
std::string expand_coupling(const Scene& scene, const CouplingSpec& coupling);

}  // namespace carom
