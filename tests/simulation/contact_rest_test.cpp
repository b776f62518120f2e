// Bodies at rest on each other, and contacts that are easily missed.
//
// Referees: equilibrium (forces add up to the weight, their line passes through the centre of
// mass), Newton's third law, the ledger.
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_output.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/results/result_lines.h"
#include "contact_runs.h"

namespace carom {
namespace {

using testing::body;
using testing::events_of;
using testing::model_of;
using testing::run_text;
using testing::set;
using testing::unexplained;

Vec3 vector(Simulation& simulation, const std::string& name) {
  const std::vector<double> v = simulation.value(name);
  return {v[0], v[1], v[2]};
}

int body_index(const Model& model, const std::string& name) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].name == name) return static_cast<int>(i);
  }
  throw std::runtime_error("no body " + name);
}

Vec3 origin_of(const Workspace& w, int body) {
  const BodyInfo& b = w.model->bodies[static_cast<std::size_t>(body)];
  const LinkState& L = w.tree.links[static_cast<std::size_t>(b.link)];
  return L.p_WL + L.R_WL * b.X_LB.p;
}

/// Integral of the normal forces of all contacts since they began.
double total_impulse(Simulation& simulation) {
  const SlotLayout& slot = simulation.model().contact.slot;
  double sum = 0.0;
  for (const ContactPair& pair : simulation.workspace().modes.contacts.pairs) {
    if (pair.slot < 0) continue;
    sum +=
        simulation.state()[simulation.model().size() +
                           static_cast<std::size_t>(pair.slot * slot.width) + SlotLayout::kImpulse];
  }
  return sum;
}

const char* kBlock = R"yaml(
carom: 1
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  block: {material: steel, shapes: [{box: {size: [0.2, 0.1, 0.1]}}], position: [0, 0, 0.05]}
contact: {law: exact, friction: lugre, restitution: 0.3}
run: {until: 2}
)yaml";

TEST(BlockAtRest, IsCarriedByItsWeight) {
  for (const char* law : {"exact", "modia3d", "modia3d_0_12", "otter", "flores", "kelvin_voigt"}) {
    SCOPED_TRACE(law);
    std::vector<std::string> overrides{std::string("contact.law=") + law};
    if (std::string(law) == "otter" || std::string(law) == "kelvin_voigt") {
      overrides[0] = std::string("contact.law={") + law + ": {stiffness: 1e8, damping: 4e4}}";
    }
    Simulation simulation(model_of(kBlock, overrides));
    const double weight = 16.0 * 9.81;
    double worst = 0.0;
    simulation.advance(1.0);
    const double before = total_impulse(simulation);
    for (int i = 1; i <= 20; ++i) {
      ASSERT_EQ(simulation.advance(1.0 + 0.05 * i), AdvanceStatus::reached);
      worst = std::max(worst, norm(vector(simulation, "block.contact_force") - Vec3{0, 0, weight}));
    }
    EXPECT_LE(worst, 1e-6 * weight);
    EXPECT_NEAR((total_impulse(simulation) - before) / weight, 1.0, 1e-9);
  }
}

/// Moment of all contact forces on a body about its centre of mass, and their sum.
void expect_equilibrium(Simulation& simulation, const std::string& name, double weight,
                        const Vec3& com) {
  const Vec3 origin = vector(simulation, name + ".position");
  const Vec3 force = vector(simulation, name + ".contact_force");
  const Vec3 torque = vector(simulation, name + ".contact_torque");
  EXPECT_LE(norm(force - Vec3{0, 0, weight}), 1e-6 * weight) << name;
  const Vec3 about_com = torque - cross(com - origin, force);
  // Distance of the line of the force from the centre of mass, and torque about the vertical.
  EXPECT_LE(norm(about_com) / weight, 1e-9) << name;
}

// Nothing turns a ball that hits a slope along its normal: it leaves along it, without spin. Stiff
// friction may carry rounding up to the tolerance, 1e-9 of the speed, before steps answer to it.
TEST(Impact, AlongTheNormalLeavesAlongIt) {
  for (const char* friction : {"coulomb", "stribeck", "makkar", "lugre", "elasto_plastic"}) {
    const RunResult r = run_text(R"yaml(
carom: 1
gravity: [0, 0, 0]
bodies:
  slope: {fixed: true, material: steel, shapes: [{box: {size: [1, 1, 0.2]}, at: [0, 0, -0.1]}], rotation: [0.3, -0.5, 0]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: ["=-0.06*sin(0.5)", "=-0.06*sin(0.3)*cos(0.5)", "=0.06*cos(0.3)*cos(0.5)"], velocity: ["=2*sin(0.5)", "=2*sin(0.3)*cos(0.5)", "=-2*cos(0.3)*cos(0.5)"]}
contact: {law: exact, restitution: 0.6}
run: {until: 0.05, tolerance: 1e-9}
)yaml",
                                 {std::string("contact.friction=") + friction});
    const Vec3 normal{-std::sin(0.5), -std::sin(0.3) * std::cos(0.5),
                      std::cos(0.3) * std::cos(0.5)};
    const Vec3 v = body(r, "ball").velocity;
    EXPECT_NEAR(dot(v, normal), 1.2, 1e-6) << friction;
    EXPECT_LE(norm(v - dot(v, normal) * normal), 1e-10) << friction;
    EXPECT_LE(0.05 * norm(body(r, "ball").angular_velocity), 1e-10) << friction;
  }
}

TEST(Manifolds, BoxTurnedBy45DegreesOnABox) {
  Simulation simulation(model_of(R"yaml(
carom: 1
gravity: [0, 0, -9.81]
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [0.2, 0.2, 0.1]}, at: [0, 0, -0.05]}]}
  block: {material: steel, shapes: [{box: {size: [0.2, 0.2, 0.1]}}], position: [0.01, 0.02, 0.05], rotation: [0, 0, 0.7853981633974483]}
contact: {law: exact, friction: lugre, restitution: 0.3}
run: {until: 2}
)yaml"));
  ASSERT_EQ(simulation.advance(2.0), AdvanceStatus::reached);
  expect_equilibrium(simulation, "block", 32.0 * 9.81, vector(simulation, "block.position"));
  // An octagon of overlap.
  const std::vector<ContactLine> contacts = list_contacts(simulation.workspace());
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].reading.points, 8);
}

TEST(Manifolds, OverhangingBox) {
  Simulation simulation(model_of(R"yaml(
carom: 1
gravity: [0, 0, -9.81]
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [0.2, 0.2, 0.1]}, at: [0, 0, -0.05]}]}
  block: {material: steel, shapes: [{box: {size: [0.2, 0.1, 0.1]}}], position: [0.08, 0.01, 0.05], rotation: [0, 0, 0.1]}
contact: {law: exact, friction: lugre, restitution: 0.3}
run: {until: 2}
)yaml"));
  ASSERT_EQ(simulation.advance(2.0), AdvanceStatus::reached);
  const Vec3 com = vector(simulation, "block.position");
  expect_equilibrium(simulation, "block", 16.0 * 9.81, com);
  EXPECT_NEAR(com.x, 0.08, 1e-6);  // it lies where it was put
  EXPECT_LE(norm(vector(simulation, "block.angular_velocity")), 1e-9);
}

// The hull of a wedge's six points on that of a hexagon's twelve, off its middle.
TEST(Manifolds, HullOnHull) {
  Simulation simulation(model_of(R"yaml(
carom: 1
gravity: [0, 0, -9.81]
bodies:
  table: {fixed: true, material: steel, shapes: [{hull: {points: [[0.1, 0, 0], [0.05, 0.09, 0], [-0.05, 0.09, 0], [-0.1, 0, 0], [-0.05, -0.09, 0], [0.05, -0.09, 0], [0.08, 0, -0.05], [0.04, 0.07, -0.05], [-0.04, 0.07, -0.05], [-0.08, 0, -0.05], [-0.04, -0.07, -0.05], [0.04, -0.07, -0.05]]}}]}
  wedge: {material: steel, shapes: [{hull: {points: [[-0.06, -0.05, 0], [0.06, -0.05, 0], [0, 0.07, 0], [-0.03, -0.02, 0.08], [0.02, -0.03, 0.08], [0, 0.03, 0.06]]}}], position: [0.02, 0.01, 0], rotation: [0, 0, 0.2]}
contact: {law: exact, friction: lugre, restitution: 0.3}
run: {until: 2}
)yaml"));
  ASSERT_EQ(simulation.advance(2.0), AdvanceStatus::reached);
  const Workspace& w = simulation.workspace();
  const BodyInfo& wedge = w.model->bodies[at(body_index(*w.model, "wedge"))];
  const Pose X_WB =
      Pose{w.tree.links[at(wedge.link)].R_WL, w.tree.links[at(wedge.link)].p_WL} * wedge.X_LB;
  expect_equilibrium(simulation, "wedge", wedge.mass.mass * 9.81, X_WB * wedge.mass.com);
  EXPECT_LE(norm(vector(simulation, "wedge.velocity")), 1e-9);
  EXPECT_GE(list_contacts(w).at(0).reading.points, 4);  // one of three corners hangs over an edge
}

TEST(Manifolds, CylinderLyingOverAnEdge) {
  Simulation simulation(model_of(R"yaml(
carom: 1
gravity: [0, 0, -9.81]
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [0.2, 0.2, 0.1]}, at: [0, 0, -0.05]}]}
  roll: {material: steel, shapes: [{cylinder: {radius: 0.03, length: 0.2}}], position: [0.06, 0, 0.03]}
contact: {law: exact, friction: lugre, restitution: 0.3}
run: {until: 2}
)yaml"));
  ASSERT_EQ(simulation.advance(2.0), AdvanceStatus::reached);
  const double weight = 8000 * M_PI * 9e-4 * 0.2 * 9.81;
  expect_equilibrium(simulation, "roll", weight, vector(simulation, "roll.position"));
}

// Three boxes on each other, each set down off the middle of the one below.
const char* kStack = R"yaml(
carom: 1
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  low: {material: steel, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0, 0, 0.05]}
  mid: {material: steel, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0.01, 0, 0.15], rotation: [0, 0, 0.3]}
  top: {material: steel, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0, 0.01, 0.25]}
contact: {law: exact, friction: lugre, restitution: 0.3}
run: {until: 2, output: {step: 0.01}}
)yaml";

TEST(Stack, EachBoxCarriesThoseAbove) {
  Simulation simulation(model_of(kStack));
  ASSERT_EQ(simulation.advance(2.0), AdvanceStatus::reached);
  const double weight = 8.0 * 9.81;
  EXPECT_LE(norm(vector(simulation, "contact(floor,low).force") - Vec3{0, 0, 3 * weight}),
            3e-6 * weight);
  EXPECT_LE(norm(vector(simulation, "contact(low,mid).force") - Vec3{0, 0, 2 * weight}),
            2e-6 * weight);
  EXPECT_LE(norm(vector(simulation, "contact(mid,top).force") - Vec3{0, 0, weight}), 1e-6 * weight);
  for (const char* name : {"low", "mid", "top"}) {
    expect_equilibrium(simulation, name, weight,
                       vector(simulation, std::string(name) + ".position"));
  }
}

// While bodies tumble over each other: forces and moments about the origin add up to zero.
TEST(Forces, AreEqualAndOpposite) {
  Simulation simulation(model_of(R"yaml(
carom: 1
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  box: {material: steel, shapes: [{box: {size: [0.1, 0.12, 0.14]}}], position: [0, 0, 0.2], angular_velocity: [3, 2, 1]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0.02, 0.01, 0.4]}
  roll: {material: steel, shapes: [{cylinder: {radius: 0.04, length: 0.1}}], position: [-0.02, 0, 0.55], angular_velocity: [0, 5, 2]}
contact: {law: exact, friction: coulomb, restitution: 0.5, k_red: 1e-4}
run: {until: 0.5, tolerance: 1e-6}
)yaml"));
  int loaded = 0;
  for (int i = 1; i <= 500; ++i) {
    ASSERT_EQ(simulation.advance(0.001 * i), AdvanceStatus::reached);
    Workspace& w = simulation.workspace();
    evaluate(w, simulation.time(), simulation.state());
    const std::vector<Wrench> wrenches = sum_contact_wrenches(w);
    Vec3 force, moment;
    double size = 0.0;
    for (const char* name : {"floor", "box", "ball", "roll"}) {
      const int b = body_index(simulation.model(), name);
      const Wrench& on_body = wrenches[static_cast<std::size_t>(b)];
      force += on_body.f;
      moment += on_body.t + cross(origin_of(w, b), on_body.f);
      size += norm(on_body.f);
    }
    loaded += size > 0.0 ? 1 : 0;
    EXPECT_LE(norm(force), 1e-13 * size);
    EXPECT_LE(norm(moment), 1e-13 * size);
  }
  EXPECT_GT(loaded, 20);
  EXPECT_LE(simulation.largest_residual() / simulation.energy_scale(), 1e-4);  // 100 x rtol
}

const char* kBullet = R"yaml(
carom: 1
gravity: off
values: {v: 50, x: -10, y: 0}
bodies:
  plate: {fixed: true, material: steel, shapes: [{box: {size: [1e-4, 0.1, 0.1]}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.001}}], position: [$x, $y, 0], velocity: [$v, 0, 0]}
contact: {law: exact, restitution: 0.5}
run: {until: 1}
)yaml";

// Ten metres in one step, then a contact of a few microseconds in a plate of 0.1 mm.
TEST(Tunnelling, ASmallFastBallBouncesOffAThinPlate) {
  for (const double x : {-10.0, -7.3, -1.0, -0.013}) {
    const RunResult r = run_text(kBullet, {set("values.x", x)});
    const std::vector<EngineEvent> begins = events_of(r, "contact_begin");
    ASSERT_EQ(begins.size(), 1u) << x;
    EXPECT_NEAR(begins[0].time, (-x - 0.001 - 5e-5) / 50.0, 1e-9) << x;
    EXPECT_NEAR(body(r, "ball").velocity.x, -25.0, 1e-3) << x;
    EXPECT_LT(body(r, "ball").position.x, 0.0) << x;
  }
}

// The distance dips below zero by 1 um for 4 us and is positive at both ends of any step.
TEST(Tunnelling, AGrazingContactIsNotMissed) {
  const char* scene = R"yaml(
carom: 1
gravity: off
values: {y: 0.021}
bodies:
  post: {fixed: true, material: steel, shapes: [{sphere: {radius: 0.01}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.01}}], position: [-3, $y, 0], velocity: [100, 0, 0]}
contact: {law: exact, friction: none, resistance: none, restitution: 0.5}
run: {until: 0.1}
)yaml";
  const RunResult hit = run_text(scene, {"values.y=0.019999"});
  EXPECT_EQ(events_of(hit, "contact_begin").size(), 1u);
  EXPECT_GT(body(hit, "ball").velocity.y, 0.0);
  const RunResult miss = run_text(scene, {"values.y=0.020001"});
  EXPECT_EQ(events_of(miss, "contact_begin").size(), 0u);
}

// A rod that spins so fast that its end passes the ball many times in a step of its centre.
TEST(Tunnelling, ASpinningRodHitsWhatItsEndPasses) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: off
bodies:
  rod: {material: steel, shapes: [{capsule: {radius: 0.002, length: 0.4}}], angular_velocity: [0, 0, 100]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.002}}], position: [0, 0.19, 0]}
contact: {law: exact, restitution: 0.5}
run: {until: 0.1}
)yaml");
  ASSERT_GE(events_of(r, "contact_begin").size(), 1u);
  // Surfaces meet where the rod has turned by a quarter less asin(0.004/0.19).
  EXPECT_NEAR(events_of(r, "contact_begin")[0].time, (M_PI / 2 - std::asin(0.004 / 0.19)) / 100.0,
              1e-9);
  EXPECT_GT(norm(body(r, "ball").velocity), 1.0);
}

// Spring and damper in series pull before the surfaces part. Where they do, the force returns to
// zero from below in the same instant: that must not hide the end of the contact.
TEST(Ends, AreSeenWhereTheForceVanishesFromBelow) {
  for (const char* tolerance : {"1e-4", "1e-6", "2e-7", "1e-7", "5e-8", "1e-8"}) {
    const RunResult r = run_text(R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: dry_wood, shapes: [{half_space: {}}]}
  ball: {material: rubbery, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.08], velocity: [0.5, 0, 0], angular_velocity: [0, 0, 3]}
materials: {rubbery: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.45}}
contact: {law: {otter_series: {stiffness: 2e4, damping: 10}}, friction: lugre, restitution: 0.5, mu_k: 0.4, mu_s: 0.5}
run: {until: 0.38, integrator: dirk5}
)yaml",
                                 {std::string("run.tolerance=") + tolerance});
    const auto begins = events_of(r, "contact_begin"), ends = events_of(r, "contact_end");
    ASSERT_EQ(begins.size(), 2u) << tolerance;
    ASSERT_EQ(ends.size(), 2u) << tolerance;
    EXPECT_NEAR(ends[0].time, 0.102374, 1e-5) << tolerance;
    // A free flight in between: it takes 2 v/g.
    EXPECT_NEAR(begins[1].time - ends[0].time, 2.0 * ends[0].value / 9.81, 1e-6) << tolerance;
  }
}

// Balls that just touch part and meet within rounding while the first is still on its way. To look
// for one of these ends must not lead past its impact. Speeds: independent integration of the
// chain of Hertz' springs.
TEST(Ends, OfTouchingBallsDoNotLeadPastAnImpact) {
  std::string text = R"yaml(
carom: 1
gravity: off
bodies:
  ball1: {mass: 1, material: steel, shapes: [{sphere: {radius: 0.05}}], joint: {prismatic: {axis: x, at: [-0.1, 0, 0]}, name: s1, v: 1}}
)yaml";
  for (int i = 2; i <= 5; ++i) {
    char line[256];
    std::snprintf(line, sizeof line,
                  "  ball%d: {mass: 1, material: steel, shapes: [{sphere: {radius: 0.05}}], joint: "
                  "{prismatic: {axis: x, at: [%.1f, 0, 0]}, name: s%d}}\n",
                  i, 0.1 * (i - 1), i);
    text += line;
  }
  text += R"yaml(
contact: {law: hertz, friction: none, resistance: none, youngs_modulus: 2e11, poissons_ratio: 0.3}
run: {until: 0.5}
)yaml";
  const double expected[] = {-0.0710850, -0.0302738, -0.0144636, 0.1270450, 0.9887774};
  for (const char* tolerance : {"1e-5", "2e-6", "1e-6", "2e-7", "1e-8"}) {
    const RunResult r = run_text(text, {std::string("run.tolerance=") + tolerance});
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(r.bodies[i].velocity.x, expected[i], 1e-5) << tolerance << " ball " << i + 1;
    }
  }
}

TEST(Start, InDeepOverlapIsRefusedByNames) {
  try {
    model_of(kBlock, {"bodies.block.position=[0,0,0.03]"});
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("'floor' and 'block' overlap by 0.02"), std::string::npos) << text;
    EXPECT_NE(text.find("move them apart"), std::string::npos) << text;
  }
}

// Less than that is a load like any other: it gives back what it has stored, and no more.
TEST(Start, InSlightOverlapGivesBackWhatIsStored) {
  const RunResult r =
      run_text(kBlock, {"bodies.block.position=[0,0,0.0499999]", "contact.law=hertz",
                        "contact.friction=none", "contact.resistance=none", "gravity=off",
                        "run.until=0.01"});
  // Flat punch of the face inside the edges, which are rounded by 1 mm: k = 2 E* sqrt(A/pi).
  const double k = 2.0 * 200e9 / (2.0 * 0.91) * std::sqrt(0.198 * 0.098 / M_PI);
  EXPECT_NEAR(r.energy.kinetic / (0.5 * k * 1e-14), 1.0, 1e-4);
  EXPECT_LE(unexplained(r), 1e-4);
}

}  // namespace
}  // namespace carom
