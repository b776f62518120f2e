#include "carom/proximity/gjk.h"

#include <algorithm>

namespace carom {
namespace {

constexpr int kMaxIterations = 120;

ActiveSet active_set(const Minkowski& M, const Simplex& s, bool freeze_a, bool freeze_b) {
  ActiveSet set;
  set.freeze_a = freeze_a, set.freeze_b = freeze_b;
  for (int i = 0; i < s.count; ++i) add_piece(M, s.point[i], s.weight[i], set);
  return set;
}

/// Newton's method from the state of the search, with moving pieces first; near the
/// axis of a disc, points on its rim stand for the disc.
bool finish(const Minkowski& M, const Vec3& n, const Simplex& s, Optimum& out) {
  if (face_optimum(M, n, out) && out.phi > 0.0) return true;
  out.face_a = out.face_b = false;
  if (solve_optimum(M, n, active_set(M, s, false, false), out) && out.phi > 0.0) return true;
  if (!M.curved()) return false;
  Vec3 face_a, face_b;
  const bool near_a = M.kind_a->flat_face && M.kind_a->flat_face(*M.A, n, face_a);
  const bool near_b =
      M.kind_b->flat_face && M.kind_b->flat_face(*M.B, -transpose_times(M.R, n), face_b);
  if (!near_a && !near_b) return false;
  if (!solve_optimum(M, n, active_set(M, s, near_a, near_b), out) || !(out.phi > 0.0)) return false;
  // Points of a rim stand for the disc only where the normal is the axis.
  return (!near_a || norm2(out.n - face_a) < 1e-26) && (!near_b || norm2(out.n + M.R * face_b) < 1e-26);
}

/// What is left when rounding stops the search: the best that it has found.
void take_simplex(const Minkowski& M, const Vec3& n, const Simplex& s, Optimum& out) {
  out = {};
  out.n = n;
  out.set = active_set(M, s, true, true);
  for (int i = 0; i < out.set.count; ++i) {
    out.phi += out.set.piece[i].weight * dot(n, out.set.piece[i].w);
  }
}

}  // namespace

Separation find_separation(const Minkowski& M, const Vec3& start, Optimum& optimum, Simplex& s) {
  s.point[0] = M.support(start);
  s.count = 1;
  Vec3 v = s.point[0].w, n = start;
  const double rounding = 16.0 * kEpsilon * magnitude(s.point[0]);
  double try_at = M.curved() ? 0.1 : 1e-12;  // relative gap at which Newton is tried
  double length = norm(v), bound = -1.0;
  Simplex before;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    if (!(length > 64.0 * rounding)) return Separation::overlapping;
    n = v / length;
    const MinkowskiPoint p = M.support(n);
    bound = dot(n, p.w);
    const double gap = length - bound;
    if (bound > 0.0 && gap <= std::max(try_at * length, rounding)) {
      if (finish(M, n, s, optimum)) return Separation::apart;
      try_at *= 0.1;
    }
    if (gap <= rounding) break;
    if (s.count == 3) before = s;
    s.point[s.count++] = p;
    v = reduce_to_nearest(s);
    if (s.count == 4) return Separation::overlapping;
    const double shorter = norm(v);
    if (shorter >= length) {  // a flat tetrahedron: rounding decides
      if (before.count == 3) s = before;
      if (bound > 0.0 && finish(M, n, s, optimum)) return Separation::apart;
      break;
    }
    length = shorter;
  }
  if (!(bound > 0.0)) return Separation::overlapping;
  take_simplex(M, n, s, optimum);
  return Separation::apart;
}

}  // namespace carom
