// Pseudo-transient continuation: with δ the position in tangent coordinates and
// a(δ) the acceleration at rest, the overdamped motion δ' = a(δ) is stepped by the
// linearly implicit Euler method
//
//   (1/s − ∂a/∂δ) Δ = a,    s grows as |a| falls                                (1)
//
// which is steepest descent in the mass metric for small s and Newton for large s. Where
// ∂a/∂δ has a growing direction, of rate λ > 0, (1) would step uphill for s > 1/λ: s stays
// below half of that.
#include "carom/engine/study/equilibrium.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/engine/events/contact_life.h"
#include "carom/engine/study/tangent.h"
#include "carom/math/dense.h"

namespace carom {
namespace {

/// Takes dry friction away while it lives: at rest it can hold anything within a range, in
/// whose middle lies the equilibrium without it.
class WithoutFriction {
 public:
  explicit WithoutFriction(Workspace& w) : w_(w), modes_(w.modes) {
    for (DofElement& e : w.parameters.dofs) coulomb_.push_back(std::exchange(e.coulomb, 0.0));
    std::fill(w.modes.friction.begin(), w.modes.friction.end(), std::int8_t{1});  // none is stuck
    apply_modes(w);
  }
  ~WithoutFriction() {
    for (std::size_t i = 0; i < coulomb_.size(); ++i) w_.parameters.dofs[i].coulomb = coulomb_[i];
    w_.modes = modes_;
    apply_modes(w_);
  }
  WithoutFriction(const WithoutFriction&) = delete;
  WithoutFriction& operator=(const WithoutFriction&) = delete;

 private:
  Workspace& w_;
  Modes modes_;
  std::vector<double> coulomb_;
};

/// Stiff contacts turn the rounding of a position into a force: accelerations that fall no
/// more below this share of the largest are it.
constexpr double kStiffRounding = 1e-4;
/// Accelerations that rounding leaves are far below this, whatever was there at the start
/// [m/s², rad/s²].
constexpr double kNearRest = 0.1;

class RestProblem {
 public:
  RestProblem(Workspace& w, double t, std::span<double> x)
      : w_(w), t_(t), x_(x), nq_(w.model->nq()), nv_(w.model->nv()), moved_(x.begin(), x.end()) {
    find_contacts();
  }

  /// Accelerations at rest in the free directions T.
  bool accelerations(std::span<const double> x, const Eigen::MatrixXd& T, Eigen::VectorXd& a) {
    touch_stops(x);
    if (evaluate(w_, t_, x) != Status::ok) return false;
    a = T.transpose() *
        Eigen::Map<const Eigen::VectorXd>(w_.tree.vdot.data(), static_cast<Eigen::Index>(nv_));
    return a.allFinite();
  }

  Eigen::MatrixXd directions() {
    const std::vector<double> basis = free_directions(w_, t_, x_);
    const auto n = static_cast<Eigen::Index>(nv_);
    return Eigen::Map<const Eigen::MatrixXd>(
        basis.data(), n, n > 0 ? static_cast<Eigen::Index>(basis.size()) / n : 0);
  }

  /// x moved by T y, on the constraints, at rest.
  std::span<const double> moved(const Eigen::MatrixXd& T, const Eigen::VectorXd& y) {
    const Eigen::VectorXd delta = T * y;
    std::copy(x_.begin(), x_.end(), moved_.begin());
    move_positions(w_.model->tree, {delta.data(), nv_}, {moved_.data(), nq_});
    constexpr double kOnLoops = 1e-13;  // loops closed to rounding: what is left would be a force
    project(w_, t_, moved_, kOnLoops, 20);
    std::fill_n(moved_.begin() + static_cast<std::ptrdiff_t>(nq_), nv_, 0.0);
    return moved_;
  }

  bool jacobian(const Eigen::MatrixXd& T, Eigen::MatrixXd& K) {
    const Eigen::Index n = T.cols();
    K.resize(n, n);
    Eigen::VectorXd plus, minus, y = Eigen::VectorXd::Zero(n);
    const double h = increment_;
    for (Eigen::Index k = 0; k < n; ++k) {
      y[k] = h;
      if (!accelerations(moved(T, y), T, plus)) return false;
      y[k] = -h;
      if (!accelerations(moved(T, y), T, minus)) return false;
      y[k] = 0.0;
      K.col(k) = (plus - minus) / (2.0 * h);
    }
    return true;
  }

  void take(std::span<const double> x) {
    std::copy(x.begin(), x.end(), x_.begin());
    find_contacts();
  }

  /// Longest step [m or rad] that cannot pass through a body unseen.
  double longest_step() const {
    constexpr double kAnywhere = 0.2;  // of joints: angles beyond are another branch
    constexpr double kOfBody = 0.25;
    double longest = kAnywhere;
    for (const ShapePiece& p : w_.model->contact.pieces) {
      if (std::isfinite(p.reach)) longest = std::min(longest, kOfBody * p.reach);
    }
    return longest;
  }

 private:
  /// Central differences with truncation 1e-12 and rounding 1e-10 of a smooth force; in
  /// contact they must stay within the depth.
  void find_contacts() {
    increment_ = 1e-6;
    if (w_.model->contact.empty()) return;
    touch_near_pairs(w_, t_, x_);
    for (const ContactPair& pair : w_.modes.contacts.pairs) {
      if (std::isfinite(pair.expected_depth)) {
        increment_ = std::min(increment_, 0.1 * pair.expected_depth);
      }
    }
  }

  /// At rest a stop pushes exactly where the coordinate is beyond it.
  void touch_stops(std::span<const double> x) {
    for (const DofElement& e : w_.parameters.dofs) {
      if (e.stop < 0) continue;
      const double q = x[static_cast<std::size_t>(e.q)];
      w_.modes.stop[static_cast<std::size_t>(e.stop)] = static_cast<std::int8_t>(q > e.upper   ? 1
                                                                                 : q < e.lower ? -1
                                                                                               : 0);
    }
  }

  Workspace& w_;
  double t_;
  std::span<double> x_;
  std::size_t nq_, nv_;
  std::vector<double> moved_;
  double increment_ = 1e-6;
};

/// Whether accelerations have fallen to what rounding leaves of them.
class RestWatch {
 public:
  bool is_rest(double residual) {
    constexpr double kFew = 1e-11;  // of the forces that cancel, whose rounding is about eps
    constexpr int kStagnant = 4;    // steps that did not halve the least so far
    largest_ = std::max(largest_, residual);
    stagnation_ = residual < 0.5 * least_ ? 0 : stagnation_ + 1;
    least_ = std::min(least_, residual);
    const bool is_rounding =
        stagnation_ > kStagnant && residual <= kStiffRounding * largest_ && residual <= kNearRest;
    return residual <= kFew * std::max(1.0, largest_) || is_rounding;
  }

 private:
  double largest_ = 0.0, least_ = kInf;
  int stagnation_ = 0;
};

/// (1), with s not beyond half of where it would step uphill.
Eigen::VectorXd rest_step(const Eigen::MatrixXd& K, const Eigen::VectorXd& a, double& s) {
  const Eigen::Index n = K.cols();
  const auto size = static_cast<std::size_t>(n);
  double growth = 0.0;
  for (const auto& value : calc_eigenvalues({K.data(), size * size}, size)) {
    growth = std::max(growth, value.real());
  }
  if (growth > 0.0) s = std::min(s, 0.5 / growth);
  const Eigen::MatrixXd system = Eigen::MatrixXd::Identity(n, n) / s - K;
  const std::vector<double> solved = solve_dense({system.data(), size * size}, {a.data(), size});
  return Eigen::Map<const Eigen::VectorXd>(solved.data(), n);
}

}  // namespace

EquilibriumResult find_equilibrium(Workspace& w, double t, std::span<double> x) {
  EquilibriumResult result;
  const std::size_t nq = w.model->nq(), nv = w.model->nv();
  std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(nq), nv, 0.0);
  const WithoutFriction frictionless(w);
  RestProblem problem(w, t, x);
  RestWatch watch;
  Eigen::VectorXd a;
  Eigen::MatrixXd K;
  // s² in seconds: a tenth of a second of free fall to begin with, Newton's method in the end.
  constexpr double kNewton = 1e12, kShortest = 1e-3;
  double s = 1e-2, before = kInf;
  constexpr int kMaxIterations = 400;
  for (; result.iterations < kMaxIterations; ++result.iterations) {
    const Eigen::MatrixXd T = problem.directions();
    if (T.cols() == 0) {
      result.found = true;
      return result;
    }
    if (!problem.accelerations(x, T, a)) {
      result.reason = "the accelerations cannot be evaluated";
      return result;
    }
    result.residual = a.lpNorm<Eigen::Infinity>();
    if (watch.is_rest(result.residual)) {
      result.found = true;
      return result;
    }
    if (!problem.jacobian(T, K)) {
      result.reason = "the stiffness cannot be evaluated";
      return result;
    }
    Eigen::VectorXd step = rest_step(K, a, s);
    const double length = step.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(length)) {
      result.reason = "nothing holds the system: a direction has neither stiffness nor stop";
      return result;
    }
    const double longest = problem.longest_step();
    if (length > longest) step *= longest / length;
    problem.take(problem.moved(T, step));
    s = std::min(kNewton, s * std::max(0.5, std::min(10.0, before / result.residual)));
    if (length > longest) s = std::max(kShortest, 0.5 * s);
    before = result.residual;
  }
  result.reason = "no equilibrium within " + std::to_string(kMaxIterations) + " steps";
  if (!w.model->contact.empty()) result.reason += " (friction is not counted on)";
  return result;
}

}  // namespace carom
