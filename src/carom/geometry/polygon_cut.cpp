#include "carom/geometry/polygon_cut.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {
namespace {

/// Ears take the square of the corners in time: faces of more are not drawn by hand.
constexpr std::size_t kMostCorners = 2000;

struct FlatPoint {
  double x = 0.0, y = 0.0;
};

/// Twice the area of a triangle, positive if it runs counter-clockwise.
double turn_of(const FlatPoint& a, const FlatPoint& b, const FlatPoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The polygon seen against its normal, scaled to its size.
class FlatFace {
 public:
  FlatFace(std::span<const Vec3> vertices, std::span<const std::uint32_t> corners) {
    const Vec3& origin = vertices[corners[0]];
    Vec3 normal;  // twice the area [Newell]
    double size = 0.0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Vec3 a = vertices[corners[i]] - origin;
      normal += cross(a, vertices[corners[(i + 1) % corners.size()]] - origin);
      size = std::max(size, norm(a));
    }
    const double length = norm(normal);
    if (!(size > 0.0) || !(length > kThin * size * size)) return;
    normal = normal / length;
    const Vec3 other = std::abs(normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 x = normalized(cross(other, normal)), y = cross(normal, x);
    for (const std::uint32_t c : corners) {
      const Vec3 p = (vertices[c] - origin) / size;
      points_.push_back({dot(p, x), dot(p, y)});
    }
    area_ = length / (size * size);
  }

  bool has_area() const { return area_ > 0.0; }
  double twice_area() const { return area_; }
  const std::vector<FlatPoint>& points() const { return points_; }

 private:
  static constexpr double kThin = 1e-14;
  std::vector<FlatPoint> points_;
  double area_ = 0.0;
};

constexpr double kNoArea = 1e-12;  ///< of twice an area at size 1: rounding

bool fan_is_right(const FlatFace& face) {
  const std::vector<FlatPoint>& p = face.points();
  double angle = 0.0;
  for (std::size_t i = 1; i + 1 < p.size(); ++i) {
    const double twice = turn_of(p[0], p[i], p[i + 1]);
    if (twice < -kNoArea) return false;
    const double along =
        (p[i].x - p[0].x) * (p[i + 1].x - p[0].x) + (p[i].y - p[0].y) * (p[i + 1].y - p[0].y);
    angle += std::abs(std::atan2(twice, along));
  }
  return angle < 2.0 * std::numbers::pi;
}

bool lies_at(const FlatPoint& a, const FlatPoint& b) { return a.x == b.x && a.y == b.y; }

/// Whether the corner `k` of what is left can be cut off.
bool is_ear(const std::vector<FlatPoint>& p, const std::vector<std::size_t>& left, std::size_t k) {
  const std::size_t n = left.size();
  const FlatPoint &a = p[left[(k + n - 1) % n]], &b = p[left[k]], &c = p[left[(k + 1) % n]];
  if (turn_of(a, b, c) <= kNoArea) return false;
  return std::none_of(left.begin(), left.end(), [&](std::size_t i) {
    const FlatPoint& q = p[i];
    if (lies_at(q, a) || lies_at(q, b) || lies_at(q, c)) return false;
    return turn_of(a, b, q) >= -kNoArea && turn_of(b, c, q) >= -kNoArea &&
           turn_of(c, a, q) >= -kNoArea;
  });
}

}  // namespace

std::string cut_polygon(std::span<const Vec3> vertices, std::span<const std::uint32_t> corners,
                        std::vector<Triangle>& triangles) {
  const auto fan = [&] {
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
      triangles.push_back({corners[0], corners[i], corners[i + 1]});
    }
    return std::string();
  };
  if (corners.size() <= 3) return fan();
  const FlatFace face(vertices, corners);
  if (!face.has_area() || fan_is_right(face)) return fan();
  const std::string crosses = "a face of " + std::to_string(corners.size()) + " corners ";
  if (corners.size() > kMostCorners) return crosses + "is not convex: cut it into triangles";
  const std::size_t first = triangles.size();
  std::vector<std::size_t> left(corners.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  double covered = 0.0;
  while (left.size() > 3) {
    std::size_t k = 0;
    while (k < left.size() && !is_ear(face.points(), left, k)) ++k;
    if (k == left.size()) break;
    const std::size_t n = left.size();
    const std::size_t a = left[(k + n - 1) % n], b = left[k], c = left[(k + 1) % n];
    triangles.push_back({corners[a], corners[b], corners[c]});
    covered += turn_of(face.points()[a], face.points()[b], face.points()[c]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
  }
  for (std::size_t i = 1; i + 1 < left.size(); ++i) {
    triangles.push_back({corners[left[0]], corners[left[i]], corners[left[i + 1]]});
    covered += std::abs(
        turn_of(face.points()[left[0]], face.points()[left[i]], face.points()[left[i + 1]]));
  }
  constexpr double kSameArea = 1e-9;
  if (std::abs(covered - face.twice_area()) <= kSameArea) return {};
  triangles.resize(first);
  return crosses + "crosses itself: cut it into triangles";
}

}  // namespace carom
