// Three doubles, and nothing else. Hand-written because Eigen's fixed-size types
// cost seconds of compile time in every file that only wants a cross product;
// decompositions (in .cpp files) do use Eigen.
#pragma once

#include <cmath>
#include <cstddef>

namespace carom {

struct Vec3 {
  double x = 0.0, y = 0.0, z = 0.0;

  double& operator[](std::size_t i) { return (&x)[i]; }
  const double& operator[](std::size_t i) const { return (&x)[i]; }

  Vec3& operator+=(const Vec3& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  Vec3& operator-=(const Vec3& b) {
    x -= b.x, y -= b.y, z -= b.z;
    return *this;
  }
  Vec3& operator*=(double s) {
    x *= s, y *= s, z *= s;
    return *this;
  }
  bool operator==(const Vec3&) const = default;
};

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
inline Vec3 operator*(double s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Vec3 operator*(const Vec3& a, double s) { return s * a; }
inline Vec3 operator/(const Vec3& a, double s) { return {a.x / s, a.y / s, a.z / s}; }

inline double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double norm2(const Vec3& a) { return dot(a, a); }
inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }
inline Vec3 normalized(const Vec3& a) { return a / norm(a); }
inline bool is_finite(const Vec3& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// A unit vector perpendicular to the unit vector `n`, continuous away from n = -z
/// [Duff et al. 2017, "Building an Orthonormal Basis, Revisited"].
inline Vec3 any_perpendicular(const Vec3& n) {
  const double s = std::copysign(1.0, n.z);
  const double a = -1.0 / (s + n.z);
  return {1.0 + s * n.x * n.x * a, s * n.x * n.y * a, -s * n.x};
}

}  // namespace carom
