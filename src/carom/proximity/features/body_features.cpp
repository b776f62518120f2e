#include "carom/proximity/features/body_features.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "carom/base/index.h"
#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Corners and edges of the hull of a few points, or of a hull that is there already.
void add_polytope(const Polytope& p, BodyFeatures& out) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
  const auto edge = [&](std::uint32_t a, std::uint32_t b) {
    const auto key = std::minmax(a, b);
    const auto [at, is_new] = known.try_emplace(key, static_cast<std::uint32_t>(out.edges.size()));
    if (is_new) {
      const Vec3 d = p.vertices[key.second] - p.vertices[key.first];
      BodyFeatures::Edge made;
      made.corners = {key.first, key.second};
      made.p = p.vertices[key.first], made.length = norm(d), made.e = d / made.length;
      out.edges.push_back(made);
    }
    return at->second;
  };
  for (const PolytopeFace& f : p.faces) {
    BodyFeatures::Face face;
    face.n = f.normal, face.first = static_cast<std::uint32_t>(out.face_edges.size());
    const auto loop = p.vertices_of(f);
    for (const std::uint32_t v : loop)
      face.p += (1.0 / static_cast<double>(f.count)) * p.vertices[v];
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const std::uint32_t a = loop[i], b = loop[(i + 1) % loop.size()], k = edge(a, b);
      BodyFeatures::Edge& e = out.edges[k];
      face.radius = std::max(face.radius, norm(p.vertices[a] - face.p));
      out.face_edges.push_back(k);
      if (e.face_count == 2) continue;
      const auto side = at(e.face_count++);
      e.faces[side] = static_cast<std::uint32_t>(out.faces.size());
      e.inward[side] = normalized(cross(f.normal, p.vertices[b] - p.vertices[a]));
    }
    face.count = f.count;
    out.faces.push_back(face);
  }
  if (p.dimension == 1) edge(0, 1);
  for (std::uint32_t v = 0; v < p.vertices.size(); ++v) {
    BodyFeatures::Corner c{p.vertices[v], static_cast<std::uint32_t>(out.corner_edges.size()), 0};
    for (std::uint32_t k = 0; k < out.edges.size(); ++k) {
      const auto& ends = out.edges[k].corners;
      if (ends[0] == v || ends[1] == v) out.corner_edges.push_back(k), ++c.count;
    }
    out.corners.push_back(c);
  }
  out.size = 2.0 * p.radius;
}

std::vector<Vec3> points_of(const Core& core) {
  const Vec3& h = core.v[0];
  if (core.kind == &core_segment) return {h - core.v[1], h + core.v[1]};
  if (core.kind == &core_simplex) return {core.v, core.v + core.count};
  std::vector<Vec3> points;
  if (core.kind != &core_box) return points;
  for (int i = 0; i < 8; ++i) {
    points.push_back({i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z});
  }
  return points;
}

/// What is across x: radial unit vector, 0 on the axis.
Vec3 radial(const Vec3& y) {
  const double r = std::hypot(y.y, y.z);
  return r > 0.0 ? Vec3{0.0, y.y / r, y.z / r} : Vec3{};
}
Vec3 around(const Vec3& u) { return {0.0, -u.z, u.y}; }

/// Of the side: the unit vector along its rulings to greater x, and its outward normal, both in the
/// half plane of x and a radial direction.
struct Slope {
  double x, r;
};
Slope ruling(const BodyFeatures& b) {
  const double dx = b.discs[1].x - b.discs[0].x, dr = b.discs[1].r - b.discs[0].r;
  const double k = 1.0 / std::hypot(dx, dr);
  return {k * dx, k * dr};
}
double distance_from_segment(double px, double py, const BodyFeatures::Disc& a,
                             const BodyFeatures::Disc& b) {
  const double dx = b.x - a.x, dy = b.r - a.r;
  const double s = std::clamp(((px - a.x) * dx + (py - a.r) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  return std::hypot(px - a.x - s * dx, py - a.r - s * dy);
}

/// Away from corner i of an edge.
Vec3 along_from(const BodyFeatures::Edge& e, std::uint32_t corner) {
  return e.corners[0] == corner ? e.e : -e.e;
}

std::span<const std::uint32_t> edges_of(const BodyFeatures& b, const BodyFeatures::Corner& c) {
  return {b.corner_edges.data() + c.first, c.count};
}
std::span<const std::uint32_t> edges_of(const BodyFeatures& b, const BodyFeatures::Face& f) {
  return {b.face_edges.data() + f.first, f.count};
}

Vec3 inward_of(const BodyFeatures::Edge& e, std::uint32_t face) {
  return e.face_count > 0 && e.faces[0] == face ? e.inward[0] : e.inward[1];
}

void follow(Descent& least, double slope, FeatureName next, const Vec3& direction) {
  if (slope < least.slope) least = {slope, next, direction};
}

}  // namespace

std::vector<FeatureName> BodyFeatures::names() const {
  std::vector<FeatureName> out;
  const auto add = [&](FeatureKind kind, std::size_t count) {
    for (std::uint32_t i = 0; i < count; ++i) out.push_back({kind, i});
  };
  add(FeatureKind::corner, corners.size());
  add(FeatureKind::edge, edges.size());
  add(FeatureKind::face, faces.size());
  for (std::uint32_t i = 0; is_round && i < 2; ++i) {
    out.push_back({discs[i].r > 0.0 ? FeatureKind::rim : FeatureKind::tip, i});
    if (discs[i].r > 0.0) out.push_back({FeatureKind::disc, i});
  }
  if (is_round && discs[1].x > discs[0].x) out.push_back({FeatureKind::side, 0});
  return out;
}

BodyFeatures make_features(const Core& core) {
  BodyFeatures out;
  out.rounding = core.rounding;
  if (core.kind == &core_polytope) {
    add_polytope(PolytopeCore::polytope(core), out);
  } else if (core.kind == &core_cylinder || core.kind == &core_frustum) {
    out.is_round = true;
    const Vec3& v = core.v[0];
    if (core.kind == &core_cylinder) {
      out.discs = {{{-v.x, v.y}, {v.x, v.y}}};
    } else {
      out.discs = {{{v.x, v.y}, {core.v[1].x, core.v[1].y}}};
    }
    if (out.discs[1].x < out.discs[0].x) std::swap(out.discs[0], out.discs[1]);
    out.size = 2.0 * core.kind->radius(core);
  } else if (const std::vector<Vec3> points = points_of(core); !points.empty()) {
    add_polytope(make_polytope(points), out);
  }
  return out;
}

int dimension(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::corner:
    case FeatureKind::tip: return 0;
    case FeatureKind::edge:
    case FeatureKind::rim: return 1;
    default: return 2;
  }
}

FeatureFrame frame_at(const BodyFeatures& b, FeatureName f, const Vec3& y, const Vec3& n) {
  FeatureFrame out;
  out.dimension = dimension(f.kind);
  const Vec3 u = radial(y);
  switch (f.kind) {
    case FeatureKind::corner:
    case FeatureKind::tip: break;
    case FeatureKind::edge: out.t[0] = b.edges[f.index].e; break;
    case FeatureKind::face:
      out.t[0] = any_perpendicular(b.faces[f.index].n);
      out.t[1] = cross(b.faces[f.index].n, out.t[0]);
      break;
    case FeatureKind::disc: out.t[0] = {0.0, 1.0, 0.0}, out.t[1] = {0.0, 0.0, 1.0}; break;
    case FeatureKind::rim:
      out.t[0] = around(u), out.radius = b.discs[f.index].r;
      out.along = -dot(n, u) / out.radius;
      break;
    case FeatureKind::side: {
      const Slope g = ruling(b);
      out.t[0] = around(u), out.t[1] = g.r * u + Vec3{g.x, 0.0, 0.0};
      out.radius = std::max(std::hypot(y.y, y.z), 1e-12 * b.size);
      out.along = -dot(n, u) / out.radius;
      break;
    }
  }
  return out;
}

Vec3 moved_on(const BodyFeatures& b, FeatureName f, const Vec3& y, const Vec3& step) {
  switch (f.kind) {
    case FeatureKind::corner: return b.corners[f.index].p;
    case FeatureKind::tip: return {b.discs[f.index].x, 0.0, 0.0};
    default: return nearest_on(b, f, y + step);
  }
}

Vec3 nearest_on(const BodyFeatures& b, FeatureName f, const Vec3& x) {
  Vec3 u = radial(x);
  if (norm2(u) == 0.0) u = {0.0, 1.0, 0.0};
  switch (f.kind) {
    case FeatureKind::corner: return b.corners[f.index].p;
    case FeatureKind::tip: return {b.discs[f.index].x, 0.0, 0.0};
    case FeatureKind::edge: {
      const BodyFeatures::Edge& e = b.edges[f.index];
      return e.p + dot(e.e, x - e.p) * e.e;
    }
    case FeatureKind::face: {
      const BodyFeatures::Face& face = b.faces[f.index];
      return x - dot(face.n, x - face.p) * face.n;
    }
    case FeatureKind::disc: return {b.discs[f.index].x, x.y, x.z};
    case FeatureKind::rim: return b.discs[f.index].r * u + Vec3{b.discs[f.index].x, 0.0, 0.0};
    case FeatureKind::side: {
      const Slope g = ruling(b);
      const double s = g.x * (x.x - b.discs[0].x) + g.r * (std::hypot(x.y, x.z) - b.discs[0].r);
      return (b.discs[0].r + s * g.r) * u + Vec3{b.discs[0].x + s * g.x, 0.0, 0.0};
    }
  }
  return {};
}

double distance_from(const BodyFeatures& b, FeatureName f, const Vec3& x) {
  const double rho = std::hypot(x.y, x.z);
  switch (f.kind) {
    case FeatureKind::edge: {
      const BodyFeatures::Edge& e = b.edges[f.index];
      return norm(x - e.p - std::clamp(dot(e.e, x - e.p), 0.0, e.length) * e.e);
    }
    case FeatureKind::face: {
      const BodyFeatures::Face& face = b.faces[f.index];
      const Vec3 d = x - face.p;
      const double above = dot(face.n, d);
      double beside = 0.0;  // the farthest beyond one edge: less than the distance from the polygon
      for (const std::uint32_t k : edges_of(b, face)) {
        beside = std::max(beside, -dot(inward_of(b.edges[k], f.index), x - b.edges[k].p));
      }
      return std::hypot(above, beside);
    }
    case FeatureKind::disc:
      return std::hypot(x.x - b.discs[f.index].x, std::max(0.0, rho - b.discs[f.index].r));
    case FeatureKind::rim: return std::hypot(x.x - b.discs[f.index].x, rho - b.discs[f.index].r);
    case FeatureKind::side: return distance_from_segment(x.x, rho, b.discs[0], b.discs[1]);
    default: return norm(x - nearest_on(b, f, x));
  }
}

bool is_beyond(const BodyFeatures& b, FeatureName f, const Vec3& y, double much, FeatureName& next,
               Vec3& at) {
  switch (f.kind) {
    case FeatureKind::edge: {
      const BodyFeatures::Edge& e = b.edges[f.index];
      const double s = dot(e.e, y - e.p);
      if (s >= -much && s <= e.length + much) return false;
      next = {FeatureKind::corner, s < 0.0 ? e.corners[0] : e.corners[1]};
      at = b.corners[next.index].p;
      return true;
    }
    case FeatureKind::face: {
      const BodyFeatures::Face& face = b.faces[f.index];
      double most = much;
      bool is_out = false;
      for (const std::uint32_t k : edges_of(b, face)) {
        const double out = -dot(inward_of(b.edges[k], f.index), y - b.edges[k].p);
        if (out > most) most = out, next = {FeatureKind::edge, k}, is_out = true;
      }
      if (is_out) at = nearest_on(b, next, y);
      return is_out;
    }
    case FeatureKind::disc:
      if (std::hypot(y.y, y.z) <= b.discs[f.index].r + much) return false;
      next = {FeatureKind::rim, f.index};
      at = nearest_on(b, next, y);
      return true;
    case FeatureKind::side: {
      const bool is_low = y.x<b.discs[0].x - much, is_high = y.x> b.discs[1].x + much;
      if (!is_low && !is_high) return false;
      const std::uint32_t end = is_high ? 1 : 0;
      next = {b.discs[end].r > 0.0 ? FeatureKind::rim : FeatureKind::tip, end};
      at = nearest_on(b, next, y);
      return true;
    }
    default: return false;
  }
}

Descent steepest_descent(const BodyFeatures& b, FeatureName f, const Vec3& y, const Vec3& n) {
  Descent least;
  switch (f.kind) {
    case FeatureKind::corner:
      for (const std::uint32_t k : edges_of(b, b.corners[f.index])) {
        const Vec3 u = along_from(b.edges[k], f.index);
        follow(least, dot(n, u), {FeatureKind::edge, k}, u);
      }
      break;
    case FeatureKind::edge: {
      const BodyFeatures::Edge& e = b.edges[f.index];
      for (std::size_t i = 0; i < at(e.face_count); ++i) {
        follow(least, dot(n, e.inward[i]), {FeatureKind::face, e.faces[i]}, e.inward[i]);
      }
      break;
    }
    case FeatureKind::tip:
    case FeatureKind::rim: {
      const bool is_tip = f.kind == FeatureKind::tip;
      const Slope g = ruling(b);
      const double sign = f.index == 0 ? 1.0 : -1.0;
      const Vec3 u = is_tip ? -radial(n) : radial(y);
      const Vec3 ruled = sign * (g.r * u + Vec3{g.x, 0.0, 0.0});
      if (b.discs[1].x > b.discs[0].x) {
        follow(least, dot(n, ruled), {FeatureKind::side, 0}, ruled);
      }
      if (!is_tip) follow(least, -dot(n, u), {FeatureKind::disc, f.index}, -u);
      break;
    }
    // From a face the gap falls inward where n points out of it: that is no contact.
    case FeatureKind::face:
      if (dot(n, b.faces[f.index].n) > 0.0) least.slope = -kInfinite;
      break;
    case FeatureKind::disc:
      if (n.x * (f.index == 0 ? -1.0 : 1.0) > 0.0) least.slope = -kInfinite;
      break;
    case FeatureKind::side: {
      const Slope g = ruling(b);
      const Vec3 out = g.x * radial(y) - Vec3{g.r, 0.0, 0.0};
      if (dot(n, out) > 0.0) least.slope = -kInfinite;
      break;
    }
  }
  return least;
}

bool may_face(const BodyFeatures& b, FeatureName f, const Vec3& n, double sine) {
  const double cosine = std::sqrt(std::max(0.0, 1.0 - sine * sine));
  const Slope g = b.is_round && b.discs[1].x > b.discs[0].x ? ruling(b) : Slope{1.0, 0.0};
  const double across = std::hypot(n.y, n.z), chord = 1.2 * sine;  // of angles to 1.1 rad
  switch (f.kind) {
    case FeatureKind::corner:
      return std::ranges::all_of(edges_of(b, b.corners[f.index]), [&](std::uint32_t k) {
        return dot(n, along_from(b.edges[k], f.index)) >= -sine;
      });
    case FeatureKind::edge: {
      const BodyFeatures::Edge& e = b.edges[f.index];
      if (std::abs(dot(n, e.e)) > sine) return false;
      for (std::size_t i = 0; i < at(e.face_count); ++i) {
        if (dot(n, e.inward[i]) < -sine) return false;
      }
      return true;
    }
    case FeatureKind::face: return -dot(n, b.faces[f.index].n) >= cosine;
    case FeatureKind::disc: return n.x * (f.index == 0 ? 1.0 : -1.0) >= cosine;
    // Outward along x and the radius it looks from the disc's normal to that of the side.
    case FeatureKind::tip:
    case FeatureKind::rim: {
      const double sign = f.index == 0 ? 1.0 : -1.0;
      // The radial part of -n is `across` at the place that touches, so n.u = -across there.
      return sign * (g.x * n.x - g.r * across) >= -chord;
    }
    case FeatureKind::side: return std::abs(g.x * n.x - g.r * across) <= chord;
  }
  return true;
}

}  // namespace carom
