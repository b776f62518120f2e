#include "carom/math/block_gradients.h"

#include <algorithm>
#include <numeric>

#include "carom/math/block_inverse.h"
#include "carom/math/eigen/body_parts.h"

namespace carom {
namespace {

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
  diagonal_.resize(matrix), inverse_.resize(matrix);
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
  const double *r = joint.is_turned ? b : a, *c = joint.is_turned ? a : b;
  const std::size_t rows = blocks_[joint.row].size, columns = blocks_[joint.column].size;
  double* A = &between_[joint.matrix];
  with_sizes(rows, columns, [&](auto n, auto m) {
    for (std::size_t i = 0; i < n; ++i) add_part(c, m, w * r[i], A + i * m);
  });
}

/// Those that hold something: of what is near, much does not touch.
void BlockGradients::sort_joints() {
  for (Block& block : blocks_) block.count = 0;
  for (const Joint& joint : joints_) blocks_[joint.row].count += !joint.is_empty;
  std::size_t first = 0;
  for (Block& block : blocks_) block.first = first, first += block.count, block.count = 0;
  order_.resize(first);
  for (const Joint& joint : joints_) {
    if (joint.is_empty) continue;
    Block& row = blocks_[joint.row];
    const Block& column = blocks_[joint.column];
    order_[row.first + row.count++] = {column.start, column.size, joint.matrix};
  }
}

/// D⁻¹ as a whole: divisions within every sweep would take most of its time. It is symmetric, and
/// by columns nothing is summed across.
void BlockGradients::invert_diagonal() {
  for (const Block& block : blocks_) {
    invert_block(&diagonal_[block.matrix], block.size, scratch_, &inverse_[block.matrix]);
  }
}

/// t = K⁻' p, and p - D t into behind_.
void BlockGradients::sweep_back(std::span<const double> p) {
  std::ranges::fill(behind_, 0.0);
  double* rest = scratch_.data();
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    const Block& row = blocks_[i];
    double* t = &t_[row.start];
    for (std::size_t k = 0; k < row.size; ++k) {
      rest[k] = p[row.start + k] - behind_[row.start + k], t[k] = 0.0;
    }
    with_sizes(row.size, row.size,
               [&](auto n, auto m) { add_transposed(&inverse_[row.matrix], n, m, rest, t); });
    for (std::size_t k = row.first; k < row.first + row.count; ++k) {
      const Entry& e = order_[k];
      with_sizes(row.size, e.size, [&](auto n, auto m) {
        add_transposed(&between_[e.matrix], n, m, t, &behind_[e.column]);
      });
    }
  }
}

/// y = K⁻¹ (p - D t), and D (t + y) = p - L y into dq_.
void BlockGradients::sweep_forth(std::span<const double> p) {
  double* rest = scratch_.data();
  for (const Block& row : blocks_) {
    double *y = &y_[row.start], *dq = &dq_[row.start];
    std::fill_n(rest, row.size, 0.0);
    for (std::size_t k = row.first; k < row.first + row.count; ++k) {
      const Entry& e = order_[k];
      with_sizes(row.size, e.size, [&](auto n, auto m) {
        add_product(&between_[e.matrix], n, m, &y_[e.column], rest);
      });
    }
    for (std::size_t k = 0; k < row.size; ++k) {
      dq[k] = p[row.start + k] - rest[k];
      rest[k] = behind_[row.start + k] - rest[k], y[k] = 0.0;
    }
    with_sizes(row.size, row.size,
               [&](auto n, auto m) { add_transposed(&inverse_[row.matrix], n, m, rest, y); });
  }
}

int BlockGradients::solve(std::span<const double> rhs, double share, int most,
                          std::span<double> x) {
  sort_joints();
  invert_diagonal();
  std::size_t widest = 0;
  for (const Block& block : blocks_) widest = std::max(widest, block.size);
  scratch_.resize(std::max(scratch_.size(), widest));
  for (std::vector<double>* v : {&r_, &z_, &p_, &t_, &y_, &behind_, &dq_}) v->resize(total_);
  // K⁻¹ rhs is what (2) has for y where the direction is none and p - D t is the right side.
  std::ranges::fill(x, 0.0);
  std::ranges::fill(p_, 0.0);
  std::ranges::copy(rhs, behind_.begin());
  sweep_forth(p_);
  for (std::size_t i = 0; i < total_; ++i) r_[i] = y_[i], z_[i] = rhs[i] + dq_[i];
  p_ = z_;
  double rho = dot_of(r_, z_);
  const double goal = share * share * rho;
  int count = 0;
  while (count < most && rho > goal) {
    ++count;
    sweep_back(p_);
    sweep_forth(p_);
    double curvature = 0.0;
    for (std::size_t i = 0; i < total_; ++i) curvature += p_[i] * (t_[i] + y_[i]);
    if (!(curvature > 0.0)) break;
    const double alpha = rho / curvature;
    for (std::size_t i = 0; i < total_; ++i) {
      x[i] += alpha * t_[i];
      r_[i] -= alpha * (t_[i] + y_[i]);
      z_[i] -= alpha * dq_[i];
    }
    const double next = dot_of(r_, z_), beta = next / rho;
    for (std::size_t i = 0; i < total_; ++i) p_[i] = z_[i] + beta * p_[i];
    rho = next;
  }
  return count;
}

}  // namespace carom
