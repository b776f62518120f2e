// Rank-revealing solution of large sparse symmetric positive semidefinite systems: what
// psd_solver.h does, in time proportional to the entries and their fill.
//
//   W x = b,   P (S W S) Pᵀ = L Lᵀ                                              (1)
//
// Cholesky on lists of entries; of the rows whose diagonal element is within a factor of ten of the
// largest, the one with the fewest entries is the pivot. Rows that remain where
// the pivots fall below the tolerance are redundant. If nothing of them is left in L they are zero;
// otherwise the solution of minimum norm needs the Gram matrix, x = S L (LᵀL)⁻² Lᵀ S b, which is
// sparse too and goes through the same elimination. Chains of loops fill in by a constant factor;
// memory is kept from one system to the next.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace carom {

class SparsePsdSolver {
 public:
  /// Begins a system of n rows without entries.
  void begin(std::size_t n);
  /// Sets W(i, j) = W(j, i), once for each pair.
  void set(std::size_t i, std::size_t j, double value);
  /// Factors what was set; as PsdSolver::factor_scaled.
  std::size_t factor(std::span<const double> scale, double tolerance, std::size_t max_rank);
  void solve(std::span<double> b);
  /// W x, of the system that was set.
  void multiply(std::span<const double> x, std::span<double> y) const;

  std::size_t rank() const { return order_.size(); }

 private:
  struct Entry {
    std::size_t index = 0;
    double value = 0.0;
  };
  struct Element {
    std::size_t row = 0, column = 0;
    double value = 0.0;
  };

  void eliminate(std::size_t pivot);
  std::size_t choose_pivot() const;
  void subtract(const Entry& a, std::span<const Entry> column);
  void factor_gram();
  void solve_regular(std::span<double> b) const;
  void solve_by_gram(std::span<double> b);

  std::size_t size_ = 0;
  std::vector<Element> given_;
  std::vector<std::vector<Entry>> rows_;     ///< what is left, both triangles, without diagonal
  std::vector<double> diagonal_, scale_;     ///< of what is left; S
  std::vector<std::size_t> order_;           ///< pivots
  std::vector<double> root_;                 ///< diagonal of L, per pivot
  std::vector<std::vector<Entry>> columns_;  ///< of L below the diagonal, per pivot
  std::vector<bool> done_;
  std::vector<std::size_t> left_, place_;  ///< possible pivots; where a row has an index, plus one
  bool leaves_nothing_ = true;             ///< redundant rows of L are zero
  std::unique_ptr<SparsePsdSolver> gram_;
  std::vector<std::vector<Entry>> by_row_;  ///< L by rows, for the Gram matrix
  std::vector<double> reduced_, ones_;
  std::vector<std::size_t> touched_;
};

}  // namespace carom
