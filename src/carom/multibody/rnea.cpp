// Recursive Newton-Euler and composite rigid bodies: the referees of the
// articulated-body algorithm, and the inverse dynamics and mass matrix that users
// ask for. Equations as in aba.cpp.
#include "carom/multibody/dynamics.h"

namespace carom {

void inverse_dynamics(const TreeModel& tree, std::span<const double> vdot, TreeData& data,
                      std::span<double> tau) {
  data.links[0].A = {};
  for (std::size_t i = 1; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    LinkState& L = data.links[i];
    L.A = shifted(data.links[static_cast<std::size_t>(link.parent)].A, L.r) + L.c;
    for (int k = 0; k < link.joint->nv; ++k) {
      const auto j = static_cast<std::size_t>(link.v0 + k);
      L.A += vdot[j] * data.H[j];
    }
    const Inertia inertia{link.inertia.m, L.h, L.I};
    L.pA = inertia * L.A + Wrench{cross(L.V.w, L.I * L.V.w), cross(L.V.w, cross(L.V.w, L.h))} -
           L.f_ext;
  }
  for (std::size_t i = tree.links.size() - 1; i > 0; --i) {
    const Link& link = tree.links[i];
    const LinkState& L = data.links[i];
    for (int k = 0; k < link.joint->nv; ++k) {
      const auto j = static_cast<std::size_t>(link.v0 + k);
      tau[j] = dot(data.H[j], L.pA) + tree.armature[j] * vdot[j];
    }
    if (link.parent > 0) data.links[static_cast<std::size_t>(link.parent)].pA += shifted(L.pA, L.r);
  }
}

void calc_mass_matrix(const TreeModel& tree, TreeData& data, std::span<double> M) {
  const auto nv = static_cast<std::size_t>(tree.nv);
  for (double& m : M) m = 0.0;
  for (std::size_t i = 1; i < tree.links.size(); ++i) {
    LinkState& L = data.links[i];
    const double m = tree.links[i].inertia.m;
    L.IA = {L.I, Mat3::cross_matrix(L.h), {m, m, m, 0, 0, 0}};
  }
  for (std::size_t i = tree.links.size() - 1; i > 0; --i) {
    const Link& link = tree.links[i];
    for (int k = 0; k < link.joint->nv; ++k) {
      const auto row = static_cast<std::size_t>(link.v0 + k);
      Wrench f = data.links[i].IA * data.H[row];
      // Up the chain: the wrench that moves the composite body through every joint below the root.
      for (std::size_t j = i;;) {
        const Link& above = tree.links[j];
        for (int c = 0; c < above.joint->nv; ++c) {
          const auto col = static_cast<std::size_t>(above.v0 + c);
          if (j == i && c > k) continue;
          M[row * nv + col] = M[col * nv + row] = dot(data.H[col], f);
        }
        if (above.parent == 0) break;
        f = shifted(f, data.links[j].r);
        j = static_cast<std::size_t>(above.parent);
      }
      M[row * nv + row] += tree.armature[row];
    }
    if (link.parent > 0) {
      add_shifted(data.links[static_cast<std::size_t>(link.parent)].IA, data.links[i].IA,
                  data.links[i].r);
    }
  }
}

void add_generalised_force(const TreeModel& tree, const TreeData& data, int link_index,
                           const Vec3& p_W, const Wrench& w, std::span<double> tau) {
  if (link_index == 0) return;
  auto i = static_cast<std::size_t>(link_index);
  Wrench f = shifted(w, p_W - data.links[i].p_WL);
  for (;;) {
    const Link& link = tree.links[i];
    for (int k = 0; k < link.joint->nv; ++k) {
      const auto j = static_cast<std::size_t>(link.v0 + k);
      tau[j] += dot(data.H[j], f);
    }
    if (link.parent == 0) return;
    f = shifted(f, data.links[i].r);
    i = static_cast<std::size_t>(link.parent);
  }
}

}  // namespace carom
