// Sweeps and a step of Newton's method from the forces that they leave, for a large island in which
// something touches or parts at every kink.
//
// Sweeps (velocity_sweeps.cpp) find what touches and what slips, and carry loads through a pile
// slowly; Newton's method does the reverse. A row was last visited at the velocity u' and answered
// f' = F(u'); its force near there is
//
//   f = f' + F'(u') (u - u'),                                                            (1)
//
// and with (1) for all rows the problem is linear. At the velocities that the sweeps leave, which
// differ from u' by what later visits changed, stiff rows would answer with a multiple of their
// force, and a Newton step from there meets every kink. (M. Silcowitz, S. Niebe, K. Erleben, Proc.
// VRIPHYS 2010, mix the two so for rigid contacts, round by round. Rounds do not get on here: the
// step runs far where things slip.)
//
// Nothing makes the step better than what it began with: the better one is kept, and Newton's
// method with its search on the line goes on from there.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/base/index.h"
#include "carom/math/velocity_solver.h"

namespace carom {
namespace {

/// Where loads are sought, and where they are known: what the first find, the second need not.
constexpr int kSweepsForLoads = 80, kSweeps = 40;
/// To which conjugate gradients go here: what is left of (1) is multiplied by stiff rows.
constexpr double kLinearShare = 1e-3;
/// The most that speed counts for, a thousandth of what gravity brings in a step.
constexpr double kMostOfSpeed = 1e5;
/// Energy of what forces change, over all that there is: (v+ - v*)² is at most 4 times as large
/// where what comes in goes out.
constexpr double kMostChange = 4.0;

double inner_of(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

/// How much contacts change velocities in this step, of the mean block; g_ is M step_ here.
void VelocitySolver::note_motion() {
  double sum = 0.0;
  for (const int b : island_->blocks) {
    const std::size_t first = local_[at(b)], size = p_->blocks[at(b)].size;
    sum += inner_of({&step_[first], size}, {&g_[first], size}) / p_->blocks[at(b)].inertia;
  }
  motion_ = std::sqrt(sum / static_cast<double>(island_->blocks.size()));
}

/// Where blows change velocities by more than gravity does, an island may err by a share of that;
/// an iterate that runs away changes them by any number, so no more counts than there was before.
/// And no block need be right to more than a hundredth of the speed of the mean one: friction in
/// such an island goes by loads that are known to a tenth of their mean, which is a hundred times
/// the most that this lets pass.
double VelocitySolver::goal_of_motion() const {
  if (!is_large()) return 0.0;
  const double speed = island_->speed / p_->tolerance, motion = motion_ / p_->tolerance;
  return std::max(p_->share_of_motion * (std::min(motion, speed) - kFarOff),
                  std::min(p_->share_of_speed * speed, kMostOfSpeed));
}

/// Whether the forces of sweeps change velocities by no more than what moves and what is pressed in
/// can: with bounds that follow their own normal forces sweeps lower no function, and between
/// masses far apart they run away.
bool VelocitySolver::is_plausible() {
  double most = 0.0;
  multiply_mass(free_, g_);
  for (std::size_t k = 0; k < n_; ++k) most += 0.5 * free_[k] * g_[k];
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const RowGroup& g = p_->groups[at(island_->groups[i])];
    for (int k = 0; k < g.normals; ++k) {
      const NormalRow& normal = p_->normals[at(g.first_normal + k)];
      most += elastic_energy(normal, normal.depth);
    }
  }
  for (std::size_t k = 0; k < n_; ++k) step_[k] = x_[k] - free_[k];
  multiply_mass(step_, g_);
  return 0.5 * inner_of(step_, g_) <= kMostChange * most;
}

/// Forces of (1) at x_ into f_.
void VelocitySolver::calc_linear_forces() {
  rows_at(x_, du_);
  std::array<double, 3> u{};
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const RowGroup& g = p_->groups[at(island_->groups[i])];
    std::size_t row = places_[i].row;
    for (int k = 0; k < g.normals; ++k, ++row) {
      const NormalRow& normal = p_->normals[at(g.first_normal + k)];
      const RowAnswer out = answer(normal, p_->h, answered_[row] + normal.drift, 1.0);
      f_[row] = out.force + out.slope * (du_[row] - answered_[row]);
    }
    for (int k = 0; k < g.rubs; ++k) {
      const RubRow& rub = p_->rubs[at(g.first_rub + k)];
      const std::size_t size = at(rub.size);
      for (std::size_t c = 0; c < size; ++c) u[c] = answered_[row + c] + rub.drift[c];
      const RubAnswer out = answer(rub, p_->h, u, 1.0);
      double along = 0.0;
      for (std::size_t c = 0; c < size; ++c) {
        along += out.along * out.direction[c] * (du_[row + c] - answered_[row + c]);
      }
      for (std::size_t c = 0; c < size; ++c, ++row) {
        const double across = du_[row] - answered_[row] - along * out.direction[c];
        f_[row] = out.force[c] - out.weight * across;
      }
    }
  }
}

/// What no row can give is cut off.
void VelocitySolver::cut_forces() {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const RowGroup& g = p_->groups[at(island_->groups[i])];
    std::size_t row = places_[i].row;
    for (int k = 0; k < g.normals; ++k, ++row) f_[row] = std::max(0.0, f_[row]);
    for (int k = 0; k < g.rubs; ++k) {
      const RubRow& rub = p_->rubs[at(g.first_rub + k)];
      double length = 0.0;
      for (std::size_t c = 0; c < at(rub.size); ++c) length += f_[row + c] * f_[row + c];
      length = std::sqrt(length);
      const double share = length > rub.bound ? rub.bound / length : 1.0;
      for (std::size_t c = 0; c < at(rub.size); ++c) f_[row++] *= share;
    }
  }
}

/// The minimum with (1) for all rows: x_ becomes its velocities, dual_ the forces that it has for
/// them. The residual there.
double VelocitySolver::step_from_forces(VelocityAnswer& answer) {
  blind_ = 1.0, beyond_ = 0.0, share_ = kLinearShare;
  calc_linear_forces();
  std::swap(u_, answered_);
  calc_hessian(1.0);
  std::swap(u_, answered_);
  std::ranges::fill(doubt_, 0.0);
  calc_gradient();
  ++answer.iterations;
  if (find_direction(answer)) {
    for (std::size_t k = 0; k < n_; ++k) x_[k] += step_[k];
  }
  calc_linear_forces();
  cut_forces();
  dual_ = f_;
  return find_residual(1.0);
}

double VelocitySolver::load_of(std::size_t k) const {
  double load = 0.0;
  for (std::size_t r = 0; r < at(p_->groups[at(island_->groups[k])].normals); ++r) {
    load += swept_[places_[k].row + r];
  }
  return load;
}

/// The rubs of an island with the loads that the sweeps have found.
void VelocitySolver::take_loads(StepProblem& p) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const RowGroup& g = p.groups[at(island_->groups[i])];
    double load = 0.0;
    for (std::size_t r = 0; r < at(g.normals); ++r) load += f_[places_[i].row + r];
    for (int k = 0; k < g.rubs; ++k) {
      RubRow& rub = p.rubs[at(g.first_rub + k)];
      rub = at_load(rub, load);
    }
  }
}

/// From the forces of the last answer, or else from those in f_. True: x_ is better than it was,
/// and its forces are in f_.
bool VelocitySolver::sweep_and_step(StepProblem& p, VelocityAnswer& answer) {
  const double before = answer.residual;
  guess_ = x_;
  rows_at(x_, du_);
  answered_ = du_;  // of rows that are not visited
  calc_mobility();
  if (dual_.size() == rows_) f_ = dual_;
  push_all();
  settle_impulses(couples_ ? kSweepsForLoads : kSweeps);
  answer.residual = before;
  if (couples_ && !is_plausible()) return x_ = guess_, false;
  if (couples_) take_loads(p);
  swept_ = f_;
  answer.residual = step_from_forces(answer);
  if (answer.residual < before && (!couples_ || is_plausible())) return true;
  answer.residual = before;
  x_ = guess_, dual_ = swept_;
  return couples_;  // loads are those of the sweeps
}

bool VelocitySolver::predict(StepProblem& p, std::size_t island) {
  is_whole_ = is_gathered_ = false;
  n_ = 0;
  start_ = {};
  dual_.clear();
  for (const int b : p.islands[island].blocks) n_ += p.block_size(b);
  if (!is_large()) return false;
  gather(p, p.islands[island]);
  take_guess(p);
  const Start start = choose_start(kFarOff);
  VelocityAnswer answer;
  answer.residual = start.residual;
  if (!(answer.residual > kFarOff)) return start_ = start, false;
  if (!p.islands[island].is_warm) take_guessed_forces();
  couples_ = true;
  const bool is_guessed = sweep_and_step(p, answer);
  couples_ = false;
  if (!is_guessed) return dual_.clear(), false;
  put_answer(p);
  is_gathered_ = true;
  return p.islands[island].is_warm = true;
}

}  // namespace carom
