// Elements (elements.h) at the kinematics last evaluated.
#pragma once

#include "carom/engine/contact/triangles/triangle_sites.h"

namespace carom {

/// One end of a segment along one normal.
struct LiveElement {
  Vec3 p;                 ///< world [m]
  Vec3 n;                 ///< along which B is pressed: A's outward normal, or B's turned round
  double weight = 0;      ///< l/2 times the share (2) [m]
  double depth = 0;       ///< [m]
  double speed = 0;       ///< of approach where it began [m/s]
  Vec3 way;               ///< of B relative to A since the last accepted step; zero: it is new [m]
  double since = 0;       ///< that step [s]
  Vec3 bristle;           ///< world, as that step left it [m]
  std::uint8_t side = 0;  ///< 0: A's triangle, 1: B's
  std::uint8_t end = 0;
  std::uint32_t segment = 0;  ///< into PatchSegments::segments
};

/// Steps that do not end where bodies meet find them some way in each other. What they have not
/// worked against on that way must not come out again: elements count from where they are found.
bool begins_at_zero(const Workspace& w, const ContactPair& pair);

/// Those of one patch, both ends and both normals of every segment in order; of a law that leaves a
/// normal out, that of the other alone.
void find_live_elements(const Workspace& w, const PairState& s, const TrianglePieces& p,
                        std::size_t patch, std::vector<LiveElement>& out);

}  // namespace carom
