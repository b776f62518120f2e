// A guess for Newton's method in a large island: sweeps over the impulses of its rows.
//
// With W = J M⁻¹ J' the velocity of a row depends on its own force f by u = u0 + w h f, w of the
// diagonal of W. Where all others stay as they are, f is the root of
//
//   f = F(u0 + w h f),                                                                (1)
//
// which is one number along a normal and, with the largest sum of a row of W for w, a vector of
// closed form where a rub is cut to its bound. A sweep visits the rows one after the other, as
// Gauss and Seidel would. Each visit lowers the dual of (1) in step_problem.h: kinks do no harm,
// and what touches and what does not is soon right; loads travel through a pile slowly, and are
// left to Newton (velocity_heaps.cpp). It begins with the forces of the answer to a like problem,
// or else with those that the rows are thought to have. Where loads are sought, friction goes by
// the normal force of the visit before it.
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/index.h"
#include "carom/math/block_cholesky.h"
#include "carom/math/velocity_solver.h"

namespace carom {
namespace {

constexpr int kRootSteps = 8;        ///< for (1)
constexpr double kRootShare = 1e-3;  ///< of the force, what the next sweep may mend

/// The force of (1) along a normal, from the guess f. F falls and is convex, so Newton's method
/// ends below the root, from above it far below: a row that was pressed too much would let go, and
/// sweeps would never settle. The chord ends above the root; the next guess is between the two.
double solve_normal(const NormalRow& row, double h, double u0, double wh, double f) {
  double low = 0.0, high = 0.0, at_low = 0.0, at_high = 0.0;
  for (int i = 0; i < kRootSteps; ++i) {
    const RowAnswer out = answer(row, h, u0 + wh * f, 1.0);
    const double error = f - out.force;
    if (std::abs(error) <= kRootShare * f) break;
    (error > 0.0 ? high : low) = f;
    (error > 0.0 ? at_high : at_low) = error;
    const double below = std::max(low, f - error / (1.0 - out.slope * wh));
    f = below;
    if (at_low < 0.0 && at_high > 0.0) {
      f = 0.5 * (below + (low * at_high - high * at_low) / (at_high - at_low));
    }
  }
  return f;
}

/// Free bodies have six velocities each: a size that the compiler knows.
constexpr int kBodySpeeds = 6;
using SpeedsOfBody = Eigen::Matrix<double, kBodySpeeds, 1>;

double dot_part(const double* J, std::size_t size, const double* x) {
  if (size == kBodySpeeds) {
    return Eigen::Map<const SpeedsOfBody>(J).dot(Eigen::Map<const SpeedsOfBody>(x));
  }
  double sum = 0.0;
  for (std::size_t k = 0; k < size; ++k) sum += J[k] * x[k];
  return sum;
}

void add_part(const double* s, std::size_t size, double impulse, double* x) {
  if (size == kBodySpeeds) {
    Eigen::Map<SpeedsOfBody>(x) += impulse * Eigen::Map<const SpeedsOfBody>(s);
    return;
  }
  for (std::size_t k = 0; k < size; ++k) x[k] += impulse * s[k];
}

}  // namespace

/// M⁻¹ J' of all rows, and w of each; of the rows of a rub all have the same.
void VelocitySolver::calc_mobility() {
  spread_.resize(jacobian_size_), mobility_.resize(rows_);
  std::size_t to = 0;
  const auto width = [](const Place& place) { return place.na + place.nb; };
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    const RowGroup& g = p_->groups[at(island_->groups[i])];
    const double* J = p_->jacobian.data() + g.jacobian;
    const std::size_t n = width(place), first = place.spread = to;
    for (std::size_t r = 0; r < at(g.rows); ++r, to += n) {
      std::copy_n(J + r * n, n, spread_.begin() + static_cast<std::ptrdiff_t>(to));
      const auto divide = [&](std::size_t block, std::size_t size, double* part) {
        if (size == 0) return;
        solve_lower(&mass_factor_[factor_[block]], size, part);
        solve_upper(&mass_factor_[factor_[block]], size, part);
      };
      divide(place.block_a, place.na, &spread_[to]);
      divide(place.block_b, place.nb, &spread_[to + place.na]);
    }
    const auto entry = [&](std::size_t r, std::size_t c) {
      double sum = 0.0;
      for (std::size_t k = 0; k < n; ++k) sum += J[r * n + k] * spread_[first + c * n + k];
      return sum;
    };
    std::size_t row = 0;
    for (; row < at(g.normals); ++row) mobility_[place.row + row] = entry(row, row);
    for (int k = 0; k < g.rubs; ++k) {
      const std::size_t size = at(p_->rubs[at(g.first_rub + k)].size);
      double most = 0.0;
      for (std::size_t r = 0; r < size; ++r) {
        double sum = 0.0;
        for (std::size_t c = 0; c < size; ++c) sum += std::abs(entry(row + r, row + c));
        most = std::max(most, sum);
      }
      std::fill_n(mobility_.begin() + static_cast<std::ptrdiff_t>(place.row + row), size, most);
      row += size;
    }
  }
}

/// The impulse h df of a row changes the velocities of its blocks.
void VelocitySolver::push(const Place& place, std::size_t spread, double df) {
  const double impulse = p_->h * df;
  if (impulse == 0.0) return;
  const double* s = &spread_[spread];
  add_part(s, place.na, impulse, x_.data() + place.a);
  add_part(s + place.na, place.nb, impulse, x_.data() + place.b);
}

double VelocitySolver::row_speed(const Place& place, const double* J) const {
  return dot_part(J, place.na, x_.data() + place.a) +
         dot_part(J + place.na, place.nb, x_.data() + place.b);
}

/// Forces that the rows are thought to have.
void VelocitySolver::take_guessed_forces() {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const RowGroup& g = p_->groups[at(island_->groups[i])];
    std::size_t row = places_[i].row;
    for (int k = 0; k < g.normals; ++k, ++row) f_[row] = p_->normals[at(g.first_normal + k)].guess;
    for (int k = 0; k < g.rubs; ++k) {
      const RubRow& rub = p_->rubs[at(g.first_rub + k)];
      for (std::size_t c = 0; c < at(rub.size); ++c) f_[row++] = rub.guess[c];
    }
  }
}

/// Velocities that the forces give.
void VelocitySolver::push_all() {
  x_ = free_;
  std::size_t spread = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const std::size_t rows = at(p_->groups[at(island_->groups[i])].rows);
    for (std::size_t r = 0; r < rows; ++r, spread += place.na + place.nb) {
      push(place, spread, f_[place.row + r]);
    }
  }
}

void VelocitySolver::take_guess(const StepProblem& p) {
  for (const int b : island_->blocks) {
    const VelocityBlock& block = p.blocks[at(b)];
    std::copy_n(p.v.begin() + static_cast<std::ptrdiff_t>(block.start), block.size,
                guess_.begin() + static_cast<std::ptrdiff_t>(local_[at(b)]));
  }
}

void VelocitySolver::put_answer(StepProblem& p) const {
  for (const int b : island_->blocks) {
    const VelocityBlock& block = p.blocks[at(b)];
    std::copy_n(x_.begin() + static_cast<std::ptrdiff_t>(local_[at(b)]), block.size,
                p.v.begin() + static_cast<std::ptrdiff_t>(block.start));
  }
}

/// One visit of a rub; the forces that it had and has are in f_.
void VelocitySolver::visit_rub(const RubRow& rub, const RubLimits& limits, const Place& place,
                               const double* J, std::size_t spread, std::size_t row) {
  const std::size_t size = at(rub.size), n = place.na + place.nb;
  const double wh = mobility_[row] * p_->h, arm = p_->h + rub.lag;
  const double soft = limits.stiffness / (1.0 + limits.stiffness * arm * wh);
  std::array<double, 3> f{}, u0{};
  double length = 0.0;
  for (std::size_t c = 0; c < size; ++c) {
    u0[c] = row_speed(place, J + c * n) + rub.drift[c] - wh * f_[row + c];
    f[c] = -soft * (rub.bristle[c] + arm * u0[c]);
    length += f[c] * f[c];
  }
  length = std::sqrt(length);
  const double share = length > limits.bound ? limits.bound / length : 1.0;
  for (std::size_t c = 0; c < size; ++c) {
    push(place, spread + c * n, share * f[c] - f_[row + c]);
    f_[row + c] = share * f[c];
    answered_[row + c] = u0[c] + wh * f_[row + c] - rub.drift[c];
  }
}

bool VelocitySolver::has_force(std::size_t row, std::size_t size) const {
  return std::any_of(&f_[row], &f_[row] + size, [](double f) { return f != 0.0; });
}

/// The rows of the i-th group; squares of what normal forces change by, and of these.
void VelocitySolver::visit_group(std::size_t i, double& change, double& all) {
  const double h = p_->h;
  const Place& place = places_[i];
  const RowGroup& g = p_->groups[at(island_->groups[i])];
  const std::size_t n = place.na + place.nb;
  const double* J = p_->jacobian.data() + g.jacobian;
  std::size_t row = place.row, spread = place.spread;
  double load = 0.0;
  for (int k = 0; k < g.normals; ++k, ++row, spread += n, J += n) {
    const NormalRow& normal = p_->normals[at(g.first_normal + k)];
    const double wh = mobility_[row] * h, before = f_[row];
    const double u0 = row_speed(place, J) + normal.drift - wh * before;
    f_[row] = solve_normal(normal, h, u0, wh, before);
    answered_[row] = u0 + wh * f_[row] - normal.drift;
    load += f_[row];
    change += (f_[row] - before) * (f_[row] - before), all += f_[row] * f_[row];
    push(place, spread, f_[row] - before);
  }
  for (int k = 0; k < g.rubs; ++k) {
    const RubRow& rub = p_->rubs[at(g.first_rub + k)];
    const std::size_t size = at(rub.size);
    if (couples_ && (load > 0.0 || has_force(row, size))) {
      visit_rub(rub, limits_at(rub, load), place, J, spread, row);
    } else if (!couples_ && rub.bound > 0.0) {
      visit_rub(rub, {rub.bound, rub.stiffness}, place, J, spread, row);
    }
    row += size, spread += size * n, J += size * n;
  }
}

/// By how much normal forces have changed, over all that there are.
double VelocitySolver::sweep_impulses() {
  double change = 0.0, all = 0.0;
  for (std::size_t i = 0; i < places_.size(); ++i) visit_group(i, change, all);
  return all > 0.0 ? std::sqrt(change / all) : 0.0;
}

}  // namespace carom
