// Functions of intervals: monotonic ones by their ends, the others piece by piece.
#include "carom/math/interval.h"

#include <numbers>

namespace carom {
namespace {

using interval_detail::outward;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// The C library's functions are within 4 ulp [GNU C Library manual, "Errors in Math Functions"].
constexpr double kLibrary = 8.0;

template <class F>
Interval rising(const Interval& x, F f) {
  if (x.is_empty()) return x;
  return outward(f(x.lo), f(x.hi), kLibrary);
}

/// The part of x in a domain.
Interval within(const Interval& x, double lo, double hi) { return intersect(x, {lo, hi}); }

Interval clamp(const Interval& x, double lo, double hi) {
  return x.is_empty() ? x : Interval{std::clamp(x.lo, lo, hi), std::clamp(x.hi, lo, hi)};
}

/// Whether x holds offset + 2 pi k for a whole k. In doubt it does: quotients are in error by
/// less than 1e-15 of themselves, and beyond 1e6 turns nothing is asked.
bool holds_turn(const Interval& x, double offset) {
  const double turn = 2.0 * std::numbers::pi;
  const double slack = 1e-9;
  return std::floor((x.hi - offset) / turn + slack) >= std::ceil((x.lo - offset) / turn - slack);
}

Interval wave(const Interval& x, double crest, double (*f)(double)) {
  if (x.is_empty()) return x;
  if (!(x.magnitude() < 6e6)) return {-1.0, 1.0};
  const Interval ends = outward(std::min(f(x.lo), f(x.hi)), std::max(f(x.lo), f(x.hi)), kLibrary);
  const double lo = holds_turn(x, crest + std::numbers::pi) ? -1.0 : ends.lo;
  const double hi = holds_turn(x, crest) ? 1.0 : ends.hi;
  return clamp({lo, hi}, -1.0, 1.0);
}

}  // namespace

Interval operator/(const Interval& a, const Interval& b) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  if (b.lo == 0.0 && b.hi == 0.0) {  // 0/0 is nothing; the rest is infinite, of either sign
    return a.lo == 0.0 && a.hi == 0.0 ? Interval::empty() : Interval::entire();
  }
  if (b.lo < 0.0 && b.hi > 0.0) return a.lo == 0.0 && a.hi == 0.0 ? a : Interval::entire();
  if (b.lo > 0.0 || b.hi < 0.0) {
    const double p = a.lo / b.lo, q = a.lo / b.hi, r = a.hi / b.lo, s = a.hi / b.hi;
    return outward(std::min(std::min(p, q), std::min(r, s)),
                   std::max(std::max(p, q), std::max(r, s)));
  }
  // 0 at an end: what is left of the divisor is of one sign, its reciprocal unbounded.
  const Interval reciprocal = b.lo == 0.0
                                  ? Interval{outward(1.0 / b.hi, 1.0 / b.hi).lo, kInfinite}
                                  : Interval{-kInfinite, outward(1.0 / b.lo, 1.0 / b.lo).hi};
  return a * reciprocal;
}

Interval sqrt(const Interval& x) {
  const Interval part = within(x, 0.0, kInfinite);
  if (part.is_empty()) return Interval::empty();
  return clamp(outward(std::sqrt(part.lo), std::sqrt(part.hi)), 0.0, kInfinite);
}
Interval exp(const Interval& x) {
  return clamp(rising(x, [](double v) { return std::exp(v); }), 0.0, kInfinite);
}
Interval log(const Interval& x) {
  return rising(within(x, 0.0, kInfinite), [](double v) { return std::log(v); });
}
Interval log2(const Interval& x) {
  return rising(within(x, 0.0, kInfinite), [](double v) { return std::log2(v); });
}
Interval log10(const Interval& x) {
  return rising(within(x, 0.0, kInfinite), [](double v) { return std::log10(v); });
}

Interval sin(const Interval& x) {
  return wave(x, std::numbers::pi / 2.0, [](double v) { return std::sin(v); });
}
Interval cos(const Interval& x) {
  return wave(x, 0.0, [](double v) { return std::cos(v); });
}
Interval tan(const Interval& x) {
  if (x.is_empty()) return x;
  const double pole = std::numbers::pi / 2.0;
  if (!(x.magnitude() < 6e6) || holds_turn(x, pole) || holds_turn(x, -pole)) {
    return Interval::entire();
  }
  return rising(x, [](double v) { return std::tan(v); });
}
Interval asin(const Interval& x) {
  return rising(within(x, -1.0, 1.0), [](double v) { return std::asin(v); });
}
Interval acos(const Interval& x) {
  return -rising(within(x, -1.0, 1.0), [](double v) { return -std::acos(v); });
}
Interval atan(const Interval& x) {
  return rising(x, [](double v) { return std::atan(v); });
}
Interval sinh(const Interval& x) {
  return rising(x, [](double v) { return std::sinh(v); });
}
Interval cosh(const Interval& x) {
  const Interval size = abs(x);
  return clamp(rising(size, [](double v) { return std::cosh(v); }), 1.0, kInfinite);
}
Interval tanh(const Interval& x) {
  return clamp(rising(x, [](double v) { return std::tanh(v); }), -1.0, 1.0);
}
Interval asinh(const Interval& x) {
  return rising(x, [](double v) { return std::asinh(v); });
}
Interval acosh(const Interval& x) {
  return clamp(rising(within(x, 1.0, kInfinite), [](double v) { return std::acosh(v); }), 0.0,
               kInfinite);
}
Interval atanh(const Interval& x) {
  return rising(within(x, -1.0, 1.0), [](double v) { return std::atanh(v); });
}

Interval abs(const Interval& x) {
  if (x.is_empty()) return x;
  return {x.mignitude(), x.magnitude()};
}
Interval min(const Interval& a, const Interval& b) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
}
Interval max(const Interval& a, const Interval& b) { return -min(-a, -b); }
Interval rint(const Interval& x) {
  if (x.is_empty()) return x;
  return {std::floor(x.lo + 0.5), std::floor(x.hi + 0.5)};
}
Interval sign(const Interval& x) {
  if (x.is_empty()) return x;
  const auto of = [](double v) { return v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0; };
  return {of(x.lo), of(x.hi)};
}

Interval atan2(const Interval& y, const Interval& x) {
  if (y.is_empty() || x.is_empty()) return Interval::empty();
  const double half = std::numbers::pi + 1e-15;
  // The angle jumps across the negative x axis.
  if (x.lo <= 0.0 && y.contains(0.0)) return {-half, half};
  double lo = kInfinite, hi = -kInfinite;
  for (const double a : {y.lo, y.hi}) {
    for (const double b : {x.lo, x.hi}) {
      const double angle = std::atan2(a, b);
      lo = std::min(lo, angle), hi = std::max(hi, angle);
    }
  }
  return outward(lo, hi, kLibrary);
}

Interval power(const Interval& x, int n) {
  if (x.is_empty()) return x;
  if (n == 0) return 1.0;
  if (n < 0) return Interval(1.0) / power(x, -n);
  const Interval base = n % 2 == 0 ? abs(x) : x;
  const Interval result = outward(std::pow(base.lo, n), std::pow(base.hi, n), kLibrary);
  return n % 2 == 0 ? clamp(result, 0.0, kInfinite) : result;
}

Interval pow(const Interval& x, const Interval& y) {
  if (x.is_empty() || y.is_empty()) return Interval::empty();
  const Interval base = within(x, 0.0, kInfinite);
  const bool whole = std::floor(y.hi) >= std::ceil(y.lo);
  if (x.lo < 0.0 && whole) {  // negative numbers have powers with whole exponents only
    const bool one = y.lo == y.hi && std::abs(y.lo) < 1e9;
    return one ? power(x, static_cast<int>(y.lo)) : Interval::entire();
  }
  if (std::isinf(x.lo) && x.lo < 0.0) return {0.0, kInfinite};  // -inf has every power
  if (base.is_empty()) return Interval::empty();
  // Monotonic in each argument on either side of 1 and of 0: extremes are at corners.
  double lo = kInfinite, hi = -kInfinite;
  for (const double a : {base.lo, base.hi}) {
    for (const double b : {y.lo, y.hi}) {
      const double value = std::pow(a, b);
      if (std::isnan(value)) return {0.0, kInfinite};
      lo = std::min(lo, value), hi = std::max(hi, value);
    }
  }
  if (base.contains(1.0)) lo = std::min(lo, 1.0), hi = std::max(hi, 1.0);
  if (base.lo == 0.0 && y.lo < 0.0) hi = kInfinite;
  if (base.lo == 0.0 && y.hi > 0.0) lo = 0.0;
  return clamp(outward(lo, hi, kLibrary), 0.0, kInfinite);
}

}  // namespace carom
