// The impulses of a time step: bodies by mass and inertia, points by where they press.
//
//   v+ = v* + M^-1 J^T r,   u = J v+,                                                    (1)
//   r_n >= 0,  u_n >= b,  r_n (u_n - b) = 0;   |r_t| <= mu r_n,  r_t against u_t         (2)
//
// with b the least speed of separation that keeps the bodies out of each other. This is Coulomb's
// cone itself, not its convex relaxation, which would let a body that slides rise by h mu u_t.
//
// Block Gauss-Seidel from the impulses of the last step: point by point, the normal first,
//
//   r_n <- max(0, r_n - (u_n - b) / w_n),   r_t <- P(r_t - u_t / w_t)                      (3)
//
// whose fixed points are the answers of (2). Small islands that do not converge so are handed to
// the solver of cones (contact/cones/cone_solver.h).
#pragma once

#include <cstdint>
#include <vector>

#include "carom/contact/cones/cone_problem.h"
#include "carom/math/mat3.h"

namespace carom {

struct StepBody {
  Vec3 v, w;              ///< of the centre of mass, angular: with the impulses so far
  double mobility = 0.0;  ///< 1 / mass
  Sym3 inverse;           ///< of the inertia about it, in world axes
};

struct StepPoint {
  int a = -1, b = -1;           ///< bodies, -1: nothing that impulses move
  Vec3 n, arm_a, arm_b;         ///< normal from A to B; from the centres of mass to the point
  Vec3 drift;                   ///< of u, by what impulses do not move [m/s]
  double bound = 0.0;           ///< b in (2) [m/s]
  double mu_k = 0.0;            ///< friction of what slides, and up to which it sticks
  double mu_s = 0.0;            ///< the same of what has stuck so far
  bool slides = true;           ///< it slid where the step begins, or does by now
  double normal = 0.0;          ///< r_n [N.s]
  Vec3 friction;                ///< r_t [N.s]
  double w_n = 1.0, w_t = 1.0;  ///< mobilities along and across the normal [1/kg]

  double mu() const { return slides ? mu_k : mu_s; }
};

/// Points with a bound below this have no part in a problem [m/s].
inline constexpr double kOpenBound = -1e20;

class ImpulseSolver {
 public:
  std::vector<StepBody> bodies;
  std::vector<StepPoint> points;

  /// Points that act on each other through bodies: places in `points`, by island.
  void find_islands();
  std::size_t island_count() const { return first_.empty() ? 0 : first_.size() - 1; }
  std::span<const int> island(std::size_t i) const {
    return {order_.data() + first_[i], static_cast<std::size_t>(first_[i + 1] - first_[i])};
  }
  /// Its bodies.
  std::span<const int> bodies_of(std::size_t i) const {
    return {body_order_.data() + body_first_[i],
            static_cast<std::size_t>(body_first_[i + 1] - body_first_[i])};
  }
  /// Of a body; -1: no point touches it.
  int island_of(int body) const { return island_of_[static_cast<std::size_t>(body)]; }

  /// Mobilities of a point, whose place is known.
  void prepare(StepPoint& point) const;
  Vec3 velocity(const StepPoint& point) const;
  /// Adds an impulse on B, and its opposite on A.
  void push(const StepPoint& point, const Vec3& impulse);

  /// Impulses of an island to `tolerance` [m/s], from those that its points have, which the
  /// velocities of its bodies contain. False where they were not even found to what is `bearable`.
  bool solve(std::size_t island, double tolerance, double bearable);

  std::int64_t sweeps() const { return sweeps_; }
  std::int64_t iterations() const { return iterations_; }

 private:
  double sweep_point(StepPoint& point);
  bool solve_by_cones(std::span<const int> own);
  int root(int body);

  std::vector<int> parent_, island_of_, order_, first_, count_, closed_;
  std::vector<int> body_order_, body_first_;
  std::vector<double> W_, q_, mu_, r_;
  std::int64_t sweeps_ = 0, iterations_ = 0;
};

}  // namespace carom
