// compile() refuses what no reader has seen: scenes that a program made.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "carom/engine/model.h"

namespace carom {
namespace {

Scene made_scene() {
  Scene scene;
  BodySpec ball;
  ball.name = "ball";
  ball.mass = 1.0;
  ball.inertia = Sym3::diagonal({1, 1, 1});
  ball.position = Vec3{0, 0, 1};
  scene.bodies.push_back(ball);
  BodySpec rod = ball;
  rod.name = "rod";
  rod.position.reset();
  scene.bodies.push_back(rod);
  JointSpec pivot;
  pivot.name = "pivot";
  pivot.kind = "revolute";
  pivot.child = "rod";
  pivot.dofs.resize(1);
  scene.joints.push_back(pivot);
  scene.signals.push_back({"u", SignalSpec::constant(1.0)});
  return scene;
}

TEST(Compile, TakesASceneThatWasMadeByAProgram) {
  Diagnostics findings;
  EXPECT_NE(compile(made_scene(), findings), nullptr);
  EXPECT_TRUE(findings.all().empty()) << to_string(findings.all()[0]);
}

TEST(Compile, FindsWhatIsWrongAndNamesItsPath) {
  struct Wrong {
    const char* place;
    const char* text;
    std::function<void(Scene&)> spoil;
  };
  const double nan = std::nan("");
  const Wrong cases[] = {
      {"bodies.ball", "is already that of a body", [](Scene& s) { s.bodies[1].name = "ball"; }},
      {"bodies.ball.mass", "greater than 0", [](Scene& s) { s.bodies[0].mass = -1.0; }},
      {"bodies.ball.mass", "finite", [=](Scene& s) { s.bodies[0].mass = nan; }},
      {"bodies.ball.position.2", "finite", [=](Scene& s) { s.bodies[0].position->z = nan; }},
      {"bodies.rod", "belongs to no body",
       [](Scene& s) {
         s.bodies[1].inertia = Sym3::diagonal({1, 1, 5});
       }},
      {"run.until", "ends at -1", [](Scene& s) { s.run.until = -1.0; }},
      {"run.until", "finite", [=](Scene& s) { s.run.until = nan; }},
      {"run.tolerance", "at least", [](Scene& s) { s.run.tolerance = 0.0; }},
      {"run.step", "at least 0", [](Scene& s) { s.run.step = -1e-3; }},
      {"gravity.2", "finite", [=](Scene& s) { s.gravity.uniform.z = nan; }},
      {"values.r", "finite", [=](Scene& s) { s.values.emplace_back("r", nan); }},
      {"values.pi", "cannot be the name", [](Scene& s) { s.values.emplace_back("pi", 3.0); }},
      {"joints.pivot.damping", "at least 0", [](Scene& s) { s.joints[0].dofs[0].damping = -2.0; }},
      {"joints.pivot", "no body 'road'", [](Scene& s) { s.joints[0].child = "road"; }},
      {"joints.pivot", "no kind of joint", [](Scene& s) { s.joints[0].kind = "hinge"; }},
      {"joints.pivot", "takes 1",
       [](Scene& s) {
         s.joints[0].q = {1, 2, 3};
       }},
      {"joints.pivot", "takes 1", [](Scene& s) { s.joints[0].dofs.resize(4); }},
      {"joints.pivot.q.0", "finite", [=](Scene& s) { s.joints[0].q = {nan}; }},
      {"signals.u", "times and",
       [](Scene& s) {
         s.signals[0].signal.times = {1, 2};
       }},
      {"signals.u.constant", "finite", [=](Scene& s) { s.signals[0].signal.value = nan; }},
      {"contact.mu_k", "at least 0", [](Scene& s) { s.contact.all.mu_k = -0.1; }},
      {"couplings.mesh", "no joint 'p'",
       [](Scene& s) {
         CouplingSpec c;
         c.name = "mesh", c.kind = "gear", c.first = "pivot", c.second = "p";
         s.couplings.push_back(c);
       }},
      {"forces.pull", "no kind of force",
       [](Scene& s) {
         ForceSpec f;
         f.name = "pull", f.kind = "rope", f.to.body = "ball";
         s.forces.push_back(f);
       }},
  };
  for (const Wrong& wrong : cases) {
    Scene scene = made_scene();
    wrong.spoil(scene);
    Diagnostics findings;
    EXPECT_EQ(compile(scene, findings), nullptr) << wrong.text;
    ASSERT_TRUE(findings.has_errors()) << wrong.text;
    const Diagnostic& first = findings.all()[0];
    EXPECT_EQ(first.where.file, wrong.place) << to_string(first);
    EXPECT_NE(to_string(first).find(wrong.text), std::string::npos) << to_string(first);
  }
}

TEST(Compile, NamesTheKinksOfAPrescribedMotion) {
  for (const char* kink : {"abs(t - 1)", "min(t, 1)", "t > 1 ? 1 : t"}) {
    Scene scene = made_scene();
    SignalSpec motion;
    motion.kind = SignalSpec::Kind::formula;
    motion.formula = kink;
    scene.joints[0].dofs[0].motion = motion;
    Diagnostics findings;
    ASSERT_NE(compile(scene, findings), nullptr) << kink;
    ASSERT_FALSE(findings.all().empty()) << kink;
    const Diagnostic& found = findings.all()[0];
    EXPECT_EQ(found.severity, Severity::warning);
    EXPECT_NE(found.message.find("has a kink or jump"), std::string::npos) << found.message;
    EXPECT_NE(found.excerpt.find('^'), std::string::npos) << found.excerpt;
  }
  Scene smooth = made_scene();
  smooth.joints[0].dofs[0].motion = SignalSpec{};
  smooth.joints[0].dofs[0].motion->kind = SignalSpec::Kind::formula;
  smooth.joints[0].dofs[0].motion->formula = "sin(t) + t^2";
  Diagnostics findings;
  ASSERT_NE(compile(smooth, findings), nullptr);
  EXPECT_TRUE(findings.all().empty());
}

}  // namespace
}  // namespace carom
