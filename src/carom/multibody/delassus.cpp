#include "carom/multibody/delassus.h"

#include <algorithm>

namespace carom {

void calc_jacobian(const TreeModel& tree, const TreeData& data, std::span<const ConstraintRow> rows,
                   std::span<double> J) {
  const auto nv = static_cast<std::size_t>(tree.nv);
  std::fill(J.begin(), J.end(), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ConstraintRow& row = rows[i];
    const Wrench unit{row.direction.w, row.direction.v};
    const std::span<double> line = J.subspan(i * nv, nv);
    add_generalised_force(tree, data, row.link_b, row.p_W, unit, line);
    add_generalised_force(tree, data, row.link_a, row.p_W, -1.0 * unit, line);
  }
}

void calc_point_jacobian(const TreeModel& tree, const TreeData& data, int link, const Vec3& p_W,
                         std::span<double> J) {
  ConstraintRow rows[6];
  for (std::size_t k = 0; k < 6; ++k) {
    rows[k].link_b = link;
    rows[k].p_W = p_W;
    (k < 3 ? rows[k].direction.w[k] : rows[k].direction.v[k - 3]) = 1.0;
  }
  calc_jacobian(tree, data, rows, J);
}

void calc_delassus(const TreeModel& tree, const TreeData& data, std::span<const int> links,
                   std::span<const double> J, std::size_t m, ResponseScratch& scratch,
                   std::span<double> MinvJt, std::span<double> W) {
  const auto nv = static_cast<std::size_t>(tree.nv);
  for (std::size_t i = 0; i < m; ++i) {
    apply_inverse_mass(tree, data, links, J.subspan(i * nv, nv), scratch,
                       MinvJt.subspan(i * nv, nv));
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < nv; ++k) sum += J[j * nv + k] * MinvJt[i * nv + k];
      W[i * m + j] = W[j * m + i] = sum;
    }
  }
}

}  // namespace carom
