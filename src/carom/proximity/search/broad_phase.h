// Broad phase: which shapes are near enough to be looked at more closely.
//
// Two shapes are candidates when the gap between their axis-aligned boxes is at most
// `margin` along every axis, i.e. when the boxes, each enlarged by margin / 2 on all
// sides (its *reach*), overlap. While every shape stays inside its reach no two shapes
// that are not in the list can touch: a stale list never hides a contact. covers() is
// that test, and it is exact for translation and rotation alike.
//
// The boxes are sorted into grids (grid.h), one per size class, in time linear in their
// number. Pairs come out in ascending order of (a, b), so the list depends on the boxes
// alone. Buffers grow while warming up and are reused after that.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/base/status.h"
#include "carom/geometry/core.h"
#include "carom/proximity/search/collision_filter.h"
#include "carom/proximity/search/grid.h"

namespace carom {

/// A part of the step cache: it changes only when a step is accepted.
struct CandidateList {
  double margin = 0.0;             ///< [m]
  std::vector<ShapePair> pairs;    ///< ascending in (a, b)
  std::vector<BoundingBox> reach;  ///< boxes when the list was made, enlarged by margin / 2
};

struct BroadPhaseWorkspace {
  GridWorkspace grid;
  std::vector<ShapePair> found;  ///< unsorted, with room for more
  std::vector<std::uint32_t> pair_start;
};

struct BroadPhaseStatus {
  Status status = Status::ok;
  std::uint32_t shape = 0;  ///< the first one whose box is not a box, if status is not ok
};

/// Makes the list anew. Boxes may be infinite (half spaces), but must not hold NaN and
/// must have lower <= upper: otherwise the status is `recoverable`, names the shape, and
/// the list is left empty.
BroadPhaseStatus find_candidates(std::span<const BoundingBox> boxes, const PairFilter& filter,
                                 double margin, BroadPhaseWorkspace& workspace,
                                 CandidateList& list);

/// Whether every box is still within its reach, so that the list holds all pairs that can
/// touch. False for boxes with NaN and for another number of boxes.
bool covers(const CandidateList& list, std::span<const BoundingBox> boxes);

}  // namespace carom
