// Contacts recomputed from recorded poses: gaps, instants, forces and elastic energy.
//
// Shares nothing with the engine's search, laws and sums; what it needs are the shapes and
// constants of the scene, poses, velocities and forces of the rows, and the list of events.
//
//   gaps     closed forms of simple shapes (own_gaps.h) against recorded distances          (1)
//   events   between two rows a contact begins where the gap turns negative, and has ended
//            where it is positive again; the error is the gap of a row that contradicts      (2)
//   elastic  of one point: (2/5) K d^(5/2), K = (4/3) E* sqrt(R); or k d²/2; or
//            c d^(n+1)/(n+1)                                                                 (3)
//   forces   m (v2 - v1) = integral of contact force and weight over rows between events,
//            by Simpson's rule, its error from the trapezoidal sums of both row widths       (4)
//   pairs    forces of watched pairs against the sums of the bodies: action is reaction      (5)
#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/engine/events/events.h"
#include "carom/engine/model.h"
#include "carom/record/recording.h"

namespace carom::verify {

/// Something recomputed, over all rows and bodies that it applies to.
struct Recomputed {
  std::string kind;         ///< "energy", "forces", "events", "gaps", "states" or "impacts"
  std::string what;         ///< for the reader
  double difference = 0.0;  ///< the largest, over its scale where it is relative
  double tolerance = 0.0;
  std::size_t values = 0;  ///< how many were compared
};

/// What can be recomputed of this run; empty where nothing has a closed form.
std::vector<Recomputed> recompute_contacts(const Model& model, const Recording& rows,
                                           std::span<const EngineEvent> events);

}  // namespace carom::verify
