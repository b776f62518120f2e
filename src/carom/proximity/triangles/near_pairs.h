// Pairs of triangles that may meet, kept from pose to pose.
//
// A list that was made with a margin holds all that can meet until a point of B has moved by that
// margin relative to A. It only says where to look: which of its pairs meet is decided anew, so an
// answer does not depend on when the list was made.
#pragma once

#include "carom/proximity/triangles/tree_overlap.h"

namespace carom::triangles {

struct NearPairs {
  const Box4Tree *A = nullptr, *B = nullptr;
  Pose X_AB;             ///< for which it was made
  Pose X_last;           ///< for which it was last asked
  double margin = -1.0;  ///< < 0: there is none yet [m]
  TreePairs found;
  /// Two triangles that were the nearest when last asked for the distance.
  ItemPair nearest{0xffffffffu, 0xffffffffu};
  /// Sheets: they were last touched from the back, so that is where to look first.
  bool from_behind = false;
};

/// Everything that may meet at `X_AB`.
const std::vector<ItemPair>& near_pairs(const Box4Tree& A, const Box4Tree& B, const Pose& X_AB,
                                        NearPairs& list);

}  // namespace carom::triangles
