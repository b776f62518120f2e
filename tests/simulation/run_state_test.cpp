// Saved states: going on after save() is the same, to the last bit, as restoring what it gave,
// whatever the method and whether or not bodies touch (N14); a run that was never saved differs
// within the tolerance.
#include <limits>

#include "carom/engine/implicit/implicit_contacts.h"
#include "carom/engine/time_stepping/stepped_contacts.h"
#include "carom/integrate/integrator.h"
#include "loop_scenes.h"
#include "scene_runs.h"

namespace carom {
namespace {

using testing::model_of;

/// A box and a ball that tumble on a floor, with states of friction.
const char* kTumbling = R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  box: {material: steel, shapes: [{box: {size: [0.1, 0.12, 0.14]}}], position: [0, 0, 0.09], angular_velocity: [3, 2, 1]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0.02, 0.01, 0.21]}
contact: {friction: lugre, restitution: 0.5, k_red: 1e-5}
run: {until: 1, tolerance: 1e-7}
)yaml";

/// Joints that stick, stop, are driven, follow a motion; a user's state; an event that sets.
const char* kJoints = R"yaml(
carom: 1
bodies:
  cart: {mass: 1, inertia: [0.1, 0.1, 0.1], joint: {prismatic: {axis: x}, name: rail, v: 0.5, friction: {coulomb: 1.5, static: 2}, limits: {lower: -0.2, upper: 0.05, stiffness: 2000, damping: 20}, drive: {force: {sine: {amplitude: 6, frequency: 3}}}}}
  pole: {mass: 0.3, com: [0, 0, -0.3], inertia: [0.01, 0.01, 0.001], joint: {revolute: {parent: cart, axis: y}, name: hinge, q: 0.8, damping: 0.02}}
  arm: {mass: 0.5, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02], joint: {revolute: {at: [1, 0, 0], axis: y}, name: elbow, drive: {position: 0.5, stiffness: 20, damping: 1, integral: 5}}}
  fan: {mass: 0.1, inertia: [0.01, 0.01, 0.01], joint: {revolute: {at: [2, 0, 0]}, name: shaft, motion: "=sin(3*t)"}}
states: {seen: {rate: "=hinge.q^2"}}
events: {through: {when: hinge.q, do: {set: {joints.hinge.damping: 0.05}}}}
run: {until: 1, tolerance: 1e-8}
)yaml";

/// Two surfaces that the scene connects; their points remember where the contact began.
const char* kConnected = R"yaml(
carom: 1
bodies:
  ball: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.102], velocity: [0.3, 0, 0]}
surfaces:
  table: {body: world, rectangle: {length: 2, width: 2}}
  skin: {body: ball, sphere: {radius: 0.1}}
contacts: [{between: [table, skin], law: {c: 1e5, n: 1.5, d: 50}}]
run: {until: 1, tolerance: 1e-7}
)yaml";

/// Bodies that cannot penetrate: one bounces on its corners, one slides and rolls.
const char* kRigid = R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  box: {material: steel, shapes: [{box: {size: [0.1, 0.12, 0.14]}}], position: [0, 0, 0.08], angular_velocity: [0.3, 2, 1]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [1, 0, 0.05], velocity: [1, 0, 0]}
contact: {method: rigid, restitution: 0.5, exclude: [[box, ball]]}
run: {until: 1, tolerance: 1e-7}
)yaml";

/// Triangle meshes that touch in several patches, and a ball in a hollow of a formula.
const char* kSites = R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{box: {size: [1, 1, 0.2]}, at: [0, 0, -0.1]}]}
  box: {material: steel, shapes: [{box: {size: [0.1, 0.12, 0.14]}}], position: [0, 0, 0.071], angular_velocity: [0.3, 0.2, 1]}
  crate: {fixed: true, material: steel, shapes: [{graph: {z: "0.02*cos(20*x)*cos(20*y)", x: [-1, 1], y: [-1, 1]}}], position: [5, 0, 0]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.03}}], position: [5.02, 0.01, 0.06]}
contact: {restitution: 0.3, exclude: [[box, crate]], pairs: [{between: [floor, box], method: triangles}]}
run: {until: 1, tolerance: 1e-6}
)yaml";

/// A soft ball that spins on its area.
const char* kArea = R"yaml(
carom: 1
materials: {rubber: {density: 1100, youngs_modulus: 5e6, poissons_ratio: 0.45}}
bodies:
  floor: {fixed: true, material: rubber, shapes: [{half_space: {}}]}
  ball: {material: rubber, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.052], velocity: [0.2, 0, 0], angular_velocity: [3, 2, 20]}
contact: {area: {pressure: foundation, layer: 2e-3}, restitution: 0.5, mu_k: 0.3}
run: {until: 1, tolerance: 1e-7}
)yaml";

struct StateCase {
  const char* name;
  const char* text;
  double save_at, end_at;
  double step;       ///< of fixed methods [s]
  double tolerance;  ///< of the end against a run that was never saved, of error-controlled methods
};
const StateCase kStateCases[] = {
    // A tumbling box is chaotic: an error of 1e-7 grows a thousandfold until the end.
    {"tumbling", kTumbling, 0.0625, 0.09375, 1.0 / 16384, 1e-4},
    {"joints", kJoints, 0.40625, 0.6875, 1.0 / 4096, 1e-6},
    {"loop", testing::kFourBar, 0.5, 1.0, 1.0 / 1024, 1e-6},
    {"connected", kConnected, 0.0625, 0.125, 1.0 / 8192, 1e-5},
    // Between impacts nothing is chaotic, but each turns an error of its instant into one of speed.
    {"rigid", kRigid, 0.0625, 0.125, 1.0 / 1024, 1e-5},
    {"area", kArea, 0.03125, 0.0625, 1.0 / 8192, 1e-5},
    {"sites", kSites, 0.03125, 0.0390625, 1.0 / 16384, 1e-4},
};

/// Others take steps of microseconds through the impacts of a mesh of steel.
bool is_quick_with_triangles(const Method& method) {
  return method.name == std::string("erk8") || method.name == std::string("implicit_contact");
}

/// Those that rigid contact refuses can neither locate impacts nor step over them.
bool takes_rigid(const Method& method) {
  return (method.error_controlled && method.handles_projection) ||
         method.name == std::string("time_stepping");
}

std::shared_ptr<const Model> model_of(const StateCase& c, const Method& method) {
  std::vector<std::string> overrides{std::string("run.integrator=") + method.name};
  char text[64];
  std::snprintf(text, sizeof text, "run.step=%.17g", c.step);
  if (!method.error_controlled) overrides.push_back(text);
  return model_of(c.text, overrides);
}

std::vector<double> state_of(const Simulation& s) { return {s.state().begin(), s.state().end()}; }

/// Coordinates and velocities.
double distance_of(const Model& model, std::span<const double> a, std::span<const double> b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < model.nq() + model.nv(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

std::string story(const std::vector<EngineEvent>& events) {
  std::string text;
  for (const EngineEvent& e : events) {
    char line[200];
    std::snprintf(line, sizeof line, "%.17g %s %s %s %.17g %.17g\n", e.time, e.kind.c_str(),
                  e.subject.c_str(), e.other.c_str(), e.value, e.impulse);
    text += line;
  }
  return text;
}

TEST(RunState, GoingOnIsRestoringToTheLastBitForEveryMethod) {
  for (const StateCase& c : kStateCases) {
    for (const Method* method : method_catalogue()) {
      SCOPED_TRACE(std::string(c.name) + " " + method->name);
      if (c.text == kRigid && !takes_rigid(*method)) continue;
      if (c.text == kSites && !is_quick_with_triangles(*method)) continue;
      const auto model = model_of(c, *method);
      if (!model->constraints.empty() && !method->handles_projection) continue;
      if (method->name == std::string("implicit_contact") && !model->contact.empty() &&
          !find_implicit_obstacle(*model).empty()) {
        continue;
      }
      if (method->name == std::string("time_stepping") && !model->contact.empty() &&
          !find_stepping_obstacle(*model).empty()) {
        continue;
      }
      std::vector<EngineEvent> events, again;
      Simulation saved(model), restored(model), never(model);
      ASSERT_EQ(saved.advance(c.save_at), AdvanceStatus::reached) << saved.failure();
      const RunState state = run_state_from_bytes(to_bytes(saved.save()));
      EXPECT_EQ(state.x, state_of(saved));
      saved.on_event([&](const EngineEvent& e) { events.push_back(e); });
      restored.on_event([&](const EngineEvent& e) { again.push_back(e); });
      restored.restore(state);
      EXPECT_EQ(saved.ledger().residual, restored.ledger().residual);
      ASSERT_EQ(saved.advance(c.end_at), AdvanceStatus::reached) << saved.failure();
      ASSERT_EQ(restored.advance(c.end_at), AdvanceStatus::reached) << restored.failure();
      EXPECT_EQ(state_of(saved), state_of(restored));
      EXPECT_EQ(story(events), story(again));
      EXPECT_EQ(to_bytes(saved.save()), to_bytes(restored.save()));
      // And back once more, in the simulation that has gone on.
      saved.restore(state);
      saved.advance(c.end_at);
      EXPECT_EQ(state_of(saved), state_of(restored));
      ASSERT_EQ(never.advance(c.end_at), AdvanceStatus::reached) << never.failure();
      const double difference = distance_of(*model, never.state(), saved.state());
      // A fixed explicit step is the same step after a restart, unless an event has moved the grid
      // of steps: then the error of order 1 is another. An implicit one solves its equations from
      // a Jacobian of its own, and what is chaotic enlarges the difference.
      const double fixed = method->order == 1 ? 0.01 * c.step : 1e-12;
      const bool is_exact = !method->error_controlled && !method->implicit;
      // Stops begin and end at steps of implicit contact, so another grid is another error of
      // order 1 in velocities of about 1 m/s (measured: 0.3 to 0.7 steps).
      const bool ends_at_steps = method->name == std::string("implicit_contact");
      const double other = ends_at_steps ? std::max(c.tolerance, c.step) : c.tolerance;
      EXPECT_LE(difference, is_exact ? fixed : other);
    }
  }
}

TEST(RunState, ResetIsTheStartAgain) {
  for (const StateCase& c : kStateCases) {
    const auto model = testing::model_of(c.text);
    Simulation fresh(model), used(model);
    used.advance(c.save_at);
    used.reset();
    EXPECT_EQ(used.time(), 0.0);
    EXPECT_EQ(state_of(used), state_of(fresh)) << c.name;
    EXPECT_EQ(used.ledger().residual, fresh.ledger().residual) << c.name;
    used.advance(c.end_at);
    fresh.advance(c.end_at);
    EXPECT_EQ(state_of(used), state_of(fresh)) << c.name;
  }
}

TEST(RunState, MayGoOnWithOtherRunSettings) {
  Simulation coarse(testing::model_of(kJoints, {"run.tolerance=1e-5"}));
  Simulation fine(testing::model_of(kJoints, {"run.tolerance=1e-9"}));
  coarse.advance(0.25);
  fine.restore(coarse.save());
  EXPECT_EQ(fine.time(), 0.25);
  EXPECT_EQ(state_of(fine), state_of(coarse));
  EXPECT_EQ(fine.advance(0.5), AdvanceStatus::reached);
}

TEST(RunState, SamplesGoOnOnTheGridOfTheRun) {
  Simulation s(testing::model_of(kJoints));
  std::vector<double> times;
  s.on_sample(0.125, [&](double t, std::span<const double>) { times.push_back(t); });
  s.advance(0.3);
  const RunState state = s.save();
  s.advance(0.5);
  s.restore(state);
  s.advance(0.5);
  EXPECT_EQ(times, (std::vector<double>{0, 0.125, 0.25, 0.375, 0.5, 0.375, 0.5}));
}

TEST(RunState, OfAnotherSceneIsRefusedAndChangesNothing) {
  Simulation tumbling(testing::model_of(kTumbling)), joints(testing::model_of(kJoints));
  tumbling.advance(0.03125);
  joints.advance(0.125);
  const RunState before = joints.save();
  EXPECT_THROW(joints.restore(tumbling.save()), InputError);
  Simulation other(testing::model_of(kJoints, {"bodies.pole.mass=0.4"}));
  EXPECT_THROW(joints.restore(other.save()), InputError);
  EXPECT_EQ(to_bytes(joints.save()), to_bytes(before));
}

TEST(RunState, EveryDamageIsFound) {
  Simulation s(testing::model_of(kTumbling));
  s.advance(0.0625);
  const std::string bytes = to_bytes(s.save());
  for (std::size_t i = 0; i < bytes.size(); i += 1 + bytes.size() / 499) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_THROW(run_state_from_bytes(damaged), std::runtime_error) << i;
    EXPECT_THROW(run_state_from_bytes(bytes.substr(0, i)), std::runtime_error) << i;
  }
  EXPECT_THROW(run_state_from_bytes(bytes + "x"), std::runtime_error);
}

TEST(RunState, WhatNoRunCanReachIsRefused) {
  const auto model = testing::model_of(kTumbling);
  Simulation s(model);
  s.advance(0.0625);
  const RunState good = s.save();
  ASSERT_GT(good.modes.contacts.slot_count, 0);
  const auto touching = [](RunState& state) -> ContactPair& {
    for (ContactPair& pair : state.modes.contacts.pairs) {
      if (pair.mode == ContactMode::touching) return pair;
    }
    throw std::runtime_error("nothing touches");
  };
  const auto add_slot = [&](RunState& state) {
    ++state.modes.contacts.slot_count;
    state.x.resize(state.x.size() + static_cast<std::size_t>(model->contact.slot.width), 0.0);
  };
  const std::vector<std::function<void(RunState&)>> wrongs{
      [](RunState& r) { r.time = kInf; },
      [](RunState& r) { r.x[3] = std::nan(""); },
      [](RunState& r) { r.x.push_back(0.0); },
      [](RunState& r) { r.energy_reference = std::nan(""); },
      [](RunState& r) { r.parameters.gravity.uniform.z = std::nan(""); },
      [](RunState& r) { r.modes.contacts.slot_count = 1000; },
      [](RunState& r) { r.modes.contacts.free_slots.push_back(0); },
      [](RunState& r) { r.modes.contacts.pairs[0].b = 4000; },
      [](RunState& r) { r.modes.contacts.pairs[0].law = -1; },
      [](RunState& r) { r.modes.contacts.pairs[0].own = 5; },
      [](RunState& r) { r.modes.contacts.pairs[0].part = 7; },
      [](RunState& r) { r.modes.stop.push_back(1); },
      // A slot that nobody has, and one that two have.
      [&](RunState& r) { add_slot(r); },
      [&](RunState& r) { add_slot(r), r.modes.contacts.free_slots.push_back(touching(r).slot); },
      [&](RunState& r) { touching(r).slot = -1; },
      [&](RunState& r) { touching(r).warm.count = 7; },
      [&](RunState& r) { touching(r).mode = static_cast<ContactMode>(9); },
  };
  for (std::size_t i = 0; i < wrongs.size(); ++i) {
    RunState state = good;
    wrongs[i](state);
    EXPECT_NE(state_problem(*model, state), "") << i;
    EXPECT_THROW(s.restore(state), InputError) << i;
  }
  EXPECT_EQ(state_problem(*model, good), "");
}

TEST(RunState, OfAPairByAnotherPartThanTheScenesIsRefused) {
  const auto model = testing::model_of(kSites);
  Simulation s(model);
  s.advance(0.03125);
  RunState state = s.save();
  ASSERT_EQ(state_problem(*model, state), "");
  ASSERT_GE(model->contact.parts.size(), 2u);
  for (ContactPair& pair : state.modes.contacts.pairs) {
    const int before = std::exchange(pair.part, pair.part == 0 ? 1 : 0);
    EXPECT_NE(state_problem(*model, state), "");
    pair.part = before;
  }
  EXPECT_FALSE(state.modes.contacts.pairs.empty());
}

TEST(RunState, OfRigidContactsIsRefusedWhereItIsOfNoPair) {
  const auto model = testing::model_of(kRigid);
  Simulation s(model);
  s.advance(0.125);
  const RunState good = s.save();
  ASSERT_FALSE(good.modes.contacts.rigid.points.empty());
  ASSERT_FALSE(good.modes.contacts.rigid.records.empty());
  const std::vector<std::function<void(RigidMemory&)>> wrongs{
      [](RigidMemory& m) { m.points[0].piece_a = 4000; },
      [](RigidMemory& m) { m.points[0].piece_b = m.points[0].piece_a; },
      [](RigidMemory& m) { m.points[0].state = static_cast<RigidState>(4); },
      [](RigidMemory& m) { m.points[0].direction.x = std::nan(""); },
      [](RigidMemory& m) { m.points[0].lift.height = kInf; },
      [](RigidMemory& m) { m.records[0].piece_b = 4000; },
      [](RigidMemory& m) { m.records[0].impulse.z = kInf; },
      [](RigidMemory& m) { m.records[0].limit = std::nan(""); },
      [](RigidMemory& m) { m.lost_normal = std::nan(""); },
  };
  for (std::size_t i = 0; i < wrongs.size(); ++i) {
    RunState state = good;
    wrongs[i](state.modes.contacts.rigid);
    EXPECT_NE(state_problem(*model, state), "") << i;
  }
  EXPECT_EQ(state_problem(*model, good), "");
}

// Distances are sought from the larger body, and what they remember is in that order: a tetrahedron
// before a hull of more corners was refused as that of another scene.
TEST(RunState, OfUnequalBodiesIsTakenBackInEitherOrder) {
  const std::string tetra =
      "shapes: [{tetrahedron: {a: [0.03, 0, 0], b: [0, 0.03, 0], c: [0, 0, 0.03], d: [0, 0, 0]}}]";
  const std::string prism =
      "shapes: [{hull: {points: [[0.1, 0, 0], [0, 0.1, 0], [-0.1, 0, 0], [0, -0.1, 0], "
      "[0.1, 0, 0.1], [0, 0.1, 0.1], [-0.1, 0, 0.1], [0, -0.1, 0.1]]}}]";
  for (const bool is_small_first : {true, false}) {
    const auto model = model_of(
        "carom: 1\nbodies:\n  one: {material: steel, " + (is_small_first ? tetra : prism) +
        ", angular_velocity: [1, 2, 3]}\n  two: {material: steel, position: [0.02, 0.01, 0.14], " +
        (is_small_first ? prism : tetra) +
        "}\ngravity: [0, 0, 0]\nrun: {until: 1, integrator: implicit_contact, step: 1e-3}\n");
    Simulation simulation(model), other(model);
    for (int k = 1; k <= 200; ++k) {
      simulation.advance(1e-3 * k);
      ASSERT_NO_THROW(other.restore(simulation.save())) << is_small_first << " at step " << k;
    }
  }
}

TEST(RunState, BytesKeepHowAContactBegan) {
  Simulation s(testing::model_of(R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  box: {material: steel, shapes: [{box: {size: 0.1}}], position: [0, 0, 0.05]}
run: {until: 1}
)yaml"));
  s.advance(0.01);
  const RunState state = s.save(), read = run_state_from_bytes(to_bytes(state));
  ASSERT_FALSE(state.modes.contacts.pairs.empty());
  const ContactPair &before = state.modes.contacts.pairs[0], &after = read.modes.contacts.pairs[0];
  EXPECT_TRUE(before.start.settling);
  EXPECT_EQ(after.start.settling, before.start.settling);
  EXPECT_EQ(after.start.speed, before.start.speed);
  EXPECT_EQ(after.start.restitution, before.start.restitution);
}

/// A simulation that has seen more watches no more than one that restores.
TEST(RunState, WhatIsWatchedFollowsFromTheStateAlone) {
  const auto model = testing::model_of(R"yaml(
carom: 1
gravity: off
bodies:
  a: {material: steel, shapes: [{sphere: {radius: 0.1}}], velocity: [1, 0, 0]}
  b: {material: steel, shapes: [{sphere: {radius: 0.1}}], position: [0.3, 0.21, 0]}
  c: {material: steel, shapes: [{sphere: {radius: 0.1}}], position: [0.8, -0.21, 0]}
run: {until: 2, integrator: rk4, step: 0.01}
)yaml");
  Simulation used(model), fresh(model);
  for (const double t : {0.1, 0.2, 0.3, 0.32, 0.34, 0.36, 0.5, 0.8}) {
    ASSERT_EQ(used.advance(t), AdvanceStatus::reached);
    const RunState state = used.save();
    used.advance(t + 0.1);
    used.restore(state);
    fresh.reset();
    fresh.restore(state);
    EXPECT_EQ(to_bytes(used.save()), to_bytes(fresh.save())) << t;
  }
}

TEST(RunState, VelocitiesAreNamedAfterTheirOwnCoordinates) {
  const auto model = testing::model_of(kTumbling);
  const std::vector<std::string> names = state_names(*model);
  for (const JointInfo& joint : model->joints) {
    const std::string& body = model->bodies[static_cast<std::size_t>(joint.body)].name;
    EXPECT_EQ(names[static_cast<std::size_t>(joint.q0)], body + ".q.0");
    EXPECT_EQ(names[model->nq() + static_cast<std::size_t>(joint.v0)], body + ".v.0");
  }
}

TEST(RunState, EveryEntryOfTheStateHasANameOfItsOwn) {
  const auto model = testing::model_of(kJoints);
  const std::vector<std::string> names = state_names(*model);
  ASSERT_EQ(names.size(), model->size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_NE(names[i], "");
    EXPECT_EQ(std::count(names.begin(), names.end(), names[i]), 1) << names[i];
  }
  EXPECT_NE(std::find(names.begin(), names.end(), "hinge.q"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "elbow.drive"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "seen"), names.end());
}

TEST(AlteredCheckpoint, WithCountsThatNoRunReachesIsRefused) {
  const auto model = testing::model_of(kJoints);
  Simulation simulation(model);
  simulation.advance(0.25);
  const Checkpoint good = simulation.checkpoint();
  EXPECT_NO_THROW(Simulation(model, good));
  // The next step would be counted beyond the largest number.
  for (const std::int64_t count : {std::numeric_limits<std::int64_t>::max(), std::int64_t{-1}}) {
    Checkpoint altered = good;
    altered.counts.rhs_evaluations = count;
    EXPECT_THROW(Simulation(model, altered), InputError) << count;
  }
}

}  // namespace
}  // namespace carom
