// M⁻¹ times a generalised force, with the articulated inertias already factored:
// (2) to (4) of aba.cpp without velocities and applied wrenches.
#include "carom/multibody/dynamics.h"

namespace carom {

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
