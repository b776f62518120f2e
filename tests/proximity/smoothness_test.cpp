// The distance is a smooth function of the pose, through zero as anywhere else, and does
// not depend on the start.
#include <gtest/gtest.h>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/distance.h"

namespace carom {
namespace {

struct NamedCore {
  const char* name;
  Core core;
};

std::vector<NamedCore> smooth_cores() {
  Core box, ellipsoid, frustum;
  box.kind = &core_box, box.v[0] = {0.3, 0.2, 0.1}, box.rounding = 0.01;
  ellipsoid.kind = &core_ellipsoid, ellipsoid.v[0] = {0.3, 0.2, 0.15};
  frustum.kind = &core_frustum, frustum.rounding = 0.01;
  frustum.v[0] = {-0.2, 0.2, 0.0}, frustum.v[1] = {0.2, 0.05, 0.0};
  return {{"ball", make_point_core({}, 0.2)},
          {"capsule", make_segment_core({-0.2, 0, 0}, {0.2, 0, 0}, 0.1)},
          {"rounded box", box},
          {"rounded cylinder", make_cylinder_core(0.2, 0.5, 0.01)},
          {"rounded frustum", frustum},
          {"ellipsoid", ellipsoid}};
}

/// B moves along the normal of the contact and turns a little: phi from +span to -span.
Pose pose_at(const Pose& X_touch, const Vec3& n, double s) {
  return {axis_angle({0.6, 0.0, 0.8}, 0.3 * s) * X_touch.R, X_touch.p - s * n};
}

/// B brought to touch A from a direction.
Pose touching(const Core& A, const Core& B) {
  Pose X{axis_angle({0.36, 0.48, 0.8}, 0.7), {0.5, 0.45, 0.4}};
  for (int i = 0; i < 50; ++i) {
    const Contact c = distance(A, {}, B, X);
    X.p -= c.phi * c.n_AB_W;
  }
  return X;
}

TEST(DistanceSweep, IsSmoothThroughZero) {
  for (const NamedCore& a : smooth_cores()) {
    for (const NamedCore& b : smooth_cores()) {
      SCOPED_TRACE(std::string(a.name) + ", " + b.name);
      const Pose touch = touching(a.core, b.core);
      const Vec3 n = distance(a.core, {}, b.core, touch).n_AB_W;
      // Third differences of steps of 1e-7 remove what is quadratic; what is left of a
      // smooth function is 1e-21 and the rounding of four values, 1e-16 each.
      double p[4] = {0, 0, 0, 0};
      Vec3 m[4];
      DistanceCache warm;
      for (int i = -100; i <= 100; ++i) {
        const Contact c = distance(a.core, {}, b.core, pose_at(touch, n, 1e-7 * i), &warm);
        for (int k = 0; k < 3; ++k) p[k] = p[k + 1], m[k] = m[k + 1];
        p[3] = c.phi, m[3] = c.n_AB_W;
        if (i < -97) continue;
        ASSERT_LE(std::abs(p[3] - 3 * p[2] + 3 * p[1] - p[0]), 1e-14) << "at step " << i;
        ASSERT_LE(norm(m[3] - 3 * m[2] + 3 * m[1] - m[0]), 1e-12) << "at step " << i;
      }
    }
  }
}

TEST(DistanceSweep, IsTheSameWarmAndCold) {
  for (const NamedCore& a : smooth_cores()) {
    for (const NamedCore& b : smooth_cores()) {
      SCOPED_TRACE(std::string(a.name) + ", " + b.name);
      const Pose touch = touching(a.core, b.core);
      const Vec3 n = distance(a.core, {}, b.core, touch).n_AB_W;
      DistanceCache warm;
      for (int i = -50; i <= 50; ++i) {
        const Pose X = pose_at(touch, n, 2e-3 * i);
        const Contact w = distance(a.core, {}, b.core, X, &warm);
        const Contact c = distance(a.core, {}, b.core, X);
        // Two roots of the same equations, each to rounding times the conditioning.
        ASSERT_NEAR(w.phi, c.phi, 2e-15);
        ASSERT_LE(norm(w.n_AB_W - c.n_AB_W), 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace carom
