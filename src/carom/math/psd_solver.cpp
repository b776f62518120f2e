#include "carom/math/psd_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom {

PsdSolver::PsdSolver(std::size_t n)
    : L_(n * n), gram_(n * n), scale_(n), work_(n), reduced_(n), order_(n) {}

std::size_t PsdSolver::factor(std::span<const double> W, std::size_t n, double tolerance,
                              std::size_t max_rank) {
  size_ = n;
  for (std::size_t i = 0; i < n; ++i) {
    const double d = W[i * n + i];
    scale_[i] = d > 0.0 ? 1.0 / std::sqrt(d) : 0.0;
  }
  return eliminate(W, tolerance, max_rank);
}

std::size_t PsdSolver::factor_scaled(std::span<const double> W, std::span<const double> scale,
                                     double tolerance, std::size_t max_rank) {
  size_ = scale.size();
  std::copy(scale.begin(), scale.end(), scale_.begin());
  return eliminate(W, tolerance, max_rank);
}

std::size_t PsdSolver::eliminate(std::span<const double> W, double tolerance,
                                 std::size_t max_rank) {
  const std::size_t n = size_;
  for (std::size_t i = 0; i < n; ++i) order_[i] = i;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) at(i, j) = W[i * n + j] * scale_[i] * scale_[j];
  }
  double largest = 0.0, smallest = 1.0;
  rank_ = 0;
  for (std::size_t k = 0; k < std::min(n, max_rank); ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (at(i, i) > at(pivot, pivot)) pivot = i;
    }
    if (!(at(pivot, pivot) > tolerance)) break;
    if (pivot != k) {
      for (std::size_t j = 0; j < n; ++j) std::swap(at(k, j), at(pivot, j));
      for (std::size_t i = 0; i < n; ++i) std::swap(at(i, k), at(i, pivot));
      std::swap(order_[k], order_[pivot]);
    }
    const double root = std::sqrt(at(k, k));
    largest = std::max(largest, root * root);
    smallest = std::min(smallest, root * root);
    at(k, k) = root;
    for (std::size_t i = k + 1; i < n; ++i) at(i, k) /= root;
    for (std::size_t i = k + 1; i < n; ++i) {
      for (std::size_t j = k + 1; j <= i; ++j) {
        at(i, j) -= at(i, k) * at(j, k);
        at(j, i) = at(i, j);
      }
    }
    ++rank_;
  }
  pivot_ratio_ = largest > 0.0 ? smallest / largest : 0.0;
  if (rank_ < n) factor_gram();
  return rank_;
}

/// Cholesky of the r × r matrix LᵀL, which is regular by construction.
void PsdSolver::factor_gram() {
  const std::size_t r = rank_;
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double s = 0.0;
      for (std::size_t k = i; k < size_; ++k) s += at(k, i) * at(k, j);
      for (std::size_t k = 0; k < j; ++k) s -= gram_[i * size_ + k] * gram_[j * size_ + k];
      gram_[i * size_ + j] = i == j ? std::sqrt(s) : s / gram_[j * size_ + j];
    }
  }
}

void PsdSolver::solve(std::span<double> b) {
  const std::size_t n = size_, r = rank_;
  for (std::size_t i = 0; i < n; ++i) work_[i] = b[order_[i]] * scale_[order_[i]];
  if (r == n) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) work_[i] -= at(i, k) * work_[k];
      work_[i] /= at(i, i);
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) work_[i] -= at(k, i) * work_[k];
      work_[i] /= at(i, i);
    }
  } else {
    for (std::size_t j = 0; j < r; ++j) {
      double s = 0.0;
      for (std::size_t k = j; k < n; ++k) s += at(k, j) * work_[k];
      reduced_[j] = s;
    }
    for (int twice = 0; twice < 2; ++twice) {
      for (std::size_t i = 0; i < r; ++i) {
        for (std::size_t k = 0; k < i; ++k) reduced_[i] -= gram_[i * n + k] * reduced_[k];
        reduced_[i] /= gram_[i * n + i];
      }
      for (std::size_t i = r; i-- > 0;) {
        for (std::size_t k = i + 1; k < r; ++k) reduced_[i] -= gram_[k * n + i] * reduced_[k];
        reduced_[i] /= gram_[i * n + i];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      double s = 0.0;
      for (std::size_t j = 0; j < r && j <= i; ++j) s += at(i, j) * reduced_[j];
      work_[i] = s;
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[order_[i]] = work_[i] * scale_[order_[i]];
}

}  // namespace carom
