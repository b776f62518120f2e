// The error of whole scenes: proportional to the tolerance, of the order of the method,
// and independent of what else is in the scene and where it is.
#include <cmath>

#include "carom/integrate/integrator.h"
#include "scene_runs.h"

namespace carom {
namespace {

using testing::body;
using testing::joint;
using testing::run_text;

// A damped spherical pendulum with an elastic elbow: rotations, coupling, dissipation.
const char* kSwing = R"yaml(
carom: 1
bodies:
  upper: {mass: 1, com: [0, 0, -0.3], inertia: [0.03, 0.03, 0.01], joint: {spherical: {}, name: ball, v: [1.0, 0.5, 2.0], damping: 0.05}}
  lower: {mass: 0.5, com: [0, 0, -0.2], inertia: [0.01, 0.01, 0.002], joint: {revolute: {parent: upper, at: [0, 0, -0.6], axis: x}, name: elbow, q: 0.8, spring: {stiffness: 2}, damping: 0.02}}
run: {until: 2}
)yaml";

double swing_error(const RunResult& a, const RunResult& b) {
  const Vec3 turn = body(a, "lower").angular_velocity - body(b, "lower").angular_velocity;
  return norm(body(a, "lower").position - body(b, "lower").position) + norm(turn) +
         std::abs(joint(a, "elbow").q[0] - joint(b, "elbow").q[0]);
}

/// Slope of log(error) over log(h) by least squares.
double slope(const std::vector<double>& h, const std::vector<double>& error) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = static_cast<double>(h.size());
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double x = std::log(h[i]), y = std::log(error[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

RunResult swing_reference() {
  return run_text(kSwing, {"run.integrator=erk8", "run.tolerance=1e-14"});
}

TEST(Accuracy, IsProportionalToTheToleranceForEveryErrorControlledMethod) {
  const RunResult reference = swing_reference();
  for (const Method* method : method_catalogue()) {
    if (!method->error_controlled) continue;
    std::vector<double> tolerances, errors;
    for (int k = 4; k <= 10; ++k) {
      tolerances.push_back(std::pow(10.0, -k));
      errors.push_back(swing_error(run_text(kSwing, {std::string("run.integrator=") + method->name,
                                                     "run.tolerance=1e-" + std::to_string(k)}),
                                   reference));
    }
    const double s = slope(tolerances, errors);
    EXPECT_GE(s, 0.8) << method->name;
    EXPECT_LE(s, 1.2) << method->name;
    RecordProperty(std::string(method->name) + "_slope", std::to_string(s));
  }
}

TEST(Accuracy, FallsWithTheOrderOfEveryFixedStepMethod) {
  const RunResult reference = swing_reference();
  for (const Method* method : method_catalogue()) {
    if (method->error_controlled) continue;
    // Steps short enough for the asymptotic range, long enough to stay above rounding.
    const double longest = method->order >= 4 ? 0.01 : 0.002;
    std::vector<double> steps, errors;
    for (const double h : {longest, longest / 2, longest / 4}) {
      steps.push_back(h);
      errors.push_back(swing_error(run_text(kSwing, {std::string("run.integrator=") + method->name,
                                                     "run.step=" + std::to_string(h)}),
                                   reference));
    }
    // Its row promises order 1, for contacts that no step resolves; this swing is resolved.
    const int order = method->name == std::string("implicit_contact") ? 2 : method->order;
    EXPECT_NEAR(slope(steps, errors), order, 0.3) << method->name;
  }
}

/// A mass on a stiff spring (w = 1000/s, the pace of a hard contact) beside `resting` bodies,
/// `offset` away from the origin: error against the closed form.
double stiff_error(int resting, double offset, const char* method) {
  std::string text =
      "carom: 1\ngravity: off\nvalues: {o: " + std::to_string(offset) + "}\nbodies:\n";
  text += "  ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [\"=o + 1.001\", 0, 0]}\n";
  for (int i = 0; i < resting; ++i) {
    text += "  rest" + std::to_string(i) +
            ": {mass: 1, inertia: [0.004, 0.004, 0.004], position: [$o, " + std::to_string(i + 1) +
            ", 0]}\n";
  }
  text +=
      "forces: {s: {spring: {from: {body: world, at: [$o, 0, 0]}, to: ball, stiffness: 1e6, "
      "length: 1}}}\n";
  text += std::string("run: {until: 0.05, tolerance: 1e-6, integrator: ") + method +
          ", output: {channels: [ball]}}\n";
  const RunResult r = run_text(text);
  const double w = 1000.0, t = 0.05;
  return std::hypot(body(r, "ball").position.x - offset - 1.0 - 1e-3 * std::cos(w * t),
                    (body(r, "ball").velocity.x + 1e-3 * w * std::sin(w * t)) / w);
}

TEST(Accuracy, OfOneStiffBodyIsTheSameAloneInACrowdAndFarFromTheOrigin) {
  for (const char* method : {"erk8", "erk5", "cvode_bdf"}) {
    const double alone = stiff_error(0, 0.0, method);
    EXPECT_GT(alone, 1e-12) << method;  // above rounding, so that a ratio means something
    for (const double other : {stiff_error(999, 0.0, method), stiff_error(0, 1000.0, method)}) {
      EXPECT_LE(other, 2.0 * alone) << method;
      EXPECT_GE(other, 0.5 * alone) << method;
    }
  }
}

}  // namespace
}  // namespace carom
