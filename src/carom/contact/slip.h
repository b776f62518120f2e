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
