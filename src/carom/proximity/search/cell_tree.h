// The tree of cells of a smooth surface, grown further where a search asks for it.
#pragma once

#include <deque>
#include <unordered_map>

#include "carom/geometry/smooth_surface.h"

namespace carom {

class CellTree {
 public:
  explicit CellTree(const SmoothSurface& surface) : surface_(surface) {}

  const SmoothSurface& surface() const { return surface_; }
  const CellNode& node(std::uint32_t i) const {
    const std::size_t known = surface_.tree().size();
    return i < known ? surface_.tree()[i] : grown_[i - known];
  }
  /// The first child of a node and how many there are; a leaf is split, once.
  struct Children {
    std::uint32_t first = 0, count = 0;
    bool is_whole = false;  ///< it cannot be split: a cell at a pole
  };
  Children children(std::uint32_t i) {
    const CellNode& at = node(i);
    if (at.count > 0) return {at.first, at.count};
    if (const auto known = splits_.find(i); known != splits_.end()) return known->second;
    const auto known = static_cast<std::uint32_t>(surface_.tree().size());
    const std::vector<SurfaceCell> parts = surface_.split(at.cell);
    Children out{known + static_cast<std::uint32_t>(grown_.size()), 0, parts.empty()};
    for (const SurfaceCell& part : parts) {
      const CellNode made = surface_.find_node(part);
      if (!made.bounds.is_empty) grown_.push_back(made), ++out.count;
    }
    splits_[i] = out;
    return out;
  }
  std::size_t grown() const { return grown_.size(); }

  /// Whether a cell is a ten-thousandth of the whole along every parameter.
  bool is_small(const SurfaceCell& cell) const {
    constexpr double kSmall = 1e-4;
    const SurfaceCell& whole = surface_.tree()[0].cell;
    for (std::size_t i = 0; i < 3; ++i) {
      if (cell.s[i].width() > kSmall * whole.s[i].width()) return false;
    }
    return true;
  }

 private:
  const SmoothSurface& surface_;
  std::deque<CellNode> grown_;
  std::unordered_map<std::uint32_t, Children> splits_;
};

}  // namespace carom
