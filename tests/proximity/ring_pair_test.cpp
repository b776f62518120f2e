// Two tori by their area: coaxial ones against Pappus's rule, crossed ones against sums over the
// surface, and distances of circles.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/math/rotation.h"
#include "carom/proximity/area/ring_pair.h"

namespace carom {
namespace {

constexpr double kBig = 0.1, kThin = 0.02;

double pair_volume_of_parts(const Pose& X) {
  // A at X, B about z: the tube of A in that of B.
  constexpr int kAround = 4000, kAcross = 2000;
  double sum = 0.0;
  for (int i = 0; i < kAround; ++i) {
    const double t = 2.0 * std::numbers::pi * (i + 0.5) / kAround;
    const Vec3 c = X * (kBig * Vec3{std::cos(t), std::sin(t), 0.0});
    if (std::hypot(std::hypot(c.x, c.y) - kBig, c.z) > 2.0 * kThin) continue;
    for (int k = 0; k < kAcross; ++k) {
      const double f = 2.0 * std::numbers::pi * (k + 0.5) / kAcross;
      const Vec3 m = X.R * Vec3{std::cos(f) * std::cos(t), std::cos(f) * std::sin(t), std::sin(f)};
      const Vec3 p = c + kThin * m;
      const double rho = std::hypot(p.x, p.y), d = std::hypot(rho - kBig, p.z);
      if (d >= kThin) continue;
      const Vec3 n = ((rho - kBig) / (d * rho)) * Vec3{p.x, p.y, 0.0} + Vec3{0.0, 0.0, p.z / d};
      const double area = -dot(n, m) * kThin * (kBig + kThin * std::cos(f)) * 4.0 *
                          std::numbers::pi * std::numbers::pi /
                          (static_cast<double>(kAround) * kAcross);
      sum += std::max(0.0, area) * (kThin - d);
    }
  }
  return sum;
}

TEST(RingPair, CoaxialRingsTouchAllAround) {
  for (const double d : {1e-5, 1e-4, 1e-3}) {
    const Pose X{rotation_z(0.4), {0.0, 0.0, 2.0 * kThin - d}}, O;
    const AreaRing A{kBig, kThin, X}, B{kBig, kThin, O};
    EXPECT_NEAR(ring_pair_distance(A, B).phi, -d, 1e-15);
    AreaPatch patch;
    find_ring_pair_area(A, B, patch);
    // A lens of radii r on r: as a circle of r/2 on a line, to the first order of the depth.
    const double lens = 4.0 / 3.0 * std::sqrt(kThin) * std::pow(d, 1.5);
    EXPECT_NEAR(patch.volume / (2.0 * std::numbers::pi * kBig * lens), 1.0, 0.6 * d / kThin + 1e-4);
    EXPECT_NEAR(patch.volume, pair_volume_of_parts(X), 2e-2 * patch.volume) << d;
  }
}

TEST(RingPair, CrossedAndTiltedRingsAreTheSumsOfTheirParts) {
  const Pose ways[] = {{rotation_x(0.5 * std::numbers::pi), {kBig, 0.0, 0.0}},
                       {rotation_x(1.1) * rotation_z(0.3), {0.15, 0.03, 0.02}},
                       {rotation_x(0.05), {0.01, 0.003, 0.0}},
                       {rotation_y(0.01), {0.0, 0.0, 0.0}}};
  for (Pose X : ways) {
    const Pose O;
    // Up along z until they are 1 mm in each other.
    for (X.p.z += 0.3; ring_pair_distance({kBig, kThin, X}, {kBig, kThin, O}).phi > -1e-3;) {
      X.p.z -=
          std::max(1e-5, 0.5 * (ring_pair_distance({kBig, kThin, X}, {kBig, kThin, O}).phi + 1e-3));
    }
    AreaPatch patch;
    find_ring_pair_area({kBig, kThin, X}, {kBig, kThin, O}, patch);
    const double own = pair_volume_of_parts(X);
    EXPECT_NEAR(patch.volume, own, 5e-3 * own) << X.p.z;
  }
}

}  // namespace
}  // namespace carom
