// Slip with its share of spin: (s, r w), four numbers that a friction law treats as one
// vector, so that sliding and spinning on a patch share one friction capacity.
#pragma once

#include <cmath>

#include "carom/contact/friction_law.h"

namespace carom {

struct Slip {
  Vec3 slide;
  double spin = 0.0;  ///< r w
};

inline Slip operator+(const Slip& a, const Slip& b) { return {a.slide + b.slide, a.spin + b.spin}; }
inline Slip operator-(const Slip& a, const Slip& b) { return {a.slide - b.slide, a.spin - b.spin}; }
inline Slip operator*(double s, const Slip& a) { return {s * a.slide, s * a.spin}; }
inline double dot(const Slip& a, const Slip& b) { return dot(a.slide, b.slide) + a.spin * b.spin; }
inline double norm(const Slip& a) { return std::sqrt(dot(a, a)); }

inline Slip slip_of(const FrictionInput& in) { return {in.slip, in.radius * in.spin}; }
inline Slip bristle_of(const FrictionInput& in) { return {in.bristle, in.spin_bristle}; }

/// f + d, or as much of d as keeps the length below `most`; f cut to it where it is longer alone.
/// A force that dissipates with all of d and with none of it dissipates with a part of it too.
inline Slip with_part(const Slip& f, const Slip& d, double most) {
  const double f2 = dot(f, f), d2 = dot(d, d), m2 = most * most, along = dot(f, d);
  if (f2 >= m2) return f2 > 0.0 ? (most / std::sqrt(f2)) * f : f;
  if (f2 + 2.0 * along + d2 <= m2) return f + d;
  // |f + u d| = most; the root that does not cancel
  const double room = m2 - f2, root = std::sqrt(along * along + d2 * room);
  return f + (along > 0.0 ? room / (along + root) : (root - along) / d2) * d;
}

/// Sets the force and torque on B that oppose the generalised force f [N].
inline void oppose(const FrictionInput& in, const Slip& f, FrictionOutput& out) {
  out.force = -f.slide;
  out.torque = -in.radius * f.spin;
}

/// Laws without bristles: f = fn (mu / |v|) v, given as mu over a regularised |v| [s/m].
inline void slide(const FrictionInput& in, double mu_over_speed, FrictionOutput& out) {
  out = {};
  oppose(in, in.normal_force * mu_over_speed * slip_of(in), out);
}

}  // namespace carom
