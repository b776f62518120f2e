// The elastic part of Modia3D's normal force, which looks at contact radii and not at
// curvature (Modia3D manual, "Contact Force Law"):
//
//   fe = c_res c_geo d^n,   c_geo = (4/3) sqrt(r),  n = 3/2   with a sphere         (1)
//                           c_geo = 1 m,            n = 1     without one           (2)
#pragma once

#include <cmath>

#include "carom/contact/normal_law.h"

namespace carom {

inline NormalOutput modia3d_point(const NormalInput& in, const PairMaterial& material,
                                  bool always_hertz) {
  const double d = in.depth;
  NormalOutput out;
  if (in.has_sphere || always_hertz) {
    const double k = in.weight * material.modulus * (4.0 / 3.0) * std::sqrt(in.radius);
    out.elastic = k * d * std::sqrt(d);
    out.energy = 0.4 * out.elastic * d;
  } else {
    out.elastic = in.weight * material.modulus * d;
    out.energy = 0.5 * out.elastic * d;
  }
  return out;
}

}  // namespace carom
