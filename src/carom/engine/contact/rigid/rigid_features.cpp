#include "carom/engine/contact/rigid/rigid_features.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {
namespace {

enum class FeatureKind : std::uint8_t {
  vertex_face,
  face_vertex,
  edge_edge,
  vertex_edge,
  edge_vertex,
  vertex_vertex,
};

struct Feature {
  FeatureKind kind;
  bool is_loose;  ///< its border is not exact: edges run along each other there
  std::uint32_t a, b;
};

constexpr std::uint32_t kBits = 14, kMask = (1u << kBits) - 1u;

RigidFeature number_of(const Feature& f) {
  return static_cast<RigidFeature>(f.kind) << 29 | (f.is_loose ? 1u << 28 : 0u) | f.a << kBits |
         f.b;
}

Feature feature_of(RigidFeature number) {
  return {static_cast<FeatureKind>(number >> 29), (number >> 28 & 1u) != 0u,
          static_cast<std::uint32_t>(number >> kBits & kMask),
          static_cast<std::uint32_t>(number & kMask)};
}

/// Points this far beyond a border are still on it, over the size [-]. Where edges run along each
/// other within kParallel [rad] their crossing says nothing, and corners count instead that are
/// this far outside.
constexpr double kBorder = 1e-10, kLooseBorder = 2e-6, kParallel = 1e-6;
/// Speed at which a point on a border leaves it [m/s].
constexpr double kLeaves = 1e-10;
/// Overlap in which features are still told apart, over the size [-]. Where another contact of a
/// body is brought back to zero, a gap that closes at the same instant goes with it.
constexpr double kDeepest = 1e-5;
/// Points nearer to each other are one, over the size [-].
constexpr double kSamePlace = 1e-8;

/// A body of the pair where it is.
struct Placed {
  const RigidSolid& solid;
  const Pose& X;
  Vec3 w;  ///< angular velocity
  const Collider& collider;
  const LinkState& link;

  Vec3 vertex(std::size_t i) const { return X * solid.vertices[i]; }
  Vec3 direction(const Vec3& d) const { return X.R * d; }
  Vec3 velocity(const Vec3& p) const {
    return collider.link == 0 ? Vec3{} : link.V.v + cross(link.V.w, p - link.p_WL);
  }
};

Placed placed_a(const PairState& s, const RigidSolid& A) {
  return {A, s.X_WA, s.A.link == 0 ? Vec3{} : s.LA.V.w, s.A, s.LA};
}
Placed placed_b(const PairState& s, const RigidSolid& B) {
  return {B, s.X_WB, s.B.link == 0 ? Vec3{} : s.LB.V.w, s.B, s.LB};
}

/// What a feature is made of before its motion is known.
struct Geometry {
  Vec3 n, c_a, c_b;
};

void narrow(RigidSite& site, double margin, double rate) {
  if (margin < site.margin) site.margin = margin, site.margin_rate = rate;
}

class FeatureFinder {
 public:
  FeatureFinder(const PairState& s, const RigidSolid& A, const RigidSolid& B)
      : s_(s), A_(placed_a(s, A)), B_(placed_b(s, B)) {}

  RigidSite site(const Feature& f) const {
    RigidSite out;
    out.feature = number_of(f);
    switch (f.kind) {
      case FeatureKind::vertex_face:
      case FeatureKind::face_vertex: on_face(f, out); break;
      case FeatureKind::edge_edge: on_edges(f, out); break;
      case FeatureKind::vertex_edge:
      case FeatureKind::edge_vertex: on_edge(f, out); break;
      case FeatureKind::vertex_vertex: on_corners(f, out); break;
    }
    return out;
  }

  void find(double size, std::vector<RigidSite>& out) {
    size_ = size;
    for (std::size_t i = 0; i < A_.solid.vertices.size(); ++i) of_a_.push_back(A_.vertex(i));
    for (std::size_t i = 0; i < B_.solid.vertices.size(); ++i) of_b_.push_back(B_.vertex(i));
    find_on_faces(A_, of_b_, FeatureKind::face_vertex);
    find_on_faces(B_, of_a_, FeatureKind::vertex_face);
    find_crossings();
    if (A_.solid.radius + B_.solid.radius > 0.0) find_rounded();
    choose(out);
  }

 private:
  /// Gap, points, velocities and (2) without what moves over the surfaces.
  void place(const Geometry& g, RigidSite& out) const {
    const double r_a = A_.solid.radius, r_b = B_.solid.radius;
    out.n = g.n;
    out.phi = dot(g.n, g.c_b - g.c_a) - r_a - r_b;
    out.p_a = g.c_a + r_a * g.n, out.p_b = g.c_b - r_b * g.n;
    out.p = 0.5 * (out.p_a + out.p_b);
    out.u = relative_velocity(s_, out.p);
    const Vec3 other = std::abs(g.n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    out.t1 = normalized(cross(g.n, other)), out.t2 = cross(g.n, out.t1);
  }

  void move(const Vec3& s_a, const Vec3& s_b, const Vec3& n_dot, RigidSite& out) const {
    out.bias = cross(B_.w, s_b) - cross(A_.w, s_a);
    out.n_dot = n_dot, out.turn = dot(n_dot, out.u);
  }

  void on_face(const Feature& f, RigidSite& out) const {
    const bool is_on_b = f.kind == FeatureKind::vertex_face;
    const Placed &carrier = is_on_b ? B_ : A_, &corner = is_on_b ? A_ : B_;
    const RigidSolid::Face& face = carrier.solid.faces[is_on_b ? f.b : f.a];
    const Vec3 up = carrier.direction(face.normal), c = corner.vertex(is_on_b ? f.a : f.b);
    const double height = dot(up, c - carrier.vertex(face.loop[0]));
    const Vec3 foot = c - height * up;
    place(is_on_b ? Geometry{-up, c, foot} : Geometry{up, foot, c}, out);
    const Vec3 rolls = corner.solid.radius * cross(B_.w - A_.w, out.n);
    const Vec3 s_a = is_on_b ? rolls : rolls + out.slip();
    const Vec3 s_b = is_on_b ? rolls - out.slip() : rolls;
    move(s_a, s_b, cross(carrier.w, out.n), out);
    for (std::size_t i = 0; i < face.loop.size(); ++i) {
      const Vec3 in = carrier.direction(face.inward[i]);
      narrow(out, dot(in, c - carrier.vertex(face.loop[i])), dot(in, is_on_b ? s_b : s_a));
    }
  }

  void on_edges(const Feature& f, RigidSite& out) const {
    const RigidSolid::Edge &a = A_.solid.edges[f.a], &b = B_.solid.edges[f.b];
    const Vec3 e_a = A_.direction(a.direction), e_b = B_.direction(b.direction);
    const Vec3 from_a = A_.vertex(a.ends[0]), from_b = B_.vertex(b.ends[0]);
    const Vec3 c = cross(e_a, e_b), d = from_b - from_a;
    const double k = dot(e_a, e_b);
    const double sine2 = std::max(norm2(c), std::numeric_limits<double>::min());
    const double x = (dot(d, e_a) - k * dot(d, e_b)) / sine2;
    const double y = (k * dot(d, e_a) - dot(d, e_b)) / sine2;
    const Vec3 c_a = from_a + x * e_a, c_b = from_b + y * e_b;
    Vec3 side = A_.direction(a.outward) - B_.direction(b.outward);
    if (a.faces[0] < 0 && b.faces[0] < 0) side = c_b - c_a;
    const double sign = dot(c, side) < 0.0 ? -1.0 : 1.0, sine = std::sqrt(sine2);
    place({(sign / sine) * c, c_a, c_b}, out);
    const Vec3 turned = sign * (cross(cross(A_.w, e_a), e_b) + cross(e_a, cross(B_.w, e_b)));
    const Vec3 n_dot = (turned - dot(turned, out.n) * out.n) / sine;
    const Vec3 round_a = A_.solid.radius * (n_dot - cross(A_.w, out.n));
    const Vec3 round_b = B_.solid.radius * (n_dot - cross(B_.w, out.n));
    const Vec3 rest = out.slip() - round_a - round_b;
    const double along_a = (dot(rest, e_a) - k * dot(rest, e_b)) / sine2;
    const double along_b = (k * dot(rest, e_a) - dot(rest, e_b)) / sine2;
    move(along_a * e_a + round_a, along_b * e_b - round_b, n_dot, out);
    narrow(out, x, along_a), narrow(out, a.length - x, -along_a);
    narrow(out, y, along_b), narrow(out, b.length - y, -along_b);
  }

  /// A corner with a ball beside an edge.
  void on_edge(const Feature& f, RigidSite& out) const {
    const bool is_on_b = f.kind == FeatureKind::vertex_edge;
    const Placed &carrier = is_on_b ? B_ : A_, &corner = is_on_b ? A_ : B_;
    const RigidSolid::Edge& edge = carrier.solid.edges[is_on_b ? f.b : f.a];
    const Vec3 e = carrier.direction(edge.direction), c = corner.vertex(is_on_b ? f.a : f.b);
    const Vec3 from = carrier.vertex(edge.ends[0]);
    const double y = dot(e, c - from);
    const Vec3 foot = from + y * e, way = is_on_b ? foot - c : c - foot;
    const double d = norm(way);
    place(is_on_b ? Geometry{way / d, c, foot} : Geometry{way / d, foot, c}, out);
    const Vec3 v_corner = corner.velocity(c), v_foot = carrier.velocity(foot);
    const double along = dot(v_corner - v_foot, e) + dot(c - foot, cross(carrier.w, e));
    const Vec3 parts = (is_on_b ? 1.0 : -1.0) * (v_foot + along * e - v_corner);
    const Vec3 n_dot = (parts - dot(parts, out.n) * out.n) / d;
    if (is_on_b) {
      const Vec3 s_a = A_.solid.radius * (n_dot - cross(A_.w, out.n));
      move(s_a, s_a - out.slip(), n_dot, out);
    } else {
      const Vec3 s_b = -B_.solid.radius * (n_dot - cross(B_.w, out.n));
      move(s_b + out.slip(), s_b, n_dot, out);
    }
    narrow(out, y, along), narrow(out, edge.length - y, -along);
    for (std::size_t i = 0; i < 2; ++i) {
      if (edge.faces[i] >= 0) narrow(out, -dot(carrier.direction(edge.inward[i]), c - foot), 0.0);
    }
  }

  void on_corners(const Feature& f, RigidSite& out) const {
    const Vec3 c_a = A_.vertex(f.a), c_b = B_.vertex(f.b), way = c_b - c_a;
    const double d = norm(way);
    place({way / d, c_a, c_b}, out);
    const Vec3 parts = B_.velocity(c_b) - A_.velocity(c_a);
    const Vec3 n_dot = (parts - dot(parts, out.n) * out.n) / d;
    const Vec3 s_a = A_.solid.radius * (n_dot - cross(A_.w, out.n));
    move(s_a, s_a - out.slip(), n_dot, out);
    stay_outside(A_, f.a, way, out), stay_outside(B_, f.b, -way, out);
  }

  /// The other corner is in front of no edge that ends in this one.
  static void stay_outside(const Placed& body, std::uint32_t corner, const Vec3& to,
                           RigidSite& out) {
    for (const RigidSolid::Edge& edge : body.solid.edges) {
      for (std::size_t i = 0; i < 2; ++i) {
        if (edge.ends[i] != corner) continue;
        const double ahead = dot(body.direction(edge.direction), to);
        narrow(out, i == 0 ? -ahead : ahead, 0.0);
      }
    }
  }

  // Candidates.

  bool is_near(const RigidSite& site) const {
    return site.phi <= kNearFeature * size_ && site.phi >= -kDeepest * size_;
  }

  /// Whether no corner of either body is beyond the planes through the two points.
  bool parts(const RigidSite& site) const {
    const Vec3 c_a = site.p_a - A_.solid.radius * site.n, c_b = site.p_b + B_.solid.radius * site.n;
    const double slack = 2.0 * kNearFeature * size_ + 4.0 * std::max(0.0, -site.phi);
    return std::ranges::all_of(of_a_,
                               [&](const Vec3& v) { return dot(site.n, v - c_a) <= slack; }) &&
           std::ranges::all_of(of_b_,
                               [&](const Vec3& v) { return dot(site.n, v - c_b) >= -slack; });
  }

  void offer(const Feature& f) {
    const RigidSite found = site(f);
    if (!is_near(found) || !(found.margin >= -kLooseBorder * size_) || !parts(found)) return;
    found_.push_back(found);
  }

  void find_on_faces(const Placed& carrier, const std::vector<Vec3>& corners, FeatureKind kind) {
    const double radii = A_.solid.radius + B_.solid.radius;
    const double reach = radii + 2.0 * kNearFeature * size_;
    for (std::uint32_t i = 0; i < carrier.solid.faces.size(); ++i) {
      const RigidSolid::Face& face = carrier.solid.faces[i];
      const Vec3 up = carrier.direction(face.normal), base = carrier.vertex(face.loop[0]);
      double lowest = std::numeric_limits<double>::infinity();
      for (const Vec3& c : corners) lowest = std::min(lowest, dot(up, c - base));
      if (lowest < radii - kDeepest * size_ || lowest > reach) continue;
      for (std::uint32_t k = 0; k < corners.size(); ++k) {
        if (dot(up, corners[k] - base) > reach) continue;
        offer(kind == FeatureKind::vertex_face ? Feature{kind, false, k, i}
                                               : Feature{kind, false, i, k});
      }
    }
  }

  /// Edges that come near the box around the other body.
  std::vector<std::uint32_t> near_edges(const Placed& body, const std::vector<Vec3>& own,
                                        const std::vector<Vec3>& others) const {
    const double reach = A_.solid.radius + B_.solid.radius + kLooseBorder * size_;
    Vec3 lower = others[0], upper = others[0];
    for (const Vec3& v : others) {
      for (std::size_t k = 0; k < 3; ++k) {
        lower[k] = std::min(lower[k], v[k]), upper[k] = std::max(upper[k], v[k]);
      }
    }
    std::vector<std::uint32_t> near;
    for (std::uint32_t i = 0; i < body.solid.edges.size(); ++i) {
      const Vec3 &p = own[body.solid.edges[i].ends[0]], &q = own[body.solid.edges[i].ends[1]];
      bool is_near = true;
      for (std::size_t k = 0; k < 3; ++k) {
        is_near &= std::min(p[k], q[k]) <= upper[k] + reach;
        is_near &= std::max(p[k], q[k]) >= lower[k] - reach;
      }
      if (is_near) near.push_back(i);
    }
    return near;
  }

  void find_crossings() {
    const std::vector<std::uint32_t> near_b = near_edges(B_, of_b_, of_a_);
    for (const std::uint32_t i : near_edges(A_, of_a_, of_b_)) {
      const RigidSolid::Edge& a = A_.solid.edges[i];
      const Vec3 e_a = A_.direction(a.direction);
      for (const std::uint32_t j : near_b) {
        const RigidSolid::Edge& b = B_.solid.edges[j];
        const double sine = norm(cross(e_a, B_.direction(b.direction)));
        if (sine >= kParallel) {
          offer({FeatureKind::edge_edge, false, i, j});
          continue;
        }
        const Vec3 d = of_b_[b.ends[0]] - of_a_[a.ends[0]], off = d - dot(d, e_a) * e_a;
        const double reach = A_.solid.radius + B_.solid.radius + kLooseBorder * size_;
        runs_along_ |= sine > kBorder && norm(off) <= reach;
      }
    }
  }

  void find_rounded() {
    const auto corners_on = [&](const std::vector<Vec3>& corners, const Placed& body,
                                FeatureKind kind) {
      for (std::uint32_t k = 0; k < corners.size(); ++k) {
        for (std::uint32_t i = 0; i < body.solid.edges.size(); ++i) {
          offer(kind == FeatureKind::vertex_edge ? Feature{kind, false, k, i}
                                                 : Feature{kind, false, i, k});
        }
      }
    };
    corners_on(of_a_, B_, FeatureKind::vertex_edge);
    corners_on(of_b_, A_, FeatureKind::edge_vertex);
    for (std::uint32_t i = 0; i < of_a_.size(); ++i) {
      for (std::uint32_t j = 0; j < of_b_.size(); ++j) {
        offer({FeatureKind::vertex_vertex, false, i, j});
      }
    }
  }

  /// Those within their borders, each place once. On a border the rate decides, unless nothing else
  /// is there.
  void choose(std::vector<RigidSite>& out) {
    choose(true, out);
    if (out.empty()) choose(false, out);
  }

  void choose(bool lets_leave, std::vector<RigidSite>& out) {
    for (RigidSite& site : found_) {
      Feature f = feature_of(site.feature);
      const bool is_corner = f.kind != FeatureKind::edge_edge;
      f.is_loose = runs_along_ && is_corner && site.margin < kBorder * size_;
      const double border = (f.is_loose ? kLooseBorder : kBorder) * size_;
      if (site.margin < -border) continue;
      const bool leaves = !f.is_loose && site.margin <= border && site.margin_rate < -kLeaves;
      if (lets_leave && leaves) continue;
      const auto is_there = [&](const RigidSite& other) {
        return norm(other.p - site.p) <= kSamePlace * size_ && dot(other.n, site.n) > 0.999;
      };
      if (std::ranges::any_of(out, is_there)) continue;
      site.feature = number_of(f);
      out.push_back(site);
    }
  }

  const PairState& s_;
  Placed A_, B_;
  double size_ = 1.0;
  std::vector<Vec3> of_a_, of_b_;
  std::vector<RigidSite> found_;
  bool runs_along_ = false;  ///< edges do, nearly
};

}  // namespace

void find_features(const PairState& s, const RigidSolid& A, const RigidSolid& B, double size,
                   std::vector<RigidSite>& out) {
  FeatureFinder(s, A, B).find(size, out);
}

RigidSite feature_site(const PairState& s, const RigidSolid& A, const RigidSolid& B,
                       RigidFeature number) {
  return FeatureFinder(s, A, B).site(feature_of(number));
}

double feature_margin(const RigidSite& site, double size) {
  const bool is_loose = feature_of(site.feature).is_loose;
  return site.margin + 2.0 * (is_loose ? kLooseBorder : kBorder) * size;
}

}  // namespace carom
