#include "carom/proximity/grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace carom {
namespace {

/// Fewer boxes than this are compared with all others rather than given a level.
constexpr std::uint32_t kFewBoxes = 8;
/// A level is dense if its cells are at most this many per box (and some to spare).
constexpr std::uint64_t kCellsPerBox = 8, kSpareCells = 4096;
/// Cells are this much larger than their boxes: more than the rounding of l / s within
/// the first 2^30 cells. Beyond, cell indices are clamped, which keeps neighbours.
constexpr double kCellSlack = 1.0 + 1.0 / 1024.0;
constexpr double kLastCell = 1 << 30;

double extent(const BoundingBox& b) {
  return std::max({b.upper.x - b.lower.x, b.upper.y - b.lower.y, b.upper.z - b.lower.z});
}

/// The biased exponent: 2^(e - 1023) <= x < 2^(e - 1022) for normal x.
std::uint32_t octave(double x) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x) >> 52);
}
constexpr std::uint32_t kInfiniteOctave = 2047;

/// floor(x) clamped. A conversion and a correction: without SSE 4.1 floor() is a call.
std::int32_t floor_cell(double x) {
  const double clamped = std::clamp(x, -kLastCell, kLastCell);
  const auto i = static_cast<std::int32_t>(clamped);
  return i - (i > clamped ? 1 : 0);
}
CellIndex cell_at(const GridLevel& level, const Vec3& p) {
  const double k = level.inverse_size;
  return {floor_cell(k * p.x), floor_cell(k * p.y), floor_cell(k * p.z)};
}

/// 1 if the boxes overlap, without branches: the outcome is hard to predict.
unsigned overlap(const BoundingBox& a, const BoundingBox& b) {
  const auto le = [](double x, double y) { return static_cast<unsigned>(x <= y); };
  return le(a.lower.x, b.upper.x) & le(b.lower.x, a.upper.x) & le(a.lower.y, b.upper.y) &
         le(b.lower.y, a.upper.y) & le(a.lower.z, b.upper.z) & le(b.lower.z, a.upper.z);
}

/// Appends without a branch: the pair is always written, the end moves only if it counts.
class PairSink {
 public:
  explicit PairSink(std::vector<ShapePair>& pairs) : pairs_(pairs) {
    pairs_.resize(std::max<std::size_t>(pairs_.capacity(), 64));
  }
  ~PairSink() { pairs_.resize(count_); }
  PairSink(const PairSink&) = delete;
  PairSink& operator=(const PairSink&) = delete;

  void reserve(std::size_t more) {
    if (count_ + more > pairs_.size()) pairs_.resize(2 * (count_ + more));
  }
  void put(std::uint32_t i, std::uint32_t j, unsigned counts) {
    pairs_[count_] = {std::min(i, j), std::max(i, j)};
    count_ += counts;
  }

 private:
  std::vector<ShapePair>& pairs_;
  std::size_t count_ = 0;
};

/// How the boxes are spread over sizes, by octave of their extent.
struct SizeClasses {
  std::array<std::uint32_t, kInfiniteOctave + 1> count{};
  std::array<double, kInfiniteOctave + 1> largest{};
};

/// The cell size of the most frequent octave; 0 if there is no finite box.
double base_size(std::span<const BoundingBox> boxes) {
  SizeClasses classes;
  for (const BoundingBox& b : boxes) {
    const double e = extent(b);
    const std::uint32_t o = octave(e);
    ++classes.count[o];
    classes.largest[o] = std::max(classes.largest[o], e);
  }
  std::uint32_t best = 1;
  for (std::uint32_t o = 2; o < kInfiniteOctave; ++o) {
    if (classes.count[o] > classes.count[best]) best = o;
  }
  return kCellSlack * classes.largest[best];
}

/// The power k with extent < 2^k base: -1022 for points, past all levels for infinite ones.
int size_power(double extent_over_base) {
  return static_cast<int>(octave(extent_over_base)) - 1022;
}

/// Gives each box its level; the few largest and the infinite ones go to `large`.
void assign_levels(std::span<const BoundingBox> boxes, GridWorkspace& w) {
  w.levels = {};
  w.large.clear();
  const double base = base_size(boxes);
  const double inverse_base = base > 0.0 ? 1.0 / base : 1.0;
  const auto power = [&](std::size_t i) { return size_power(inverse_base * extent(boxes[i])); };

  int top = -2000;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const int p = power(i);
    if (p < 1000) top = std::max(top, p);
  }
  const int lowest = top - kMaxGridLevels + 1;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const int p = power(i);
    w.level_of[i] = static_cast<std::uint8_t>(p < 1000 ? std::max(p - lowest, 0) : kMaxGridLevels);
    if (p < 1000) ++w.levels[w.level_of[i]].count;
  }
  int used = kMaxGridLevels;
  for (std::uint32_t few = 0; used > 0; --used) {
    few += w.levels[static_cast<std::size_t>(used - 1)].count;
    if (few > kFewBoxes) break;
  }
  for (int l = 0; l < kMaxGridLevels; ++l) {
    GridLevel& level = w.levels[static_cast<std::size_t>(l)];
    level.inverse_size = std::ldexp(inverse_base, -(lowest + l));
    if (l >= used) level.count = 0;
  }
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    if (w.level_of[i] < used) continue;
    w.level_of[i] = kMaxGridLevels;
    w.large.push_back(i);
  }
}

void find_cells(std::span<const BoundingBox> boxes, GridWorkspace& w) {
  constexpr std::int32_t far = 1 << 30;
  for (GridLevel& level : w.levels) {
    level.lowest = {far, far, far};
    level.highest = {-far, -far, -far};
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (w.level_of[i] == kMaxGridLevels) continue;
    GridLevel& level = w.levels[w.level_of[i]];
    const CellIndex c = cell_at(level, boxes[i].lower);
    w.cell_of[i] = c;
    CellIndex &lo = level.lowest, &hi = level.highest;
    lo = {std::min(lo.x, c.x), std::min(lo.y, c.y), std::min(lo.z, c.z)};
    hi = {std::max(hi.x, c.x), std::max(hi.y, c.y), std::max(hi.z, c.z)};
  }
}

/// Dense if that takes few cells, with a rim of empty ones so that every box has all its
/// neighbours; hashed otherwise.
std::uint32_t lay_out(GridLevel& level, std::uint32_t first_cell) {
  const auto width = [](std::int32_t lo, std::int32_t hi) {
    return static_cast<std::uint64_t>(std::int64_t{hi} - lo + 3);
  };
  const std::uint64_t nx = width(level.lowest.x, level.highest.x);
  const std::uint64_t ny = width(level.lowest.y, level.highest.y);
  const std::uint64_t nz = width(level.lowest.z, level.highest.z);
  const std::uint64_t most = kCellsPerBox * level.count + kSpareCells;
  level.first_cell = first_cell;
  level.hashed = nx > most || nx * ny > most || nx * ny * nz > most;
  if (level.hashed) {
    const std::uint32_t blocks = std::bit_ceil(std::max(level.count / 8, 4u));
    level.block_mask = blocks - 1;
    level.cell_count = 64 * blocks;
  } else {
    level.stride_y = static_cast<std::int32_t>(nx);
    level.stride_z = static_cast<std::int32_t>(nx * ny);
    level.cell_count = static_cast<std::uint32_t>(nx * ny * nz);
  }
  return first_cell + level.cell_count;
}

std::uint32_t dense_bucket(const GridLevel& g, const CellIndex& c) {
  const std::int32_t at = (c.x - g.lowest.x + 1) + (c.y - g.lowest.y + 1) * g.stride_y +
                          (c.z - g.lowest.z + 1) * g.stride_z;
  return g.first_cell + static_cast<std::uint32_t>(at);
}
std::uint32_t hashed_bucket(const GridLevel& g, const CellIndex& c) {
  const auto block = [](std::int32_t i) { return static_cast<std::uint64_t>(i >> 2); };
  std::uint64_t h = block(c.x) * 0x9E3779B97F4A7C15u + block(c.y) * 0xC2B2AE3D27D4EB4Fu +
                    block(c.z) * 0x165667B19E3779F9u;
  h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93u;
  const auto place = static_cast<std::uint32_t>(h >> 32) & g.block_mask;
  const auto inner = static_cast<std::uint32_t>((c.x & 3) | (c.y & 3) << 2 | (c.z & 3) << 4);
  return g.first_cell + 64 * place + inner;
}
std::uint32_t bucket(const GridLevel& g, const CellIndex& c) {
  return g.hashed ? hashed_bucket(g, c) : dense_bucket(g, c);
}

/// Counting sort of the boxes into the cells of all levels.
void fill(std::span<const BoundingBox> boxes, GridWorkspace& w) {
  std::uint32_t cells = 0;
  for (GridLevel& level : w.levels) {
    if (level.count > 0) cells = lay_out(level, cells);
  }
  w.cell_start.assign(cells + 1, 0);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (w.level_of[i] == kMaxGridLevels) continue;
    const std::uint32_t at = bucket(w.levels[w.level_of[i]], w.cell_of[i]);
    w.bucket_of[i] = at;
    ++w.cell_start[at];
  }
  std::uint32_t end = 0;
  for (std::uint32_t& start : w.cell_start) start = end += start;
  // Backwards, so that boxes of one cell keep the order of their ids.
  w.items.resize(end);
  for (std::size_t i = boxes.size(); i-- > 0;) {
    if (w.level_of[i] == kMaxGridLevels) continue;
    const std::uint32_t at = --w.cell_start[w.bucket_of[i]];
    w.items[at] = {boxes[i], w.cell_of[i], static_cast<std::uint32_t>(i)};
  }
}

void compare_range(const GridWorkspace& w, const GridItem& item, std::uint32_t begin,
                   std::uint32_t end, PairSink& sink) {
  sink.reserve(end - begin);
  for (std::uint32_t k = begin; k < end; ++k) {
    const GridItem& other = w.items[k];
    sink.put(item.id, other.id, overlap(item.box, other.box));
  }
}

/// Compares an item with those in cells x0..x1 of row (y, z).
void compare_row(const GridWorkspace& w, const GridLevel& g, const GridItem& item, std::int32_t x0,
                 std::int32_t x1, std::int32_t y, std::int32_t z, PairSink& sink) {
  if (g.hashed) {
    for (std::int32_t x = x0; x <= x1; ++x) {
      const std::uint32_t at = hashed_bucket(g, {x, y, z});
      compare_range(w, item, w.cell_start[at], w.cell_start[at + 1], sink);
    }
  } else {
    const std::uint32_t at = dense_bucket(g, {x0, y, z});
    const auto cells = static_cast<std::uint32_t>(x1 - x0 + 1);
    compare_range(w, item, w.cell_start[at], w.cell_start[at + cells], sink);
  }
}

/// Pairs within a level: the rest of the own cell, and half of the neighbours.
void compare_within(const GridWorkspace& w, const GridLevel& g, PairSink& sink) {
  const std::uint32_t begin = w.cell_start[g.first_cell];
  for (std::uint32_t k = begin; k < begin + g.count; ++k) {
    const GridItem& item = w.items[k];
    const CellIndex& c = item.cell;
    const std::uint32_t own = bucket(g, c);
    compare_range(w, item, k + 1, w.cell_start[own + 1], sink);
    compare_row(w, g, item, c.x + 1, c.x + 1, c.y, c.z, sink);
    compare_row(w, g, item, c.x - 1, c.x + 1, c.y + 1, c.z, sink);
    for (std::int32_t y = c.y - 1; y <= c.y + 1; ++y) {
      compare_row(w, g, item, c.x - 1, c.x + 1, y, c.z + 1, sink);
    }
  }
}

/// Pairs of a box of level `fine` and one of the coarser level `g`.
void compare_across(const GridWorkspace& w, const GridLevel& fine, const GridLevel& g,
                    PairSink& sink) {
  const std::uint32_t begin = w.cell_start[fine.first_cell];
  for (std::uint32_t k = begin; k < begin + fine.count; ++k) {
    const GridItem& item = w.items[k];
    CellIndex lo = cell_at(g, item.box.lower), hi = cell_at(g, item.box.upper);
    lo = {std::max(lo.x - 1, g.lowest.x), std::max(lo.y - 1, g.lowest.y),
          std::max(lo.z - 1, g.lowest.z)};
    hi = {std::min(hi.x, g.highest.x), std::min(hi.y, g.highest.y), std::min(hi.z, g.highest.z)};
    if (lo.x > hi.x) continue;
    for (std::int32_t z = lo.z; z <= hi.z; ++z) {
      for (std::int32_t y = lo.y; y <= hi.y; ++y) compare_row(w, g, item, lo.x, hi.x, y, z, sink);
    }
  }
}

void compare_large(std::span<const BoundingBox> boxes, const GridWorkspace& w, PairSink& sink) {
  for (const std::uint32_t i : w.large) {
    sink.reserve(boxes.size());
    const BoundingBox box = boxes[i];
    for (std::uint32_t j = 0; j < boxes.size(); ++j) {
      // A pair of two large ones is found from the smaller id only.
      const unsigned twice = static_cast<unsigned>(w.level_of[j] == kMaxGridLevels && j <= i);
      sink.put(i, j, overlap(box, boxes[j]) & (twice ^ 1u));
    }
  }
}

}  // namespace

void find_overlaps(std::span<const BoundingBox> boxes, GridWorkspace& w,
                   std::vector<ShapePair>& pairs) {
  w.level_of.resize(boxes.size());
  w.cell_of.resize(boxes.size());
  w.bucket_of.resize(boxes.size());
  assign_levels(boxes, w);
  find_cells(boxes, w);
  fill(boxes, w);
  PairSink sink(pairs);
  for (std::size_t l = 0; l < w.levels.size(); ++l) {
    if (w.levels[l].count == 0) continue;
    compare_within(w, w.levels[l], sink);
    for (std::size_t c = l + 1; c < w.levels.size(); ++c) {
      if (w.levels[c].count > 0) compare_across(w, w.levels[l], w.levels[c], sink);
    }
  }
  compare_large(boxes, w, sink);
}

}  // namespace carom
