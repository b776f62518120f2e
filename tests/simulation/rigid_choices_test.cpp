// Choices of rigid contact: landing by the rule of the paper, impacts out of a paradox, surfaces by
// formulas.
#include <cmath>

#include "carom/scene/expand/expand.h"
#include "rigid_scenes.h"

namespace carom {
namespace {

using testing::body;
using testing::run_text;
using testing::scene_of;
using testing::text_of;
using testing::Thrown;
using testing::times_of;

// After the impact n a ball rises with e^n v. The rule stops it at the first bounce that is lower
// than the height; the limit of all bounces is 2 v/(g (1 - e)) later.
TEST(RigidLanding, ByThePaperStopsAtALowBounce) {
  const double g = 9.81, e = 0.5, radius = 0.1, drop = 1.0;
  Thrown ball;
  ball.position = {0, 0, drop + radius}, ball.mu = 0.0, ball.until = 2.0;
  const std::string text = scene_of(ball);
  for (const double height : {1e-10, 1e-6}) {
    std::string own = text;
    const std::string rigid = height == 1e-10 ? "paper" : "{rule: paper, height: 1e-6}";
    own.replace(own.find("method: rigid"), 13, "method: rigid, rigid: {landing: " + rigid + "}");
    const RunResult result = run_text(own);
    double t = std::sqrt(2.0 * drop / g), v = e * g * t;
    while (v * v / (2.0 * g) >= height * radius) t += 2.0 * v / g, v *= e;
    EXPECT_NEAR(testing::landing_of(result), t, 1e-11) << height;
    EXPECT_NEAR(times_of(result, "landing").at(0), t, 1e-11) << height;
  }
  // By default the end of the series is told, and it comes to rest there too.
  const double limit = std::sqrt(2.0 * drop / g) * (1.0 + 2.0 * e / (1.0 - e));
  EXPECT_NEAR(testing::landing_of(run_text(text)), limit, 1e-11);
}

TEST(RigidLanding, IsPartOfTheExpandedScene) {
  Thrown ball;
  ball.position = {0, 0, 1};
  std::string text = scene_of(ball);
  text.replace(text.find("method: rigid"), 13,
               "method: rigid, rigid: {landing: paper, paradox: impact}");
  const auto model = testing::model_of(text);
  const std::string expanded = expand(model->scene);
  EXPECT_NE(expanded.find("landing: {rule: paper}"), std::string::npos) << expanded;
  EXPECT_NE(expanded.find("paradox: impact"), std::string::npos) << expanded;
  EXPECT_EQ(expand(testing::model_of(expanded)->scene), expanded);
}

// Painlevé's rod slides where no force keeps it off the floor. Without collision its lower end
// stops: with e = 0 it is at rest after the impact, and the momentum about it has not changed.
TEST(RigidParadox, IsLeftByAnImpactWithoutCollision) {
  const double angle = 1.107148717794090503;
  const Vec3 arm{std::cos(angle), 0, std::sin(angle)};
  std::string text =
      "carom: 1\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n"
      "  rod: {mass: 1, inertia: [0.3333333333333333, 0.3333333333333333, 0.3333333333333333], "
      "shapes: [{point: {}, at: " +
      text_of(-arm) + "}], position: " + text_of(arm) +
      ", velocity: [-5, 0, 0]}\ncontact: {method: rigid, restitution: 0, mu_k: 1.4, rigid: "
      "{paradox: impact}}\nrun: {until: 1e-9, tolerance: 1e-12}\n";
  const RunResult result = run_text(text);
  EXPECT_EQ(times_of(result, "paradox").size(), 1u);
  ASSERT_EQ(times_of(result, "impact").size(), 1u);
  const Vec3 v = body(result, "rod").velocity, w = body(result, "rod").angular_velocity;
  EXPECT_LT(norm(v + cross(w, -arm)), 1e-7);
  // I w + m arm x v about the lower end, before: arm x (-5, 0, 0).
  const Vec3 before = cross(arm, Vec3{-5, 0, 0}), after = w / 3.0 + cross(arm, v);
  EXPECT_LT(norm(after - before), 1e-7);
  EXPECT_GE(result.energy.dissipated_normal + result.energy.dissipated_friction, 0.0);
}

// The same egg as a shape and as a formula: a ball falls on it, bounces, slides and rolls off.
TEST(RigidSmooth, EggByAFormulaIsTheEgg) {
  const auto scene = [](const std::string& egg) {
    return "carom: 1\nbodies:\n  egg: {fixed: true, shapes: [{" + egg +
           "}]}\n  ball: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [0.05, 0.03, 0.9], "
           "angular_velocity: [1, 2, 3]}\ncontact: {method: rigid, restitution: 0.3, mu_k: "
           "0.2}\nrun: {until: 0.9, tolerance: 1e-11}\n";
  };
  const RunResult one = run_text(scene("ellipsoid: {radii: [0.5, 0.4, 0.6]}"));
  const RunResult two =
      run_text(scene("implicit: {h: \"(x/a)^2 + (y/b)^2 + (z/c)^2 - 1\", with: {a: 0.5, b: 0.4, c: "
                     "0.6}, within: [[-0.7, -0.7, -0.7], [0.7, 0.7, 0.7]]}"));
  EXPECT_LT(norm(body(one, "ball").position - body(two, "ball").position), 1e-8);
  EXPECT_LT(norm(body(one, "ball").velocity - body(two, "ball").velocity), 1e-7);
  const std::vector<double> first = times_of(one, "impact"), second = times_of(two, "impact");
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(first[i], second[i], 1e-9) << i;
  EXPECT_EQ(times_of(one, "landing").size(), times_of(two, "landing").size());
}

// A ball in a groove touches both of its sides, each with a state of its own: it slides along the
// groove with mu N on both, a = g mu/cos of the slope.
TEST(RigidSmooth, BallInAGrooveTouchesBothSides) {
  const double mu = 0.1, g = 9.81, speed = 3.0;
  // Sides z = |y| - 0.05 beyond the round bottom: a ball of radius 0.3 stays above that.
  const RunResult result = run_text(
      "carom: 1\nbodies:\n  groove: {fixed: true, shapes: [{graph: {z: \"sqrt(y^2 + 1e-4)\", x: "
      "[-1, 6], y: [-1, 1]}}]}\n  ball: {mass: 1, inertia: [1e6, 1e6, 1e6], shapes: [{sphere: "
      "{radius: 0.3}}], position: [0, 0, 0.43], velocity: [" +
      text_of(speed) + ", 0, 0]}\ncontact: {method: rigid, restitution: 0, mu_k: " + text_of(mu) +
      "}\nrun: {until: 1, tolerance: 1e-9}\n");
  EXPECT_EQ(times_of(result, "landing").size(), 2u);
  const double slope = std::sqrt(0.5);  // of the sides, nearly
  const double a = mu * g / slope;
  EXPECT_NEAR(body(result, "ball").velocity.x, speed - a * 1.0, 0.02 * a);
  EXPECT_NEAR(body(result, "ball").velocity.y, 0.0, 1e-9);
}

// To the floor the crate and the can are triangles, to each other and to the ball they are rigid.
TEST(RigidBesideOthers, ABodyMayBeTrianglesToOnePartnerAndRigidToAnother) {
  const RunResult result = run_text(R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  crate: {material: steel, shapes: [{box: {size: [0.2, 0.2, 0.2]}}], position: [0, 0, 0.1]}
  can: {mass: 2, material: steel, shapes: [{cylinder: {radius: 0.05, length: 0.1}, axis: z}], position: [0.03, 0.01, 0.25]}
  ball: {mass: 0.5, material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0.03, 0.01, 0.75]}
contact:
  restitution: 0.5
  k_red: 1e-3
  pairs:
    - {between: [floor, crate], method: triangles, restitution: 0}
    - {between: [floor, can], method: triangles}
    - {between: [crate, can], method: rigid, restitution: 0}
    - {between: [can, ball], method: rigid}
run: {until: 1.5, tolerance: 1e-8}
)yaml");
  EXPECT_EQ(result.status, RunStatus::completed) << result.reason;
  EXPECT_EQ(result.verdict.grade(), Grade::sound);
  ASSERT_EQ(result.contacts.size(), 3u);
  for (const ContactLine& c : result.contacts) {
    const double above = c.first == "floor" ? 66.5 : c.first == "crate" ? 2.5 : 0.5;  // [kg]
    EXPECT_NEAR(c.reading.normal_force, above * 9.81, 1e-6 * above * 9.81) << c.first;
  }
}

// Time steps know Coulomb's cone alone: neither does a run that asks for another law take them, nor
// does `auto` go over to them.
TEST(RigidSlip, IsRegularisedUnderErrorControlAlone) {
  Thrown ball;
  ball.position = {0, 0, 0.1}, ball.velocity = {1, 0, 0};
  std::string text = scene_of(ball);
  text.replace(text.find("method: rigid"), 13, "method: rigid, rigid: {slip_regularisation: 1e-4}");
  const RunResult result = run_text(text);
  EXPECT_EQ(result.statistics.integrator, "switching");
  EXPECT_THROW(testing::model_of(text, {"run.integrator=time_stepping", "run.step=0.01"}),
               InputError);
}

TEST(RigidSteps, SayWhichChoicesOfImpactsTheyDoNotKnow) {
  Thrown ball;
  ball.position = {0, 0, 1};
  std::string text = scene_of(ball);
  text.replace(text.find("method: rigid"), 13,
               "method: rigid, rigid: {impact: {law: poisson, resolution: sequential}, landing: "
               "paper, paradox: impact}");
  const auto notes_of = [&](const std::vector<std::string>& overrides) {
    ReadOptions options;
    options.overrides = overrides;
    Diagnostics diagnostics;
    compile(read_scene_text(text, "test", options), diagnostics);
    std::string notes;
    for (const Diagnostic& d : diagnostics.all()) notes += d.message + "\n";
    return notes;
  };
  const std::string stepped = notes_of({"run.integrator=time_stepping", "run.step=0.01"});
  for (const char* key : {"impact.law", "impact.resolution", "landing", "paradox"}) {
    EXPECT_NE(stepped.find(std::string("contact.rigid.") + key), std::string::npos) << key;
  }
  EXPECT_EQ(notes_of({}).find("time steps"), std::string::npos);
}

}  // namespace
}  // namespace carom
