// The search of a filled grid: each box against the rest of its cell and its neighbours.
#include <cmath>
#include <limits>

#include "carom/proximity/search/grid_cells.h"

namespace carom {
namespace {

bool overlap(const BoundingBox& a, const BoundingBox& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
         b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

float gap(const GridItem& a, const GridItem& b) {
  const auto along = [&](int k) {
    return std::max(a.lower[k] - b.upper[k], b.lower[k] - a.upper[k]);
  };
  return std::max(std::max(along(0), along(1)), along(2));
}

/// What rounding to float can do to gap(): 2^-24 of each of two coordinates and of their
/// difference. Infinite, so that every pair is looked at exactly, near the end of float.
float gap_error(const GridWorkspace& w) {
  double largest = 0.0;
  for (const GridLevel& g : w.levels) {
    if (g.count == 0) continue;
    const BoundingBox& c = g.corners;
    for (std::size_t k = 0; k < 3; ++k) {
      largest = std::max({largest, -c.lower[k], c.upper[k] + 1.0 / g.inverse_size});
    }
  }
  if (!(largest < 1e30)) return std::numeric_limits<float>::infinity();
  return static_cast<float>(std::ldexp(largest, -21));
}

class Search {
 public:
  Search(std::span<const BoundingBox> boxes, const GridWorkspace& workspace,
         std::vector<ShapePair>& pairs)
      : boxes_(boxes), w_(workspace), pairs_(pairs), error_(gap_error(workspace)) {
    end_ = pairs_.data();
    last_ = end_ + pairs_.size();
  }

  std::size_t count() const { return static_cast<std::size_t>(end_ - pairs_.data()); }
  void within_dense(const GridLevel& g);
  void within_hashed(const GridLevel& g);
  void across(const GridLevel& fine, const GridLevel& coarse);
  void large();

 private:
  void compare_reserved(const GridItem& item, std::uint32_t begin, std::uint32_t end);
  void compare(const GridItem& item, std::uint32_t begin, std::uint32_t end);
  void compare_row(const GridLevel& g, const GridItem& item, std::int32_t x0, std::int32_t x1,
                   std::int32_t y, std::int32_t z);
  void reserve(std::size_t more) {
    if (static_cast<std::size_t>(last_ - end_) < more) grow(more);
  }
  void grow(std::size_t more) {
    const std::size_t so_far = count();
    pairs_.resize(2 * (so_far + more));
    end_ = pairs_.data() + so_far;
    last_ = pairs_.data() + pairs_.size();
  }
  std::span<const BoundingBox> boxes_;
  const GridWorkspace& w_;
  std::vector<ShapePair>& pairs_;
  ShapePair* end_ = nullptr;
  ShapePair* last_ = nullptr;
  float error_;
};

inline void Search::compare_reserved(const GridItem& item, std::uint32_t begin, std::uint32_t end) {
  const GridItem* const items = w_.items.data();
  ShapePair* to = end_;
  for (std::uint32_t k = begin; k < end; ++k) {
    const GridItem& other = items[k];
    const float d = gap(item, other);
    bool counts = d < 0.0f;
    if (!(std::abs(d) > error_)) [[unlikely]]
      counts = overlap(boxes_[item.id], boxes_[other.id]);
    // Without a branch: the pair is always written, the end moves only if it counts.
    *to = {std::min(item.id, other.id), std::max(item.id, other.id)};
    to += counts ? 1 : 0;
  }
  end_ = to;
}

void Search::compare(const GridItem& item, std::uint32_t begin, std::uint32_t end) {
  reserve(end - begin);
  compare_reserved(item, begin, end);
}

/// Compares an item with those in cells x0..x1 of row (y, z).
void Search::compare_row(const GridLevel& g, const GridItem& item, std::int32_t x0, std::int32_t x1,
                         std::int32_t y, std::int32_t z) {
  if (g.hashed) {
    for (std::int32_t x = x0; x <= x1; ++x) {
      // Most cells are empty, and the bits that say so lie close together.
      const std::uint32_t at = hashed_bucket(g, {x, y, z});
      if (!is_occupied(w_, g, at)) continue;
      compare(item, w_.cell_start[at], w_.cell_start[at + 1]);
    }
  } else {
    const std::uint32_t at = dense_bucket(g, {x0, y, z});
    const auto cells = static_cast<std::uint32_t>(x1 - x0 + 1);
    compare(item, w_.cell_start[at], w_.cell_start[at + cells]);
  }
}

/// Three cells of a row are one range of items: own and next cell, and four rows ahead.
/// This is where the time of a scene with equal bodies goes.
void Search::within_dense(const GridLevel& g) {
  const std::int32_t row[] = {g.stride_y - 1, g.stride_z - g.stride_y - 1, g.stride_z - 1,
                              g.stride_z + g.stride_y - 1};
  const std::uint32_t begin = w_.cell_start[g.first_cell];
  const std::size_t most = g.count;  // partners of one item
  for (std::uint32_t k = begin; k < begin + g.count; ++k) {
    const GridItem item = w_.items[k];
    const std::uint32_t* cell = &w_.cell_start[item.bucket];
    reserve(most);
    compare_reserved(item, k + 1, cell[2]);
    for (const std::int32_t r : row) compare_reserved(item, cell[r], cell[r + 3]);
  }
}

void Search::within_hashed(const GridLevel& g) {
  const std::uint32_t begin = w_.cell_start[g.first_cell];
  for (std::uint32_t k = begin; k < begin + g.count; ++k) {
    const GridItem item = w_.items[k];
    const CellIndex c = cell_at(g, boxes_[item.id].lower);
    compare(item, k + 1, w_.cell_start[item.bucket + 1]);
    compare_row(g, item, c.x + 1, c.x + 1, c.y, c.z);
    compare_row(g, item, c.x - 1, c.x + 1, c.y + 1, c.z);
    for (std::int32_t y = c.y - 1; y <= c.y + 1; ++y) {
      compare_row(g, item, c.x - 1, c.x + 1, y, c.z + 1);
    }
  }
}

void Search::across(const GridLevel& fine, const GridLevel& g) {
  const std::uint32_t begin = w_.cell_start[fine.first_cell];
  for (std::uint32_t k = begin; k < begin + fine.count; ++k) {
    const GridItem item = w_.items[k];
    const BoundingBox& box = boxes_[item.id];
    CellIndex lo = cell_at(g, box.lower), hi = cell_at(g, box.upper);
    lo = {std::max(lo.x - 1, g.lowest.x), std::max(lo.y - 1, g.lowest.y),
          std::max(lo.z - 1, g.lowest.z)};
    hi = {std::min(hi.x, g.highest.x), std::min(hi.y, g.highest.y), std::min(hi.z, g.highest.z)};
    if (lo.x > hi.x) continue;
    for (std::int32_t z = lo.z; z <= hi.z; ++z) {
      for (std::int32_t y = lo.y; y <= hi.y; ++y) compare_row(g, item, lo.x, hi.x, y, z);
    }
  }
}

void Search::large() {
  for (const std::uint32_t i : w_.large) {
    reserve(boxes_.size());
    for (std::uint32_t j = 0; j < boxes_.size(); ++j) {
      // A pair of two large ones is found from the smaller id only.
      if (w_.level_of[j] == kMaxGridLevels && j <= i) continue;
      if (overlap(boxes_[i], boxes_[j])) *end_++ = {std::min(i, j), std::max(i, j)};
    }
  }
}

}  // namespace

std::size_t search_cells(std::span<const BoundingBox> boxes, const GridWorkspace& w,
                         std::vector<ShapePair>& pairs) {
  Search search(boxes, w, pairs);
  for (std::size_t l = 0; l < w.levels.size(); ++l) {
    const GridLevel& level = w.levels[l];
    if (level.count == 0) continue;
    if (level.hashed) search.within_hashed(level);
    if (!level.hashed) search.within_dense(level);
    for (std::size_t c = l + 1; c < w.levels.size(); ++c) {
      if (w.levels[c].count > 0) search.across(level, w.levels[c]);
    }
  }
  search.large();
  return search.count();
}

}  // namespace carom
