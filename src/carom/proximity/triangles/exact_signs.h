// Exact signs of determinants of points given as doubles.
//
//   orient(o, u, v, w) = ((u - o) × (v - o)) . (w - o)                                   (1)
//
// is computed in floating point first. Its rounding error is at most (7 + 56 e) e times the
// same sum of products with all terms positive, e = 2^-53 [Shewchuk 1997, "Adaptive precision
// floating-point arithmetic and fast robust geometric predicates"]; if the value is larger, its
// sign is right. Otherwise (1) is summed as an expansion, a sum of doubles that do not overlap,
// in which nothing is lost. Coordinates must be zero or between 1e-90 and 1e90 in magnitude,
// so that no product over- or underflows.
#pragma once

#include <cmath>

#include "carom/math/vec3.h"

namespace carom::triangles {

/// The relative error bound of (1).
inline constexpr double kOrientError = 7.0000000000001e0 * 0x1p-53;

/// |x| |y| terms of a cross product: what its rounding errors are measured by.
inline Vec3 cross_magnitude(const Vec3& a, const Vec3& b) {
  return {std::abs(a.y * b.z) + std::abs(a.z * b.y), std::abs(a.z * b.x) + std::abs(a.x * b.z),
          std::abs(a.x * b.y) + std::abs(a.y * b.x)};
}

inline double dot_magnitude(const Vec3& positive, const Vec3& b) {
  return positive.x * std::abs(b.x) + positive.y * std::abs(b.y) + positive.z * std::abs(b.z);
}

/// The value of (1), correct to rounding of the result.
double exact_orient(const Vec3& o, const Vec3& u, const Vec3& v, const Vec3& w);

/// The sign of the first component of (q - p) × (s - r) that is not zero; 0 if all are.
int leading_cross_sign(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s);

/// A number with the sign of (1): exactly zero only if (1) is.
inline double orient(const Vec3& o, const Vec3& u, const Vec3& v, const Vec3& w) {
  const Vec3 a = u - o, b = v - o, c = w - o;
  const double value = dot(cross(a, b), c);
  const double bound = kOrientError * dot_magnitude(cross_magnitude(a, b), c);
  if (value > bound || -value > bound) return value;
  return exact_orient(o, u, v, w);
}

}  // namespace carom::triangles
