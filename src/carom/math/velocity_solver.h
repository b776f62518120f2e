// Newton's method for a velocity problem, island by island.
//
// The gradient of (1) in step_problem.h is monotone, so a step is cut where its directional
// derivative has grown beyond half of what it began with: a search on a line that costs no
// product with M. Rows that are stiff between blocks of very different mass stop that search at
// every kink. Where eight iterations do not do, the stiffness is taken up from a millionth by
// factors of a hundred: soft rows have no kinks to speak of, and hand on a good guess. At a kink
// the Hessian of one side may lead into the other for ever: after a step that was stopped, each row
// has the steeper one of here and of a little beyond.
//
// Small islands are factored densely, larger ones solved by conjugate gradients
// (block_gradients.h), and factored where that fails: between masses a million apart conjugate
// gradients may not reach a direction of use. These are content with less, and get on with a
// Hessian that is not quite blind along a slip where the last step was cut: exact, such a step runs
// far in the directions in which things slide.
#pragma once

#include <cmath>
#include <cstdint>

#include "carom/math/block_gradients.h"
#include "carom/math/step_problem.h"

namespace carom {

struct VelocityAnswer {
  bool converged = false;
  int iterations = 0;         ///< of Newton
  int linear_iterations = 0;  ///< of conjugate gradients
  double residual = 0.0;      ///< largest error of a block's velocity, over the tolerance
};

class VelocitySolver {
 public:
  /// p.v of the blocks of the island becomes the minimum.
  VelocityAnswer solve(StepProblem& p, std::size_t island);
  /// A guess of it where the island is large and its velocities are far off, with bounds that go by
  /// the normal forces of the guess itself. False: nothing was done, and what was found out serves
  /// solve(), if that is asked next.
  bool predict(StepProblem& p, std::size_t island);
  /// Normal force of the k-th group of the island that friction goes by in that guess.
  double load_of(std::size_t k) const;

 private:
  /// From this residual on, which is what gravity brings in a step, an island is swept before
  /// Newton's method.
  static constexpr double kFarOff = 1e8;

  struct Place {
    std::size_t a = 0, b = 0, na = 0, nb = 0;  ///< where the blocks of a group begin, their sizes
    std::size_t row = 0;                       ///< its first row
    std::size_t matrix = 0;                    ///< its part of the Hessian
    std::size_t block_a = 0, block_b = 0;      ///< of the island
    std::size_t joint = 0;                     ///< between them
    std::size_t spread = 0;                    ///< where its rows begin in spread_
  };
  void gather(const StepProblem& p, const VelocityIsland& island);
  void take_guess(const StepProblem& p);
  void put_answer(StepProblem& p) const;
  /// Where Newton's method begins: x_.
  struct Start {
    double residual = 0.0;
    bool is_known = false;  ///< forces are those of x_
    bool is_set = false;
  };
  Start begin(const StepProblem& p, std::size_t island);
  Start choose_start(double far);
  void drop_if_worse();
  double find_residual(double ease);
  double judge_forces();
  /// `is_known`: the residual at x_ is that of the answer, and forces are those of x_.
  bool newton(double ease, int most, double goal, VelocityAnswer& answer, bool is_known);
  bool continue_stiffness(double goal, VelocityAnswer& answer);
  void rows_at(std::span<const double> v, std::span<double> u) const;
  void calc_rows();
  void calc_forces(double ease);
  void calc_forces_of(std::size_t group, double ease);
  void calc_gradient();
  void note_motion();
  double goal_of_motion() const;
  bool is_plausible();
  double block_error(std::size_t b);
  double residual();
  void calc_hessian(double ease);
  template <class Add>
  void visit_slopes(std::size_t group, double ease, Add&& add);
  bool find_direction(VelocityAnswer& answer);
  bool solve_dense();
  bool is_large() const;
  void add_row(const Place& place, const double* J, double weight);
  void multiply_mass(std::span<const double> x, std::span<double> y) const;
  double line_search(double ease);

  // velocity_sweeps.cpp
  void invert_masses();
  void calc_mobility();
  template <class Na, class Nb>
  void spread_group(const RowGroup& g, const Place& place, Na na, Nb nb);
  void take_guessed_forces();
  void push_all();
  double sweep_impulses();
  template <class Sides>
  void visit_group(std::size_t i, const Sides& sides, double& change, double& all);
  bool has_force(std::size_t row, std::size_t size) const;
  template <class Sides>
  void visit_rub(const RubRow& rub, const RubLimits& limits, const Sides& sides, const double* J,
                 const double* spread, std::size_t row);
  double slope_at(double step, double ease);

  // velocity_leaps.cpp
  double last_change();
  void settle_impulses(int most);

  // velocity_relax.cpp
  void list_neighbours();
  void move_block(std::size_t b, double step);
  void calc_block_hessian(std::size_t b);
  bool visit_block(std::size_t b, double enough);
  bool mend_few(double enough, double& error);

  // velocity_heaps.cpp
  bool sweep_and_step(StepProblem& p, VelocityAnswer& answer);
  void calc_linear_forces();
  void cut_forces();
  double step_from_forces(VelocityAnswer& answer);
  void take_loads(StepProblem& p) const;

  const StepProblem* p_ = nullptr;
  const VelocityIsland* island_ = nullptr;
  std::size_t n_ = 0, rows_ = 0;
  std::vector<std::size_t> local_;   ///< per block of the problem: where it begins
  std::vector<std::size_t> index_;   ///< and the how many-th of the island it is
  std::vector<std::size_t> sizes_;   ///< of the island's blocks
  std::vector<std::size_t> factor_;  ///< per block of the island: its factors
  std::vector<Place> places_;        ///< per group of the island
  std::vector<double> x_, guess_, free_, g_, size_, step_, mass_step_, u_, du_, try_, f_, doubt_,
      reach_;
  std::vector<double> matrices_, mass_factor_, mass_inverse_, dense_, along_, scratch_;
  std::vector<double> spread_;    ///< M⁻¹ J', row by row
  std::vector<double> mobility_;  ///< per row: how fast a unit of impulse makes it
  std::vector<double> answered_;  ///< per row: the velocity of its last visit, without drift
  std::vector<double> dual_;      ///< forces of the last guess or answer; none: not of this island
  std::vector<double> swept_;     ///< forces that sweeps left
  std::vector<double> leap_forces_, leap_speeds_;                 ///< where the last sweep began
  std::vector<double> force_way_, speed_way_;                     ///< how it goes on from there
  std::vector<std::size_t> neighbours_, first_neighbour_, fill_;  ///< groups of each block
  std::vector<std::size_t> waiting_;                              ///< blocks that are to be visited
  std::vector<std::uint8_t> is_waiting_;
  std::vector<double> block_step_, block_hessian_, old_forces_;
  bool couples_ = false;  ///< sweeps take loads from themselves
  std::size_t jacobian_size_ = 0;
  bool is_gathered_ = false;  ///< predict() has gathered the island that is solved next
  bool is_whole_ = false;     ///< factored although large: conjugate gradients did not do
  BlockGradients gradients_;
  Start start_;           ///< of the island that predict() left alone
  double motion_ = 0.0;   ///< rms of what the island's velocities differ from v* by
  double share_ = 0.1;    ///< to which conjugate gradients go
  double beyond_ = 0.0;   ///< of the last step, where a kink stopped it
  double blind_ = 1.0;    ///< share of a slip's own direction that the Hessian leaves out
  double at_free_ = 0.0;  ///< residual of v*, where it was asked for
  double start_slope_ = 0.0, mass_slope_ = 0.0, curvature_ = 0.0;
};

/// Calls add(row of the Jacobian, weight) for all that the rows of a group add to the Hessian at
/// u_.
template <class Add>
void VelocitySolver::visit_slopes(std::size_t group, double ease, Add&& add) {
  const Place& place = places_[group];
  const RowGroup& g = p_->groups[static_cast<std::size_t>(island_->groups[group])];
  const std::size_t n = place.na + place.nb;
  const double* J = p_->jacobian.data() + g.jacobian;
  std::size_t row = place.row;
  for (int k = 0; k < g.normals; ++k, ++row, J += n) {
    const NormalRow& normal = p_->normals[static_cast<std::size_t>(g.first_normal + k)];
    const double u = u_[row] + normal.drift;
    double slope = answer(normal, p_->h, u, ease).slope;
    if (beyond_ > 0.0) {
      slope = std::min(slope, answer(normal, p_->h, u + beyond_ * du_[row], ease).slope);
    }
    if (slope < 0.0) add(J, -p_->h * slope);
  }
  for (int k = 0; k < g.rubs; ++k) {
    const RubRow& rub = p_->rubs[static_cast<std::size_t>(g.first_rub + k)];
    const auto size = static_cast<std::size_t>(rub.size);
    std::array<double, 3> u{};
    for (std::size_t c = 0; c < size; ++c) u[c] = u_[row + c] + rub.drift[c];
    RubAnswer out = answer(rub, p_->h, u, std::sqrt(ease));
    if (beyond_ > 0.0 && out.slips) {
      for (std::size_t c = 0; c < size; ++c) u[c] += beyond_ * du_[row + c];
      const RubAnswer there = answer(rub, p_->h, u, std::sqrt(ease));
      if (!there.slips) out = there;
    }
    const double weight = p_->h * out.weight;
    if (weight > 0.0) {
      along_.assign(n, 0.0);
      for (std::size_t c = 0; c < size; ++c) {
        add(J + c * n, weight);
        for (std::size_t i = 0; i < n; ++i) along_[i] += out.direction[c] * J[c * n + i];
      }
      if (out.along > 0.0) add(along_.data(), -blind_ * out.along * weight);
    }
    row += size, J += size * n;
  }
}

}  // namespace carom
