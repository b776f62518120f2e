// Sweeps over the points of a heap of free bodies: (3) of impulse_solver.h, on what they need alone
// and side by side in memory, as a heap's points and bodies fill no cache otherwise. Points that do
// not press and part fast enough are passed by their normal velocity,
//
//   u_n = n.(v_b - v_a) + (arm_b x n).w_b - (arm_a x n).w_a                                 (1)
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/time_stepping/impulse_solver.h"

namespace carom {
namespace {

/// (3); returns the square of by how much the velocity was wrong.
double sweep_heap_point(HeapPoint& p, StepBody& a, StepBody& b) {
  const double u_n = dot(p.n, b.v - a.v) + dot(p.turn_b, b.w) - dot(p.turn_a, a.w);  // (1)
  if (p.normal == 0.0 && u_n >= p.bound) {
    p.slides = true;  // nothing holds it
    return 0.0;
  }
  const double normal = std::max(0.0, p.normal - (u_n - p.bound) * p.along);
  const double more = normal - p.normal;
  const double change = more * p.w_n;
  p.normal = normal;
  const Vec3 u = b.v + cross(b.w, p.arm_b) - a.v - cross(a.w, p.arm_a);
  const Vec3 u_t = u - u_n * p.n + more * p.aside;
  Vec3 friction = p.friction - p.across * u_t;
  const double squared = norm2(friction), held = p.mu_s * normal * (1.0 + kStuckBand);
  if (!p.slides && squared > held * held) p.slides = true;
  const double most = (p.slides ? p.mu_k : p.mu_s) * normal;
  if (squared > most * most) friction = (most / std::sqrt(squared)) * friction;
  const Vec3 rub = friction - p.friction;
  p.friction = friction;
  const Vec3 impulse = more * p.n + rub;
  b.v += b.mobility * impulse, b.w += b.inverse * cross(p.arm_b, impulse);
  a.v -= a.mobility * impulse, a.w -= a.inverse * cross(p.arm_a, impulse);
  return std::max(change * change, norm2(rub) * p.w_t * p.w_t);
}

}  // namespace

/// Free bodies alone, nothing moved as prescribed, and no drilling.
bool ImpulseSolver::is_plain(std::size_t i) const {
  if (!rows_of(i).empty()) return false;
  return std::ranges::all_of(island(i), [&](int k) {
    const StepPoint& p = points[at(k)];
    return !p.has_tree && !(p.spin_radius > 0.0) && norm2(p.drift) == 0.0;
  });
}

void ImpulseSolver::gather_heap(std::size_t i) {
  const std::span<const int> own = bodies_of(i);
  heap_body_.resize(bodies.size());
  heap_bodies_.clear();
  for (std::size_t k = 0; k < own.size(); ++k) {
    heap_body_[at(own[k])] = static_cast<int>(k);
    heap_bodies_.push_back(bodies[at(own[k])]);
  }
  heap_bodies_.emplace_back();  // what does not move: no mobility, no velocity
  const auto fixed = static_cast<int>(own.size());
  heap_.clear();
  for (const int k : island(i)) {
    const StepPoint& p = points[at(k)];
    HeapPoint& q = heap_.emplace_back();
    q.a = p.a < 0 ? fixed : heap_body_[at(p.a)], q.b = p.b < 0 ? fixed : heap_body_[at(p.b)];
    q.n = p.n, q.arm_a = p.arm_a, q.arm_b = p.arm_b;
    q.turn_a = cross(p.arm_a, p.n), q.turn_b = cross(p.arm_b, p.n);
    q.aside = p.aside, q.bound = p.bound, q.mu_k = p.mu_k, q.mu_s = p.mu_s, q.slides = p.slides;
    q.w_n = p.w_n, q.w_t = p.w_t, q.along = 1.0 / p.w_n, q.across = 1.0 / p.w_t;
    q.normal = p.normal, q.friction = p.friction;
  }
}

void ImpulseSolver::scatter_heap(std::size_t i) {
  const std::span<const int> own = bodies_of(i), list = island(i);
  for (std::size_t k = 0; k < own.size(); ++k) {
    bodies[at(own[k])].v = heap_bodies_[k].v, bodies[at(own[k])].w = heap_bodies_[k].w;
  }
  for (std::size_t k = 0; k < list.size(); ++k) {
    StepPoint& p = points[at(list[k])];
    p.normal = heap_[k].normal, p.friction = heap_[k].friction, p.slides = heap_[k].slides;
  }
}

double ImpulseSolver::sweep_heap(bool forward) {
  double change = 0.0;
  ++sweeps_;
  const auto sweep_one = [&](HeapPoint& p) {
    change = std::max(change, sweep_heap_point(p, heap_bodies_[at(p.a)], heap_bodies_[at(p.b)]));
  };
  if (forward) {
    for (HeapPoint& p : heap_) sweep_one(p);
  } else {
    for (auto p = heap_.rbegin(); p != heap_.rend(); ++p) sweep_one(*p);
  }
  return std::sqrt(change);
}

bool ImpulseSolver::solve_heap(std::size_t i, double tolerance, double bearable, int most) {
  gather_heap(i);
  double change = sweep_heap(true);
  for (int k = 1; k < most && change > tolerance; ++k) change = sweep_heap(k % 2 == 0);
  scatter_heap(i);
  return change <= bearable;
}

}  // namespace carom
