// What implicit contact steps converge to, and how fast: free tumbling, contacts that the step does
// not resolve, and friction on an incline that tilts.
#include <gtest/gtest.h>

#include <cmath>

#include "contact_runs.h"

namespace carom {
namespace {

using namespace testing;

/// Observed order of a quantity between two steps, against error control.
template <class Read>
double observed_order(const std::string& text, double coarse, Read&& read) {
  const Vec3 exact = read(run_text(text, {"run.integrator=erk8", "run.tolerance=1e-12"}));
  const double far = norm(read(run_text(text, {set("run.step", coarse)})) - exact);
  const double near = norm(read(run_text(text, {set("run.step", 0.5 * coarse)})) - exact);
  return std::log2(far / near);
}

TEST(ImplicitOrder, FreeTumblingIsOfOrderTwo) {
  const std::string text =
      "carom: 1\nname: tumbling\ngravity: [0, 0, 0]\nbodies:\n"
      "  body: {mass: 1, inertia: [1, 3, 3.5], angular_velocity: [10, 3, 0.5]}\n"
      "run: {until: 1, integrator: implicit_contact, step: 1e-3}\n";
  const auto spin = [](const RunResult& r) { return body(r, "body").angular_velocity; };
  for (const double step : {1e-2, 5e-3, 2.5e-3}) {
    EXPECT_NEAR(observed_order(text, step, spin), 2.0, 0.05) << step;
  }
}

/// A ball of steel stays on the floor, and no step resolves that contact: what vibrates on it is
/// stepped with the forces at the end of the step.
TEST(ImplicitOrder, WhatStandsOnAnUnresolvedContactIsOfOrderOne) {
  const std::string text = R"(
carom: 1
name: springs on a ball
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, mass: 1, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.05]}
  top: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.25]}
forces: {spring: {spring: {from: ball, to: top, length: 0.2, stiffness: 1000, damping: 2}}}
contact: {law: exact, restitution: 0.3, friction: none}
run: {until: 0.3, integrator: implicit_contact, step: 1e-3}
)";
  const auto height = [](const RunResult& r) { return body(r, "top").position; };
  for (const double step : {1e-3, 5e-4}) {
    EXPECT_NEAR(observed_order(text, step, height), 1.0, 0.1) << step;
  }
}

/// tan a passes mu after a second, by 1e-5 of it per second; the plate carries the block with it.
TEST(ImplicitOrder, ABlockOnAPlateThatTiltsLetsGoAtMu) {
  const double mu = 0.5, share = 1e-5;
  const double a = std::atan(mu), rate = mu * share / (1.0 + mu * mu), start = a - rate;
  const auto number = [](double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", x);
    return std::string(text);
  };
  const std::string text =
      "carom: 1\nname: tilting\nbodies:\n"
      "  plate: {mass: 1, inertia: [1, 1, 1], material: steel, shapes: [{box: {size: [2, 1, 0.1]}, "
      "at: [0, 0, -0.05]}], joint: {revolute: {axis: y}, name: hinge, motion: {formula: \"" +
      number(start) + " + " + number(rate) + "*t\"}}}\n" +
      "  box: {material: steel, shapes: [{box: {size: 0.1}}], position: [" +
      number(0.05 * std::sin(start)) + ", 0, " + number(0.05 * std::cos(start)) +
      "], rotation: [0, " + number(start) +
      ", 0]}\n"
      "contact: {law: exact, restitution: 0.3, friction: {mindlin: {mu: 0.5}}}\n"
      "run: {until: 2, integrator: implicit_contact, step: 1e-3}\n";
  Simulation simulation(model_of(text));
  const Vec3 down{std::cos(a), 0.0, -std::sin(a)};
  const auto slip = [&](double t) {  // beyond what the plate takes along at half a cube's height
    EXPECT_EQ(simulation.advance(t), AdvanceStatus::reached);
    const std::vector<double> v = simulation.value("box.velocity");
    return dot(down, Vec3{v[0], v[1], v[2]}) - 0.05 * rate;
  };
  const double gravity = 9.81 * std::cos(a) * mu * share;
  EXPECT_LT(std::abs(slip(0.9)), 1e-10);  // at 1 - 1e-6 of mu
  const double early = slip(1.1), late = slip(2.0);
  EXPECT_NEAR(early, 0.5 * gravity * 0.01, 0.1 * gravity * 0.01);  // from 1 + 1e-6 of mu on
  EXPECT_NEAR(late, 0.5 * gravity, 0.02 * gravity);
}

}  // namespace
}  // namespace carom
