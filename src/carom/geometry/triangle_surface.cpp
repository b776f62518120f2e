#include "carom/geometry/triangle_surface.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/mesh_edges.h"
#include "carom/geometry/mesh_repair.h"

namespace carom {
namespace {

/// Products of three coordinates must neither over- nor underflow (proximity/triangles).
constexpr double kLargest = 1e90, kSmallest = 1e-90;

/// Coordinates too small to be multiplied are none.
Vec3 without_dust(const Vec3& p) {
  const auto clean = [](double x) { return std::abs(x) < kSmallest ? 0.0 : x; };
  return {clean(p.x), clean(p.y), clean(p.z)};
}

/// The longest side of the box around all triangles: vertices without one do not count.
double size_of(const TriangleSurface& s) {
  if (s.triangles.empty()) return 0.0;
  Vec3 lower = s.vertices[s.triangles[0][0]], upper = lower;
  for (const Triangle& t : s.triangles) {
    for (const std::uint32_t v : t) {
      for (std::size_t k = 0; k < 3; ++k) {
        lower[k] = std::min(lower[k], s.vertices[v][k]);
        upper[k] = std::max(upper[k], s.vertices[v][k]);
      }
    }
  }
  return std::max({upper.x - lower.x, upper.y - lower.y, upper.z - lower.z});
}

void add_edges(const TriangleMesh& mesh, TriangleSurface& s) {
  s.edges_of.resize(mesh.triangles.size());
  for_each_edge(mesh, [&](std::span<const HalfEdge> sides) {
    SurfaceEdge edge{sides[0].low, sides[0].high};
    for (const HalfEdge& h : sides) {
      (h.forward ? edge.forward : edge.backward) += 1;
      std::uint32_t& side = h.forward ? edge.left : edge.right;
      if (side == kNoIndex) side = h.triangle;
      const Triangle& t = mesh.triangles[h.triangle];
      const std::uint32_t from = h.forward ? h.low : h.high;
      const std::size_t k = t[0] == from ? 0 : t[1] == from ? 1 : 2;
      s.edges_of[h.triangle][k] = static_cast<std::uint32_t>(s.edges.size());
    }
    s.is_closed = s.is_closed && edge.is_closed();
    s.edges.push_back(edge);
  });
}

void add_corners(TriangleSurface& s) {
  s.first_corner.assign(s.vertices.size() + 1, 0);
  for (const Triangle& t : s.triangles) {
    for (const std::uint32_t v : t) ++s.first_corner[v + 1];
  }
  for (std::size_t v = 0; v < s.vertices.size(); ++v) s.first_corner[v + 1] += s.first_corner[v];
  s.triangles_at.resize(3 * s.triangles.size());
  std::vector<std::uint32_t> next(s.first_corner.begin(), s.first_corner.end() - 1);
  for (std::uint32_t i = 0; i < s.triangles.size(); ++i) {
    for (const std::uint32_t v : s.triangles[i]) s.triangles_at[next[v]++] = i;
  }
}

void add_parts(TriangleSurface& s) {
  s.part_of.assign(s.vertices.size(), kNoIndex);
  std::vector<std::uint32_t> stack;
  for (std::uint32_t seed = 0; seed < s.vertices.size(); ++seed) {
    if (s.part_of[seed] != kNoIndex || s.around(seed).empty()) continue;
    const auto part = static_cast<std::uint32_t>(s.part_seed.size());
    s.part_seed.push_back(seed);
    s.part_of[seed] = part;
    stack.push_back(seed);
    while (!stack.empty()) {
      const std::uint32_t v = stack.back();
      stack.pop_back();
      for (const std::uint32_t t : s.around(v)) {
        for (const std::uint32_t w : s.triangles[t]) {
          if (s.part_of[w] == kNoIndex) s.part_of[w] = part, stack.push_back(w);
        }
      }
    }
  }
}

/// (Σ n nᵀ + small) d = -shrink Σ n. The small term picks the shortest d where normals leave
/// directions open; it changes others by a billionth.
Vec3 inward(const TriangleSurface& s, std::uint32_t vertex) {
  Sym3 N;
  Vec3 sum;
  for (const std::uint32_t t : s.around(vertex)) {
    const Triangle& c = s.triangles[t];
    const Vec3 n =
        normalized(cross(s.vertices[c[1]] - s.vertices[c[0]], s.vertices[c[2]] - s.vertices[c[0]]));
    N += outer(n);
    sum += n;
  }
  const double small = 1e-9 * trace(N);
  N += Sym3::diagonal({small, small, small});
  const Vec3 a{N.xx, N.xy, N.xz}, b{N.xy, N.yy, N.yz}, c{N.xz, N.yz, N.zz};
  const Vec3 bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
  const double scale = -s.shrink / dot(a, bc);
  return scale * Vec3{dot(bc, sum), dot(ca, sum), dot(ab, sum)};
}

void draw_in(TriangleSurface& s) {
  s.drawn_in = s.vertices;
  for (std::uint32_t v = 0; v < s.vertices.size(); ++v) {
    if (s.around(v).empty()) continue;
    const Vec3 d = inward(s, v);
    // Where triangles contradict each other (folds, two-sided sheets) there is no inside.
    if (is_finite(d) && norm(d) < 1e3 * s.shrink) s.drawn_in[v] += d;
  }
}

void add_rim(TriangleSurface& s) {
  if (s.is_closed) return;
  s.is_at_rim.assign(s.vertices.size(), 0);
  for (const SurfaceEdge& e : s.edges) {
    if (!e.is_closed()) s.is_at_rim[e.low] = s.is_at_rim[e.high] = 1;
  }
}

double volume_of(const TriangleSurface& s) {
  if (s.triangles.empty()) return 0.0;
  const Vec3 o = s.vertices[s.triangles[0][0]];
  double sum = 0.0;
  for (const Triangle& t : s.triangles) {
    sum += dot(s.vertices[t[0]] - o, cross(s.vertices[t[1]] - o, s.vertices[t[2]] - o));
  }
  return sum / 6.0;
}

void add_planes(TriangleSurface& s) {
  s.planes.reserve(s.triangles.size());
  for (const Triangle& t : s.triangles) {
    s.planes.push_back(make_face_plane(s.vertices[t[0]], s.vertices[t[1]], s.vertices[t[2]]));
  }
}

void add_tree(TriangleSurface& s) {
  std::vector<BoundingBox> boxes;
  boxes.reserve(s.triangles.size());
  for (const Triangle& t : s.triangles) {
    BoundingBox box{s.vertices[t[0]], s.vertices[t[0]]};
    for (const std::uint32_t v : t) {
      for (const Vec3& p : {s.vertices[v], s.drawn_in[v]}) {
        for (std::size_t k = 0; k < 3; ++k) {
          box.lower[k] = std::min(box.lower[k], p[k]), box.upper[k] = std::max(box.upper[k], p[k]);
        }
      }
    }
    boxes.push_back(box);
  }
  s.tree = make_box4_tree(boxes);
}

}  // namespace

std::string surface_problem(const TriangleMesh& mesh) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = std::abs(mesh.vertices[i][k]);
      if (!(x <= kLargest))
        return "vertex " + std::to_string(i) + " is not finite or beyond 1e90 m";
    }
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    if (std::max({t[0], t[1], t[2]}) >= mesh.vertices.size()) {
      return "triangle " + std::to_string(i) + " names a vertex that is not there";
    }
  }
  return {};
}

TriangleSurface make_triangle_surface(const TriangleMesh& mesh) {
  if (!surface_problem(mesh).empty()) return {};
  TriangleMesh clean = mesh;
  for (Vec3& p : clean.vertices) p = without_dust(p);
  weld(clean);
  drop_duplicates(clean);
  merge_slivers(clean);
  TriangleSurface s;
  s.vertices = std::move(clean.vertices);
  s.triangles = clean.triangles;
  clean.vertices.clear();
  s.shrink = 0x1p-34 * size_of(s);
  add_edges(clean, s);
  add_corners(s);
  add_parts(s);
  draw_in(s);
  add_rim(s);
  s.volume = volume_of(s);
  add_planes(s);
  add_tree(s);
  return s;
}

std::shared_ptr<const TriangleSurface> make_collider_surface(const TriangleMesh& mesh) {
  auto front = std::make_shared<TriangleSurface>(make_triangle_surface(mesh));
  if (front->is_closed) return front;
  TriangleMesh turned = mesh;
  for (Triangle& t : turned.triangles) std::swap(t[1], t[2]);
  front->back = std::make_shared<const TriangleSurface>(make_triangle_surface(turned));
  return front;
}

}  // namespace carom
