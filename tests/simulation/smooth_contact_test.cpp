// Balls on surfaces given by formulas: trajectories of two other programs, closed forms of rest,
// free flights that must not miss anything, and the ledger.
#include <cmath>

#include "carom/simulation/simulation.h"
#include "contact_runs.h"

namespace carom {
namespace {

using testing::body;
using testing::events_of;
using testing::model_of;
using testing::run_text;
using testing::set;
using testing::unexplained;

#include "data/cosine_surface.inc"

const char* kCosine = R"yaml(
carom: 1
gravity: [0, 0, -9.81]
values: {tolerance: 1e-11, end: 5, v: -2}
bodies:
  ground: {fixed: true, material: steel, shapes: [{graph: {z: "A*cos(2*pi*x/L)", x: [-2, 3], y: [-1, 1], with: {A: 0.1, L: 1}}}]}
  ball: {material: steel, mass: 1, inertia: [0.004, 0.004, 0.004], shapes: [{sphere: {radius: 0.1}}],
         position: [1.5, 0, 0.3], velocity: [$v, 0, 0]}
contact:
  law: {kelvin_voigt: {stiffness: 1e5, damping: 200}}
  friction: {coulomb_otter: {mu: 0.5, v_min: 0.01}}
  resistance: none
run: {until: $end, tolerance: $tolerance}
)yaml";

TEST(SmoothContact, BallOnACosineFollowsTheReference) {
  Simulation simulation(model_of(kCosine));
  double worst = 0.0;
  for (const auto& row : kCosineRows) {
    ASSERT_EQ(simulation.advance(row[0]), AdvanceStatus::reached) << simulation.failure();
    const std::vector<double> p = simulation.value("ball.position"),
                              v = simulation.value("ball.velocity"),
                              w = simulation.value("ball.angular_velocity");
    const double state[] = {p[0], p[2], v[0], v[2], w[1]};
    constexpr double kScale[] = {1, 1, 1, 1, 0.1};  // spin as speed of the surface
    for (std::size_t i = 0; i < 5; ++i) {
      worst = std::max(worst, kScale[i] * std::abs(state[i] - row[i + 1]));
    }
  }
  EXPECT_LT(worst, 1e-7);
}

TEST(SmoothContact, TheLedgerClosesAtEveryTolerance) {
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    const RunResult result = run_text(kCosine, {set("values.tolerance", tolerance)});
    EXPECT_LT(unexplained(result), 20.0 * tolerance) << tolerance;
    EXPECT_GT(events_of(result, "contact_begin").size(), 2u);
  }
}

/// The rest of a ball in the valley at x = 0.5, which is narrower than it: where its centre is and
/// what each of two points carries, by bisection of the balance of forces.
struct Rest {
  double height, force, depth;
};
Rest rest_in_valley(double radius, double mass, double stiffness) {
  const auto slope = [](double x) { return -0.2 * M_PI * std::sin(2 * M_PI * x); };
  const auto rest_of = [&](double x) {  // the point right of the middle
    // The normal through the point meets the middle at the centre.
    const double z = 0.1 * std::cos(2 * M_PI * x), height = z + (x - 0.5) / slope(x);
    const double depth = radius - std::hypot(x - 0.5, height - z);
    return Rest{height, stiffness * depth, depth};
  };
  double low = 0.5 + 1e-6, high = 0.9;
  for (int i = 0; i < 200; ++i) {
    const double x = 0.5 * (low + high);
    const double up = 1.0 / std::hypot(1.0, slope(x));  // of the normal
    (2.0 * rest_of(x).force * up > mass * 9.81 ? low : high) = x;
  }
  return rest_of(low);
}

TEST(SmoothContact, ALargeBallRestsOnTwoPoints) {
  const char* scene = R"yaml(
carom: 1
gravity: [0, 0, -9.81]
bodies:
  ground: {fixed: true, material: steel, shapes: [{graph: {z: "0.1*cos(2*pi*x)", x: [-2, 3], y: [-1, 1]}}]}
  ball: {material: steel, mass: 2, inertia: [0.128, 0.128, 0.128], shapes: [{sphere: {radius: 0.4}}], position: [0.5, 0, 0.42]}
contact: {law: {kelvin_voigt: {stiffness: 1e5, damping: 500}}, friction: none}
run: {until: 3, tolerance: 1e-11}
)yaml";
  const RunResult result = run_text(scene);
  const Rest rest = rest_in_valley(0.4, 2.0, 1e5);
  ASSERT_EQ(result.contacts.size(), 2u);
  for (const auto& contact : result.contacts) {
    EXPECT_NEAR(contact.reading.normal_force / rest.force, 1.0, 1e-9);
    EXPECT_NEAR(-contact.reading.phi, rest.depth, 1e-12);
  }
  EXPECT_NEAR(body(result, "ball").position.z, rest.height, 1e-12);
}

TEST(SmoothContact, NothingIsMissedInFreeFlight) {
  // Thrown from afar at many speeds and places, from rest too: each comes back up.
  int begun = 0;
  for (int i = 0; i < 12; ++i) {
    const double height = 0.3 + 0.9 * i, across = 0.13 * i;
    const RunResult result = run_text(
        kCosine, {set("bodies.ball.position.2", height), set("values.v", 0.3 * across - 0.2),
                  set("bodies.ball.position.0", across), "values.tolerance=1e-6",
                  set("values.end", std::sqrt(2 * height / 9.81) + 0.2)});
    begun += events_of(result, "contact_begin").empty() ? 0 : 1;
    EXPECT_LT(unexplained(result), 1e-4) << i;
  }
  EXPECT_EQ(begun, 12);
}

TEST(SmoothContact, EndsWhereTheSurfaceEnds) {
  const char* scene = R"yaml(
carom: 1
gravity: [0, 0, -9.81]
bodies:
  ground: {fixed: true, material: steel, shapes: [{graph: {z: "0", x: [-1, 1], y: [-1, 1]}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.1}}], position: [0.8, 0, 0.1], velocity: [1, 0, 0]}
contact: {friction: none}
run: {until: 0.5, tolerance: 1e-7}
)yaml";
  const RunResult result = run_text(scene);
  const auto ends = events_of(result, "contact_end");
  ASSERT_FALSE(ends.empty());
  EXPECT_NEAR(ends.back().time, 0.2, 1e-6);
  EXPECT_LT(body(result, "ball").position.z, 0.0);
  bool told = false;
  for (const Finding& finding : result.verdict.reasons) told |= finding.name == "border";
  EXPECT_TRUE(told);
}

TEST(SmoothContact, APlaneByAFormulaIsAHalfSpace) {
  const char* scene = R"yaml(
carom: 1
gravity: [0, 0, -9.81]
bodies:
  ground: {fixed: true, material: steel, shapes: [GROUND]}
  egg: {material: steel, shapes: [{ellipsoid: {radii: [0.1, 0.08, 0.06]}}], position: [0, 0, 0.3], rotation: [0.3, 0.5, 0.1], angular_velocity: [1, 2, 3]}
contact: {law: {kelvin_voigt: {stiffness: 1e6, damping: 100}}}
run: {until: 0.5, tolerance: 1e-10}
)yaml";
  const auto with = [&](const std::string& ground) {
    std::string text = scene;
    return run_text(text.replace(text.find("GROUND"), 6, ground));
  };
  const RunResult graph = with("{graph: {z: \"0\", x: [-1, 1], y: [-1, 1]}}"),
                  plane = with("{half_space: {}}");
  EXPECT_GT(events_of(graph, "contact_begin").size(), 0u);
  EXPECT_LT(norm(body(graph, "egg").position - body(plane, "egg").position), 1e-7);
}

TEST(SmoothContact, ABallRollsRoundInARing) {
  const char* scene = R"yaml(
carom: 1
gravity: [0, 0, -9.81]
bodies:
  ring: {fixed: true, material: steel, shapes: [SHAPE], rotation: [1.5707963267948966, 0, 0]}
  ball: {material: steel, mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], shapes: [{sphere: {radius: 0.02}}], position: [0, 0, -0.049], velocity: [1.5, 0, 0]}
contact: {law: {kelvin_voigt: {stiffness: 1e5, damping: 20}}, friction: none}
run: {until: 0.5, tolerance: 1e-9}
)yaml";
  const auto with = [&](const std::string& shape) {
    std::string text = scene;
    return run_text(text.replace(text.find("SHAPE"), 5, shape));
  };
  const RunResult named = with("{torus: {radius: 0.1, tube_radius: 0.03}}"),
                  written = with(
                      "{implicit: {h: \"(sqrt(x^2+y^2)-0.1)^2 + z^2 - 9e-4\", within: "
                      "[[-0.2, -0.2, -0.1], [0.2, 0.2, 0.1]]}}");
  EXPECT_LT(norm(body(named, "ball").position - body(written, "ball").position), 1e-7);
  const Vec3 p = body(named, "ball").position;
  EXPECT_LT(std::hypot(p.x, p.z), 0.051) << "it stays inside, across seams of the parameters";
  EXPECT_GT(events_of(named, "contact_begin").size(), 3u);
  EXPECT_LT(unexplained(named), 1e-6);
}

TEST(SmoothContact, ShapesThatAreNotKnownAreRefused) {
  const std::string scene = R"yaml(
carom: 1
bodies:
  ground: {fixed: true, material: steel, shapes: [{graph: {z: "0.1*x^2", x: [-1, 1], y: [-1, 1]}}]}
  crate: {material: steel, shapes: [{beam: {length: 0.1, width: 0.04, thickness: 0.02}}], position: [0, 0, 0.3]}
)yaml";
  try {
    model_of(scene);
    FAIL() << "it compiles";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("convex shapes but beams"), std::string::npos)
        << error.what();
  }
}

// A pair that no finder knows must not fall through as if nothing were there.
TEST(SmoothContact, RigidTimeStepsKnowThePairOrRefuseIt) {
  const std::string scene = R"yaml(
carom: 1
contact: {method: rigid}
bodies:
  ground: {fixed: true, material: steel, shapes: [{box: {size: [1, 1, 0.1]}}]}
  ring: {material: steel, shapes: [{torus: {radius: 0.1, tube_radius: 0.03}}], position: [0, 0, 0.2]}
run: {until: 0.4, integrator: time_stepping, step: 0.002}
)yaml";
  try {
    EXPECT_GT(body(run_text(scene), "ring").position.z, 0.07);
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be found"), std::string::npos) << error.what();
  }
}

TEST(SmoothContact, AnEggByAFormulaFallsOnAHalfSpaceAsTheEllipsoid) {
  const auto egg_as = [](const std::string& shape) {
    return run_text(R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: dry_wood, shapes: [{half_space: {}}]}
  egg: {material: steel, position: [0, 0, 0.06], velocity: [0.3, 0.1, 0], angular_velocity: [2, 9, 1],
        rotation: [0.2, 0.1, 0], shapes: [)yaml" +
                    shape + R"yaml(]}
contact: {law: {kelvin_voigt: {stiffness: 1e5, damping: 20}}, friction: none}
run: {until: 0.3, tolerance: 1e-9}
)yaml");
  };
  const RunResult built_in = egg_as("{ellipsoid: {radii: [0.05, 0.035, 0.025]}}");
  const RunResult written = egg_as(
      "{parametric: {x: \"a*cos(u)*cos(v)\", y: \"b*sin(u)*cos(v)\", z: \"c*sin(v)\", u: [-pi, "
      "pi], "
      "v: [-pi/2, pi/2], with: {a: 0.05, b: 0.035, c: 0.025}}}");
  EXPECT_GT(events_of(built_in, "contact_begin").size(), 1u);
  EXPECT_EQ(events_of(built_in, "contact_begin").size(),
            events_of(written, "contact_begin").size());
  EXPECT_LT(norm(body(built_in, "egg").position - body(written, "egg").position), 1e-6);
}

TEST(SmoothContact, SurfacesThatNearlyConformMakeTheRunDoubtful) {
  const RunResult result = run_text(R"yaml(
carom: 1
bodies:
  cup: {fixed: true, material: dry_wood, shapes: [{paraboloid: {radius_x: 0.105, radius_y: 0.105, half_x: 0.1, half_y: 0.1}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.1}}], position: [0, 0, 0.1001]}
contact: {law: {kelvin_voigt: {stiffness: 1e6, damping: 1000}}}
run: {until: 0.05}
)yaml");
  EXPECT_EQ(result.verdict.grade(), Grade::doubtful);
  const auto is_told = [](const Finding& f) { return f.name == "nearly_conforming"; };
  EXPECT_EQ(std::ranges::count_if(result.verdict.reasons, is_told), 1);
}

// Along a circle no point is a minimum of its own.
TEST(SmoothContact, ARingOnAHalfSpaceIsRefusedWithoutItsArea) {
  try {
    model_of(R"yaml(
carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ring: {material: steel, shapes: [{torus: {radius: 0.1, tube_radius: 0.03}}], position: [0, 0, 0.031]}
contact: {area: off}
)yaml");
    FAIL() << "it compiles";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("along a line"), std::string::npos);
  }
}

// It would touch a ring along a circle, of which no point is a minimum of its own.
TEST(SmoothContact, ABodyThatDoesNotFitIntoAHollowMakesTheRunDoubtful) {
  const std::string scene = R"yaml(
carom: 1
values: {r: 0.1}
bodies:
  ring: {fixed: true, material: steel, shapes: [{torus: {radius: 0.1, tube_radius: 0.03}}]}
  ball: {material: steel, shapes: [{sphere: {radius: $r}}], position: [1e-4, 0, 0.2]}
run: {until: 0.05}
)yaml";
  const Verdict large = run_text(scene).verdict, small = run_text(scene, {"values.r=0.05"}).verdict;
  EXPECT_EQ(large.grade(), Grade::doubtful);
  ASSERT_EQ(large.reasons.size(), 1u);
  EXPECT_EQ(large.reasons[0].name, "conforming");
  EXPECT_NEAR(large.reasons[0].value, 0.1 / 0.07, 0.05);  // the hole has a radius of 0.07 m
  EXPECT_EQ(small.grade(), Grade::sound);
}

}  // namespace
}  // namespace carom
