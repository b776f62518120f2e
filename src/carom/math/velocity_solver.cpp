#include "carom/math/velocity_solver.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "carom/base/index.h"
#include "carom/math/block_cholesky.h"
#include "carom/math/eigen/body_parts.h"

namespace carom {
namespace {

/// Up to here the Hessian is factored as a whole, and up to there where gradients do not do.
constexpr std::size_t kWhole = 150, kMostWhole = 1500;
constexpr int kFew = 8, kFewOfLarge = 40, kEased = 10, kMost = 60;
/// In units of the tolerance: goals of islands that are not factored, and of eased stiffness.
constexpr double kGoalOfLarge = 1e4, kLoose = 1e5;
constexpr double kRounding = 1e-15;  ///< of velocities and forces that add up to a residual
/// To which conjugate gradients go: no farther than the answer needs, within these.
constexpr double kGradientShare = 0.1, kLeastShare = 0.01, kShareOfGoal = 0.3;
/// A shorter step was stopped by a kink; the next Hessian looks beyond it, at least by this share.
constexpr double kStopped = 1e-2, kBeyond = 1e-9;
/// Up to this residual a guess is nearer than free motion, which is off by what gravity brings; in
/// large islands half of that is enough not to look.
constexpr double kNearGuess = 1e6, kNearGuessOfLarge = 5e7, kUnknown = -1.0;
/// After a step cut shorter than this the Hessian is blind along slips by a share alone; what it
/// still sees falls by this factor with every step that was not.
constexpr double kCut = 0.5, kHalfBlind = 0.5, kSeeLess = 3.0;

double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void VelocitySolver::gather(const StepProblem& p, const VelocityIsland& island) {
  p_ = &p, island_ = &island;
  n_ = rows_ = jacobian_size_ = 0;
  std::size_t factors = 0;
  local_.resize(p.blocks.size()), index_.resize(p.blocks.size());
  factor_.clear(), places_.clear(), sizes_.clear();
  for (const int b : island.blocks) {
    const VelocityBlock& block = p.blocks[at(b)];
    local_[at(b)] = n_;
    index_[at(b)] = sizes_.size();
    sizes_.push_back(block.size);
    factor_.push_back(factors);
    n_ += block.size, factors += block.size * block.size;
  }
  if (is_large()) gradients_.begin(sizes_);
  std::size_t matrix = 0;
  for (const int i : island.groups) {
    const RowGroup& g = p.groups[at(i)];
    Place place{0, 0, p.block_size(g.a), p.block_size(g.b), rows_, matrix};
    if (g.a >= 0) place.a = local_[at(g.a)], place.block_a = index_[at(g.a)];
    if (g.b >= 0) place.b = local_[at(g.b)], place.block_b = index_[at(g.b)];
    rows_ += at(g.rows);
    jacobian_size_ += at(g.rows) * (place.na + place.nb);
    if (!is_large()) {
      matrix += (place.na + place.nb) * (place.na + place.nb);
    } else if (g.a >= 0 && g.b >= 0) {
      place.joint = gradients_.join(place.block_a, place.block_b);
    }
    places_.push_back(place);
  }
  matrices_.resize(matrix);
  for (std::vector<double>* v : {&x_, &guess_, &free_, &g_, &size_, &step_, &mass_step_})
    v->resize(n_);
  for (std::vector<double>* v : {&u_, &du_, &try_, &f_, &doubt_, &reach_}) v->resize(rows_);
  mass_factor_.resize(factors);
  for (std::size_t i = 0; i < island.blocks.size(); ++i) {
    const VelocityBlock& block = p.blocks[at(island.blocks[i])];
    std::copy_n(p.free.begin() + static_cast<std::ptrdiff_t>(block.start), block.size,
                free_.begin() + static_cast<std::ptrdiff_t>(local_[at(island.blocks[i])]));
    std::copy_n(p.mass.begin() + static_cast<std::ptrdiff_t>(block.mass), block.size * block.size,
                mass_factor_.begin() + static_cast<std::ptrdiff_t>(factor_[i]));
    factor_block(&mass_factor_[factor_[i]], block.size);
  }
}

void VelocitySolver::rows_at(std::span<const double> v, std::span<double> u) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const RowGroup& g = p_->groups[at(island_->groups[i])];
    const double* J = p_->jacobian.data() + g.jacobian;
    with_sizes(place.na, place.nb, [&](auto na, auto nb) {
      for (std::size_t r = 0; r < at(g.rows); ++r, J += na + nb) {
        u[place.row + r] =
            dot_part(J, na, v.data() + place.a) + dot_part(J + na, nb, v.data() + place.b);
      }
    });
  }
}

/// Velocities of the rows at x_, and the sum of the sizes of their terms.
void VelocitySolver::calc_rows() {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const RowGroup& g = p_->groups[at(island_->groups[i])];
    const double* J = p_->jacobian.data() + g.jacobian;
    const double *a = x_.data() + place.a, *b = x_.data() + place.b;
    with_sizes(place.na, place.nb, [&](auto na, auto nb) {
      for (std::size_t r = 0; r < at(g.rows); ++r, J += na + nb) {
        u_[place.row + r] = dot_part(J, na, a) + dot_part(J + na, nb, b);
        reach_[place.row + r] = reach_of_part(J, na, a) + reach_of_part(J + na, nb, b);
      }
    });
  }
}

/// Forces at the row velocities u_, which come without drift.
void VelocitySolver::calc_forces(double ease) {
  for (std::size_t i = 0; i < places_.size(); ++i) calc_forces_of(i, ease);
}

void VelocitySolver::calc_forces_of(std::size_t i, double ease) {
  const RowGroup& g = p_->groups[at(island_->groups[i])];
  std::array<double, 3> u{};
  std::size_t row = places_[i].row;
  for (int k = 0; k < g.normals; ++k, ++row) {
    const NormalRow& normal = p_->normals[at(g.first_normal + k)];
    const RowAnswer out = answer(normal, p_->h, u_[row] + normal.drift, ease);
    f_[row] = out.force;
    doubt_[row] = kRounding * (out.force - out.slope * (reach_[row] + std::abs(normal.drift) +
                                                        std::abs(normal.depth) / p_->h));
  }
  for (int k = 0; k < g.rubs; ++k) {
    const RubRow& rub = p_->rubs[at(g.first_rub + k)];
    for (std::size_t c = 0; c < at(rub.size); ++c) u[c] = u_[row + c] + rub.drift[c];
    const RubAnswer out = answer(rub, p_->h, u, std::sqrt(ease));
    for (std::size_t c = 0; c < at(rub.size); ++c, ++row) {
      f_[row] = out.force[c];
      doubt_[row] = kRounding *
                    (std::abs(out.force[c]) + out.weight * (reach_[row] + std::abs(rub.drift[c])));
    }
  }
}

void VelocitySolver::multiply_mass(std::span<const double> x, std::span<double> y) const {
  for (const int b : island_->blocks) {
    const VelocityBlock& block = p_->blocks[at(b)];
    const std::size_t first = local_[at(b)];
    const double* M = &p_->mass[block.mass];
    for (std::size_t i = 0; i < block.size; ++i) {
      double sum = 0.0;
      for (std::size_t k = 0; k < block.size; ++k) sum += M[i * block.size + k] * x[first + k];
      y[first + i] = sum;
    }
  }
}

void VelocitySolver::calc_gradient() {
  for (std::size_t i = 0; i < n_; ++i) step_[i] = x_[i] - free_[i];
  multiply_mass(step_, g_);
  if (is_large()) note_motion();
  std::fill(size_.begin(), size_.end(), 0.0);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const RowGroup& g = p_->groups[at(island_->groups[i])];
    const double* J = p_->jacobian.data() + g.jacobian;
    with_sizes(place.na, place.nb, [&](auto na, auto nb) {
      for (std::size_t r = 0; r < at(g.rows); ++r, J += na + nb) {
        const double impulse = p_->h * f_[place.row + r], doubt = p_->h * doubt_[place.row + r];
        if (impulse == 0.0 && doubt == 0.0) continue;
        add_part(J, na, -impulse, g_.data() + place.a);
        add_part(J + na, nb, -impulse, g_.data() + place.b);
        add_reach(J, na, doubt, size_.data() + place.a);
        add_reach(J + na, nb, doubt, size_.data() + place.b);
      }
    });
  }
}

/// Error of a block's velocity with the gradient that is there, in the norm of its mass, over what
/// counts as none.
double VelocitySolver::block_error(std::size_t b) {
  const VelocityBlock& block = p_->blocks[at(island_->blocks[b])];
  const std::size_t first = local_[at(island_->blocks[b])];
  double* y = &mass_step_[first];
  const auto speed = [&](const std::vector<double>& g) {
    std::copy_n(&g[first], block.size, y);
    solve_lower(&mass_factor_[factor_[b]], block.size, y);
    return std::sqrt(inner({y, block.size}, {y, block.size}) / block.inertia);
  };
  return speed(g_) / std::max(p_->tolerance, speed(size_));
}

/// The largest of them.
double VelocitySolver::residual() {
  double worst = 0.0;
  for (std::size_t b = 0; b < sizes_.size(); ++b) worst = std::max(worst, block_error(b));
  return worst;
}

/// At x_.
double VelocitySolver::find_residual(double ease) {
  calc_rows();
  calc_forces(ease);
  return judge_forces();
}

/// The residual at x_ with the forces that are there.
double VelocitySolver::judge_forces() {
  calc_gradient();
  return residual();
}

bool VelocitySolver::is_large() const { return n_ > kWhole && !is_whole_; }

/// Directional derivative at x_ + step step_.
double VelocitySolver::slope_at(double step, double ease) {
  std::swap(u_, try_);
  for (std::size_t r = 0; r < rows_; ++r) u_[r] = try_[r] + step * du_[r];
  calc_forces(ease);
  double work = 0.0;
  for (std::size_t r = 0; r < rows_; ++r) work += f_[r] * du_[r];
  std::swap(u_, try_);
  return mass_slope_ + step * curvature_ - p_->h * work;
}

double VelocitySolver::line_search(double ease) {
  constexpr double kAccept = 0.5, kNear = 0.1;
  rows_at(step_, du_);
  multiply_mass(step_, mass_step_);
  start_slope_ = inner(g_, step_);
  curvature_ = inner(step_, mass_step_);
  mass_slope_ = 0.0;
  for (std::size_t i = 0; i < n_; ++i) mass_slope_ += (x_[i] - free_[i]) * mass_step_[i];
  const double most = std::abs(start_slope_);
  double low = 0.0, high = 1.0, at_low = start_slope_, at_high = slope_at(1.0, ease);
  if (at_high <= kAccept * most) return 1.0;
  int side = 0;
  for (int i = 0; i < 40; ++i) {  // regula falsi, the Illinois variant
    double step = (low * at_high - high * at_low) / (at_high - at_low);
    if (!(step > low && step < high)) step = 0.5 * (low + high);
    if (i > 8) step = 0.5 * (low + high);
    const double slope = slope_at(step, ease);
    if (std::abs(slope) <= kNear * most) return step;
    if (slope < 0.0) {
      low = step, at_low = slope;
      if (side < 0) at_high *= 0.5;
      side = -1;
    } else {
      high = step, at_high = slope;
      if (side > 0) at_low *= 0.5;
      side = 1;
    }
  }
  return low > 0.0 ? low : high;
}

bool VelocitySolver::newton(double ease, int most, double goal, VelocityAnswer& answer,
                            bool is_known) {
  beyond_ = 0.0;
  blind_ = is_large() && answer.residual > kFarOff ? kHalfBlind : 1.0;
  bool has_forces = false;
  for (int i = 0;; ++i) {
    if (i > 0 || !is_known) answer.residual = has_forces ? judge_forces() : find_residual(ease);
    const double enough = std::max(goal, goal_of_motion());
    if (answer.residual <= enough) return true;
    if (is_large() && ease == 1.0 && mend_few(enough, answer.residual)) return true;
    if (i == most) return false;
    ++answer.iterations;
    share_ = std::clamp(kShareOfGoal * enough / answer.residual, kLeastShare, kGradientShare);
    calc_hessian(ease);
    if (!find_direction(answer)) return false;
    const double step = line_search(ease);
    if (is_large()) blind_ = step < kCut ? kHalfBlind : 1.0 - (1.0 - blind_) / kSeeLess;
    beyond_ = step < kStopped ? step + kBeyond : 0.0;
    for (std::size_t k = 0; k < n_; ++k) x_[k] += step * step_[k];
    has_forces = is_large() && step == 1.0;  // the search has looked there last
    if (has_forces) std::ranges::transform(u_, du_, u_.begin(), std::plus{});
  }
}

/// From soft rows to those that there are.
bool VelocitySolver::continue_stiffness(double goal, VelocityAnswer& answer) {
  for (const double ease : {1e-6, 1e-4, 1e-2}) newton(ease, kEased, kLoose, answer, false);
  return newton(1.0, kMost, goal, answer, false);
}

/// v* or the guess, whichever is nearer; the guess where that is farther off than `far`.
VelocitySolver::Start VelocitySolver::choose_start(double far) {
  x_ = guess_;
  const double residual = find_residual(1.0);
  at_free_ = kUnknown;
  const bool is_near = residual <= (is_large() ? kNearGuessOfLarge : kNearGuess);
  if (is_near || residual > far) return {residual, true, true};
  x_ = free_;
  at_free_ = find_residual(1.0);
  if (residual <= at_free_) x_ = guess_;
  return {std::min(residual, at_free_), false, true};
}

VelocitySolver::Start VelocitySolver::begin(const StepProblem& p, std::size_t island) {
  if (!std::exchange(is_gathered_, false)) gather(p, p.islands[island]);
  take_guess(p);
  return choose_start(std::numeric_limits<double>::infinity());
}

/// v* where x_ is no better.
void VelocitySolver::drop_if_worse() {
  const double here = find_residual(1.0);
  guess_ = x_, x_ = free_;
  if (here < (at_free_ == kUnknown ? find_residual(1.0) : at_free_)) x_ = guess_;
}

VelocityAnswer VelocitySolver::solve(StepProblem& p, std::size_t island) {
  is_whole_ = false;
  const Start start = start_.is_set ? start_ : begin(p, island);
  start_ = {};
  VelocityAnswer answer;
  answer.residual = start.residual;
  bool is_known = start.is_known;
  if (is_large() && answer.residual > kFarOff) {
    if (!is_known) find_residual(1.0);
    is_known = sweep_and_step(p, answer);
  }
  const double goal = is_large() ? kGoalOfLarge : 1.0;
  const int few = is_large() ? kFewOfLarge : kFew;
  answer.converged = newton(1.0, few, goal, answer, is_known) || continue_stiffness(goal, answer);
  if (!answer.converged && is_large() && n_ <= kMostWhole) {
    is_whole_ = true;
    gather(p, p.islands[island]);
    x_ = free_;
    answer.converged = newton(1.0, kFew, goal, answer, false) || continue_stiffness(goal, answer);
  }
  if (!answer.converged) drop_if_worse();
  put_answer(p);
  dual_ = f_;
  p.islands[island].is_warm = true;
  return answer;
}

}  // namespace carom
