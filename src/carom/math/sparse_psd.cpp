#include "carom/math/sparse_psd.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// In a redundant row, where pivots are about one: moves the solution by as much.
constexpr double kNothing = 1e-13;
/// Of the largest diagonal element, for a pivot that fills in less.
constexpr double kPivotShare = 0.1;

}  // namespace

void SparsePsdSolver::begin(std::size_t n) {
  size_ = n;
  given_.clear();
  if (rows_.size() < n) rows_.resize(n), columns_.resize(n);
}

void SparsePsdSolver::set(std::size_t i, std::size_t j, double value) {
  if (value != 0.0) given_.push_back({i, j, value});
}

std::size_t SparsePsdSolver::factor(std::span<const double> scale, double tolerance,
                                    std::size_t max_rank) {
  scale_.assign(scale.begin(), scale.end());
  diagonal_.assign(size_, 0.0);
  done_.assign(size_, false);
  for (std::size_t i = 0; i < size_; ++i) rows_[i].clear();
  for (const Element& e : given_) {
    const double value = e.value * scale_[e.row] * scale_[e.column];
    if (e.row == e.column) {
      diagonal_[e.row] = value;
    } else if (value != 0.0) {
      rows_[e.row].push_back({e.column, value});
      rows_[e.column].push_back({e.row, value});
    }
  }
  order_.clear(), root_.clear(), left_.clear();
  place_.assign(size_, 0);
  // What is left on the diagonal only falls: a row below the tolerance never is a pivot.
  for (std::size_t i = 0; i < size_; ++i) {
    if (diagonal_[i] > tolerance) left_.push_back(i);
  }
  while (order_.size() < max_rank && !left_.empty()) {
    const std::size_t place = choose_pivot();
    const std::size_t pivot = left_[place];
    if (!(diagonal_[pivot] > tolerance)) break;
    left_[place] = left_.back();
    left_.pop_back();
    eliminate(pivot);
  }
  leaves_nothing_ = true;
  for (std::size_t k = 0; k < rank(); ++k) {
    for (const Entry& e : columns_[k]) {
      leaves_nothing_ &= done_[e.index] || std::abs(e.value) < kNothing;
    }
  }
  if (!leaves_nothing_) factor_gram();
  return rank();
}

/// The row with the fewest entries among those whose diagonal is near the largest, in left_.
std::size_t SparsePsdSolver::choose_pivot() const {
  double largest = 0.0;
  for (const std::size_t i : left_) largest = std::max(largest, diagonal_[i]);
  std::size_t best = 0, fewest = static_cast<std::size_t>(-1);
  for (std::size_t k = 0; k < left_.size(); ++k) {
    const std::size_t i = left_[k];
    if (diagonal_[i] < kPivotShare * largest || rows_[i].size() >= fewest) continue;
    best = k, fewest = rows_[i].size();
  }
  return best;
}

/// One column of L, and what it takes from the rest.
void SparsePsdSolver::eliminate(std::size_t pivot) {
  const double root = std::sqrt(diagonal_[pivot]);
  std::vector<Entry>& column = columns_[order_.size()];
  column.clear();
  for (const Entry& e : rows_[pivot]) {
    column.push_back({e.index, e.value / root});
    std::vector<Entry>& row = rows_[e.index];
    const auto place =
        std::find_if(row.begin(), row.end(), [&](const Entry& r) { return r.index == pivot; });
    *place = row.back();
    row.pop_back();
  }
  for (const Entry& a : column) {
    diagonal_[a.index] -= a.value * a.value;
    subtract(a, column);
  }
  done_[pivot] = true;
  order_.push_back(pivot);
  root_.push_back(root);
}

/// Row a of the product of a column with itself, without the diagonal.
void SparsePsdSolver::subtract(const Entry& a, std::span<const Entry> column) {
  std::vector<Entry>& row = rows_[a.index];
  for (std::size_t k = 0; k < row.size(); ++k) place_[row[k].index] = k + 1;
  const std::size_t before = row.size();
  for (const Entry& b : column) {
    if (b.index == a.index) continue;
    const double value = a.value * b.value;
    if (const std::size_t k = place_[b.index]) {
      row[k - 1].value -= value;
    } else {
      row.push_back({b.index, -value});
    }
  }
  for (std::size_t k = 0; k < before; ++k) place_[row[k].index] = 0;
}

/// LᵀL, which is regular by construction.
void SparsePsdSolver::factor_gram() {
  if (!gram_) gram_ = std::make_unique<SparsePsdSolver>();
  if (by_row_.size() < size_) by_row_.resize(size_);
  for (std::size_t i = 0; i < size_; ++i) by_row_[i].clear();
  for (std::size_t k = 0; k < rank(); ++k) {
    by_row_[order_[k]].push_back({k, root_[k]});
    for (const Entry& e : columns_[k]) by_row_[e.index].push_back({k, e.value});
  }
  // Sums of products of rows, column by column of the Gram matrix.
  gram_->begin(rank());
  std::vector<double>& sums = reduced_;
  sums.assign(rank(), 0.0);
  for (std::size_t k = 0; k < rank(); ++k) {
    touched_.clear();
    const auto add = [&](std::size_t row, double factor) {
      for (const Entry& e : by_row_[row]) {
        if (e.index > k) continue;
        if (sums[e.index] == 0.0) touched_.push_back(e.index);
        sums[e.index] += factor * e.value;
      }
    };
    add(order_[k], root_[k]);
    for (const Entry& e : columns_[k]) add(e.index, e.value);
    for (const std::size_t j : touched_) {
      gram_->set(k, j, sums[j]);
      sums[j] = 0.0;
    }
  }
  ones_.assign(rank(), 1.0);
  gram_->factor(ones_, 0.0, rank());
}

void SparsePsdSolver::solve_regular(std::span<double> b) const {
  for (std::size_t k = 0; k < rank(); ++k) {
    const double y = b[order_[k]] /= root_[k];
    for (const Entry& e : columns_[k]) b[e.index] -= e.value * y;
  }
  for (std::size_t k = rank(); k-- > 0;) {
    double& x = b[order_[k]];
    for (const Entry& e : columns_[k]) {
      if (done_[e.index]) x -= e.value * b[e.index];
    }
    x /= root_[k];
  }
}

void SparsePsdSolver::solve_by_gram(std::span<double> b) {
  reduced_.assign(rank(), 0.0);
  for (std::size_t k = 0; k < rank(); ++k) {
    reduced_[k] = root_[k] * b[order_[k]];
    for (const Entry& e : columns_[k]) reduced_[k] += e.value * b[e.index];
  }
  gram_->solve(reduced_);
  gram_->solve(reduced_);
  std::fill(b.begin(), b.end(), 0.0);
  for (std::size_t k = 0; k < rank(); ++k) {
    b[order_[k]] += root_[k] * reduced_[k];
    for (const Entry& e : columns_[k]) b[e.index] += e.value * reduced_[k];
  }
}

void SparsePsdSolver::solve(std::span<double> b) {
  for (std::size_t i = 0; i < size_; ++i) b[i] *= scale_[i];
  if (!leaves_nothing_) {
    solve_by_gram(b);
  } else {
    solve_regular(b);
    for (std::size_t i = 0; i < size_; ++i) {
      if (!done_[i]) b[i] = 0.0;
    }
  }
  for (std::size_t i = 0; i < size_; ++i) b[i] *= scale_[i];
}

void SparsePsdSolver::multiply(std::span<const double> x, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  for (const Element& e : given_) {
    y[e.row] += e.value * x[e.column];
    if (e.row != e.column) y[e.column] += e.value * x[e.row];
  }
}

}  // namespace carom
