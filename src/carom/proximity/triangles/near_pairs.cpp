#include "carom/proximity/triangles/near_pairs.h"

#include <algorithm>
#include <cmath>

namespace carom::triangles {
namespace {

/// No point of a tree moves farther between two poses.
double motion_of(const Box4Tree& B, const Pose& from, const Pose& to) {
  double turn2 = 0.0;
  for (std::size_t k = 0; k < 9; ++k) {
    const double d = to.R.m[k] - from.R.m[k];
    turn2 += d * d;
  }
  return norm(to * B.middle - from * B.middle) + std::sqrt(turn2) * norm(B.half);
}

/// Seen from either of the two: a half space is a large tree, and its own corners move far.
double largest_motion(const Box4Tree& A, const Box4Tree& B, const Pose& from, const Pose& to) {
  return std::min(motion_of(B, from, to), motion_of(A, inverse(from), inverse(to)));
}

}  // namespace

const std::vector<ItemPair>& near_pairs(const Box4Tree& A, const Box4Tree& B, const Pose& X_AB,
                                        NearPairs& list) {
  // Rounding of the motion itself is far below the slack that boxes have anyway.
  constexpr double kPoses = 24.0;                // that a list should serve
  constexpr double kLeast = 1e-6, kMost = 6e-3;  // of the size
  const bool is_known = list.margin >= 0.0 && list.A == &A && list.B == &B;
  const double since = is_known ? largest_motion(A, B, list.X_last, X_AB) : 0.0;
  list.X_last = X_AB;
  if (is_known && largest_motion(A, B, list.X_AB, X_AB) <= list.margin) return list.found.items;
  const double size = std::min(norm(A.half), norm(B.half));
  list.margin =
      std::isfinite(since) ? std::clamp(kPoses * since, kLeast * size, kMost * size) : 0.0;
  list.A = &A, list.B = &B, list.X_AB = X_AB;
  find_overlaps(A, B, X_AB, list.margin, list.found);
  return list.found.items;
}

}  // namespace carom::triangles
