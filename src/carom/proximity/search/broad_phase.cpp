#include "carom/proximity/search/broad_phase.h"

#include <algorithm>
#include <limits>

namespace carom {
namespace {

/// False also for NaN, and for boxes wholly at infinity.
bool is_box(const BoundingBox& b) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  return b.lower.x <= b.upper.x && b.lower.y <= b.upper.y && b.lower.z <= b.upper.z &&
         std::max({b.lower.x, b.lower.y, b.lower.z}) < inf &&
         std::min({b.upper.x, b.upper.y, b.upper.z}) > -inf;
}

void sort_by_partner(std::span<ShapePair> pairs) {
  if (pairs.size() > 16) {
    std::sort(pairs.begin(), pairs.end(),
              [](const ShapePair& p, const ShapePair& q) { return p.b < q.b; });
    return;
  }
  for (std::size_t i = 1; i < pairs.size(); ++i) {
    const ShapePair moved = pairs[i];
    std::size_t k = i;
    for (; k > 0 && pairs[k - 1].b > moved.b; --k) pairs[k] = pairs[k - 1];
    pairs[k] = moved;
  }
}

/// Drops pairs that may not touch, and sorts the rest by (a, b): a counting sort over a,
/// then the few partners of each.
void filter_and_sort(std::size_t shapes, std::size_t found, const PairFilter& filter,
                     BroadPhaseWorkspace& w, std::vector<ShapePair>& sorted) {
  w.pair_start.assign(shapes + 1, 0);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < found; ++k) {
    const ShapePair p = w.found[k];
    if (!may_touch(filter, p.a, p.b)) continue;
    w.found[kept++] = p;
    ++w.pair_start[p.a];
  }
  std::uint32_t end = 0;
  for (std::uint32_t& start : w.pair_start) start = end += start;
  sorted.resize(kept);
  for (std::size_t k = kept; k-- > 0;) sorted[--w.pair_start[w.found[k].a]] = w.found[k];
  for (std::size_t a = 0; a < shapes; ++a) {
    sort_by_partner({sorted.data() + w.pair_start[a], sorted.data() + w.pair_start[a + 1]});
  }
}

}  // namespace

BroadPhaseStatus find_candidates(std::span<const BoundingBox> boxes, const PairFilter& filter,
                                 double margin, BroadPhaseWorkspace& w, CandidateList& list) {
  list.margin = margin;
  list.reach.resize(boxes.size());
  const double half = 0.5 * margin;
  const Vec3 rim{half, half, half};
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!is_box(boxes[i])) {
      list.reach.clear();
      list.pairs.clear();
      return {Status::recoverable, static_cast<std::uint32_t>(i)};
    }
    list.reach[i] = {boxes[i].lower - rim, boxes[i].upper + rim};
  }
  const std::size_t found = find_overlaps(list.reach, w.grid, w.found);
  filter_and_sort(boxes.size(), found, filter, w, list.pairs);
  return {};
}

bool covers(const CandidateList& list, std::span<const BoundingBox> boxes) {
  if (boxes.size() != list.reach.size()) return false;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const BoundingBox &b = boxes[i], &r = list.reach[i];
    const bool inside = b.lower.x >= r.lower.x && b.upper.x <= r.upper.x &&
                        b.lower.y >= r.lower.y && b.upper.y <= r.upper.y &&
                        b.lower.z >= r.lower.z && b.upper.z <= r.upper.z;
    if (!inside) return false;
  }
  return true;
}

}  // namespace carom
