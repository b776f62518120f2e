// Blocks of a large island that are wrong by themselves: where one ball of a pile begins to roll,
// two or three of a thousand are off, and neither sweeps over all rows nor a step of Newton's
// method for all blocks is worth it.
//
// A visit minimises (1) of step_problem.h over the velocities of one block, all others as they are,
// by steps of Newton's method with the block of the Hessian, cut as in velocity_solver.cpp. What it
// changes at its neighbours may make these wrong: they wait to be visited in turn. Each visit
// lowers the function, so kinks do no harm, and no visit is in vain; where errors are those of a
// load that has to travel through a pile there would be too many, and the method for all blocks
// goes on from there.
#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/base/index.h"
#include "carom/math/block_cholesky.h"
#include "carom/math/eigen/body_parts.h"
#include "carom/math/velocity_solver.h"

namespace carom {
namespace {

/// Newton's steps per visit, and how often each is halved.
constexpr int kSteps = 3, kHalvings = 8;
constexpr double kEnough = 0.5;  ///< of the directional derivative, as on the line for all blocks
/// Visited blocks go this much below what is enough, so that a neighbour does not call them back at
/// once.
constexpr double kBelow = 0.3;
/// Blocks that are wrong by themselves, and visits to mend them, over all blocks.
constexpr std::size_t kFewest = 16, kVisits = 2;

}  // namespace

/// The groups that act on each block.
void VelocitySolver::list_neighbours() {
  first_neighbour_.assign(sizes_.size() + 1, 0);
  const auto each = [&](auto&& use) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].na > 0) use(places_[i].block_a, i);
      if (places_[i].nb > 0 && (places_[i].na == 0 || places_[i].block_b != places_[i].block_a)) {
        use(places_[i].block_b, i);
      }
    }
  };
  each([&](std::size_t block, std::size_t) { ++first_neighbour_[block + 1]; });
  for (std::size_t b = 0; b < sizes_.size(); ++b) first_neighbour_[b + 1] += first_neighbour_[b];
  neighbours_.resize(first_neighbour_.back());
  fill_.assign(first_neighbour_.begin(), first_neighbour_.end() - 1);
  each([&](std::size_t block, std::size_t i) { neighbours_[fill_[block]++] = i; });
}

/// Rows, forces and gradients with a block moved by `step` along block_step_.
void VelocitySolver::move_block(std::size_t b, double step) {
  const VelocityBlock& block = p_->blocks[at(island_->blocks[b])];
  const std::size_t first = local_[at(island_->blocks[b])];
  const double* M = &p_->mass[block.mass];
  for (std::size_t r = 0; r < block.size; ++r) {
    double sum = 0.0;
    for (std::size_t c = 0; c < block.size; ++c) sum += M[r * block.size + c] * block_step_[c];
    g_[first + r] += step * sum;
    x_[first + r] += step * block_step_[r];
  }
  for (std::size_t k = first_neighbour_[b]; k < first_neighbour_[b + 1]; ++k) {
    const std::size_t i = neighbours_[k];
    const Place& place = places_[i];
    const RowGroup& g = p_->groups[at(island_->groups[i])];
    const double* J = p_->jacobian.data() + g.jacobian;
    const std::size_t rows = at(g.rows), n = place.na + place.nb;
    const bool is_a = place.na > 0 && place.block_a == b;
    const bool is_b = place.nb > 0 && place.block_b == b;
    old_forces_.assign(&f_[place.row], &f_[place.row] + rows);
    for (std::size_t r = 0; r < rows; ++r) {
      double change = 0.0;
      if (is_a) change += dot_part(J + r * n, place.na, block_step_.data());
      if (is_b) change += dot_part(J + r * n + place.na, place.nb, block_step_.data());
      u_[place.row + r] += step * change;
    }
    calc_forces_of(i, 1.0);
    for (std::size_t r = 0; r < rows; ++r, J += n) {
      const double impulse = p_->h * (f_[place.row + r] - old_forces_[r]);
      if (impulse == 0.0) continue;
      with_sizes(place.na, place.nb, [&](auto na, auto nb) {
        add_part(J, na, -impulse, g_.data() + place.a);
        add_part(J + na, nb, -impulse, g_.data() + place.b);
      });
    }
  }
}

/// Its block of the Hessian, into block_hessian_.
void VelocitySolver::calc_block_hessian(std::size_t b) {
  const VelocityBlock& block = p_->blocks[at(island_->blocks[b])];
  const std::size_t size = block.size;
  block_hessian_.assign(&p_->mass[block.mass], &p_->mass[block.mass] + size * size);
  const auto add = [&](const Place& place, const double* row, double weight) {
    if (place.na > 0 && place.block_a == b) add_outer(row, size, weight, block_hessian_.data());
    if (place.nb > 0 && place.block_b == b) {
      add_outer(row + place.na, size, weight, block_hessian_.data());
    }
  };
  for (std::size_t k = first_neighbour_[b]; k < first_neighbour_[b + 1]; ++k) {
    const Place& place = places_[neighbours_[k]];
    visit_slopes(neighbours_[k], 1.0,
                 [&](const double* row, double weight) { add(place, row, weight); });
  }
}

/// False where it gets no better.
bool VelocitySolver::visit_block(std::size_t b, double enough) {
  const std::size_t size = sizes_[b], first = local_[at(island_->blocks[b])];
  const auto slope = [&] {
    double sum = 0.0;
    for (std::size_t k = 0; k < size; ++k) sum += g_[first + k] * block_step_[k];
    return sum;
  };
  for (int i = 0; i < kSteps && block_error(b) > enough; ++i) {
    calc_block_hessian(b);
    factor_block(block_hessian_.data(), size);
    block_step_.resize(size);
    for (std::size_t k = 0; k < size; ++k) block_step_[k] = -g_[first + k];
    solve_lower(block_hessian_.data(), size, block_step_.data());
    solve_upper(block_hessian_.data(), size, block_step_.data());
    const double most = kEnough * std::abs(slope());
    move_block(b, 1.0);
    double step = 1.0;
    for (int half = 0; half < kHalvings && slope() > most; ++half) {
      step *= 0.5;
      move_block(b, -step);
    }
    if (slope() > most) return move_block(b, -step), false;
  }
  return true;
}

/// Mends what is wrong by itself, if that is little; `error` becomes the residual at x_.
bool VelocitySolver::mend_few(double enough, double& error) {
  waiting_.clear();
  is_waiting_.assign(sizes_.size(), 0);
  const auto wait = [&](std::size_t b) {
    if (!std::exchange(is_waiting_[b], std::uint8_t{1})) waiting_.push_back(b);
  };
  for (std::size_t b = 0; b < sizes_.size(); ++b) {
    if (block_error(b) > enough) wait(b);
  }
  if (waiting_.size() * kFewest > sizes_.size()) return false;
  list_neighbours();
  beyond_ = 0.0, blind_ = 1.0;
  const std::size_t most = sizes_.size() / kVisits;
  for (std::size_t k = 0; k < waiting_.size() && k < most; ++k) {
    const std::size_t b = waiting_[k];
    is_waiting_[b] = 0;
    if (!(block_error(b) > enough)) continue;
    if (!visit_block(b, kBelow * enough)) break;
    for (std::size_t n = first_neighbour_[b]; n < first_neighbour_[b + 1]; ++n) {
      const Place& place = places_[neighbours_[n]];
      for (const auto& [size, other] :
           {std::pair{place.na, place.block_a}, std::pair{place.nb, place.block_b}}) {
        if (size > 0 && block_error(other) > enough) wait(other);
      }
    }
  }
  error = residual();
  return error <= enough;
}

}  // namespace carom
