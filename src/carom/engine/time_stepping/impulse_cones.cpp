// A small island as a dense problem of cones. Rows that answer in proportion to their velocity are
// bilateral ones with a compliance,
//
//   r = h f(u) = c0 - u / c   <=>   u + c r - c c0 = 0,                                    (1)
//
// those at their bound act as they are; which are which is found by trying.
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/index.h"
#include "carom/contact/cones/cone_solver.h"
#include "carom/engine/time_stepping/impulse_solver.h"

namespace carom {
namespace {

constexpr int kMostTrials = 12;
/// What a sweep may still change of an answer, in tolerances of sweeps alone.
constexpr double kOfCones = 10.0;

std::array<Vec3, 3> axes_of(const StepPoint& p) {
  const Vec3 t1 = any_perpendicular(p.n);
  return {p.n, t1, cross(p.n, t1)};
}

/// c and c0 of (1) around the velocity u.
struct Compliance {
  double c = 0.0, c0 = 0.0;
};
Compliance compliance_of(const StepRow& row, double h, double u) {
  if (!row.is_stop) {
    const double slope = h * row.rub.stiffness * (h + row.rub.lag);
    return {1.0 / slope, -h * row.rub.stiffness * row.rub.bristle[0]};
  }
  const RowAnswer now = answer(row.stop, h, u, 1.0);
  return {-1.0 / (h * now.slope), h * (now.force - now.slope * u)};
}

/// What the row would answer to u.
double impulse_at(const StepRow& row, double h, double u) {
  if (row.is_stop) return h * answer(row.stop, h, u, 1.0).force;
  const double f = -row.rub.stiffness * (row.rub.bristle[0] + (h + row.rub.lag) * u);
  return h * std::clamp(f, -row.rub.bound, row.rub.bound);
}

bool is_linear(const StepRow& row, double h, double u) {
  if (!(row.mobility > 0.0)) return false;
  if (row.is_stop) return answer(row.stop, h, u, 1.0).slope < 0.0;
  return row.rub.stiffness > 0.0 && std::abs(impulse_at(row, h, u)) < h * row.rub.bound;
}

}  // namespace

/// Which rows are linear, by the velocities of now; the others act as they do there.
void ImpulseSolver::choose_rows(std::size_t i, bool with_rows) {
  linear_.clear();
  if (!with_rows) return;
  for (const int r : rows_of(i)) {
    StepRow& row = rows[at(r)];
    const double u = velocity(row);
    if (is_linear(row, h, u)) {
      linear_.push_back(r);
      continue;
    }
    const double wanted = impulse_at(row, h, u);
    push(row, wanted - row.impulse);
    row.impulse = wanted;
  }
}

/// What a unit impulse of a row or of an axis of a point does to all of them; velocities of the
/// island are zero before and after.
void ImpulseSolver::write_column(std::size_t column, std::size_t n) {
  const std::size_t linear = linear_.size();
  const auto act = [&](double size) {
    if (column < linear) return push(rows[at(linear_[column])], size);
    const StepPoint& p = points[at(closed_[(column - linear) / 3])];
    push(p, size * axes_of(p)[(column - linear) % 3]);
  };
  act(1.0);
  for (std::size_t i = 0; i < linear; ++i) {
    const StepRow& row = rows[at(linear_[i])];
    W_[i * n + column] = velocity(row) - row.drift;
  }
  for (std::size_t i = 0; i < closed_.size(); ++i) {
    const StepPoint& p = points[at(closed_[i])];
    const Vec3 u = velocity(p) - p.drift;
    const std::array<Vec3, 3> axes = axes_of(p);
    for (std::size_t k = 0; k < 3; ++k) W_[(linear + 3 * i + k) * n + column] = dot(axes[k], u);
  }
}

void ImpulseSolver::write_cones(std::size_t island_index) {
  const std::size_t linear = linear_.size(), n = linear + 3 * closed_.size();
  W_.assign(n * n, 0.0), q_.resize(n), mu_.resize(closed_.size()), r_.resize(n);
  std::vector<Compliance> soft(linear);
  for (std::size_t i = 0; i < linear; ++i) {
    const StepRow& row = rows[at(linear_[i])];
    soft[i] = compliance_of(row, h, velocity(row));
    r_[i] = row.impulse;
  }
  // Velocities without impulses.
  for (const int r : linear_) push(rows[at(r)], -rows[at(r)].impulse);
  for (const int k : closed_) {
    const StepPoint& p = points[at(k)];
    push(p, -(p.normal * p.n + p.friction));
  }
  for (std::size_t i = 0; i < linear; ++i) {
    q_[i] = velocity(rows[at(linear_[i])]) - soft[i].c * soft[i].c0;
  }
  for (std::size_t i = 0; i < closed_.size(); ++i) {
    const StepPoint& p = points[at(closed_[i])];
    const Vec3 u = velocity(p), r = p.normal * p.n + p.friction;
    const std::array<Vec3, 3> axes = axes_of(p);
    mu_[i] = p.mu();
    for (std::size_t k = 0; k < 3; ++k) {
      q_[linear + 3 * i + k] = dot(axes[k], u) - (k == 0 ? p.bound : 0.0);
      r_[linear + 3 * i + k] = dot(axes[k], r);
    }
  }
  kept_.clear();
  for (const int i : bodies_of(island_index)) kept_.push_back(bodies[at(i)]);
  const std::vector<double> kept_y = y;
  for (std::size_t c = 0; c < n; ++c) {
    for (const int i : bodies_of(island_index)) bodies[at(i)].v = bodies[at(i)].w = {};
    std::ranges::fill(y, 0.0);
    write_column(c, n);
  }
  y = kept_y;
  std::size_t next = 0;
  for (const int i : bodies_of(island_index)) bodies[at(i)] = kept_[next++];
  for (std::size_t i = 0; i < linear; ++i) W_[i * n + i] += soft[i].c;
}

void ImpulseSolver::take_cones(std::span<const double> r) {
  const std::size_t linear = linear_.size();
  for (std::size_t i = 0; i < linear; ++i) {
    StepRow& row = rows[at(linear_[i])];
    row.impulse = r[i];
    push(row, row.impulse);
  }
  for (std::size_t i = 0; i < closed_.size(); ++i) {
    StepPoint& p = points[at(closed_[i])];
    const std::array<Vec3, 3> axes = axes_of(p);
    p.normal = std::max(0.0, r[linear + 3 * i]);
    p.friction = r[linear + 3 * i + 1] * axes[1] + r[linear + 3 * i + 2] * axes[2];
    push(p, p.normal * p.n + p.friction);
  }
}

bool ImpulseSolver::solve_by_cones(std::size_t island_index, double tolerance, bool with_rows,
                                   bool is_quick) {
  closed_.clear();
  for (const int k : island(island_index)) {
    if (points[at(k)].bound > kOpenBound) closed_.push_back(k);
  }
  with_rows = with_rows && !rows_of(island_index).empty();
  // Drilling acts as it is in the cones, too, and follows by sweeps.
  const bool is_tried = with_rows || std::ranges::any_of(closed_, [&](int k) {
                          return points[at(k)].spin_radius > 0.0;
                        });
  for (int trial = 0; trial < (is_tried ? kMostTrials : 1); ++trial) {
    choose_rows(island_index, with_rows);
    if (!linear_.empty() || !closed_.empty()) {
      write_cones(island_index);
      std::vector<double> swept = r_;
      const ConeAnswer answer = solve_cones({W_, q_, linear_.size(), mu_}, r_, true, is_quick);
      iterations_ += answer.iterations;
      take_cones(answer.solved ? r_ : swept);  // swept: nearer to rest than a method that is lost
      if (!answer.solved) return false;
    }
    if (!is_tried || sweep(island_index, true, with_rows) <= kOfCones * tolerance) return true;
  }
  return false;
}

}  // namespace carom
