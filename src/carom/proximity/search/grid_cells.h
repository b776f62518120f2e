// Where cells lie in the arrays of a grid; for grid.cpp and grid_search.cpp only.
#pragma once

#include <algorithm>

#include "carom/proximity/search/grid.h"

namespace carom {

inline constexpr double kLastCell = 1 << 30;

/// floor(x) clamped. A conversion and a correction: without SSE 4.1 floor() is a call.
inline std::int32_t floor_cell(double x) {
  const double clamped = std::clamp(x, -kLastCell, kLastCell);
  const auto i = static_cast<std::int32_t>(clamped);
  return i - (i > clamped ? 1 : 0);
}
inline CellIndex cell_at(const GridLevel& level, const Vec3& p) {
  const double k = level.inverse_size;
  return {floor_cell(k * p.x), floor_cell(k * p.y), floor_cell(k * p.z)};
}

inline std::uint32_t dense_bucket(const GridLevel& g, const CellIndex& c) {
  const std::int32_t at = (c.x - g.lowest.x + 1) + (c.y - g.lowest.y + 1) * g.stride_y +
                          (c.z - g.lowest.z + 1) * g.stride_z;
  return g.first_cell + static_cast<std::uint32_t>(at);
}
inline std::uint32_t hashed_bucket(const GridLevel& g, const CellIndex& c) {
  const auto block = [](std::int32_t i) { return static_cast<std::uint64_t>(i >> 2); };
  std::uint64_t h = block(c.x) * 0x9E3779B97F4A7C15u + block(c.y) * 0xC2B2AE3D27D4EB4Fu +
                    block(c.z) * 0x165667B19E3779F9u;
  h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93u;
  const auto place = static_cast<std::uint32_t>(h >> 32) & g.block_mask;
  const auto inner = static_cast<std::uint32_t>((c.x & 3) | (c.y & 3) << 2 | (c.z & 3) << 4);
  return g.first_cell + 64 * place + inner;
}

/// The block of a hashed cell, as bits of its cells; and the bit of that cell.
inline std::uint64_t& occupancy(GridWorkspace& w, const GridLevel& g, std::uint32_t bucket) {
  return w.occupied[g.first_block + (bucket - g.first_cell) / 64];
}
inline std::uint64_t cell_bit(const GridLevel& g, std::uint32_t bucket) {
  return std::uint64_t{1} << ((bucket - g.first_cell) & 63);
}
inline bool is_occupied(const GridWorkspace& w, const GridLevel& g, std::uint32_t bucket) {
  return (w.occupied[g.first_block + (bucket - g.first_cell) / 64] & cell_bit(g, bucket)) != 0;
}

/// find_overlaps() for boxes that have been sorted into `workspace`.
std::size_t search_cells(std::span<const BoundingBox> boxes, const GridWorkspace& workspace,
                         std::vector<ShapePair>& pairs);

}  // namespace carom
