// Every pair of the catalogue in random and degenerate poses.
//
// CAROM_PAIRS=1000000 makes the two long tests as long, with 10^4 directions for each
// pair that overlaps (about an hour on one core); CAROM_SEED draws other pairs.
#include <gtest/gtest.h>

#include <cstdlib>

#include "proximity/random_pairs.h"
#include "proximity/shallowest.h"

namespace carom {
namespace {

int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

const unsigned kSeed = static_cast<unsigned>(number_from("CAROM_SEED", 20261));

std::string describe(const PosedPair& p, int i) {
  return "seed " + std::to_string(kSeed) + " pair " + std::to_string(i) + ": " + p.A->name + ", " +
         p.B->name;
}

/// How well the distance of a pair is known: sharp edges that all but touch are told apart
/// to this part of the size.
constexpr double kTouching = 1e-10;

/// Points beyond the surface of a body in some direction are not in it.
double outside(const Core& core, const Pose& X, const Vec3& p_W, const Vec3& u) {
  return dot(u, p_W - X.p) - extent(core, transpose_times(X.R, u));
}

TEST(RandomPairs, SatisfyTheIdentitiesOfAContact) {
  const BodyPool pool;
  PairSampler sampler(pool.bodies(), kSeed);
  const int pairs = number_from("CAROM_PAIRS", 100000);
  for (int i = 0; i < pairs; ++i) {
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
    const double gap = support_gap(p.A->core, p.X_WA, p.B->core, p.X_WB, c.n_AB_W);
    ASSERT_NEAR(c.phi, gap, 1e-13 * p.size);
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

TEST(RandomPairs, OverlapNoDeeperThanTheShallowestDirection) {
  const BodyPool pool;
  PairSampler sampler(pool.bodies(), kSeed + 2);
  ShallowestDirection shallowest(kSeed, 10000);
  const int pairs = number_from("CAROM_PAIRS", 6000);
  int checked = 0;
  for (int i = 0; i < pairs; ++i) {
    const PosedPair p = sampler.next();
    const Contact c = distance(p.A->core, p.X_WA, p.B->core, p.X_WB);
    if (c.phi >= 0.0 || !is_least(p, c.phi)) continue;
    ++checked;
    // Rounding of the numbers involved is 1e-15 of their size; the climb ends at 1e-13.
    EXPECT_LE(shallowest(p), c.phi + 1e-12 * p.size) << describe(p, i);
  }
  EXPECT_GT(checked, pairs / 5);
}

TEST(RandomPairs, MirrorWhenTheBodiesAreExchanged) {
  const BodyPool pool;
  PairSampler sampler(pool.bodies(), kSeed + 3);
  for (int i = 0; i < 20000; ++i) {
    const PosedPair p = sampler.next();
    SCOPED_TRACE(describe(p, i));
    const Contact ab = distance(p.A->core, p.X_WA, p.B->core, p.X_WB);
    const Contact ba = distance(p.B->core, p.X_WB, p.A->core, p.X_WA);
    if (!is_least(p, ab.phi)) continue;
    // In overlap two directions may be equally deep, so the distance alone is compared.
    ASSERT_NEAR(ab.phi, ba.phi, kTouching * p.size);
  }
}

// B turns and slides by up to a hundredth from query to query; what the pair remembers may cost
// time, but no digit.
TEST(RandomPairs, AnswerWarmAsCold) {
  const BodyPool pool;
  PairSampler sampler(pool.bodies(), kSeed + 5);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  for (int i = 0; i < 5000; ++i) {
    PosedPair p = sampler.next();
    SCOPED_TRACE(describe(p, i));
    DistanceCache warm;
    const double slide = 1e-2 * std::min(bounding_radius(p.A->core), bounding_radius(p.B->core));
    const Vec3 axis = random_direction(sampler.generator());
    for (int step = 0; step < 5; ++step) {
      const Contact w = distance(p.A->core, p.X_WA, p.B->core, p.X_WB, &warm);
      const Contact c = distance(p.A->core, p.X_WA, p.B->core, p.X_WB);
      if (!is_least(p, c.phi)) break;
      ASSERT_NEAR(w.phi, c.phi, kTouching * p.size) << "step " << step;
      const double gap = support_gap(p.A->core, p.X_WA, p.B->core, p.X_WB, w.n_AB_W);
      ASSERT_NEAR(w.phi, gap, 1e-13 * p.size) << "step " << step;
      p.X_WB.R = axis_angle(axis, 1e-2 * u(sampler.generator())) * p.X_WB.R;
      p.X_WB.p += slide * random_direction(sampler.generator());
    }
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
    if (!is_least(p, here.phi)) continue;
    // The pose of the rotated world is rounded anew: 1 m from the origin.
    ASSERT_NEAR(here.phi, there.phi, kTouching * p.size + 1e-15);
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
