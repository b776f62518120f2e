// Normal forces of one pair at its points, before the engine clamps them. Internal to
// contact_forces.
#pragma once

#include <algorithm>

#include "carom/engine/contact/elastic/spring_contact.h"

namespace carom {

/// Of the energy of an impact, or of what a contact holds, the share that the guard against energy
/// from nothing lets pass. Where a force is the gradient of an energy it has nothing to hold, and
/// is kept far above what integration leaves open: steps of order 1 leave open any share, and a
/// guard that takes their error for a gain would let resting bodies sink in. Elsewhere it must let
/// pass less than a method is allowed to.
inline double guard_share(const Workspace& w, bool is_gradient) {
  constexpr double kMost = 1e-3, kTolerances = 100.0;
  if (is_gradient && (w.step.kick_step > 0.0 || w.modes.banks)) return kInf;
  if (is_gradient || !w.step.locates_events) return kMost;
  return std::min(kMost, kTolerances * w.model->scene.run.tolerance);
}

/// fn_i = law(d_i, d_i') into the scratch; where the pair has no springs the points are there.
void calc_normal_forces(const PairState& s, const Contact& contact, double normal_state,
                        ContactScratch& scratch);

/// Whether a point of the contact acts. A contact of one point has begun and acts until its
/// end is located; of several, those that do not overlap keep out of it.
inline bool acts(const ContactPair& pair, const ContactScratch& scratch, std::size_t i) {
  return pair.base.kind != SpringBase::points || scratch.manifold.count == 1 ||
         scratch.normal_in[i].depth > 0.0;
}

}  // namespace carom
