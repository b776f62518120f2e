#include "carom/geometry/implicit_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace carom {
namespace {

/// Along the longest side of the box, for volume and moments.
constexpr int kMassGrid = 64;

Vec3 gradient(const Jet<double, 3>& h) { return {h.g[0], h.g[1], h.g[2]}; }

}  // namespace

SurfacePoint ImplicitSurface::at(const Vec3& s) const {
  const Jet<double, 3> h = field(s);
  const Vec3 g = gradient(h);
  const double length = norm(g);
  SurfacePoint out;
  out.p = s;
  out.n = g / length;
  const Sym3 B{h.h[0], h.h[3], h.h[5], h.h[1], h.h[2], h.h[4]};
  const Mat3 P = Mat3{} - to_mat3(outer(out.n));
  out.K = symmetric_part((1.0 / length) * (P * to_mat3(B) * P));
  return out;
}

Vec3 ImplicitSurface::onto_surface(Vec3 p) const {
  for (int i = 0; i < 12; ++i) {
    const Jet<double, 3> h = field(p);
    const Vec3 g = gradient(h);
    const Vec3 step = (h.v / norm2(g)) * g;
    if (!is_finite(step)) return p;
    p -= step;
    if (norm(step) <= 1e-16 * (norm(p) + size())) break;
  }
  return p;
}

Vec3 ImplicitSurface::moved(const Vec3& s, const Vec3& t) const { return onto_surface(s + t); }

bool ImplicitSurface::holds(const Vec3& s) const {
  return whole_.s[0].contains(s.x) && whole_.s[1].contains(s.y) && whole_.s[2].contains(s.z);
}

CellBounds ImplicitSurface::bounds(const SurfaceCell& cell) const {
  const Jet<Interval, 3> h = field_bounds(cell);
  CellBounds out;
  out.is_empty = !(h.v.lo <= 0.0 && h.v.hi >= 0.0);
  for (std::size_t i = 0; i < 3; ++i) out.p[i] = cell.s[i], out.normal[i] = h.g[i];
  for (std::size_t i = 0; i < 6; ++i) out.field[i] = h.h[i];
  out.has_field = true;
  return out;
}

std::vector<SurfaceCell> ImplicitSurface::split(const SurfaceCell& cell) const {
  std::vector<SurfaceCell> parts;
  for (int i = 0; i < 8; ++i) {
    SurfaceCell part = cell;
    for (std::size_t k = 0; k < 3; ++k) {
      const double middle = cell.s[k].middle();
      part.s[k] = i >> k & 1 ? Interval(middle, cell.s[k].hi) : Interval(cell.s[k].lo, middle);
    }
    parts.push_back(part);
  }
  return parts;
}

std::string ImplicitSurface::finish(const SurfaceCell& whole) {
  whole_ = whole;
  std::string problem = make_tree(whole, 0.3);
  if (!problem.empty()) return problem;
  const TriangleMesh mesh = triangles(32);
  if (mesh.triangles.empty()) return "h is nowhere zero within its box";
  for (const Vec3& p : mesh.vertices) {
    const SurfacePoint q = at(p);
    // From beside a simple root one step of Newton's method leads back; from a multiple one it
    // does not.
    const double beside = 1e-4 * size();
    const Jet<double, 3> h = field(p + beside * q.n);
    const Vec3 g = gradient(h);
    const double left = norm(beside * q.n - (h.v / norm2(g)) * g);
    if (is_finite(q.n) && std::isfinite(trace(q.K)) && left < 0.4 * beside) continue;
    return "its gradient vanishes or has no value where h is zero, near [" + std::to_string(p.x) +
           ", " + std::to_string(p.y) + ", " + std::to_string(p.z) + "]";
  }
  is_closed_ = !touches_border();
  return {};
}

bool ImplicitSurface::touches_border() const {
  for (const CellNode& node : tree()) {
    if (node.count > 0) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      if (node.cell.s[k].lo > whole_.s[k].lo && node.cell.s[k].hi < whole_.s[k].hi) continue;
      // The cell lies at a side; does the surface cut that side?
      for (const bool upper : {false, true}) {
        const double side = upper ? whole_.s[k].hi : whole_.s[k].lo;
        if (!node.cell.s[k].contains(side)) continue;
        SurfaceCell face = node.cell;
        face.s[k] = Interval(side);
        if (!bounds(face).is_empty) return true;
      }
    }
  }
  return false;
}

namespace {

/// Integrals over a patch that is a parabola along every line, by a rule of the fifth degree.
/// x holds its corners and the middles of its edges, opposite to them.
void add_patch(const Vec3 (&x)[6], VolumeMoments& out) {
  constexpr double kA = 0.059715871789770, kB = 0.470142064105115, kC = 0.797426985353087,
                   kD = 0.101286507323456;
  constexpr double kWeights[3] = {0.225, 0.132394152788506, 0.125939180544827};
  constexpr double kThird = 1.0 / 3.0;
  constexpr double kPoints[7][3] = {{kThird, kThird, 0}, {kA, kB, 1}, {kB, kA, 1}, {kB, kB, 1},
                                    {kC, kD, 2},         {kD, kC, 2}, {kD, kD, 2}};
  for (const auto& [u, v, which] : kPoints) {
    const double w = 1.0 - u - v;
    const Vec3 p = u * (2 * u - 1) * x[0] + v * (2 * v - 1) * x[1] + w * (2 * w - 1) * x[2] +
                   4 * v * w * x[3] + 4 * w * u * x[4] + 4 * u * v * x[5];
    const Vec3 pu =
        (4 * u - 1) * x[0] - (4 * w - 1) * x[2] - 4 * v * x[3] + 4 * (w - u) * x[4] + 4 * v * x[5];
    const Vec3 pv =
        (4 * v - 1) * x[1] - (4 * w - 1) * x[2] + 4 * (w - v) * x[3] - 4 * u * x[4] + 4 * u * x[5];
    const Vec3 n = 0.5 * kWeights[static_cast<std::size_t>(which)] * cross(pu, pv);
    out.volume += dot(p, n) / 3.0;
    out.first += 0.5 * Vec3{p.x * p.x * n.x, p.y * p.y * n.y, p.z * p.z * n.z};
    out.second.xx += p.x * p.x * p.x * n.x / 3.0;
    out.second.yy += p.y * p.y * p.y * n.y / 3.0;
    out.second.zz += p.z * p.z * p.z * n.z / 3.0;
    out.second.xy += 0.5 * p.x * p.x * p.y * n.x;
    out.second.xz += 0.5 * p.x * p.x * p.z * n.x;
    out.second.yz += 0.5 * p.y * p.y * p.z * n.y;
  }
}

}  // namespace

MassProperties ImplicitSurface::unit_properties() const {
  if (!is_closed()) return {};
  const TriangleMesh mesh = triangles(kMassGrid);
  VolumeMoments moments;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Vec3 patch[6] = {a,
                           b,
                           c,
                           onto_surface(0.5 * (b + c)),
                           onto_surface(0.5 * (c + a)),
                           onto_surface(0.5 * (a + b))};
    add_patch(patch, moments);
  }
  return to_mass_properties(moments);
}

TriangleMesh ImplicitSurface::triangles(int segments) const {
  const Vec3 low{whole_.s[0].lo, whole_.s[1].lo, whole_.s[2].lo};
  const Vec3 size{whole_.s[0].width(), whole_.s[1].width(), whole_.s[2].width()};
  const double step = std::max({size.x, size.y, size.z}) / std::clamp(segments, 8, 96);
  std::size_t n[3];
  for (std::size_t k = 0; k < 3; ++k) {
    n[k] = std::max<std::size_t>(2, static_cast<std::size_t>(std::ceil(size[k] / step)));
  }
  const auto point = [&](std::size_t i, std::size_t j, std::size_t k) {
    return Vec3{low.x + size.x * static_cast<double>(i) / static_cast<double>(n[0]),
                low.y + size.y * static_cast<double>(j) / static_cast<double>(n[1]),
                low.z + size.z * static_cast<double>(k) / static_cast<double>(n[2])};
  };
  const auto index = [&](std::size_t i, std::size_t j, std::size_t k) {
    return (k * (n[1] + 1) + j) * (n[0] + 1) + i;
  };
  std::vector<double> value((n[0] + 1) * (n[1] + 1) * (n[2] + 1));
  std::vector<Vec3> place(value.size());
  for (std::size_t k = 0; k <= n[2]; ++k) {
    for (std::size_t j = 0; j <= n[1]; ++j) {
      for (std::size_t i = 0; i <= n[0]; ++i) {
        place[index(i, j, k)] = point(i, j, k);
        const double h = value_at(point(i, j, k));
        value[index(i, j, k)] = std::isfinite(h) ? h : 1.0;
      }
    }
  }
  TriangleMesh mesh;
  std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> known;
  const auto cut = [&](std::size_t a, std::size_t b) {
    const auto [found, is_new] =
        known.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(mesh.vertices.size()));
    if (is_new) {
      const double t = value[a] / (value[a] - value[b]);
      mesh.vertices.push_back(onto_surface(place[a] + t * (place[b] - place[a])));
    }
    return found->second;
  };
  // Six tetrahedra around the diagonal of every cube; neighbours agree on their faces.
  constexpr int kPaths[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
  for (std::size_t k = 0; k < n[2]; ++k) {
    for (std::size_t j = 0; j < n[1]; ++j) {
      for (std::size_t i = 0; i < n[0]; ++i) {
        for (const auto& path : kPaths) {
          std::size_t in[4], out[4], ins = 0, outs = 0;
          for (const int c : path) {
            const std::size_t v = index(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2 & 1));
            (value[v] < 0.0 ? in[ins++] : out[outs++]) = v;
          }
          const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            const Vec3 normal =
                cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]);
            const Vec3 middle =
                (1.0 / 3.0) * (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]);
            if (dot(normal, gradient(field(middle))) > 0.0) {
              mesh.triangles.push_back({a, b, c});
            } else {
              mesh.triangles.push_back({a, c, b});
            }
          };
          if (ins == 1 && outs == 3) {
            add(cut(in[0], out[0]), cut(in[0], out[1]), cut(in[0], out[2]));
          } else if (ins == 3 && outs == 1) {
            add(cut(in[0], out[0]), cut(in[1], out[0]), cut(in[2], out[0]));
          } else if (ins == 2 && outs == 2) {
            const std::uint32_t a = cut(in[0], out[0]), b = cut(in[0], out[1]),
                                c = cut(in[1], out[1]), d = cut(in[1], out[0]);
            add(a, b, c), add(a, c, d);
          }
        }
      }
    }
  }
  return mesh;
}

}  // namespace carom
