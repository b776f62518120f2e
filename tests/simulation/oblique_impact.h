// Oblique impact of two spheres in a plane, integrated by a program that shares nothing with the
// engine: Hertz with the damping of exact restitution, Mindlin's spring, friction cut at mu fn.
//
//   fn = (4/3) E* sqrt(R) d^(3/2) (1 + c d'),      d'' = -fn (1/m1 + 1/m2)                 (1)
//   ft' = 8 G* sqrt(R d) s,  |ft| <= mu fn,        s = v + L1 w1 + L2 w2,  Li = Ri - d/2   (2)
//   v' = -ft (1/m1 + 1/m2),                        wi' = -ft Li/Ii                         (3)
//
// by the midpoint rule with thousands of equal steps, each cutting ft like a plastic solid. A plane
// is a sphere without end.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::testing {

struct ImpactSolid {
  double density, youngs_modulus, poissons_ratio;
};

struct ImpactSphere {
  ImpactSolid solid;
  double radius;  ///< infinite: a fixed plane
  double spin = 0.0;
  double mass() const {
    return std::isinf(radius) ? radius : solid.density * 4.0 / 3.0 * M_PI * std::pow(radius, 3);
  }
};

struct ObliqueImpact {
  ImpactSphere first, second;
  double normal, tangential;  ///< velocity of the first towards and along the second [m/s]
  double mu, restitution;
};

struct Rebound {
  double normal, tangential, spin_first, spin_second;
  double largest_ratio = 0.0;  ///< of friction over mu times the normal force
};

/// c v0 of (1): c (1 + e) = ln((1 + c)/(1 - c e)).
inline double impact_damping_factor(double e) {
  if (e >= 1.0) return 0.0;
  double low = 0.0, high = 1.0 / e;
  for (int i = 0; i < 200; ++i) {
    const double c = 0.5 * (low + high);
    (c * (1.0 + e) > std::log((1.0 + c) / (1.0 - c * e)) ? low : high) = c;
  }
  return low;
}

inline Rebound integrate_impact(const ObliqueImpact& impact, int steps = 4000) {
  const ImpactSphere &a = impact.first, &b = impact.second;
  const auto normal = [](const ImpactSolid& s) {
    return (1.0 - s.poissons_ratio * s.poissons_ratio) / s.youngs_modulus;
  };
  const auto shear = [](const ImpactSolid& s) {
    return (2.0 - s.poissons_ratio) * 2.0 * (1.0 + s.poissons_ratio) / s.youngs_modulus;
  };
  const double E = 1.0 / (normal(a.solid) + normal(b.solid));
  const double G = 1.0 / (shear(a.solid) + shear(b.solid));
  const double R = 1.0 / (1.0 / a.radius + 1.0 / b.radius);
  const double inverse = 1.0 / a.mass() + 1.0 / b.mass(), v0 = impact.normal;
  const double c = impact_damping_factor(impact.restitution) / v0;
  const double lasts =
      2.9432 * std::pow(15.0 * v0 * v0 / (16.0 * inverse * E * std::sqrt(R)), 0.4) / v0;
  const double h = lasts / steps;
  double d = 0.0, rate = v0, v = impact.tangential, w1 = a.spin, w2 = b.spin, ft = 0.0;
  Rebound out{};
  while (!(d <= 0.0 && rate < 0.0)) {
    d += 0.5 * h * rate;
    const double depth = std::max(d, 0.0),
                 elastic = 4.0 / 3.0 * E * std::sqrt(R) * std::pow(depth, 1.5);
    double fn = std::max(0.0, elastic * (1.0 + c * rate));
    fn = std::max(0.0, elastic * (1.0 + c * (rate - 0.5 * h * fn * inverse)));  // (1)
    const bool plane = std::isinf(b.radius);
    const double L1 = a.radius - 0.5 * depth, L2 = plane ? 0.0 : b.radius - 0.5 * depth;
    const double i1 = 0.4 * a.mass() * a.radius * a.radius;
    const double i2 = plane ? 1.0 : 0.4 * b.mass() * b.radius * b.radius;
    const double k = 8.0 * G * std::sqrt(R * depth), most = impact.mu * fn;
    const auto cut = [&](double f) { return std::clamp(f, -most, most); };
    const double s = v + L1 * w1 + L2 * w2;
    const double mobility = inverse + L1 * L1 / i1 + (plane ? 0.0 : L2 * L2 / i2);
    const double half = cut(ft + 0.5 * h * k * s);
    ft = cut(ft + h * k * (s - 0.5 * h * mobility * half));  // (2)
    rate -= h * fn * inverse, d += 0.5 * h * rate;
    v -= h * half * inverse, w1 -= h * half * L1 / i1;  // (3)
    if (!plane) w2 -= h * half * L2 / i2;
    if (fn > 0.0) out.largest_ratio = std::max(out.largest_ratio, std::abs(half) / fn);
  }
  out.normal = -rate, out.tangential = v, out.spin_first = w1, out.spin_second = w2;
  return out;
}

}  // namespace carom::testing
