// Terms of the energy of a contact (docs/elastic-contact.md), for numbers with derivatives.
#pragma once

#include "carom/math/dual.h"
#include "carom/math/vec3.h"

namespace carom {

/// A vector of numbers with derivatives.
template <class T>
struct VecT {
  T x, y, z;
};
template <class T>
T dot(const VecT<T>& a, const Vec3& b) {
  return b.x * a.x + b.y * a.y + b.z * a.z;
}

/// (1 - y)² for y < 1, else 0: 1 at y = 0, continuous slope where it ends.
template <class T>
T near(const T& y) {
  if (!(y.v < 1.0)) return T(0.0);
  return square(1.0 - y);
}

/// How far a face of normal nf is turned from m, in units of `lying`, squared.
template <class T>
T turned(const VecT<T>& m, const Vec3& nf, double lying) {
  return (2.0 / (lying * lying)) * (1.0 - dot(m, nf));
}

/// Energy of a line of unit stiffness whose depth goes linearly from `a` at one end to `b` at the
/// other, per length: half the mean square of the positive part.
template <class T>
struct LineTerm {
  T energy;
  double at_first = 0.0, at_second = 0.0;  ///< share of the force that presses at the ends

  /// a > 0 or b > 0.
  LineTerm(const T& a, const T& b) {
    const bool first_is_deeper = a.v >= b.v;
    const T &high = first_is_deeper ? a : b, &low = first_is_deeper ? b : a;
    double at_high = 0.0, at_low = 0.0;
    if (low.v >= 0.0) {
      energy = (square(high) + high * low + square(low)) / 6.0;
      at_high = (2.0 * high.v + low.v) / 6.0, at_low = (high.v + 2.0 * low.v) / 6.0;
    } else {
      const T q = high - low;
      energy = high * square(high) / (6.0 * q);
      const double k = high.v * high.v / (6.0 * q.v * q.v);
      at_high = k * (3.0 * q.v - high.v), at_low = k * high.v;
    }
    at_first = first_is_deeper ? at_high : at_low, at_second = first_is_deeper ? at_low : at_high;
  }
};

/// Whether a ball of radius q is pressed in so far, by d, that it counts as blunter than it is: a
/// kink in the second derivative of its force.
inline bool is_blunt(double q, double d) { return d >= 0.5 * q; }

/// A ball of radius q pressed in by d, per E*: F = (4/3) sqrt(q) d^(3/2) up to half its radius, and
/// from there on as one that is blunter the deeper it is, F = (4/3) d sqrt(d² + q²/4).
template <class T>
T ball_energy(double q, const T& d) {
  const double half = 0.5 * q;
  if (d.v < half) return (8.0 / 15.0) * std::sqrt(q) * (square(d) * sqrt(d));
  const double at_half = (8.0 / 15.0) * std::sqrt(q) * half * half * std::sqrt(half);
  const T s = square(d) + half * half;
  const double s0 = 2.0 * half * half;
  return at_half + (4.0 / 9.0) * (s * sqrt(s) - s0 * std::sqrt(s0));
}
inline double ball_force(double q, double d) {
  const double half = 0.5 * q;
  if (d < half) return (4.0 / 3.0) * std::sqrt(q) * d * std::sqrt(d);
  return (4.0 / 3.0) * d * std::sqrt(d * d + half * half);
}

}  // namespace carom
