#include "carom/math/dense.h"

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <cmath>

namespace carom {
namespace {

Eigen::Map<const Eigen::MatrixXd> square(std::span<const double> A, std::size_t n) {
  const auto size = static_cast<Eigen::Index>(n);
  return {A.data(), size, size};
}

Eigensystem decompose(std::span<const double> A, std::size_t n, bool with_vectors) {
  Eigensystem system;
  if (n == 0) return system;
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(square(A, n), with_vectors);
  const Eigen::VectorXcd& values = solver.eigenvalues();
  system.values.assign(values.data(), values.data() + values.size());
  if (with_vectors) {
    const Eigen::MatrixXcd vectors = solver.eigenvectors();
    system.vectors.assign(vectors.data(), vectors.data() + vectors.size());
  }
  return system;
}

}  // namespace

std::vector<std::complex<double>> calc_eigenvalues(std::span<const double> A, std::size_t n) {
  return decompose(A, n, false).values;
}

Eigensystem calc_eigensystem(std::span<const double> A, std::size_t n) {
  return decompose(A, n, true);
}

std::vector<double> solve_dense(std::span<const double> A, std::span<const double> b) {
  std::vector<double> x(b.size());
  const auto n = static_cast<Eigen::Index>(b.size());
  Eigen::Map<Eigen::VectorXd>(x.data(), n) =
      square(A, b.size()).fullPivLu().solve(Eigen::Map<const Eigen::VectorXd>(b.data(), n));
  return x;
}

std::vector<double> solve_rows(std::span<const double> A, std::span<const double> b) {
  std::vector<double> x(b.size());
  const auto n = static_cast<Eigen::Index>(b.size());
  Eigen::Map<Eigen::VectorXd>(x.data(), n) =
      Eigen::PartialPivLU<Eigen::MatrixXd>(square(A, b.size()).transpose())
          .solve(Eigen::Map<const Eigen::VectorXd>(b.data(), n));
  return x;
}

std::vector<double> solve_min_norm(std::span<const double> A, std::span<const double> b) {
  std::vector<double> x(b.size());
  const auto n = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(A.size()))));
  if (n == 0) return x;
  const Eigen::Index columns = static_cast<Eigen::Index>(b.size()) / n;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-12);
  decomposition.compute(square(A, static_cast<std::size_t>(n)).transpose());
  for (Eigen::Index c = 0; c < columns; ++c) {
    Eigen::Map<Eigen::VectorXd>(x.data() + c * n, n) =
        decomposition.solve(Eigen::Map<const Eigen::VectorXd>(b.data() + c * n, n));
  }
  return x;
}

}  // namespace carom
