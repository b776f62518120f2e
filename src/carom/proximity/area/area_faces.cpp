// Two bodies with flat faces: polygons over which one face of A is below one face of B.
//
// Only faces count that reach into the overlap: along n, the top of A is half the depth above the
// origin, the lowest of B half of it below. Of those of A that face up and those of B that face
// down every pair is cut to what both have in common and to u >= 0, where u is linear.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "carom/base/param.h"
#include "carom/geometry/core_kinds.h"
#include "carom/proximity/area/area_patch.h"

namespace carom {
namespace {

/// Faces as steep as this are walls: they have no area across n.
constexpr double kSteepest = 1e-9;
constexpr std::size_t kMostCorners = 96;

struct PlaneCorner {
  double x = 0.0, y = 0.0;
};

/// height(x, y) = c + cx x + cy y
struct LinearHeight {
  double c = 0.0, cx = 0.0, cy = 0.0;
  double at(const PlaneCorner& p) const { return c + cx * p.x + cy * p.y; }
};

struct FlatPolygon {
  std::size_t count = 0;
  std::array<PlaneCorner, kMostCorners> corner;
  void add(const PlaneCorner& c) {
    if (count < kMostCorners) corner[count++] = c;
  }
};

/// Keeps what has g >= 0.
void clip_polygon(const LinearHeight& g, FlatPolygon& p) {
  FlatPolygon out;
  for (std::size_t i = 0; i < p.count; ++i) {
    const PlaneCorner &a = p.corner[i], &b = p.corner[i + 1 < p.count ? i + 1 : 0];
    const double ga = g.at(a), gb = g.at(b);
    if (ga >= 0.0) out.add(a);
    if ((ga > 0.0 && gb < 0.0) || (ga < 0.0 && gb > 0.0)) {
      const double s = ga / (ga - gb);
      out.add({a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)});
    }
  }
  p.count = out.count;
  std::copy_n(out.corner.begin(), out.count, p.corner.begin());
}

/// The plane across n, in which faces are seen from above.
struct PlaneFrame {
  Vec3 o, n, e1, e2;
  PlaneCorner of(const Vec3& p_W) const {
    const Vec3 r = p_W - o;
    return {dot(r, e1), dot(r, e2)};
  }
  double height(const Vec3& p_W) const { return dot(p_W - o, n); }
};

/// One face that is seen, counter-clockwise from above.
struct SeenFace {
  LinearHeight height;
  bool is_endless = false;  ///< a half space
  FlatPolygon outline;
};

/// Calls visit(SeenFace) for the faces of a body that face along sign * n and reach beyond `limit`
/// in that direction.
template <class Visit>
class FaceWalk {
 public:
  FaceWalk(const AreaBody& body, const PlaneFrame& frame, double sign, double limit, Visit& visit)
      : body_(body), frame_(frame), sign_(sign), limit_(limit), visit_(visit) {}

  void run() {
    const Core& c = body_.core;
    if (c.kind == &core_half_space) {
      begin({0.0, 0.0, 1.0}, {});
      face_.is_endless = true;
      visit_(face_);
    } else if (c.kind == &core_box) {
      walk_box(c.v[0]);
    } else if (c.kind == &core_simplex) {
      walk_simplex(c);
    } else {
      const Polytope& p = PolytopeCore::polytope(c);
      for (const PolytopeFace& f : p.faces) {
        const auto index = p.vertices_of(f);
        if (!begin(f.normal, p.vertices[index.front()])) continue;
        // A face with very many corners is seen by some of them.
        const std::size_t stride = 1 + index.size() / (kMostCorners / 2);
        for (std::size_t i = 0; i < index.size(); i += stride) add(p.vertices[index[i]]);
        end();
      }
    }
  }

 private:
  void walk_box(const Vec3& h) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (const double side : {-1.0, 1.0}) {
        Vec3 normal;
        normal[i] = side;
        Vec3 p = h;
        p[i] *= side;
        if (!begin(normal, p)) continue;
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        for (const auto& [sj, sk] : {std::pair(1.0, 1.0), {-1.0, 1.0}, {-1.0, -1.0}, {1.0, -1.0}}) {
          p[j] = sj * h[j], p[k] = side * sk * h[k];
          add(p);
        }
        end();
      }
    }
  }
  void walk_simplex(const Core& c) {
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec3 &a = c.v[(i + 1) % 4], &b = c.v[(i + 2) % 4], &d = c.v[(i + 3) % 4];
      Vec3 normal = normalized(cross(b - a, d - a));
      const bool is_turned = dot(normal, c.v[i] - a) > 0.0;
      if (is_turned) normal = -normal;
      if (!begin(normal, a)) continue;
      add(a), add(is_turned ? d : b), add(is_turned ? b : d);
      end();
    }
  }

  bool begin(const Vec3& normal, const Vec3& p) {
    const Vec3 n_W = body_.X_WS.R * normal;
    const double up = dot(n_W, frame_.n);
    if (!(sign_ * up > kSteepest)) return false;
    face_.outline.count = 0, face_.is_endless = false;
    highest_ = -kInf;
    face_.height = {0.0, -dot(n_W, frame_.e1) / up, -dot(n_W, frame_.e2) / up};
    const Vec3 p_W = body_.X_WS * p;
    face_.height.c = frame_.height(p_W) - face_.height.at(frame_.of(p_W));
    return true;
  }
  void add(const Vec3& p) {
    const Vec3 p_W = body_.X_WS * p;
    face_.outline.add(frame_.of(p_W));
    highest_ = std::max(highest_, sign_ * frame_.height(p_W));
  }
  void end() {
    if (highest_ < limit_) return;
    // Seen from below the corners run the other way.
    if (sign_ < 0.0) {
      std::reverse(face_.outline.corner.begin(),
                   face_.outline.corner.begin() + static_cast<std::ptrdiff_t>(face_.outline.count));
    }
    visit_(face_);
  }

  const AreaBody& body_;
  const PlaneFrame& frame_;
  double sign_, limit_;
  Visit& visit_;
  SeenFace face_;
  double highest_ = 0.0;
};

template <class Visit>
void for_faces(const AreaBody& body, const PlaneFrame& frame, double sign, double limit,
               Visit visit) {
  FaceWalk<Visit>(body, frame, sign, limit, visit).run();
}

/// Calls visit(polygon, height of A, height of B) for all that have an area.
template <class Visit>
void for_overlaps(const AreaBody& A, const AreaBody& B, const PlaneFrame& frame, double depth,
                  Visit visit) {
  for_faces(A, frame, 1.0, -0.5 * depth, [&](const SeenFace& a) {
    for_faces(B, frame, -1.0, -0.5 * depth, [&](const SeenFace& b) {
      FlatPolygon both = b.is_endless ? a.outline : b.outline;
      for (std::size_t i = 0; !a.is_endless && !b.is_endless && i < a.outline.count; ++i) {
        const PlaneCorner &p = a.outline.corner[i],
                          &q = a.outline.corner[i + 1 < a.outline.count ? i + 1 : 0];
        const double dx = q.x - p.x, dy = q.y - p.y;
        clip_polygon({dy * p.x - dx * p.y, -dy, dx}, both);
      }
      clip_polygon({a.height.c - b.height.c, a.height.cx - b.height.cx, a.height.cy - b.height.cy},
                   both);
      if (both.count >= 3) visit(both, a.height, b.height);
    });
  });
}

/// Triangles from the middle of a polygon to its sides; a triangle is its own.
std::size_t triangle_count(const FlatPolygon& p) { return p.count == 3 ? 1 : p.count; }

/// Barycentric points on a triangle; integrates polynomials of the degree exactly.
struct TrianglePoint {
  double a, b, c, weight;
};
constexpr TrianglePoint kDegree1[] = {{1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 1.0}};
constexpr TrianglePoint kDegree2[] = {{2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 3.0},
                                      {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0, 1.0 / 3.0},
                                      {1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0, 1.0 / 3.0}};
// Radon 1948: (6 -+ sqrt 15)/21 and (155 -+ sqrt 15)/1200.
constexpr double kRadonNear = 0.10128650732345634, kRadonFar = 0.47014206410511509;
constexpr double kOfNear = 0.12593918054482715, kOfFar = 0.13239415278850618;
constexpr TrianglePoint kDegree5[] = {{1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.225},
                                      {1.0 - 2.0 * kRadonNear, kRadonNear, kRadonNear, kOfNear},
                                      {kRadonNear, 1.0 - 2.0 * kRadonNear, kRadonNear, kOfNear},
                                      {kRadonNear, kRadonNear, 1.0 - 2.0 * kRadonNear, kOfNear},
                                      {1.0 - 2.0 * kRadonFar, kRadonFar, kRadonFar, kOfFar},
                                      {kRadonFar, 1.0 - 2.0 * kRadonFar, kRadonFar, kOfFar},
                                      {kRadonFar, kRadonFar, 1.0 - 2.0 * kRadonFar, kOfFar}};

std::span<const TrianglePoint> rule_for(std::size_t triangles) {
  constexpr auto kRoom = static_cast<std::size_t>(kMaxAreaPoints);
  if (triangles * std::size(kDegree5) <= kRoom) return kDegree5;
  if (triangles * std::size(kDegree2) <= kRoom) return kDegree2;
  return kDegree1;
}

struct FaceSum {
  const PlaneFrame& frame;
  std::span<const TrianglePoint> rule;
  AreaPatch& out;

  void add(const FlatPolygon& p, const LinearHeight& a, const LinearHeight& b) {
    PlaneCorner middle;
    for (std::size_t i = 0; i < p.count; ++i) {
      middle.x += p.corner[i].x / static_cast<double>(p.count);
      middle.y += p.corner[i].y / static_cast<double>(p.count);
    }
    if (p.count == 3) return add(p.corner[0], p.corner[1], p.corner[2], a, b);
    for (std::size_t i = 0; i < p.count; ++i) {
      add(middle, p.corner[i], p.corner[i + 1 < p.count ? i + 1 : 0], a, b);
    }
  }
  void add(const PlaneCorner& p, const PlaneCorner& q, const PlaneCorner& r, const LinearHeight& a,
           const LinearHeight& b) {
    const double area = 0.5 * ((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
    if (!(area > 0.0)) return;
    for (const TrianglePoint& t : rule) {
      if (out.count >= kMaxAreaPoints) return;
      const PlaneCorner c{t.a * p.x + t.b * q.x + t.c * r.x, t.a * p.y + t.b * q.y + t.c * r.y};
      const double ha = a.at(c), hb = b.at(c), u = std::max(0.0, ha - hb);
      const Vec3 p_W = frame.o + c.x * frame.e1 + c.y * frame.e2 + 0.5 * (ha + hb) * frame.n;
      out.points[static_cast<std::size_t>(out.count++)] = {p_W, u, t.weight * area};
      out.area += t.weight * area, out.volume += t.weight * area * u;
    }
  }
};

}  // namespace

bool has_flat_faces(const Core& core) {
  return core.kind == &core_half_space || core.kind == &core_box || core.kind == &core_simplex ||
         core.kind == &core_polytope;
}

void integrate_faces(const AreaBody& A, const AreaBody& B, const Contact& contact, AreaPatch& out) {
  const Vec3& n = contact.n_AB_W;
  const Vec3 e1 = any_perpendicular(n);
  const PlaneFrame frame{0.5 * (contact.p_WCa + contact.p_WCb), n, e1, cross(n, e1)};
  const double depth = -contact.phi;
  std::size_t triangles = 0;
  for_overlaps(A, B, frame, depth,
               [&](const FlatPolygon& p, const LinearHeight&, const LinearHeight&) {
                 triangles += triangle_count(p);
               });
  FaceSum sum{frame, rule_for(triangles), out};
  for_overlaps(A, B, frame, depth,
               [&](const FlatPolygon& p, const LinearHeight& a, const LinearHeight& b) {
                 sum.add(p, a, b);
               });
}

}  // namespace carom
