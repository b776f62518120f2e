#include "carom/multibody/constraints.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/multibody/loop_geometry.h"

namespace carom {
namespace {

/// A loop open by less is closed as far as it matters [m, rad].
constexpr double kClosed = 1e-9;
/// Pivots of the scaled rows below this are taken for zero. At the angle a from a change
/// point a row is as small as a, its pivot as a². There a gap of rounding, e = 1e-15, leaves
/// the coordinates off by e/a and the direction of motion by e/a²; leaving the row out errs
/// by a instead. Both are equal at a = e^(1/3) = 1e-5: a pivot of 1e-10.
constexpr double kSingular = 1e-10;

/// The rows of one island: J, and per row the residual that `residual` computes.
struct IslandRows {
  int count = 0;
  std::size_t width = 0;
};

/// Calls visit(k) for every velocity of the island that row i may move.
template <class Visit>
void for_support(const ConstraintIsland& island, const ConstraintData& w, std::size_t i,
                 std::size_t width, Visit visit) {
  if (!island.is_sparse()) {
    for (std::size_t k = 0; k < width; ++k) visit(k);
  } else {
    for (const int k : island.supports[at(w.row_owner[i])].places) visit(at(k));
  }
}

template <class LoopResidual, class CouplingResidual>
IslandRows build_rows(const TreeModel& tree, const ConstraintModel& constraints,
                      const ConstraintIsland& island, const TreeData& data, ConstraintData& w,
                      LoopResidual loop_residual, CouplingResidual coupling_residual) {
  IslandRows rows;
  rows.width = island.velocities.size();
  int owner = -1;
  const auto add_row = [&](double residual) {
    w.row_owner[at(rows.count)] = owner;
    for_support(island, w, at(rows.count), rows.width, [&](std::size_t k) {
      w.J[at(rows.count) * rows.width + k] = w.column[at(island.velocities[k])];
      w.column[at(island.velocities[k])] = 0.0;
    });
    w.lambda[at(rows.count++)] = -residual;
  };
  for (const int index : island.loops) {
    w.first_row[at(++owner)] = rows.count;
    if (!w.loop_active[at(index)]) continue;
    const LoopConstraint& loop = constraints.loops[at(index)];
    const LoopGeometry g = calc_loop(loop, data);
    const Motion residual = loop_residual(loop, g);
    for (int k = 0; k < g.rows; ++k) {
      const Wrench n{g.normal[k].w, g.normal[k].v};
      add_generalised_force(tree, data, loop.link_b, g.p_M, n, w.column);
      add_generalised_force(tree, data, loop.link_a, g.p_M, -1.0 * n, w.column);
      w.row_kind[at(rows.count)] = norm2(g.normal[k].w) > norm2(g.normal[k].v) ? 1 : 0;
      add_row(product(g.normal[k], residual));
    }
  }
  for (const int index : island.couplings) {
    const CouplingConstraint& c = constraints.couplings[at(index)];
    w.first_row[at(++owner)] = rows.count;
    w.column[at(c.v_first)] = 1.0;
    w.column[at(c.v_second)] = -c.ratio;
    w.row_kind[at(rows.count)] = 2;
    add_row(coupling_residual(c));
  }
  w.first_row[at(owner + 1)] = rows.count;
  return rows;
}

/// Makes rows of metres, radians and couplings comparable: each kind by its own mean, so
/// that a row that nothing can move stays small beside its like. A whole kind may be
/// rounding (the tilts of a planar loop, in a plane of general position): radii of
/// gyration are between 1e-10 and 1e10 m, so that what is smaller is nothing.
void scale_rows(std::size_t m, ConstraintData& w) {
  constexpr double kNothing = 1e-20;
  double mean[3] = {0, 0, 0};
  int count[3] = {0, 0, 0};
  for (std::size_t i = 0; i < m; ++i) {
    mean[w.row_kind[i]] += w.diagonal[i];
    ++count[w.row_kind[i]];
  }
  for (int kind = 0; kind < 3; ++kind) mean[kind] /= std::max(1, count[kind]);
  const double least = kNothing * std::max({mean[0], mean[1], mean[2]});
  for (std::size_t i = 0; i < m; ++i) {
    const double size = mean[w.row_kind[i]];
    w.row_scale[i] = size > least ? 1.0 / std::sqrt(size) : 0.0;
  }
}

/// What W lambda leaves of the right-hand side, relative to it.
double calc_contradiction(std::size_t m, const ConstraintIsland& island, ConstraintData& w) {
  double size = 0.0, left = 0.0;
  if (island.is_sparse()) {
    w.sparse_solver.multiply(std::span<const double>(w.lambda).first(m),
                             std::span<double>(w.diagonal).first(m));
  }
  for (std::size_t i = 0; i < m; ++i) {
    double rest = w.wanted[i];
    if (island.is_sparse()) {
      rest -= w.diagonal[i];
    } else {
      for (std::size_t j = 0; j < m; ++j) rest -= w.W[i * m + j] * w.lambda[j];
    }
    size = std::max(size, std::abs(w.wanted[i]));
    left = std::max(left, std::abs(rest));
  }
  return size > 0.0 ? left / size : 0.0;
}

/// W = J M⁻¹Jᵀ, all of it.
void calc_dense_product(const IslandRows& rows, ConstraintData& w) {
  const std::size_t m = at(rows.count);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double s = 0.0;
      for (std::size_t k = 0; k < rows.width; ++k) {
        s += w.J[j * rows.width + k] * w.MinvJt[i * rows.width + k];
      }
      w.W[i * m + j] = w.W[j * m + i] = s;
    }
    w.diagonal[i] = w.W[i * m + i];
  }
}

/// The same between constraints that share a tree; elsewhere it is zero.
void calc_sparse_product(const ConstraintIsland& island, const IslandRows& rows,
                         ConstraintData& w) {
  w.sparse_solver.begin(at(rows.count));
  for (std::size_t i = 0; i < at(rows.count); ++i) {
    const ConstraintIsland::Support& own = island.supports[at(w.row_owner[i])];
    for (const int k : own.places) w.column[at(k)] = w.MinvJt[i * rows.width + at(k)];
    for (const int other : own.neighbours) {
      const std::size_t end = std::min(i + 1, at(w.first_row[at(other) + 1]));
      for (std::size_t j = at(w.first_row[at(other)]); j < end; ++j) {
        double s = 0.0;
        for (const int k : island.supports[at(other)].places) {
          s += w.J[j * rows.width + at(k)] * w.column[at(k)];
        }
        w.sparse_solver.set(i, j, s);
        if (i == j) w.diagonal[i] = s;
      }
    }
    for (const int k : own.places) w.column[at(k)] = 0.0;
  }
}

/// Replaces lambda (right-hand sides) by the multipliers; MinvJt is filled.
void solve_island(const TreeModel& tree, const ConstraintIsland& island, const TreeData& data,
                  const IslandRows& rows, ConstraintData& w) {
  const auto m = static_cast<std::size_t>(rows.count);
  const std::size_t width = rows.width;
  for (std::size_t i = 0; i < m; ++i) {
    for_support(island, w, i, width,
                [&](std::size_t k) { w.column[at(island.velocities[k])] = w.J[i * width + k]; });
    const std::vector<int>& links =
        island.is_sparse() ? island.supports[at(w.row_owner[i])].links : island.links;
    apply_inverse_mass(tree, data, links, w.column, w.scratch, w.response);
    for_support(island, w, i, width, [&](std::size_t k) {
      w.MinvJt[i * width + k] = w.response[at(island.velocities[k])];
      w.column[at(island.velocities[k])] = 0.0;
    });
  }
  const auto solve = [&](auto& solver, auto... system) {
    scale_rows(m, w);
    const std::span<const double> scale = std::span<const double>(w.row_scale).first(m);
    if constexpr (sizeof...(system) > 0) {
      w.rank = solver.factor_scaled(system..., scale, kSingular, at(island.generic_rank));
    } else {
      w.rank = solver.factor(scale, kSingular, at(island.generic_rank));
    }
    if (w.rank < m) std::copy_n(w.lambda.begin(), m, w.wanted.begin());
    solver.solve(std::span<double>(w.lambda).first(m));
  };
  if (island.is_sparse()) {
    calc_sparse_product(island, rows, w);
    solve(w.sparse_solver);
  } else {
    calc_dense_product(rows, w);
    solve(w.solver, std::span<const double>(w.W));
  }
  w.redundant += m - w.rank;
  w.is_deficient |= w.rank < std::min(m, at(island.generic_rank));
}

/// Σ λ_i (M⁻¹Jᵀ)_i added to the velocities of the island in `target`.
void add_response(const ConstraintIsland& island, const IslandRows& rows, const ConstraintData& w,
                  std::span<double> target) {
  for (std::size_t i = 0; i < at(rows.count); ++i) {
    for_support(island, w, i, rows.width, [&](std::size_t k) {
      target[at(island.velocities[k])] += w.lambda[i] * w.MinvJt[i * rows.width + k];
    });
  }
}

}  // namespace

ConstraintData::ConstraintData(const TreeModel& tree, const ConstraintModel& constraints)
    : loop_active(constraints.loops.size(), 1),
      loop_reaction(constraints.loops.size()),
      coupling_force(constraints.couplings.size(), 0.0),
      column(static_cast<std::size_t>(tree.nv), 0.0),
      response(static_cast<std::size_t>(tree.nv), 0.0),
      step(static_cast<std::size_t>(tree.nv), 0.0),
      rest(static_cast<std::size_t>(tree.nv), 0.0),
      contradiction(constraints.islands.size(), 0.0),
      scratch(tree),
      solver([&] {
        int rows = 0;
        for (const ConstraintIsland& island : constraints.islands) {
          if (!island.is_sparse()) rows = std::max(rows, island.max_rows);
        }
        return static_cast<std::size_t>(rows);
      }()) {
  std::size_t rows = 0, entries = 0, dense = 0, owners = 0;
  for (const ConstraintIsland& island : constraints.islands) {
    rows = std::max(rows, at(island.max_rows));
    entries = std::max(entries, at(island.max_rows) * island.velocities.size());
    if (!island.is_sparse()) dense = std::max(dense, at(island.max_rows));
    owners = std::max(owners, island.loops.size() + island.couplings.size());
  }
  J.resize(entries);
  MinvJt.resize(entries);
  W.resize(dense * dense);
  diagonal.resize(rows);
  row_owner.resize(rows);
  first_row.resize(owners + 1);
  lambda.resize(rows);
  wanted.resize(rows);
  row_kind.resize(rows);
  row_scale.resize(rows);
}

void constrain_accelerations(const TreeModel& tree, const ConstraintModel& constraints,
                             std::span<const double>, TreeData& data, ConstraintData& w) {
  w.redundant = 0;
  w.is_deficient = false;
  for (Wrench& reaction : w.loop_reaction) reaction = {};
  for (std::size_t i = 0; i < constraints.islands.size(); ++i) {
    const ConstraintIsland& island = constraints.islands[i];
    w.contradiction[i] = 0.0;
    const IslandRows rows = build_rows(
        tree, constraints, island, data, w,
        [&](const LoopConstraint& c, const LoopGeometry& g) {
          return relative_acceleration(c, g, data);
        },
        [&](const CouplingConstraint& c) {
          return data.vdot[at(c.v_first)] - c.ratio * data.vdot[at(c.v_second)];
        });
    if (rows.count == 0) continue;
    solve_island(tree, island, data, rows, w);
    if (w.rank < at(rows.count)) {
      w.contradiction[i] = calc_contradiction(at(rows.count), island, w);
    }
    add_response(island, rows, w, data.vdot);
    int row = 0;
    for (const int index : island.loops) {
      if (!w.loop_active[at(index)]) continue;
      const LoopConstraint& loop = constraints.loops[at(index)];
      const LoopGeometry g = calc_loop(loop, data);
      for (int k = 0; k < g.rows; ++k, ++row) {
        w.loop_reaction[at(index)] += w.lambda[at(row)] * Wrench{g.normal[k].w, g.normal[k].v};
      }
    }
    for (const int index : island.couplings) w.coupling_force[at(index)] = w.lambda[at(row++)];
  }
}

double position_error(const TreeModel&, const ConstraintModel& constraints,
                      std::span<const double> q, const TreeData& data, const ConstraintData& w) {
  double worst = 0.0;
  for (std::size_t i = 0; i < constraints.loops.size(); ++i) {
    if (!w.loop_active[i]) continue;
    const LoopGeometry g = calc_loop(constraints.loops[i], data);
    for (int k = 0; k < g.rows; ++k) {
      worst = std::max(worst, std::abs(product(g.normal[k], g.error)));
    }
  }
  for (const CouplingConstraint& c : constraints.couplings) {
    worst = std::max(worst, std::abs(q[at(c.q_first)] - c.ratio * q[at(c.q_second)] - c.offset));
  }
  return worst;
}

double velocity_error(const TreeModel&, const ConstraintModel& constraints,
                      std::span<const double> v, const TreeData& data, const ConstraintData& w) {
  double worst = 0.0;
  for (std::size_t i = 0; i < constraints.loops.size(); ++i) {
    if (!w.loop_active[i]) continue;
    const LoopGeometry g = calc_loop(constraints.loops[i], data);
    const Motion V = relative_velocity(constraints.loops[i], g, data);
    for (int k = 0; k < g.rows; ++k) worst = std::max(worst, std::abs(product(g.normal[k], V)));
  }
  for (const CouplingConstraint& c : constraints.couplings) {
    worst = std::max(worst, std::abs(v[at(c.v_first)] - c.ratio * v[at(c.v_second)]));
  }
  return worst;
}

double project_positions(const TreeModel& tree, const ConstraintModel& constraints,
                         std::span<double> q, TreeData& data, ConstraintData& w, double tolerance,
                         int max_iterations) {
  double error = 0.0, before = std::numeric_limits<double>::infinity();
  for (int iteration = 0;; ++iteration, before = error) {
    calc_kinematics(tree, q, w.rest, data);
    error = position_error(tree, constraints, q, data, w);
    if (error <= tolerance || iteration == max_iterations) return error;
    // Rounding is reached where nothing is gained any more.
    if (error < kClosed && error > 0.5 * before) return error;
    if (factor_mass(tree, data) != Status::ok) return error;
    std::fill(w.step.begin(), w.step.end(), 0.0);
    w.redundant = 0;
    for (const ConstraintIsland& island : constraints.islands) {
      const IslandRows rows = build_rows(
          tree, constraints, island, data, w,
          [&](const LoopConstraint&, const LoopGeometry& g) { return g.error; },
          [&](const CouplingConstraint& c) {
            return q[at(c.q_first)] - c.ratio * q[at(c.q_second)] - c.offset;
          });
      if (rows.count == 0) continue;
      solve_island(tree, island, data, rows, w);
      add_response(island, rows, w, w.step);
    }
    // A long step leaves the range of the linearisation: half a radian or metre at most.
    double longest = 0.0;
    for (const double s : w.step) longest = std::max(longest, std::abs(s));
    const double scale = longest > 0.5 ? 0.5 / longest : 1.0;
    for (double& s : w.step) s *= scale;
    for (std::size_t i = 1; i < tree.links.size(); ++i) {
      const Link& link = tree.links[i];
      link.joint->move(w.step.data() + link.v0, q.data() + link.q0);
    }
  }
}

std::vector<int> calc_ranks(const TreeModel& tree, const ConstraintModel& constraints,
                            TreeData& data, ConstraintData& w) {
  std::vector<int> ranks;
  for (const ConstraintIsland& island : constraints.islands) {
    const IslandRows rows = build_rows(
        tree, constraints, island, data, w,
        [&](const LoopConstraint&, const LoopGeometry&) { return Motion{}; },
        [&](const CouplingConstraint&) { return 0.0; });
    if (rows.count > 0) solve_island(tree, island, data, rows, w);
    ranks.push_back(rows.count > 0 ? static_cast<int>(w.rank) : 0);
  }
  return ranks;
}

void project_velocities(const TreeModel& tree, const ConstraintModel& constraints,
                        std::span<double> v, TreeData& data, ConstraintData& w) {
  w.redundant = 0;
  for (const ConstraintIsland& island : constraints.islands) {
    const IslandRows rows = build_rows(
        tree, constraints, island, data, w,
        [&](const LoopConstraint&, const LoopGeometry&) { return Motion{}; },
        [&](const CouplingConstraint&) { return 0.0; });
    if (rows.count == 0) continue;
    // Residual J v straight from the rows, so that any tangent vector can be projected.
    for (std::size_t i = 0; i < at(rows.count); ++i) {
      double s = 0.0;
      for_support(island, w, i, rows.width, [&](std::size_t k) {
        s += w.J[i * rows.width + k] * v[at(island.velocities[k])];
      });
      w.lambda[i] = -s;
    }
    solve_island(tree, island, data, rows, w);
    add_response(island, rows, w, v);
  }
}

}  // namespace carom
