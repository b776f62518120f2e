#include "carom/proximity/convex/epa.h"

#include <algorithm>

#include "carom/proximity/convex/expanding_polytope.h"
#include "carom/proximity/convex/known_maxima.h"
#include "carom/proximity/smooth/ring_search.h"

namespace carom {
namespace {

// Around an axis of symmetry every direction is as deep as the others: no search can
// tell them apart. It ends after this many expansions of faces that are all but exact.
constexpr int kMaxExpansions = 250;
constexpr int kMaxClimbs = 60;
// A search this long goes around the lateral surface of a body: that is looked at as such.
constexpr int kRingAfter = 24;
// Faces with a gap below this part of the depth are worth a climb.
constexpr double kPromising = 0.02;

/// The point of M farthest off the plane (or line) through `from` along +-direction.
MinkowskiPoint farther(const Minkowski& M, const Vec3& from, const Vec3& direction) {
  const MinkowskiPoint p = M.support(direction), q = M.support(-direction);
  return std::abs(dot(p.w - from, direction)) > std::abs(dot(q.w - from, direction)) ? p : q;
}

double size_of(const Minkowski& M, const Simplex& s) {
  double size = 0.0;
  for (int i = 0; i < s.count; ++i) size = std::max(size, M.magnitude(s.point[i]));
  return size;
}

/// Size of the smaller of the bodies that is more than a point.
double smaller_size(const Minkowski& M, const Simplex& s) {
  double a = 0.0, b = 0.0;
  for (int i = 0; i < s.count; ++i) {
    a = std::max(a, largest(s.point[i].a)), b = std::max(b, largest(s.point[i].b - M.t));
  }
  const double least = std::min(a, b), most = std::max(a, b);
  return least > 1e-7 * most ? least : most;
}

/// Extends a simplex to four points that span a volume. False if M is flat; then
/// `normal` is perpendicular to it.
bool complete(const Minkowski& M, Simplex& s, Vec3& normal) {
  const double flat = 1e-13 * size_of(M, s);
  if (s.count == 4) {
    const Vec3& a = s.point[0].w;
    const Vec3 c = cross(s.point[1].w - a, s.point[2].w - a);
    if (std::abs(dot(c, s.point[3].w - a)) > flat * norm(c)) return true;
    s.count = 3;
  }
  if (s.count == 1) {
    double best = flat;
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      const MinkowskiPoint p = farther(M, s.point[0].w, axis);
      const double off = norm(p.w - s.point[0].w);
      if (off > best) best = off, s.point[1] = p, s.count = 2;
    }
    normal = {0.0, 0.0, 1.0};
    if (s.count == 1) return false;
  }
  if (s.count == 2) {
    const Vec3& a = s.point[0].w;
    const Vec3 line = normalized(s.point[1].w - a);
    normal = any_perpendicular(line);
    double best = flat;
    for (const Vec3& d : {normal, cross(line, normal)}) {
      const MinkowskiPoint p = farther(M, a, d);
      const double off = norm(cross(line, p.w - a));
      if (off > best) best = off, s.point[2] = p, s.count = 3;
    }
    if (s.count == 2) return false;
  }
  const Vec3& a = s.point[0].w;
  const Vec3 c = cross(s.point[1].w - a, s.point[2].w - a);
  if (!(norm(c) > 0.0)) return false;
  normal = normalized(c);
  s.point[3] = farther(M, a, normal);
  s.count = 4;
  return std::abs(dot(normal, s.point[3].w - a)) > flat;
}

/// M has no inside: nothing is deeper than its thickness, which is rounding.
Optimum flat_optimum(const Minkowski& M, const Simplex& simplex, const Vec3& normal) {
  Optimum out;
  const MinkowskiPoint plus = M.support(normal), minus = M.support(-normal);
  const double g = dot(normal, plus.w), h = -dot(normal, minus.w);
  out.n = h > g ? -normal : normal;
  out.phi = std::max(g, h);
  Simplex nearest;
  Vec3 point;
  double least = 1e300;
  for (int leave = simplex.count == 4 ? 0 : 3; leave < 4; ++leave) {
    Simplex s;
    for (int i = 0; i < simplex.count; ++i) {
      if (i != leave) s.point[s.count++] = simplex.point[i];
    }
    const Vec3 v = reduce_to_nearest(s);
    if (norm2(v) < least) least = norm2(v), point = v, nearest = s;
  }
  // The origin can lie beside M in its plane.
  if (least > out.phi * out.phi) {
    const Vec3 beside = normalized(point);
    const double value = dot(beside, M.support(beside).w);
    if (value > out.phi) out.n = beside, out.phi = value;
  }
  out.set.freeze_a = out.set.freeze_b = true;
  for (int i = 0; i < nearest.count; ++i) {
    add_piece(M, nearest.point[i], nearest.weight[i], out.set);
  }
  return out;
}

/// The search from one face to the next, and the best maximum so far.
class DepthSearch {
 public:
  DepthSearch(const Minkowski& M, const Simplex& s)
      : M_(M),
        exact_(64.0 * kEpsilon * size_of(M, s)),
        beside_((M.dense() ? 1e-6 : 1e-3) * smaller_size(M, s)) {
    best_.phi = fallback_.phi = -1e300;
  }

  /// A maximum near the direction `n`, carried by points of the simplex.
  void try_direction(const Vec3& n, const Simplex& s) {
    Optimum o;
    if (face_optimum(M_, n, o)) return record(o);
    // A climb over many small faces is longer than the search; and with a good bound from
    // a flat face the search is short.
    if (M_.dense() || best_.phi > -1e300) return;
    ActiveSet set;
    add_piece(M_, M_.support(n), 1.0, set);
    for (int i = 0; i < s.count; ++i) {
      if (dot(n, s.point[i].w) < 0.0) add_piece(M_, s.point[i], 1.0, set);
    }
    climb(n, set);
  }
  void record(const Optimum& o) {
    known_.add(M_, o);
    if (o.phi > best_.phi) best_ = o;
  }

  /// What the flat faces of both bodies carry: cheap, and often the answer.
  void try_flat_faces() {
    Optimum o;
    for (std::size_t i = 0; i < 3; ++i) {
      Vec3 axis;
      axis[i] = 1.0;
      for (const Vec3& e : {axis, -axis}) {
        if (M_.kind_a->flat_face && optimum_on_face_of_a(M_, e, o)) record(o);
        if (M_.kind_b->flat_face && optimum_on_face_of_b(M_, e, o)) record(o);
      }
    }
  }

  void run(ExpandingPolytope& P) {
    int expansions = 0, climbs = 0;
    double shallowest = best_.phi;
    for (int f = P.pop_nearest(); f >= 0; f = P.pop_nearest()) {
      if (P.face(f).distance >= -best_.phi - exact_) return;
      if (P.face(f).distance >= -fallback_.phi + exact_) return;
      if (M_.curved() && known(P, f)) continue;
      const Vec3 n = -P.face(f).normal;
      const MinkowskiPoint p = M_.support(n);
      const double value = dot(n, p.w), gap = -value - P.face(f).distance;
      // No direction but one at least as shallow as this one is looked for.
      shallowest = std::max({shallowest, value, best_.phi});
      P.limit(-shallowest + exact_);
      if (gap <= exact_) {
        if (!try_face(P, f, n, value)) take_face(P, f, n, p);
        continue;
      }
      const bool promising = gap <= beside_ || gap <= -kPromising * value;
      if (M_.curved() && promising && !known_.cover(&n, 1) && climbs++ < kMaxClimbs) {
        if (!try_face(P, f, n, value)) take_face(P, f, n, p);
      }
      // In the end only what is better at once is followed.
      if (expansions > kMaxExpansions && value <= best_.phi + exact_) continue;
      if (expansions > 2 * kMaxExpansions) return;
      if (M_.curved() && ++expansions == kRingAfter) search_rings();
      if (!P.expand(f, p) && !try_face(P, f, n, value)) take_face(P, f, n, p);
    }
  }

  const Optimum& best() const { return best_.phi >= fallback_.phi - exact_ ? best_ : fallback_; }

 private:
  /// Newton's method, and where it ends beside a flat face, what that face carries.
  bool climb(const Vec3& n, const ActiveSet& set) {
    bool found = solve_optimum(M_, n, set, last_);
    if (!found && M_.curved()) {
      const Vec3 end = last_.n;
      found = face_optimum(M_, end, last_) || solve_on_rim(M_, end, last_);
    }
    if (found) record(last_);
    return found;
  }
  /// Is everything beside this face that could be shallower than the best near a maximum
  /// that is known? That is its normal, and on the way to the normals of its neighbours
  /// the part that is less deep.
  bool known(const ExpandingPolytope& P, int f) const {
    const ExpandingFace& face = P.face(f);
    Vec3 n[4] = {-face.normal};
    for (int i = 0; i < 3; ++i) {
      const ExpandingFace& other = P.face(face.neighbour[i]);
      n[i + 1] = -face.normal - less_deep(face, other, -best_.phi) * (other.normal - face.normal);
    }
    return known_.cover(n, 4);
  }

  /// From one normal to the next the polytope is ((1 - s) d + s d') / |(1 - s) N + s N'|
  /// deep, d and N of the faces. The part s up to which that is less than `depth`.
  static double less_deep(const ExpandingFace& face, const ExpandingFace& other, double depth) {
    const double d = face.distance, rise = other.distance - d;
    const double k = depth * depth * 0.5 * norm2(other.normal - face.normal);
    const double a = rise * rise - 2.0 * k, b = d * rise + k, c = d * d - depth * depth;
    const double root = b * b - a * c;
    if (!(b > 0.0) || !(root >= 0.0)) return 1.0;
    return std::clamp(-c / (b + std::sqrt(root)), 0.0, 1.0);
  }

  void search_rings() {
    for (const bool of_a : {true, false}) {
      RingBest ring;
      if (!search_ring(M_, of_a, best_.phi, ring)) continue;
      climb(ring.optimum.n, ring.optimum.set);
      // Newton's method is the more accurate of the two.
      if (ring.held && ring.optimum.phi > best_.phi + exact_) record(ring.optimum);
      if (best_.phi >= ring.optimum.phi - exact_) known_.add(ring.band);
    }
  }

  /// Climbs from the normal of a face. True if it gets to a maximum that is no deeper
  /// than `value`, the one at the start: what was climbed from is explained by it.
  bool try_face(const ExpandingPolytope& P, int f, const Vec3& n, double value) {
    Optimum o;
    if (face_optimum(M_, n, o)) {
      record(o);
      if (o.phi >= value - exact_) return true;
    }
    ActiveSet set;
    for (int i = 0; i < 3; ++i) add_piece(M_, P.vertex(P.face(f).vertex[i]), 1.0 / 3.0, set);
    return climb(n, set) && last_.phi >= value - exact_;
  }

  /// The face itself, where rounding leaves nothing better.
  void take_face(const ExpandingPolytope& P, int f, const Vec3& n, const MinkowskiPoint& p) {
    Optimum o;
    o.n = n, o.phi = dot(n, p.w);
    Simplex s;
    s.count = 3;
    for (int i = 0; i < 3; ++i) s.point[i] = P.vertex(P.face(f).vertex[i]);
    reduce_to_nearest(s);
    o.set.freeze_a = o.set.freeze_b = true;
    for (int i = 0; i < s.count; ++i) add_piece(M_, s.point[i], s.weight[i], o.set);
    if (o.phi > fallback_.phi) fallback_ = o;
  }

  const Minkowski& M_;
  double exact_;   ///< a gap that is rounding [m]
  double beside_;  ///< a gap from which Newton's method gets to the maximum beside it [m]
  KnownMaxima known_;
  Optimum best_;
  Optimum last_;
  Optimum fallback_;  ///< a face whose nearest point rounding hides
};

}  // namespace

Optimum find_depth(const Minkowski& M, const Simplex& simplex, const Vec3& n,
                   const Optimum* known) {
  Simplex s = simplex;
  Vec3 normal;
  if (!complete(M, s, normal)) return flat_optimum(M, simplex, normal);
  ExpandingPolytope polytope;
  if (!polytope.start({s.point[0], s.point[1], s.point[2], s.point[3]}, size_of(M, s))) {
    return flat_optimum(M, simplex, normal);
  }
  DepthSearch search(M, s);
  search.try_flat_faces();
  if (known) {
    search.record(*known);
  } else {
    search.try_direction(n, simplex);
  }
  search.run(polytope);
  return search.best();
}

}  // namespace carom
