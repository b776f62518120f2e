// Bodies and contact points, reduced to the numbers of a cone problem: W = J M^-1 J^T and q = J v.
// Shares nothing with the engine.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "carom/contact/cones/cone_solver.h"
#include "carom/math/mat3.h"

namespace carom::testing {

class RigidIsland {
 public:
  /// A body with its centre at p, a box of these sides for its inertia; gravity acts for 1 s.
  int add_box(double mass, const Vec3& p, const Vec3& side, const Vec3& v = {0, 0, -9.81}) {
    const double k = mass / 12.0;
    bodies_.push_back(
        {mass,
         p,
         {k * (side.y * side.y + side.z * side.z), k * (side.x * side.x + side.z * side.z),
          k * (side.x * side.x + side.y * side.y)},
         v,
         {}});
    return static_cast<int>(bodies_.size()) - 1;
  }
  void push(int body, const Vec3& force, const Vec3& at) {
    Body& b = bodies_[static_cast<std::size_t>(body)];
    b.v += (1.0 / b.mass) * force;
    const Vec3 m = cross(at - b.p, force);
    b.w += Vec3{m.x / b.inertia.x, m.y / b.inertia.y, m.z / b.inertia.z};
  }
  /// n points from a to b; -1 is the world.
  void touch(int a, int b, const Vec3& p, const Vec3& n, double mu) {
    contacts_.push_back({a, b, p, n}), mu_.push_back(mu);
  }
  /// Four corners of a rectangle in the xy-plane around p, which b presses on a.
  void lay(int a, int b, const Vec3& p, double half_x, double half_y, double mu) {
    for (const double x : {-half_x, half_x}) {
      for (const double y : {-half_y, half_y}) touch(a, b, p + Vec3{x, y, 0}, {0, 0, 1}, mu);
    }
  }

  void assemble() {
    const std::size_t n = 3 * contacts_.size(), m = bodies_.size();
    std::vector<double> J(n * 6 * m, 0.0), JM(n * 6 * m, 0.0);
    q.assign(n, 0.0), W.assign(n * n, 0.0);
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const Contact& k = contacts_[c];
      const Vec3 t1 = any_perpendicular(k.n), t2 = cross(k.n, t1);
      const Vec3 axes[3] = {k.n, t1, t2};
      for (std::size_t a = 0; a < 3; ++a) {
        add_row(J, JM, 3 * c + a, k.b, axes[a], k.p, 1.0);
        add_row(J, JM, 3 * c + a, k.a, axes[a], k.p, -1.0);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < 6 * m; ++k)
          W[i * n + j] += JM[i * 6 * m + k] * J[j * 6 * m + k];
      }
    }
  }
  ConeProblem problem() const { return {W, q, 0, mu_}; }
  /// Kinetic energy that impulses r take.
  double energy_lost(const std::vector<double>& r) const {
    double lost = 0.0;
    const std::size_t n = q.size();
    for (std::size_t i = 0; i < n; ++i) {
      double u = q[i];
      for (std::size_t j = 0; j < n; ++j) u += W[i * n + j] * r[j];
      lost -= 0.5 * r[i] * (u + q[i]);
    }
    return lost;
  }
  /// Fastest slip of a point that presses, after impulses r.
  double fastest_slip(const std::vector<double>& r) const {
    const std::size_t n = q.size();
    double fastest = 0.0;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      double u[2] = {q[3 * c + 1], q[3 * c + 2]};
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < 2; ++k) u[k] += W[(3 * c + 1 + k) * n + j] * r[j];
      }
      if (r[3 * c] > 0.0) fastest = std::max(fastest, std::hypot(u[0], u[1]));
    }
    return fastest;
  }
  std::size_t contact_count() const { return contacts_.size(); }

  std::vector<double> W, q;

 private:
  struct Body {
    double mass;
    Vec3 p, inertia, v, w;
  };
  struct Contact {
    int a, b;
    Vec3 p, n;
  };

  void add_row(std::vector<double>& J, std::vector<double>& JM, std::size_t row, int body,
               const Vec3& axis, const Vec3& p, double sign) {
    if (body < 0) return;
    const Body& b = bodies_[static_cast<std::size_t>(body)];
    const Vec3 arm = cross(p - b.p, axis);
    const double d[6] = {axis.x, axis.y, axis.z, arm.x, arm.y, arm.z};
    const double inverse[6] = {1 / b.mass,      1 / b.mass,      1 / b.mass,
                               1 / b.inertia.x, 1 / b.inertia.y, 1 / b.inertia.z};
    const double v[6] = {b.v.x, b.v.y, b.v.z, b.w.x, b.w.y, b.w.z};
    const std::size_t at = row * 6 * bodies_.size() + 6 * static_cast<std::size_t>(body);
    for (std::size_t k = 0; k < 6; ++k) {
      J[at + k] = sign * d[k], JM[at + k] = sign * d[k] * inverse[k];
      q[row] += sign * d[k] * v[k];
    }
  }

  std::vector<Body> bodies_;
  std::vector<Contact> contacts_;
  std::vector<double> mu_;
};

}  // namespace carom::testing
