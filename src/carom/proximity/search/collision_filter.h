// Which pairs of shapes may touch at all, as data: no callback, so the answer is the
// same wherever and whenever it is asked.
//
// Shapes of one body never meet. Body pairs in `excluded` never meet (bodies joined by
// a joint, for instance). Otherwise both shapes must want each other:
//   groups(a) & collides_with(b) and groups(b) & collides_with(a),
// and none of the two may be what the other one leaves to a neighbouring piece of its shape.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace carom {

struct CollisionFilter {
  std::uint32_t body = 0;
  std::uint32_t groups = 1;           ///< bits: what this shape is
  std::uint32_t collides_with = ~0u;  ///< bits: what it may touch
  std::uint8_t form = 0;              ///< bits: the form of this piece
  std::uint8_t leaves = 0;            ///< bits: forms that other pieces of the shape touch
};

/// The key of an unordered pair of bodies.
inline std::uint64_t body_pair_key(std::uint32_t a, std::uint32_t b) {
  return (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
}

struct PairFilter {
  std::span<const CollisionFilter> shapes{};  ///< by shape id; empty: every pair may touch
  std::span<const std::uint64_t> excluded{};  ///< body_pair_key()s in ascending order
};

inline bool may_touch(const PairFilter& filter, std::uint32_t a, std::uint32_t b) {
  if (filter.shapes.empty()) return true;
  const CollisionFilter &fa = filter.shapes[a], &fb = filter.shapes[b];
  if (fa.body == fb.body) return false;
  if (!(fa.groups & fb.collides_with) || !(fb.groups & fa.collides_with)) return false;
  if ((fa.form & fb.leaves) || (fb.form & fa.leaves)) return false;
  return filter.excluded.empty() ||
         !std::binary_search(filter.excluded.begin(), filter.excluded.end(),
                             body_pair_key(fa.body, fb.body));
}

}  // namespace carom
