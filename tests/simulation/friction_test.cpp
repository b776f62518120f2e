// Friction of scenes against integrations by other programs and against closed forms.
//
// One contact under a constant normal force N, guided so that only sliding is left:
//
//   m x'' = F(t) - friction(x', z)                                                  (1)
//
// The references state LuGre with forces (sigma0 in N/m, Fc, Fs); Carom scales it by N, so
// sigma0 = s0 N and so on. Their sigma1 is constant: `passive: false`.
#include <cmath>

#include "contact_runs.h"

namespace carom {
namespace {

using testing::body;
using testing::joint;
using testing::model_of;
using testing::only_contact;
using testing::run_text;
using testing::set;
using testing::unexplained;

constexpr double kWeight = 9.81;
const double kAngle = 15.0 * M_PI / 180.0;

const std::string kGuided = R"yaml(
carom: 1
gravity: off
values: {end: 1, depth: 1e-3, N: 1, push: 0, rate: 0, pull: 0, shake: 0, m: 1, v0: 0, s0: 1e5, s1: 316.22776601683796, s2: 0.4, mu_k: 1, mu_s: 1.5}
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  block: {material: steel, mass: $m, inertia: [1, 1, 1], shapes: [{sphere: {radius: 0.1}}],
          joint: {prismatic: {axis: x, at: [0, 0, "=0.1 - depth"]}, name: slide, v: $v0, collide: true}}
forces: {load: {force: {body: block, value: ["=push + rate*t + pull*(0.1*t - slide.q) + shake*sin(10*pi*t)", 0, 0]}}}
contact:
  law: {kelvin_voigt: {stiffness: "=N/depth", damping: 0}}
  friction: {lugre: {stiffness: "=s0/N", damping: "=s1/N", viscous: "=s2/N", mu_k: $mu_k, mu_s: $mu_s, v_stribeck: 0.001, passive: false}}
  resistance: none
run: {until: $end, tolerance: 1e-9}
)yaml";

std::string with_friction(const std::string& law) {
  const std::size_t first = kGuided.find("{lugre:"), last = kGuided.find('\n', first);
  return std::string(kGuided).replace(first, last - first, law);
}

/// On an incline of 15 degrees with its mass of 1 kg.
std::vector<std::string> on_incline(double t) {
  return {set("values.N", kWeight * std::cos(kAngle)),
          set("values.push", kWeight * std::sin(kAngle)), "values.mu_k=0.4", "values.mu_s=0.5",
          set("values.end", t)};
}

TEST(LuGre, HoldsABlockOnAnInclineAfterTheReference) {
  const RunResult r = run_text(kGuided, on_incline(10.0));
  EXPECT_NEAR(joint(r, "slide").q[0], 5.65238685e-05, 1e-10);  // the reference's own noise
  EXPECT_LE(std::abs(joint(r, "slide").v[0]), 1e-10);
  EXPECT_NEAR(-only_contact(r).force.x, kWeight * std::sin(kAngle), 1e-9);
  EXPECT_LE(unexplained(r), 1e-6);
}

// Too soft and too lightly damped, Moisio's bristles let the block go although mu_s would
// hold it, or let it swing before they do.
TEST(LuGre, LetsGoWhereTheReferenceDoes) {
  const auto at = [](double t, const char* mu_k, const char* mu_s) {
    std::vector<std::string> overrides = on_incline(t);
    for (const std::string text : {"s0=200", "s1=1", "s2=0.1"})
      overrides.push_back("values." + text);
    overrides.push_back(std::string("values.mu_k=") + mu_k);
    overrides.push_back(std::string("values.mu_s=") + mu_s);
    return joint(run_text(kGuided, overrides), "slide").q[0];
  };
  EXPECT_NEAR(at(1.0, "0.1", "0.3"), 0.8148353439029461, 1e-9);
  EXPECT_NEAR(at(10.0, "0.1", "0.3"), 58.85435535331881, 1e-7);
  EXPECT_NEAR(at(1.0, "0.4", "0.5"), 0.06426188333371298, 1e-8);
  EXPECT_NEAR(at(60.0, "0.4", "0.5"), 0.09309727927152156, 1e-7);
}

TEST(LuGre, ShowsPreslidingUnderASlowRamp) {
  const struct {
    double rate, x, v;
  } rows[] = {{1.0, 2.3989520878274114e-05, 4.95531569928514e-05},
              {0.1, 2.4125729181805286e-05, 4.9947518980062255e-06}};
  for (const auto& row : rows) {
    const RunResult r =
        run_text(kGuided, {set("values.rate", row.rate), set("values.end", 1.2 / row.rate)});
    EXPECT_NEAR(joint(r, "slide").q[0], row.x, 1e-9);
    EXPECT_NEAR(joint(r, "slide").v[0], row.v, 1e-10);
    // Infinitely slow: x = -(Fs/sigma0) ln(1 - F/Fs).
    EXPECT_NEAR(joint(r, "slide").q[0], -1.5e-5 * std::log(1.0 - 1.2 / 1.5),
                0.16e-6 * row.rate + 2e-9);
  }
}

// The faster the force grows, the earlier the bristles give way.
TEST(LuGre, BreakAwayDependsOnTheRate) {
  const struct {
    double rate, t, force, v;
  } rows[] = {{0.5, 2.9293, 1.456932142939943, 0.00027865858374186},
              {1.0, 1.44441, 1.4322753584448094, 0.00034873645384717354},
              {5.0, 0.269676, 1.312969587467298, 0.0005973310555764058},
              {10.0, 0.127732, 1.2196434991302771, 0.0007706302909877296},
              {50.0, 0.0305613, 1.0057065915572945, 0.004356898841440958}};
  double before = 1.5;
  for (const auto& row : rows) {
    const RunResult r = run_text(kGuided, {set("values.rate", row.rate), set("values.end", row.t)});
    const double v = joint(r, "slide").v[0];
    const double bristles = -only_contact(r).force.x - 0.4 * v;
    EXPECT_NEAR(bristles, row.force, 2e-8) << "rate " << row.rate;  // accuracy of the reference
    EXPECT_NEAR(v, row.v, 1e-8) << "rate " << row.rate;
    EXPECT_LT(bristles, before);
    before = bristles;
  }
}

// Pulled by a spring of 2 N/m at 0.1 m/s; the spring force is greatest and least where the
// block moves as fast as the end of the spring.
TEST(LuGre, SticksAndSlips) {
  const struct {
    double t, x;
  } rows[] = {{7.645395363946082, 0.010545619617695623},
              {9.889390116510228, 0.6183194258671294},
              {14.008115185008336, 0.646817601723864},
              {16.25210993757248, 1.2545914079733869}};
  for (const auto& row : rows) {
    const RunResult r = run_text(kGuided, {"values.pull=2", set("values.end", row.t)});
    EXPECT_NEAR(joint(r, "slide").q[0], row.x, 2e-8);
    EXPECT_NEAR(joint(r, "slide").v[0], 0.1, 2e-7);
    EXPECT_LE(unexplained(r), 1e-6);
  }
}

// A load of the incline that shakes by 0.5 N at 5 Hz. The drift after the first second does
// not remember how the block was put down.
TEST(LuGre, RatchetsUnderVibrationAsTheReference) {
  const auto at = [](double t) {
    std::vector<std::string> overrides = on_incline(t);
    overrides.push_back("values.shake=0.5");
    return joint(run_text(kGuided, overrides), "slide").q[0];
  };
  EXPECT_NEAR(at(5.0) - at(1.0), 0.0004031499554346819 - 7.97338485584131e-05, 1e-9);
}

TEST(ElastoPlastic, HoldsALoadThatSwingsByThirtyPerCentAroundHalfOfCapacity) {
  const std::string scene = with_friction("{elasto_plastic: {mu_k: $mu_k, mu_s: $mu_s}}");
  const double half = 0.25 * kWeight;  // mu_s N / 2
  const auto at = [&](double t) {
    return joint(run_text(scene, {set("values.N", kWeight), set("values.push", half),
                                  set("values.shake", 0.3 * half), "values.mu_k=0.4",
                                  "values.mu_s=0.5", set("values.end", t)}),
                 "slide")
        .q[0];
  };
  EXPECT_LE(std::abs(at(10.0) - at(2.0)), 1e-11);  // the same phase
}

TEST(Makkar, GivesItsCurveWhileItSlides) {
  const struct {
    const char* gamma;
    double v, mu;
  } rows[] = {
      {"gamma1: 0.25, gamma2: 100, gamma3: 10, gamma4: 0.1, gamma5: 100, gamma6: 0.01", 1e-4,
       0.003250883421333111},
      {"gamma1: 0.25, gamma2: 100, gamma3: 10, gamma4: 0.1, gamma5: 100, gamma6: 0.01", 1e-3,
       0.032393881448734674},
      {"gamma1: 0.25, gamma2: 100, gamma3: 10, gamma4: 0.1, gamma5: 100, gamma6: 0.01", 5e-3,
       0.14930141130153343},
      {"gamma1: 0.025, gamma2: 1000, gamma3: 50, gamma4: 0.05, gamma5: 500, gamma6: 0", 0.1,
       0.050002269893435126},
      {"gamma1: 0.025, gamma2: 1000, gamma3: 50, gamma4: 0.05, gamma5: 500, gamma6: 0", 0.5, 0.05}};
  for (const auto& row : rows) {
    const std::string scene = with_friction(std::string("{makkar: {") + row.gamma + "}}");
    // A mass that friction does not slow down.
    const RunResult r = run_text(
        scene, {"values.m=1e12", set("values.v0", row.v), "values.N=10", "values.end=1e-3"});
    EXPECT_NEAR(-only_contact(r).force.x / 10.0, row.mu, 1e-12) << row.v;
  }
}

// Regularised friction carries the load of the incline only while it creeps.
//   Otter    v = v_min tan(a)/mu,   x = v (t - T (1 - exp(-t/T))),  T = v_min/(mu g cos a)
//   Modia3D  mu v / reg(v, v_small) = tan a
TEST(RegularisedCoulomb, CreepsAsPredicted) {
  const struct {
    const char* law;
    double x_1s, x_60s, v;
  } rows[] = {{"{coulomb_otter: {mu: 0.5, v_min: 0.001}}", 0.0005357852752123029,
               0.032153789982084784, 0.0005358983848622454},
              {"{coulomb_otter: {mu: 0.5, v_min: 0.01}}", 0.0053476728836282005,
               0.32152771995235296, 0.005358983848622454},
              {"{coulomb: {mu: 0.5, v_small: 0.001}}", 0.0, 0.0, 0.00019831600196617478},
              {"{coulomb: {mu: 0.4, v_small: 0.001}}", 0.0, 0.0, 0.0002667035756373536}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.law);
    const RunResult first = run_text(with_friction(row.law), on_incline(1.0));
    EXPECT_NEAR(joint(first, "slide").v[0], row.v, 1e-10);
    const RunResult last = run_text(with_friction(row.law), on_incline(60.0));
    EXPECT_NEAR(joint(last, "slide").q[0] - joint(first, "slide").q[0], 59.0 * row.v, 1e-7);
    if (row.x_1s == 0.0) continue;
    EXPECT_NEAR(joint(first, "slide").q[0], row.x_1s, 1e-9);
    EXPECT_NEAR(joint(last, "slide").q[0], row.x_60s, 1e-7);
  }
}

const char* kBlockOnIncline = R"yaml(
carom: 1
gravity: ["=9.81*sin(a)", 0, "=-9.81*cos(a)"]
values: {a: 0.2617993877991494}
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  block: {material: steel, shapes: [{box: {size: [0.2, 0.1, 0.1]}}], position: [0, 0, 0.05]}
contact: {law: exact, friction: lugre, restitution: 0.3, mu_k: 0.4, mu_s: 0.5}
run: {until: 600}
)yaml";

TEST(BlockOnIncline, DoesNotCreepInTenMinutesUnderLuGre) {
  Simulation simulation(model_of(kBlockOnIncline));
  ASSERT_EQ(simulation.advance(10.0), AdvanceStatus::reached);
  const std::vector<double> before = simulation.value("block.position");
  ASSERT_EQ(simulation.advance(600.0), AdvanceStatus::reached);
  const std::vector<double> after = simulation.value("block.position");
  EXPECT_LE(std::hypot(after[0] - before[0], after[1] - before[1], after[2] - before[2]), 1e-9);
}

TEST(BlockOnIncline, CreepsAsPredictedUnderRegularisedCoulomb) {
  const RunResult r = run_text(
      kBlockOnIncline, {"contact.friction={coulomb: {mu: 0.5, v_small: 0.001}}", "run.until=2"});
  EXPECT_NEAR(body(r, "block").velocity.x, 0.00019831600196617478, 1e-9);
}

// 5/7 of the speed remains, whatever the friction, if the ball is hard: lever arm R.
TEST(SlidingBall, RollsWithFiveSeventhsOfItsSpeed) {
  for (const char* law :
       {"coulomb", "coulomb_otter", "stribeck", "makkar", "lugre", "elasto_plastic"}) {
    const RunResult r = run_text(R"yaml(
carom: 1
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.05], velocity: [1, 0, 0]}
contact: {law: exact, resistance: none, mu_k: 0.3, mu_s: 0.4}
run: {until: 0.5}
)yaml",
                                 {std::string("contact.friction=") + law});
    // It sinks in by 1.2e-6 m, a part of 2.3e-5 of its radius.
    EXPECT_NEAR(body(r, "ball").velocity.x, 5.0 / 7.0, 2e-5) << law;
    EXPECT_NEAR(0.05 * body(r, "ball").angular_velocity.y, 5.0 / 7.0, 4e-5) << law;
    EXPECT_NEAR(r.energy.dissipated_friction / (0.5 * 8000 * 4.0 / 3.0 * M_PI * 1.25e-4), 2.0 / 7.0,
                1e-4)
        << law;
  }
}

// Friction of several thousand newtons on half a kilogram: an explicit step of a twentieth of
// the impact would reverse the slip again and again, and each time gain energy.
TEST(FixedSteps, FrictionNearStandstillGainsNoEnergy) {
  const std::string scene = R"yaml(
carom: 1
gravity: off
bodies:
  floor: {fixed: true, material: grain, shapes: [{half_space: {}}]}
  ball: {material: grain, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.0501], velocity: [2, 0, -4]}
materials: {grain: {density: 1000, youngs_modulus: 1e8, poissons_ratio: 0.3}}
contact: {law: hunt_crossley, restitution: 0.9, mu_k: 0.5, resistance: none}
run: {until: 0.01, step: 1e-4, integrator: rk4, output: {step: 1e-4}}
)yaml";
  const RunResult coarse = run_text(scene);
  const RunResult fine =
      run_text(scene, {"run.integrator=auto", "run.step=0", "run.tolerance=1e-8"});
  EXPECT_LE(unexplained(coarse), 0.01);
  // Rolling after the impact: 5/7 of the speed by angular momentum about the ground, but for the
  // 3 % of the radius by which the lever is shorter in between.
  const double rolling = 2.0 * 5.0 / 7.0;
  EXPECT_NEAR(body(fine, "ball").velocity.x, rolling, 0.01);
  EXPECT_NEAR(body(coarse, "ball").velocity.x, body(fine, "ball").velocity.x, 0.01);
}

// A block that slides and spins to rest. Bristles relax 25 times faster than steps of 0.1 ms can
// follow; referees are error control and, for the way of the block, Coulomb: v² / (2 mu g), longer
// by what spinning takes of the friction.
TEST(FixedSteps, BristlesSlideAndStickAsUnderErrorControl) {
  const std::string scene = R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  block: {material: steel, shapes: [{box: {size: [0.2, 0.2, 0.04]}}], position: [0, 0, 0.02], velocity: [1, 0, 0], angular_velocity: [0, 0, 3]}
contact: {law: exact, restitution: 0.3, k_red: 1e-3, mu_k: 0.4, mu_s: 0.5, friction: lugre}
run: {until: 1, tolerance: 1e-8}
)yaml";
  for (const std::string law : {"lugre", "elasto_plastic"}) {
    const std::string friction = "contact.friction=" + law;
    const double way = body(run_text(scene, {friction}), "block").position.x;
    EXPECT_GT(way, 1.0 / (2.0 * 0.4 * 9.81));
    EXPECT_LT(way, 1.05 / (2.0 * 0.4 * 9.81));
    for (const std::string method : {"semi_implicit_euler", "rk4"}) {
      for (const std::string step : {"5e-5", "1e-4", "3e-4"}) {
        if (method == "rk4" && step == "3e-4") continue;  // more than a twentieth of the contact
        const RunResult r =
            run_text(scene, {friction, "run.integrator=" + method, "run.step=" + step});
        const std::string what = law + ", " + method + ", " + step;
        EXPECT_NEAR(body(r, "block").position.x, way, 1e-3 * way) << what;
        EXPECT_LE(norm(body(r, "block").velocity), 1e-9) << what;  // on its bristles, decaying
        EXPECT_LE(unexplained(r), 1e-4) << what;
      }
    }
  }
}

// Bristles that turned with a rolling ball crept by 4e-5 of its way where the ball came first.
TEST(RollingBall, DoesNotDependOnWhichBodyIsNamedFirst) {
  const std::string ball =
      "  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.05]}\n";
  const std::string ramp = "  ramp: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n";
  for (const char* law : {"lugre", "elasto_plastic", "mindlin"}) {
    SCOPED_TRACE(law);
    const auto rolled = [&](const std::string& bodies) {
      const RunResult r = run_text(
          "carom: 1\ngravity: [\"=9.81*sin(0.2)\", 0, \"=-9.81*cos(0.2)\"]\nbodies:\n" + bodies +
          "contact: {law: exact, restitution: 0.3, friction: " + law +
          ", mu_k: 0.3, mu_s: 0.3, resistance: none}\nrun: {until: 0.5, tolerance: 1e-9}\n");
      return body(r, "ball").velocity.x;
    };
    const double first = rolled(ball + ramp), second = rolled(ramp + ball);
    EXPECT_NEAR(first, second, 1e-8);
    EXPECT_NEAR(second, 0.5 * 5.0 / 7.0 * 9.81 * std::sin(0.2), 1e-5);
  }
}

}  // namespace
}  // namespace carom
