// A pendulum built in C++ without a scene file, with the installed library alone.
//
// Released from rest at the angle a, a point pendulum of length l swings with the period
//
//   T = 4 sqrt(l/g) K(sin(a/2)),   K(k) = pi / (2 AGM(1, sqrt(1 − k²)))            (1)
//
// so the coordinate comes back to a after T, and passes 0 downwards after T/4.
#include <carom/carom.h>

#include <cmath>
#include <cstdio>
#include <numbers>

namespace {

double pendulum_period(double length, double gravity, double angle) {
  double a = 1.0, b = std::cos(angle / 2);
  for (int i = 0; i < 8; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2.0 * std::numbers::pi / a * std::sqrt(length / gravity);  // (1)
}

carom::Scene pendulum_scene(double length, double angle, double until) {
  using namespace carom;
  Scene scene;
  scene.name = "Pendulum";
  BodySpec bob;
  bob.name = "bob";
  bob.mass = 2.0;
  bob.com = Vec3{0, 0, -length};
  bob.inertia = Sym3{};
  scene.bodies.push_back(bob);

  JointSpec pivot;
  pivot.name = "pivot";
  pivot.kind = "revolute";
  pivot.child = "bob";
  pivot.X_PF.R = rotation_x(-std::numbers::pi / 2);  // the joint's z is the world's y
  pivot.X_BM.R = pivot.X_PF.R;
  pivot.q = {angle};
  scene.joints.push_back(pivot);

  EventSpec down;
  down.name = "down";
  down.when.kind = SignalSpec::Kind::formula;
  down.when.formula = "pivot.q";
  scene.events.push_back(down);
  scene.run.until = until;
  scene.run.tolerance = 1e-10;
  return scene;
}

bool near(const char* what, double value, double expected, double tolerance) {
  const bool good = std::abs(value - expected) <= tolerance;
  std::printf("%-30s %.12f, expected %.12f%s\n", what, value, expected, good ? "" : "  WRONG");
  return good;
}

}  // namespace

int main() {
  using namespace carom;
  const double length = 0.8, angle = 2.0;
  const double period = pendulum_period(length, 9.81, angle);

  Diagnostics diagnostics;
  const std::shared_ptr<const Model> model =
      compile(pendulum_scene(length, angle, period), diagnostics);
  if (!model) {
    for (const Diagnostic& d : diagnostics.all()) std::printf("%s\n", to_string(d).c_str());
    return 1;
  }
  const RunResult result = run(model);
  bool good = result.status == RunStatus::completed && result.events.size() == 2;
  // A hundred times the tolerance of a step, over some twenty steps.
  good = near("angle after a period", result.joints.at(0).q.at(0), angle, 1e-8) && good;
  good = near("speed after a period", result.joints.at(0).v.at(0), 0.0, 1e-8) && good;
  if (result.events.size() == 2) {
    good = near("first passage below", result.events[0].time, period / 4, 1e-8) && good;
    good = near("second passage below", result.events[1].time, 3 * period / 4, 1e-8) && good;
  }
  return good ? 0 : 1;
}
