// Making shapes: rules between fields, scale, user functions, and no memory afterwards.
#include "carom/geometry/shape.h"

#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "carom/geometry/tessellation.h"
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

Shape scaled(const char* kind, std::vector<double> params, const Vec3& scale) {
  return make_shape({.kind = find_shape_kind(kind), .params = std::move(params), .scale = scale});
}

TEST(Scale, AlongTheAxesTurnsABoxAndAMesh) {
  EXPECT_EQ(mass_properties(scaled("box", {1, 1, 1}, {1, 2, 3}), 1.0).volume, 6.0);
  EXPECT_EQ(message_of({.kind = find_shape_kind("box"), .params = {1, 1, 1}, .scale = {1, 0, 3}}),
            "the scale of a box must be three positive numbers");
  ShapeInput mesh = examples(*find_shape_kind("mesh"))[0];
  const double before = mass_properties(make_shape(mesh), 1.0).volume;
  mesh.scale = {2, 3, 0.5};
  EXPECT_NEAR(mass_properties(make_shape(mesh), 1.0).volume, 3.0 * before, 1e-15);
}

TEST(Scale, OfASphereIsAnEllipsoid) {
  const Shape egg = scaled("sphere", {0.5}, {1, 2, 3});
  EXPECT_STREQ(egg.kind->name, "ellipsoid");
  EXPECT_EQ(egg.params, (std::vector<double>{0.5, 1.0, 1.5}));
  EXPECT_STREQ(scaled("sphere", {0.5}, {2, 2, 2}).kind->name, "sphere");
}

TEST(Scale, KeepsTheKindWhereItMay) {
  EXPECT_EQ(scaled("cylinder", {1, 3}, {5, 2, 2}).params, (std::vector<double>{2, 15}));
  EXPECT_EQ(scaled("cone", {1, 3, 0.5}, {5, 2, 2}).params, (std::vector<double>{2, 15, 1}));
  EXPECT_EQ(scaled("pipe", {1, 0.5, 3}, {5, 2, 2}).params, (std::vector<double>{2, 1, 15}));
  EXPECT_EQ(scaled("beam", {4, 1, 0.5}, {2, 2, 3}).params, (std::vector<double>{8, 2, 1.5}));
  EXPECT_EQ(
      message_of({.kind = find_shape_kind("pipe"), .params = {1, 0.5, 1}, .scale = {1, 2, 3}}),
      "a pipe cannot be scaled differently along its axes");
  EXPECT_EQ(message_of({.kind = find_shape_kind("cylinder"),
                        .params = {1, 1},
                        .scale = {1, 2, 3},
                        .edge_radius = 0.1}),
            "the edges of a cylinder cannot be rounded where it is scaled differently across its "
            "axis");
}

// Volume and moments of the image of a body under D = diag(a, b, c), from those of the body; and
// its support function, h(n) of the image is h(D n) of the body.
TEST(Scale, OfAnyConvexBodyIsItsImageToAFewThousandths) {
  const Vec3 d{0.7, 1.3, 2.1};
  for (const auto& [kind, params] :
       std::vector<std::pair<const char*, std::vector<double>>>{{"cylinder", {0.5, 1.2}},
                                                                {"cone", {0.6, 1.0, 0.2}},
                                                                {"cone", {0.6, 1.0, 0.0}},
                                                                {"capsule", {0.3, 0.8}},
                                                                {"beam", {0.9, 0.4, 0.2}}}) {
    const Shape body =
        make_shape({.kind = find_shape_kind(kind), .params = params, .edge_radius = 0});
    const Shape image = scaled(kind, params, d);
    const MassProperties b = mass_properties(body, 1.0), m = mass_properties(image, 1.0);
    const double k = d.x * d.y * d.z;
    EXPECT_NEAR(m.volume, k * b.volume, 5e-3 * m.volume) << kind;
    EXPECT_NEAR(m.com.x, d.x * b.com.x, 1e-3) << kind;
    // Second moments: S_xx = (I_yy + I_zz - I_xx) / 2 grows by k d_x².
    const auto second = [](const Sym3& I) { return 0.5 * (I.yy + I.zz - I.xx); };
    EXPECT_NEAR(second(m.inertia), k * d.x * d.x * second(b.inertia), 1e-2 * m.inertia.xx) << kind;
    for (const Vec3& n : spread_directions(200)) {
      const Vec3 Dn{d.x * n.x, d.y * n.y, d.z * n.z};
      const double size = bounding_radius(image);
      EXPECT_NEAR(extent(image.core, n), norm(Dn) * extent(body.core, normalized(Dn)),
                  2.8e-3 * size)
          << kind;
    }
  }
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
