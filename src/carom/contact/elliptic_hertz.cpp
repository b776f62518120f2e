#include "carom/contact/elliptic_hertz.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/contact/stiffness.h"

namespace carom {
namespace {

// The factor is even in x = ln(B/A) and analytic around the real axis, nearest singularity at
// x = i pi: a Chebyshev series in x² over the range falls by 1.95 a term, 1e-14 after 48.
constexpr std::size_t kTerms = 48;
constexpr double kMaxLog = 4.0 * std::numbers::ln10;  // of kMaxCurvatureRatio
constexpr double kRange = kMaxLog * kMaxLog;

using Series = std::array<double, kTerms>;

Series factor_series() {
  Series values, series;
  constexpr double n = kTerms;
  for (std::size_t k = 0; k < kTerms; ++k) {
    const double node = std::cos(std::numbers::pi * (static_cast<double>(k) + 0.5) / n);
    const double x = std::sqrt(0.5 * kRange * (1.0 + node));
    values[k] = solve_contact_ellipse(std::exp(x)).stiffness_factor;
  }
  for (std::size_t j = 0; j < kTerms; ++j) {
    double sum = 0.0;
    for (std::size_t k = 0; k < kTerms; ++k) {
      sum += values[k] * std::cos(std::numbers::pi * static_cast<double>(j) *
                                  (static_cast<double>(k) + 0.5) / n);
    }
    series[j] = (j == 0 ? 1.0 : 2.0) * sum / n;
  }
  return series;
}

const Series& factors() {
  static const Series series = factor_series();
  return series;
}

}  // namespace

ContactEllipse contact_ellipse(double axis_ratio) {
  const double e2 = (1.0 - axis_ratio) * (1.0 + axis_ratio);
  if (e2 < 1e-12) return {axis_ratio, 1.0 + 0.75 * e2, 1.0};  // second order in e²
  double a = 1.0, g = axis_ratio, c2 = e2, power = 0.5, S = 0.0;
  // c converges quadratically from below 1: fewer than ten steps.
  for (int i = 0; i < 40 && power * c2 > 1e-18 * S; ++i) {
    S += power * c2;
    const double c = 0.5 * (a - g), mean = 0.5 * (a + g);
    g = std::sqrt(a * g), a = mean, c2 = c * c, power *= 2.0;
  }
  const double ratio = (e2 - S) / (axis_ratio * axis_ratio * S);
  return {axis_ratio, ratio, a * std::sqrt(2.0 * S / e2 * std::sqrt(ratio))};
}

ContactEllipse solve_contact_ellipse(double B_over_A) {
  // Secant in logarithms, where the relation is nearly a straight line of slope -3/2.
  const double target = std::log(B_over_A);
  double x0 = 0.0, f0 = -target;
  double x = -target / 1.5;
  ContactEllipse ellipse = contact_ellipse(1.0);
  if (!(target > 1e-12)) return ellipse;
  for (int i = 0; i < 60; ++i) {
    ellipse = contact_ellipse(std::exp(x));
    const double f = std::log(ellipse.curvature_ratio) - target;
    if (std::abs(f) <= 1e-15 * target || f == f0) break;
    const double next = std::min(x - f * (x - x0) / (f - f0), 0.0);
    x0 = x, f0 = f, x = next;
    if (std::abs(x - x0) <= 1e-16) break;
  }
  return ellipse;
}

FactorOfRadii elliptic_factor_of_radii(double w) {
  const Series& series = factors();
  const double cosh = std::max(1.0, 0.5 * w - 1.0);  // of x = ln(r1/r2)
  const double sinh = std::sqrt((cosh - 1.0) * (cosh + 1.0));
  const double x = std::log(cosh + sinh);
  if (x >= kMaxLog) return {elliptic_hertz_factor(kMaxCurvatureRatio), 0.0};
  const double t = 2.0 * x * x / kRange - 1.0;
  double b1 = 0.0, b2 = 0.0, s1 = 0.0, s2 = 0.0;  // Clenshaw, and its derivative
  for (std::size_t j = kTerms - 1; j > 0; --j) {
    const double s = 2.0 * b1 + 2.0 * t * s1 - s2;
    const double b = 2.0 * t * b1 - b2 + series[j];
    b2 = b1, b1 = b, s2 = s1, s1 = s;
  }
  // d(x²)/dw = x / sinh(x)
  const double stretch = x > 1e-4 ? x / sinh : 1.0 - x * x / 6.0;
  return {t * b1 - b2 + series[0], (b1 + t * s1 - s2) * 2.0 / kRange * stretch};
}

double elliptic_hertz_factor(double B_over_A) {
  if (!(B_over_A > 1.0)) return 1.0;
  const Series& series = factors();
  const double x = std::log(std::min(B_over_A, kMaxCurvatureRatio));
  const double t = 2.0 * x * x / kRange - 1.0;
  double b1 = 0.0, b2 = 0.0;  // Clenshaw
  for (std::size_t j = kTerms - 1; j > 0; --j) {
    const double b = 2.0 * t * b1 - b2 + series[j];
    b2 = b1, b1 = b;
  }
  return t * b1 - b2 + series[0];
}

}  // namespace carom
