// Optima whose normal is that of a flat face.
#include "carom/proximity/convex/optimum.h"

namespace carom {

bool solve_on_rim(const Minkowski& M, const Vec3& n, Optimum& out) {
  const auto near = [](const PieceKind& kind, const Core& core, const Vec3& d, Vec3& face) {
    return kind.curved && kind.flat_face && kind.flat_face(core, d, face);
  };
  Vec3 face_a, face_b;
  ActiveSet set;
  set.freeze_a = near(*M.kind_a, *M.A, n, face_a);
  set.freeze_b = near(*M.kind_b, *M.B, -transpose_times(M.R, n), face_b);
  if (!set.freeze_a && !set.freeze_b) return false;
  // Points all around the rim, from directions tilted a little off the normal of the face.
  const Vec3 normal = set.freeze_a ? face_a : -(M.R * face_b);
  const Vec3 e1 = any_perpendicular(normal), e2 = cross(normal, e1);
  // The tilt is far above rounding, and a support point on the rim is the same for every tilt below
  // the angle of the neighbouring surface; a third of a turn apart, the points span the face.
  constexpr double kTilt = 1e-3, kCos[3] = {1.0, -0.5, -0.5}, kSin[3] = {0.0, 0.866, -0.866};
  for (int i = 0; i < 3; ++i) {
    const Vec3 tilted = normal + kTilt * (kCos[i] * e1 + kSin[i] * e2);
    add_piece(M, M.support(normalized(tilted)), 1.0 / 3.0, set);
  }
  const bool freeze_a = set.freeze_a, freeze_b = set.freeze_b;
  if (!solve_optimum(M, normal, set, out)) return false;
  constexpr double kSame = 1e-26;  // 1e-13 squared: a normal that was kept is off by rounding only
  return (!freeze_a || norm2(out.n - face_a) < kSame) &&
         (!freeze_b || norm2(out.n + M.R * face_b) < kSame);
}

bool optimum_on_face_of_a(const Minkowski& M, const Vec3& normal, Optimum& out) {
  Vec3 face;
  if (!M.kind_a->flat_face || !M.kind_a->flat_face(*M.A, normal, face)) return false;
  const MinkowskiPoint p = M.support(face);
  out.margin = M.kind_a->face_margin(*M.A, face, p.b);
  if (!(out.margin >= 0.0)) return false;
  out.n = face, out.phi = dot(face, p.w), out.face_a = true, out.face_b = false;
  out.evaluated = false;
  out.set.clear();
  add_piece(M, p, 1.0, out.set);
  out.set.piece[0].a = p.b - out.phi * face;
  return true;
}

bool optimum_on_face_of_b(const Minkowski& M, const Vec3& normal, Optimum& out) {
  Vec3 face;
  if (!M.kind_b->flat_face || !M.kind_b->flat_face(*M.B, normal, face)) return false;
  const Vec3 n = -(M.R * face);
  const MinkowskiPoint p = M.support(n);
  out.margin = M.kind_b->face_margin(*M.B, face, transpose_times(M.R, p.a - M.t));
  if (!(out.margin >= 0.0)) return false;
  out.n = n, out.phi = dot(n, p.w), out.face_a = false, out.face_b = true;
  out.evaluated = false;
  out.set.clear();
  add_piece(M, p, 1.0, out.set);
  out.set.piece[0].b = p.a + out.phi * n;
  return true;
}

bool face_optimum(const Minkowski& M, const Vec3& n, Optimum& out) {
  return optimum_on_face_of_a(M, n, out) || optimum_on_face_of_b(M, -transpose_times(M.R, n), out);
}

}  // namespace carom
