// Impacts of one body under each normal law, by an integrator of the tests' own, against
// closed forms and tables.
#include <gtest/gtest.h>

#include <numbers>

#include "carom/contact/exact_restitution.h"
#include "carom/contact/impact_estimate.h"
#include "carom/contact/law_impact.h"
#include "contact/law_point.h"
#include "contact/ode.h"

namespace carom {
namespace {

struct Impact {
  double depth = 0.0, force = 0.0, duration = 0.0, speed_out = 0.0;
  bool separates = false;
};

/// Mass m meets a point of this law with speed v; g presses it in. State: depth and its rate.
Impact collide(const NormalPoint& law, double hertz, double linear, double m, double v, double g,
               bool clamp = false, double longest = 1.0) {
  const auto force = [&](const State<2>& x) {
    NormalInput in{.depth = std::max(0.0, x[0]), .depth_rate = x[1]};
    in.linear = linear, in.hertz = hertz;
    const double f = law(in).force;
    return clamp ? std::max(0.0, f) : f;
  };
  // A first guess of depth and time for the weights of the error.
  const double scale =
      hertz > 0.0 ? std::pow(1.25 * m * v * v / hertz, 0.4) : v * std::sqrt(m / linear);
  auto ode = make_ode<2>(
      [&](double, const State<2>& x) {
        return State<2>{x[1], g - force(x) / m};
      },
      State<2>{scale, v}, 1e-13);
  ode.x = {0.0, v};
  ode.h = 1e-6 * scale / v;
  Impact impact;
  ode.run_to_fall([](const State<2>& x) { return x[1]; }, longest);
  impact.depth = ode.x[0], impact.force = force(ode.x);
  impact.separates = ode.run_to_fall([](const State<2>& x) { return x[0]; }, longest);
  impact.duration = ode.t, impact.speed_out = -ode.x[1];
  return impact;
}

PairMaterial with_restitution(double e) {
  PairMaterial m;
  m.restitution.value = e;
  m.damping_max = 1e9;
  return m;
}

TEST(ExactLaw, MeasuredRestitutionIsTheSetOne) {
  for (const double e : {0.02, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.951, 0.99, 0.9999, 1.0}) {
    NormalPoint law(*find_normal_law("exact"), with_restitution(e));
    for (const double v : {0.1, 2.0}) {
      law.start(v);
      const Impact hertz = collide(law, 1e9, 0.0, 0.5, v, 0.0);
      const Impact mixed = collide(law, 1e7, 3e5, 0.5, v, 0.0);
      EXPECT_NEAR(hertz.speed_out / v, e, 1e-8) << e;
      EXPECT_NEAR(mixed.speed_out / v, e, 1e-8) << e;  // any elastic force
    }
  }
}

TEST(ExactLaw, FactorsAreTheRootsOfItsEquation) {
  const double table[][2] = {{0.05, 19.999999681532334},  {0.1, 9.998159397495668},
                             {0.3, 3.0870819811296246},   {0.5, 1.4327505332713764},
                             {0.7, 0.6348282812664172},   {0.9, 0.16648195068530824},
                             {0.95, 0.07892660528741274}, {1.0, 0.0}};
  for (const auto& [e, c] : table) EXPECT_NEAR(exact_damping_factor(e), c, 1e-12 * (c + 0.1)) << e;
  // Both ways to the root agree where one takes over, and the limit is 3/2 (1 - e).
  EXPECT_NEAR(exact_damping_factor(0.95 + 1e-12), exact_damping_factor(0.95), 1e-11);
  const double nearly = 1.0 - 1e-9;  // rounded: 1 - nearly is not 1e-9
  EXPECT_NEAR(exact_damping_factor(nearly), 1.5 * (1.0 - nearly), 1e-17);
}

TEST(ExactLaw, CapsDampingWhereAContactSettles) {
  PairMaterial m = with_restitution(0.5);
  m.damping_max = 2000.0;
  NormalPoint law(*find_normal_law("exact"), m);
  law.start(0.0, true);
  EXPECT_EQ(law.constants[0], 2000.0);
  law.material.restitution.value = 0.0;  // uses the least restitution, then the cap
  law.start(0.1);
  EXPECT_EQ(law.constants[0], 2000.0);
  law.material.restitution.value = 1.0;  // lossless pairs stay so
  law.start(0.0, true);
  EXPECT_EQ(law.constants[0], 0.0);
}

struct Drop {
  const char* law;
  double e, viscous;
  bool clamp;
  double stiffness, height, v, depth, force, duration, v_out;
};
const Drop kDrops[] = {
#include "contact/drop_rows.inc"
};

TEST(NormalLaws, DropsAgreeWithTheTables) {
  for (const Drop& row : kDrops) {
    const NormalLaw& kind = *find_normal_law(row.law);
    std::vector<std::pair<std::string, double>> given;
    if (row.viscous > 0.0) given.emplace_back("damping", row.viscous);
    NormalPoint law(kind, with_restitution(row.e), given);
    law.start(row.v);
    const Impact impact = collide(law, row.stiffness, 0.0, 1.0, row.v, 9.81, row.clamp, 2.0);
    SCOPED_TRACE(std::string(row.law) + " e = " + std::to_string(row.e));
    // The tables were integrated to 1e-12 a step; the force at the greatest depth is as exact
    // as the instant, by the slope of the damping.
    EXPECT_NEAR(impact.depth, row.depth, 1e-9 * row.depth);
    EXPECT_NEAR(impact.force, row.force, 1e-8 * row.force);
    if (row.duration == 0.0) continue;
    EXPECT_TRUE(impact.separates);
    EXPECT_NEAR(impact.duration, row.duration, 1e-9 * row.duration);
    EXPECT_NEAR(impact.speed_out, row.v_out, 1e-9 * row.v);
  }
}

TEST(HertzImpact, LastsAsLongAsTheoryPredicts) {
  // Depth (5 m v²/(4 K))^(2/5), duration 2.9432751843 depth / v (Hertz 1882).
  NormalPoint law(*find_normal_law("hertz"), {});
  for (const double v : {0.1, 1.0, 5.0}) {
    const double m = 0.03351032163829113, K = 14652014652.014652;  // steel, radius 10 mm
    const Impact impact = collide(law, K, 0.0, m, v, 0.0);
    const double depth = std::pow(1.25 * m * v * v / K, 0.4);
    EXPECT_NEAR(impact.depth, depth, 1e-10 * depth);
    EXPECT_NEAR(impact.duration, 2.9432751843247047 * depth / v, 1e-10 * impact.duration);
    EXPECT_NEAR(impact.speed_out, v, 1e-10 * v);
  }
}

TEST(LawImpact, PredictsWhatTheLawDoes) {
  PairLaw pair;
  pair.material = with_restitution(1.0);
  pair.material.modulus = 2.4e7;
  pair.normal = find_normal_law("exact");
  const double radius = 0.025, mass = 0.26, speed = 5.0;
  // Without loss: Hertz.
  const ImpactEstimate hertz = estimate_impact(pair.material.modulus, radius, mass, speed);
  const LawImpact elastic = law_impact(pair, radius, mass, speed);
  EXPECT_NEAR(elastic.duration / hertz.duration, 1.0, 1e-5);
  EXPECT_NEAR(elastic.depth / hertz.depth, 1.0, 1e-5);
  EXPECT_NEAR(elastic.force / hertz.force, 1.0, 1e-5);
  // With loss: the integrator of these tests.
  for (const double e : {0.05, 0.1, 0.5, 0.9}) {
    pair.material = with_restitution(e);
    pair.material.modulus = 2.4e7;
    NormalPoint law(*pair.normal, pair.material);
    law.start(speed);
    const double stiffness = 4.0 / 3.0 * pair.material.modulus * std::sqrt(radius);
    const Impact seen = collide(law, stiffness, 0.0, mass, speed, 0.0);
    const LawImpact told = law_impact(pair, radius, mass, speed);
    EXPECT_TRUE(told.separates);
    EXPECT_NEAR(told.duration / seen.duration, 1.0, 1e-5) << e;
    EXPECT_NEAR(told.depth / seen.depth, 1.0, 1e-5) << e;
    EXPECT_NEAR(told.speed_out, e * speed, 1e-5 * speed) << e;
  }
}

// Runs of another program with the classical Runge-Kutta method, a ball of 1 kg that falls 0.6 m on
// another one (Moisio 2013, 4.2.4; E = 2.1 MPa, radius 0.2 m each): the largest step that held, and
// the smallest that gained energy or did not end. What is told lies between, to a factor 1.5.
TEST(LawImpact, TellsTheLargestStepThatHolds) {
  struct Row {
    const char* law;
    double restitution, held, failed;
  };
  for (const Row& row : {Row{"flores", 0.05, 0.001, 0.002}, Row{"hunt_crossley", 0.05, 0.005, 0.01},
                         Row{"flores", 0.5, 0.005, 0.01}, Row{"hunt_crossley", 0.5, 0.005, 0.01}}) {
    SCOPED_TRACE(std::string(row.law) + " " + std::to_string(row.restitution));
    PairLaw pair;
    pair.material = with_restitution(row.restitution);
    pair.material.modulus = 2.1e6 / (2.0 * (1.0 - 0.09));
    pair.material.damping_max = 1e9;
    pair.normal = find_normal_law(row.law);
    const double speed = std::sqrt(2.0 * 9.81 * 0.6);
    const LawImpact impact = law_impact(pair, 0.1, 1.0, speed);
    const double step = largest_explicit_step(pair, 0.1, 1.0, speed, impact);
    EXPECT_GE(step, row.held / 1.5);
    EXPECT_LE(step, row.failed * 1.5);
  }
}

TEST(LawImpact, OfTheSeriesLawEndsLikeItsSpringsWithoutDampers) {
  PairLaw pair;
  pair.normal = find_normal_law("otter_series");
  pair.normal_params =
      law_params(*pair.normal, pair.material,
                 {{"stiffness", 4e5}, {"stiffness_2", 4e5}, {"damping", 0.0}, {"damping_2", 0.0}});
  // Springs in series: half the stiffness of one; half a period.
  const LawImpact impact = law_impact(pair, 0.1, 0.5, 2.0);
  EXPECT_NEAR(impact.duration, std::numbers::pi * std::sqrt(0.5 / 2e5), 1e-8);
  EXPECT_NEAR(impact.speed_out, 2.0, 1e-5);
}

TEST(Modia3dImpact, RestitutionIsBelowTheSetOneAsPredicted) {
  // Steel ball of 50 mm on steel, set 0.7: integrated with relative tolerance 1e-12.
  PairMaterial m = with_restitution(0.7);
  constexpr double K = 32762900769.227684, mass = 4.188790204786391;
  m.modulus = K / (4.0 / 3.0 * std::sqrt(0.05));
  NormalPoint law(*find_normal_law("modia3d"), m);
  law.start(0.1);
  EXPECT_NEAR(law.constants[0], 6.857142857142858, 1e-12);
  const auto rhs = [&](double, const State<2>& x) {
    const NormalInput in{.depth = std::max(0.0, x[0]), .depth_rate = x[1], .radius = 0.05};
    return State<2>{x[1], -law(in).force / mass};
  };
  auto ode = make_ode<2>(rhs, State<2>{1.6e-5, 0.1}, 1e-13);
  ode.x = {0.0, 0.1}, ode.h = 1e-10;
  ode.run_to_fall([](const State<2>& x) { return x[1]; }, 1.0);
  EXPECT_NEAR(ode.x[0], 1.6533983927172488e-05, 1e-14);
  ASSERT_TRUE(ode.run_to_fall([](const State<2>& x) { return x[0]; }, 1.0));
  EXPECT_NEAR(ode.t, 0.0005923703259204096, 1e-12);
  EXPECT_NEAR(-ode.x[1], 0.06831841997307474, 1e-10);
}

TEST(LinearLaws, LoseWhatTheDampedOscillatorLoses) {
  // Until the depth is zero again, e = exp(-zeta pi / sqrt(1 - zeta²)).
  constexpr double m = 2.0, k = 4e5, zeta = 0.15;
  const double c = 2.0 * zeta * std::sqrt(k * m);
  const double e = std::exp(-zeta * std::numbers::pi / std::sqrt(1.0 - zeta * zeta));
  const NormalPoint kv(*find_normal_law("kelvin_voigt"), {}, {{"stiffness", k}, {"damping", c}});
  EXPECT_NEAR(collide(kv, 0.0, k, m, 1.5, 0.0).speed_out / 1.5, e, 1e-10);
  const NormalPoint power(
      *find_normal_law("power"), {},
      {{"stiffness", k}, {"damping", c}, {"exponent", 1.0}, {"damping_exponent", 0.0}});
  EXPECT_NEAR(collide(power, 0.0, k, m, 1.5, 0.0).speed_out / 1.5, e, 1e-10);
  // Otter's: series of springs, mean of dampers.
  const NormalPoint otter(*find_normal_law("otter"), {},
                          {{"stiffness", 3 * k},
                           {"stiffness_2", 1.5 * k},
                           {"damping", 0.5 * c},
                           {"damping_2", 1.5 * c}});
  EXPECT_NEAR(collide(otter, 0.0, k, m, 1.5, 0.0).speed_out / 1.5, e, 1e-10);
}

TEST(SeriesLaw, BooksEveryJoule) {
  // Work done on the contact = stored + dissipated, the state's own part included; equal
  // surfaces are Kelvin and Voigt's law with half of each.
  for (const double ratio : {1.0, 4.0}) {
    const NormalPoint law(*find_normal_law("otter_series"), {},
                          {{"stiffness", 1e5},
                           {"stiffness_2", ratio * 1e5},
                           {"damping", 40.0},
                           {"damping_2", 10.0 * ratio}});
    constexpr double m = 1.0;
    const auto rhs = [&](double, const State<4>& x) {
      const NormalInput in{.depth = x[0], .depth_rate = x[1], .state = x[2]};
      const NormalOutput out = law(in);
      const double lost = (out.force - out.elastic) * x[1] + out.state_power;
      EXPECT_GE(lost, -1e-9);
      return State<4>{x[1], -out.force / m, out.state_rate, lost};
    };
    auto ode = make_ode<4>(rhs, State<4>{1e-3, 1.0, 1e-3, 0.1}, 1e-12);
    ode.x = {0.0, 1.0, 0.0, 0.0};
    ode.run(5e-3);
    const NormalInput in{.depth = ode.x[0], .depth_rate = ode.x[1], .state = ode.x[2]};
    const double kinetic = 0.5 * m * ode.x[1] * ode.x[1];
    EXPECT_NEAR(kinetic + law(in).energy + ode.x[3], 0.5, 1e-10) << ratio;
    EXPECT_GT(ode.x[3], 0.01);
  }
}

}  // namespace
}  // namespace carom
