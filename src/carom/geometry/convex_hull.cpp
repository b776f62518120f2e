#include "carom/geometry/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {
namespace {

/// The affine span of points: greedy choice of the farthest point, then the farthest
/// from the line, then from the plane.
struct Span {
  int dimension = 0;
  Vec3 origin, u, v, n;  ///< orthonormal, as many as the dimension tells (n: always)
};

template <class Distance>
std::size_t farthest(std::span<const Vec3> points, Distance distance) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (distance(points[i]) > distance(points[best])) best = i;
  }
  return best;
}

Span find_span(std::span<const Vec3> points, double flatness) {
  Span s;
  const auto from = [](const Vec3& o) { return [o](const Vec3& p) { return norm2(p - o); }; };
  s.origin = points[farthest(points, from(points[0]))];
  const Vec3 end = points[farthest(points, from(s.origin))];
  const double extent = norm(end - s.origin), limit = flatness * extent;
  if (!(extent > 0.0)) return s;
  s.u = normalized(end - s.origin);
  const auto off_line = [&](const Vec3& p) { return norm2(cross(s.u, p - s.origin)); };
  const Vec3 side = points[farthest(points, off_line)] - s.origin;
  s.dimension = 1;
  if (!(std::sqrt(off_line(side + s.origin)) > limit)) return s;
  s.n = normalized(cross(s.u, side));
  s.v = cross(s.n, s.u);
  s.dimension = 2;
  const auto off_plane = [&](const Vec3& p) { return std::abs(dot(s.n, p - s.origin)); };
  if (off_plane(points[farthest(points, off_plane)]) > limit) s.dimension = 3;
  return s;
}

struct Flat {
  double x, y;
  std::uint32_t index;
};

/// Andrew's monotone chain, counter-clockwise, without points on the edges.
std::vector<Flat> planar_hull(std::vector<Flat> points) {
  std::sort(points.begin(), points.end(),
            [](const Flat& a, const Flat& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  const auto turn = [](const Flat& a, const Flat& b, const Flat& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  };
  std::vector<Flat> hull;
  const auto chain = [&](auto first, auto last) {
    const std::size_t base = hull.size();
    for (auto p = first; p != last; ++p) {
      while (hull.size() >= base + 2 && turn(hull[hull.size() - 2], hull.back(), *p) <= 0.0) {
        hull.pop_back();
      }
      hull.push_back(*p);
    }
    hull.pop_back();
  };
  chain(points.begin(), points.end());
  chain(points.rbegin(), points.rend());
  return hull;
}

/// A polygon has two faces, one for each side.
Polytope polygon(std::span<const Vec3> points, const Span& s) {
  std::vector<Flat> flat;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const Vec3 d = points[i] - s.origin;
    flat.push_back({dot(s.u, d), dot(s.v, d), i});
  }
  Polytope p;
  p.dimension = 2;
  for (const Flat& f : planar_hull(std::move(flat))) {
    p.face_vertices.push_back(static_cast<std::uint32_t>(p.vertices.size()));
    p.vertices.push_back(points[f.index]);
  }
  const auto n = static_cast<std::uint32_t>(p.vertices.size());
  for (std::uint32_t i = 0; i < n; ++i) p.face_vertices.push_back(n - 1 - i);
  const double offset = dot(s.n, s.origin);
  p.faces = {{s.n, offset, 0, n}, {-s.n, -offset, n, n}};
  return p;
}

/// Keeps the vertices that faces use, in the order of the input.
void compact(std::span<const Vec3> points, Polytope& p) {
  constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> place(points.size(), kNone);
  for (const std::uint32_t v : p.face_vertices) place[v] = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (place[i] == kNone) continue;
    place[i] = static_cast<std::uint32_t>(p.vertices.size());
    p.vertices.push_back(points[i]);
  }
  for (std::uint32_t& v : p.face_vertices) v = place[v];
}

}  // namespace

Polytope convex_hull(std::span<const Vec3> points, double flatness) {
  Polytope p;
  if (points.empty() || !std::all_of(points.begin(), points.end(), is_finite)) return p;
  const Span s = find_span(points, flatness);
  if (s.dimension == 3 && hull_faces(points, p)) {
    p.dimension = 3;
    compact(points, p);
    return p;
  }
  if (s.dimension >= 2) return polygon(points, s);
  p.dimension = s.dimension;
  p.vertices.push_back(s.origin);
  if (s.dimension == 1) {
    const auto along = [&](const Vec3& q) { return dot(s.u, q - s.origin); };
    p.vertices.push_back(points[farthest(points, along)]);
  }
  return p;
}

}  // namespace carom
