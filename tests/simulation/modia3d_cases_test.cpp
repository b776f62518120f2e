// The published test scenes of Modia3D 0.12 without contact, with the final states that
// its authors require. Their rule: |x - ref| <= 1e-3 max(|x|, |ref|) in the 2-norm over
// the whole state vector. Orientations are compared as rotations, because Modia3D's
// Cardan angles may be in either of two sequences.
#include <cmath>

#include "scene_runs.h"

namespace carom {
namespace {

using testing::body;
using testing::FreeState;
using testing::joint;
using testing::run_text;
using testing::turn_between;

constexpr double kTolerance = 1e-3;

/// [velocity, position] of a joint against the reference.
void expect_joint(const RunResult& r, const std::string& name, double v, double q) {
  const JointState& j = joint(r, name);
  const double error = std::hypot(j.v[0] - v, j.q[0] - q);
  EXPECT_LE(error, kTolerance * std::hypot(v, q)) << name << " v " << j.v[0] << " q " << j.q[0];
}

void expect_body(const RunResult& r, const std::string& name, const FreeState& ref) {
  const BodyState& b = body(r, name);
  const double turn = turn_between(b.orientation, ref.R);
  const double error = std::sqrt(norm2(b.position - ref.r) + norm2(b.velocity - ref.v) +
                                 turn * turn + norm2(b.angular_velocity - ref.w));
  const double size = std::sqrt(norm2(ref.r) + norm2(ref.v) + norm2(ref.w));
  EXPECT_LE(error, kTolerance * size) << name;
}

const char* kPointPendulum = R"yaml(
carom: 1
gravity: [0, -9.81, 0]
values: {m: 1, d: 0, k: 0, start: 0, end: 3}
bodies:
  bob: {mass: $m, joint: {revolute: {child_at: [-0.5, 0, 0]}, name: rev, q: $start, damping: $d, spring: {stiffness: $k}}}
run: {until: $end}
)yaml";

TEST(Modia3dCases, Pendulum) {
  expect_joint(run_text(kPointPendulum), "rev", 5.970529829666215, -1.1395482781332746);
}

TEST(Modia3dCases, PendulumWithBarAndDamper) {
  const RunResult r =
      run_text(kPointPendulum, {"values.m=2", "values.d=0.5", "values.start=1", "values.end=10"});
  expect_joint(r, "rev", 0.061515170100766486, -1.578178283450938);
}

TEST(Modia3dCases, PendulumWithSpring) {
  const RunResult r =
      run_text(kPointPendulum, {"values.m=2", "values.k=100", "values.start=1", "values.end=1"});
  expect_joint(r, "rev", -15.325157691194002, -0.1166492890518372);
}

// Rigidly joined bars and wooden capsules on a damped hinge. The published state holds
// an error of Modia3D: it adds the inertia of a turned child without turning it. With
// capsules that are not turned but stand where the turned ones do, its numbers come out;
// with the true assembly the state differs by 2e-2.
const char* kWelded = R"yaml(
carom: 1
gravity: [0, -9.81, 0]
values: {turn: 1.5707963267948966}
bodies:
  bar0: {mass: 2, joint: {revolute: {child_at: [-0.5, 0, 0]}, name: rev, q: 1, damping: 100}}
  bar1: {mass: 2, joint: {fixed: {parent: bar0, at: [0.5, -0.25, 0], child_at: [-0.5, 0, 0]}, name: w1}}
  bar2: {mass: 2, joint: {fixed: {parent: bar0, at: [0.5, 0.25, 0], rotation: [0, 0, 0.7853981633974483], child_at: [-0.5, 0, 0]}, name: w2}}
  capsule1: {mass: 22.907446432425573, inertia: [0.9529855644739544, 0.9529855644739544, 0.17001620399065856], joint: {fixed: {parent: bar1, at: [0.75, 0, 0], rotation: [$turn, 0, 0]}, name: w3}}
  capsule2: {mass: 22.907446432425573, inertia: [0.9529855644739544, 0.9529855644739544, 0.17001620399065856], joint: {fixed: {parent: bar2, at: [0.75, 0, 0], rotation: [$turn, 0, 0]}, name: w4}}
run: {until: 10}
)yaml";

TEST(Modia3dCases, PendulumWithFixComesOutOnlyWithItsUnturnedInertia) {
  const RunResult theirs = run_text(kWelded, {"values.turn=0"});
  expect_joint(theirs, "rev", 0.4670955914743122, -1.6164397926928633);
  const RunResult correct = run_text(kWelded);
  const double difference = std::hypot(joint(correct, "rev").v[0] - 0.4670955914743122,
                                       joint(correct, "rev").q[0] + 1.6164397926928633);
  EXPECT_NEAR(difference / std::hypot(0.467, 1.616), 2.0e-2, 0.5e-2);
}

TEST(Modia3dCases, BoxPlanarMotionIsAParabola) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: [0, -1, 0]
bodies:
  slider_x: {mass: 1e-9, inertia: [1e-9, 1e-9, 1e-9], joint: {prismatic: {axis: x}, name: px, q: -1, v: 1}}
  slider_y: {mass: 1e-9, inertia: [1e-9, 1e-9, 1e-9], joint: {prismatic: {parent: slider_x, axis: y}, name: py, q: -1, v: 2}}
  box: {material: steel, shapes: [{box: {size: [0.4, 0.6, 0.1]}}], joint: {revolute: {parent: slider_y}, name: rz, v: 3}}
run: {until: 4}
)yaml");
  expect_joint(r, "px", 1.0, 3.0);
  expect_joint(r, "py", -2.0, -1.0);
  expect_joint(r, "rz", 3.0, 12.0);
  EXPECT_NEAR(joint(r, "py").q[0], -1.0, 1e-7);  // closed form, at tolerance 1e-8
}

TEST(Modia3dCases, FreeShaft) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: [0, 0, -0.3]
bodies:
  shaft: {mass: 84.7154, inertia: [7.2711, 7.2711, 0.423], velocity: [0, 0.1, 0.6],
          rotation: [0.5235987755982988, 0.3490658503988659, 0.17453292519943295],
          angular_velocity: [1.62512518604226, 0.5556027357093072, 3.3241952003099104]}
run: {until: 5}
)yaml");
  expect_body(r, "shaft",
              {{0, 0.5, -0.75},
               {0, 0.1, -0.9},
               cardan_xyz({12.518049845080435, -0.901864379852841, 13.979844149553378}),
               {-1.556318674959713, 1.9667313208626755, 2.776623306112369}});
}

TEST(Modia3dCases, FreeShaftThroughTheCardanSingularity) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: [0, 0, -0.3]
bodies:
  shaft: {mass: 84.7154, inertia: [7.2711, 7.2711, 0.423], velocity: [0, 0.1, 0],
          rotation: [0.5235987755982988, 1.5707963267948966, 0.17453292519943295],
          angular_velocity: [-1.2060416625018976e-16, -1.2855752193730785, 1.5320888862379562]}
run: {until: 7}
)yaml");
  const BodyState& b = body(r, "shaft");
  EXPECT_LE(norm(b.position - Vec3{0, 0.7, -7.35}), kTolerance * 7.35);
  // The spin is about a principal axis: constant in the body, (-2, 0, 0).
  EXPECT_LE(norm(transpose_times(to_matrix(b.orientation), b.angular_velocity) - Vec3{-2, 0, 0}),
            1e-6);
}

const char* kLoadedBox = R"yaml(
carom: 1
gravity: off
bodies: {box: {mass: 1, inertia: [0.1, 0.1, 0.1]}}
signals: {f: {table: [[1, 0], [2, 1], [3, 1], [4, 0]]}}
forces:
  push: {force: {body: box, value: ["=cx*f", "=cy*f", 0]}}
  twist: {torque: {body: box, value: ["=tx*f", "=ty*f", 0]}}
values: {cx: 0, cy: 0, tx: 0, ty: 0}
run: {until: 5}
)yaml";

TEST(Modia3dCases, BoxWorldForce) {
  const RunResult r =
      run_text(kLoadedBox, {"values.cx=\"=cos(pi/6)\"", "values.cy=\"=sin(pi/6)\""});
  expect_body(r, "box",
              {{4.330091998452314, 2.4999797809222875, 0},
               {1.7320345346635413, 0.9999906048337232, 0},
               Mat3{},
               {}});
}

TEST(Modia3dCases, BoxWorldTorque) {
  const RunResult r =
      run_text(kLoadedBox, {"values.tx=\"=-sin(pi/3)\"", "values.ty=\"=cos(pi/3)\""});
  const BodyState& b = body(r, "box");
  EXPECT_LE(norm(b.angular_velocity - Vec3{-17.320661301093185, 10.0, 0}), kTolerance * 20);
  // Closed form: the torque is about a fixed axis, so the angle is its double integral, 50 rad.
  const Vec3 axis{-std::sin(M_PI / 3), std::cos(M_PI / 3), 0};
  EXPECT_LE(turn_between(b.orientation, axis_angle(axis, 50.0)), 1e-6);
}

TEST(Modia3dCases, HarmonicOscillator) {
  const RunResult r = run_text(R"yaml(
carom: 1
bodies: {mass: {mass: 1, inertia: [0.1, 0.1, 0.1], joint: {prismatic: {axis: z}, name: slider}}}
forces: {b: {bushing: {from: world, to: mass, laws: [null, null, "=0.5 + 100*x + 2*v", null, null, null]}}}
run: {until: 5}
)yaml");
  expect_joint(r, "slider", 0.0034429013089251376, -0.10253096819858225);
}

const char* kBushing = R"yaml(
carom: 1
bodies: {box: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.2, 0.1, 0.05], rotation: $angles}}
values: {}
forces: {b: {bushing: {from: world, to: box, stiffness: [50, 100, 200], damping: [1, 2, 4], rotational_stiffness: [5, 10, 20], rotational_damping: [0.1, 0.2, 0.4], large_angles: $large}}}
run: {until: $end}
)yaml";

std::string with(std::string text, const std::string& key, const std::string& value) {
  return text.replace(text.find(key), key.size(), value);
}

TEST(Modia3dCases, BoxBushingWithLargeAngles) {
  std::string text =
      with(with(with(kBushing, "$angles", "[0.8, 0.4, 0.2]"), "$large", "true"), "$end", "5");
  expect_body(run_text(text), "box",
              {{-0.013214709281307713, 0.000552354087222612, -0.04904666187675468},
               {0.07579402127381728, 0.0033411984137335553, -4.9513118790869216e-05},
               cardan_xyz({-0.056707801161520716, 0.0009597189920446882, 4.333168563994031e-05}),
               {0.380922690677635, 0.0010802088978311055, -0.000616198472040944}});
}

TEST(Modia3dCases, BoxBushingWithSmallAngles) {
  std::string text =
      with(with(with(kBushing, "$angles", "[0.12, 0.06, 0.03]"), "$large", "false"), "$end", "6");
  expect_body(
      run_text(text), "box",
      {{-0.0016107113217414199, -0.0002480705395490782, -0.049050349752476706},
       {0.07029162030881492, 2.2312117805489287e-05, -6.372913904848077e-06},
       cardan_xyz({-0.0010449353993963431, -0.0001514824927969645, -2.4593890216411865e-07}),
       {0.042388263052657665, 0.00010086233694909848, -5.551141011115388e-06}});
}

const char* kSprung = R"yaml(
carom: 1
bodies: {box: {mass: 1, inertia: [0.1, 0.1, 0.1]}}
forces: {s: {spring: {from: world, to: {body: box, at: [0.05, 0.05, 0.05]}, stiffness: 100, damping: 2}}}
run: {until: 5}
)yaml";

TEST(Modia3dCases, BoxSpringDamperPointToPoint) {
  expect_body(run_text(kSprung), "box",
              {{-0.0317899616936806, -0.031789987944650766, -0.13960438446373588},
               {-0.22639392571053196, -0.22639355519359725, -0.09585537982617036},
               cardan_xyz({-0.04370174242082521, 0.04366049248771943, 0.0009545457607853683}),
               {0.8435417114212301, -0.8435409897813606, 1.1525522669027586e-07}});
}

// Two stages, locked until 5 s; each has its own motor at its lower end. The first
// stage stays in the scene after the separation, where Modia3D deletes it at 10 s.
TEST(Modia3dCases, TwoStageRocket) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: [0, -9.81, 0]
bodies:
  stage1: {mass: 100, inertia: [1, 1, 1], position: [0, 1, 0]}
  stage2: {mass: 100, inertia: [1, 1, 1], position: [0, 2.5, 0]}
joints: {lock: {fixed: {parent: stage1, child: stage2, at: [0, 1, 0], child_at: [0, -0.5, 0]}, loop: true, active: {until: 5}}}
signals:
  thrust: {ramp: {start: 5, duration: 10, before: 2e3, after: 0}}
  lit: {step: {start: 5, before: 0, after: 1}}
forces:
  motor1: {force: {body: stage1, at: [0, -1, 0], value: [0, {table: [[0, 1e4], [5, 0]]}, 0]}}
  motor2: {force: {body: stage2, at: [0, -0.5, 0], value: [0, "=thrust*lit", 0]}}
run: {until: 15}
)yaml");
  expect_body(r, "stage2", {{0, 1232.2203937213537, 0}, {0, 77.85108394267779, 0}, Mat3{}, {}});
}

const char* kServo = R"yaml(
carom: 1
gravity: off
bodies:
  load: {mass: 1, inertia: [0.32, 0.32, 0.32], joint: {revolute: {}, name: axis, rotor: {inertia: 1.3909e-5, ratio: 156},
         drive: {cascade: {ramp: {start: 0, duration: 1.18, before: 0, after: 2.95}}, ratio: 156, inner_gain: 50, gain: 0.1, time_constant: 1}}}
run: {until: 4}
)yaml";

TEST(Modia3dCases, ServoWithRamp) {
  const RunResult r = run_text(kServo);
  EXPECT_NEAR(joint(r, "axis").q[0], 2.9499994183801284, kTolerance * 2.95);
  EXPECT_NEAR(joint(r, "axis").v[0], 5.816286501116783e-07, 1e-8);
}

// The servo of the prismatic case feeds back the joint itself, without a gear, and is
// unstable on purpose: states and a force formula express any controller.
TEST(Modia3dCases, ServoWithRampAndPrismatic) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: [0, -9.81, 0]
bodies: {arm: {mass: 1.39, inertia: [1, 1, 1], joint: {prismatic: {axis: z}, name: rev, drive: {force: "=0.1*(x_pi + error)"}}}}
signals:
  ref: {ramp: {start: 0, duration: 1.18, before: 0, after: 2.95}}
  error: "=50*(156*ref - rev.q) - rev.v"
states: {x_pi: {rate: "=error"}}
run: {until: 4}
)yaml");
  expect_joint(r, "rev", 1594.1933857866297, -269.9911219480055);
}

TEST(Modia3dCases, ShortStepOfThreeSystems) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: [0, -9.81, 0]
bodies:
  beam: {material: aluminium, shapes: [{beam: {length: 1, width: 0.1, thickness: 0.1}}], joint: {revolute: {child_at: [-0.5, 0, 0]}, name: rev}}
  bob: {mass: 1, joint: {prismatic: {axis: y}, name: prism}}
  ball: {mass: 0.001, inertia: [4e-6, 4e-6, 4e-6], position: [0, 1, 0], angular_velocity: [10, 0, -5]}
run: {until: 0.001}
)yaml");
  expect_joint(r, "rev", -0.01409972769199364, -7.0596959177668255e-06);
  expect_joint(r, "prism", -0.009809999999999998, -4.911840743732473e-06);
  EXPECT_LE(norm(body(r, "ball").angular_velocity - Vec3{10, 0, -5}), 1e-9);
}

}  // namespace
}  // namespace carom
