#include "carom/contact/spring_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

/// Exterior angle from which on an edge carries fully [rad]: about two degrees.
constexpr double kFullEdge = 0.033;

using Loop = std::vector<std::uint32_t>;

Vec3 newell_normal(const std::vector<Vec3>& vertices, const Loop& loop) {
  Vec3 sum;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    sum += cross(vertices[loop[i]], vertices[loop[(i + 1) % loop.size()]]);
  }
  return 0.5 * sum;
}

/// Edges, faces and corners of a body bounded by flat polygons.
class FacetedBuilder {
 public:
  FacetedBuilder(SpringBody& body, const std::vector<Vec3>& vertices)
      : body_(body), vertices_(vertices) {}

  void add_face(const Loop& loop) {
    const Vec3 area = newell_normal(vertices_, loop);
    if (!(norm(area) > 0.0)) return;
    SpringFace face;
    face.normal = normalized(area), face.area = norm(area);
    face.offset = dot(face.normal, vertices_[loop[0]]);
    face.first = static_cast<std::uint32_t>(body_.loop.size());
    face.count = static_cast<std::uint32_t>(loop.size());
    face.first_edge = static_cast<std::uint32_t>(body_.loop_edges.size());
    const auto index = static_cast<std::int32_t>(body_.faces.size());
    for (std::size_t i = 0; i < loop.size(); ++i) {
      body_.loop.push_back(loop[i]);
      body_.loop_edges.push_back(edge(loop[i], loop[(i + 1) % loop.size()], index));
    }
    body_.faces.push_back(face);
  }

  std::uint32_t edge(std::uint32_t a, std::uint32_t b, std::int32_t face) {
    const auto [found, is_new] =
        index_.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(body_.edges.size()));
    if (is_new) {
      SpringEdge e;
      e.p = vertices_[a], e.q = vertices_[b];
      e.length = norm(e.q - e.p);
      e.along = (1.0 / e.length) * (e.q - e.p);
      e.corner[0] = a, e.corner[1] = b;
      body_.edges.push_back(e);
    }
    SpringEdge& e = body_.edges[found->second];
    if (face >= 0) e.face[e.face[0] < 0 ? 0 : 1] = face;
    return found->second;
  }

  void finish() {
    set_angles();
    set_kappas();
    set_corners();
  }

 private:
  void set_angles() {
    for (SpringEdge& e : body_.edges) {
      if (e.face[0] < 0 || e.face[1] < 0) continue;
      const Vec3 &a = body_.faces[static_cast<std::size_t>(e.face[0])].normal,
                 &b = body_.faces[static_cast<std::size_t>(e.face[1])].normal;
      const double angle = std::atan2(norm(cross(a, b)), dot(a, b));
      e.share = std::min(1.0, angle / kFullEdge);
      e.lying = std::min(kLying, std::max(0.5 * angle, 1e-6));
      for (const std::int32_t f : e.face) {
        double& lying = body_.faces[static_cast<std::size_t>(f)].lying;
        lying = std::min(lying, e.lying);
      }
    }
  }

  void set_kappas() {
    for (SpringFace& f : body_.faces) {
      double carrying = 0.0, whole = 0.0;
      for (std::uint32_t i = 0; i < f.count; ++i) {
        const SpringEdge& e = body_.edges[body_.loop_edges[f.first_edge + i]];
        carrying += e.share * e.length, whole += e.length;
      }
      f.kappa = 2.0 * std::sqrt(f.area / std::numbers::pi) / std::max(carrying, 1e-3 * whole);
    }
  }

  void set_corners() {
    std::vector<Loop> at(vertices_.size());
    for (std::uint32_t i = 0; i < body_.edges.size(); ++i) {
      for (const std::uint32_t c : body_.edges[i].corner) at[c].push_back(i);
    }
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      SpringCorner corner{vertices_[i], static_cast<std::uint32_t>(body_.corner_edges.size()),
                          static_cast<std::uint32_t>(at[i].size())};
      body_.corner_edges.insert(body_.corner_edges.end(), at[i].begin(), at[i].end());
      body_.corners.push_back(corner);
    }
  }

  SpringBody& body_;
  const std::vector<Vec3>& vertices_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> index_;
};

void add_polytope(SpringBody& body, const Polytope& p) {
  if (p.dimension == 0) body.is_smooth = true, body.centre = p.vertices[0];
  if (p.dimension < 1) return;
  FacetedBuilder builder(body, p.vertices);
  if (p.dimension == 1) {
    builder.edge(0, 1, -1);
  } else {
    for (const PolytopeFace& f : p.faces) {
      const auto loop = p.vertices_of(f);
      builder.add_face(Loop(loop.begin(), loop.end()));
    }
  }
  builder.finish();
}

void add_box(SpringBody& body, const Vec3& h) {
  std::vector<Vec3> v;
  for (int i = 0; i < 8; ++i) {
    v.push_back({i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z});
  }
  if (!(std::min({h.x, h.y, h.z}) > 0.0)) return add_polytope(body, make_polytope(v));
  FacetedBuilder builder(body, v);
  for (const Loop& loop : {Loop{0, 4, 6, 2}, Loop{1, 3, 7, 5}, Loop{0, 1, 5, 4}, Loop{2, 6, 7, 3},
                           Loop{0, 2, 3, 1}, Loop{4, 5, 7, 6}}) {
    builder.add_face(loop);
  }
  builder.finish();
}

void add_simplex(SpringBody& body, const Core& c) {
  if (c.count < 4) return;  // triangles of meshes, of which there may be very many
  const std::vector<Vec3> points(c.v, c.v + c.count);
  add_polytope(body, make_polytope(points));
}

/// A disc that ends a body of revolution about x, on the side of `sign`.
void add_disc(SpringBody& body, double x, double r, double sign) {
  SpringFace face;
  face.normal = {sign, 0.0, 0.0};
  face.offset = sign * x;
  face.area = std::numbers::pi * r * r;
  face.kappa = 1.0 / std::numbers::pi;  // 2 r / (2 pi r)
  SpringRim rim{{x, 0.0, 0.0}, {0, 1, 0}, {0, 0, 1}, r};
  rim.face = static_cast<std::int32_t>(body.faces.size());
  body.faces.push_back(face);
  body.rims.push_back(rim);
}

/// Of revolution about x, between discs {x, radius}.
void add_revolved(SpringBody& body, const Vec3& a, const Vec3& b) {
  const Vec3 &low = a.x <= b.x ? a : b, &high = a.x <= b.x ? b : a;
  SpringRuling ruling;
  ruling.centre[0] = {low.x, 0, 0}, ruling.centre[1] = {high.x, 0, 0};
  ruling.u = {0, 1, 0}, ruling.v = {0, 0, 1};
  ruling.radius[0] = low.y, ruling.radius[1] = high.y;
  ruling.length = std::hypot(high.x - low.x, high.y - low.y);
  body.rulings.push_back(ruling);
  for (const auto& [end, other, sign] :
       {std::tuple{&low, &high, -1.0}, std::tuple{&high, &low, 1.0}}) {
    if (end->y > 0.0) {
      add_disc(body, end->x, end->y, sign);
    } else {
      body.tips.push_back({{end->x, 0, 0}, other->y / std::abs(high.x - low.x), 0});
    }
  }
}

/// A stadium in x, y times an interval in z: two straight edges and two half rims at each end
/// face, flat sides whose short borders are the rulings of the round ends.
void add_stadium(SpringBody& body, const Vec3& s) {
  const double straight = 2.0 * s.x, thick = 2.0 * s.z, pi = std::numbers::pi;
  SpringFace end, side;
  end.area = 2.0 * straight * s.y + pi * s.y * s.y;
  end.kappa = 2.0 * std::sqrt(end.area / pi) / (2.0 * straight + 2.0 * pi * s.y);
  side.area = straight * thick;
  side.kappa = 2.0 * std::sqrt(side.area / pi) / (2.0 * (straight + thick));
  for (const double sign : {-1.0, 1.0}) {
    end.normal = {0, 0, sign}, end.offset = s.z;
    body.faces.push_back(end);
  }
  for (const double sign : {-1.0, 1.0}) {
    side.normal = {0, sign, 0}, side.offset = s.y;
    body.faces.push_back(side);
  }
  for (std::uint32_t x = 0; x < 2; ++x) {
    const double side_x = x ? 1.0 : -1.0;
    SpringRuling ruling;
    ruling.centre[0] = {side_x * s.x, 0, -s.z}, ruling.centre[1] = {side_x * s.x, 0, s.z};
    ruling.u = {side_x, 0, 0}, ruling.v = {0, 1, 0};
    ruling.radius[0] = ruling.radius[1] = s.y;
    ruling.is_half = true, ruling.length = thick;
    ruling.face[0] = 2, ruling.face[1] = 3;
    body.rulings.push_back(ruling);
    for (std::int32_t z = 0; z < 2; ++z) {
      body.rims.push_back({{side_x * s.x, 0, z ? s.z : -s.z}, ruling.u, ruling.v, s.y, true, z, x});
    }
  }
  if (!(straight > 0.0)) return;
  for (std::int32_t z = 0; z < 2; ++z) {
    for (std::int32_t y = 0; y < 2; ++y) {
      SpringEdge e;
      e.p = {-s.x, y ? s.y : -s.y, z ? s.z : -s.z}, e.q = {s.x, e.p.y, e.p.z};
      e.along = {1, 0, 0}, e.length = straight;
      e.face[0] = z, e.face[1] = 2 + y;
      body.edges.push_back(e);
    }
  }
}

/// Corners of a rim; the area of a disc is 0.3 % too small.
constexpr std::uint32_t kRimCorners = 48;

/// A prism or frustum of flat faces between two outlines of as many corners, both running
/// counter-clockwise seen from the second; the ends first, then flat sides from `first_sides`.
SpringBody make_facets(const std::vector<Vec3>& low, const std::vector<Vec3>& high,
                       const Loop& first_sides) {
  SpringBody body;
  const auto n = static_cast<std::uint32_t>(std::max(low.size(), high.size()));
  std::vector<Vec3> corners = low;
  corners.insert(corners.end(), high.begin(), high.end());
  FacetedBuilder builder(body, corners);
  const auto base = static_cast<std::uint32_t>(low.size());
  const auto bottom = [&](std::uint32_t i) { return low.size() > 1 ? i % n : 0u; };
  const auto top = [&](std::uint32_t i) { return base + (high.size() > 1 ? i % n : 0u); };
  Loop down, up;
  for (std::uint32_t i = 0; i < n; ++i) down.push_back(n - 1 - i), up.push_back(top(i));
  if (low.size() > 1) builder.add_face(down);
  if (high.size() > 1) builder.add_face(up);
  const auto add_side = [&](std::uint32_t i) {
    Loop side;
    for (const std::uint32_t k : {bottom(i), bottom(i + 1), top(i + 1), top(i)}) {
      if (side.empty() || (side.back() != k && side.front() != k)) side.push_back(k);
    }
    builder.add_face(side);
  };
  for (const std::uint32_t i : first_sides) add_side(i);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (std::find(first_sides.begin(), first_sides.end(), i) == first_sides.end()) add_side(i);
  }
  builder.finish();
  return body;
}

/// Of revolution about x, between discs {x, radius}.
SpringBody revolved_facets(const Vec3& a, const Vec3& b) {
  const auto outline = [](const Vec3& end) {
    if (!(end.y > 0.0)) return std::vector<Vec3>{{end.x, 0.0, 0.0}};
    std::vector<Vec3> corners;
    for (std::uint32_t i = 0; i < kRimCorners; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kRimCorners;
      corners.push_back({end.x, end.y * std::cos(angle), end.y * std::sin(angle)});
    }
    return corners;
  };
  return a.x <= b.x ? make_facets(outline(a), outline(b), {})
                    : make_facets(outline(b), outline(a), {});
}

/// Of add_stadium().
SpringBody stadium_facets(const Vec3& s) {
  constexpr std::uint32_t kHalf = kRimCorners / 2;
  const auto outline = [&](double z) {
    std::vector<Vec3> corners;
    for (std::uint32_t i = 0; i < 2 * (kHalf + 1); ++i) {
      const std::uint32_t side = i / (kHalf + 1), k = i % (kHalf + 1);
      const double angle = std::numbers::pi * (side - 0.5 + static_cast<double>(k) / kHalf);
      const double x = side == 0 ? s.x : -s.x;
      corners.push_back({x + s.y * std::cos(angle), s.y * std::sin(angle), z});
    }
    return corners;
  };
  // From the last corner of the second half to the first of the first: the side at -y.
  return make_facets(outline(-s.z), outline(s.z), {2 * kHalf + 1, kHalf});
}

void add_facets(SpringBody& body, const Core& core) {
  const Vec3& s = core.v[0];
  if (core.kind == &core_cylinder) {
    body.facets.push_back(revolved_facets({-s.x, s.y, 0}, {s.x, s.y, 0}));
  } else if (core.kind == &core_frustum) {
    body.facets.push_back(revolved_facets(s, core.v[1]));
  } else if (core.kind == &core_stadium && s.x > 0.0) {
    body.facets.push_back(stadium_facets(s));
  } else {
    return;
  }
  SpringBody& facets = body.facets.front();
  facets.rounding = body.rounding, facets.size = body.size;
}

}  // namespace

SpringBody make_spring_body(const Core& core) {
  SpringBody body;
  body.rounding = core.rounding;
  body.size = bounding_radius(core);
  const Vec3& s = core.v[0];
  if (core.kind == &core_box) add_box(body, s);
  if (core.kind == &core_polytope) add_polytope(body, PolytopeCore::polytope(core));
  if (core.kind == &core_simplex) add_simplex(body, core);
  if (core.kind == &core_segment) {
    const std::vector<Vec3> ends{s - core.v[1], s + core.v[1]};
    add_polytope(body, make_polytope(ends));
  }
  if (core.kind == &core_cylinder) add_revolved(body, {-s.x, s.y, 0}, {s.x, s.y, 0});
  if (core.kind == &core_frustum) add_revolved(body, s, core.v[1]);
  if (core.kind == &core_stadium) add_stadium(body, s);
  if (core.kind == &core_point) body.is_smooth = true, body.centre = s;
  if (core.kind == &core_ellipsoid) body.is_smooth = true, body.half_axes = s;
  body.has_corners = core.rounding > 0.0 && !body.corners.empty();
  add_facets(body, core);
  return body;
}

}  // namespace carom
