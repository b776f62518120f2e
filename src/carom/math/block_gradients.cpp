#include "carom/math/block_gradients.h"

#include <Eigen/Core>
#include <algorithm>
#include <numeric>

#include "carom/math/block_cholesky.h"

namespace carom {
namespace {

/// Free bodies have six velocities each: a size that the compiler knows.
constexpr int kBody = 6;

using BodyBlock = Eigen::Map<const Eigen::Matrix<double, kBody, kBody, Eigen::RowMajor>>;
using BodyPart = Eigen::Map<const Eigen::Matrix<double, kBody, 1>>;
using BodySum = Eigen::Map<Eigen::Matrix<double, kBody, 1>>;

void add_product(const double* A, std::size_t rows, std::size_t columns, const double* x,
                 double sign, double* y) {
  if (rows == kBody && columns == kBody) {
    BodySum(y).noalias() += sign * (BodyBlock(A).lazyProduct(BodyPart(x)));
    return;
  }
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0.0;
    for (std::size_t c = 0; c < columns; ++c) sum += A[r * columns + c] * x[c];
    y[r] += sign * sum;
  }
}

void add_transposed(const double* A, std::size_t rows, std::size_t columns, const double* x,
                    double sign, double* y) {
  if (rows == kBody && columns == kBody) {
    BodySum(y).noalias() += sign * (BodyBlock(A).transpose().lazyProduct(BodyPart(x)));
    return;
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const double s = sign * x[r];
    for (std::size_t c = 0; c < columns; ++c) y[c] += A[r * columns + c] * s;
  }
}

double dot_of(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void BlockGradients::begin(std::span<const std::size_t> sizes) {
  blocks_.clear(), joints_.clear();
  std::size_t start = 0, matrix = 0;
  for (const std::size_t size : sizes) {
    blocks_.push_back({start, size, matrix, 0, 0});
    start += size, matrix += size * size;
  }
  total_ = start;
  diagonal_.resize(matrix), factor_.resize(matrix);
  between_.clear();
}

std::size_t BlockGradients::join(std::size_t a, std::size_t b) {
  const std::size_t row = std::max(a, b), column = std::min(a, b), first = between_.size();
  joints_.push_back({row, column, first, a < b, true});
  between_.resize(first + blocks_[row].size * blocks_[column].size, 0.0);
  return joints_.size() - 1;
}

void BlockGradients::clear_between() {
  std::ranges::fill(between_, 0.0);
  for (Joint& joint : joints_) joint.is_empty = true;
}

void BlockGradients::add_between(std::size_t k, const double* a, const double* b, double w) {
  Joint& joint = joints_[k];
  joint.is_empty = false;
  const std::size_t rows = blocks_[joint.row].size, columns = blocks_[joint.column].size;
  const double *r = joint.is_turned ? b : a, *c = joint.is_turned ? a : b;
  double* A = &between_[joint.matrix];
  for (std::size_t i = 0; i < rows; ++i, A += columns) {
    const double wr = w * r[i];
    if (wr == 0.0) continue;
    for (std::size_t j = 0; j < columns; ++j) A[j] += wr * c[j];
  }
}

/// Those that hold something: of what is near, much does not touch.
void BlockGradients::sort_joints() {
  for (Block& block : blocks_) block.count = 0;
  for (const Joint& joint : joints_) blocks_[joint.row].count += !joint.is_empty;
  std::size_t first = 0;
  for (Block& block : blocks_) block.first = first, first += block.count, block.count = 0;
  order_.resize(first);
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    if (joints_[k].is_empty) continue;
    Block& block = blocks_[joints_[k].row];
    order_[block.first + block.count++] = k;
  }
}

void BlockGradients::multiply(std::span<const double> x, std::span<double> y) const {
  std::ranges::fill(y, 0.0);
  for (const Block& row : blocks_) {
    add_product(&diagonal_[row.matrix], row.size, row.size, &x[row.start], 1.0, &y[row.start]);
    for (std::size_t k = row.first; k < row.first + row.count; ++k) {
      const Joint& joint = joints_[order_[k]];
      const Block& column = blocks_[joint.column];
      const double* A = &between_[joint.matrix];
      add_product(A, row.size, column.size, &x[column.start], 1.0, &y[row.start]);
      add_transposed(A, row.size, column.size, &x[row.start], 1.0, &y[column.start]);
    }
  }
}

void BlockGradients::precondition(std::span<const double> r, std::span<double> z) {
  std::ranges::copy(r, z.begin());
  for (const Block& row : blocks_) {  // (D + L) y = r
    double* y = &z[row.start];
    for (std::size_t k = row.first; k < row.first + row.count; ++k) {
      const Joint& joint = joints_[order_[k]];
      const Block& column = blocks_[joint.column];
      add_product(&between_[joint.matrix], row.size, column.size, &z[column.start], -1.0, y);
    }
    solve_lower(&factor_[row.matrix], row.size, y);
    solve_upper(&factor_[row.matrix], row.size, y);
  }
  std::ranges::fill(behind_, 0.0);  // L' z of the rows that are done
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    const Block& row = blocks_[i];
    double *y = &z[row.start], *s = &behind_[row.start];
    solve_lower(&factor_[row.matrix], row.size, s);
    solve_upper(&factor_[row.matrix], row.size, s);
    for (std::size_t k = 0; k < row.size; ++k) y[k] -= s[k];
    for (std::size_t k = row.first; k < row.first + row.count; ++k) {
      const Joint& joint = joints_[order_[k]];
      const Block& column = blocks_[joint.column];
      add_transposed(&between_[joint.matrix], row.size, column.size, y, 1.0,
                     &behind_[column.start]);
    }
  }
}

int BlockGradients::solve(std::span<const double> rhs, double share, int most,
                          std::span<double> x) {
  sort_joints();
  factor_ = diagonal_;
  for (const Block& block : blocks_) factor_block(&factor_[block.matrix], block.size);
  for (std::vector<double>* v : {&r_, &z_, &d_, &q_, &behind_}) v->resize(total_);
  std::ranges::fill(x, 0.0);
  std::ranges::copy(rhs, r_.begin());
  precondition(r_, z_);
  d_ = z_;
  double rho = dot_of(r_, z_);
  const double goal = share * share * rho;
  int count = 0;
  while (count < most && rho > goal) {
    ++count;
    multiply(d_, q_);
    const double curvature = dot_of(d_, q_);
    if (!(curvature > 0.0)) break;
    const double alpha = rho / curvature;
    for (std::size_t i = 0; i < total_; ++i) x[i] += alpha * d_[i], r_[i] -= alpha * q_[i];
    precondition(r_, z_);
    const double next = dot_of(r_, z_), beta = next / rho;
    for (std::size_t i = 0; i < total_; ++i) d_[i] = z_[i] + beta * d_[i];
    rho = next;
  }
  return count;
}

}  // namespace carom
