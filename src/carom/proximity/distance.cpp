#include "carom/proximity/distance.h"

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/contact_geometry.h"
#include "carom/proximity/convex/ball.h"
#include "carom/proximity/convex/epa.h"
#include "carom/proximity/convex/gjk.h"
#include "carom/proximity/convex/half_space.h"
#include "carom/proximity/pair_kernel.h"

namespace carom {
namespace {

bool is_finite(const Mat3& R) {
  double sum = 0.0;
  for (const double x : R.m) sum += x;
  return std::isfinite(sum);
}

MinkowskiPoint fixed_point(const Minkowski& M, const DistanceCache& warm, int i) {
  MinkowskiPoint p;
  p.piece_a = warm.piece[i][0], p.piece_b = warm.piece[i][1];
  // Points that move are evaluated before they are used.
  if (!M.kind_a->curved) p.a = M.kind_a->derivatives(*M.A, p.piece_a, warm.n_A).point;
  if (!M.kind_b->curved) {
    p.b = M.t + M.R * M.kind_b->derivatives(*M.B, p.piece_b, warm.n_A).point;
  }
  p.w = p.b - p.a;
  return p;
}

/// The answer of the last query as the start of this one: it usually needs a step or two.
bool solve_warm(const Minkowski& M, const DistanceCache& warm, Optimum& out) {
  if (warm.apart && !M.curved()) {
    Simplex s;
    for (int i = 0; i < warm.count; ++i) s.point[s.count++] = fixed_point(M, warm, i);
    const Vec3 v = reduce_to_nearest(s);
    if (is_nearest(M, v, s, out)) return true;
  }
  if (face_optimum(M, warm.n_A, out)) return true;
  ActiveSet set;
  for (int i = 0; i < warm.count; ++i) {
    add_piece(M, fixed_point(M, warm, i), 1.0 / warm.count, set);
  }
  return solve_optimum(M, warm.n_A, set, out);
}

void remember(const Optimum& o, DistanceCache& warm) {
  warm.n_A = o.n;
  warm.count = o.set.count;
  warm.apart = o.phi > 0.0;
  for (int i = 0; i < o.set.count; ++i) {
    warm.piece[i][0] = o.set.piece[i].piece_a, warm.piece[i][1] = o.set.piece[i].piece_b;
  }
}

void solve(const Minkowski& M, const DistanceCache* warm, Optimum& out) {
  const PairKernel* kernel = find_kernel(M);
  const bool remembered = warm && warm->count > 0;
  const bool late = kernel && !kernel->cheap && remembered && warm->apart;
  if (kernel && !late && solve_closed_form(*kernel, M, out)) return;
  bool known = remembered && solve_warm(M, *warm, out);
  if (known && out.phi > 0.0) return;  // then it is the only maximum
  if (late) {
    if (solve_closed_form(*kernel, M, out)) return;
    known = false;
  }

  const double length = norm(M.t);
  Vec3 n = known ? out.n : length > 0.0 ? M.t / length : Vec3{0.0, 0.0, 1.0};
  Simplex simplex;
  if (!known) out.set.count = 0;
  if (find_separation(M, n, out, simplex) == Separation::apart) return;
  const Optimum local = out;
  out = find_depth(M, simplex, n, local.set.count > 0 ? &local : nullptr);
}

/// A is not the smaller of the two.
Contact search(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB,
               DistanceCache* warm) {
  Contact contact;
  const Minkowski M =
      make_minkowski(A, B, {transpose(X_WA.R) * X_WB.R, transpose_times(X_WA.R, X_WB.p - X_WA.p)});
  Optimum optimum;
  solve(M, warm, optimum);
  if (warm) remember(optimum, *warm);
  describe_contact(M, optimum, X_WA, contact);
  return contact;
}

}  // namespace

/// The size of a function of the user is not known without asking it many times.
bool is_sought_from_b(const Core& A, const Core& B) {
  if (A.kind == &core_custom || B.kind == &core_custom) return false;
  return A.kind->radius(A) < B.kind->radius(B);
}

Contact distance(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB,
                 DistanceCache* warm) {
  Contact contact;
  const Pose X_AB{{}, transpose_times(X_WA.R, X_WB.p - X_WA.p)};
  if (!carom::is_finite(X_AB.p) || !is_finite(X_WA.R) || !is_finite(X_WB.R)) {
    contact.status = Status::recoverable;
    return contact;
  }
  if (A.kind == &core_half_space || B.kind == &core_half_space) {
    return half_space_distance(A, X_WA, B, X_WB);
  }
  if (ball_distance(A, X_WA, B, X_WB, contact)) return contact;
  // In the axes of the larger body a speck has its place to rounding, once; in those of the
  // speck every point of the larger body would be rounded by itself.
  if (!is_sought_from_b(A, B)) return search(A, X_WA, B, X_WB, warm);
  contact = search(B, X_WB, A, X_WA, warm);
  exchange(contact);
  return contact;
}

}  // namespace carom
