// Overlapping boxes by grids of several cell sizes, filled by counting sort.
//
// A box belongs to the level whose cell size s satisfies s / 2 < extent <= s (extent:
// its longest side) and lies in one cell there, that of its lower corner. Then
//   boxes of one level that overlap lie in the same or in neighbouring cells;
//   a smaller box [l, u] can only overlap boxes of a coarser level that lie in the cells
//   floor(l / s) - 1 .. floor(u / s), at most three along each axis.
// Each box visits a bounded number of cells per level, whatever the ratio of sizes. The
// sizes are powers of two times the largest extent of the most frequent octave, so that
// equal boxes fill their cells exactly.
//
// A level whose boxes are spread too thinly for a dense array of cells is hashed: blocks
// of 4 x 4 x 4 cells go to hashed places, and the cell within a block keeps its place.
// Three neighbouring cells differ modulo 4, so neighbours never share a bucket, and a
// pair is neither lost nor found twice.
//
// The few largest boxes, infinite ones among them, are compared with all.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/geometry/core.h"

namespace carom {

struct CellIndex {
  std::int32_t x = 0, y = 0, z = 0;
};

/// A box in the order of the cells, rounded to float: what is compared again and again
/// should lie close together. Where rounding could matter the box itself is asked.
struct GridItem {
  float lower[3];
  std::uint32_t id;
  float upper[3];
  std::uint32_t bucket;
};

struct GridLevel {
  double inverse_size = 0.0;  ///< 1 / s [1/m]
  std::uint32_t count = 0;    ///< boxes
  BoundingBox corners{};      ///< of their lower corners
  CellIndex lowest, highest;  ///< of their cells
  bool hashed = false;
  std::int32_t stride_y = 0, stride_z = 0;  ///< of the dense array, which is one cell wider
  std::uint32_t block_mask = 0;             ///< of the hashed one: its number of blocks - 1
  std::uint32_t first_block = 0;
  std::uint32_t first_cell = 0, cell_count = 0;
};

inline constexpr int kMaxGridLevels = 32;  ///< sizes 2^31 : 1; smaller boxes share the finest

struct GridWorkspace {
  std::array<GridLevel, kMaxGridLevels> levels;  ///< [0] is the finest
  std::vector<std::uint32_t> cell_start;         ///< items of cell c: [c], [c + 1)
  std::vector<GridItem> items, staged;
  std::vector<std::uint64_t> occupied;   ///< hashed levels: a bit per cell of a block
  std::vector<std::uint32_t> bucket_of;  ///< by id
  std::vector<std::uint8_t> level_of;    ///< by id; kMaxGridLevels: large
  std::vector<std::uint32_t> large;      ///< ids compared with all
};

struct ShapePair {
  std::uint32_t a = 0, b = 0;  ///< a < b
  bool operator==(const ShapePair&) const = default;
};

/// Every overlapping pair of `boxes` (touching counts) once, in no particular order: the
/// first of `pairs`, as many as the function returns. The rest is room for more, which is
/// not cleared. Boxes have lower <= upper and no NaN.
std::size_t find_overlaps(std::span<const BoundingBox> boxes, GridWorkspace& workspace,
                          std::vector<ShapePair>& pairs);

}  // namespace carom
