// Rank-revealing solution of small symmetric positive semidefinite systems.
//
//   W x = b,   P (S W S) Pᵀ = L Lᵀ,   S = diag(W)^(-1/2)                        (1)
//
// Cholesky with diagonal pivoting stops where the largest remaining pivot falls
// below the tolerance; the rest are redundant rows. With rank r < n the solution is
// the one of minimum norm in the scaled unknowns, S⁻¹x = L (LᵀL)⁻² Lᵀ P S b. No
// allocation after construction.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace carom {

class PsdSolver {
 public:
  explicit PsdSolver(std::size_t max_size);

  /// Factors the n × n matrix W (row-major, symmetric). Returns its rank, which is at most
  /// `max_rank` where the caller knows better than rounding.
  std::size_t factor(std::span<const double> W, std::size_t n, double tolerance = 1e-12,
                     std::size_t max_rank = static_cast<std::size_t>(-1));
  /// The same with S given: rows that are small by nature, and not by their unit, stay small.
  std::size_t factor_scaled(std::span<const double> W, std::span<const double> scale,
                            double tolerance, std::size_t max_rank);
  /// Solves in place; for rank-deficient W in the least-squares sense.
  void solve(std::span<double> b);

  std::size_t rank() const { return rank_; }
  /// Ratio of the smallest to the largest accepted pivot of the scaled matrix.
  double pivot_ratio() const { return pivot_ratio_; }
  /// Rows found redundant, by their index in W.
  std::span<const std::size_t> redundant_rows() const {
    return std::span<const std::size_t>(order_).subspan(rank_, size_ - rank_);
  }

 private:
  double& at(std::size_t i, std::size_t j) { return L_[i * size_ + j]; }
  std::size_t eliminate(std::span<const double> W, double tolerance, std::size_t max_rank);
  void factor_gram();

  std::size_t size_ = 0, rank_ = 0;
  double pivot_ratio_ = 1.0;
  std::vector<double> L_, gram_, scale_, work_, reduced_;
  std::vector<std::size_t> order_;
};

}  // namespace carom
