// Normal forces of one pair at its points, before the engine clamps them. Internal to
// contact_forces.
#pragma once

#include "carom/engine/contact/elastic/spring_contact.h"

namespace carom {

/// Of the kinetic energy of an impact, or the largest energy a contact has held, what the guard
/// lets pass: far above what integration leaves open, far below what could be seen.
inline constexpr double kGuardSlack = 1e-3;

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
