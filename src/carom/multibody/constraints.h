// Constraints between coordinates: closed loops of any joint kind, and couplings.
//
// A loop joint of kind K connects frame F on link A with frame M on link B. With H
// the motion subspace of K at the coordinates nearest to the actual X_FM, and N an
// orthonormal basis of what H leaves out,
//
//   Nᵀ e = 0,   Nᵀ V_FM = 0,   Nᵀ (A_FM − H' v_K) = 0                           (1)
//
// hold the loop at position, velocity and acceleration level; e is the small motion
// that takes X(q_K) to X_FM. So every row of the joint catalogue closes loops
// without code of its own. A coupling is the row q1 − ratio q2 = offset.
//
// Multipliers solve J M⁻¹ Jᵀ λ = … per island (trees that constraints connect),
// rank-revealing and of minimum norm, so redundant and singular loops are harmless. A row moves
// the two trees of its constraint and no other, so in large islands W is sparse: there only what
// those trees contain is touched, and the cost of a chain of loops grows with their number.
#pragma once

#include <span>
#include <vector>

#include "carom/math/psd_solver.h"
#include "carom/math/sparse_psd.h"
#include "carom/multibody/dynamics.h"

namespace carom {

struct LoopConstraint {
  LinkId link_a = 0, link_b = 0;
  Pose X_AF, X_BM;  ///< in link frames
  const JointKind* joint = nullptr;
  std::vector<double> params;
  int rows() const { return 6 - joint->nv; }
};

struct CouplingConstraint {
  int q_first = 0, v_first = 0, q_second = 0, v_second = 0;
  double ratio = 1.0, offset = 0.0;
};

/// Constraints whose trees are connected, with the links and velocities involved.
struct ConstraintIsland {
  std::vector<int> loops, couplings;
  std::vector<int> links;       ///< parents first
  std::vector<int> velocities;  ///< indices into v, increasing
  int max_rows = 0;
  /// Per constraint (loops, then couplings): what its trees contain, and which constraints before
  /// it, itself included, share one. Only of islands with many rows.
  struct Support {
    std::vector<int> links;       ///< parents first
    std::vector<int> places;      ///< into `velocities`, increasing
    std::vector<int> neighbours;  ///< constraints, increasing
  };
  std::vector<Support> supports;
  bool is_sparse() const { return !supports.empty(); }
  /// Rank of J where the mechanism is not singular. Overconstrained linkages move because
  /// some of their rows are redundant, exactly so only on the manifold: near a flat position
  /// rounding would make them independent and lock the mechanism.
  int generic_rank = 1 << 30;
};

struct ConstraintModel {
  std::vector<LoopConstraint> loops;
  std::vector<CouplingConstraint> couplings;
  std::vector<ConstraintIsland> islands;
  bool empty() const { return loops.empty() && couplings.empty(); }
};

/// Groups the constraints into islands.
void finish_constraints(const TreeModel& tree, ConstraintModel& constraints);

struct ConstraintData {
  ConstraintData(const TreeModel& tree, const ConstraintModel& constraints);

  std::vector<std::uint8_t> loop_active;             ///< in: which loops hold
  std::vector<Wrench> loop_reaction;                 ///< on link B about Mo, world axes
  std::vector<double> coupling_force;                ///< generalised force on the first coordinate
  std::vector<double> J, MinvJt, W, lambda, wanted;  ///< of the island being solved
  std::vector<double> column, response, step;
  std::vector<double> rest;  ///< velocities of zero
  /// Per island, the largest share of a right-hand side that no multipliers can meet: above
  /// rounding only where known velocities and constraints contradict each other.
  std::vector<double> contradiction;
  std::vector<int> row_kind;   ///< 0 translation, 1 rotation, 2 coupling
  std::vector<int> row_owner;  ///< constraint of a row, by its place in the island
  std::vector<int> first_row;  ///< of each constraint, and the end
  std::vector<double> diagonal;
  std::vector<double> row_scale;
  ResponseScratch scratch;
  PsdSolver solver;
  SparsePsdSolver sparse_solver;
  std::size_t rank = 0;       ///< of the island solved last
  std::size_t redundant = 0;  ///< rows found redundant in the last solution
  bool is_deficient = false;  ///< an island had less than its generic rank in the last solution
};

/// Rank of each island's J at the current kinematics (factor_mass must be current).
std::vector<int> calc_ranks(const TreeModel& tree, const ConstraintModel& constraints,
                            TreeData& data, ConstraintData& work);

/// Adds to data.vdot what the constraints demand; call after forward_dynamics.
void constrain_accelerations(const TreeModel& tree, const ConstraintModel& constraints,
                             std::span<const double> v, TreeData& data, ConstraintData& work);

/// Largest violation at position level (m, rad) and velocity level.
double position_error(const TreeModel& tree, const ConstraintModel& constraints,
                      std::span<const double> q, const TreeData& data, const ConstraintData& work);
double velocity_error(const TreeModel& tree, const ConstraintModel& constraints,
                      std::span<const double> v, const TreeData& data, const ConstraintData& work);

/// Moves q to the constraint manifold along M⁻¹Jᵀ by Newton's method, until the violation is
/// within `tolerance` or rounding stops it; recomputes kinematics. Returns what remains.
double project_positions(const TreeModel& tree, const ConstraintModel& constraints,
                         std::span<double> q, TreeData& data, ConstraintData& work,
                         double tolerance, int max_iterations);
/// Removes from `v` (or any tangent vector) what violates the constraints. Kinematics
/// and factor_mass must be current.
void project_velocities(const TreeModel& tree, const ConstraintModel& constraints,
                        std::span<double> v, TreeData& data, ConstraintData& work);

}  // namespace carom
