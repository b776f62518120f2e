#include "carom/proximity/convex/simplex.h"

#include <limits>

namespace carom {
namespace {

/// Vertices (by index) and weights of the nearest point of a face.
struct Nearest {
  int index[3] = {0, 0, 0};
  double weight[3] = {1.0, 0.0, 0.0};
  int count = 1;
  double distance2 = std::numeric_limits<double>::infinity();
};

Vec3 position(const Simplex& s, const Nearest& f) {
  Vec3 v;
  for (int i = 0; i < f.count; ++i) v += f.weight[i] * s.point[f.index[i]].w;
  return v;
}

Nearest vertex(int i) { return {{i, 0, 0}, {1.0, 0.0, 0.0}, 1}; }

/// Between vertices i and j at the fraction t of the way.
Nearest on_edge(int i, int j, double t) { return {{i, j, 0}, {1.0 - t, t, 0.0}, 2}; }

Nearest nearest_on_segment(const Simplex& s, int i, int j) {
  const Vec3& a = s.point[i].w;
  const Vec3 ab = s.point[j].w - a;
  const double t = -dot(a, ab), length2 = norm2(ab);
  if (!(t > 0.0)) return vertex(i);
  if (t >= length2) return vertex(j);
  return on_edge(i, j, t / length2);
}

/// Areas of the projected origin with the edges tell which edges it is beyond. Where a
/// triangle is so thin that they are rounding, the nearest edge is as near as its inside.
Nearest nearest_on_triangle(const Simplex& s, int i, int j, int k) {
  const Vec3 &a = s.point[i].w, &b = s.point[j].w, &c = s.point[k].w;
  const Vec3 normal = cross(b - a, c - a);
  const double va = dot(normal, cross(b, c)), vb = dot(normal, cross(c, a)),
               vc = dot(normal, cross(a, b));
  const double sum = va + vb + vc;
  const bool inside = va > 0.0 && vb > 0.0 && vc > 0.0;
  if (inside && sum > 1e-10 * norm2(b - a) * norm2(c - a)) {
    return {{i, j, k}, {va / sum, vb / sum, vc / sum}, 3};
  }
  Nearest best;
  const auto consider = [&](Nearest candidate) {
    candidate.distance2 = norm2(position(s, candidate));
    if (candidate.distance2 < best.distance2) best = candidate;
  };
  const bool all = inside || !(sum > 0.0);
  if (all || vc <= 0.0) consider(nearest_on_segment(s, i, j));
  if (all || vb <= 0.0) consider(nearest_on_segment(s, i, k));
  if (all || va <= 0.0) consider(nearest_on_segment(s, j, k));
  if (inside) consider({{i, j, k}, {va / sum, vb / sum, vc / sum}, 3});
  return best;
}

/// Is the origin on the other side of the plane ijk than vertex l? A flat tetrahedron
/// has no inside.
bool outside(const Simplex& s, int i, int j, int k, int l) {
  const Vec3& a = s.point[i].w;
  const Vec3 normal = cross(s.point[j].w - a, s.point[k].w - a);
  const double origin = -dot(normal, a), opposite = dot(normal, s.point[l].w - a);
  return origin * opposite <= 0.0;
}

/// The newest vertex is the last: the origin is never nearest to the face opposite to it.
bool nearest_on_tetrahedron(const Simplex& s, Nearest& best) {
  constexpr int kFaces[3][4] = {{0, 1, 3, 2}, {1, 2, 3, 0}, {2, 0, 3, 1}};
  bool inside = true;
  for (const auto& f : kFaces) {
    if (!outside(s, f[0], f[1], f[2], f[3])) continue;
    inside = false;
    Nearest candidate = nearest_on_triangle(s, f[0], f[1], f[2]);
    candidate.distance2 = norm2(position(s, candidate));
    if (candidate.distance2 < best.distance2) best = candidate;
  }
  return inside;
}

}  // namespace

Vec3 reduce_to_nearest(Simplex& s) {
  Nearest best;
  if (s.count == 2) {
    best = nearest_on_segment(s, 0, 1);
  } else if (s.count == 3) {
    best = nearest_on_triangle(s, 0, 1, 2);
  } else if (s.count == 4 && nearest_on_tetrahedron(s, best)) {
    return {};
  }
  const Vec3 v = position(s, best);
  MinkowskiPoint kept[3];
  for (int i = 0; i < best.count; ++i) kept[i] = s.point[best.index[i]];
  for (int i = 0; i < best.count; ++i) s.point[i] = kept[i], s.weight[i] = best.weight[i];
  s.count = best.count;
  return v;
}

}  // namespace carom
