// Which pairs of shapes are watched for events, before and after a step was accepted.
#pragma once

#include <vector>

#include "carom/engine/workspace.h"

namespace carom {

class WatchedPairs {
 public:
  /// Those of now.
  void note(const Workspace& w);
  /// Whether they are still the same, and so their event functions, up to what these resolve. Pairs
  /// stand in one order, so that lists of equal length with the same shapes are the same. Sites of
  /// one pair, rigid points and surfaces may have moved otherwise: of these it is never said.
  bool are_kept(const Workspace& w) const;

 private:
  struct Known {
    PieceId a, b;
  };
  std::vector<Known> known_;
};

}  // namespace carom
