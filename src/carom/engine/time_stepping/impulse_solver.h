// The impulses of a time step: free bodies by mass and inertia, trees of joints by coordinates
// whose mass is one (implicit/tree_blocks.h), points by where they press, rows by what else
// answers.
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
// whose fixed points are the answers of (2). Springs, drives, stops and friction of joints are rows
// of one number, r = h f(u) with f that never rises (math/step_problem.h): each sweep solves them
// one by one as well. Small islands that do not converge so are handed to the solver of cones
// (impulse_cones.cpp, contact/cones/cone_solver.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/math/mat3.h"
#include "carom/math/step_problem.h"

namespace carom {

struct StepBody {
  Vec3 v, w;              ///< of the centre of mass, angular: with the impulses so far
  double mobility = 0.0;  ///< 1 / mass
  Sym3 inverse;           ///< of the inertia about it, in world axes
};

/// Bodies on joints; its velocities are y[start …].
struct StepTree {
  std::size_t start = 0, count = 0;
  double mobility = 1.0;
};

/// What a point or a row acts on: a body, or from the number of bodies on a tree; -1: nothing that
/// impulses move.
using Mover = int;

struct StepPoint {
  Mover a = -1, b = -1;
  bool has_tree = false;
  std::size_t jac_a = 0, jac_b = 0;  ///< of trees: rows of x, y, z in `jacobian`
  Vec3 n, arm_a, arm_b;              ///< normal from A to B; from the centres of mass to the point
  Vec3 drift;                        ///< of u, by what impulses do not move [m/s]
  double bound = 0.0;                ///< b in (2) [m/s]
  double mu_k = 0.0;                 ///< friction of what slides, and up to which it sticks
  double mu_s = 0.0;                 ///< the same of what has stuck so far
  bool slides = true;                ///< it slid where the step begins, or does by now
  double normal = 0.0;               ///< r_n [N.s]
  Vec3 friction;                     ///< r_t [N.s]
  double w_n = 1.0, w_t = 1.0;       ///< mobilities along and across the normal [1/kg]
  Vec3 aside;                        ///< slip that an impulse along the normal brings [1/kg]
  // Turning about the normal (impulse_spin.cpp), where it is resisted.
  double spin_radius = 0.0;            ///< [m]; 0: it is not
  double spin = 0.0;                   ///< its impulse, on B [N.m.s]
  double w_s = 0.0;                    ///< mobility [1/(kg m^2)]
  double spin_drift = 0.0;             ///< by what impulses do not move [rad/s]
  std::size_t spin_a = 0, spin_b = 0;  ///< of trees: one row each in `jacobian`
  bool spins = true;                   ///< it turned where the step begins, or does by now

  double mu() const { return slides ? mu_k : mu_s; }
};

/// What answers to one velocity: a coordinate of a joint, a deflection of an element.
struct StepRow {
  Mover a = -1, b = -1;
  std::size_t jac_a = 0, jac_b = 0;  ///< of trees: one row
  Vec3 turn_a, move_a, turn_b, move_b;
  double drift = 0.0;
  bool is_stop = false;
  NormalRow stop;
  RubRow rub;
  double impulse = 0.0;
  double mobility = 0.0;
};

/// Points with a bound below this have no part in a problem [m/s].
inline constexpr double kOpenBound = -1e20;

/// Of the cone, beyond which what sticks slides.
inline constexpr double kStuckBand = 1e-12;

/// Of a StepPoint of free bodies, what sweeps need (impulse_heap.cpp).
struct HeapPoint {
  int a = 0, b = 0;
  bool slides = true;
  double normal = 0.0;
  Vec3 friction, n, turn_a, turn_b;                                     ///< turn: arm x n
  double bound = 0.0, along = 1.0, across = 1.0, w_n = 1.0, w_t = 1.0;  ///< along: 1 / w_n
  double mu_k = 0.0, mu_s = 0.0;
  Vec3 arm_a, arm_b, aside;
};

/// What an island is solved for.
enum class SolveAs {
  step,
  rough_step,  ///< heaps: a few sweeps alone
  impact,      ///< in no time: rows do nothing
};

class ImpulseSolver {
 public:
  std::vector<StepBody> bodies;
  std::vector<StepTree> trees;
  std::vector<double> y;         ///< velocities of trees
  std::vector<double> jacobian;  ///< of trees, by y
  std::vector<StepPoint> points;
  std::vector<StepRow> rows;
  double h = 0.0;

  /// Forgets points, rows and Jacobians.
  void clear();

  /// Points and rows that act on each other through bodies: places, by island. Where points have
  /// come since the last time these alone are joined.
  void find_islands();
  std::size_t island_count() const { return points_.first.empty() ? 0 : points_.first.size() - 1; }
  std::span<const int> island(std::size_t i) const { return points_.of(i); }
  std::span<const int> rows_of(std::size_t i) const { return rows_.of(i); }
  std::span<const int> bodies_of(std::size_t i) const { return bodies_.of(i); }
  std::span<const int> trees_of(std::size_t i) const { return trees_.of(i); }
  /// Of what a point or a row acts on; -1: nothing touches it.
  int island_of(Mover mover) const { return island_of_[static_cast<std::size_t>(mover)]; }
  int island_of(const StepPoint& p) const { return island_of(p.a >= 0 ? p.a : p.b); }

  bool is_tree(Mover m) const { return m >= static_cast<int>(bodies.size()); }
  const StepTree& tree(Mover m) const { return trees[static_cast<std::size_t>(m) - bodies.size()]; }

  /// Mobilities of a point or a row, whose place is known.
  void prepare(StepPoint& point) const;
  void prepare(StepRow& row) const;
  Vec3 velocity(const StepPoint& point) const {
    return point.has_tree ? tree_velocity(point) : free_velocity(point);
  }
  double velocity(const StepRow& row) const;
  /// Adds an impulse on B, and its opposite on A.
  void push(const StepPoint& point, const Vec3& impulse) {
    if (point.has_tree) return push_trees(point, impulse);
    push_free(point, impulse);
  }
  void push(const StepRow& row, double impulse);
  /// How fast B turns over A about the normal of a point, and an impulse of that.
  double spin_velocity(const StepPoint& point) const;
  void push_spin(const StepPoint& point, double impulse);

  /// Impulses of an island to `tolerance` [m/s], from those that its points and rows have, which
  /// the velocities of its bodies contain. False where they were not even found to what is
  /// `bearable`.
  bool solve(std::size_t island, double tolerance, double bearable, SolveAs as = SolveAs::step);
  /// The same of a heap that was solved before the points from `first_new` on came: sweeps where
  /// they change velocities by more than `tolerance`. False, and nothing is done: it has rows.
  bool solve_near(std::size_t island, std::size_t first_new, double tolerance, int sweeps);
  /// So large that it gets few sweeps.
  bool is_heap(std::size_t island) const;

  std::int64_t sweeps() const { return sweeps_; }
  std::int64_t iterations() const { return iterations_; }

 private:
  struct Lists {
    std::vector<int> order, first;
    std::span<const int> of(std::size_t i) const {
      return {order.data() + first[i], static_cast<std::size_t>(first[i + 1] - first[i])};
    }
  };
  Vec3 free_velocity(const StepPoint& point) const {
    Vec3 u = point.drift;
    if (point.b >= 0) {
      const StepBody& b = bodies[static_cast<std::size_t>(point.b)];
      u += b.v + cross(b.w, point.arm_b);
    }
    if (point.a >= 0) {
      const StepBody& a = bodies[static_cast<std::size_t>(point.a)];
      u -= a.v + cross(a.w, point.arm_a);
    }
    return u;
  }
  void push_free(const StepPoint& point, const Vec3& impulse) {
    if (point.b >= 0) {
      StepBody& b = bodies[static_cast<std::size_t>(point.b)];
      b.v += b.mobility * impulse, b.w += b.inverse * cross(point.arm_b, impulse);
    }
    if (point.a >= 0) {
      StepBody& a = bodies[static_cast<std::size_t>(point.a)];
      a.v -= a.mobility * impulse, a.w -= a.inverse * cross(point.arm_a, impulse);
    }
  }
  Vec3 tree_velocity(const StepPoint& point) const;
  void push_trees(const StepPoint& point, const Vec3& impulse);
  Vec3 response(const StepPoint& point, const Vec3& impulse) const;
  template <typename Of>
  void sort_by_island(std::size_t count, const Of& island_of, Lists& out);
  double sweep_point(StepPoint& point);
  double sweep_row(StepRow& row);
  double sweep_spin(StepPoint& point);
  double spin_mobility(const StepPoint& point) const;
  double sweep(std::size_t island, bool forward, bool with_rows);
  int root(int body);

  // impulse_heap.cpp
  bool is_plain(std::size_t island) const;
  bool solve_heap(std::size_t island, double tolerance, double bearable, int most);
  void gather_heap(std::size_t island);
  void scatter_heap(std::size_t island);
  double sweep_heap(bool forward);

  // impulse_near.cpp
  struct Ends;
  void list_points_of_bodies();
  void wake(const Ends& ends);

  // impulse_cones.cpp
  bool solve_by_cones(std::size_t island, double tolerance, bool with_rows, bool is_quick);
  void choose_rows(std::size_t island, bool with_rows);
  void write_cones(std::size_t island);
  void write_column(std::size_t column, std::size_t n);
  void take_cones(std::span<const double> r);

  /// What a point or a row joins: read again and again, without the rest of it.
  struct Ends {
    Mover a = -1, b = -1;
    Mover any() const { return a >= 0 ? a : b; }
  };
  std::vector<Ends> point_ends_, row_ends_;  ///< of those that islands are known of
  Lists points_, rows_, bodies_, trees_;
  std::vector<int> parent_, island_of_, count_, closed_, linear_;
  std::vector<double> W_, q_, mu_, r_;
  std::vector<StepBody> kept_, heap_bodies_;
  std::vector<HeapPoint> heap_;
  Lists points_of_body_;
  std::vector<int> listed_, near_;                ///< near: points that sweeps take
  std::vector<std::uint8_t> is_awake_, is_near_;  ///< per body or tree, per point
  std::vector<int> heap_body_;                    ///< per body: its place among heap_bodies_
  std::int64_t sweeps_ = 0, iterations_ = 0;
};

}  // namespace carom
