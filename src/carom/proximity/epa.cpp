#include "carom/proximity/epa.h"

#include <algorithm>

#include "carom/proximity/expanding_polytope.h"

namespace carom {
namespace {

// Around an axis of symmetry every direction is as deep as the others: no search can
// tell them apart. It ends after this many expansions of faces that are all but exact.
constexpr int kMaxExpansions = 150;
constexpr int kMaxFailures = 60;

/// The point of M farthest off the plane (or line) through `from` along +-direction.
MinkowskiPoint farther(const Minkowski& M, const Vec3& from, const Vec3& direction) {
  const MinkowskiPoint p = M.support(direction), q = M.support(-direction);
  return std::abs(dot(p.w - from, direction)) > std::abs(dot(q.w - from, direction)) ? p : q;
}

double size_of(const Simplex& s) {
  double size = 0.0;
  for (int i = 0; i < s.count; ++i) size = std::max(size, magnitude(s.point[i]));
  return size;
}

/// Extends a simplex to four points that span a volume. False if M is flat; then
/// `normal` is perpendicular to it.
bool complete(const Minkowski& M, Simplex& s, Vec3& normal) {
  const double flat = 1e-13 * size_of(s);
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
  double least = 1e300;
  for (int leave = simplex.count == 4 ? 0 : 3; leave < 4; ++leave) {
    Simplex s;
    for (int i = 0; i < simplex.count; ++i) {
      if (i != leave) s.point[s.count++] = simplex.point[i];
    }
    const double d = norm2(reduce_to_nearest(s));
    if (d < least) least = d, nearest = s;
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
  DepthSearch(const Minkowski& M, double size)
      : M_(M), exact_(64.0 * kEpsilon * size), beside_((M.dense() ? 1e-6 : 1e-3) * size) {
    best_.phi = fallback_.phi = -1e300;
  }

  /// Newton's method from the direction `n` alone.
  void try_direction(const Vec3& n) {
    Optimum o;
    if (face_optimum(M_, n, o)) record(o);
    ActiveSet set;
    add_piece(M_, M_.support(n), 1.0, set);
    o = {};
    if (solve_optimum(M_, n, set, o)) record(o);
  }

  void run(ExpandingPolytope& P) {
    int expansions = 0, failures = 0;
    for (int f = P.pop_nearest(); f >= 0; f = P.pop_nearest()) {
      if (P.face(f).distance >= -best_.phi - exact_) return;
      if (P.face(f).distance >= -fallback_.phi + exact_) return;
      const Vec3 n = -P.face(f).normal;
      const MinkowskiPoint p = M_.support(n);
      const double gap = -dot(n, p.w) - P.face(f).distance;
      if (gap <= exact_) {
        if (!try_face(P, f, n)) take_face(P, f, n, p);
        continue;
      }
      if (M_.curved() && gap <= beside_) {
        if (beside_best(n) || (failures < kMaxFailures && try_face(P, f, n))) continue;
        ++failures;
        if (best_.phi > -1e300 && expansions > kMaxExpansions) return;
      }
      ++expansions;
      if (!P.expand(f, p)) {
        if (!try_face(P, f, n)) take_face(P, f, n, p);
        return;
      }
    }
  }

  const Optimum& best() const {
    return best_.phi >= fallback_.phi - exact_ ? best_ : fallback_;
  }

 private:
  bool beside_best(const Vec3& n) const {
    return best_.phi > -1e300 && norm2(n - best_.n) < (M_.dense() ? 1e-4 : 1e-2);
  }
  void record(const Optimum& o) {
    if (o.phi > best_.phi) best_ = o;
  }

  ActiveSet face_set(const ExpandingPolytope& P, int f, bool frozen) const {
    ActiveSet set;
    set.freeze_a = set.freeze_b = frozen;
    for (int i = 0; i < 3; ++i) add_piece(M_, P.vertex(P.face(f).vertex[i]), 1.0 / 3.0, set);
    return set;
  }

  bool try_face(const ExpandingPolytope& P, int f, const Vec3& n) {
    Optimum o;
    bool found = face_optimum(M_, n, o);
    if (found) record(o);
    o = {};
    if (solve_optimum(M_, n, face_set(P, f, false), o)) {
      record(o);
      found = true;
    } else if (!found && M_.curved()) {
      o = {};
      if (solve_optimum(M_, n, face_set(P, f, true), o) && norm2(o.n - n) < 1e-26) {
        record(o);
        found = true;
      }
    }
    return found;
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
  Optimum best_;
  Optimum fallback_;  ///< a face whose nearest point rounding hides
};

}  // namespace

Optimum find_depth(const Minkowski& M, const Simplex& simplex, const Vec3& guess) {
  Simplex s = simplex;
  Vec3 normal;
  if (!complete(M, s, normal)) return flat_optimum(M, simplex, normal);
  ExpandingPolytope polytope;
  if (!polytope.start({s.point[0], s.point[1], s.point[2], s.point[3]})) {
    return flat_optimum(M, simplex, normal);
  }
  DepthSearch search(M, size_of(s));
  search.try_direction(guess);
  search.run(polytope);
  return search.best();
}

}  // namespace carom
