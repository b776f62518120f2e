// Idealised surfaces in a run: the experiments of Oestersötebier, Wang and Trächtler (2014),
// closed forms, and what happens where a contact leaves its range.
//
// Reference states of the experiments: re-simulated from the equations with error control at
// 1e-12 by a program of its own, which agrees with itself to 6e-10 at a hundredfold tolerance.
#include <cmath>
#include <numbers>

#include "contact_runs.h"
#include "example_scenes.h"

namespace carom {
namespace {

using std::numbers::pi;
using testing::body;
using testing::events_of;
using testing::model_of;
using testing::run_example;
using testing::run_text;
using testing::unexplained;

struct Row {
  double t, y, z, turn;
};

void expect_rows(const char* example, const char* name, std::span<const Row> rows) {
  Simulation simulation(testing::example_model(example, {"run.tolerance=1e-9"}));
  for (const Row& row : rows) {
    ASSERT_EQ(simulation.advance(row.t), AdvanceStatus::reached);
    const std::string prefix = name;
    EXPECT_NEAR(simulation.value(prefix + ".position.y")[0], row.y, 1e-7) << row.t;
    EXPECT_NEAR(simulation.value(prefix + ".position.z")[0], row.z, 1e-7) << row.t;
    EXPECT_NEAR(simulation.value(prefix + ".angular_velocity.x")[0], row.turn, 1e-7) << row.t;
  }
}

TEST(Idealised1, FollowsAnIndependentIntegrationWithThePrintedParameters) {
  constexpr Row kRows[] = {{0.05, 0.0377375, 0.002, 0.0},
                           {0.08, 0.01915568341998697, 0.0020424859491934184, 1.268666932476047},
                           {0.1, 0.029262878709530375, 0.004736313691078192, 4.035043427243228},
                           {0.15, 0.04774906747764101, 0.012675856348297519, 4.035043427243228},
                           {0.2, 0.04171025624575163, 0.020615399005516868, 4.035043427243228},
                           {0.25, 0.01114644501386226, 0.02855494166273623, 4.035043427243228}};
  expect_rows("idealised_1", "ball", kRows);
}

TEST(Idealised1, FollowsAnIndependentIntegrationWithThoseOfTheFigure) {
  constexpr Row kRows[] = {{0.08, 0.020339324683129385, 0.0021275889489704523, 2.9988182718309124},
                           {0.1, 0.027685482490977128, 0.004234245855822001, 3.6985207530779425},
                           {0.15, 0.031010603624253306, 0.009732447730297064, 3.6985207530779425},
                           {0.2, 0.013793940700914886, 0.01866090720686586, 5.6239359910643465},
                           {0.25, -0.010268747437337303, 0.04322464330310687, 5.6239359910643465}};
  expect_rows("idealised_1_figure", "ball", kRows);
}

TEST(Idealised1, HasThePeakForcesOfThePaper) {
  Simulation simulation(testing::example_model("idealised_1_figure"));
  double first = 0.0, second = 0.0;
  for (int i = 1; i <= 5000; ++i) {
    const double t = 5e-5 * i;
    simulation.advance(t);
    double& peak = t < 0.13 ? first : second;
    peak = std::max(peak, simulation.value("contact(skin,lateral).force.normal")[0]);
  }
  // Samples 50 us apart miss the peak of a 10 ms bounce by 2.5e-4 of it.
  EXPECT_NEAR(first, 21.411280969778883, 0.01);
  EXPECT_NEAR(second, 10.017173285269472, 0.01);
}

TEST(Idealised2, FollowsAnIndependentIntegration) {
  constexpr Row kRows[] = {{0.055, 0.007495224701492277, 0.00013638783665515007, 4.079000541833432},
                           {0.1, 0.007313461221473674, 0.0021338479288133313, 7.494157516110431},
                           {0.2, 0.006557088769199594, 0.01069014905264432, 15.094129418320138},
                           {0.3, 0.005308819602333303, 0.024925175494200775, 22.69410692549415},
                           {0.35, 0.004499161022919458, 0.03417211727407265, 26.494096562911068},
                           {0.45, -0.021101832103217966, 0.055551224128751145, 28.807922675896425}};
  expect_rows("idealised_2", "roll", kRows);
}

TEST(Idealised2, RollsAsRollingTheorySays) {
  Simulation simulation(testing::example_model("idealised_2"));
  simulation.advance(0.1);
  const double before = simulation.value("roll.angular_velocity.x")[0];
  simulation.advance(0.3);
  const double slope = (simulation.value("roll.angular_velocity.x")[0] - before) / 0.2;
  EXPECT_NEAR(slope, 9.81 * std::sin(pi / 36.0) / (1.5 * 0.0075), 0.001) << "76.00 rad/s2";
  EXPECT_NEAR(slope, 75.93, 0.3) << "figure 12: 0.06 rad/s at both ends of 0.2 s";
}

TEST(Idealised2, MovesItsPointsTogetherAsTheLineLeavesTheDisc) {
  Simulation simulation(testing::example_model("idealised_2"));
  // A point of radius R = 40 mm covers +-sqrt(R² - s²) at the distance s down the slope.
  for (const double t : {0.2, 0.37, 0.379}) {
    simulation.advance(t);
    const Vec3 p{0, simulation.value("roll.position.y")[0], simulation.value("roll.position.z")[0]};
    const double s = dot(p, Vec3{0, -std::sin(pi / 36.0), std::cos(pi / 36.0)});
    const double chord = std::sqrt(0.04 * 0.04 - s * s);
    EXPECT_NEAR(simulation.value("contact(side,top).length")[0], 2.0 * std::min(0.015, chord),
                1e-12);
    EXPECT_EQ(simulation.value("contact(side,top).points")[0], 2.0);
  }
  simulation.advance(0.385);
  EXPECT_EQ(simulation.value("contact(side,top).points")[0], 0.0);
}

TEST(Idealised3, FollowsAnIndependentIntegration) {
  constexpr double kRows[][4] = {
      {0.09, -0.00037307688462442733, 0.0365423957430376, -4.5659038769524176e-05},
      {0.1, -0.0011373411869661672, 0.029808848706621226, -0.00013851708439278673},
      {0.12, -0.006229143998243235, 0.02698047760170101, 0.00026309980263957116},
      {0.15, -0.015764178680957305, 0.02472473104762848, 0.001009734839553045},
      {0.2, -0.034563813202818434, 0.016800021736001116, 0.002253038345941291},
      {0.25, -0.058207383442605044, 0.010307837319118269, 0.0034318159642456707}};
  Simulation simulation(testing::example_model("idealised_3", {"run.tolerance=1e-9"}));
  for (const auto& [t, x, y, z] : kRows) {
    ASSERT_EQ(simulation.advance(t), AdvanceStatus::reached);
    const std::vector<double> p = simulation.value("box.position");
    EXPECT_LE(norm(Vec3{p[0] - x, p[1] - y, p[2] - z}), 1e-7) << t;
  }
}

// One scene of a face at rest: mass 3 kg on four corners of stiffness c.
std::string resting_box(const std::string& law, const std::string& more = "") {
  return "carom: 1\nbodies:\n"
         "  box: {mass: 3, inertia: [0.01, 0.01, 0.01], com: [0.01, 0.005, 0.05], position: [0, 0, "
         "0]}\n"
         "surfaces:\n"
         "  base: {body: box, rectangle: {length: 0.1, width: 0.06}, normal: -z}\n"
         "  floor: {rectangle: {length: 1, width: 1}}\n"
         "contacts:\n  - {between: [base, floor], law: " +
         law + ", friction: coulomb, mu_k: 0.5" + more +
         "}\n"
         "initial: equilibrium\nrun: {until: 0.01}\n";
}

TEST(IdealisedRest, EveryCornerCarriesItsShareOfABoxAtRest) {
  const RunResult r = run_text(resting_box("{c: 1e6, d: 1e4, n: 1, m: 1, t: 1e-3}"));
  ASSERT_EQ(r.contacts.size(), 1u);
  ASSERT_EQ(r.contacts[0].points.size(), 4u);
  // A linear law: f_i = (W/4) (1 + x x_c / (l/2)² + y y_c / (w/2)²) with x_c, y_c the place of
  // the weight. The tilt of 1e-5 rad moves it by 0.05 m times that.
  for (const SurfacePoints::Point& p : r.contacts[0].points) {
    const double share =
        1.0 + std::copysign(0.01 / 0.05, p.position.x) + std::copysign(0.005 / 0.03, p.position.y);
    EXPECT_NEAR(-p.force.z * (r.contacts[0].reading.force.z > 0 ? -1.0 : 1.0),
                0.25 * 3 * 9.81 * share, 1e-3);
    EXPECT_NEAR(p.weight, 1.0, 1e-12);
  }
  EXPECT_NEAR(std::abs(r.contacts[0].reading.force.z), 3 * 9.81, 1e-6);
}

std::string dropped_ball(const std::string& law) {
  return "carom: 1\ncontact: {restitution: 1}\nbodies:\n"
         "  ball: {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], material: steel, position: [0, 0, "
         "0.03], "
         "velocity: [0, 0, -1]}\n"
         "surfaces:\n"
         "  skin: {body: ball, sphere: {radius: 0.02}}\n"
         "  floor: {rectangle: {length: 1, width: 1}, material: steel}\n"
         "contacts:\n  - {between: [skin, floor], law: " +
         law + ", friction: none}\nrun: {until: 0.05, tolerance: 1e-10}\n";
}

TEST(IdealisedLaws, LinearAndHertzianCasesAreTheRowsOfTheCatalogue) {
  const auto height = [](const std::string& law) {
    return body(run_text(dropped_ball(law)), "ball").position.z;
  };
  const double linear = height("{c: 1e5, d: 5, n: 1, m: 0, t: 1}");
  EXPECT_EQ(linear, height("{kelvin_voigt: {stiffness: 1e5, damping: 5}, t: 1}"))
      << "to the last bit";
  // Hunt and Crossley without loss is Hertz: c = (4/3) E* sqrt(r) with E* = E / (2 (1 - nu²)).
  const double c = 4.0 / 3.0 * 200e9 / (2 * (1 - 0.3 * 0.3)) * std::sqrt(0.02);
  char law[80];
  std::snprintf(law, sizeof law, "{c: %.17g, d: 0, n: 1.5, m: 1.5, t: 1}", c);
  EXPECT_NEAR(height(law), height("{hunt_crossley: {}, t: 1}"), 1e-10) << "of 5 cm at 1e-10";
}

TEST(IdealisedLaws, AutoGivesTheStiffnessOfHertzAndTheRestitutionOfTheMaterials) {
  const std::string text =
      "carom: 1\ngravity: off\nbodies:\n"
      "  ball: {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], material: steel, position: [0, 0, 0.03], "
      "velocity: [0, 0, -1]}\n"
      "surfaces:\n"
      "  skin: {body: ball, sphere: {radius: 0.02}}\n"
      "  floor: {rectangle: {length: 1, width: 1}, material: steel}\n"
      "contacts:\n  - {between: [skin, floor], law: auto, speed: 1}\n"
      "run: {until: 0.05, tolerance: 1e-10}\n";
  const auto model = model_of(text);
  const std::vector<double>& p = model->contact.laws.at(0).normal_params;
  EXPECT_NEAR(p[0], 4.0 / 3.0 * 200e9 / (2 * 0.91) * std::sqrt(0.02), 1.0);
  EXPECT_EQ(p[2], 1.5);
  EXPECT_NEAR(body(run(model), "ball").velocity.z, 0.7, 1e-7) << "steel on steel";
}

TEST(IdealisedFriction, IsTheSameAlongAnAxisAndAcross) {
  const auto scene = [](double vx, double vy) {
    char text[800];
    std::snprintf(
        text, sizeof text,
        "carom: 1\nbodies:\n"
        "  box: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0], velocity: [%.17g, "
        "%.17g, 0]}\n"
        "surfaces:\n"
        "  base: {body: box, rectangle: {length: 0.1, width: 0.1}, normal: -z}\n"
        "  floor: {rectangle: {length: 9, width: 9}}\n"
        "contacts:\n  - {between: [base, floor], law: {c: 1e6, d: 1e5, n: 1, m: 1, t: 1e-2}, "
        "friction: {mu_s: 0.2, mu_k: 0.2, v_e1: 1e-3, v_e2: 1e-2}}\n"
        "run: {until: 0.1, tolerance: 1e-9}\n",
        vx, vy);
    return body(run_text(text), "box").velocity;
  };
  const Vec3 along = scene(1, 0), across = scene(std::sqrt(0.5), std::sqrt(0.5));
  EXPECT_NEAR(std::hypot(along.x, along.y), std::hypot(across.x, across.y), 1e-6);
  EXPECT_NEAR(std::hypot(along.x, along.y), 1.0 - 0.2 * 9.81 * 0.1, 2e-3);
}

std::string deep_drop(const std::string& beyond) {
  return "carom: 1\nbodies:\n"
         "  ball: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0.05], velocity: [0, 0, "
         "-1]}\n"
         "surfaces:\n"
         "  skin: {body: ball, sphere: {radius: 0.02}}\n"
         "  floor: {rectangle: {length: 1, width: 1}}\n"
         "contacts:\n  - {between: [skin, floor], law: {c: 1e4, d: 1, n: 1, m: 1, t: 1e-3}, "
         "friction: none, beyond: " +
         beyond + "}\nrun: {until: 0.1}\n";
}

TEST(IdealisedLayer, BeyondTheLayerItPushesOnOrLetsGoWithAnEventEitherWay) {
  const RunResult pushed = run_text(deep_drop("push"));
  ASSERT_EQ(events_of(pushed, "contact_deep").size(), 1u);
  EXPECT_GT(body(pushed, "ball").velocity.z, 0.0);
  EXPECT_EQ(pushed.warnings.size(), 1u);
  const RunResult released = run_text(deep_drop("release"));
  ASSERT_EQ(events_of(released, "contact_released").size(), 1u);
  EXPECT_TRUE(events_of(released, "contact_end").empty());
  EXPECT_LT(body(released, "ball").position.z, -0.02) << "it has fallen through";
  EXPECT_LE(unexplained(pushed), 1e-6);
  EXPECT_LE(unexplained(released), 1e-6);
}

TEST(IdealisedLayer, WhatStartsBehindASurfaceDoesNotTouchIt) {
  const RunResult r = run_text(
      "carom: 1\nbodies:\n"
      "  ball: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, -0.3]}\n"
      "surfaces:\n"
      "  skin: {body: ball, sphere: {radius: 0.02}}\n"
      "  floor: {rectangle: {length: 1, width: 1}}\n"
      "contacts: [{between: [skin, floor]}]\nrun: {until: 0.1}\n");
  EXPECT_TRUE(r.events.empty());
  EXPECT_NEAR(body(r, "ball").position.z, -0.3 - 0.5 * 9.81 * 0.01, 1e-9);
}

// A low-pass far above the motion changes nothing but the smallest lag; one far below holds the
// points where they were.
TEST(IdealisedFilter, LagsBehindTheMovementOfThePoints) {
  const auto point = [](const char* filter) {
    Simulation simulation(testing::example_model("idealised_2", {filter}));
    simulation.advance(0.37);
    return simulation.value("contact(side,top).point")[0];
  };
  // At 0.37 s both ends have moved alike, so their mean stays in the middle.
  EXPECT_NEAR(point("contacts.0.filter=true"), 0.0, 1e-9);
  const RunResult plain = run_example("idealised_3", {"run.until=0.32"});
  const RunResult fast = run_example(
      "idealised_3", {"run.until=0.32", "contacts.0.filter=true", "contacts.0.frequency=500"});
  EXPECT_LE(norm(body(plain, "box").position - body(fast, "box").position), 1e-3);
  EXPECT_NE(body(plain, "box").position.x, body(fast, "box").position.x);
  EXPECT_LE(unexplained(fast), 1e-6);
}

// A filter of 10 kHz is faster than anything in the scene: it changes the motion by its lag of 20
// us times the speed of the points, and being stiff costs some evaluations, not a hundred times as
// many.
TEST(IdealisedFilter, IsNoBurdenWhereItIsFast) {
  const RunResult plain = run_example("idealised_3", {"run.until=0.32"});
  const RunResult filtered =
      run_example("idealised_3", {"run.until=0.32", "contacts.0.filter=true"});
  EXPECT_LT(filtered.statistics.counts.rhs_evaluations,
            2 * plain.statistics.counts.rhs_evaluations);
  EXPECT_LE(norm(body(plain, "box").position - body(filtered, "box").position), 1e-4);
}

TEST(IdealisedForce, NeverPulls) {
  Simulation simulation(testing::example_model("idealised_1_figure"));
  for (int i = 1; i <= 500; ++i) {
    simulation.advance(5e-4 * i);
    EXPECT_GE(simulation.value("contact(skin,lateral).force.normal")[0], 0.0);
  }
}

TEST(IdealisedBounds, PairsThatAreFarApartAreNotLookedAt) {
  const RunResult r = run_example("sorter", {"run.until=0.3"});
  EXPECT_GT(r.statistics.surface_tests, 100);
  EXPECT_GT(r.statistics.surface_skips, r.statistics.surface_tests / 3);
}

// Two free bodies: momentum is kept whatever the pair, to rounding, and angular momentum too.
TEST(IdealisedPairs, TwoMovingBodiesKeepTheirMomentum) {
  const std::pair<const char*, const char*> kSurfaces[] = {
      {"sphere: {radius: 0.05}, at: [0, 0, -0.05]", "sphere: {radius: 0.05}, at: [0, 0, 0.05]"},
      {"sphere: {radius: 0.05}, at: [0, 0, -0.05]",
       "cylinder: {radius: 0.05, length: 0.2}, at: [0, 0, 0.05]"},
      {"cylinder: {radius: 0.05, length: 0.2}, at: [0, 0, -0.05]",
       "cylinder: {radius: 0.05, length: 0.2}, at: [0, 0, 0.05], axis: [0.3, 1, 0]"},
      {"cylinder: {radius: 0.05, length: 0.2}, at: [0, 0, -0.05]",
       "cylinder: {radius: 0.05, length: 0.2}, at: [0, 0, 0.05]"},
      {"cylinder: {radius: 0.05, length: 0.2}, at: [0, 0, -0.05]",
       "rectangle: {length: 0.2, width: 0.2}, at: [0, 0, 0.1]"},
      {"circle: {radius: 0.1}, normal: -z, at: [0, 0, -0.1]",
       "circle: {radius: 0.07}, at: [0, 0, 0.1]"},
      {"circle: {radius: 0.1}, normal: -z, at: [0, 0, -0.1]",
       "rectangle: {length: 0.2, width: 0.1}, at: [0, 0, 0.1]"},
      {"rectangle: {length: 0.2, width: 0.2}, normal: -z, at: [0, 0, -0.1]",
       "rectangle: {length: 0.2, width: 0.1}, at: [0, 0, 0.1]"},
  };
  for (const auto& [upper, lower] : kSurfaces) {
    const std::string text =
        std::string(
            "carom: 1\ngravity: off\nbodies:\n"
            "  up: {mass: 1, inertia: [0.004, 0.005, 0.006], position: [0.02, 0.01, 0.21], "
            "velocity: [0.1, 0.2, -1], angular_velocity: [0.1, 0.2, 1]}\n"
            "  low: {mass: 2, inertia: [0.008, 0.007, 0.009], position: [0, 0, 0], "
            "velocity: [0, 0, 0.2], angular_velocity: [-0.2, 0.1, -0.5]}\n"
            "surfaces:\n  one: {body: up, ") +
        upper + "}\n  two: {body: low, " + lower +
        "}\ncontacts: [{between: [one, two], law: {c: 1e5, d: 1e4, n: 1.2, m: 1.2, t: 0.01}}]\n"
        "run: {until: 0.15, tolerance: 1e-8}\n";
    const RunResult r = run_text(text);
    ASSERT_FALSE(events_of(r, "contact_begin").empty()) << upper;
    const Vec3 p = body(r, "up").velocity + 2.0 * body(r, "low").velocity;
    EXPECT_LE(norm(p - Vec3{0.1, 0.2, -0.6}), 1e-12) << upper << " on " << lower;
    const auto spin = [&](const char* name, const Vec3& inertia, double m) {
      const BodyState& b = body(r, name);
      const Mat3 R = to_matrix(b.orientation);
      const Vec3 w = transpose_times(R, b.angular_velocity);
      return R * Vec3{inertia.x * w.x, inertia.y * w.y, inertia.z * w.z} +
             m * cross(b.position, b.velocity);
    };
    const Vec3 L = spin("up", {0.004, 0.005, 0.006}, 1) + spin("low", {0.008, 0.007, 0.009}, 2);
    const Vec3 L0 = Vec3{0.0004, 0.001, 0.006} + cross(Vec3{0.02, 0.01, 0.21}, Vec3{0.1, 0.2, -1}) +
                    Vec3{-0.0016, 0.0007, -0.0045};
    EXPECT_LE(norm(L - L0), 1e-7) << upper << " on " << lower;
    EXPECT_LE(unexplained(r), 1e-6) << upper << " on " << lower;
  }
}

// A convex shape on a rectangle: an ellipsoid at rest on its flattest point.
TEST(IdealisedConvex, AnEllipsoidRestsOnARectangleThroughItsSupportMapping) {
  const RunResult r = run_text(
      "carom: 1\nbodies:\n"
      "  egg: {material: steel, shapes: [{ellipsoid: {radii: [0.3, 0.2, 0.1]}, name: shell}], "
      "position: [0, 0, 0.1]}\n"
      "surfaces:\n"
      "  skin: {body: egg, shape: shell}\n"
      "  floor: {rectangle: {length: 1, width: 1}, material: steel}\n"
      "contacts: [{between: [skin, floor], law: {c: 1e7, d: 1e5, n: 1, m: 1, t: 1e-2}}]\n"
      "initial: equilibrium\nrun: {until: 0.1}\n");
  const double weight = 8000.0 * 4.0 / 3.0 * pi * 0.006 * 9.81;
  EXPECT_NEAR(body(r, "egg").position.z, 0.1 - weight / 1e7, 1e-9);
}

TEST(Bottle, StandsRocksBackOrFallsOver) {
  const RunResult r = run_example("bottle");
  const auto upright = [&](const char* name) {
    return (to_matrix(body(r, name).orientation) * Vec3{0, 0, 1}).z;
  };
  EXPECT_GT(upright("standing"), 0.999999);
  EXPECT_GT(upright("tilted"), 0.99);
  EXPECT_NEAR(upright("falling"), 0.0, 0.05);
  EXPECT_NEAR(body(r, "standing").position.z, 0.0, 1e-3);
}

TEST(Latch, HoldsTheGateBehindTheCatch) {
  const RunResult r = run_example("latch");
  const double x = 0.128 - 0.8 * std::sin(testing::joint(r, "hinge").q[0]);
  EXPECT_GT(x, 0.116) << "behind the catch";
  EXPECT_LT(x, 0.140) << "before the stop";
  EXPECT_LT(std::abs(testing::joint(r, "pivot").q[0]), 0.02) << "the arm is down";
  bool lifted = false, stopped = false;
  for (const EngineEvent& e : events_of(r, "contact_begin")) {
    lifted |= e.other == "ramp" || e.subject == "ramp";
    stopped |= e.other == "stop" || e.subject == "stop";
  }
  EXPECT_TRUE(lifted && stopped);
}

TEST(Sorter, DropsSmallBallsInTheFirstTrayAndTheLargeOneInTheSecond) {
  const RunResult r = run_example("sorter");
  const auto met = [&](const std::string& ball, const std::string& tray) {
    for (const EngineEvent& e : events_of(r, "contact_begin")) {
      if (e.subject == ball && e.other == tray) return true;
    }
    return false;
  };
  EXPECT_TRUE(met("skin_1", "first"));
  EXPECT_TRUE(met("skin_3", "first"));
  EXPECT_FALSE(met("skin_2", "first"));
  EXPECT_TRUE(met("skin_2", "second"));
}

}  // namespace
}  // namespace carom
