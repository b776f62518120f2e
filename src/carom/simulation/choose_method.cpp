// Stiffness from the spectrum of the Jacobian at the start: an explicit method has to
// resolve |λ|, an implicit one only what the solution does.
#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "carom/engine/evaluate.h"
#include "carom/simulation/run_settings.h"

namespace carom {
namespace {

constexpr const char* kExplicit = "erk8";
constexpr const char* kImplicit = "cvode_bdf";
constexpr const char* kSwitching = "switching";
constexpr std::size_t kDense = 120;  ///< up to here all eigenvalues are computed

/// Dissipative rates faster than this [1/s] make explicit steps short for no gain.
constexpr double kFast = 300.0;

bool differentiate(Workspace& w, double t, std::span<const double> x, Eigen::MatrixXd& J) {
  const auto n = static_cast<Eigen::Index>(x.size());
  std::vector<double> moved(x.begin(), x.end()), f0(x.size()), f1(x.size());
  if (calc_rates(w, t, x, f0) != Status::ok) return false;
  J.resize(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double h = 1e-7 * std::max(1.0, std::abs(x[i]));
    moved[i] = x[i] + h;
    if (calc_rates(w, t, moved, f1) != Status::ok) return false;
    moved[i] = x[i];
    for (Eigen::Index r = 0; r < n; ++r) {
      J(r, k) = (f1[static_cast<std::size_t>(r)] - f0[static_cast<std::size_t>(r)]) / h;
    }
  }
  return J.allFinite();
}

/// Largest growth of a perturbation under repeated application of J: |λ|max, with its sign.
double dominant_rate(Workspace& w, double t, std::span<const double> x) {
  const std::size_t n = x.size();
  std::vector<double> direction(n), moved(n), f0(n), f1(n);
  for (std::size_t i = 0; i < n; ++i) direction[i] = 1.0 + 0.1 * static_cast<double>(i % 7);
  if (calc_rates(w, t, x, f0) != Status::ok) return 0.0;
  double rate = 0.0;
  for (int iteration = 0; iteration < 12; ++iteration) {
    double length = 0.0;
    for (const double d : direction) length = std::max(length, std::abs(d));
    if (!(length > 0.0)) return 0.0;
    for (std::size_t i = 0; i < n; ++i) moved[i] = x[i] + 1e-7 * direction[i] / length;
    if (calc_rates(w, t, moved, f1) != Status::ok) return 0.0;
    double along = 0.0, square = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double d = direction[i] / length;
      direction[i] = (f1[i] - f0[i]) / 1e-7;
      along += d * direction[i];
      square += d * d;
    }
    rate = along / square;
  }
  return rate;
}

}  // namespace

std::string choose_method(Workspace& w, double t, std::span<const double> x) {
  if (x.empty()) return kExplicit;
  if (!w.model->contact.empty()) return kSwitching;
  if (x.size() > kDense) return dominant_rate(w, t, x) < -kFast ? kImplicit : kExplicit;
  Eigen::MatrixXd J;
  if (!differentiate(w, t, x, J)) return kExplicit;
  const Eigen::VectorXcd lambda = J.eigenvalues();
  double fastest_decay = 0.0, fastest_turn = 0.0;
  for (Eigen::Index k = 0; k < lambda.size(); ++k) {
    fastest_decay = std::max(fastest_decay, -lambda[k].real());
    fastest_turn = std::max(fastest_turn, std::abs(lambda[k].imag()));
  }
  // Fast oscillations must be resolved by any method; there high order wins.
  const bool stiff = fastest_decay > kFast && fastest_decay > 3.0 * fastest_turn;
  return stiff ? kImplicit : kExplicit;
}

}  // namespace carom
