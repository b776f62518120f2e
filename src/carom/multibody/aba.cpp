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
// A velocity whose rate is known adds H v' to c and takes no part in (2). The
// width of a joint is a template parameter, so D is a small fixed-size matrix.
#include <cmath>

#include "carom/multibody/dynamics.h"

namespace carom {
namespace {

/// Inverse of a symmetric positive definite N × N matrix (row-major) by Cholesky.
/// Returns false if a pivot is not positive relative to its diagonal.
template <int N>
bool invert_spd(const double* D, double* inverse) {
  if constexpr (N == 1) {
    inverse[0] = 1.0 / D[0];
    return D[0] > 0.0;
  } else {
    double L[N * N];
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j <= i; ++j) {
        double s = D[N * i + j];
        for (int k = 0; k < j; ++k) s -= L[N * i + k] * L[N * j + k];
        if (i == j) {
          // Rounding leaves about eps of the diagonal where the matrix is singular.
          if (!(s > 1e-15 * D[N * i + i])) return false;
          L[N * i + i] = std::sqrt(s);
        } else {
          L[N * i + j] = s / L[N * j + j];
        }
      }
    }
    double G[N * N];  // L⁻¹, lower triangle
    for (int j = 0; j < N; ++j) {
      G[N * j + j] = 1.0 / L[N * j + j];
      for (int i = j + 1; i < N; ++i) {
        double s = 0.0;
        for (int k = j; k < i; ++k) s -= L[N * i + k] * G[N * k + j];
        G[N * i + j] = s / L[N * i + i];
      }
    }
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j <= i; ++j) {
        double s = 0.0;
        for (int k = i; k < N; ++k) s += G[N * k + i] * G[N * k + j];
        inverse[N * i + j] = inverse[N * j + i] = s;
      }
    }
    return true;
  }
}

/// Σ U_i D⁻¹_ij U_jᵀ subtracted from IA: (2).
template <int N>
void remove_joint_inertia(const Wrench* U, const double* D_inv, ArticulatedInertia& a) {
  for (int i = 0; i < N; ++i) {
    Wrench w{};  // column i of U D⁻¹
    for (int j = 0; j < N; ++j) w += D_inv[N * j + i] * U[j];
    const Vec3& t = U[i].t;
    const Vec3& f = U[i].f;
    a.I.xx -= w.t.x * t.x, a.I.yy -= w.t.y * t.y, a.I.zz -= w.t.z * t.z;
    a.I.xy -= 0.5 * (w.t.x * t.y + w.t.y * t.x);
    a.I.xz -= 0.5 * (w.t.x * t.z + w.t.z * t.x);
    a.I.yz -= 0.5 * (w.t.y * t.z + w.t.z * t.y);
    a.M.xx -= w.f.x * f.x, a.M.yy -= w.f.y * f.y, a.M.zz -= w.f.z * f.z;
    a.M.xy -= 0.5 * (w.f.x * f.y + w.f.y * f.x);
    a.M.xz -= 0.5 * (w.f.x * f.z + w.f.z * f.x);
    a.M.yz -= 0.5 * (w.f.y * f.z + w.f.z * f.y);
    a.H.m[0] -= w.t.x * f.x, a.H.m[1] -= w.t.x * f.y, a.H.m[2] -= w.t.x * f.z;
    a.H.m[3] -= w.t.y * f.x, a.H.m[4] -= w.t.y * f.y, a.H.m[5] -= w.t.y * f.z;
    a.H.m[6] -= w.t.z * f.x, a.H.m[7] -= w.t.z * f.y, a.H.m[8] -= w.t.z * f.z;
  }
}

struct Pass {
  const TreeModel& tree;
  TreeData& data;
};

/// U, D⁻¹ and Ia of a link, and (3) for the inertia.
template <int N>
bool factor_link(const Pass& pass, int i) {
  const Link& link = pass.tree.links[static_cast<std::size_t>(i)];
  TreeData& d = pass.data;
  LinkState& L = d.links[static_cast<std::size_t>(i)];
  const auto v0 = static_cast<std::size_t>(link.v0);
  const Motion* H = d.H.data() + v0;
  Wrench* U = d.U.data() + v0;
  double* D_inv = d.D_inv.data() + 36 * static_cast<std::size_t>(i);
  if constexpr (N > 0) {
    double D[N * N];
    for (int k = 0; k < N; ++k) {
      const bool known = d.known[v0 + static_cast<std::size_t>(k)] != 0;
      U[k] = known ? Wrench{} : L.IA * H[k];
    }
    for (int r = 0; r < N; ++r) {
      for (int c = 0; c <= r; ++c) D[N * r + c] = D[N * c + r] = dot(H[c], U[r]);
      const std::size_t k = v0 + static_cast<std::size_t>(r);
      D[N * r + r] = d.known[k] ? 1.0 : D[N * r + r] + pass.tree.armature[k];
    }
    for (int r = 0; r < N; ++r) {
      if (!d.known[v0 + static_cast<std::size_t>(r)]) continue;
      for (int c = 0; c < N; ++c) {
        if (c != r) D[N * r + c] = D[N * c + r] = 0.0;
      }
    }
    if (!invert_spd<N>(D, D_inv)) return false;
  }
  if (link.parent == 0) return true;
  ArticulatedInertia Ia = L.IA;
  if constexpr (N > 0) remove_joint_inertia<N>(U, D_inv, Ia);
  L.IA_carried = Ia;
  ArticulatedInertia& parent = d.links[static_cast<std::size_t>(link.parent)].IA;
  const ArticulatedInertia shifted_Ia = shifted(Ia, L.r);
  parent.I += shifted_Ia.I;
  parent.H = parent.H + shifted_Ia.H;
  parent.M += shifted_Ia.M;
  return true;
}

/// u and pa of a link, and (3) for the bias.
template <int N>
void carry_bias(const Pass& pass, int i) {
  const Link& link = pass.tree.links[static_cast<std::size_t>(i)];
  TreeData& d = pass.data;
  LinkState& L = d.links[static_cast<std::size_t>(i)];
  const auto v0 = static_cast<std::size_t>(link.v0);
  const Motion* H = d.H.data() + v0;
  const Wrench* U = d.U.data() + v0;
  const double* D_inv = d.D_inv.data() + 36 * static_cast<std::size_t>(i);
  double* u = d.u.data() + v0;
  Motion bias = L.c;
  for (int k = 0; k < N; ++k) {
    const std::size_t j = v0 + static_cast<std::size_t>(k);
    if (d.known[j]) {
      bias += d.vdot[j] * H[k];
      u[k] = 0.0;
    } else {
      u[k] = d.tau[j] - dot(H[k], L.pA);
    }
  }
  if (link.parent == 0) return;
  Wrench pa = L.pA + L.IA_carried * bias;
  for (int r = 0; r < N; ++r) {
    double s = 0.0;
    for (int c = 0; c < N; ++c) s += D_inv[N * r + c] * u[c];
    pa += s * U[r];
  }
  d.links[static_cast<std::size_t>(link.parent)].pA += shifted(pa, L.r);
}

/// (4)
template <int N>
void accelerate(const Pass& pass, int i) {
  const Link& link = pass.tree.links[static_cast<std::size_t>(i)];
  TreeData& d = pass.data;
  LinkState& L = d.links[static_cast<std::size_t>(i)];
  const auto v0 = static_cast<std::size_t>(link.v0);
  const double* D_inv = d.D_inv.data() + 36 * static_cast<std::size_t>(i);
  L.A = shifted(d.links[static_cast<std::size_t>(link.parent)].A, L.r) + L.c;
  for (int k = 0; k < N; ++k) {
    const std::size_t j = v0 + static_cast<std::size_t>(k);
    if (d.known[j]) L.A += d.vdot[j] * d.H[j];
  }
  double rest[N > 0 ? N : 1];
  for (int k = 0; k < N; ++k) {
    const std::size_t j = v0 + static_cast<std::size_t>(k);
    rest[k] = d.u[j] - dot(L.A, d.U[j]);
  }
  for (int r = 0; r < N; ++r) {
    const std::size_t j = v0 + static_cast<std::size_t>(r);
    if (d.known[j]) continue;
    double s = 0.0;
    for (int c = 0; c < N; ++c) s += D_inv[N * r + c] * rest[c];
    d.vdot[j] = s;
  }
  for (int k = 0; k < N; ++k) {
    const std::size_t j = v0 + static_cast<std::size_t>(k);
    if (!d.known[j]) L.A += d.vdot[j] * d.H[j];
  }
}

template <int N>
bool factor_batch(const Pass& pass, const LinkBatch& batch) {
  bool regular = true;
  for (int i = batch.end - 1; i >= batch.begin; --i) regular &= factor_link<N>(pass, i);
  return regular;
}
template <int N>
void carry_batch(const Pass& pass, const LinkBatch& batch) {
  for (int i = batch.end - 1; i >= batch.begin; --i) carry_bias<N>(pass, i);
}
template <int N>
void accelerate_batch(const Pass& pass, const LinkBatch& batch) {
  for (int i = batch.begin; i < batch.end; ++i) accelerate<N>(pass, i);
}

struct WidthRow {
  bool (*factor)(const Pass&, const LinkBatch&);
  void (*carry)(const Pass&, const LinkBatch&);
  void (*accelerate)(const Pass&, const LinkBatch&);
};

template <int N>
constexpr WidthRow width_row() {
  return {factor_batch<N>, carry_batch<N>, accelerate_batch<N>};
}

constexpr WidthRow kWidths[] = {width_row<0>(), width_row<1>(), width_row<2>(), width_row<3>(),
                                width_row<4>(), width_row<5>(), width_row<6>()};

const WidthRow& width_of(const LinkBatch& batch) {
  return kWidths[static_cast<std::size_t>(batch.joint->nv)];
}

void start_inertias(const TreeModel& tree, TreeData& data) {
  for (std::size_t i = 1; i < tree.links.size(); ++i) {
    LinkState& L = data.links[i];
    const double m = tree.links[i].inertia.m;
    L.IA = {L.I, Mat3::cross_matrix(L.h), {m, m, m, 0, 0, 0}};
  }
}

}  // namespace

Status factor_mass(const TreeModel& tree, TreeData& data) {
  start_inertias(tree, data);
  const Pass pass{tree, data};
  bool regular = true;
  for (auto batch = tree.batches.rbegin(); batch != tree.batches.rend(); ++batch) {
    regular &= width_of(*batch).factor(pass, *batch);
  }
  return regular ? Status::ok : Status::fatal;
}

Status forward_dynamics(const TreeModel& tree, TreeData& data) {
  for (std::size_t i = 1; i < tree.links.size(); ++i) {
    LinkState& L = data.links[i];
    L.pA = Wrench{cross(L.V.w, L.I * L.V.w), cross(L.V.w, cross(L.V.w, L.h))} - L.f_ext;  // (1)
  }
  if (factor_mass(tree, data) != Status::ok) return Status::fatal;
  const Pass pass{tree, data};
  for (auto batch = tree.batches.rbegin(); batch != tree.batches.rend(); ++batch) {
    width_of(*batch).carry(pass, *batch);
  }
  data.links[0].A = {};
  for (const LinkBatch& batch : tree.batches) width_of(batch).accelerate(pass, batch);
  return Status::ok;
}

void apply_inverse_mass(const TreeModel& tree, const TreeData& data, std::span<const int> links,
                        std::span<const double> tau, ResponseScratch& s, std::span<double> vdot) {
  for (const int i : links) s.p[static_cast<std::size_t>(i)] = {};
  for (std::size_t n_left = links.size(); n_left-- > 0;) {
    const int i = links[n_left];
    const Link& link = tree.links[static_cast<std::size_t>(i)];
    const int n = link.joint->nv;
    const double* D_inv = data.D_inv.data() + 36 * static_cast<std::size_t>(i);
    Wrench pa = s.p[static_cast<std::size_t>(i)];
    double* u = s.u.data() + link.v0;
    for (int k = 0; k < n; ++k) {
      const auto j = static_cast<std::size_t>(link.v0 + k);
      u[k] = data.known[j] ? 0.0 : tau[j] - dot(data.H[j], s.p[static_cast<std::size_t>(i)]);
    }
    if (link.parent == 0) continue;
    for (int r = 0; r < n; ++r) {
      double g = 0.0;
      for (int c = 0; c < n; ++c) g += D_inv[n * r + c] * u[c];
      pa += g * data.U[static_cast<std::size_t>(link.v0 + r)];
    }
    s.p[static_cast<std::size_t>(link.parent)] +=
        shifted(pa, data.links[static_cast<std::size_t>(i)].r);
  }
  s.a[0] = {};
  for (const int i : links) {
    const Link& link = tree.links[static_cast<std::size_t>(i)];
    const int n = link.joint->nv;
    const double* D_inv = data.D_inv.data() + 36 * static_cast<std::size_t>(i);
    Motion a = shifted(s.a[static_cast<std::size_t>(link.parent)],
                       data.links[static_cast<std::size_t>(i)].r);
    double rest[kMaxJointVelocities];
    for (int k = 0; k < n; ++k) {
      const auto j = static_cast<std::size_t>(link.v0 + k);
      rest[k] = s.u[j] - dot(a, data.U[j]);
    }
    for (int r = 0; r < n; ++r) {
      const auto j = static_cast<std::size_t>(link.v0 + r);
      double g = 0.0;
      for (int c = 0; c < n; ++c) g += D_inv[n * r + c] * rest[c];
      vdot[j] = data.known[j] ? 0.0 : g;
    }
    for (int k = 0; k < n; ++k) {
      const auto j = static_cast<std::size_t>(link.v0 + k);
      a += vdot[j] * data.H[j];
    }
    s.a[static_cast<std::size_t>(i)] = a;
  }
}

std::vector<int> all_links(const TreeModel& tree) {
  std::vector<int> links;
  for (int i = 1; i < tree.link_count(); ++i) links.push_back(i);
  return links;
}

}  // namespace carom
