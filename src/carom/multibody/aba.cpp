// Articulated-body algorithm [Featherstone 2008, ch. 7], in world axes about each
// link's origin, with classical accelerations.
//
// Equation of motion of link i about its origin (h = m c, c the centre of mass):
//
//   f = I A + p,   p = (w × I w,  w × (w × h)) − f_ext                          (1)
//
// Tip to base, with U = IA H, D = Hᵀ U + armature, u = tau − Hᵀ pA:
//
//   Ia = IA − U D⁻¹ Uᵀ,   pa = pA + Ia c + U D⁻¹ u                              (2)
//   IA_parent += shift(Ia, r),   pA_parent += shift(pa, r)                      (3)
//
// Base to tip:
//
//   A' = shift(A_parent, r) + c,   v' = D⁻¹ (u − Uᵀ A'),   A = A' + H v'        (4)
//
// A link that is free in the world and carries nothing needs none of this: about its centre of
// mass, c from its origin,
//
//   a = f / m,   I_c w' = t − c × f − w × I_c w,   v' = a − w' × c − w × (w × c)   (5)
//
// A velocity whose rate is known adds H v' to c and takes no part in (2). Width and
// kind of a joint's subspace are template parameters: D is a small matrix of fixed
// size, and zeros of H are not multiplied.
#include "carom/multibody/articulated.h"
#include "carom/multibody/dynamics.h"

namespace carom {
namespace {

/// The arrays of one link's joint.
struct JointView {
  const Motion* H;
  Wrench* U;
  double* D_inv;
  double* u;
  const std::uint8_t* known;
  const double* tau;
  double* vdot;
  const double* armature;
};

JointView view(const TreeModel& tree, TreeData& d, int i) {
  const int v0 = tree.links[static_cast<std::size_t>(i)].v0;
  return {d.H.data() + v0,
          d.U.data() + v0,
          d.D_inv.data() + 36 * static_cast<std::size_t>(i),
          d.u.data() + v0,
          d.known.data() + v0,
          d.tau.data() + v0,
          d.vdot.data() + v0,
          tree.armature.data() + v0};
}

/// U and D⁻¹; false if D is singular.
template <int N, Subspace S>
bool factor_joint(const ArticulatedInertia& IA, const JointView& j) {
  if constexpr (N == 1) {
    j.U[0] = j.known[0] ? Wrench{} : inertia_times<S>(IA, j.H[0]);
    const double D = j.known[0] ? 1.0 : column_dot<S>(j.H[0], j.U[0]) + j.armature[0];
    return invert_spd<1>(&D, j.D_inv);
  } else if constexpr (N > 1) {
    double D[N * N];
    for (int k = 0; k < N; ++k) {
      j.U[k] = j.known[k] ? Wrench{} : inertia_times<S>(IA, j.H[k]);
    }
    for (int r = 0; r < N; ++r) {
      for (int c = 0; c <= r; ++c) D[N * r + c] = D[N * c + r] = column_dot<S>(j.H[c], j.U[r]);
      D[N * r + r] = j.known[r] ? 1.0 : D[N * r + r] + j.armature[r];
    }
    for (int r = 0; r < N; ++r) {
      if (!j.known[r]) continue;
      for (int c = 0; c < N; ++c) {
        if (c != r) D[N * r + c] = D[N * c + r] = 0.0;
      }
    }
    return invert_spd<N>(D, j.D_inv);
  }
  return true;
}

/// u of (2); adds what is known of v' to c.
template <int N, Subspace S>
void drive_joint(const Wrench& pA, const JointView& j, Motion& c) {
  for (int k = 0; k < N; ++k) {
    if (j.known[k]) {
      add_column<S>(j.vdot[k], j.H[k], c);
      j.u[k] = 0.0;
    } else {
      j.u[k] = j.tau[k] - column_dot<S>(j.H[k], pA);
    }
  }
}

/// (2) and (3) for one link; `kForces` false leaves out pA.
template <int N, Subspace S, bool kForces>
bool fold_link(const TreeModel& tree, TreeData& data, int i) {
  const int parent = tree.links[static_cast<std::size_t>(i)].parent;
  const LinkState& L = data.links[static_cast<std::size_t>(i)];
  const JointView j = view(tree, data, i);
  if (!factor_joint<N, S>(L.IA, j)) return false;
  Motion c = L.c;
  if constexpr (kForces) drive_joint<N, S>(L.pA, j, c);
  if (parent == 0) return true;
  LinkState& P = data.links[static_cast<std::size_t>(parent)];
  const ArticulatedInertia Ia = carried_inertia<N>(L.IA, j.U, j.D_inv);
  if constexpr (kForces) {
    Wrench pa = L.pA + Ia * c;
    for (int r = 0; r < N; ++r) {
      double g = 0.0;
      for (int k = 0; k < N; ++k) g += j.D_inv[N * r + k] * j.u[k];
      pa += g * j.U[r];
    }
    P.pA += shifted(pa, L.r);
  }
  add_shifted(P.IA, Ia, L.r);
  return true;
}

/// (4)
template <int N, Subspace S>
void accelerate_link(const TreeModel& tree, TreeData& data, int i) {
  const Link& link = tree.links[static_cast<std::size_t>(i)];
  LinkState& L = data.links[static_cast<std::size_t>(i)];
  const JointView j = view(tree, data, i);
  Motion A = shifted(data.links[static_cast<std::size_t>(link.parent)].A, L.r) + L.c;
  for (int k = 0; k < N; ++k) {
    if (j.known[k]) add_column<S>(j.vdot[k], j.H[k], A);
  }
  double rest[N > 0 ? N : 1];
  for (int k = 0; k < N; ++k) rest[k] = j.u[k] - dot(A, j.U[k]);
  for (int r = 0; r < N; ++r) {
    if (j.known[r]) continue;
    double s = 0.0;
    for (int k = 0; k < N; ++k) s += j.D_inv[N * r + k] * rest[k];
    j.vdot[r] = s;
    add_column<S>(s, j.H[r], A);
  }
  L.A = A;
}

/// A free link on the world whose rates are all unknown and without armature: it hands
/// nothing on, and c and A of its parent vanish, so U is not needed.
bool is_free_root(const Link& link, const JointView& j) {
  if (link.parent != 0) return false;
  bool plain = true;
  for (int k = 0; k < 6; ++k) plain &= (j.known[k] == 0) & (j.armature[k] == 0.0);
  return plain;
}

bool goes_alone(const Link& link, const TreeData& data, const JointView& j) {
  return link.is_free_body && !data.keeps_factors && is_free_root(link, j);
}

/// (5); false if a mass or an inertia vanishes.
bool accelerate_free_body(const Link& link, const JointView& j, LinkState& L) {
  const Mat3& E = link.X_PF.R;
  const double m = link.inertia.m;
  const Wrench applied = L.f_ext + Wrench{E * Vec3{j.tau[0], j.tau[1], j.tau[2]},
                                          E * Vec3{j.tau[3], j.tau[4], j.tau[5]}};
  const Vec3 c = L.h / m, w = L.V.w;
  const Sym3 I_c = L.I - m * point_inertia(c);
  Sym3 I_inv;
  if (!(m > 0.0) || !invert_sym3(I_c, L.I, I_inv)) return false;
  const Vec3 alpha = I_inv * (applied.t - cross(c, applied.f) - cross(w, I_c * w));
  L.A = {alpha, applied.f / m - cross(alpha, c) - cross(w, cross(w, c))};
  const Vec3 alpha_F = transpose_times(E, L.A.w), a_F = transpose_times(E, L.A.v);
  for (std::size_t k = 0; k < 3; ++k) j.vdot[k] = alpha_F[k], j.vdot[3 + k] = a_F[k];
  return true;
}

template <bool kForces>
bool fold_free_link(const TreeModel& tree, TreeData& data, int i) {
  const Link& link = tree.links[static_cast<std::size_t>(i)];
  LinkState& L = data.links[static_cast<std::size_t>(i)];
  const JointView j = view(tree, data, i);
  if (goes_alone(link, data, j)) return accelerate_free_body(link, j, L);
  if (!is_free_root(link, j)) return fold_link<6, Subspace::general, kForces>(tree, data, i);
  if (!invert_inertia(L.IA, link.X_PF.R, j.D_inv)) return false;
  for (int k = 0; k < 6; ++k) j.U[k] = {};
  if constexpr (kForces) {
    const Vec3 t = transpose_times(link.X_PF.R, L.pA.t), f = transpose_times(link.X_PF.R, L.pA.f);
    for (std::size_t k = 0; k < 3; ++k) {
      j.u[k] = j.tau[k] - t[k];
      j.u[3 + k] = j.tau[3 + k] - f[k];
    }
  }
  return true;
}

void accelerate_free_link(const TreeModel& tree, TreeData& data, int i) {
  const Link& link = tree.links[static_cast<std::size_t>(i)];
  const JointView j = view(tree, data, i);
  if (goes_alone(link, data, j)) return;  // it is done
  if (!is_free_root(link, j)) return accelerate_link<6, Subspace::general>(tree, data, i);
  for (int r = 0; r < 6; ++r) {
    double s = 0.0;
    for (int k = 0; k < 6; ++k) s += j.D_inv[6 * r + k] * j.u[k];
    j.vdot[r] = s;
  }
  const double* a = j.vdot;
  data.links[static_cast<std::size_t>(i)].A = {link.X_PF.R * Vec3{a[0], a[1], a[2]},
                                               link.X_PF.R * Vec3{a[3], a[4], a[5]}};
}

template <int N, Subspace S, bool kForces>
bool fold_batch(const TreeModel& tree, TreeData& data, const LinkBatch& batch) {
  bool regular = true;
  for (int i = batch.end - 1; i >= batch.begin; --i) {
    if constexpr (S == Subspace::full) {
      regular &= fold_free_link<kForces>(tree, data, i);
    } else {
      regular &= fold_link<N, S, kForces>(tree, data, i);
    }
  }
  return regular;
}
template <int N, Subspace S>
void accelerate_batch(const TreeModel& tree, TreeData& data, const LinkBatch& batch) {
  for (int i = batch.begin; i < batch.end; ++i) {
    if constexpr (S == Subspace::full) {
      accelerate_free_link(tree, data, i);
    } else {
      accelerate_link<N, S>(tree, data, i);
    }
  }
}

struct BatchRow {
  bool (*factor)(const TreeModel&, TreeData&, const LinkBatch&);
  bool (*fold)(const TreeModel&, TreeData&, const LinkBatch&);
  void (*accelerate)(const TreeModel&, TreeData&, const LinkBatch&);
};

template <int N, Subspace S = Subspace::general>
constexpr BatchRow row() {
  return {fold_batch<N, S, false>, fold_batch<N, S, true>, accelerate_batch<N, S>};
}

constexpr BatchRow kGeneral[] = {row<0>(), row<1>(), row<2>(), row<3>(),
                                 row<4>(), row<5>(), row<6>()};
constexpr BatchRow kRotations[] = {row<0>(), row<1, Subspace::rotation>(),
                                   row<2, Subspace::rotation>(), row<3, Subspace::rotation>()};

constexpr BatchRow kFull = row<6, Subspace::full>();

const BatchRow& row_of(const LinkBatch& batch) {
  const auto nv = static_cast<std::size_t>(batch.joint->nv);
  switch (batch.joint->subspace) {
    case Subspace::rotation: return kRotations[nv];
    case Subspace::full: return kFull;
    case Subspace::general: break;
  }
  return kGeneral[nv];
}

void start_inertia(const Link& link, LinkState& L) {
  const double m = link.inertia.m;
  L.IA = {L.I, Mat3::cross_matrix(L.h), {m, m, m, 0, 0, 0}};
}

/// (1)
void start_link(const Link& link, LinkState& L) {
  start_inertia(link, L);
  L.pA = Wrench{cross(L.V.w, L.I * L.V.w), cross(L.V.w, cross(L.V.w, L.h))} - L.f_ext;
}

}  // namespace

Status factor_mass(const TreeModel& tree, TreeData& data) {
  data.keeps_factors = true;
  for (std::size_t i = 1; i < tree.links.size(); ++i) start_inertia(tree.links[i], data.links[i]);
  bool regular = true;
  for (auto batch = tree.batches.rbegin(); batch != tree.batches.rend(); ++batch) {
    regular &= row_of(*batch).factor(tree, data, *batch);
  }
  return regular ? Status::ok : Status::fatal;
}

int find_singular_link(const TreeModel& tree, TreeData& data) {
  for (std::size_t i = 1; i < tree.links.size(); ++i) start_inertia(tree.links[i], data.links[i]);
  for (auto batch = tree.batches.rbegin(); batch != tree.batches.rend(); ++batch) {
    for (int i = batch->begin; i < batch->end; ++i) {
      if (!row_of(*batch).factor(tree, data, {i, i + 1, batch->joint})) return i;
    }
  }
  return -1;
}

Status forward_dynamics(const TreeModel& tree, TreeData& data, bool keeps_factors) {
  data.keeps_factors = keeps_factors;
  for (int i = 1; i < tree.link_count(); ++i) {
    const Link& link = tree.links[static_cast<std::size_t>(i)];
    if (goes_alone(link, data, view(tree, data, i))) continue;
    start_link(link, data.links[static_cast<std::size_t>(i)]);
  }
  bool regular = true;
  for (auto batch = tree.batches.rbegin(); batch != tree.batches.rend(); ++batch) {
    regular &= row_of(*batch).fold(tree, data, *batch);
  }
  if (!regular) return Status::fatal;
  data.links[0].A = {};
  for (const LinkBatch& batch : tree.batches) row_of(batch).accelerate(tree, data, batch);
  return Status::ok;
}

}  // namespace carom
