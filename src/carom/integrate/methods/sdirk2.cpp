// A two-stage implicit Runge-Kutta method of order 2 with a fixed step, L-stable: for
// stiff contact in real time.
//
//   X1 = x + h g f(t + g h, X1)                                                   (1)
//   X2 = x + h (1 - g) f(t + g h, X1) + h g f(t + h, X2) = x_new,  g = 1 - 1/sqrt(2)
//
// Alexander, "Diagonally implicit Runge-Kutta methods for stiff ODEs", SIAM J. Numer.
// Anal. 14 (1977) 1006-1021. Both stages are solved by Newton's method with the same
// matrix I - g h df/dx, which is kept as long as it makes the iteration converge fast. Where a
// contact has begun within a step its stiffness changes along the iteration: then the matrix is
// made anew with every iterate (Newton's method proper), which finds the way out of a deep overlap.
#include <cmath>
#include <numbers>

#include "carom/integrate/fixed_step.h"
#include "carom/integrate/sundials/group_vector.h"
#include "carom/integrate/sundials/newton_matrix.h"

namespace carom {
namespace {

constexpr double kGamma = 1.0 - 0.5 * std::numbers::sqrt2;
constexpr int kMaxIterations = 8;
constexpr int kMaxProperIterations = 40;
/// Error that Newton may leave, in units of the tolerances: far below that of the step.
constexpr double kNewtonTolerance = 1e-3;
/// A slower iteration is worth a new matrix in the next step.
constexpr double kGoodContraction = 0.1;

class Sdirk2 {
 public:
  Sdirk2(CheckedRhs& rhs, IntegratorStatistics& statistics, const IntegratorSettings& settings)
      : rhs_(rhs),
        settings_(settings),
        size_(rhs.system().size()),
        norm_(size_, rhs.system().groups()),
        residual_(make_group_vector(size_, norm_, context_.get())),
        correction_(make_group_vector(size_, norm_, context_.get())),
        slope_(size_),
        base_(size_),
        weights_(size_) {
    if (size_ == 0) return;
    newton_ = std::make_unique<NewtonMatrix>(rhs, statistics, settings.rtol, settings.atol,
                                             residual_.get(), context_.get());
  }

  Status advance(double t, double h, std::span<const double> x, std::span<double> x_new) {
    if (size_ == 0) return Status::ok;
    rhs_.system().error_weights(x, settings_.rtol, settings_.atol, weights_);
    const bool is_old = matrix_step_ > 0.0 && !wants_new_jacobian_;
    Status status = is_old ? prepare_matrix(h) : prepare_jacobian(t, h, x);
    if (status == Status::ok) status = try_stages(t, h, x, x_new);
    if (status == Status::recoverable && is_old) {
      status = prepare_jacobian(t, h, x);
      if (status == Status::ok) status = try_stages(t, h, x, x_new);
    }
    if (status != Status::recoverable) return status;
    is_proper_ = true;
    status = try_stages(t, h, x, x_new);
    is_proper_ = false;
    wants_new_jacobian_ = true;
    return status;
  }

 private:
  Status prepare_jacobian(double t, double h, std::span<const double> x) {
    matrix_step_ = 0.0;
    Status status = rhs_(t, x, slope_);
    if (status == Status::ok) status = newton_->differentiate(t, x, slope_);
    wants_new_jacobian_ = status != Status::ok;
    return status == Status::ok ? prepare_matrix(h) : status;
  }

  Status prepare_matrix(double h) {
    if (matrix_step_ == h) return Status::ok;
    matrix_step_ = h;
    newton_->form(kGamma * h);
    const int flag = SUNLinSolSetup(newton_->solver(), newton_->matrix());
    if (flag != 0) matrix_step_ = 0.0;
    return flag == 0 ? Status::ok : Status::recoverable;
  }

  Status try_stages(double t, double h, std::span<const double> x, std::span<double> x_new) {
    std::copy(x.begin(), x.end(), base_.begin());
    std::copy(x.begin(), x.end(), x_new.begin());
    const Status status = solve_stage(t + kGamma * h, h, x_new);
    if (status != Status::ok) return status;
    // By (1) the slope of the first stage is (X1 - x)/(g h): no evaluation, and no
    // stiffness to magnify what Newton left.
    const double ratio = (1.0 - kGamma) / kGamma;
    for (std::size_t i = 0; i < size_; ++i) base_[i] += ratio * (x_new[i] - x[i]);
    return solve_stage(t + h, h, x_new);
  }

  /// Solves X = base + g h f(t, X), beginning at the X that is given.
  Status solve_stage(double t, double h, std::span<double> X) {
    const std::span<double> residual = values(residual_.get());
    const std::span<double> correction = values(correction_.get());
    double size_before = 0.0;
    const int most = is_proper_ ? kMaxProperIterations : kMaxIterations;
    for (int iteration = 0; iteration < most; ++iteration) {
      Status status = is_proper_ ? prepare_jacobian(t, h, X) : rhs_(t, X, slope_);
      if (is_proper_ && status == Status::ok) status = rhs_(t, X, slope_);
      if (status != Status::ok) return status;
      for (std::size_t i = 0; i < size_; ++i) {
        residual[i] = base_[i] + kGamma * h * slope_[i] - X[i];
      }
      if (SUNLinSolSolve(newton_->solver(), newton_->matrix(), correction_.get(), residual_.get(),
                         0.0) != 0) {
        return Status::recoverable;
      }
      for (std::size_t i = 0; i < size_; ++i) X[i] += correction[i];
      const double size = norm_(correction.data(), weights_.data());
      const double contraction = iteration == 0 ? 0.5 : size / size_before;
      if (iteration > 0 && contraction > kGoodContraction) wants_new_jacobian_ = true;
      if (!std::isfinite(size) || (!is_proper_ && !(contraction < 1.0))) return Status::recoverable;
      if (is_proper_ && size <= kNewtonTolerance) return Status::ok;
      if (!is_proper_ && size * contraction <= kNewtonTolerance * (1.0 - contraction))
        return Status::ok;
      size_before = size;
    }
    return Status::recoverable;
  }

  CheckedRhs& rhs_;
  IntegratorSettings settings_;
  std::size_t size_;
  ContextHandle context_;
  GroupNorm norm_;
  VectorHandle residual_;
  VectorHandle correction_;
  std::vector<double> slope_;
  std::vector<double> base_;
  std::vector<double> weights_;
  std::unique_ptr<NewtonMatrix> newton_;
  double matrix_step_ = 0.0;  ///< h of the factored matrix; 0: there is none
  bool wants_new_jacobian_ = false;
  bool is_proper_ = false;  ///< the matrix is made anew with every iterate
};

StepRule make_rule(CheckedRhs& rhs, IntegratorStatistics& statistics,
                   const IntegratorSettings& settings) {
  return [method = std::make_shared<Sdirk2>(rhs, statistics, settings)](
             double t, double h, std::span<const double> x, std::span<double> x_new) {
    return method->advance(t, h, x, x_new);
  };
}

}  // namespace

extern const Method method_sdirk2{
    .name = "sdirk2",
    .doc = "implicit Runge-Kutta of order 2, L-stable, fixed step; for stiff systems",
    .error_controlled = false,
    .implicit = true,
    .handles_projection = true,
    .order = 2,
    .make = [](System& system, const IntegratorSettings& settings) {
      return make_fixed_step_integrator(system, settings, {make_rule, 3, false});
    }};

}  // namespace carom
