#include "carom/proximity/triangles/segments.h"

#include <algorithm>

#include "carom/proximity/triangles/exact_signs.h"

namespace carom::triangles {
namespace {

int sign(double x) { return x > 0.0 ? 1 : -1; }

/// A triangle with its plane.
struct Face {
  Vec3 p[3];
  FacePlane plane;

  /// The sign of orient(p, x): certain, or 0 if rounding leaves it open.
  static int clear_side(const FacePlane& plane, const Vec3& d) {
    const double value = dot(plane.n, d);
    const double bound = kOrientError * dot_magnitude(plane.magnitude, d);
    return value > bound ? 1 : value < -bound ? -1 : 0;
  }
  int clear_side(const Vec3& x) const { return clear_side(plane, x - p[0]); }
  /// The exact one; `shift` is the sign of the ε by which x moves against the plane.
  int exact_side(const Vec3& x, int shift) const {
    const double value = exact_orient(p[0], p[1], p[2], x);
    if (value != 0.0) return sign(value);
    const int lean = shift * leading_cross_sign(p[0], p[1], p[0], p[2]);
    return lean == 0 ? 1 : lean;  // no plane at all: any answer, but one
  }
};

/// Whether three corners are certainly on one side of the plane through `o`.
bool is_beside(const FacePlane& plane, const Vec3& o, const Vec3 x[3]) {
  const int first = Face::clear_side(plane, x[0] - o);
  return first != 0 && first == Face::clear_side(plane, x[1] - o) &&
         first == Face::clear_side(plane, x[2] - o);
}

/// Signs of three corners against a plane; false if all are on one side.
bool crosses(const Face& face, const Vec3 x[3], int shift, int out[3]) {
  for (int i = 0; i < 3; ++i) out[i] = face.clear_side(x[i]);
  const int sum = out[0] + out[1] + out[2];
  if (sum == 3 || sum == -3) return false;
  for (int i = 0; i < 3; ++i) {
    if (out[i] == 0) out[i] = face.exact_side(x[i], shift);
  }
  return !(out[0] == out[1] && out[1] == out[2]);
}

/// Edges of a triangle that cross a plane: `down` from above to below, `up` the other way.
struct Crossing {
  int up = 0, down = 0;
  explicit Crossing(const int s[3]) {
    for (int k = 0; k < 3; ++k) {
      const int from = s[k], to = s[(k + 1) % 3];
      if (from < to) up = k;
      if (from > to) down = k;
    }
  }
};

/// (2): positive if the point of edge `eb` of B lies farther along t than that of `ea` of A.
/// `direction` is sign(d_A.n_B) sign(d_B.n_A).
int order(const Face& a, int ea, const Face& b, int eb, int direction) {
  const Vec3 &p = a.p[ea], &q = a.p[(ea + 1) % 3], &r = b.p[eb], &s = b.p[(eb + 1) % 3];
  const double value = orient(p, q, s, r);
  return -direction * (value != 0.0 ? sign(value) : leading_cross_sign(p, q, r, s));
}

Face face_of(const PlacedSurface& s, std::uint32_t triangle) {
  const Triangle& t = s.surface->triangles[triangle];
  Face face{{s.vertex(t[0]), s.vertex(t[1]), s.vertex(t[2])}, {}};
  // Planes are known of vertices as they are given, which those of A are.
  face.plane =
      s.is_moved ? make_face_plane(face.p[0], face.p[1], face.p[2]) : s.surface->planes[triangle];
  return face;
}

void intersect_faces(const Face& a, const Face& b, const ItemPair& pair,
                     std::vector<RawSegment>& out) {
  int sa[3], sb[3];
  if (!crosses(a, b.p, 1, sb) || !crosses(b, a.p, -1, sa)) return;
  const Crossing ca(sa), cb(sb);
  // A from ca.up to ca.down, B from cb.down to cb.up. They must overlap.
  if (order(a, ca.up, b, cb.up, 1) < 0) return;
  if (order(a, ca.down, b, cb.down, 1) > 0) return;
  const bool a_first = order(a, ca.up, b, cb.down, -1) > 0;
  const bool b_last = order(a, ca.down, b, cb.up, -1) > 0;
  out.push_back({pair.a, pair.b, static_cast<End>(a_first ? 3 + cb.down : ca.up),
                 static_cast<End>(b_last ? ca.down : 3 + cb.up)});
}

}  // namespace

PlacedPair place(const TriangleSurface& A, const TriangleSurface& B, const Pose& X_AB,
                 Faces faces) {
  const std::vector<Vec3>& b = faces == Faces::second_drawn_in ? B.drawn_in : B.vertices;
  return {{&A, A.vertices.data(), {}, false}, {&B, b.data(), X_AB, true}};
}

void intersect(const PlacedPair& placed, std::uint32_t a, std::uint32_t b,
               std::vector<RawSegment>& out) {
  intersect_faces(face_of(placed.a, a), face_of(placed.b, b), {a, b}, out);
}

void find_segments(const PlacedPair& placed, const std::vector<ItemPair>& candidates,
                   std::vector<RawSegment>& out) {
  out.clear();
  std::uint32_t last = kNoIndex;
  Face b;
  const TriangleSurface& A = *placed.a.surface;
  for (const ItemPair& pair : candidates) {
    if (pair.b != last) b = face_of(placed.b, last = pair.b);
    if (is_beside(A.planes[pair.a], placed.a.points[A.triangles[pair.a][0]], b.p)) continue;
    intersect_faces(face_of(placed.a, pair.a), b, pair, out);
  }
  std::sort(out.begin(), out.end(),
            [](const RawSegment& x, const RawSegment& y) { return x.key() < y.key(); });
}

int side_of(const PlacedPair& placed, bool plane_of_b, std::uint32_t triangle, const Vec3& point) {
  const Face face = face_of(plane_of_b ? placed.b : placed.a, triangle);
  const int clear = face.clear_side(point);
  return clear != 0 ? clear : face.exact_side(point, plane_of_b ? -1 : 1);
}

}  // namespace carom::triangles
