// Islands at rest that implicit steps leave out: their forces, what wakes them, and their bits.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/engine/contact/contact_output.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/implicit/frozen.h"
#include "carom/engine/run_state.h"
#include "contact_runs.h"

namespace carom {
namespace {

using namespace testing;

/// Blocks on each other, one by itself, and a ball that comes down on them after a second.
const std::string kBlocks = R"(
carom: 1
name: blocks
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  low1: {material: steel, shapes: [{box: {size: 0.1}}], position: [0, 0, 0.05]}
  low2: {material: steel, shapes: [{box: {size: 0.1}}], position: [0.11, 0, 0.05]}
  bridge: {material: steel, shapes: [{box: {size: [0.3, 0.1, 0.04]}}], position: [0.055, 0, 0.12]}
  top: {material: steel, shapes: [{box: {size: 0.06}}], position: [0.05, 0.01, 0.17]}
  far: {material: steel, shapes: [{box: {size: 0.1}}], position: [2, 0, 0.05]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.03}}], position: [0.05, 0, 5.3]}
signals: {push: 0}
forces: {load: {force: {body: far, value: [push, 0, 0]}}}
contact: {restitution: 0.3, mu_k: 0.4, friction: lugre}
run: {until: 2, integrator: implicit_contact, step: 0.005, freeze: 1e-4}
)";

/// A simulation whose events are kept.
struct Frozen {
  explicit Frozen(const std::string& text, std::vector<std::string> settings = {})
      : simulation(model_of(text, std::move(settings))) {
    simulation.on_event([this](const EngineEvent& e) { events.push_back(e); });
  }
  void advance(double t) {
    ASSERT_EQ(simulation.advance(t), AdvanceStatus::reached) << simulation.failure();
  }
  std::vector<EngineEvent> of(const std::string& kind) const {
    std::vector<EngineEvent> found;
    for (const EngineEvent& e : events) {
      if (e.kind == kind) found.push_back(e);
    }
    return found;
  }
  FrozenCount count() const { return simulation.statistics().frozen; }
  /// Of all contacts with the floor, upwards.
  double floor_force() {
    Workspace& w = simulation.workspace();
    evaluate(w, simulation.time(), simulation.state());
    return -sum_contact_wrenches(w).front().f.z;
  }
  double weight(std::initializer_list<const char*> names) {
    double sum = 0.0;
    const Model& model = simulation.model();
    for (const BodyInfo& b : model.bodies) {
      for (const char* name : names) {
        if (b.name == name)
          sum += 9.81 * model.tree.links[static_cast<std::size_t>(b.link)].inertia.m;
      }
    }
    return sum;
  }

  Simulation simulation;
  std::vector<EngineEvent> events;
};

std::vector<double> state_of(const Simulation& s) { return {s.state().begin(), s.state().end()}; }

TEST(ImplicitFrozen, BlocksKeepTheirForcesAndWakeWhenTheyAreStruck) {
  Frozen run(kBlocks);
  run.advance(0.5);
  EXPECT_EQ(run.count().bodies, 5);
  EXPECT_EQ(run.count().islands, 2);
  ASSERT_EQ(run.of("freeze").size(), 2u);
  EXPECT_EQ(run.of("freeze").front().value + run.of("freeze").back().value, 5.0);
  const std::vector<double> first = state_of(run.simulation);
  const double weight = run.weight({"low1", "low2", "bridge", "top", "far"});
  // Small islands are solved to a millionth and better before they are frozen.
  EXPECT_NEAR(run.floor_force(), weight, 1e-6 * weight);
  run.advance(0.9);
  EXPECT_NEAR(run.floor_force(), weight, 1e-6 * weight);
  const std::vector<double> second = state_of(run.simulation);
  const std::size_t moved = run.simulation.model().nq() - 7;  // the ball is the last body
  for (std::size_t i = 0; i < moved; ++i) ASSERT_EQ(first[i], second[i]) << i;
  EXPECT_TRUE(run.of("wake").empty());
  run.advance(1.2);  // the ball falls by 5.08 m in 1.018 s
  ASSERT_EQ(run.of("wake").size(), 1u);
  EXPECT_EQ(run.of("wake").front().value, 4.0);  // not the one that lies apart
  EXPECT_NEAR(run.of("wake").front().time, 1.018, 0.01);
  run.advance(4.0);
  EXPECT_GE(run.of("freeze").size(), 3u);
  const Ledger l = run.simulation.ledger();
  EXPECT_LT(std::abs(l.residual), 1e-12 * (l.dissipated_step + l.dissipated_friction + 1.0));
}

TEST(ImplicitFrozen, ImpulsesOfWhatIsFrozenGoOn) {
  const auto impulse = [](double until) {
    const RunResult r =
        run_text(kBlocks, {"bodies.ball.position=[5, 5, 0.03]", set("run.until", until)});
    for (const ContactSummary& c : r.contact_pairs) {
      if (c.first == "floor" && c.second == "far") return c.impulse;
    }
    return 0.0;
  };
  const double weight = Frozen(kBlocks).weight({"far"});
  EXPECT_NEAR(impulse(2.0) - impulse(1.0), weight, 1e-6 * weight);
}

TEST(ImplicitFrozen, WhatChangesWakesThem) {
  Frozen run(kBlocks);
  run.advance(0.4);
  ASSERT_EQ(run.count().bodies, 5);
  const double friction = 0.4 * run.weight({"far"});
  run.simulation.set_parameter("signals.push", 0.5 * friction);
  run.advance(0.41);
  EXPECT_EQ(run.count().bodies, 4);
  run.advance(0.7);
  EXPECT_EQ(run.count().bodies, 5);  // held by friction, under its new load
  run.simulation.set_parameter("signals.push", 2.0 * friction);
  run.advance(0.72);
  EXPECT_EQ(run.count().bodies, 4);
  EXPECT_GT(run.simulation.value("far.velocity")[0], 0.01);
  BodyPlacement aside;
  aside.position = Vec3{0.0, 1.0, 0.05};
  run.simulation.set_body("low1", aside);  // what stood on it falls
  run.advance(0.95);
  EXPECT_LT(run.simulation.value("bridge.velocity")[2], -0.01);
}

TEST(ImplicitFrozen, GravityThatChangesWakesAll) {
  Frozen run(kBlocks + "events: {tilt: {when: \"t - 0.5\", do: {set: {gravity.0: 6}}}}\n");
  run.advance(0.45);
  ASSERT_EQ(run.count().bodies, 5);
  run.advance(0.6);
  EXPECT_EQ(run.count().bodies, 0);
  EXPECT_GT(run.simulation.value("far.velocity")[0], 0.01);
}

TEST(ImplicitFrozen, SavedStatesGoOnToTheSameBits) {
  Frozen run(kBlocks);
  run.advance(0.6);
  ASSERT_EQ(run.count().bodies, 5);
  const RunState state = run_state_from_bytes(to_bytes(run.simulation.save()));
  run.advance(1.5);  // through the blow
  Simulation other(model_of(kBlocks));
  other.restore(state);
  ASSERT_EQ(other.advance(1.5), AdvanceStatus::reached);
  EXPECT_EQ(state_of(run.simulation), state_of(other));
  EXPECT_EQ(run.count().bodies, other.statistics().frozen.bodies);
}

/// Boxes and balls that fall on each other.
std::string frozen_heap() {
  std::string text =
      "carom: 1\nname: heap\nbodies:\n"
      "  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n";
  for (int i = 0; i < 14; ++i) {
    const std::string at = "[" + std::to_string(0.03 * (i % 3)) + ", " +
                           std::to_string(0.02 * (i % 4)) + ", " + std::to_string(0.06 + 0.1 * i) +
                           "]";
    const char* shape = i % 2 ? "{sphere: {radius: 0.04}}" : "{box: {size: [0.1, 0.08, 0.05]}}";
    text += "  b" + std::to_string(i) + ": {material: steel, shapes: [" + shape +
            "], position: " + at + "}\n";
  }
  text +=
      "contact: {restitution: 0.2, friction: lugre}\n"
      "run: {until: 4, integrator: implicit_contact, step: 0.005, freeze: 1e-3}\n";
  return text;
}

/// Blows, ends of contacts and islands that freeze come from different parts of a step.
TEST(ImplicitFrozen, EventsAreToldInTheOrderOfTime) {
  Frozen run(frozen_heap());
  run.advance(4.0);
  ASSERT_GT(run.of("contact_end").size(), 5u);
  ASSERT_GT(run.of("freeze").size(), 0u);
  for (std::size_t i = 1; i < run.events.size(); ++i) {
    EXPECT_LE(run.events[i - 1].time, run.events[i].time)
        << run.events[i - 1].kind << " before " << run.events[i].kind << " of "
        << run.events[i].subject;
  }
}

/// From step to step, beside the same heap that is not frozen.
TEST(ImplicitFrozen, EnergyOfAHeapNeverRises) {
  Frozen run(frozen_heap());
  double last = run.simulation.ledger().stored(), turned = 0.0, rise = 0.0;
  for (int k = 1; k <= 800; ++k) {
    run.advance(0.005 * k);
    const Ledger l = run.simulation.ledger();
    turned = std::max(turned, l.kinetic + l.dissipated_friction + l.dissipated_step);
    rise = std::max(rise, l.stored() - last);
    last = l.stored();
    ASSERT_LT(std::abs(l.residual), 1e-12 * std::max(turned, 1.0));
  }
  EXPECT_LT(rise, 1e-12 * turned);
  EXPECT_FALSE(run.of("freeze").empty());
}

/// A tall box a little beyond its balance moves slower than the limit for longer than it takes.
TEST(ImplicitFrozen, WhatTopplesSlowlyIsNotAtRest) {
  const double balance = std::atan2(0.1, 1.0), tilt = balance + 2e-3;
  const double half = std::hypot(0.05, 0.5), up = half * std::cos(tilt - balance);
  Frozen run(
      "carom: 1\nname: toppling\nbodies:\n"
      "  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n"
      "  box: {material: steel, shapes: [{box: {size: [0.1, 0.1, 1]}}]}\n"
      "contact: {restitution: 0, mu_k: 0.8}\n"
      "run: {until: 3, integrator: implicit_contact, step: 1e-3, freeze: 0.01}\n",
      {"bodies.box.position=[0, 0, " + std::to_string(up) + "]",
       "bodies.box.rotation=[0, " + std::to_string(tilt) + ", 0]"});
  run.advance(1.0);
  EXPECT_EQ(run.count().bodies, 0);
  run.advance(4.0);
  EXPECT_LT(run.simulation.value("box.position")[2], 0.1);  // it lies
  EXPECT_EQ(run.count().bodies, 1);
}

TEST(ImplicitFrozen, TenCubesStandForTenMinutesAtNoCost) {
  std::string text =
      "carom: 1\nname: ten\nbodies:\n"
      "  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n";
  for (int i = 0; i < 10; ++i) {
    text += "  c" + std::to_string(i) + ": {material: steel, shapes: [{box: {size: 0.1}}], " +
            "position: [0, 0, " + std::to_string(0.05 + 0.1 * i) + "]}\n";
  }
  text +=
      "contact: {restitution: 0.3}\n"
      "run: {until: 600, integrator: implicit_contact, step: 0.01, freeze: 1e-5}\n";
  Frozen run(text);
  run.advance(2.0);
  ASSERT_EQ(run.count().bodies, 10);
  const std::int64_t iterations = run.simulation.statistics().counts.newton_iterations;
  run.advance(600.0);
  EXPECT_EQ(run.simulation.statistics().counts.newton_iterations, iterations);
  EXPECT_NEAR(run.simulation.value("c9.position")[2], 0.95, 1e-6);
  const double weight = 10.0 * run.weight({"c0"});
  EXPECT_NEAR(run.floor_force(), weight, 1e-6 * weight);
}

TEST(ImplicitFrozen, OtherMethodsRefuse) {
  try {
    model_of(kBlocks, {"run.integrator=rk4"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("run.freeze is of implicit contact steps"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace carom
