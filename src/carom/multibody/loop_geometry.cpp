#include "carom/multibody/loop_geometry.h"

#include <cmath>

#include "carom/base/index.h"

namespace carom {
namespace {

/// Extends the orthonormal `basis` of n vectors by `candidate` if what is left of it
/// is longer than `threshold`.
bool extend(Motion* basis, int n, Motion candidate, double threshold) {
  for (int twice = 0; twice < 2; ++twice) {
    for (int k = 0; k < n; ++k) candidate -= product(basis[k], candidate) * basis[k];
  }
  const double length = std::sqrt(product(candidate, candidate));
  if (length < threshold) return false;
  basis[n] = (1.0 / length) * candidate;
  return true;
}

/// Orthonormal complement of the span of H in F axes, six vectors in all: first a basis
/// of H, then N.
void complete_basis(const Motion* H, int nv, Motion* basis) {
  int n = 0;
  for (int k = 0; k < nv; ++k) {
    if (extend(basis, n, (1.0 / std::sqrt(product(H[k], H[k]))) * H[k], 1e-9)) ++n;
  }
  // The six unit motions span the space: of the remaining vectors one always keeps a
  // share of at least 1/sqrt(6).
  const double threshold = 1.0 / std::sqrt(6.0) - 1e-9;
  while (n < 6) {
    for (std::size_t k = 0; k < 6 && n < 6; ++k) {
      Motion unit;
      (k < 3 ? unit.w[k] : unit.v[k - 3]) = 1.0;
      if (extend(basis, n, unit, threshold)) ++n;
    }
  }
}

Motion rotated_motion(const Mat3& R, const Motion& m) { return {R * m.w, R * m.v}; }

}  // namespace

LoopGeometry calc_loop(const LoopConstraint& loop, const TreeData& data) {
  LoopGeometry g;
  const LinkState &A = data.links[at(loop.link_a)], &B = data.links[at(loop.link_b)];
  g.R_WF = A.R_WL * loop.X_AF.R;
  g.p_F = A.p_WL + A.R_WL * loop.X_AF.p;
  g.p_M = B.p_WL + B.R_WL * loop.X_BM.p;
  const Mat3 R_WM = B.R_WL * loop.X_BM.R;
  const Pose X_FM{transpose(g.R_WF) * R_WM, transpose_times(g.R_WF, g.p_M - g.p_F)};

  double q[kMaxJointPositions];
  loop.joint->set_zero(q);
  loop.joint->from_pose(X_FM, loop.params.data(), q);
  Pose X_nearest;
  Motion H[6], basis[6];
  loop.joint->evaluate(q, loop.params.data(), &X_nearest, H);
  complete_basis(H, loop.joint->nv, basis);
  const Vec3 turn = quat_log(to_quat(X_FM.R * transpose(X_nearest.R)));
  g.error = rotated_motion(g.R_WF, {turn, X_FM.p - X_nearest.p});
  g.rows = loop.rows();
  for (int k = 0; k < loop.joint->nv; ++k) {
    g.H[k] = rotated_motion(g.R_WF, H[k]);
    g.subspace[k] = rotated_motion(g.R_WF, basis[k]);
  }
  for (int k = 0; k < g.rows; ++k) {
    g.normal[k] = rotated_motion(g.R_WF, basis[loop.joint->nv + k]);
  }
  return g;
}

Motion relative_velocity(const LoopConstraint& loop, const LoopGeometry& g, const TreeData& data) {
  return velocity_at(data, loop.link_b, g.p_M) - velocity_at(data, loop.link_a, g.p_M);
}

Motion relative_acceleration(const LoopConstraint& loop, const LoopGeometry& g,
                             const TreeData& data) {
  const LinkState &A = data.links[at(loop.link_a)], &B = data.links[at(loop.link_b)];
  const auto point = [](const LinkState& L, const Vec3& p) {
    const Vec3 r = p - L.p_WL;
    return Motion{L.A.w, L.A.v + cross(L.A.w, r) + cross(L.V.w, cross(L.V.w, r))};
  };
  const Motion V = relative_velocity(loop, g, data);
  Motion a = point(B, g.p_M) - point(A, g.p_M);
  a.w -= cross(A.V.w, V.w);
  a.v -= 2.0 * cross(A.V.w, V.v);
  // v_K from V = H v_K: H has orthogonal columns for every kind with a bias.
  double v[6];
  for (int k = 0; k < loop.joint->nv; ++k) v[k] = product(g.H[k], V) / product(g.H[k], g.H[k]);
  return a - loop.joint->bias(v, g.H);
}

}  // namespace carom
