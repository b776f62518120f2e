// The plane across the normal of a patch, and symmetric forms over it.
#pragma once

#include <cmath>

#include "carom/math/mat3.h"

namespace carom::triangles {

/// Two unit vectors across n; along coordinate axes where n is.
struct Tangents {
  Vec3 e1, e2;
  explicit Tangents(const Vec3& n) {
    std::size_t least = 0;
    for (std::size_t i = 1; i < 3; ++i) {
      if (std::abs(n[i]) < std::abs(n[least])) least = i;
    }
    Vec3 axis;
    axis[least] = 1.0;
    e1 = axis - dot(axis, n) * n;
    e1 = e1 / norm(e1);
    e2 = cross(n, e1);
  }
};

/// A symmetric form over two tangents.
struct Form2 {
  double xx, xy, yy;
  Form2(const Sym3& m, const Tangents& t)
      : xx(dot(t.e1, m * t.e1)), xy(dot(t.e1, m * t.e2)), yy(dot(t.e2, m * t.e2)) {}
  double det() const { return xx * yy - xy * xy; }
  double trace() const { return xx + yy; }
  /// One that is all but a line has no width that could be told from rounding.
  bool is_line() const {
    constexpr double kLine = 1e-18;  // square of the width over the length
    return !(det() > kLine * trace() * trace());
  }
  /// The x of (this) x = (a, b), as a vector; not of a line.
  Vec3 solve(double a, double b, const Tangents& t) const {
    return ((yy * a - xy * b) * t.e1 + (xx * b - xy * a) * t.e2) / det();
  }
};

}  // namespace carom::triangles
