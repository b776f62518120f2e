// A run judges itself.
//
//   sound      nothing below
//   doubtful   |residual| or |model_work| above 1 % of the energy turned over, or 100 tolerances of
//              it if that is more; a contact deeper than its law holds, or shorter than 20 fixed
//              steps; a pair outside its law
//   broken     energy from nothing above 5 %; a body through a body; rigid bodies in each other
//
// The energy turned over is what was there at the start (kinetic, elastic, and what was fallen
// through since) and the work put in. Energy in play would not do: what comes from nothing is part
// of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/engine/results/evidence.h"

namespace carom {

struct Verdict {
  std::vector<Finding> reasons;  ///< what is broken comes first
  std::vector<Finding> notes;    ///< what is no reason to doubt

  Grade grade() const;
};

/// `least`: an energy that is next to nothing for the bodies of the scene.
Verdict judge(const EnergyWatch& watch, double tolerance, double least,
              std::span<const Finding> findings);

}  // namespace carom
