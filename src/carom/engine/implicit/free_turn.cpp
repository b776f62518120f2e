#include "carom/engine/implicit/free_turn.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

Quat cayley(const Vec3& a) { return normalized({1.0, 0.5 * a.x, 0.5 * a.y, 0.5 * a.z}); }

/// x of A x = b by Cramer's rule.
Vec3 solve(const Mat3& A, const Vec3& b) {
  const Vec3 c0 = A.col(0), c1 = A.col(1), c2 = A.col(2);
  const double s = 1.0 / dot(c0, cross(c1, c2));
  return s * Vec3{dot(b, cross(c1, c2)), dot(c0, cross(b, c2)), dot(c0, cross(c1, b))};
}

bool is_usable(const Vec3& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

}  // namespace

FreeTurn turn_freely(const Sym3& inertia, const Sym3& inverse, const Vec3& w, const Vec3& torque,
                     double h, int halvings) {
  constexpr int kMost = 12;
  Vec3 next = w + h * (inverse * (cross(inertia * w, w) + torque));
  bool converged = false;
  double last = 0.0;
  for (int i = 0; i < kMost && !converged; ++i) {
    const Vec3 mean = 0.5 * (w + next), momentum = inertia * mean;
    const Vec3 error = inertia * (next - w) - h * (cross(momentum, mean) + torque);
    const Mat3 slope = Mat3::cross_matrix(momentum) - Mat3::cross_matrix(mean) * to_mat3(inertia);
    const Vec3 step = solve(to_mat3(inertia) - (0.5 * h) * slope, error);
    if (!is_usable(step)) break;
    next -= step;
    const double size = norm(step), whole = norm(next);
    // Quadratic until rounding: then steps no longer shrink.
    converged = size <= 1e-15 * whole || (i > 0 && size <= 1e-12 * whole && size >= last);
    last = size;
  }
  if (!converged && halvings > 0) {
    const FreeTurn first = turn_freely(inertia, inverse, w, torque, 0.5 * h, halvings - 1);
    const FreeTurn second = turn_freely(inertia, inverse, first.w, torque, 0.5 * h, halvings - 1);
    return {second.w, 0.5 * (first.mean + second.mean), normalized(first.turn * second.turn)};
  }
  const Vec3 mean = 0.5 * (w + next);
  return {next, mean, cayley(h * mean)};
}

}  // namespace carom
