#include "carom/integrate/column_colouring.h"

#include <algorithm>

namespace carom {
namespace {

/// Columns of each row: the pattern's transpose.
SparsePattern transpose(const SparsePattern& pattern) {
  const std::size_t n = pattern.start.size() - 1;
  SparsePattern rows;
  rows.start.assign(n + 1, 0);
  for (const int row : pattern.rows) ++rows.start[static_cast<std::size_t>(row) + 1];
  for (std::size_t i = 0; i < n; ++i) rows.start[i + 1] += rows.start[i];
  rows.rows.resize(pattern.rows.size());
  std::vector<int> next(rows.start.begin(), rows.start.end() - 1);
  for (std::size_t j = 0; j < n; ++j) {
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
      const auto row = static_cast<std::size_t>(pattern.rows[static_cast<std::size_t>(k)]);
      rows.rows[static_cast<std::size_t>(next[row]++)] = static_cast<int>(j);
    }
  }
  return rows;
}

}  // namespace

SparsePattern with_diagonal(const SparsePattern& pattern) {
  const std::size_t n = pattern.start.size() - 1;
  SparsePattern full;
  full.start.push_back(0);
  full.rows.reserve(pattern.rows.size() + n);
  for (std::size_t j = 0; j < n; ++j) {
    const auto first = static_cast<std::ptrdiff_t>(full.rows.size());
    full.rows.insert(full.rows.end(), pattern.rows.begin() + pattern.start[j],
                     pattern.rows.begin() + pattern.start[j + 1]);
    full.rows.push_back(static_cast<int>(j));
    std::sort(full.rows.begin() + first, full.rows.end());
    full.rows.erase(std::unique(full.rows.begin() + first, full.rows.end()), full.rows.end());
    full.start.push_back(static_cast<int>(full.rows.size()));
  }
  return full;
}

ColumnColouring colour_columns(const SparsePattern& pattern) {
  const std::size_t n = pattern.start.size() - 1;
  const SparsePattern by_row = transpose(pattern);
  std::vector<int> colour(n, -1);
  std::vector<std::size_t> taken_for;  // [colour]: the last column it was refused to, plus 1
  for (std::size_t j = 0; j < n; ++j) {
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
      const auto row = static_cast<std::size_t>(pattern.rows[static_cast<std::size_t>(k)]);
      for (int m = by_row.start[row]; m < by_row.start[row + 1]; ++m) {
        const int other =
            colour[static_cast<std::size_t>(by_row.rows[static_cast<std::size_t>(m)])];
        if (other >= 0) taken_for[static_cast<std::size_t>(other)] = j + 1;
      }
    }
    const auto free = std::find_if(taken_for.begin(), taken_for.end(),
                                   [&](std::size_t column) { return column != j + 1; });
    colour[j] = static_cast<int>(free - taken_for.begin());
    if (free == taken_for.end()) taken_for.push_back(0);
  }

  ColumnColouring result;
  result.start.assign(taken_for.size() + 1, 0);
  for (const int c : colour) ++result.start[static_cast<std::size_t>(c) + 1];
  for (std::size_t c = 0; c < taken_for.size(); ++c) result.start[c + 1] += result.start[c];
  result.columns.resize(n);
  std::vector<int> next(result.start.begin(), result.start.end() - 1);
  for (std::size_t j = 0; j < n; ++j) {
    const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(colour[j])]++);
    result.columns[place] = static_cast<int>(j);
  }
  return result;
}

}  // namespace carom
