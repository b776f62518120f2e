#include "carom/geometry/chart_surface.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

Vec3 first_of(const std::array<Jet<double, 2>, 3>& r, std::size_t i) {
  return {r[0].g[i], r[1].g[i], r[2].g[i]};
}
Vec3 second_of(const std::array<Jet<double, 2>, 3>& r, std::size_t i) {
  return {r[0].h[i], r[1].h[i], r[2].h[i]};
}

/// The columns of G = E I⁻¹.
struct DualBasis {
  Vec3 u, v;
};
DualBasis dual_basis(const Vec3& ru, const Vec3& rv) {
  const double a = norm2(ru), b = dot(ru, rv), c = norm2(rv);
  const double det = norm2(cross(ru, rv));  // a c - b², without cancellation
  return {(1.0 / det) * (c * ru - b * rv), (1.0 / det) * (a * rv - b * ru)};
}

IntervalVector cross(const IntervalVector& a, const IntervalVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace

SurfacePoint ChartSurface::at(const Vec3& s) const {
  const Point2 r = jets(s.x, s.y);
  const Vec3 ru = first_of(r, 0), rv = first_of(r, 1);
  const Vec3 normal = is_turned_ ? carom::cross(rv, ru) : carom::cross(ru, rv);
  SurfacePoint out;
  out.p = {r[0].v, r[1].v, r[2].v};
  out.n = normalized(normal);
  const DualBasis G = dual_basis(ru, rv);
  const double uu = -dot(out.n, second_of(r, 0)), uv = -dot(out.n, second_of(r, 1)),
               vv = -dot(out.n, second_of(r, 2));
  out.K =
      uu * outer(G.u) + vv * outer(G.v) + uv * (outer(G.u + G.v) - outer(G.u) - outer(G.v));  // (1)
  return out;
}

Vec3 ChartSurface::moved(const Vec3& s, const Vec3& t) const {
  const Point2 r = jets(s.x, s.y);
  const DualBasis G = dual_basis(first_of(r, 0), first_of(r, 1));
  return {s.x + dot(G.u, t), s.y + dot(G.v, t), 0.0};
}

bool ChartSurface::holds(const Vec3& s) const {
  return (is_periodic_[0] || range_[0].contains(s.x)) &&
         (is_periodic_[1] || range_[1].contains(s.y));
}

CellBounds ChartSurface::bounds(const SurfaceCell& cell) const {
  const Bounds2 r = jet_bounds(cell.s[0], cell.s[1]);
  CellBounds out;
  out.has_parameters = true;
  for (std::size_t k = 0; k < 3; ++k) {
    out.p[k] = r[k].v;
    for (std::size_t i = 0; i < 2; ++i) out.first[i][k] = r[k].g[i];
    for (std::size_t i = 0; i < 3; ++i) out.second[i][k] = r[k].h[i];
    out.is_empty |= r[k].v.is_empty();
  }
  out.normal = is_turned_ ? cross(out.first[1], out.first[0]) : cross(out.first[0], out.first[1]);
  return out;
}

std::vector<SurfaceCell> ChartSurface::split(const SurfaceCell& cell) const {
  const double u = cell.s[0].middle(), v = cell.s[1].middle();
  const Interval us[2] = {{cell.s[0].lo, u}, {u, cell.s[0].hi}},
                 vs[2] = {{cell.s[1].lo, v}, {v, cell.s[1].hi}};
  std::vector<SurfaceCell> parts;
  for (const Interval& a : us) {
    for (const Interval& b : vs) parts.push_back({{a, b, Interval(0.0)}});
  }
  return parts;
}

TriangleMesh ChartSurface::triangles(int segments) const {
  const auto n = static_cast<std::uint32_t>(std::max(2, segments));
  TriangleMesh mesh;
  for (std::uint32_t j = 0; j <= n; ++j) {
    for (std::uint32_t i = 0; i <= n; ++i) {
      const double u = range_[0].lo + range_[0].width() * i / n,
                   v = range_[1].lo + range_[1].width() * j / n;
      const Point2 r = jets(u, v);
      mesh.vertices.push_back({r[0].v, r[1].v, r[2].v});
    }
  }
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
      if (is_turned_) {
        mesh.triangles.push_back({a, d, b}), mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d}), mesh.triangles.push_back({a, d, c});
      }
    }
  }
  if (is_periodic_[0] || is_periodic_[1]) weld(mesh, 1e-12 * size());
  return mesh;
}

SurfacePoint HeightSurface::at(const Vec3& s) const {
  const Jet<double, 2> z = height(s.x, s.y);
  const double zx = z.g[0], zy = z.g[1];
  const double det = 1.0 + zx * zx + zy * zy, stretch = std::sqrt(det);
  SurfacePoint out;
  out.p = {s.x, s.y, z.v};
  out.n = (1.0 / stretch) * Vec3{-zx, -zy, 1.0};
  // (1) with the columns of G written out.
  const Vec3 Gu = (1.0 / det) * Vec3{1.0 + zy * zy, -zx * zy, zx},
             Gv = (1.0 / det) * Vec3{-zx * zy, 1.0 + zx * zx, zy};
  const double uu = -z.h[0] / stretch, uv = -z.h[1] / stretch, vv = -z.h[2] / stretch;
  const Vec3 a = uu * Gu + uv * Gv, b = uv * Gu + vv * Gv;
  out.K.xx = a.x * Gu.x + b.x * Gv.x, out.K.xy = a.x * Gu.y + b.x * Gv.y;
  out.K.xz = a.x * Gu.z + b.x * Gv.z, out.K.yy = a.y * Gu.y + b.y * Gv.y;
  out.K.yz = a.y * Gu.z + b.y * Gv.z, out.K.zz = a.z * Gu.z + b.z * Gv.z;
  return out;
}

ChartSurface::Point2 HeightSurface::jets(double x, double y) const {
  using J = Jet<double, 2>;
  return {J::variable(x, 0), J::variable(y, 1), height(x, y)};
}

ChartSurface::Bounds2 HeightSurface::jet_bounds(const Interval& x, const Interval& y) const {
  using J = Jet<Interval, 2>;
  return {J::variable(x, 0), J::variable(y, 1), height_bounds(x, y)};
}

}  // namespace carom
