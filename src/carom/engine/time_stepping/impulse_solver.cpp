#include "carom/engine/time_stepping/impulse_solver.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/index.h"
#include "carom/contact/cones/cone_solver.h"

namespace carom {
namespace {

/// Sweeps over an island: those of a few points are cheap, and cones finish what they do not.
constexpr int kFewSweeps = 100, kManySweeps = 200, kLeastSweeps = 20;
/// Large heaps get fewer: what one step leaves undone the next takes up from there.
constexpr std::size_t kPointSweeps = 120000;
/// Islands up to so many points are solved as dense cone problems.
constexpr std::size_t kDensePoints = 48;
/// Of the cone, beyond which what sticks slides.
constexpr double kStuckBand = 1e-12;

/// The larger eigenvalue of the symmetric matrix (a, b; b, c).
double larger_eigenvalue(double a, double b, double c) {
  return 0.5 * (a + c) + std::hypot(0.5 * (a - c), b);
}

}  // namespace

int ImpulseSolver::root(int body) {
  while (parent_[at(body)] != body) {
    parent_[at(body)] = parent_[at(parent_[at(body)])];
    body = parent_[at(body)];
  }
  return body;
}

void ImpulseSolver::find_islands() {
  parent_.resize(bodies.size());
  for (std::size_t i = 0; i < parent_.size(); ++i) parent_[i] = static_cast<int>(i);
  for (const StepPoint& p : points) {
    if (p.a >= 0 && p.b >= 0) parent_[at(root(p.a))] = root(p.b);
  }
  island_of_.assign(bodies.size(), -1);
  count_.clear();
  const auto island_at = [&](const StepPoint& p) -> int& {
    return island_of_[at(root(p.a >= 0 ? p.a : p.b))];
  };
  for (const StepPoint& p : points) {
    int& island = island_at(p);
    if (island < 0) island = static_cast<int>(count_.size()), count_.push_back(0);
    ++count_[at(island)];
  }
  first_.assign(1, 0);
  for (const int count : count_) first_.push_back(first_.back() + count);
  order_.resize(points.size());
  std::ranges::fill(count_, 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const int island = island_at(points[i]);
    order_[at(first_[at(island)] + count_[at(island)]++)] = static_cast<int>(i);
  }
  std::ranges::fill(count_, 0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    island_of_[i] = island_of_[at(root(static_cast<int>(i)))];
    if (island_of_[i] >= 0) ++count_[at(island_of_[i])];
  }
  body_first_.assign(1, 0);
  for (const int count : count_) body_first_.push_back(body_first_.back() + count);
  body_order_.resize(at(body_first_.back()));
  std::ranges::fill(count_, 0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const int own = island_of_[i];
    if (own < 0) continue;
    body_order_[at(body_first_[at(own)] + count_[at(own)]++)] = static_cast<int>(i);
  }
}

void ImpulseSolver::prepare(StepPoint& p) const {
  const Vec3 t1 = any_perpendicular(p.n), t2 = cross(p.n, t1);
  double nn = 0.0, t11 = 0.0, t12 = 0.0, t22 = 0.0;
  const auto add = [&](int body, const Vec3& arm) {
    if (body < 0) return;
    const StepBody& b = bodies[at(body)];
    const Vec3 rn = cross(arm, p.n), r1 = cross(arm, t1), r2 = cross(arm, t2);
    const Vec3 i1 = b.inverse * r1;
    nn += b.mobility + dot(rn, b.inverse * rn);
    t11 += b.mobility + dot(r1, i1), t12 += dot(r2, i1);
    t22 += b.mobility + dot(r2, b.inverse * r2);
  };
  add(p.a, p.arm_a);
  add(p.b, p.arm_b);
  p.w_n = nn, p.w_t = larger_eigenvalue(t11, t12, t22);
}

Vec3 ImpulseSolver::velocity(const StepPoint& p) const {
  Vec3 u = p.drift;
  if (p.b >= 0) u += bodies[at(p.b)].v + cross(bodies[at(p.b)].w, p.arm_b);
  if (p.a >= 0) u -= bodies[at(p.a)].v + cross(bodies[at(p.a)].w, p.arm_a);
  return u;
}

void ImpulseSolver::push(const StepPoint& p, const Vec3& impulse) {
  if (p.b >= 0) {
    StepBody& b = bodies[at(p.b)];
    b.v += b.mobility * impulse, b.w += b.inverse * cross(p.arm_b, impulse);
  }
  if (p.a >= 0) {
    StepBody& a = bodies[at(p.a)];
    a.v -= a.mobility * impulse, a.w -= a.inverse * cross(p.arm_a, impulse);
  }
}

/// (3) of one point; returns by how much its velocity was wrong.
double ImpulseSolver::sweep_point(StepPoint& p) {
  const double u_n = dot(p.n, velocity(p));
  const double normal = std::max(0.0, p.normal - (u_n - p.bound) / p.w_n);
  const double more = normal - p.normal;
  double change = std::abs(more) * p.w_n;
  if (more != 0.0) push(p, more * p.n);
  p.normal = normal;
  if (!(p.mu_s > 0.0)) return change;
  const Vec3 u = velocity(p), u_t = u - dot(p.n, u) * p.n;
  Vec3 friction = p.friction - u_t / p.w_t;
  const double size = norm(friction);
  if (!p.slides && size > p.mu_s * normal * (1.0 + kStuckBand)) p.slides = true;
  const double most = p.mu() * normal;
  if (size > most) friction = (most / size) * friction;
  const Vec3 rub = friction - p.friction;
  if (norm2(rub) > 0.0) push(p, rub);
  p.friction = friction;
  return std::max(change, norm(rub) * p.w_t);
}

bool ImpulseSolver::solve(std::size_t i, double tolerance, double bearable) {
  const std::span<const int> own = island(i);
  const bool is_small = own.size() <= kDensePoints;
  const int share = static_cast<int>(kPointSweeps / own.size());
  const int most = is_small ? kFewSweeps : std::clamp(share, kLeastSweeps, kManySweeps);
  for (int k = 0; k < most; ++k) {
    double change = 0.0;
    // To and fro: what happens at one end of a chain is at the other after one sweep.
    if (k % 2 == 0) {
      for (const int p : own) change = std::max(change, sweep_point(points[at(p)]));
    } else {
      for (auto p = own.rbegin(); p != own.rend(); ++p) {
        change = std::max(change, sweep_point(points[at(*p)]));
      }
    }
    ++sweeps_;
    if (change <= tolerance) return true;
  }
  if (is_small && solve_by_cones(own)) return true;
  double change = 0.0;
  for (const int p : own) change = std::max(change, sweep_point(points[at(p)]));
  return change <= bearable;
}

bool ImpulseSolver::solve_by_cones(std::span<const int> all) {
  closed_.clear();
  for (const int k : all) {
    if (points[at(k)].bound > kOpenBound) closed_.push_back(k);
  }
  const std::span<const int> own = closed_;
  const std::size_t count = own.size(), n = 3 * count;
  W_.assign(n * n, 0.0), q_.resize(n), mu_.resize(count), r_.resize(n);
  const auto axes = [](const StepPoint& p) {
    const Vec3 t1 = any_perpendicular(p.n);
    return std::array<Vec3, 3>{p.n, t1, cross(p.n, t1)};
  };
  for (const int k : own) {  // velocities without impulses
    const StepPoint& p = points[at(k)];
    push(p, -(p.normal * p.n + p.friction));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const StepPoint& p = points[at(own[i])];
    const std::array<Vec3, 3> own_axes = axes(p);
    const Vec3 u = velocity(p), r = p.normal * p.n + p.friction;
    mu_[i] = p.mu();
    for (std::size_t k = 0; k < 3; ++k) {
      q_[3 * i + k] = dot(own_axes[k], u) - (k == 0 ? p.bound : 0.0);
      r_[3 * i + k] = dot(own_axes[k], r);
    }
    for (std::size_t j = 0; j < count; ++j) {
      const StepPoint& q = points[at(own[j])];
      const std::array<Vec3, 3> other = axes(q);
      const auto add = [&](int body, double sign, const Vec3& arm, const Vec3& push_arm) {
        const StepBody& b = bodies[at(body)];
        for (std::size_t c = 0; c < 3; ++c) {
          const Vec3 moves =
              b.mobility * other[c] + cross(b.inverse * cross(push_arm, other[c]), arm);
          for (std::size_t k = 0; k < 3; ++k) {
            W_[(3 * i + k) * n + 3 * j + c] += sign * dot(own_axes[k], moves);
          }
        }
      };
      if (p.a >= 0 && p.a == q.a) add(p.a, 1.0, p.arm_a, q.arm_a);
      if (p.b >= 0 && p.b == q.b) add(p.b, 1.0, p.arm_b, q.arm_b);
      if (p.a >= 0 && p.a == q.b) add(p.a, -1.0, p.arm_a, q.arm_b);
      if (p.b >= 0 && p.b == q.a) add(p.b, -1.0, p.arm_b, q.arm_a);
    }
  }
  std::vector<double> swept = r_;
  const ConeAnswer answer = solve_cones({W_, q_, 0, mu_}, r_, true, true);
  iterations_ += answer.iterations;
  if (!answer.solved) r_ = swept;  // nearer to what rests than a method that has lost its way
  for (std::size_t i = 0; i < count; ++i) {
    StepPoint& p = points[at(own[i])];
    const std::array<Vec3, 3> own_axes = axes(p);
    p.normal = std::max(0.0, r_[3 * i]);
    p.friction = r_[3 * i + 1] * own_axes[1] + r_[3 * i + 2] * own_axes[2];
    push(p, p.normal * p.n + p.friction);
  }
  return answer.solved;
}

}  // namespace carom
