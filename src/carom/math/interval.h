// Intervals with outward rounding: bounds that hold for every number inside, whatever the
// rounding of the processor and of the C library.
//
//   [a] ∘ [b] ⊇ { x ∘ y : x in [a], y in [b] }                        (1)
//
// Sums, products, quotients and square roots are correct to half an ulp, so one ulp outward is
// enough; functions of the library are correct to a few, so eight are taken. Where a function
// is not defined on a part of the argument (sqrt of [-1, 4]) the bounds hold for the rest; where
// it is not defined at all they are empty, lo > hi. 0 times an unbounded interval is 0, as the
// bounds are of finite numbers [Moore, Kearfott and Cloud 2009, Introduction to Interval Analysis].
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {

struct Interval {
  double lo, hi;

  Interval() = default;
  constexpr Interval(double value) : lo(value), hi(value) {}  // NOLINT: constants are numbers
  constexpr Interval(double low, double high) : lo(low), hi(high) {}

  static constexpr Interval entire() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  static constexpr Interval empty() {
    return {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  }

  bool is_empty() const { return !(lo <= hi); }
  bool contains(double x) const { return lo <= x && x <= hi; }
  double middle() const { return 0.5 * lo + 0.5 * hi; }
  double width() const { return hi - lo; }
  /// Greatest and least absolute value.
  double magnitude() const { return std::max(std::abs(lo), std::abs(hi)); }
  double mignitude() const { return contains(0.0) ? 0.0 : std::min(std::abs(lo), std::abs(hi)); }
};

namespace interval_detail {
/// One ulp and more: ulp(x) <= eps |x|, but for the denormal ones.
inline double below(double x, double ulps = 1.0) {
  return x - (std::abs(x) * (ulps * std::numeric_limits<double>::epsilon()) +
              std::numeric_limits<double>::denorm_min());
}
inline double above(double x, double ulps = 1.0) {
  return x + (std::abs(x) * (ulps * std::numeric_limits<double>::epsilon()) +
              std::numeric_limits<double>::denorm_min());
}
/// `lo` and `hi` computed to within `ulps`; infinite ends stay, and NaN says nothing.
inline Interval outward(double lo, double hi, double ulps = 1.0) {
  if (std::isnan(lo) || std::isnan(hi)) return Interval::entire();
  return {
      std::isinf(lo) ? (lo > 0.0 ? std::numeric_limits<double>::max() : lo) : below(lo, ulps),
      std::isinf(hi) ? (hi < 0.0 ? std::numeric_limits<double>::lowest() : hi) : above(hi, ulps)};
}
inline double times(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }
}  // namespace interval_detail

inline Interval operator-(const Interval& a) { return {-a.hi, -a.lo}; }
inline Interval operator+(const Interval& a, const Interval& b) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  return interval_detail::outward(a.lo + b.lo, a.hi + b.hi);
}
inline Interval operator-(const Interval& a, const Interval& b) { return a + (-b); }
inline Interval operator*(const Interval& a, const Interval& b) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  if ((a.lo == 0.0 && a.hi == 0.0) || (b.lo == 0.0 && b.hi == 0.0)) return {0.0, 0.0};
  using interval_detail::times;
  const double p = times(a.lo, b.lo), q = times(a.lo, b.hi), r = times(a.hi, b.lo),
               s = times(a.hi, b.hi);
  return interval_detail::outward(std::min(std::min(p, q), std::min(r, s)),
                                  std::max(std::max(p, q), std::max(r, s)));
}
Interval operator/(const Interval& a, const Interval& b);

/// The least interval that holds both, and what they have in common.
inline Interval hull(const Interval& a, const Interval& b) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}
inline Interval intersect(const Interval& a, const Interval& b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

Interval sqrt(const Interval& x);
Interval exp(const Interval& x);
Interval log(const Interval& x);
Interval log2(const Interval& x);
Interval log10(const Interval& x);
Interval sin(const Interval& x);
Interval cos(const Interval& x);
Interval tan(const Interval& x);
Interval asin(const Interval& x);
Interval acos(const Interval& x);
Interval atan(const Interval& x);
Interval sinh(const Interval& x);
Interval cosh(const Interval& x);
Interval tanh(const Interval& x);
Interval asinh(const Interval& x);
Interval acosh(const Interval& x);
Interval atanh(const Interval& x);
Interval abs(const Interval& x);
Interval min(const Interval& a, const Interval& b);
Interval max(const Interval& a, const Interval& b);
Interval rint(const Interval& x);
Interval sign(const Interval& x);
Interval atan2(const Interval& y, const Interval& x);
/// Whole powers, of negative numbers too; and real ones, of what is not negative.
Interval power(const Interval& x, int n);
Interval pow(const Interval& x, const Interval& y);

}  // namespace carom
