#include "carom/proximity/search/grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "carom/proximity/search/grid_cells.h"

namespace carom {
namespace {

/// Fewer boxes than this are compared with all others rather than given a level.
constexpr std::uint32_t kFewBoxes = 8;
/// A level is dense if its cells are at most this many per box (and some to spare).
constexpr std::uint64_t kCellsPerBox = 8, kSpareCells = 4096;
/// Cells are this much larger than their boxes: more than the rounding of l / s within
/// the first 2^30 cells. Beyond, cell indices are clamped, which keeps neighbours.
constexpr double kCellSlack = 1.0 + 1.0 / 1024.0;

double extent(const BoundingBox& b) {
  return std::max(std::max(b.upper.x - b.lower.x, b.upper.y - b.lower.y), b.upper.z - b.lower.z);
}

/// The biased exponent: 2^(e - 1023) <= x < 2^(e - 1022) for normal x.
std::uint32_t octave(double x) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x) >> 52);
}
constexpr std::uint32_t kInfiniteOctave = 2047;
/// The power k with x < 2^k: -1022 for zero, kInfinitePower for infinity.
int power_above(double x) { return static_cast<int>(octave(x)) - 1022; }
constexpr int kInfinitePower = static_cast<int>(kInfiniteOctave) - 1022;

/// So many boxes are few (find_sizes_of_few).
constexpr std::size_t kFewToList = 32;

/// The cell size of the most frequent octave and the largest finite extent; 0 if there is
/// none.
struct Sizes {
  double base = 0.0, largest = 0.0;
};

/// The same of a few boxes, whose octaves are listed: to clear a count for each that there could be
/// took longer than all the rest of the search.
Sizes find_sizes_of_few(std::span<const BoundingBox> boxes) {
  struct Octave {
    std::uint32_t number = 0, count = 0;
    double largest = 0.0;
  };
  std::array<Octave, kFewToList> list;
  std::size_t listed = 0;
  for (const BoundingBox& b : boxes) {
    const double e = extent(b);
    const std::uint32_t o = octave(e);
    if (o == 0 || o >= kInfiniteOctave) continue;
    std::size_t i = 0;
    while (i < listed && list[i].number < o) ++i;
    if (i == listed || list[i].number != o) {
      for (std::size_t k = listed++; k > i; --k) list[k] = list[k - 1];
      list[i] = {o, 0, 0.0};
    }
    ++list[i].count;
    list[i].largest = std::max(list[i].largest, e);
  }
  Sizes sizes;
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < listed; ++i) {
    sizes.largest = list[i].largest;
    if (list[i].count > most) most = list[i].count, sizes.base = kCellSlack * list[i].largest;
  }
  return sizes;
}

Sizes find_sizes(std::span<const BoundingBox> boxes) {
  if (boxes.size() <= kFewToList) return find_sizes_of_few(boxes);
  std::array<std::uint32_t, kInfiniteOctave + 1> count{};
  std::array<double, kInfiniteOctave + 1> largest{};
  std::uint32_t first = kInfiniteOctave, last = 0;  // of few boxes, most octaves are far from any
  for (const BoundingBox& b : boxes) {
    const double e = extent(b);
    const std::uint32_t o = octave(e);
    ++count[o];
    largest[o] = std::max(largest[o], e);
    if (o == 0 || o >= kInfiniteOctave) continue;
    first = std::min(first, o), last = std::max(last, o);
  }
  Sizes sizes;
  std::uint32_t most = 0;
  for (std::uint32_t o = first; o <= last; ++o) {
    if (count[o] > 0) sizes.largest = largest[o];
    if (count[o] > most) most = count[o], sizes.base = kCellSlack * largest[o];
  }
  return sizes;
}

void include(GridLevel& level, const Vec3& corner) {
  Vec3 &lo = level.corners.lower, &hi = level.corners.upper;
  if (level.count++ == 0) lo = hi = corner;
  lo = {std::min(lo.x, corner.x), std::min(lo.y, corner.y), std::min(lo.z, corner.z)};
  hi = {std::max(hi.x, corner.x), std::max(hi.y, corner.y), std::max(hi.z, corner.z)};
}

/// Gives each box its level; the few largest and the infinite ones go to `large`.
void assign_levels(std::span<const BoundingBox> boxes, GridWorkspace& w) {
  w.levels = {};
  w.large.clear();
  w.level_of.resize(boxes.size());
  const Sizes sizes = find_sizes(boxes);
  const double inverse_base = sizes.base > 0.0 ? 1.0 / sizes.base : 1.0;
  const int lowest = power_above(inverse_base * sizes.largest) - kMaxGridLevels + 1;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const int p = power_above(inverse_base * extent(boxes[i]));
    const int level = p == kInfinitePower ? kMaxGridLevels : std::max(p - lowest, 0);
    w.level_of[i] = static_cast<std::uint8_t>(level);
    if (level < kMaxGridLevels) include(w.levels[static_cast<std::size_t>(level)], boxes[i].lower);
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

std::uint64_t dense_cells(GridLevel& level) {
  level.lowest = cell_at(level, level.corners.lower);
  level.highest = cell_at(level, level.corners.upper);
  const auto width = [](std::int32_t lo, std::int32_t hi) { return std::int64_t{hi} - lo + 3; };
  const std::int64_t nx = width(level.lowest.x, level.highest.x);
  const std::int64_t ny = width(level.lowest.y, level.highest.y);
  const std::int64_t nz = width(level.lowest.z, level.highest.z);
  constexpr std::int64_t many = 1 << 30;
  if (nx > many || ny > many || nz > many || nx * ny > many) return many;
  level.stride_y = static_cast<std::int32_t>(nx);
  level.stride_z = static_cast<std::int32_t>(nx * ny);
  return static_cast<std::uint64_t>(nx * ny) * static_cast<std::uint64_t>(nz);
}

/// Dense if that takes few cells, perhaps with cells twice as large as they need be; with a
/// rim of empty ones, so that every box has all its neighbours. Hashed otherwise.
void lay_out(GridLevel& level, std::uint32_t& cells, std::uint32_t& blocks) {
  const std::uint64_t most = kCellsPerBox * level.count + kSpareCells;
  std::uint64_t count = dense_cells(level);
  if (count > most) {
    level.inverse_size *= 0.5;
    count = dense_cells(level);
    if (count > most) level.inverse_size *= 2.0;
  }
  level.hashed = count > most;
  level.first_cell = cells;
  if (level.hashed) {
    dense_cells(level);
    const std::uint32_t own = std::bit_ceil(std::max(level.count / 8, 4u));
    level.block_mask = own - 1;
    level.first_block = blocks;
    blocks += own;
    count = std::uint64_t{64} * own;
  }
  level.cell_count = static_cast<std::uint32_t>(count);
  cells += level.cell_count;
}

GridItem make_item(const BoundingBox& b, std::size_t id, std::uint32_t bucket) {
  const auto f = [](double x) { return static_cast<float>(x); };
  return {{f(b.lower.x), f(b.lower.y), f(b.lower.z)},
          static_cast<std::uint32_t>(id),
          {f(b.upper.x), f(b.upper.y), f(b.upper.z)},
          bucket};
}

/// Items in ascending order of the high bits of their buckets. Counting into all cells at
/// once would jump about in more memory than the caches hold.
void stage(std::span<const BoundingBox> boxes, std::uint32_t cells, GridWorkspace& w) {
  constexpr std::uint32_t kStages = 256;
  const int shift = std::max(0, static_cast<int>(std::bit_width(cells)) - 8);
  std::array<std::uint32_t, kStages + 1> start{};
  w.bucket_of.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (w.level_of[i] == kMaxGridLevels) continue;
    const GridLevel& level = w.levels[w.level_of[i]];
    const CellIndex c = cell_at(level, boxes[i].lower);
    const std::uint32_t at = level.hashed ? hashed_bucket(level, c) : dense_bucket(level, c);
    if (level.hashed) occupancy(w, level, at) |= cell_bit(level, at);
    w.bucket_of[i] = at;
    ++start[(at >> shift) + 1];
  }
  for (std::uint32_t k = 0; k < kStages; ++k) start[k + 1] += start[k];
  w.staged.resize(start[kStages]);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (w.level_of[i] == kMaxGridLevels) continue;
    const std::uint32_t at = w.bucket_of[i];
    w.staged[start[at >> shift]++] = make_item(boxes[i], i, at);
  }
}

/// Counting sort of the boxes into the cells of all levels.
void fill(std::span<const BoundingBox> boxes, GridWorkspace& w) {
  std::uint32_t cells = 0, blocks = 0;
  for (GridLevel& level : w.levels) {
    if (level.count > 0) lay_out(level, cells, blocks);
  }
  w.occupied.assign(blocks, 0);
  stage(boxes, cells, w);
  w.cell_start.assign(cells + 1, 0);
  for (const GridItem& item : w.staged) ++w.cell_start[item.bucket];
  std::uint32_t end = 0;
  for (std::uint32_t& start : w.cell_start) start = end += start;
  w.items.resize(end);
  for (std::size_t k = end; k-- > 0;) w.items[--w.cell_start[w.staged[k].bucket]] = w.staged[k];
}

}  // namespace

std::size_t find_overlaps(std::span<const BoundingBox> boxes, GridWorkspace& w,
                          std::vector<ShapePair>& pairs) {
  assign_levels(boxes, w);
  fill(boxes, w);
  return search_cells(boxes, w, pairs);
}

}  // namespace carom
