#include "carom/geometry/rounded_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "carom/geometry/tessellation.h"

namespace carom {
namespace {

using Index = std::uint32_t;

constexpr double kCrease = 0.35;  // [rad] faces that meet at less are one smooth surface
constexpr double kFlat = 1e-9;    // [rad] faces that meet at less are one plane

double angle_between(const Vec3& a, const Vec3& b) {
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

Vec3 unit(const Vec3& v) { return (1.0 / norm(v)) * v; }

/// The unit vector a share of the way along the arc from a to b.
Vec3 on_arc(const Vec3& a, const Vec3& b, double share) {
  const double angle = angle_between(a, b), s = std::sin(angle);
  if (s < 1e-12) return share < 0.5 ? a : b;
  return unit((std::sin((1.0 - share) * angle) / s) * a + (std::sin(share * angle) / s) * b);
}

/// A vertex of the sharp mesh: the faces around it, grouped where they are smooth.
struct SharpVertex {
  std::vector<Vec3> normals;            ///< of the groups
  std::vector<Index> corners;           ///< of the groups: vertices of the rounded mesh
  Vec3 core;                            ///< the core's point below it
  std::vector<std::vector<Vec3>> arcs;  ///< between groups that meet in an edge
};

class Rounder {
 public:
  Rounder(const Shape& shape, TriangleMesh sharp, int segments)
      : shape_(shape), sharp_(std::move(sharp)), vertices_(sharp_.vertices.size()) {
    const double q = shape.edge_radius, share = q / bounding_radius(shape);
    const double quarter = 0.25 * segments * std::min(1.0, 1.6 * std::sqrt(share));
    per_quarter_ = segments <= 24 ? 1 : std::clamp(static_cast<int>(std::lround(quarter)), 2, 16);
  }

  SmoothMesh round() {
    find_groups();
    for (std::size_t t = 0; t < sharp_.triangles.size(); ++t) {
      const Triangle& tri = sharp_.triangles[t];
      add_triangle(corner(t, 0, tri), corner(t, 1, tri), corner(t, 2, tri));
    }
    for (const auto& [edge, side] : edges()) add_fillet(edge.first, edge.second, side);
    for (SharpVertex& v : vertices_) {
      if (v.normals.size() > 2) add_corner(v);
    }
    return std::move(out_);
  }

 private:
  /// The triangles left and right of the edge from its first vertex to its second, and
  /// the place of the edge's first vertex in each.
  struct Sides {
    int left = -1, right = -1;
  };
  using Edge = std::pair<Index, Index>;

  Index corner(std::size_t t, std::size_t place, const Triangle& tri) const {
    return vertices_[tri[place]].corners[group_[t][place]];
  }

  Index add_vertex(const Vec3& p, const Vec3& n) {
    out_.mesh.vertices.push_back(p);
    out_.normals.push_back(n);
    return static_cast<Index>(out_.mesh.vertices.size() - 1);
  }

  void add_triangle(Index a, Index b, Index c) {
    const std::vector<Vec3>& v = out_.mesh.vertices;
    if (norm(cross(v[b] - v[a], v[c] - v[a])) > 0.0) out_.mesh.triangles.push_back({a, b, c});
  }

  void find_groups() {
    group_.resize(sharp_.triangles.size());
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> around(vertices_.size());
    for (std::size_t t = 0; t < sharp_.triangles.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) around[sharp_.triangles[t][k]].push_back({t, k});
    }
    for (std::size_t v = 0; v < vertices_.size(); ++v) group_vertex(v, around[v]);
  }

  Vec3 face_normal(std::size_t t) const {
    const Triangle& tri = sharp_.triangles[t];
    const Vec3 a = sharp_.vertices[tri[0]];
    return unit(cross(sharp_.vertices[tri[1]] - a, sharp_.vertices[tri[2]] - a));
  }

  /// The weight of a face at its corner: however it is cut into triangles, the mean of
  /// normals around a cylinder stays radial.
  double corner_angle(std::size_t t, std::size_t place) const {
    const Triangle& tri = sharp_.triangles[t];
    const Vec3& p = sharp_.vertices[tri[place]];
    return angle_between(sharp_.vertices[tri[(place + 1) % 3]] - p,
                         sharp_.vertices[tri[(place + 2) % 3]] - p);
  }

  /// Faces within the crease of a group's first face join it; at a tip, where that would
  /// cut a cone into arbitrary pieces, every face is a group of its own.
  void group_vertex(std::size_t index,
                    const std::vector<std::pair<std::size_t, std::size_t>>& around) {
    SharpVertex& v = vertices_[index];
    double crease = kCrease;
    for (int attempt = 0; attempt < 2; ++attempt) {
      std::vector<Vec3> seeds;
      v.normals.clear();
      for (const auto& [t, place] : around) {
        const Vec3 n = face_normal(t);
        std::size_t g = 0;
        while (g < seeds.size() && angle_between(seeds[g], n) > crease) ++g;
        if (g == seeds.size()) seeds.push_back(n), v.normals.push_back({});
        v.normals[g] += corner_angle(t, place) * n;
        group_[t][place] = static_cast<std::uint8_t>(g);
      }
      if (seeds.size() <= 4 || seeds.size() == around.size()) break;
      crease = kFlat;
    }
    Vec3 sum;
    for (Vec3& n : v.normals) n = unit(n), sum += n;
    v.core = v.normals.empty() ? Vec3{} : support(shape_.core, unit(sum));
    bool flat = v.normals.size() == 1;
    for (const auto& [t, place] : around) {
      flat = flat && angle_between(face_normal(t), v.normals[0]) < kFlat;
    }
    for (const Vec3& n : v.normals) {
      v.corners.push_back(
          add_vertex(flat ? sharp_.vertices[index] : v.core + shape_.edge_radius * n, n));
    }
  }

  std::map<Edge, Sides> edges() const {
    std::map<Edge, Sides> out;
    for (std::size_t t = 0; t < sharp_.triangles.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Index a = sharp_.triangles[t][k], b = sharp_.triangles[t][(k + 1) % 3];
        (a < b ? out[{a, b}].left : out[{b, a}].right) = static_cast<int>(t);
      }
    }
    return out;
  }

  std::size_t group_at(int triangle, Index vertex) const {
    const auto t = static_cast<std::size_t>(triangle);
    const Triangle& tri = sharp_.triangles[t];
    return group_[t][tri[0] == vertex ? 0 : tri[1] == vertex ? 1 : 2];
  }

  /// The strip over the edge from `a` to `b`, from its left face to its right one.
  void add_fillet(Index a, Index b, const Sides& side) {
    if (side.left < 0 || side.right < 0) return;
    SharpVertex &va = vertices_[a], &vb = vertices_[b];
    const std::size_t a_left = group_at(side.left, a), a_right = group_at(side.right, a);
    const std::size_t b_left = group_at(side.left, b), b_right = group_at(side.right, b);
    if (a_left == a_right && b_left == b_right) return;
    const double turn = std::max(angle_between(va.normals[a_left], va.normals[a_right]),
                                 angle_between(vb.normals[b_left], vb.normals[b_right]));
    const int steps =
        std::max(1, static_cast<int>(std::lround(turn / (0.5 * std::numbers::pi) * per_quarter_)));
    const std::vector<Index> at_a = arc(va, a_left, a_right, steps);
    const std::vector<Index> at_b = arc(vb, b_left, b_right, steps);
    for (std::size_t i = 0; i + 1 < at_a.size(); ++i) {
      add_triangle(at_a[i], at_b[i + 1], at_b[i]);
      add_triangle(at_a[i], at_a[i + 1], at_b[i + 1]);
    }
  }

  /// Vertices on the arc from group `from` to group `to`; remembers it for the corner.
  std::vector<Index> arc(SharpVertex& v, std::size_t from, std::size_t to, int steps) {
    std::vector<Index> out{v.corners[from]};
    std::vector<Vec3> directions{v.normals[from]};
    for (int i = 1; i < steps; ++i) {
      const Vec3 n = on_arc(v.normals[from], v.normals[to], static_cast<double>(i) / steps);
      out.push_back(from == to ? v.corners[from] : add_vertex(v.core + shape_.edge_radius * n, n));
      directions.push_back(n);
    }
    out.push_back(v.corners[to]);
    directions.push_back(v.normals[to]);
    if (from != to) v.arcs.push_back(std::move(directions));
    return out;
  }

  /// The spherical polygon over a corner: rings of its boundary shrunk towards its middle.
  void add_corner(const SharpVertex& v) {
    Vec3 sum;
    for (const Vec3& n : v.normals) sum += n;
    const Vec3 middle = unit(sum);
    const double q = shape_.edge_radius;
    const Index tip = add_vertex(v.core + q * middle, middle);
    for (const std::vector<Vec3>& arc : v.arcs) {
      const std::size_t n = arc.size();
      const int rings = std::max(1, per_quarter_ * 2 / 3);
      std::vector<Index> outer, inner;
      for (int ring = 0; ring < rings; ++ring) {
        inner.clear();
        for (const Vec3& d : arc) {
          const Vec3 m = on_arc(d, middle, static_cast<double>(ring) / rings);
          inner.push_back(add_vertex(v.core + q * m, m));
        }
        for (std::size_t i = 0; ring > 0 && i + 1 < n; ++i) {
          add_outward(outer[i], outer[i + 1], inner[i + 1]);
          add_outward(outer[i], inner[i + 1], inner[i]);
        }
        outer = inner;
      }
      for (std::size_t i = 0; i + 1 < n; ++i) add_outward(outer[i], outer[i + 1], tip);
    }
  }

  /// Arcs run in either sense; the normals say which side is outside.
  void add_outward(Index a, Index b, Index c) {
    const std::vector<Vec3>& v = out_.mesh.vertices;
    const bool outward = dot(cross(v[b] - v[a], v[c] - v[a]), out_.normals[c]) > 0.0;
    outward ? add_triangle(a, b, c) : add_triangle(b, a, c);
  }

  const Shape& shape_;
  TriangleMesh sharp_;
  std::vector<SharpVertex> vertices_;
  std::vector<std::array<std::uint8_t, 3>> group_;
  int per_quarter_ = 2;
  SmoothMesh out_;
};

/// A body without faces of its own: the support points of directions all around.
SmoothMesh from_directions(const Shape& shape, int segments) {
  SmoothMesh out;
  out.mesh = unit_sphere(segments);
  out.normals = out.mesh.vertices;
  for (Vec3& v : out.mesh.vertices) v = surface_point(shape.core, v);
  return out;
}

}  // namespace

SmoothMesh rounded_mesh(const Shape& shape, int segments) {
  const ShapeKind& kind = *shape.kind;
  if (kind.convex && shape.edge_radius > 0.0) {
    if (kind.rounding == Rounding::layer) return from_directions(shape, segments);
    if (kind.rounding == Rounding::inward) {
      return Rounder(shape, tessellate(shape, segments), segments).round();
    }
  }
  return {tessellate(shape, segments), {}};
}

}  // namespace carom
