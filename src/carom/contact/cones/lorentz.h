// Projection on the cone |z_t| <= z_0 in space, with one of its derivatives.
#pragma once

#include <array>
#include <cmath>

namespace carom {

using Triple = std::array<double, 3>;
using Triples = std::array<Triple, 3>;

struct LorentzProjection {
  Triple at;           ///< nearest point of the cone
  Triples derivative;  ///< an element of the generalised derivative, symmetric
};

inline LorentzProjection project_lorentz(const Triple& z) {
  const double s = std::sqrt(z[1] * z[1] + z[2] * z[2]);
  if (s <= z[0]) return {z, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  if (s <= -z[0]) return {};
  const double half = 0.5 * (z[0] + s), ratio = z[0] / s;
  const double t1 = z[1] / s, t2 = z[2] / s;
  LorentzProjection p;
  p.at = {half, half * t1, half * t2};
  p.derivative = {{{0.5, 0.5 * t1, 0.5 * t2},
                   {0.5 * t1, 0.5 * (1.0 + ratio - ratio * t1 * t1), -0.5 * ratio * t1 * t2},
                   {0.5 * t2, -0.5 * ratio * t1 * t2, 0.5 * (1.0 + ratio - ratio * t2 * t2)}}};
  return p;
}

}  // namespace carom
