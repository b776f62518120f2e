#include "carom/engine/time_stepping/impulse_solver.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"

namespace carom {
namespace {

/// Sweeps over an island: those of a few points are cheap, and cones finish what they do not.
constexpr int kFewSweeps = 100, kManySweeps = 200, kLeastSweeps = 10, kRoughSweeps = 6;
/// Large heaps get fewer: what one step leaves undone the next takes up from there. What a blow
/// leaves undone in a heap is stopped by the next step.
constexpr std::size_t kPointSweeps = 120000, kHeapSweeps = 60000, kImpactSweeps = 20000;
constexpr std::size_t kHeapPoints = 1000;
/// Islands up to so many points and rows are solved as dense cone problems.
constexpr std::size_t kDensePoints = 48;
/// The larger eigenvalue of the symmetric matrix (a, b; b, c).
double larger_eigenvalue(double a, double b, double c) {
  return 0.5 * (a + c) + std::hypot(0.5 * (a - c), b);
}

}  // namespace

void ImpulseSolver::clear() {
  points.clear();
  rows.clear();
  jacobian.clear();
  point_ends_.clear();
  row_ends_.clear();
}

int ImpulseSolver::root(int body) {
  while (parent_[at(body)] != body) {
    parent_[at(body)] = parent_[at(parent_[at(body)])];
    body = parent_[at(body)];
  }
  return body;
}

/// `island_of(i)`, -1: none, for i < count: the i of every island, ascending.
template <typename Of>
void ImpulseSolver::sort_by_island(std::size_t count, const Of& island_of, Lists& out) {
  out.first.assign(count_.size() + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    if (const int own = island_of(i); own >= 0) ++out.first[at(own) + 1];
  }
  for (std::size_t k = 1; k < out.first.size(); ++k) out.first[k] += out.first[k - 1];
  out.order.resize(at(out.first.back()));
  std::ranges::fill(count_, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const int own = island_of(i);
    if (own >= 0) out.order[at(out.first[at(own)] + count_[at(own)]++)] = static_cast<int>(i);
  }
}

void ImpulseSolver::find_islands() {
  const std::size_t movers = bodies.size() + trees.size();
  if (point_ends_.empty() && row_ends_.empty()) {
    parent_.resize(movers);
    for (std::size_t i = 0; i < movers; ++i) parent_[i] = static_cast<int>(i);
  } else if (point_ends_.size() == points.size() && row_ends_.size() == rows.size()) {
    return;
  }
  const auto join = [&](const auto& list, std::vector<Ends>& ends) {
    for (std::size_t i = ends.size(); i < list.size(); ++i) {
      const Ends p = ends.emplace_back(Ends{list[i].a, list[i].b});
      if (p.a >= 0 && p.b >= 0) parent_[at(root(p.a))] = root(p.b);
    }
  };
  join(points, point_ends_);
  join(rows, row_ends_);
  island_of_.assign(movers, -1);
  count_.clear();
  const auto number = [&](const Ends& p) {
    int& island = island_of_[at(root(p.any()))];
    if (island < 0) island = static_cast<int>(count_.size()), count_.push_back(0);
  };
  std::ranges::for_each(point_ends_, number);
  std::ranges::for_each(row_ends_, number);
  for (std::size_t i = 0; i < movers; ++i) {
    island_of_[i] = island_of_[at(root(static_cast<int>(i)))];
  }
  const auto of = [&](const std::vector<Ends>& ends) {
    return [&](std::size_t i) { return island_of_[at(ends[i].any())]; };
  };
  sort_by_island(points.size(), of(point_ends_), points_);
  sort_by_island(rows.size(), of(row_ends_), rows_);
  sort_by_island(
      bodies.size(), [&](std::size_t i) { return island_of_[i]; }, bodies_);
  sort_by_island(
      trees.size(), [&](std::size_t i) { return island_of_[bodies.size() + i]; }, trees_);
}

/// What an impulse does to the velocity of its own point.
Vec3 ImpulseSolver::response(const StepPoint& p, const Vec3& impulse) const {
  Vec3 u;
  const auto add = [&](Mover m, const Vec3& arm) {
    if (m < 0 || is_tree(m)) return;
    const StepBody& b = bodies[at(m)];
    u += b.mobility * impulse + cross(b.inverse * cross(arm, impulse), arm);
  };
  add(p.a, p.arm_a);
  add(p.b, p.arm_b);
  const auto add_tree = [&](Mover m, std::size_t jac) {
    if (m < 0 || !is_tree(m)) return;
    const StepTree& t = tree(m);
    const double* J = &jacobian[jac];
    for (std::size_t k = 0; k < t.count; ++k) {
      const Vec3 column{J[k], J[t.count + k], J[2 * t.count + k]};
      u += (t.mobility * dot(column, impulse)) * column;
    }
  };
  add_tree(p.a, p.jac_a);
  add_tree(p.b, p.jac_b);
  return u;
}

void ImpulseSolver::prepare(StepPoint& p) const {
  const Vec3 t1 = any_perpendicular(p.n), t2 = cross(p.n, t1);
  const Vec3 along = response(p, p.n), across = response(p, t1);
  p.w_n = dot(p.n, along);
  p.aside = along - p.w_n * p.n;
  p.w_t = larger_eigenvalue(dot(t1, across), dot(t2, across), dot(t2, response(p, t2)));
  if (p.spin_radius > 0.0) p.w_s = spin_mobility(p);
}

/// (3) of one point; returns by how much its velocity was wrong.
double ImpulseSolver::sweep_point(StepPoint& p) {
  const Vec3 u = velocity(p);
  const double u_n = dot(p.n, u);
  const double normal = std::max(0.0, p.normal - (u_n - p.bound) / p.w_n);
  const double more = normal - p.normal;
  const double change = std::abs(more) * p.w_n;
  p.normal = normal;
  if (!(p.mu_s > 0.0)) {
    if (more != 0.0) push(p, more * p.n);
    return change;
  }
  const Vec3 u_t = u - u_n * p.n + more * p.aside;
  Vec3 friction = p.friction - u_t / p.w_t;
  const double squared = norm2(friction), held = p.mu_s * normal * (1.0 + kStuckBand);
  if (!p.slides && squared > held * held) p.slides = true;
  const double most = p.mu() * normal;
  if (squared > most * most) friction = (most / std::sqrt(squared)) * friction;
  const Vec3 rub = friction - p.friction;
  const double rubs = norm2(rub);
  p.friction = friction;
  if (more == 0.0 && !(rubs > 0.0)) return change;
  push(p, more * p.n + rub);
  return std::max(change, std::sqrt(rubs) * p.w_t);
}

/// To and fro: what happens at one end of a chain is at the other after one sweep.
double ImpulseSolver::sweep(std::size_t i, bool forward, bool with_rows) {
  const std::span<const int> own = island(i), own_rows = rows_of(i);
  double change = 0.0;
  const auto sweep_one = [&](StepPoint& p) {
    change = std::max(change, sweep_point(p));
    if (p.spin_radius > 0.0) change = std::max(change, sweep_spin(p));
  };
  const auto sweep_rows = [&] {
    for (const int r : own_rows) change = std::max(change, sweep_row(rows[at(r)]));
  };
  if (forward) {
    for (const int p : own) sweep_one(points[at(p)]);
    if (with_rows) sweep_rows();
  } else {
    if (with_rows) sweep_rows();
    for (auto p = own.rbegin(); p != own.rend(); ++p) sweep_one(points[at(*p)]);
  }
  return change;
}

bool ImpulseSolver::is_heap(std::size_t i) const {
  return island(i).size() + rows_of(i).size() > kHeapPoints;
}

bool ImpulseSolver::solve(std::size_t i, double tolerance, double bearable, SolveAs as) {
  const bool with_rows = as != SolveAs::impact;
  const std::size_t size = island(i).size() + rows_of(i).size();
  const bool is_small = size <= kDensePoints;
  const std::size_t sweeps = !is_heap(i) ? kPointSweeps : with_rows ? kHeapSweeps : kImpactSweeps;
  const int share = static_cast<int>(sweeps / size);
  int most = is_small ? kFewSweeps : std::clamp(share, kLeastSweeps, kManySweeps);
  if (as == SolveAs::rough_step) most = kRoughSweeps;
  if (is_heap(i) && is_plain(i)) return solve_heap(i, tolerance, bearable, most);
  for (int k = 0; k < most; ++k) {
    const double change = sweep(i, k % 2 == 0, with_rows);
    ++sweeps_;
    if (change <= tolerance) return true;
  }
  if (as == SolveAs::rough_step) return false;
  if (is_small && solve_by_cones(i, tolerance, with_rows, true)) return true;
  if (sweep(i, true, with_rows) <= bearable) return true;
  // A body between others that are 10^5 times as heavy yields by a little in every sweep.
  return is_small && solve_by_cones(i, tolerance, with_rows, false);
}

}  // namespace carom
