// Preconditioned conjugate gradients for a symmetric positive matrix of small dense blocks.
//
//   A = D + L + L',   preconditioned by K D⁻¹ K',  K = D + L                            (1)
//
// D are the diagonal blocks, L what lies below them, one block per pair that is joined; pairs that
// are joined twice have two. (1) is one sweep of Gauss and Seidel forwards and one backwards: it
// hands a load on through a pile within an iteration, where D alone takes one per layer. As
// A = K + K' - D, the product that an iteration needs comes from the same two sweeps,
//
//   K⁻¹ A K⁻' p = t + K⁻¹ (p - D t),   t = K⁻' p                                        (2)
//
// (S. Eisenstat, SIAM J. Sci. Stat. Comput. 2, 1981), and p - D t and D times (2) fall off on the
// way: A itself is never multiplied with anything.
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

  /// Row by row.
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
  /// A block of L that holds something.
  struct Entry {
    std::size_t column = 0, size = 0;  ///< where its unknowns begin, how many
    std::size_t matrix = 0;
  };
  void sort_joints();
  void invert_diagonal();
  void sweep_back(std::span<const double> p);
  void sweep_forth(std::span<const double> p);

  std::vector<Block> blocks_;
  std::vector<Joint> joints_;
  std::vector<Entry> order_;  ///< by their rows
  std::vector<double> diagonal_, inverse_, between_;
  std::vector<double> r_, z_, p_;            ///< residual, D times it, direction
  std::vector<double> t_, y_, behind_, dq_;  ///< of (2)
  std::vector<double> scratch_;
  std::size_t total_ = 0;
};

}  // namespace carom
