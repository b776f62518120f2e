#include "carom/scene/body_mass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "carom/scene/validate/validate.h"
#include "scene/scene_helpers.h"

namespace carom {
namespace {

MassProperties mass_of(const std::string& body) {
  const Scene scene =
      read_scene_text("carom: 1\nmaterials: {unit: {density: 1000}}\nbodies:\n  b: " + body + "\n");
  return body_mass_properties(scene, scene.bodies[0]);
}

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

void expect_near(const Sym3& a, const Sym3& b, double tolerance) {
  EXPECT_NEAR(a.xx, b.xx, tolerance);
  EXPECT_NEAR(a.yy, b.yy, tolerance);
  EXPECT_NEAR(a.zz, b.zz, tolerance);
  EXPECT_NEAR(a.xy, b.xy, tolerance);
  EXPECT_NEAR(a.xz, b.xz, tolerance);
  EXPECT_NEAR(a.yz, b.yz, tolerance);
}

TEST(BodyMass, OfABoxIsTheClosedForm) {
  const MassProperties m = mass_of("{material: unit, shapes: [{box: {size: [1, 2, 3]}}]}");
  EXPECT_NEAR(m.mass, 6000.0, 1e-11);
  // m (b² + c²)/12 and so on; a handful of roundings on numbers of order 1e4.
  expect_near(m.inertia, Sym3{6500, 5000, 2500, 0, 0, 0}, 1e-10);
}

TEST(BodyMass, IsScaledToTheStatedMass) {
  const MassProperties m = mass_of("{mass: 3, shapes: [{box: {size: [1, 2, 3]}, at: [1, 0, 0]}]}");
  EXPECT_EQ(m.mass, 3.0);
  expect_near(m.com, {1, 0, 0}, 1e-15);
  expect_near(m.inertia, Sym3{3.25, 2.5, 1.25, 0, 0, 0}, 1e-14);
}

TEST(BodyMass, WithoutShapesIsAPoint) {
  const MassProperties m = mass_of("{mass: 3, com: [1, 2, 3]}");
  EXPECT_EQ(m.com, (Vec3{1, 2, 3}));
  EXPECT_EQ(m.inertia, Sym3{});
}

TEST(BodyMass, TakesWhatIsStatedBeforeTheShapes) {
  const MassProperties m = mass_of(
      "{mass: 3, com: [0, 0, 1], inertia: [1, 2, 2.5, 0.1, 0.2, 0.3], shapes: [{box: {size: 1}}]}");
  EXPECT_EQ(m.com, (Vec3{0, 0, 1}));
  EXPECT_EQ(m.inertia, (Sym3{1, 2, 2.5, 0.1, 0.2, 0.3}));
}

TEST(BodyMass, DensityComesFromShapeThenItsMaterialThenTheBodys) {
  const char* shapes =
      "[{sphere: {radius: 1}, density: 2}, {sphere: {radius: 1}, material: ice}, "
      "{sphere: {radius: 1}}, {sphere: {radius: 9}, mass: off}]";
  const MassProperties m = mass_of(std::string("{material: unit, shapes: ") + shapes + "}");
  EXPECT_NEAR(m.mass, 4.0 / 3.0 * M_PI * (2.0 + 917.0 + 1000.0), 1e-10);
}

TEST(BodyMass, OfTurnedAndShiftedShapesAgreesWithSampling) {
  // A box turned and shifted, and a sphere beside it, against an integral over random
  // points of the box and the sphere's closed form. 4e5 points: relative error about
  // 1/sqrt(n) = 1.6e-3 of the extent squared; five times that is allowed.
  const MassProperties m = mass_of(
      "{material: unit, shapes: [{box: {size: [0.4, 0.2, 0.1]}, at: [0.3, -0.1, 0.2], rotation: "
      "[0.5, -0.7, 1.1]}, {sphere: {radius: 0.1}, at: [-0.2, 0.1, 0]}]}");
  std::mt19937 random(12345);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  const Mat3 R = rotation_x(0.5) * rotation_y(-0.7) * rotation_z(1.1);
  const double box_mass = 8.0, sphere_mass = 1000.0 * 4.0 / 3.0 * M_PI * 1e-3;
  constexpr int kPoints = 400000;
  Vec3 first;
  Sym3 second;
  for (int i = 0; i < kPoints; ++i) {
    const Vec3 p = Vec3{0.3, -0.1, 0.2} +
                   R * Vec3{0.4 * uniform(random), 0.2 * uniform(random), 0.1 * uniform(random)};
    first += (box_mass / kPoints) * p;
    second += (box_mass / kPoints) * point_inertia(p);
  }
  const Vec3 c{-0.2, 0.1, 0};
  first += sphere_mass * c;
  second += sphere_mass * point_inertia(c) +
            Sym3::diagonal(
                {0.4 * sphere_mass * 0.01, 0.4 * sphere_mass * 0.01, 0.4 * sphere_mass * 0.01});
  const double mass = box_mass + sphere_mass;
  const Vec3 com = first / mass;
  EXPECT_NEAR(m.mass, mass, 1e-12);
  expect_near(m.com, com, 5 * 1.6e-3 * 0.2);
  expect_near(m.inertia, second - mass * point_inertia(com), 5 * 1.6e-3 * mass * 0.04);
}

TEST(BodyMass, FindsMaterialsOfTheSceneBeforeThoseOfThePalette) {
  const Scene scene =
      read_scene_text("carom: 1\nmaterials: {steel: {density: 1}}\nbodies: {b: {mass: 1}}\n");
  EXPECT_EQ(find_material(scene, "steel")->density, 1.0);
  EXPECT_EQ(find_material(scene, "ice")->density, 917.0);
  EXPECT_FALSE(find_material(scene, "nothing"));
}

TEST(BodyMass, OfAMovingBodyMustFollowFromSomething) {
  const auto body = [](const std::string& text) {
    return findings_of("carom: 1\nbodies:\n  b: " + text + "\n");
  };
  const auto has = [&](const std::string& text, const std::string& part) {
    EXPECT_NE(body(text).find(part), std::string::npos) << text << "\n" << body(text);
  };
  has("{}", "moves but has no mass");
  has("{shapes: [{sphere: {radius: 1}}]}", "has no density");
  has("{material: steel, shapes: [{sphere: {radius: 1}, mass: off}]}", "moves but has no mass");
  has("{material: steel, shapes: [{half_space: {}}]}", "moves but has no mass");
  has("{mass: 0}", "greater than 0");
  has("{mass: -2}", "greater than 0");
  has("{com: [0, 0, 1]}", "has com but no mass");
  has("{mass: 1, inertia: [1, 1, 3]}", "belongs to no body");
  has("{mass: 1, inertia: [1, 1, 1, 5, 0, 0]}", "belongs to no body");
  has("{mass: 1, inertia: [-1, 1, 1]}", "belongs to no body");
  has("{mass: 1, inertia: [1, 1, 2.01]}", "slightly impossible");
  EXPECT_EQ(body("{mass: 1, inertia: [1, 1, 2]}"), "");
  EXPECT_EQ(body("{mass: 1, inertia: [0, 0.5, 0.5]}"), "");
  EXPECT_EQ(body("{fixed: true, shapes: [{sphere: {radius: 1}}]}"), "");
  EXPECT_EQ(body("{joint: {fixed: {}}}"), "");
}

TEST(BodyMass, TriangleInequalityHoldsInAnyAxes) {
  // A thin disc turned by a random rotation is still a possible body, a bit more than
  // one is not: the check must not depend on the axes.
  std::mt19937 random(2024);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 50; ++i) {
    const Mat3 R = to_matrix({normal(random), normal(random), normal(random), normal(random)});
    for (const double polar : {2.0, 2.2}) {
      const Sym3 I = rotated(R, Sym3::diagonal({1, 1, polar}));
      Scene scene;
      BodySpec body;
      body.name = "b";
      body.mass = 1.0;
      body.inertia = I;
      scene.bodies.push_back(body);
      Diagnostics findings;
      validate(scene, findings);
      EXPECT_EQ(findings.has_errors(), polar > 2.0) << i;
    }
  }
}

}  // namespace
}  // namespace carom
