// Jacobians of points and the Delassus operator W = J M⁻¹ Jᵀ: what contact and any
// other unilateral or bilateral constraint needs of the tree.
#pragma once

#include <span>

#include "carom/multibody/dynamics.h"

namespace carom {

/// A direction in which link `b` moves relative to link `a` at a world point: the row
/// J with J v = n_w · (w_b − w_a) + n_v · (v_b − v_a). Link 0 is the world.
struct ConstraintRow {
  LinkId link_a = 0, link_b = 0;
  Vec3 p_W;
  Motion direction;  ///< n_w and n_v, world axes
};

/// Fills row-major J, rows.size() × nv. Kinematics must be current.
void calc_jacobian(const TreeModel& tree, const TreeData& data, std::span<const ConstraintRow> rows,
                   std::span<double> J);

/// The 6 × nv Jacobian of the velocity (w, then v) of the point of `link` at p_W.
void calc_point_jacobian(const TreeModel& tree, const TreeData& data, int link, const Vec3& p_W,
                         std::span<double> J);

/// W = J M⁻¹ Jᵀ (row-major, m × m) and M⁻¹Jᵀ (m rows of nv) for m rows of J, with what
/// forward_dynamics or factor_mass left in `data`. O(m nv) for M⁻¹Jᵀ.
void calc_delassus(const TreeModel& tree, const TreeData& data, std::span<const int> links,
                   std::span<const double> J, std::size_t m, ResponseScratch& scratch,
                   std::span<double> MinvJt, std::span<double> W);

}  // namespace carom
