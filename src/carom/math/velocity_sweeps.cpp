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
// and what touches and what does not is soon right; loads travel through a pile slowly
// (velocity_leaps.cpp), and are left to Newton (velocity_heaps.cpp). It begins with the forces of
// the answer to a like problem, or else with those that the rows are thought to have. Where loads
// are sought, friction goes by the normal force of the visit before it.
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/index.h"
#include "carom/math/block_inverse.h"
#include "carom/math/eigen/body_parts.h"
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

/// The velocities of the two blocks between which a group of rows acts.
template <class Na, class Nb>
struct Sides {
  [[no_unique_address]] Na na;
  [[no_unique_address]] Nb nb;
  double *a, *b;
  double h;
  std::size_t width() const { return na + nb; }
  double speed(const double* J) const { return dot_part(J, na, a) + dot_part(J + na, nb, b); }
  /// What a force more on a row changes; `spread` is M⁻¹ J' of it.
  void push(const double* spread, double df) const {
    add_part(spread, na, h * df, a);
    add_part(spread + na, nb, h * df, b);
  }
};
template <class Na, class Nb>
Sides(Na, Nb, double*, double*, double) -> Sides<Na, Nb>;

}  // namespace

void VelocitySolver::invert_masses() {
  mass_inverse_.resize(mass_factor_.size());
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    const VelocityBlock& block = p_->blocks[at(island_->blocks[i])];
    invert_block(&p_->mass[block.mass], block.size, scratch_, &mass_inverse_[factor_[i]]);
  }
}

/// M⁻¹ J' of all rows, and w of each; of the rows of a rub all have the same.
void VelocitySolver::calc_mobility() {
  invert_masses();
  spread_.assign(jacobian_size_, 0.0), mobility_.resize(rows_);
  std::size_t to = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    const RowGroup& g = p_->groups[at(island_->groups[i])];
    place.spread = to;
    to += at(g.rows) * (place.na + place.nb);
    with_sizes(place.na, place.nb, [&](auto na, auto nb) { spread_group(g, place, na, nb); });
  }
}

template <class Na, class Nb>
void VelocitySolver::spread_group(const RowGroup& g, const Place& place, Na na, Nb nb) {
  const double* J = p_->jacobian.data() + g.jacobian;
  double* spread = &spread_[place.spread];
  const std::size_t n = na + nb;
  for (std::size_t r = 0; r < at(g.rows); ++r) {
    const double* row = J + r * n;
    double* to = spread + r * n;
    if (na > 0) add_product(&mass_inverse_[factor_[place.block_a]], na, na, row, to);
    if (nb > 0) add_product(&mass_inverse_[factor_[place.block_b]], nb, nb, row + na, to + na);
  }
  const auto entry = [&](std::size_t r, std::size_t c) {
    const double *row = J + r * n, *column = spread + c * n;
    return dot_part(row, na, column) + dot_part(row + na, nb, column + na);
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
    std::fill_n(&mobility_[place.row + row], size, most);
    row += size;
  }
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
    with_sizes(place.na, place.nb, [&](auto na, auto nb) {
      const Sides sides{na, nb, &x_[place.a], &x_[place.b], p_->h};
      for (std::size_t r = 0; r < rows; ++r, spread += na + nb) {
        if (f_[place.row + r] != 0.0) sides.push(&spread_[spread], f_[place.row + r]);
      }
    });
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
template <class Sides>
void VelocitySolver::visit_rub(const RubRow& rub, const RubLimits& limits, const Sides& sides,
                               const double* J, const double* spread, std::size_t row) {
  const std::size_t size = at(rub.size), n = sides.width();
  const double wh = mobility_[row] * p_->h, arm = p_->h + rub.lag;
  const double soft = limits.stiffness / (1.0 + limits.stiffness * arm * wh);
  std::array<double, 3> f{}, u0{};
  double length = 0.0;
  for (std::size_t c = 0; c < size; ++c) {
    u0[c] = sides.speed(J + c * n) + rub.drift[c] - wh * f_[row + c];
    f[c] = -soft * (rub.bristle[c] + arm * u0[c]);
    length += f[c] * f[c];
  }
  const double share =
      length > limits.bound * limits.bound ? limits.bound / std::sqrt(length) : 1.0;
  for (std::size_t c = 0; c < size; ++c) {
    sides.push(spread + c * n, share * f[c] - f_[row + c]);
    f_[row + c] = share * f[c];
    answered_[row + c] = u0[c] + wh * f_[row + c] - rub.drift[c];
  }
}

bool VelocitySolver::has_force(std::size_t row, std::size_t size) const {
  return std::any_of(&f_[row], &f_[row] + size, [](double f) { return f != 0.0; });
}

/// The rows of the i-th group; squares of what normal forces change by, and of these.
template <class Sides>
void VelocitySolver::visit_group(std::size_t i, const Sides& sides, double& change, double& all) {
  const double h = p_->h;
  const Place& place = places_[i];
  const RowGroup& g = p_->groups[at(island_->groups[i])];
  const std::size_t n = sides.width();
  const double *J = p_->jacobian.data() + g.jacobian, *spread = spread_.data() + place.spread;
  std::size_t row = place.row;
  double load = 0.0;
  for (int k = 0; k < g.normals; ++k, ++row, spread += n, J += n) {
    const NormalRow& normal = p_->normals[at(g.first_normal + k)];
    const double wh = mobility_[row] * h, before = f_[row];
    const double u0 = sides.speed(J) + normal.drift - wh * before;
    const double f = solve_normal(normal, h, u0, wh, before);
    f_[row] = f;
    answered_[row] = u0 + wh * f - normal.drift;
    load += f;
    change += (f - before) * (f - before), all += f * f;
    if (f != before) sides.push(spread, f - before);
  }
  for (int k = 0; k < g.rubs; ++k) {
    const RubRow& rub = p_->rubs[at(g.first_rub + k)];
    const std::size_t size = at(rub.size);
    if (couples_ && (load > 0.0 || has_force(row, size))) {
      visit_rub(rub, limits_at(rub, load), sides, J, spread, row);
    } else if (!couples_ && rub.bound > 0.0) {
      visit_rub(rub, {rub.bound, rub.stiffness}, sides, J, spread, row);
    }
    row += size, spread += size * n, J += size * n;
  }
}

/// By how much normal forces have changed, over all that there are.
double VelocitySolver::sweep_impulses() {
  double change = 0.0, all = 0.0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    with_sizes(place.na, place.nb, [&](auto na, auto nb) {
      visit_group(i, Sides{na, nb, &x_[place.a], &x_[place.b], p_->h}, change, all);
    });
  }
  return all > 0.0 ? std::sqrt(change / all) : 0.0;
}

}  // namespace carom
