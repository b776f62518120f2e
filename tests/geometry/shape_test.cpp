// Making shapes: rules between fields, scale, user functions, and no memory afterwards.
#include "carom/geometry/shape.h"

#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "example_shapes.h"
#include "support/allocation_counter.h"

namespace carom {
namespace {

std::string message_of(ShapeInput input) {
  Diagnostics d;
  if (make_shape(std::move(input), d)) return "no error";
  return d.all().back().message;
}

TEST(Catalogue, RowsAreCompleteAndNamesAreUnique) {
  std::set<std::string> names;
  for (const ShapeKind* kind : shape_catalogue()) {
    EXPECT_TRUE(names.insert(kind->name).second) << kind->name;
    EXPECT_EQ(find_shape_kind(kind->name), kind);
    EXPECT_NE(std::string(kind->doc), "");
    ASSERT_TRUE(kind->core && kind->tessellate && kind->examples) << kind->name;
    EXPECT_FALSE(examples(*kind).empty()) << kind->name;
    EXPECT_EQ(kind->rounding == Rounding::inward, kind->max_edge_radius != nullptr) << kind->name;
    EXPECT_EQ(default_params(*kind).size(), width(kind->fields));
    // What is not convex has to say what contact makes of it, unless that is the surface itself.
    const bool is_itself = kind->convex || kind->surface;
    EXPECT_EQ(is_itself, kind->contact_as[0] == '\0') << kind->name;
  }
  EXPECT_EQ(find_shape_kind("dodecahedron"), nullptr);
  for (const char* name : {"sphere", "ellipsoid", "box", "cylinder", "pipe", "cone", "capsule",
                           "beam", "spring", "gearwheel", "half_space", "point", "segment",
                           "triangle", "tetrahedron", "polygon", "hull", "mesh", "custom"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(MakeShape, RefusesFieldsOutOfRangeByName) {
  EXPECT_EQ(message_of({.kind = find_shape_kind("sphere"), .params = {-1.0}}),
            "radius of a sphere is -1, it must be greater than 0");
  EXPECT_EQ(message_of({.kind = find_shape_kind("sphere"), .params = {}}),
            "sphere has 0 numbers, it takes 1");
  EXPECT_EQ(message_of({.kind = find_shape_kind("sphere"), .params = {kInf}}),
            "radius of a sphere is inf, it must be a finite number");
  EXPECT_EQ(message_of({.kind = find_shape_kind("gearwheel"), .params = {0.1, 0.1, 20.5, 0}}),
            "teeth of a gearwheel is 20.5, it must be a whole number");
}

TEST(MakeShape, ChecksRulesBetweenFields) {
  EXPECT_EQ(message_of({.kind = find_shape_kind("pipe"), .params = {0.1, 0.2, 1.0}}),
            "inner_radius of a pipe is 0.2, it must be less than outer_radius = 0.1");
  EXPECT_EQ(message_of({.kind = find_shape_kind("spring"), .params = {0.1, 0.2, 1.0, 3}}),
            "wire_radius of a spring is 0.2, it must be less than coil_radius = 0.1");
  EXPECT_EQ(
      message_of({.kind = find_shape_kind("triangle"), .params = {0, 0, 0, 1, 1, 1, 2, 2, 2}}),
      "the corners of the triangle lie on a line; use a segment");
  EXPECT_EQ(message_of({.kind = find_shape_kind("tetrahedron"),
                        .params = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}}),
            "the corners of the tetrahedron lie in a plane; use a polygon");
}

TEST(Scale, AlongTheAxesTurnsABoxAndAMeshButNotACylinder) {
  const Shape box =
      make_shape({.kind = find_shape_kind("box"), .params = {1, 1, 1}, .scale = {1, 2, 3}});
  EXPECT_EQ(mass_properties(box, 1.0).volume, 6.0);
  EXPECT_EQ(message_of({.kind = find_shape_kind("cylinder"), .params = {1, 1}, .scale = {1, 2, 3}}),
            "a cylinder cannot be scaled differently along its axes");
  EXPECT_EQ(message_of({.kind = find_shape_kind("box"), .params = {1, 1, 1}, .scale = {1, 0, 3}}),
            "the scale of a box must be three positive numbers");
  ShapeInput mesh = examples(*find_shape_kind("mesh"))[0];
  const double before = mass_properties(make_shape(mesh), 1.0).volume;
  mesh.scale = {2, 3, 0.5};
  EXPECT_NEAR(mass_properties(make_shape(mesh), 1.0).volume, 3.0 * before, 1e-15);
}

TEST(MassProblem, TellsWhyThereIsNoMass) {
  EXPECT_EQ(mass_problem(make_shape({.kind = find_shape_kind("half_space")})),
            "a half_space has no volume");
  ShapeInput mesh = examples(*find_shape_kind("mesh"))[0];
  EXPECT_EQ(mass_problem(make_shape(mesh)), "");
  mesh.mesh.triangles.pop_back();
  EXPECT_EQ(mass_problem(make_shape(mesh)), "the mesh has 3 open edges (holes)");
}

struct BallData {
  Vec3 centre;
  double radius;
};
Vec3 ball_support(const void* data, const Vec3& d) {
  const BallData& b = *static_cast<const BallData*>(data);
  return b.centre + b.radius * normalized(d);
}
Sym3 ball_hessian(const void* data, const Vec3& n) {
  return static_cast<const BallData*>(data)->radius * (Sym3{1, 1, 1, 0, 0, 0} - outer(n));
}

TEST(CustomShape, FromAFunctionMatchesTheBuiltInShape) {
  const BallData ball{{0.1, 0.2, 0.3}, 0.5};
  ShapeInput input{.kind = find_shape_kind("custom")};
  input.custom = {ball_support, nullptr, &ball};
  const Shape by_differences = make_shape(input);
  input.custom.hessian = ball_hessian;
  const Shape by_function = make_shape(input);
  const MassProperties m = mass_properties(by_function, 2.0);
  const double mass = 2.0 * 4.0 / 3.0 * std::numbers::pi * 0.125;
  EXPECT_NEAR(m.mass, mass, 1e-9 * mass);  // three levels of refinement, extrapolated to h⁶
  EXPECT_LE(norm(m.com - ball.centre), 1e-10);
  EXPECT_NEAR(m.inertia.zz, 0.4 * mass * 0.25, 1e-9 * mass);
  const Vec3 n = normalized(Vec3{1, 2, -2});
  const Sym3 a = support_derivatives(by_differences, n).hessian;
  const Sym3 b = support_derivatives(by_function, n).hessian;
  EXPECT_NEAR(a.xy, b.xy, 1e-10);
  EXPECT_NEAR(a.zz, b.zz, 1e-10);
  EXPECT_EQ(message_of({.kind = find_shape_kind("custom")}),
            "a custom shape needs a support function");
}

TEST(Support, AllocatesNothing) {
  if (!testing::can_count_allocations()) GTEST_SKIP() << "another allocator is in the way";
  std::mt19937 gen(1);
  for (const NamedShape& s : example_shapes()) {
    const long before = testing::allocation_count();
    Vec3 sum;
    for (int i = 0; i < 100; ++i) {
      const Vec3 n = random_direction(gen);
      sum += support(s.shape, n) + surface_derivatives(s.shape.core, n).point;
    }
    EXPECT_EQ(testing::allocation_count(), before) << s.name << " " << sum.x;
  }
}

TEST(Moved, AndCombinedMassesMatchTheWholeBody) {
  // A box cut in two unequal parts that are put together again, one of them turned.
  const auto box = [](double x) {
    return mass_properties(make_shape({.kind = find_shape_kind("box"), .params = {x, 0.3, 0.2}}),
                           3.0);
  };
  const Mat3 R = axis_angle({1, 0, 0}, std::numbers::pi);
  const MassProperties whole =
      combined(moved(Pose::translation({-0.2, 0, 0}), box(0.6)), moved({R, {0.3, 0, 0}}, box(0.4)));
  const MassProperties one = box(1.0);
  EXPECT_NEAR(whole.mass, one.mass, 1e-15);
  EXPECT_LE(norm(whole.com), 1e-15);
  EXPECT_NEAR(whole.inertia.xx, one.inertia.xx, 1e-15);
  EXPECT_NEAR(whole.inertia.zz, one.inertia.zz, 1e-15);
}

}  // namespace
}  // namespace carom
