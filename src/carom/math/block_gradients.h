// Preconditioned conjugate gradients for a symmetric positive matrix of small dense blocks.
//
//   A = D + L + L',   preconditioned by (D + L) D⁻¹ (D + L)'                            (1)
//
// D are the diagonal blocks, L what lies below them, one block per pair that is joined; pairs that
// are joined twice have two. (1) is one sweep of Gauss and Seidel forwards and one backwards: it
// hands a load on through a pile within an iteration, where D alone takes one per layer.
//
//   system.begin(blocks);  k = system.join(a, b);  fill diagonal(i), between(k)
//   count = system.solve(rhs, share, most, x);
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace carom {

class BlockGradients {
 public:
  /// Forgets everything; `sizes` of the diagonal blocks, in the order of the unknowns.
  void begin(std::span<const std::size_t> sizes);
  /// Joins two different blocks; the number of the block between them.
  std::size_t join(std::size_t a, std::size_t b);
  std::size_t size() const { return total_; }

  /// Row by row; solve() leaves the factors of D there.
  double* diagonal(std::size_t i) { return &diagonal_[blocks_[i].matrix]; }
  /// Adds w a b' between the blocks that were joined as (a, b).
  void add_between(std::size_t k, const double* a, const double* b, double w);
  void clear_between();

  /// x with |rhs - A x| down to `share` of |rhs| in the norm of (1); iterations that it took.
  int solve(std::span<const double> rhs, double share, int most, std::span<double> x);

 private:
  struct Block {
    std::size_t start = 0, size = 0, matrix = 0;
    std::size_t first = 0, count = 0;  ///< of its blocks of L, in order_
  };
  struct Joint {
    std::size_t row = 0, column = 0, matrix = 0;
    bool is_turned = false;  ///< joined as (column, row)
    bool is_empty = true;    ///< nothing was added
  };
  void sort_joints();
  void multiply(std::span<const double> x, std::span<double> y) const;
  void precondition(std::span<const double> r, std::span<double> z);

  std::vector<Block> blocks_;
  std::vector<Joint> joints_;
  std::vector<std::size_t> order_;  ///< joints that hold something, by their rows
  std::vector<double> diagonal_, factor_, between_;
  std::vector<double> r_, z_, d_, q_, behind_;
  std::size_t total_ = 0;
};

}  // namespace carom
