#include "carom/proximity/convex/gjk.h"

#include <algorithm>

#include "carom/proximity/convex/superquadric_optimum.h"

namespace carom {
namespace {

constexpr int kMaxIterations = 120;
// From another side a thin simplex is another one.
constexpr int kMaxRestarts = 8;
constexpr double kNear = 1e-6;
// From this part of the size on, the direction of a difference is known to 1e-13.
constexpr double kFar = 4e-3;
// Curved bodies: a gap below this part of the size is small enough for Newton's method, however
// near the bodies are.
constexpr double kSmallGap = 0.01;

/// Pieces that move have one point each; on a superquadric the mean of all is the better start.
void put_means(const Minkowski& M, const Simplex& s, ActiveSet& set) {
  Vec3 a, b;
  for (int i = 0; i < s.count; ++i)
    a += s.weight[i] * s.point[i].a, b += s.weight[i] * s.point[i].b;
  for (int i = 0; i < set.count; ++i) {
    if (M.kind_a->curved) set.piece[i].a = a;
    if (M.kind_b->curved) set.piece[i].b = b;
  }
}

ActiveSet active_set(const Minkowski& M, const Simplex& s, bool freeze_a, bool freeze_b) {
  ActiveSet set;
  set.freeze_a = freeze_a, set.freeze_b = freeze_b;
  for (int i = 0; i < s.count; ++i) add_piece(M, s.point[i], s.weight[i], set);
  if (has_superquadric(M) && !freeze_a && !freeze_b) put_means(M, s, set);
  return set;
}

/// Newton's method from the state of the search. True if it proves that the bodies are apart;
/// else `best` is the highest of the local maxima that are known, if any.
bool finish(const Minkowski& M, const Vec3& n, const Simplex& s, Optimum& best) {
  Optimum out;
  bool found = face_optimum(M, n, out) || solve_optimum(M, n, active_set(M, s, false, false), out);
  if (!found && M.curved()) {
    const Vec3 end = out.n;
    found = solve_on_rim(M, end, out);
  }
  if (!found) return false;
  if (best.set.count == 0 || out.phi > best.phi) best = out;
  return out.phi > 0.0;
}

/// What is left when rounding stops the search: the best that it has found.
void take_simplex(const Minkowski& M, const Vec3& n, const Simplex& s, Optimum& out) {
  out.n = n;
  out.phi = dot(n, M.support(n).w);
  out.face_a = out.face_b = out.evaluated = false;
  out.set = active_set(M, s, true, true);
}

void take_nearest(const Minkowski& M, const Vec3& n, double phi, const Simplex& s, Optimum& out) {
  out.n = n, out.phi = phi;
  out.face_a = out.face_b = out.evaluated = false;
  out.set = active_set(M, s, false, false);
}

/// Where rounding has stopped the search.
struct Stalled {
  Vec3 n;
  Simplex simplex;
  double bound = -1e300, length = 0.0;
};

}  // namespace

bool is_nearest(const Minkowski& M, const Vec3& v, const Simplex& s, Optimum& optimum) {
  const double length = norm(v), size = M.magnitude(s.point[0]);
  if (!(length > kFar * size)) return false;
  const Vec3 n = v / length;
  const double bound = dot(n, M.support(n).w);
  if (length - bound > 16.0 * kEpsilon * size) return false;
  take_nearest(M, n, bound, s, optimum);
  return true;
}

Separation find_separation(const Minkowski& M, Vec3& n, Optimum& optimum, Simplex& s) {
  s.point[0] = M.support(n);
  s.count = 1;
  Vec3 v = s.point[0].w;
  double size = M.magnitude(s.point[0]);
  double try_at = M.curved() ? 0.5 : 1e-12;  // relative gap at which Newton is tried
  double length = norm(v), bound = -1.0;
  Simplex before;
  Stalled best;
  int restarts = 0;
  bool tried = optimum.set.count > 0;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const double rounding = 16.0 * kEpsilon * size;
    if (!(length > 64.0 * rounding)) return Separation::overlapping;
    n = v / length;
    const MinkowskiPoint p = M.support(n);
    bound = dot(n, p.w);
    size = std::max(size, M.magnitude(p));
    const double gap = length - bound;
    if (!M.curved() && gap <= rounding && length > kFar * size) {
      take_nearest(M, n, bound, s, optimum);
      return Separation::apart;
    }
    const bool small = M.curved() && !tried && gap <= kSmallGap * size;
    if (small || (bound > 0.0 && gap <= std::max(try_at * length, rounding))) {
      if (finish(M, n, s, optimum)) return Separation::apart;
      try_at *= 0.1;
      tried = true;
    }
    if (gap <= rounding) break;
    if (s.count == 3) before = s;
    s.point[s.count++] = p;
    v = reduce_to_nearest(s);
    if (s.count == 4) return Separation::overlapping;
    const double shorter = norm(v);
    if (shorter >= length) {  // a flat tetrahedron: rounding decides
      if (bound > 0.0 && finish(M, n, s, optimum)) return Separation::apart;
      if (before.count == 3) s = before;
      if (bound > best.bound) best = {n, s, bound, length};
      const bool near = !(bound > 0.0) || length < kNear * size;
      if (near || restarts++ == kMaxRestarts) break;
      s.point[0] = p, s.count = 1;
      before.count = 0;
      v = p.w, length = norm(v);
      continue;
    }
    length = shorter;
  }
  if (best.bound > bound) n = best.n, s = best.simplex, bound = best.bound, length = best.length;
  if (finish(M, n, s, optimum)) return Separation::apart;
  // So near that the expanding polytope sees more than the simplex.
  if (!(bound > 0.0) || length < kNear * size) return Separation::overlapping;
  take_simplex(M, n, s, optimum);
  return Separation::apart;
}

}  // namespace carom
