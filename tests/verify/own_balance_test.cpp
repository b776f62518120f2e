// Momentum of impacts through joints, loops and couplings, by code that knows joints only as what
// their wrenches may be.
#include <algorithm>
#include <cmath>

#include "rigid_run.h"

namespace carom::verify {
namespace {

// Balls fly at mechanisms with joints of every kind: a cart with a pendulum on a screw, a chain of
// a Cardan, a spherical and a cylindrical joint, a plate that slides in a plane, a four-bar, and
// two wheels in gear, one of them with a rotor.
const std::string kStruck = R"(
carom: 1
gravity: [0, 0, -2]
bodies:
  cart: {mass: 2, inertia: [0.1, 0.2, 0.3], shapes: [{sphere: {radius: 0.1}}],
         joint: {prismatic: {axis: [1, 0.2, 0]}, name: rail}}
  nut: {mass: 1, com: [0, 0, -0.3], inertia: [0.04, 0.05, 0.06], shapes: [{sphere: {radius: 0.08}, at: [0.2, 0.1, -0.4]}],
        joint: {screw: {parent: cart, axis: [0.1, 0.3, 1], pitch: 0.3}, name: thread, v: 1}}
  b1: {mass: 3, shapes: [{sphere: {radius: 0.1}}], position: [0.2, 0.6, -0.42], velocity: [0.1, -2, 0.2]}
  u: {mass: 1.2, com: [0.3, 0, 0], inertia: [0.02, 0.05, 0.05],
      joint: {universal: {axis: z, at: [3, 0, 0]}, name: cardan, q: [0.3, 0.2]}}
  s: {mass: 0.7, com: [0.2, 0.05, 0], inertia: [0.02, 0.03, 0.04], markers: {end: [0.4, 0, 0]},
      joint: {spherical: {parent: u, at: [0.6, 0, 0]}, name: ball_joint}}
  c: {mass: 0.5, com: [0, 0.1, 0.2], inertia: [0.02, 0.02, 0.01], shapes: [{sphere: {radius: 0.07}, at: [0.1, 0.1, 0.3]}],
      joint: {cylindrical: {parent: s.end, axis: [0.2, 0, 1]}, name: sleeve}}
  b2: {mass: 2, shapes: [{sphere: {radius: 0.1}}], position: [4.1, 0.8, 0.1], velocity: [0, -3, 0]}
  plate: {mass: 1, inertia: [0.1, 0.1, 0.2], shapes: [{sphere: {radius: 0.1}, at: [0.2, 0, 0]}, {sphere: {radius: 0.1}, at: [-0.2, 0, 0]}],
          joint: {planar: {axis: [0.1, 0, 1], at: [0, 5, 0]}, name: table}}
  b3: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [0.25, 5.8, 0.1], velocity: [0, -3, -0.2]}
  left: {mass: 0.3, com: [0, 0, -0.2], inertia: [0.01, 0.01, 0.001], markers: {end: [0, 0, -0.5]},
         joint: {revolute: {axis: y, at: [6, 0, 1]}, name: crank}}
  coupler: {mass: 1.5, com: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1], shapes: [{sphere: {radius: 0.1}, at: [0.3, 0, 0]}],
            markers: {end: [0.8, 0, 0]}, joint: {revolute: {parent: left.end, axis: y}, name: knee}}
  right: {mass: 0.4, com: [0, 0, -0.2], inertia: [0.01, 0.01, 0.001], markers: {end: [0, 0, -0.5]},
          joint: {revolute: {axis: y, at: [6.8, 0, 1]}, name: rocker}}
  b4: {mass: 0.7, shapes: [{sphere: {radius: 0.1}}], position: [5.6, 0, 0.52], velocity: [3, 0, 0]}
  wheel: {mass: 2, inertia: [0.1, 0.1, 0.2], shapes: [{sphere: {radius: 0.1}, at: [0.5, 0, 0]}],
          joint: {revolute: {axis: z, at: [10, 0, 0]}, name: first, rotor: {inertia: 0.001, ratio: 8}}}
  pinion: {mass: 1, inertia: [0.1, 0.1, 0.05], joint: {revolute: {axis: z, at: [10, 2, 0]}, name: second}}
  b5: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [10.5, 0.8, 0.02], velocity: [0, -4, 0]}
joints:
  closing: {revolute: {parent: coupler.end, child: right.end, axis: y}, loop: true}
couplings: {train: {gear: {joints: [second, first], ratio: -2.5}}}
contact: {method: rigid, restitution: 0.4, mu_k: 0.3, watch: [[nut, b1], [c, b2], [plate, b3], [coupler, b4], [wheel, b5]]}
run: {until: 0.5, tolerance: 1e-11, output: {step: 5e-3}}
)";

const RigidRun& struck() {
  static const RigidRun made = make_run(kStruck);
  return made;
}

constexpr const char* kBalance = "through joints and loops";
constexpr const char* kPairs[] = {"contact(nut,b1)", "contact(c,b2)", "contact(plate,b3)",
                                  "contact(coupler,b4)", "contact(wheel,b5)"};

TEST(OwnBalance, HoldsForBodiesOnJointsOfEveryKind) {
  const Judged judged = judge(struck());
  EXPECT_TRUE(judged.wrong.empty()) << judged.wrong.front();
  const auto impacts = std::ranges::count(struck().events, "impact", &EngineEvent::kind);
  EXPECT_GE(impacts, 5);
  for (const char* pair : kPairs) {
    const std::vector<double> P = struck().rows.column(std::string(pair) + ".impulse.y");
    const std::vector<double> Q = struck().rows.column(std::string(pair) + ".impulse.x");
    EXPECT_GT(std::hypot(P.back(), Q.back()), 0.1) << pair;
  }
}

TEST(OwnBalance, CatchesAnImpulseThatIsOffByAPerMille) {
  for (const char* pair : kPairs) {
    RigidRun r = struck();
    for (const char* axis : {"x", "y", "z"}) {
      change_column(r.at_events.after, std::string(pair) + ".impulse." + axis,
                    [](double P) { return 1.001 * P; });
    }
    EXPECT_TRUE(judge(r).blames(kBalance)) << pair;
  }
}

// The far end of a mechanism as well as what was struck.
TEST(OwnBalance, CatchesAnyBodyThatMovesOtherwise) {
  for (const char* body :
       {"cart", "nut", "u", "s", "c", "plate", "left", "coupler", "right", "wheel", "pinion"}) {
    RigidRun r = struck();
    change_column(r.at_events.after, std::string(body) + ".angular_velocity.z",
                  [](double w) { return w + 1e-6; });
    const Judged judged = judge(r);
    EXPECT_TRUE(judged.blames(kBalance) || judged.blames("speeds across joints")) << body;
  }
}

TEST(OwnBalance, CatchesALoopThatComesApart) {
  RigidRun r = struck();
  change_column(r.at_events.after, "right.velocity.x", [](double v) { return v + 1e-7; });
  EXPECT_TRUE(judge(r).blames("speeds across joints"));
}

TEST(OwnBalance, CatchesAFalseImpulseOfTheTable) {
  RigidRun r = struck();
  const auto first = std::ranges::find(r.events, "impact", &EngineEvent::kind);
  ASSERT_NE(first, r.events.end());
  first->impulse *= 1.001;
  EXPECT_TRUE(judge(r).blames("impulses of the table"));
}

}  // namespace
}  // namespace carom::verify
