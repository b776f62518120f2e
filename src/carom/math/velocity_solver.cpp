#include "carom/math/velocity_solver.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/math/block_cholesky.h"

namespace carom {
namespace {

constexpr std::size_t kWhole = 150;  ///< up to here the Hessian is factored as a whole
constexpr int kFew = 8, kEased = 10, kMost = 60;
/// In units of the tolerance: goals of islands that are not factored, and of eased stiffness.
constexpr double kGoalOfLarge = 1e4, kLoose = 1e5;
constexpr double kRounding = 1e-15;      ///< of velocities and forces that add up to a residual
constexpr double kGradientShare = 1e-2;  ///< to which conjugate gradients go
constexpr int kMostGradients = 500;
/// A shorter step was stopped by a kink; the next Hessian looks beyond it, at least by this share.
constexpr double kStopped = 1e-2, kBeyond = 1e-9;

double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void VelocitySolver::gather(const StepProblem& p, const VelocityIsland& island) {
  p_ = &p, island_ = &island;
  n_ = rows_ = 0;
  std::size_t factors = 0;
  local_.resize(p.blocks.size());
  factor_.clear(), places_.clear();
  for (const int b : island.blocks) {
    const VelocityBlock& block = p.blocks[at(b)];
    local_[at(b)] = n_;
    factor_.push_back(factors);
    n_ += block.size, factors += block.size * block.size;
  }
  std::size_t matrix = 0;
  for (const int i : island.groups) {
    const RowGroup& g = p.groups[at(i)];
    Place place{0, 0, p.block_size(g.a), p.block_size(g.b), rows_, matrix};
    if (g.a >= 0) place.a = local_[at(g.a)];
    if (g.b >= 0) place.b = local_[at(g.b)];
    rows_ += at(g.rows);
    matrix += (place.na + place.nb) * (place.na + place.nb);
    places_.push_back(place);
  }
  matrices_.resize(matrix);
  for (std::vector<double>* v : {&x_, &guess_, &free_, &g_, &size_, &step_, &mass_step_})
    v->resize(n_);
  for (std::vector<double>* v : {&u_, &du_, &try_, &f_, &doubt_, &reach_}) v->resize(rows_);
  mass_factor_.resize(factors), block_factor_.resize(factors);
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
    for (std::size_t r = 0; r < at(g.rows); ++r, J += place.na + place.nb) {
      double sum = 0.0;
      for (std::size_t k = 0; k < place.na; ++k) sum += J[k] * v[place.a + k];
      for (std::size_t k = 0; k < place.nb; ++k) sum += J[place.na + k] * v[place.b + k];
      u[place.row + r] = sum;
    }
  }
}

/// Sum of the sizes of the terms of each row's velocity.
void VelocitySolver::calc_reach() {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const RowGroup& g = p_->groups[at(island_->groups[i])];
    const double* J = p_->jacobian.data() + g.jacobian;
    for (std::size_t r = 0; r < at(g.rows); ++r, J += place.na + place.nb) {
      double sum = 0.0;
      for (std::size_t k = 0; k < place.na; ++k) sum += std::abs(J[k] * x_[place.a + k]);
      for (std::size_t k = 0; k < place.nb; ++k) {
        sum += std::abs(J[place.na + k] * x_[place.b + k]);
      }
      reach_[place.row + r] = sum;
    }
  }
}

/// Forces at the row velocities u_, which come without drift.
void VelocitySolver::calc_forces(double ease) {
  std::array<double, 3> u{};
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const RowGroup& g = p_->groups[at(island_->groups[i])];
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
        doubt_[row] = kRounding * (std::abs(out.force[c]) +
                                   out.weight * (reach_[row] + std::abs(rub.drift[c])));
      }
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
  std::fill(size_.begin(), size_.end(), 0.0);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const RowGroup& g = p_->groups[at(island_->groups[i])];
    const double* J = p_->jacobian.data() + g.jacobian;
    for (std::size_t r = 0; r < at(g.rows); ++r, J += place.na + place.nb) {
      const double impulse = p_->h * f_[place.row + r], doubt = p_->h * doubt_[place.row + r];
      if (impulse == 0.0 && doubt == 0.0) continue;
      const auto push = [&](std::size_t k, double j) {
        g_[k] -= j * impulse;
        size_[k] += std::abs(j) * doubt;
      };
      for (std::size_t k = 0; k < place.na; ++k) push(place.a + k, J[k]);
      for (std::size_t k = 0; k < place.nb; ++k) push(place.b + k, J[place.na + k]);
    }
  }
}

/// Largest error of a block's velocity, in the norm of its mass, over what counts as none.
double VelocitySolver::residual() {
  double worst = 0.0;
  std::vector<double>& y = mass_step_;
  for (std::size_t i = 0; i < island_->blocks.size(); ++i) {
    const VelocityBlock& block = p_->blocks[at(island_->blocks[i])];
    const std::size_t first = local_[at(island_->blocks[i])];
    const double* L = &mass_factor_[factor_[i]];
    const auto speed = [&](const std::vector<double>& g) {
      std::copy_n(g.begin() + static_cast<std::ptrdiff_t>(first), block.size,
                  y.begin() + static_cast<std::ptrdiff_t>(first));
      solve_lower(L, block.size, &y[first]);
      return std::sqrt(inner({&y[first], block.size}, {&y[first], block.size}) / block.inertia);
    };
    const double goal = std::max(p_->tolerance, speed(size_));
    worst = std::max(worst, speed(g_) / goal);
  }
  return worst;
}

/// At x_.
double VelocitySolver::find_residual(double ease) {
  rows_at(x_, u_);
  calc_reach();
  calc_forces(ease);
  calc_gradient();
  return residual();
}

void VelocitySolver::add_rub(const RubRow& rub, const Place& place, const double* J,
                             std::size_t row, double ease) {
  std::array<double, 3> u{};
  const std::size_t n = place.na + place.nb;
  for (std::size_t c = 0; c < at(rub.size); ++c) u[c] = u_[row + c] + rub.drift[c];
  RubAnswer out = answer(rub, p_->h, u, std::sqrt(ease));
  if (beyond_ > 0.0 && out.slips) {
    for (std::size_t c = 0; c < at(rub.size); ++c) u[c] += beyond_ * du_[row + c];
    const RubAnswer there = answer(rub, p_->h, u, std::sqrt(ease));
    if (!there.slips) out = there;
  }
  double* K = &matrices_[place.matrix];
  const double weight = p_->h * out.weight;
  if (!(weight > 0.0)) return;
  along_.assign(n, 0.0);
  for (std::size_t c = 0; c < at(rub.size); ++c) {
    add_outer(J + c * n, n, weight, K);
    for (std::size_t k = 0; k < n; ++k) along_[k] += out.direction[c] * J[c * n + k];
  }
  if (out.along > 0.0) add_outer(along_.data(), n, -out.along * weight, K);
}

void VelocitySolver::calc_hessian(double ease) {
  std::fill(matrices_.begin(), matrices_.end(), 0.0);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const RowGroup& g = p_->groups[at(island_->groups[i])];
    const std::size_t n = place.na + place.nb;
    const double* J = p_->jacobian.data() + g.jacobian;
    std::size_t row = place.row;
    for (int k = 0; k < g.normals; ++k, ++row, J += n) {
      const NormalRow& normal = p_->normals[at(g.first_normal + k)];
      const double u = u_[row] + normal.drift;
      double slope = answer(normal, p_->h, u, ease).slope;
      if (beyond_ > 0.0) {
        slope = std::min(slope, answer(normal, p_->h, u + beyond_ * du_[row], ease).slope);
      }
      if (slope < 0.0) add_outer(J, n, -p_->h * slope, &matrices_[place.matrix]);
    }
    for (int k = 0; k < g.rubs; ++k) {
      const RubRow& rub = p_->rubs[at(g.first_rub + k)];
      add_rub(rub, place, J, row, ease);
      row += at(rub.size), J += at(rub.size) * n;
    }
  }
}

void VelocitySolver::multiply(std::span<const double> x, std::span<double> y) const {
  multiply_mass(x, y);
  for (const Place& place : places_) {
    const double* K = &matrices_[place.matrix];
    const auto add_row = [&](double& out) {
      double sum = 0.0;
      for (std::size_t c = 0; c < place.na; ++c) sum += K[c] * x[place.a + c];
      for (std::size_t c = 0; c < place.nb; ++c) sum += K[place.na + c] * x[place.b + c];
      out += sum;
      K += place.na + place.nb;
    };
    for (std::size_t r = 0; r < place.na; ++r) add_row(y[place.a + r]);
    for (std::size_t r = 0; r < place.nb; ++r) add_row(y[place.b + r]);
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

void VelocitySolver::make_preconditioner() {
  for (std::size_t i = 0; i < island_->blocks.size(); ++i) {
    const VelocityBlock& block = p_->blocks[at(island_->blocks[i])];
    std::copy_n(p_->mass.begin() + static_cast<std::ptrdiff_t>(block.mass), block.size * block.size,
                block_factor_.begin() + static_cast<std::ptrdiff_t>(factor_[i]));
  }
  // Blocks of the island are ascending, so that one search finds their place in it.
  const auto factors_of = [&](int b) {
    const auto found = std::lower_bound(island_->blocks.begin(), island_->blocks.end(), b);
    return &block_factor_[factor_[static_cast<std::size_t>(found - island_->blocks.begin())]];
  };
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const RowGroup& g = p_->groups[at(island_->groups[i])];
    const std::size_t n = place.na + place.nb;
    const double* K = &matrices_[place.matrix];
    const auto add = [&](int b, std::size_t size, std::size_t first) {
      if (b < 0) return;
      double* B = factors_of(b);
      for (std::size_t r = 0; r < size; ++r) {
        for (std::size_t c = 0; c < size; ++c) B[r * size + c] += K[(first + r) * n + first + c];
      }
    };
    add(g.a, place.na, 0);
    add(g.b, place.nb, place.na);
  }
  for (std::size_t i = 0; i < island_->blocks.size(); ++i) {
    factor_block(&block_factor_[factor_[i]], p_->block_size(island_->blocks[i]));
  }
}

int VelocitySolver::solve_gradients() {
  make_preconditioner();
  for (std::vector<double>* v : {&r_, &z_, &d_, &q_}) v->resize(n_);
  const auto precondition = [&] {
    z_ = r_;
    for (std::size_t i = 0; i < island_->blocks.size(); ++i) {
      const std::size_t size = p_->block_size(island_->blocks[i]);
      double* z = &z_[local_[at(island_->blocks[i])]];
      solve_lower(&block_factor_[factor_[i]], size, z);
      solve_upper(&block_factor_[factor_[i]], size, z);
    }
  };
  std::fill(step_.begin(), step_.end(), 0.0);
  for (std::size_t i = 0; i < n_; ++i) r_[i] = -g_[i];
  precondition();
  d_ = z_;
  double rho = inner(r_, z_);
  const double goal = kGradientShare * kGradientShare * rho;
  int count = 0;
  while (count < kMostGradients && rho > goal) {
    ++count;
    multiply(d_, q_);
    const double curvature = inner(d_, q_);
    if (!(curvature > 0.0)) break;
    const double alpha = rho / curvature;
    for (std::size_t i = 0; i < n_; ++i) step_[i] += alpha * d_[i], r_[i] -= alpha * q_[i];
    precondition();
    const double next = inner(r_, z_), beta = next / rho;
    for (std::size_t i = 0; i < n_; ++i) d_[i] = z_[i] + beta * d_[i];
    rho = next;
  }
  return count;
}

bool VelocitySolver::find_direction(VelocityAnswer& answer) {
  if (n_ <= kWhole) return solve_dense();
  answer.linear_iterations += solve_gradients();
  return true;
}

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

bool VelocitySolver::newton(double ease, int most, double goal, VelocityAnswer& answer) {
  beyond_ = 0.0;
  for (int i = 0;; ++i) {
    answer.residual = find_residual(ease);
    if (answer.residual <= goal) return true;
    if (i == most) return false;
    ++answer.iterations;
    calc_hessian(ease);
    if (!find_direction(answer)) return false;
    const double step = line_search(ease);

    beyond_ = step < kStopped ? step + kBeyond : 0.0;
    for (std::size_t k = 0; k < n_; ++k) x_[k] += step * step_[k];
  }
}

VelocityAnswer VelocitySolver::solve(StepProblem& p, std::size_t island) {
  gather(p, p.islands[island]);
  VelocityAnswer answer;
  for (const int b : island_->blocks) {
    const VelocityBlock& block = p.blocks[at(b)];
    std::copy_n(p.v.begin() + static_cast<std::ptrdiff_t>(block.start), block.size,
                guess_.begin() + static_cast<std::ptrdiff_t>(local_[at(b)]));
  }
  x_ = free_;
  const double at_free = find_residual(1.0);
  x_ = guess_;
  if (find_residual(1.0) > at_free) x_ = free_;
  const double goal = n_ > kWhole ? kGoalOfLarge : 1.0;
  answer.converged = newton(1.0, kFew, goal, answer);
  if (!answer.converged) {
    for (const double ease : {1e-6, 1e-4, 1e-2}) newton(ease, kEased, kLoose, answer);
    answer.converged = newton(1.0, kMost, goal, answer);
  }
  for (const int b : island_->blocks) {
    const VelocityBlock& block = p.blocks[at(b)];
    std::copy_n(x_.begin() + static_cast<std::ptrdiff_t>(local_[at(b)]), block.size,
                p.v.begin() + static_cast<std::ptrdiff_t>(block.start));
  }
  return answer;
}

}  // namespace carom
