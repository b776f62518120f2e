// Stiffness from the spectrum of the Jacobian at the start: an explicit method has to
// resolve |λ|, an implicit one only what the solution does.
#include <algorithm>
#include <cmath>

#include "carom/engine/evaluate.h"
#include "carom/math/dense.h"
#include "carom/simulation/run_settings.h"

namespace carom {
namespace {

constexpr const char* kExplicit = "erk8";
constexpr const char* kImplicit = "cvode_bdf";
constexpr const char* kSwitching = "switching";
/// Up to here all eigenvalues are computed: n evaluations and 10 n³ operations are milliseconds.
constexpr std::size_t kDense = 120;
/// Of difference quotients, relative: half the digits, where truncation and rounding are alike.
constexpr double kIncrement = 1e-7;
/// Of the power method: a rate is wanted to a factor, not to digits.
constexpr int kIterations = 12;

/// Dissipative rates faster than this [1/s] make explicit steps short for no gain.
constexpr double kFast = 300.0;

bool differentiate(Workspace& w, double t, std::span<const double> x, std::vector<double>& J) {
  const std::size_t n = x.size();
  std::vector<double> moved(x.begin(), x.end()), f0(x.size()), f1(x.size());
  if (calc_rates(w, t, x, f0) != Status::ok) return false;
  J.resize(n * n);
  for (std::size_t k = 0; k < n; ++k) {
    const double h = kIncrement * std::max(1.0, std::abs(x[k]));
    moved[k] = x[k] + h;
    if (calc_rates(w, t, moved, f1) != Status::ok) return false;
    moved[k] = x[k];
    for (std::size_t r = 0; r < n; ++r) J[k * n + r] = (f1[r] - f0[r]) / h;
  }
  return std::ranges::all_of(J, [](double value) { return std::isfinite(value); });
}

/// Largest growth of a perturbation under repeated application of J: |λ|max, with its sign.
double dominant_rate(Workspace& w, double t, std::span<const double> x) {
  const std::size_t n = x.size();
  std::vector<double> direction(n), moved(n), f0(n), f1(n);
  for (std::size_t i = 0; i < n; ++i) direction[i] = 1.0 + 0.1 * static_cast<double>(i % 7);
  if (calc_rates(w, t, x, f0) != Status::ok) return 0.0;
  double rate = 0.0;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    double length = 0.0;
    for (const double d : direction) length = std::max(length, std::abs(d));
    if (!(length > 0.0)) return 0.0;
    for (std::size_t i = 0; i < n; ++i) moved[i] = x[i] + kIncrement * direction[i] / length;
    if (calc_rates(w, t, moved, f1) != Status::ok) return 0.0;
    double along = 0.0, square = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double d = direction[i] / length;
      direction[i] = (f1[i] - f0[i]) / kIncrement;
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
  if (w.model->contact.has_elastic()) return kSwitching;
  // Friction turns slow slip at acceleration over speed, and brakes regularised slip at that over
  // the regularisation: how stiff it is nobody knows beforehand. Where it is not, these are the
  // steps of the explicit method.
  if (w.model->contact.has_rigid) return kSwitching;
  if (x.size() > kDense) return dominant_rate(w, t, x) < -kFast ? kImplicit : kExplicit;
  std::vector<double> J;
  if (!differentiate(w, t, x, J)) return kExplicit;
  double fastest_decay = 0.0, fastest_turn = 0.0;
  for (const std::complex<double>& lambda : calc_eigenvalues(J, x.size())) {
    fastest_decay = std::max(fastest_decay, -lambda.real());
    fastest_turn = std::max(fastest_turn, std::abs(lambda.imag()));
  }
  // Fast oscillations must be resolved by any method; there high order wins. Only what decays some
  // times faster than anything turns can be stepped over.
  constexpr double kDecays = 3.0;
  const bool stiff = fastest_decay > kFast && fastest_decay > kDecays * fastest_turn;
  return stiff ? kImplicit : kExplicit;
}

}  // namespace carom
