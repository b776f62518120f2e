// Which pairs of shapes are watched.
//
// The candidates of the broad phase are those whose boxes come within a margin of each
// other. After every step the boxes swept by it are compared with the reach for which the
// list was made; where one has left it, the pairs that the step may have brought together
// are added before its events are looked for. So neither a stale list nor a large step
// hides a contact (N4).
#pragma once

#include <span>
#include <vector>

#include "carom/engine/contact/contact_memory.h"
#include "carom/proximity/search/broad_phase.h"
#include "carom/proximity/shape_piece.h"

namespace carom {

class Workspace;

/// Two pieces whose gap may have several minima: all of those nearer than the margin are known.
struct SiteReach {
  PieceId a = 0, b = 0;
  double margin = 0.0;    ///< [m]
  double searched = 0.0;  ///< the margin where they were looked for [m]
  Pose X_AB;              ///< there, of the shape of B in the axes of that of A
  double free = 0.0;      ///< how far points may go from there until they are looked for again [m]
};

/// What the last search between two pieces has found: the end of a step, where it is asked for
/// first, is where the next one begins.
struct SiteMemory {
  PieceId a = 0, b = 0;
  double margin = -1.0;  ///< [m]
  Pose X_AB;
  std::vector<DistanceCache> minima;
};

struct ContactSearch {
  CandidateList list;   ///< with the model's margin, made at an accepted state
  CandidateList swept;  ///< of the last step
  BroadPhaseWorkspace broad;
  std::vector<BoundingBox> boxes;        ///< at the last accepted state
  std::vector<BoundingBox> swept_boxes;  ///< of the last step
  std::vector<Vec3> velocity;            ///< per collider, at the last accepted state
  std::vector<double> spin;              ///< |angular velocity| of colliders at that state
  std::vector<double> rate_bound;        ///< per pair: bound of |phi'| in the last step [m/s]
  std::vector<SiteReach> site_reach;     ///< where the last step began
  std::vector<SiteMemory> site_memory;
  std::vector<double> ahead, rate;   ///< where the next step may lead, and how fast
  std::vector<ContactPair> before;   ///< the pairs that there were, while new ones are listed
  std::vector<ShapePair> known;      ///< pieces of the pairs that there are, ascending
  std::vector<std::uint32_t> order;  ///< of `before`, ascending, where it does not ascend
  bool oversteps = false;  ///< the last step went farther than sites are known (contact_sites.h)
};

/// Takes (t, x) as the state from which the next step starts; the pairs stay.
void begin_search(Workspace& w, double t, std::span<const double> x);

/// Makes the pairs of w.modes.contacts those near each other at (t, x), in ascending order;
/// pairs that stay keep what they remember. The next step starts there.
void find_near_pairs(Workspace& w, double t, std::span<const double> x);

/// Adds a site that is apart for every two pieces of formulations with branches that touch and have
/// none, behind the present ones. Returns whether there were any.
bool watch_branches(Workspace& w);

/// After a step from the state of the last begin_search() or find_near_pairs() to (t, x) that took
/// `h`: adds pairs that may have met on the way behind the present ones. Returns whether there were
/// any. Where the step has gone farther than sites were looked for, `oversteps` is set: it has to
/// be taken again and shorter.
bool widen_near_pairs(Workspace& w, double t, std::span<const double> x, double h);

/// The same within a step of velocities of a model without sites: pairs that are listed stay where
/// they are, and those that a longer way to (t, x) may bring together come behind them.
void append_near_pairs(Workspace& w, double t, std::span<const double> x, double h);

}  // namespace carom
