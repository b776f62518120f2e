// Where Newton's method for a velocity problem goes: the Hessian, and the direction that it gives.
// Small islands are factored as a whole, large ones solved by conjugate gradients
// (block_gradients.h).
#include <Eigen/Cholesky>
#include <algorithm>

#include "carom/base/index.h"
#include "carom/math/block_cholesky.h"
#include "carom/math/eigen/body_parts.h"
#include "carom/math/velocity_solver.h"

namespace carom {
namespace {

constexpr int kMostGradients = 500;

}  // namespace

/// Adds w J J' to the Hessian.
void VelocitySolver::add_row(const Place& place, const double* J, double weight) {
  if (!is_large()) {
    add_outer(J, place.na + place.nb, weight, &matrices_[place.matrix]);
    return;
  }
  const double *a = J, *b = J + place.na;
  with_sizes(place.na, place.nb, [&](auto na, auto nb) {
    if (na > 0) add_lower(a, na, weight, gradients_.diagonal(place.block_a));
    if (nb > 0) add_lower(b, nb, weight, gradients_.diagonal(place.block_b));
  });
  if (place.na > 0 && place.nb > 0) gradients_.add_between(place.joint, a, b, weight);
}

void VelocitySolver::calc_hessian(double ease) {
  std::fill(matrices_.begin(), matrices_.end(), 0.0);
  if (is_large()) {
    gradients_.clear_between();
    for (std::size_t i = 0; i < island_->blocks.size(); ++i) {
      const VelocityBlock& block = p_->blocks[at(island_->blocks[i])];
      std::copy_n(p_->mass.begin() + static_cast<std::ptrdiff_t>(block.mass),
                  block.size * block.size, gradients_.diagonal(i));
    }
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    visit_slopes(i, ease,
                 [&](const double* row, double weight) { add_row(places_[i], row, weight); });
  }
}

bool VelocitySolver::solve_dense() {
  dense_.assign(n_ * n_, 0.0);
  for (const int b : island_->blocks) {
    const VelocityBlock& block = p_->blocks[at(b)];
    const std::size_t first = local_[at(b)];
    for (std::size_t i = 0; i < block.size; ++i) {
      for (std::size_t k = 0; k < block.size; ++k) {
        dense_[(first + i) * n_ + first + k] = p_->mass[block.mass + i * block.size + k];
      }
    }
  }
  for (const Place& place : places_) {
    const std::size_t n = place.na + place.nb;
    const auto place_of = [&](std::size_t k) {
      return k < place.na ? place.a + k : place.b + k - place.na;
    };
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < n; ++c) {
        dense_[place_of(r) * n_ + place_of(c)] += matrices_[place.matrix + r * n + c];
      }
    }
  }
  using Matrix = Eigen::Map<Eigen::MatrixXd>;
  Matrix H(dense_.data(), static_cast<Eigen::Index>(n_), static_cast<Eigen::Index>(n_));
  Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factors(H);
  if (factors.info() != Eigen::Success) return false;
  Eigen::Map<Eigen::VectorXd> step(step_.data(), static_cast<Eigen::Index>(n_));
  for (std::size_t i = 0; i < n_; ++i) step_[i] = -g_[i];
  factors.solveInPlace(step);
  return true;
}

bool VelocitySolver::find_direction(VelocityAnswer& answer) {
  if (!is_large()) return solve_dense();
  for (std::size_t i = 0; i < n_; ++i) mass_step_[i] = -g_[i];
  answer.linear_iterations += gradients_.solve(mass_step_, share_, kMostGradients, step_);
  return true;
}

}  // namespace carom
