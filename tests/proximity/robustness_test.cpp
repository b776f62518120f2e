// Every pair of the catalogue in random and degenerate poses.
#include <gtest/gtest.h>

#include "proximity/random_pairs.h"

namespace carom {
namespace {

constexpr unsigned kSeed = 20261;

std::string describe(const PosedPair& p, int i) {
  return "seed " + std::to_string(kSeed) + " pair " + std::to_string(i) + ": " + p.A->name + ", " +
         p.B->name;
}

/// How well the distance of a pair is known. Sharp edges that all but touch are told apart
/// to 1e-11 of the size. A small body deep inside a much larger one has a whole circle of
/// directions that differ by less than its own size: there the search may end beside the
/// best of them.
double distance_tolerance(const PosedPair& p, double phi) {
  const double a = bounding_radius(p.A->core), b = bounding_radius(p.B->core);
  const double least = std::min(a, b), most = std::max(a, b);
  return phi < 0.0 && most > 50.0 * least ? least + 1e-11 * p.size : 1e-11 * p.size;
}

/// Points beyond the surface of a body in some direction are not in it.
double outside(const Core& core, const Pose& X, const Vec3& p_W, const Vec3& u) {
  return dot(u, p_W - X.p) - extent(core, transpose_times(X.R, u));
}

TEST(RandomPairs, SatisfyTheIdentitiesOfAContact) {
  const BodyPool pool;
  PairSampler sampler(pool.bodies(), kSeed);
  for (int i = 0; i < 100000; ++i) {
    const PosedPair p = sampler.next();
    const Contact c = distance(p.A->core, p.X_WA, p.B->core, p.X_WB);
    SCOPED_TRACE(describe(p, i));
    ASSERT_EQ(c.status, Status::ok);
    ASSERT_TRUE(std::isfinite(c.phi) && is_finite(c.p_WCa) && is_finite(c.p_WCb));
    ASSERT_FALSE(std::isnan(c.k1) || std::isnan(c.k2) || !is_finite(c.k1_direction_W));
    ASSERT_GE(c.k1, c.k2);
    // Identities hold to the rounding of the numbers involved.
    ASSERT_NEAR(norm(c.n_AB_W), 1.0, 1e-14);
    ASSERT_LE(norm(c.p_WCb - c.p_WCa - c.phi * c.n_AB_W), 1e-14 * p.size);
    ASSERT_NEAR(c.phi, support_gap(p.A->core, p.X_WA, p.B->core, p.X_WB, c.n_AB_W), 1e-13 * p.size);
  }
}

// Together with the identities this proves the distance of separated bodies: no two
// points are nearer than the supporting planes, and these two are as near.
TEST(RandomPairs, HaveTheirWitnessPointsInTheBodies) {
  const BodyPool pool;
  PairSampler sampler(pool.bodies(), kSeed + 1);
  std::mt19937 gen(kSeed);
  int checked = 0;
  for (int i = 0; i < 40000; ++i) {
    const PosedPair p = sampler.next();
    const Contact c = distance(p.A->core, p.X_WA, p.B->core, p.X_WB);
    if (c.phi < 0.0) continue;
    ++checked;
    SCOPED_TRACE(describe(p, i));
    for (int k = 0; k < 30; ++k) {
      const Vec3 u = random_direction(gen);
      // The normal of bodies with sharp edges that all but touch is known to
      // rounding / phi, so a witness can be off by the root of rounding at most.
      ASSERT_LE(outside(p.A->core, p.X_WA, c.p_WCa, u), 1e-10 * p.size);
      ASSERT_LE(outside(p.B->core, p.X_WB, c.p_WCb, u), 1e-10 * p.size);
    }
  }
  EXPECT_GT(checked, 10000);
}

/// Compass search for the largest support gap: an independent, slow referee.
double climb(const PosedPair& p, Vec3 n, double step) {
  const auto gap = [&](const Vec3& m) {
    return support_gap(p.A->core, p.X_WA, p.B->core, p.X_WB, m);
  };
  double best = gap(n);
  for (int moves = 0; step > 1e-7 && moves < 400; ++moves) {
    const Vec3 e1 = any_perpendicular(n), e2 = cross(n, e1);
    bool up = false;
    for (int k = 0; k < 8 && !up; ++k) {
      const Vec3 m = normalized(n + step * (std::cos(0.7853981633974483 * k) * e1 +
                                            std::sin(0.7853981633974483 * k) * e2));
      const double value = gap(m);
      if (value > best) best = value, n = m, up = true;
    }
    if (!up) step *= 0.5;
  }
  return best;
}

TEST(RandomPairs, OverlapNoDeeperThanTheShallowestDirection) {
  const BodyPool pool;
  PairSampler sampler(pool.bodies(), kSeed + 2);
  std::mt19937 gen(kSeed);
  int checked = 0;
  for (int i = 0; checked < 600; ++i) {
    const PosedPair p = sampler.next();
    const Contact c = distance(p.A->core, p.X_WA, p.B->core, p.X_WB);
    if (c.phi >= 0.0) continue;
    ++checked;
    SCOPED_TRACE(describe(p, i));
    Vec3 best;
    double shallowest = -kInf;
    for (int k = 0; k < 2000; ++k) {
      const Vec3 u = random_direction(gen);
      const double gap = support_gap(p.A->core, p.X_WA, p.B->core, p.X_WB, u);
      if (gap > shallowest) shallowest = gap, best = u;
      if (k % 200 == 0) shallowest = std::max(shallowest, climb(p, u, 0.3));
    }
    shallowest = std::max(shallowest, climb(p, best, 0.05));
    ASSERT_LE(shallowest, c.phi + 1e-12 * p.size);
  }
}

TEST(RandomPairs, MirrorWhenTheBodiesAreExchanged) {
  const BodyPool pool;
  PairSampler sampler(pool.bodies(), kSeed + 3);
  for (int i = 0; i < 20000; ++i) {
    const PosedPair p = sampler.next();
    SCOPED_TRACE(describe(p, i));
    const Contact ab = distance(p.A->core, p.X_WA, p.B->core, p.X_WB);
    const Contact ba = distance(p.B->core, p.X_WB, p.A->core, p.X_WA);
    // In overlap two directions may be equally deep, so the distance alone is compared.
    ASSERT_NEAR(ab.phi, ba.phi, distance_tolerance(p, ab.phi));
  }
}

TEST(RandomPairs, DoNotNoticeARotationOfTheWorld) {
  const BodyPool pool;
  PairSampler sampler(pool.bodies(), kSeed + 4);
  const Pose X{axis_angle({0.48, 0.6, 0.64}, 1.1), {0.3, -0.2, 0.1}};
  for (int i = 0; i < 20000; ++i) {
    const PosedPair p = sampler.next();
    SCOPED_TRACE(describe(p, i));
    const Contact here = distance(p.A->core, p.X_WA, p.B->core, p.X_WB);
    const Contact there = distance(p.A->core, X * p.X_WA, p.B->core, X * p.X_WB);
    // The pose of the rotated world is rounded anew: 1 m from the origin.
    ASSERT_NEAR(here.phi, there.phi, distance_tolerance(p, here.phi) + 1e-15);
  }
}

TEST(Distance, RefusesPosesThatAreNotFinite) {
  const Core ball = make_point_core({}, 1.0);
  Pose bad;
  bad.p.x = std::nan("");
  EXPECT_EQ(distance(ball, {}, ball, bad).status, Status::recoverable);
}

}  // namespace
}  // namespace carom
