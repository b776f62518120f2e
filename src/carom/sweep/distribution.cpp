#include "carom/sweep/distribution.h"

#include <algorithm>
#include <cmath>

#include "carom/base/text.h"

namespace carom::sweep {
namespace {

template <std::size_t N>
double polynomial(const double (&c)[N], double r) {
  double sum = c[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) sum = sum * r + c[i];
  return sum;
}

}  // namespace

// M. J. Wichura, Algorithm AS 241: The percentage points of the normal distribution, Applied
// Statistics 37 (1988) 477-484, routine PPND16: three rational approximations.
double normal_quantile(double p) {
  constexpr double a[] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                          1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                          3.3430575583588128105e4, 2.5090809287301226727e3};
  constexpr double b[] = {1.0,
                          4.2313330701600911252e1,
                          6.8718700749205790830e2,
                          5.3941960214247511077e3,
                          2.1213794301586595867e4,
                          3.9307895800092710610e4,
                          2.8729085735721942674e4,
                          5.2264952788528545610e3};
  constexpr double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                          5.76949722146069140550e0,  3.64784832476320460504e0,
                          1.27045825245236838258e0,  2.41780725177450611770e-1,
                          2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr double d[] = {1.0,
                          2.05319162663775882187e0,
                          1.67638483018380384940e0,
                          6.89767334985100004550e-1,
                          1.48103976427480074590e-1,
                          1.51986665636164571966e-2,
                          5.47593808499534494600e-4,
                          1.05075007164441684324e-9};
  constexpr double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                          1.78482653991729133580e0,  2.96560571828504891230e-1,
                          2.65321895265761230930e-2, 1.24266094738807843860e-3,
                          2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr double f[] = {1.0,
                          5.99832206555887937690e-1,
                          1.36929880922735805310e-1,
                          1.48753612908506148525e-2,
                          7.86869131145613259100e-4,
                          1.84631831751005468180e-5,
                          1.42151175831644588870e-7,
                          2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  double r = std::sqrt(-std::log(q < 0.0 ? p : 1.0 - p));
  double x = 0.0;
  if (r <= 5.0) {
    r -= 1.6;
    x = polynomial(c, r) / polynomial(d, r);
  } else {
    r -= 5.0;
    x = polynomial(e, r) / polynomial(f, r);
  }
  return q < 0.0 ? -x : x;
}

double quantile(const Distribution& d, double u) {
  using Law = Distribution::Kind;
  switch (d.kind) {
    case Law::uniform: return d.a + (d.b - d.a) * u;
    case Law::loguniform: return d.a * std::exp(std::log(d.b / d.a) * u);
    case Law::normal: return d.a + d.b * normal_quantile(u);
    case Law::lognormal: return std::exp(d.a + d.b * normal_quantile(u));
    case Law::triangular: {
      const double c = (d.mode - d.a) / (d.b - d.a);
      return u < c ? d.a + std::sqrt(u * (d.b - d.a) * (d.mode - d.a))
                   : d.b - std::sqrt((1.0 - u) * (d.b - d.a) * (d.b - d.mode));
    }
    case Law::choice: break;
  }
  const auto n = static_cast<double>(d.choices.size());
  return std::min(std::floor(u * n), n - 1.0);
}

double grid_value(const Distribution& d, std::size_t index, std::size_t count) {
  if (d.is_choice()) return static_cast<double>(index);
  const auto i = static_cast<double>(index), n = static_cast<double>(count);
  if (d.is_unbounded() || count == 1) return quantile(d, (i + 0.5) / n);
  if (index + 1 == count) return d.b;
  return index == 0 ? d.a : quantile(d, i / (n - 1.0));
}

std::string value_text(const Distribution& d, double value) {
  return d.is_choice() ? d.choices[static_cast<std::size_t>(value)] : number_text(value);
}

std::string_view to_string(Distribution::Kind kind) {
  constexpr std::string_view kNames[] = {"uniform",   "loguniform", "normal",
                                         "lognormal", "triangular", "choice"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace carom::sweep
