// A torus on a plane: against Pappus's rule, sums over fine parts of its surface, and the distance
// of points of it.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/math/rotation.h"
#include "carom/proximity/area/ring_area.h"

namespace carom {
namespace {

constexpr double kRing = 0.1, kTube = 0.02;

Pose ring_at(double tilt, double depth) {
  const Mat3 R = rotation_z(0.7) * rotation_y(tilt) * rotation_z(0.3);
  const double lowest = kRing * std::sin(tilt) + kTube;
  return {R, {0.3, 0.2, lowest - depth}};
}

struct RingSum {
  double area = 0.0, volume = 0.0, energy = 0.0;
  Vec3 moment;
};

RingSum sum_of(const AreaPatch& patch) {
  RingSum sum;
  for (std::size_t i = 0; i < static_cast<std::size_t>(patch.count); ++i) {
    const AreaPoint& p = patch.points[i];
    sum.area += p.area, sum.volume += p.area * p.u, sum.energy += 0.5 * p.area * p.u * p.u;
    sum.moment += p.area * p.u * p.p_W;
  }
  return sum;
}

/// The underside below z = 0, by the middles of small parts.
RingSum sum_of_parts(const Pose& X) {
  constexpr int kAround = 2000, kAcross = 1000;
  RingSum sum;
  for (int i = 0; i < kAround; ++i) {
    const double t = 2.0 * std::numbers::pi * (i + 0.5) / kAround;
    for (int k = 0; k < kAcross; ++k) {
      const double f = 2.0 * std::numbers::pi * (k + 0.5) / kAcross;
      const double rho = kRing + kTube * std::cos(f);
      const Vec3 p = X * Vec3{rho * std::cos(t), rho * std::sin(t), kTube * std::sin(f)};
      if (p.z >= 0.0) continue;
      const Vec3 m = X.R * Vec3{std::cos(f) * std::cos(t), std::cos(f) * std::sin(t), std::sin(f)};
      const double area = -m.z * rho * kTube * 4.0 * std::numbers::pi * std::numbers::pi /
                          (static_cast<double>(kAround) * kAcross);
      if (!(area > 0.0)) continue;
      sum.area += area, sum.volume -= area * p.z, sum.moment -= area * p.z * p;
    }
  }
  return sum;
}

TEST(RingArea, OfARingThatLiesFlatIsPappussVolume) {
  for (const double d : {1e-6, 1e-4, 1e-3, 5e-3}) {
    const Pose X = ring_at(0.0, d);
    AreaPatch patch;
    find_ring_area({kRing, kTube, X}, {}, true, patch);
    const double half = std::acos(1.0 - d / kTube);
    const double segment = kTube * kTube * (half - std::sin(half) * std::cos(half));
    const double volume = 2.0 * std::numbers::pi * kRing * segment;
    EXPECT_NEAR(patch.volume, volume, 1e-5 * volume) << d;
    const RingSum sum = sum_of(patch);
    EXPECT_LT(norm(sum.moment / sum.volume - Vec3{X.p.x, X.p.y, sum.moment.z / sum.volume}), 1e-12);
    EXPECT_NEAR(ring_distance({kRing, kTube, X}, {}, true).phi, -d, 1e-15);
  }
}

TEST(RingArea, OfATiltedRingIsTheSumOverPartsOfItsSurface) {
  for (const double tilt : {0.002, 0.01, 0.03, 0.3, 1.2}) {
    const Pose X = ring_at(tilt, 2e-3);
    AreaPatch patch;
    find_ring_area({kRing, kTube, X}, {}, true, patch);
    const RingSum own = sum_of_parts(X), sum = sum_of(patch);
    EXPECT_NEAR(sum.volume, own.volume, 1e-3 * own.volume) << tilt;
    EXPECT_NEAR(sum.area, own.area, 2e-3 * own.area) << tilt;
    // Points lie between the two surfaces; where the force acts along n does not matter.
    Vec3 off = sum.moment / sum.volume - own.moment / own.volume;
    off.z = 0.0;
    EXPECT_LT(norm(off), 2e-4 * kRing) << tilt;
  }
}

TEST(RingArea, PressesWithTheGradientOfItsEnergyAndWithoutJumps) {
  // From flat to a tilt at which a point is left: 10⁴ poses.
  constexpr int kPoses = 10000;
  const double step = 0.1 / kPoses;
  double before = 0.0, slope_before = 0.0, worst = 0.0, most = 0.0, off = 0.0;
  double energy = 0.0, torque_before = 0.0, largest = 0.0;
  for (int i = 0; i < kPoses; ++i) {
    Pose X = ring_at(step * i, 0.0);
    X.p.z = kTube - 1e-3 + 0.03 * step * i;
    AreaPatch patch;
    find_ring_area({kRing, kTube, X}, {}, true, patch);
    const RingSum sum = sum_of(patch);
    const Vec3 turn = rotation_z(0.7) * Vec3{0.0, 1.0, 0.0};
    // On the ring the force is up: what it does to a turn about its middle, and to its rise.
    const Vec3 arm = sum.volume > 0.0 ? sum.moment / sum.volume - X.p : Vec3{};
    const double torque = sum.volume * dot(cross(arm, Vec3{0.0, 0.0, 1.0}), turn);
    const double power = torque + 0.03 * sum.volume;
    if (i > 0) {
      off = std::max(off, std::abs(sum.energy - energy + 0.5 * step * (power + torque_before)));
      worst = i > 1 ? std::max(worst, std::abs(sum.volume - before - slope_before)) : worst;
      slope_before = sum.volume - before;
    }
    before = sum.volume, energy = sum.energy, torque_before = power;
    most = std::max(most, sum.volume), largest = std::max(largest, sum.energy);
  }
  EXPECT_LT(worst, 1e-3 * most);
  EXPECT_LT(off, 1e-3 * largest);
}

}  // namespace
}  // namespace carom
