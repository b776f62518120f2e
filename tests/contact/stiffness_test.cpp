#include "carom/contact/stiffness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/contact/contact_radius.h"
#include "carom/contact/elliptic_hertz.h"

namespace carom {
namespace {

TEST(EllipticHertz, FactorsAreThoseOfASeparateProgram) {
  // Hertz's equations solved by bisection in another language, ten digits.
  const double table[][2] = {{1, 1},
                             {2, 1.0099932957},
                             {4, 1.0398040295},
                             {10, 1.1090402517},
                             {100, 1.4350568426},
                             {1000, 2.0205252329}};
  for (const auto& [ratio, factor] : table) {
    EXPECT_NEAR(elliptic_hertz_factor(ratio), factor, 2e-10) << ratio;
  }
}

TEST(EllipticHertz, SeriesAgreesWithTheIteration) {
  for (double x = 0.0; x <= 9.2; x += 0.0173) {
    const double ratio = std::exp(x);
    const double exact = solve_contact_ellipse(ratio).stiffness_factor;
    EXPECT_NEAR(elliptic_hertz_factor(ratio), exact, 2e-13 * exact) << ratio;
  }
}

/// K and E by the trapezoidal rule, which converges geometrically for periodic functions.
double elliptic_integral(double m, bool second) {
  constexpr int n = 4000;
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    const double s = std::sin(0.5 * std::numbers::pi * (i + 0.5) / n);
    const double root = std::sqrt(1.0 - m * s * s);
    sum += second ? root : 1.0 / root;
  }
  return 0.5 * std::numbers::pi * sum / n;
}

TEST(EllipticHertz, EllipseObeysTheEquationsOfHertz) {
  // Johnson's equations by another way to the integrals; 1e-11 covers the subtraction K - E.
  for (const double ratio : {1.5, 3.0, 20.0, 300.0, 5000.0}) {
    const ContactEllipse ellipse = solve_contact_ellipse(ratio);
    const double k = ellipse.axis_ratio, m = 1.0 - k * k;
    const double K = elliptic_integral(m, false), E = elliptic_integral(m, true);
    EXPECT_NEAR((E / (k * k) - K) / (K - E), ratio, 1e-10 * ratio);
    // p0 = E* = 1 and a = 1: depth, load and the curvatures that belong to them.
    const double depth = k * K, load = 2.0 / 3.0 * std::numbers::pi * k;
    const double A = k / m * (K - E), B = A * ratio;
    const double R_e = 1.0 / (2.0 * std::sqrt(A * B));
    const double factor = load / (4.0 / 3.0 * std::sqrt(R_e) * std::pow(depth, 1.5));
    EXPECT_NEAR(ellipse.stiffness_factor, factor, 1e-10 * factor);
  }
}

Contact point_contact(double k1, double k2) {
  Contact c;
  c.k1 = k1, c.k2 = k2;
  return c;
}

TEST(ContactStiffness, KnowsPointLineAndFace) {
  constexpr double E = 2e11, d = 1e-6;
  Manifold m;
  m.count = 1;
  const auto sphere = contact_stiffness(point_contact(20.0, 20.0), m, E, d);
  EXPECT_DOUBLE_EQ(sphere.hertz, 4.0 / 3.0 * E * std::sqrt(0.05));
  EXPECT_EQ(sphere.linear, 0.0);
  const auto ellipsoid = contact_stiffness(point_contact(100.0, 10.0), m, E, d);
  EXPECT_NEAR(ellipsoid.hertz, 4.0 / 3.0 * E * std::pow(1e-3, 0.25) * 1.1090403, 1e-7 * E);
  m.count = 2, m.length = 0.1;
  const auto line = contact_stiffness(point_contact(20.0, 0.0), m, E, d);
  EXPECT_DOUBLE_EQ(line.linear, std::numbers::pi / 4.0 * E * 0.1);
  EXPECT_EQ(line.hertz, 0.0);
  m.count = 4, m.width = 0.05, m.area = 0.005;
  const auto face = contact_stiffness(point_contact(0.0, 0.0), m, E, d);
  EXPECT_DOUBLE_EQ(face.linear, 2.0 * E * std::sqrt(0.005 / std::numbers::pi));
  EXPECT_EQ(face.hertz, 0.0);
}

TEST(ContactStiffness, SharpCornersAreAsBluntAsTheyArePressedIn) {
  Manifold m;
  m.count = 1;
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double d : {1e-6, 1e-4}) {
    const auto k = contact_stiffness(point_contact(infinite, infinite), m, 1e9, d);
    EXPECT_DOUBLE_EQ(k.hertz, 4.0 / 3.0 * 1e9 * std::sqrt(d));
  }
  EXPECT_EQ(contact_stiffness(point_contact(infinite, infinite), m, 1e9, 0.0).hertz, 0.0);
}

double force(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, double modulus) {
  const Contact c = distance(a.core, X_WA, b.core, X_WB);
  Manifold m;
  find_manifold(a.core, X_WA, b.core, X_WB, c, kDefaultTilt, m);
  const double depth = std::max(0.0, -c.phi);
  const ContactStiffness k = contact_stiffness(c, m, modulus, depth);
  double sum = 0.0;
  for (int i = 0; i < m.count; ++i) {
    const ManifoldPoint& p = m.points[static_cast<std::size_t>(i)];
    const double d = std::max(0.0, -p.phi);
    sum += p.weight * (k.linear * d + k.hertz * d * std::sqrt(d));
  }
  return sum;
}

/// Largest change of the force between neighbours of a sweep of tilts about y, over the largest
/// force, for a shape whose lowest point stays pressed in by `depth`.
double largest_jump(const Shape& shape, double depth, int steps, double from, double to) {
  const Shape ground = make_shape({.kind = find_shape_kind("half_space")});
  double last = -1.0, jump = 0.0, largest = 0.0;
  for (int i = 0; i <= steps; ++i) {
    const double angle = from + (to - from) * i / steps;
    Pose X{rotation_y(angle), {}};
    const Contact at_origin = distance(ground.core, {}, shape.core, X);
    X.p.z = -at_origin.phi - depth;
    const double f = force(ground, {}, shape, X, 1e9);
    if (last >= 0.0) jump = std::max(jump, std::abs(f - last));
    largest = std::max(largest, f), last = f;
  }
  return jump / largest;
}

TEST(ContactStiffness, SweepsFromEdgeToFaceHaveNoJump) {
  // A sweep across all regimes; ten times finer steps make the largest change ten times
  // smaller, as they do for a continuous force and do not for a jump.
  const Shape box = make_shape(
      {.kind = find_shape_kind("box"), .params = {0.1, 0.06, 0.04}, .edge_radius = 1e-3});
  const Shape cylinder =
      make_shape({.kind = find_shape_kind("cylinder"), .params = {0.02, 0.1}, .edge_radius = 1e-3});
  for (const Shape* shape : {&box, &cylinder}) {
    const double coarse = largest_jump(*shape, 1e-6, 2000, -2e-3, 2e-3);
    const double fine = largest_jump(*shape, 1e-6, 20000, -2e-3, 2e-3);
    EXPECT_LT(fine, 0.2 * coarse) << shape->kind->name;
    EXPECT_LT(fine, 0.02) << shape->kind->name;
  }
}

TEST(ContactRadius, FollowsModia3dsRule) {
  const auto radius = [](const char* kind, std::vector<double> p) {
    return contact_radius(make_shape({.kind = find_shape_kind(kind), .params = std::move(p)}));
  };
  EXPECT_DOUBLE_EQ(radius("sphere", {0.05}).radius, 0.05);
  EXPECT_DOUBLE_EQ(radius("box", {0.3, 0.2, 0.1}).radius, 0.05);
  EXPECT_TRUE(radius("box", {0.3, 0.2, 0.1}).is_flat);
  EXPECT_DOUBLE_EQ(radius("cylinder", {0.1, 0.05}).radius, 0.025);
  EXPECT_DOUBLE_EQ(radius("capsule", {0.02, 0.3}).radius, 0.02);
  EXPECT_DOUBLE_EQ(radius("cone", {0.1, 0.3, 0.04}).radius, 0.07);
  EXPECT_DOUBLE_EQ(radius("beam", {0.5, 0.1, 0.04}).radius, 0.02);
  EXPECT_DOUBLE_EQ(combined_radius({0.1, true}, {0.3, false}), 0.3);
  EXPECT_DOUBLE_EQ(combined_radius({0.1, false}, {0.3, false}), 0.03 / 0.4);
  EXPECT_DOUBLE_EQ(combined_radius({kInf, true}, {0.3, true}), 0.3);
}

}  // namespace
}  // namespace carom
