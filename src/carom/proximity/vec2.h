// Points of the contact plane. Not set to zero unless asked to: patches hold many.
#pragma once

#include <cmath>

namespace carom {

struct Vec2 {
  double x, y;
};

inline Vec2 operator+(const Vec2& a, const Vec2& b) { return {a.x + b.x, a.y + b.y}; }
inline Vec2 operator-(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
inline Vec2 operator-(const Vec2& a) { return {-a.x, -a.y}; }
inline Vec2 operator*(double s, const Vec2& a) { return {s * a.x, s * a.y}; }
inline double dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
inline double cross(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }
inline double norm(const Vec2& a) { return std::sqrt(dot(a, a)); }
/// The angle from `a` to `b`, in -pi..pi, counter-clockwise positive.
inline double angle(const Vec2& a, const Vec2& b) { return std::atan2(cross(a, b), dot(a, b)); }
inline Vec2 unit(double direction) { return {std::cos(direction), std::sin(direction)}; }

}  // namespace carom
