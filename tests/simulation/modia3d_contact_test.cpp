// The published test scenes of Modia3D 0.12 with contact, with the final states that its
// authors require: |x - ref| <= 1e-3 max(|x|, |ref|) in the 2-norm over the state vector.
//
// Its numbers come from the law as version 0.12 computes it, so the scenes take
// modia3d_0_12; the law of the manual (modia3d) differs only in contacts slower than v_small.
// Modia3D passes the law a distance that its search for the contact has scaled, except between
// spheres and along the line of centres. Where an independent integration with the true
// distance is known, that is the reference, to 1e-5; the published state then still holds to 1e-3.
#include <cmath>

#include "contact_runs.h"

namespace carom {
namespace {

using testing::body;
using testing::FreeState;
using testing::Impact;
using testing::impact;
using testing::joint;
using testing::only_contact;
using testing::run_text;
using testing::turn_between;
using testing::unexplained;

constexpr double kPublished = 1e-3;

/// Relative difference in the 2-norm of position, velocity, turn and angular velocity.
double difference(const RunResult& r, const std::string& name, const FreeState& ref) {
  const BodyState& b = body(r, name);
  const double turn = turn_between(b.orientation, ref.R);
  const double error = norm2(b.position - ref.r) + norm2(b.velocity - ref.v) + turn * turn +
                       norm2(b.angular_velocity - ref.w);
  return std::sqrt(error / (norm2(ref.r) + norm2(ref.v) + norm2(ref.w)));
}

double difference(const RunResult& r, const std::string& name, double v, double q) {
  const JointState& j = joint(r, name);
  return std::hypot(j.v[0] - v, j.q[0] - q) / std::hypot(v, q);
}

const char* kSphere = R"yaml(
carom: 1
gravity: [0, -9.81, 0]
values: {top: -0.1, end: 2.2}
bodies:
  ground: {fixed: true, material: steel, shapes: [{box: {size: [4, 0.1, 0.7]}, at: [0, "=top-0.05", 0]}]}
  sphere: {mass: 0.001, inertia: [4e-6, 4e-6, 4e-6], material: steel, shapes: [{sphere: {radius: 0.1}}], joint: {prismatic: {axis: y}, name: prism, q: 1}}
contact: {law: modia3d_0_12}
run: {until: $end}
)yaml";

TEST(Modia3dContact, BouncingSphere) {
  const RunResult r = run_text(kSphere);
  EXPECT_LE(difference(r, "prism", -0.4417983315849275, 0.0003869217525311367), kPublished);
  // An integration at 1e-12 by other means, as many digits as it states.
  const RunResult fine = run_text(kSphere, {"run.tolerance=1e-10"});
  EXPECT_NEAR(joint(fine, "prism").v[0], -0.441812, 1e-6);
  EXPECT_NEAR(joint(fine, "prism").q[0], 3.863e-4, 1e-7);
  EXPECT_LE(unexplained(r), 1e-6);
}

TEST(Modia3dContact, BouncingSphereAfterTheManualIsTheSameWhileItIsFast) {
  const RunResult code = run_text(kSphere), manual = run_text(kSphere, {"contact.law=modia3d"});
  EXPECT_NEAR(joint(code, "prism").v[0], joint(manual, "prism").v[0], 1e-9);
}

// At rest the ball sinks in by (m g / K)^(2/3), K = (4/3) E* sqrt(R): 3.552 nm.
TEST(Modia3dContact, BouncingSphere2ComesToRest) {
  const RunResult r = run_text(kSphere, {"values.end=2.5"});
  EXPECT_LE(std::hypot(joint(r, "prism").v[0], joint(r, "prism").q[0]), 1e-7);  // their atol
  const double K = 4.0 / 3.0 * 200e9 / (2.0 * (1.0 - 0.09)) * std::sqrt(0.1);
  const double depth = std::pow(0.001 * 9.81 / K, 2.0 / 3.0);
  EXPECT_NEAR(joint(r, "prism").q[0], -depth, 1e-6 * depth);
}

TEST(Modia3dContact, BouncingSphereWithTime) {
  const RunResult r = run_text(kSphere, {"values.top=0"});
  EXPECT_LE(difference(r, "prism", 0.01948634300615831, 0.10092552754875266), kPublished);
}

// The tutorial states no result; its free ball must do what the guided one does.
TEST(Modia3dContact, TutorialBouncingSphereMovesAsOnASlider) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: [0, -9.81, 0]
bodies:
  ground: {fixed: true, material: steel, shapes: [{box: {size: [4, 0.1, 0.7]}, at: [0, -0.05, 0]}]}
  sphere: {mass: 0.001, inertia: [4e-6, 4e-6, 4e-6], material: steel, shapes: [{sphere: {radius: 0.1}}], position: [0, 1, 0]}
contact: {law: modia3d_0_12}
run: {until: 2.2}
)yaml");
  const BodyState& ball = body(r, "sphere");
  EXPECT_NEAR(ball.position.y, 0.10092552754875266, 1e-6);
  EXPECT_NEAR(ball.velocity.y, 0.01948634300615831, 1e-4);
  // Nothing pushes it aside.
  EXPECT_LE(std::hypot(ball.position.x, ball.position.z, norm(ball.angular_velocity)), 1e-12);
}

TEST(Modia3dContact, BouncingSphereContactResults) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: [0, -9.81, 0]
bodies:
  ground: {fixed: true, material: steel, shapes: [{box: {size: [2, 0.1, 0.5]}, at: [0, -0.05, 0]}]}
  sphere: {mass: 10000, inertia: [40, 40, 40], material: steel, shapes: [{sphere: {radius: 0.1}}], position: [-0.5, 0.3, 0], velocity: [1, 0, 0]}
contact: {law: modia3d_0_12}
run: {until: 1.5}
)yaml");
  const FreeState with_true_distance{{0.6187773231095662, 0.0998351150152352, 0},
                                     {0.7016338295516845, 0, 0},
                                     cardan_xyz({0, 0, -9.170358001871554}),
                                     {0, 0, -7.022079837189438}};
  const FreeState published{{0.6190964322303429, 0.09989803187140613, 0},
                            {0.7018335184646917, -0.00011551585213889106, 0},
                            cardan_xyz({0, 0, -9.171436344350457}),
                            {0, 0, -7.0240720401621495}};
  EXPECT_LE(difference(r, "sphere", with_true_distance), 1e-5);
  EXPECT_LE(difference(r, "sphere", published), kPublished);
  EXPECT_NEAR(only_contact(r).normal_force, 10000 * 9.81, 1e-2);
  EXPECT_LE(unexplained(r), 1e-6);
}

// Sliding, rolling, an elastic impact, rolling again. The balls start in touch with the
// table, to rounding: they sink in by their weight and are not thrown through it.
TEST(Modia3dContact, TwoCollidingBalls) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: [0, 0, -9.81]
bodies:
  table: {fixed: true, material: billiard_table, shapes: [{box: {size: [3, 0.5, 0.02]}, at: [0, 0, -0.01]}]}
  ball1: {material: billiard_ball, shapes: [{sphere: {radius: 0.03}}], position: [-1.3, 0, 0.03], velocity: [3, 0, 0]}
  ball2: {material: billiard_ball, shapes: [{sphere: {radius: 0.03}}], position: [0, 0, 0.03]}
contact: {law: modia3d_0_12}
run: {until: 1.5}
)yaml");
  // The reference turns the balls by a quarter at the start, so that its angles do not
  // become singular: rot (pi/2, 0, -a) is our turn by a about y.
  const FreeState first{{0.44875614568174405, 0, 0.029998391648874863},
                        {0.5333627057347415, 0, 0},
                        axis_angle({0, 1, 0}, 55.43736430848603),
                        {0, 17.778241317504396, 0}};
  const FreeState second{{1.4034760182829167, 0, 0.029998391648874863},
                         {1.438629246173732, 0, 0},
                         axis_angle({0, 1, 0}, 44.078947013911446),
                         {0, 47.954601568520125, 0}};
  EXPECT_LE(difference(r, "ball1", first), 1e-5);
  EXPECT_LE(difference(r, "ball2", second), 1e-5);
  // Both stand as deep as their weight presses them, by the reference 1.6083511 um.
  EXPECT_NEAR(body(r, "ball1").position.z, 0.029998391648874863, 1e-12);
  EXPECT_LE(unexplained(r), 1e-6);
}

TEST(Modia3dContact, NewtonsCradle) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: [0, 0, -9.81]
materials: {cradle: {density: 8000, youngs_modulus: 5.4e9, poissons_ratio: 0.34}}
bodies:
  s1: {material: cradle, shapes: [{sphere: {radius: 0.01}}], joint: {revolute: {axis: x, at: [0, -0.0404, 0], child_at: [0, 0, 0.15]}, name: rev1, q: -1.0471975511965976}}
  s2: {material: cradle, shapes: [{sphere: {radius: 0.01}}], joint: {revolute: {axis: x, at: [0, -0.0202, 0], child_at: [0, 0, 0.15]}, name: rev2}}
  s3: {material: cradle, shapes: [{sphere: {radius: 0.01}}], joint: {revolute: {axis: x, at: [0, 0, 0], child_at: [0, 0, 0.15]}, name: rev3}}
  s4: {material: cradle, shapes: [{sphere: {radius: 0.01}}], joint: {revolute: {axis: x, at: [0, 0.0202, 0], child_at: [0, 0, 0.15]}, name: rev4}}
  s5: {material: cradle, shapes: [{sphere: {radius: 0.01}}], joint: {revolute: {axis: x, at: [0, 0.0404, 0], child_at: [0, 0, 0.15]}, name: rev5}}
contact: {law: modia3d_0_12, restitution: 1, mu_k: 0, mu_r: 0}
run: {until: 5}
)yaml");
  const double w[] = {-1.180791527568564, 0.04982982739055273, 0.049844032881367094,
                      0.04986127142907837, 0.04987561416137295};
  const double phi[] = {-1.033934458288708, 0.018466029517559813, 0.018471344490359712,
                        0.018476465719447804, 0.018481494292598495};
  double error = 0.0, size = 0.0;
  for (std::size_t i = 0; i < 5; ++i) {
    const JointState& j = joint(r, "rev" + std::to_string(i + 1));
    error += std::pow(j.v[0] - w[i], 2) + std::pow(j.q[0] - phi[i], 2);
    size += w[i] * w[i] + phi[i] * phi[i];
  }
  EXPECT_LE(std::sqrt(error / size), kPublished);
  EXPECT_EQ(r.events.size(), 96u);  // as many as the independent integration counted
  EXPECT_LE(unexplained(r), 1e-6);
}

// The authors only ask that it runs. The box falls 1.25 m and hits with its centre of mass
// above the edge: half of its face is supported, so it is thrown back and over the edge. The
// impulse J changes speed by J/m and turns it by J l / I, its lever l inside that half.
TEST(Modia3dContact, TwoCollidingBoxesTopple) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: [-9.81, 0, 0]
bodies:
  fixed_box: {fixed: true, material: steel, shapes: [{box: {size: [3, 2, 5]}}], position: [-3, 0, -2.5]}
  moving_box: {material: steel, mass: 337.5, shapes: [{box: {size: [0.5, 0.5, 0.5]}}], rotation: [1.5707963267948966, 0, 0]}
contact: {law: modia3d_0_12}
run: {until: 3}
)yaml");
  const Impact hit = impact(r);
  EXPECT_NEAR(hit.begin, std::sqrt(2.0 * 1.25 / 9.81), 1e-9);
  const BodyState& box = body(r, "moving_box");
  // The box turns by 4 mrad while it is pressed, and normal and friction with it.
  EXPECT_NEAR(box.velocity.x, hit.impulse / 337.5 - 9.81 * 3.0, 5e-3);
  const double lever = -14.0625 * box.angular_velocity.y / hit.impulse;
  EXPECT_GT(lever, 0.0);
  EXPECT_LT(lever, 0.25);
  EXPECT_LE(std::hypot(box.velocity.y, box.angular_velocity.x, box.angular_velocity.z), 1e-6);
  EXPECT_LE(unexplained(r), 1e-6);
}

// The published state belongs to a normal that is not the one of the shortest distance; an
// independent integration with that of the shortest distance differs by 2.3e-3, and so do we.
TEST(Modia3dContact, BouncingEllipsoidOnSphereDiffersAsTheTrueNormalDoes) {
  const RunResult r = run_text(R"yaml(
carom: 1
gravity: [0, -9.81, 0]
bodies:
  ground: {fixed: true, material: steel, shapes: [{sphere: {radius: 0.75}}], position: [0, -0.05, 0]}
  ellipsoid: {material: steel, shapes: [{ellipsoid: {radii: [0.05, 0.1, 0.15]}}], position: [0, 1, 0], angular_velocity: [5, 0, -2]}
contact: {law: modia3d_0_12}
run: {until: 2}
)yaml");
  const Vec3 position{1.8699989130901813, -5.222327808647324, -0.6154343686911469};
  const Vec3 velocity{1.3616434929142358, -10.68139650349135, -0.33484894334316573};
  const Vec3 spin{10.930247061463712, -5.829926511030707, -7.212001322832058};
  const BodyState& b = body(r, "ellipsoid");
  const double error = std::sqrt(norm2(b.position - position) + norm2(b.velocity - velocity) +
                                 norm2(b.angular_velocity - spin));
  const double size = std::sqrt(norm2(position) + norm2(velocity) + norm2(spin));
  EXPECT_NEAR(error / size, 2.3e-3, 0.5e-3);
}

}  // namespace
}  // namespace carom
