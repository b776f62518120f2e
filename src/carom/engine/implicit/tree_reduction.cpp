// What loops, couplings and prescribed motions leave of the velocities of a block: (1) of
// tree_blocks.h.
//
// With M = LL' and J the rows of the constraints, w = L'v must satisfy (L⁻¹J')'w = b. By the QR
// factors of L⁻¹J' with pivots, Q = [Q1 Q2], these are w = Q1 R1'⁻¹ b + Q2 y; redundant rows and
// singular positions have small pivots and are left out.
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/implicit/tree_blocks.h"
#include "carom/math/block_cholesky.h"
#include "carom/multibody/loop_geometry.h"

namespace carom {
namespace {

/// Pivots of rows of which the mean is one (constraints.cpp has their squares).
constexpr double kSingularRow = 1e-5;

}  // namespace

/// M of `dofs` is factored, then Z.
void TreeBlocks::reduce(TreeBlock& tree) {
  const std::size_t n = tree.dofs.size(), all = n + tree.known.size();
  tree.off.assign(n, 0.0);
  L_.resize(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(M_.begin() + static_cast<std::ptrdiff_t>(i * all), n,
                L_.begin() + static_cast<std::ptrdiff_t>(i * n));
  }
  factor_block(L_.data(), n);
  const std::size_t rows = put_constraints(tree);
  if (rows > 0) return reduce_with(tree, rows);
  tree.count = n;
  tree.Z.assign(n * n, 0.0);  // L'⁻¹, whose columns are solved for
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t i = c + 1; i-- > 0;) {
      double sum = i == c ? 1.0 : 0.0;
      for (std::size_t k = i + 1; k <= c; ++k) sum -= L_[k * n + i] * tree.Z[k * n + c];
      tree.Z[i * n + c] = sum / L_[i * n + i];
    }
  }
}

/// Rows of the constraints that hold, over `dofs` and `known`, into J_.
std::size_t TreeBlocks::put_constraints(const TreeBlock& tree) {
  const std::size_t n = tree.dofs.size(), all = n + tree.known.size();
  const ConstraintModel& constraints = w_.model->constraints;
  J_.clear(), kind_.clear();
  const auto add_row = [&](int kind) {
    for (std::size_t k = 0; k < all; ++k) {
      double& c = column_[at(k < n ? tree.dofs[k] : tree.known[k - n])];
      J_.push_back(c);
      c = 0.0;
    }
    kind_.push_back(kind);
  };
  for (const int index : tree.loops) {
    if (!w_.constraints.loop_active[at(index)]) continue;
    const LoopConstraint& loop = constraints.loops[at(index)];
    const LoopGeometry g = calc_loop(loop, w_.tree);
    for (int k = 0; k < g.rows; ++k) {
      const Wrench normal{g.normal[k].w, g.normal[k].v};
      add_generalised_force(w_.model->tree, w_.tree, loop.link_b, g.p_M, normal, column_);
      add_generalised_force(w_.model->tree, w_.tree, loop.link_a, g.p_M, -1.0 * normal, column_);
      add_row(norm2(g.normal[k].w) > norm2(g.normal[k].v) ? 1 : 0);
    }
  }
  for (const int index : tree.couplings) {
    const CouplingConstraint& c = constraints.couplings[at(index)];
    column_[at(c.v_first)] = 1.0, column_[at(c.v_second)] = -c.ratio;
    add_row(2);
  }
  return kind_.size();
}

void TreeBlocks::reduce_with(TreeBlock& tree, std::size_t m) {
  const std::size_t n = tree.dofs.size(), all = n + tree.known.size();
  const auto rows = static_cast<Eigen::Index>(n), cols = static_cast<Eigen::Index>(m);
  Eigen::MatrixXd A(rows, cols);
  for (std::size_t r = 0; r < m; ++r) {
    double* column = A.col(static_cast<Eigen::Index>(r)).data();
    std::copy_n(&J_[r * all], n, column);
    solve_lower(L_.data(), n, column);
  }
  // Metres, radians and couplings are compared within their kind.
  double mean[3] = {0, 0, 0}, number[3] = {0, 0, 0};
  for (std::size_t r = 0; r < m; ++r) {
    mean[kind_[r]] += A.col(static_cast<Eigen::Index>(r)).squaredNorm(), ++number[kind_[r]];
  }
  for (int k = 0; k < 3; ++k) mean[k] /= std::max(1.0, number[k]);
  const double least = 1e-20 * std::max({mean[0], mean[1], mean[2]});
  Eigen::VectorXd wanted(cols);
  for (std::size_t r = 0; r < m; ++r) {
    const double size = mean[kind_[r]], scale = size > least ? 1.0 / std::sqrt(size) : 0.0;
    double known = 0.0;
    for (std::size_t k = n; k < all; ++k) known += J_[r * all + k] * off_[at(tree.known[k - n])];
    A.col(static_cast<Eigen::Index>(r)) *= scale;
    wanted[static_cast<Eigen::Index>(r)] = -scale * known;
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
  const Eigen::Index most = std::min({rows, cols, static_cast<Eigen::Index>(tree.generic_rank)});
  Eigen::Index rank = 0;
  while (rank < most && std::abs(qr.matrixQR()(rank, rank)) > kSingularRow) ++rank;
  const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(rows, rows);
  const Eigen::MatrixXd R = qr.matrixQR().topLeftCorner(rank, rank);
  const Eigen::VectorXd b = (qr.colsPermutation().transpose() * wanted).head(rank);
  const Eigen::VectorXd z = R.triangularView<Eigen::Upper>().transpose().solve(b);
  Eigen::VectorXd part = Q.leftCols(rank) * z;
  solve_upper(L_.data(), n, part.data());
  tree.count = static_cast<std::size_t>(rows - rank);
  tree.Z.resize(n * tree.count);
  for (std::size_t k = 0; k < tree.count; ++k) {
    Eigen::VectorXd column = Q.col(rank + static_cast<Eigen::Index>(k));
    solve_upper(L_.data(), n, column.data());
    for (std::size_t i = 0; i < n; ++i) tree.Z[i * tree.count + k] = column.data()[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    tree.off[i] = part.data()[i];
    off_[at(tree.dofs[i])] = part.data()[i];
  }
}

}  // namespace carom
