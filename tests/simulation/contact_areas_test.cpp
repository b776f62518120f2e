// Runs of contacts by their area: the ledger, a rest, what is refused, closed forms.
#include <cmath>
#include <numbers>

#include "carom/engine/model.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/simulation.h"
#include "contact_runs.h"

namespace carom {
namespace {

using testing::body;
using testing::events_of;
using testing::only_contact;
using testing::run_text;
using testing::set;
using testing::unexplained;

const char* kTumbling = R"yaml(
carom: 1
materials: {soft: {density: 1200, youngs_modulus: 5e6, poissons_ratio: 0.3}}
values: {tolerance: 1e-7}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  thing: {material: soft, shapes: [{box: {size: [0.1, 0.08, 0.06]}}], position: [0, 0, 0.15],
          rotation: [0.4, 0.3, 0.1], velocity: [0.3, 0, 0], angular_velocity: [1, 2, 3]}
contact: {area: {pressure: foundation, layer: 5e-3}, restitution: 0.6, mu_k: 0.4}
run: {until: 0.8, tolerance: $tolerance}
)yaml";

TEST(ContactAreas, CloseTheLedgerOfATumblingBox) {
  for (const double tolerance : {1e-5, 1e-7}) {
    const RunResult result = run_text(kTumbling, {set("values.tolerance", tolerance)});
    EXPECT_LT(unexplained(result), 100.0 * tolerance) << tolerance;
    EXPECT_GT(events_of(result, "contact_begin").size(), 2u);
    // Pressure on a plane is the gradient of the energy in every direction.
    EXPECT_LT(std::abs(result.energy.model_work), 0.01 * result.energy_scale);
  }
}

TEST(ContactAreas, CarryTheWeightAtTheDepthOfTheLayer) {
  const RunResult result = run_text(R"yaml(
carom: 1
materials: {soft: {density: 1200, youngs_modulus: 5e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  block: {material: soft, shapes: [{box: {size: [0.1, 0.08, 0.06]}}], position: [0, 0, 0.03]}
contact: {area: {pressure: foundation, layer: 5e-3}, restitution: 0.2}
run: {until: 1, tolerance: 1e-8}
)yaml");
  const double stiffness = 0.5 * 0.7 / (1.3 * 0.4) * 5e6 / 5e-3;
  const double weight = 1200.0 * 0.1 * 0.08 * 0.06 * 9.81;
  const ContactReading& c = only_contact(result);
  EXPECT_NEAR(c.normal_force, weight, 1e-6 * weight);
  EXPECT_NEAR(-c.phi, weight / (stiffness * 0.1 * 0.08), 1e-6 * -c.phi);
  EXPECT_NEAR(c.contact_area, 0.008, 1e-9);
  EXPECT_NEAR(c.peak_pressure, c.mean_pressure(), 1e-5 * c.peak_pressure);
}

TEST(ContactAreas, OfASpinningFootAreSmoothForTheIntegrator) {
  // Lines across the face that turned by rounding from one evaluation to the next made steps 250
  // times as many.
  const RunResult result = run_text(R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  foot: {material: rubber, shapes: [{cylinder: {radius: 0.05, length: 0.04}, axis: z}],
         position: [0, 0, 0.0205], angular_velocity: [0, 0, 6]}
contact: {area: {pressure: foundation, layer: 2e-3}}
run: {until: 0.0105, tolerance: 1e-7}
)yaml");
  EXPECT_EQ(events_of(result, "contact_end").size(), 1u);
  EXPECT_LT(result.statistics.counts.rhs_evaluations, 1000);
}

TEST(ContactAreas, OverTheEdgeOfATableAreSmoothForTheIntegrator) {
  // Where the ends of lines across the area were not found, force and torque stepped: 250,000
  // evaluations, and an end by other steps.
  const RunResult result = run_text(R"yaml(
carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [0.3, 0.3, 0.05]}}]}
  can: {material: steel, shapes: [{cylinder: {radius: 0.03, length: 0.1}}],
        position: [0.155, 0.02, 0.06], rotation: [0.3, 0.2, 0.1], angular_velocity: [1, 2, 3]}
  pill: {material: steel, shapes: [{capsule: {radius: 0.02, length: 0.06}}],
         position: [-0.1, 0.02, 0.08], rotation: [0.3, 0.2, 0.1]}
contact: {area: {pressure: foundation, layer: 2e-3}, mu_k: 0.4}
run: {until: 0.3, tolerance: 1e-6}
)yaml");
  EXPECT_GT(events_of(result, "contact_end").size(), 5u);
  EXPECT_LT(result.statistics.counts.rhs_evaluations, 20000);
  EXPECT_LT(unexplained(result), 1e-4);
}

TEST(ContactAreas, OfAnEggByAFormulaCarryAsThoseOfTheEllipsoid) {
  // It tumbles over poles and seam of its parameters.
  const auto egg_as = [](const std::string& shape) {
    return run_text(R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: rubber, shapes: [{half_space: {}}]}
  egg: {material: rubber, position: [0, 0, 0.06], velocity: [0.3, 0.1, 0], angular_velocity: [2, 9, 1],
        rotation: [0.2, 0.1, 0], shapes: [)yaml" +
                    shape + R"yaml(]}
contact: {area: {pressure: foundation, layer: 2e-3}, friction: none, restitution: 0.7}
run: {until: 0.2, tolerance: 1e-8}
)yaml");
  };
  const RunResult built_in = egg_as("{ellipsoid: {radii: [0.05, 0.035, 0.025]}}");
  const RunResult written = egg_as(
      "{parametric: {x: \"a*cos(u)*cos(v)\", y: \"b*sin(u)*cos(v)\", z: \"c*sin(v)\", u: [-pi, "
      "pi], "
      "v: [-pi/2, pi/2], with: {a: 0.05, b: 0.035, c: 0.025}}}");
  EXPECT_GT(events_of(built_in, "contact_begin").size(), 0u);
  EXPECT_EQ(events_of(built_in, "contact_begin").size(),
            events_of(written, "contact_begin").size());
  EXPECT_LT(norm(body(built_in, "egg").position - body(written, "egg").position), 1e-5);
  EXPECT_LT(norm(body(built_in, "egg").angular_velocity - body(written, "egg").angular_velocity),
            1e-3);
}

TEST(ContactAreas, RefuseWhatTheyDoNotKnow) {
  const auto problem = [](const std::string& shape, const std::string& law) {
    try {
      run_text(
          "carom: 1\nbodies:\n"
          "  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n"
          "  thing: {material: steel, shapes: [" +
          shape +
          "], position: [0, 0, 1]}\n"
          "contact: {area: {layer: auto}, law: " +
          law + "}\nrun: {until: 0.01}\n");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(
      problem("{triangle: {a: [0, 0, 0], b: [1, 0, 0], c: [0, 1, 0]}}, {sphere: {radius: 0.1}}",
              "exact")
          .find("by its area"),
      std::string::npos);
  EXPECT_NE(problem("{sphere: {radius: 0.1}}", "{kelvin_voigt: {stiffness: 1e5}}")
                .find("stiffness of its own"),
            std::string::npos);
  EXPECT_EQ(problem("{sphere: {radius: 0.1}}", "exact"), "");
}

// ---- Closed forms of balls and cylinders held in a layer -----------------------------------

const char* kHeld = R"yaml(
carom: 1
name: A ball held in a layer
gravity: [0, 0, -9.81]
values: {R: 0.05, d: 1e-5, E: 5e6, b: 4e-3, K: "=0.5*0.7/(1.3*0.4)*E/b"}
materials: {rubber: {density: 1000, youngs_modulus: $E, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: rubber, shapes: [{half_space: {}}]}
  ball:
    material: rubber
    shapes: [{sphere: {radius: $R}}]
    joint: {prismatic: {axis: z, at: [0, 0, "=R - d"]}, name: press, motion: 0, collide: true}
contact:
  law: hertz
  area: {pressure: foundation, layer: $b}
  friction: none
  watch: [[floor, ball]]
run: {until: 1e-3, output: {step: 1e-3}}
)yaml";

TEST(ContactAreas, PressWithTheFoundationTimesTheVolume) {
  const double R = 0.05, K = 0.5 * 0.7 / (1.3 * 0.4) * 5e6 / 4e-3, pi = std::numbers::pi;
  for (const double d : {1e-5, 2e-5, 2e-3}) {
    const RunResult held = run_text(kHeld, {set("values.d", d)});
    const ContactReading& c = only_contact(held);
    EXPECT_NEAR(c.normal_force, K * pi * d * d * (R - d / 3.0), 1e-6 * c.normal_force) << d;
    EXPECT_NEAR(c.contact_area, pi * d * (2.0 * R - d), 1e-6 * c.contact_area) << d;
    EXPECT_NEAR(c.peak_pressure, K * d, 1e-9 * c.peak_pressure) << d;
  }
}

const char* kDrilling = R"yaml(
carom: 1
name: Drilling
gravity: off
values: {R: 0.05, r: 0.02, d: 1e-4, mu: 0.3}
materials: {rubber: {density: 1000, youngs_modulus: 5e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: rubber, shapes: [{half_space: {}}]}
  ball:
    material: rubber
    shapes: [{sphere: {radius: $R}}]
    joint: {revolute: {axis: z, at: [0, 0, "=R - d"]}, name: drill, motion: "=5*t", collide: true}
  pin:
    material: rubber
    shapes: [{cylinder: {radius: $r, length: 0.1}, axis: z}]
    joint: {revolute: {axis: z, at: [1, 0, "=0.05 - d"]}, name: turn, motion: "=5*t", collide: true}
contact:
  law: hertz
  area: {pressure: foundation, layer: 4e-3}
  friction: coulomb
  mu_k: $mu
  mu_s: $mu
  v_small: 1e-6
  exclude: [[ball, pin]]
  watch: [[floor, ball], [floor, pin]]
run: {until: 0.02, output: {step: 1e-3}}
)yaml";

TEST(ContactAreas, ResistDrillingWithoutACoefficient) {
  const double R = 0.05, r = 0.02, d = 1e-4, mu = 0.3;
  for (const char* friction : {"contact.friction=coulomb", "contact.friction=lugre"}) {
    const RunResult result = run_text(kDrilling, {friction});
    ASSERT_EQ(result.contacts.size(), 2u);
    for (const ContactLine& line : result.contacts) {
      const ContactReading& c = line.reading;
      const double expected =
          line.second == "ball" || line.first == "ball"
              ? 8.0 / 15.0 * mu * c.normal_force * std::sqrt(2.0 * R * d - d * d)
              : 2.0 / 3.0 * mu * c.normal_force * r;
      EXPECT_NEAR(std::abs(dot(c.torque, c.normal)), expected, 5e-3 * expected)
          << friction << " " << line.second;
    }
  }
}

const char* kRolling = R"yaml(
carom: 1
name: Rolling on a layer
gravity: off
values: {R: 0.05, z: 1e-4, v: 0.05, E: 5e6, b: 4e-3, K: "=0.5*0.7/(1.3*0.4)*E/b"}
materials: {rubber: {density: 1000, youngs_modulus: $E, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: rubber, shapes: [{half_space: {}}]}
  carriage: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], joint: {prismatic: {axis: x, at: [0, 0, "=R - z"]}, name: drive, motion: "=v*t"}}
  ball:
    material: rubber
    shapes: [{sphere: {radius: $R}}]
    joint: {revolute: {parent: carriage, axis: y}, name: roll, motion: "=v*t/R", collide: true}
contact:
  law: exact
  restitution: 0.5
  damping_max: 2
  area: {pressure: foundation, layer: $b}
  friction: none
  watch: [[floor, ball]]
run: {until: 0.02, output: {step: 1e-3}}
)yaml";

TEST(ContactAreas, ResistRollingByTheirDamping) {
  const double K = 0.5 * 0.7 / (1.3 * 0.4) * 5e6 / 4e-3, v = 0.05, d = 1e-4;
  const RunResult chi = run_text(kRolling);
  const ContactReading& c = only_contact(chi);
  const double in_depth = c.normal_force * 2.0 * v * d / 3.0;
  EXPECT_NEAR(norm(c.rolling_torque), in_depth, 5e-3 * in_depth);
  // Weak enough to leave no place at the rear rim where the pressure would be negative, and is 0.
  const RunResult tau = run_text(kRolling, {"contact.law={hertz_viscous: {damping: 5}}"});
  const ContactReading& e = only_contact(tau);
  const double own = e.normal_force * 5.0 / (K * e.contact_area) * v;
  EXPECT_NEAR(norm(e.rolling_torque), own, 5e-3 * own);
}

const char* kThrown = R"yaml(
carom: 1
name: A ball thrown at a layer
gravity: off
values: {v: 0.5, R: 0.05, er: 0.5}
materials: {solid: {density: 8000, youngs_modulus: 1e8, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: solid, shapes: [{half_space: {}}]}
  ball: {material: solid, shapes: [{sphere: {radius: $R}}], position: [0, 0, "=R + 1e-6"], velocity: [0, 0, "=-v"]}
contact: {law: exact, area: {pressure: foundation, layer: 4e-3}, friction: none, restitution: $er, watch: [[floor, ball]]}
run: {until: 0.05, tolerance: 1e-11, output: {step: 1e-4}}
)yaml";

TEST(ContactAreas, ReturnTheRestitutionThatWasSet) {
  for (const double e : {0.2, 0.5, 0.9}) {
    const testing::Impact i = testing::impact(run_text(kThrown, {set("values.er", e)}));
    EXPECT_NEAR(i.v_out / i.v_in, e, 1e-6) << e;
  }
  const testing::Impact i = testing::impact(run_text(kThrown, {"contact.area={layer: auto}"}));
  EXPECT_NEAR(i.v_out / i.v_in, 0.5, 1e-6) << "layer: auto";
}

const char* kDroppedFlat = R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  die: {material: steel, shapes: [{superquadric: {radii: 0.01, exponents: [20, 20]}}], position: [0, 0, 0.0102], rotation: [0.001, 0, 0]}
run: {until: 0.02, tolerance: 1e-7}
)yaml";

TEST(ContactAreas, AreWhatBlockySuperquadricsTouchBy) {
  // The pressure under the die has its centre at the middle of the face once it lies: at a point
  // it would be wherever the last tilt had left it.
  const RunResult die = run_text(kDroppedFlat);
  EXPECT_GT(only_contact(die).contact_area, 0.0);
  EXPECT_LT(unexplained(die), 100.0 * 1e-7);
  EXPECT_LT(std::abs(die.energy.model_work), 0.01 * die.energy_scale);
  std::string box = kDroppedFlat;
  const std::string shape = "superquadric: {radii: 0.01, exponents: [20, 20]}";
  box.replace(box.find(shape), shape.size(), "box: {size: 0.02}");
  const RunResult of_box = run_text(box);
  std::printf("  evaluations: die %ld, box %ld\n",
              static_cast<long>(die.statistics.counts.rhs_evaluations),
              static_cast<long>(of_box.statistics.counts.rhs_evaluations));
  EXPECT_LE(die.statistics.counts.rhs_evaluations, 2 * of_box.statistics.counts.rhs_evaluations);
}

/// The place where nothing slips wanders through the area: friction turns about it.
TEST(ContactAreas, OfABallThatSpinsTakeAsManyStepsAsItsMotion) {
  for (const double across : {0.03, 0.04}) {
    const RunResult result = run_text(R"yaml(
carom: 1
values: {across: 0.03}
bodies:
  floor: {fixed: true, material: rubber, shapes: [{half_space: {}}]}
  ball: {material: rubber, shapes: [{ellipsoid: {radii: [$across, $across, 0.03]}}], position: [0, 0, 0.0285],
         angular_velocity: [0.5, 0.3, 15], velocity: [0.05, 0, 0]}
contact: {area: {pressure: foundation}, mu_k: 0.6, restitution: 0.8}
run: {until: 0.1, tolerance: 1e-6}
)yaml",
                                      {set("values.across", across)});
    EXPECT_LT(unexplained(result), 100.0 * 1e-6);
    EXPECT_LT(result.statistics.counts.rhs_evaluations, 10000) << across;
  }
}

/// Nothing is said of areas: a ring is dropped on its edge, rocks, and lies on its whole circle.
TEST(ContactAreas, AreWhatARingHasOnAPlaneByDefault) {
  const RunResult result = run_text(R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ring: {material: steel, shapes: [{torus: {radius: 0.1, tube_radius: 0.02}}],
         position: [0, 0, 0.1], rotation: [0.5, 0, 0]}
contact: {restitution: 0.3}
run: {until: 0.8, tolerance: 1e-6}
)yaml");
  EXPECT_EQ(result.verdict.grade(), Grade::sound);
  EXPECT_LT(unexplained(result), 100.0 * 1e-6);
  EXPECT_NEAR(body(result, "ring").position.z, 0.02, 1e-6);
  const ContactReading& c = only_contact(result);
  const double weight = 8000.0 * 2.0 * std::numbers::pi * std::numbers::pi * 0.1 * 4e-4 * 9.81;
  EXPECT_NEAR(c.normal_force, weight, 1e-4 * weight);
  // A flat strip all around, as wide as its depth says: half of it is √(2 r d).
  const double strip = 2.0 * std::sqrt(2.0 * 0.02 * -c.phi);
  EXPECT_NEAR(c.contact_area, 2.0 * std::numbers::pi * 0.1 * strip, 0.02 * c.contact_area);
}

TEST(ContactAreas, OfBlockySuperquadricsMayBeSwitchedOffWithAWarning) {
  const auto findings = [](const std::string& exponents, const std::string& contact) {
    std::string text = kDroppedFlat;
    text.replace(text.find("[20, 20]"), 8, exponents);
    text += contact;
    Diagnostics out;
    const auto scene = read_scene_text(text, "die.yaml", {}, out);
    if (scene) compile(*scene, out);
    EXPECT_EQ(out.error_count(), 0) << out.all().front().message;
    int warnings = 0;
    for (const Diagnostic& d : out.all()) {
      if (d.severity != Severity::warning) continue;
      ++warnings;
      EXPECT_NE(d.message.find("at a point"), std::string::npos) << d.message;
    }
    return warnings;
  };
  EXPECT_EQ(findings("[20, 20]", ""), 0);
  EXPECT_EQ(findings("[2, 8]", "contact: {area: off}\n"), 1);
  EXPECT_EQ(findings("[4, 4]", "contact: {area: off}\n"), 0);
  EXPECT_EQ(findings("[20, 20]", "contact: {law: kelvin_voigt}\n"), 1);
}

}  // namespace
}  // namespace carom
