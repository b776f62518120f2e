// Decompositions of small dense matrices, column by column in memory. Eigen's are compiled
// once here, as each takes seconds of compile time wherever it is used.
#pragma once

#include <complex>
#include <span>
#include <vector>

namespace carom {

/// Eigenvalues of the n × n matrix A in no particular order; conjugate pairs are neighbours.
std::vector<std::complex<double>> calc_eigenvalues(std::span<const double> A, std::size_t n);

/// The same with the eigenvectors of unit length, one after the other.
struct Eigensystem {
  std::vector<std::complex<double>> values, vectors;
};
Eigensystem calc_eigensystem(std::span<const double> A, std::size_t n);

/// x of A x = b by LU decomposition with full pivoting. A singular A gives a solution if there
/// is one.
std::vector<double> solve_dense(std::span<const double> A, std::span<const double> b);

/// x of A x = b, A square, row by row in memory, by LU decomposition with partial pivoting.
std::vector<double> solve_rows(std::span<const double> A, std::span<const double> b);

/// The x of least norm that minimises |A x - b|, A square, row by row in memory. Rows and columns
/// below 1e-12 of the largest count as redundant. Several b may stand one after the other, and so
/// do their x then.
std::vector<double> solve_min_norm(std::span<const double> A, std::span<const double> b);

}  // namespace carom
