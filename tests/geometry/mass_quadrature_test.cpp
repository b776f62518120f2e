// Closed-form mass properties against Gauss quadrature over sections, to round-off.
#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "example_shapes.h"

namespace carom {
namespace {

constexpr double kPi = std::numbers::pi;

struct Node {
  double x, w;
};

/// Gauss-Legendre nodes on [a, b] by Newton on P_n.
std::vector<Node> gauss(int n, double a, double b) {
  std::vector<Node> nodes;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(kPi * (i + 0.75) / (n + 0.5)), slope = 1.0;
    for (int iteration = 0; iteration < 100; ++iteration) {
      double p = 1.0, previous = 0.0;
      for (int k = 1; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * previous) / k;
        previous = p, p = next;
      }
      slope = n * (x * p - previous) / (x * x - 1.0);
      const double dx = p / slope;
      x -= dx;
      if (std::abs(dx) < 1e-16) break;
    }
    nodes.push_back({0.5 * (a + b) + 0.5 * (b - a) * x, (b - a) / ((1.0 - x * x) * slope * slope)});
  }
  return nodes;
}

/// Area and second moments of the section at x.
struct Section {
  double area, y2, z2;
};
Section ellipse(double b, double c) {
  const double area = kPi * b * c;
  return {area, 0.25 * area * b * b, 0.25 * area * c * c};
}
Section ring(double outer, double inner) {
  const Section a = ellipse(outer, outer), b = ellipse(inner, inner);
  return {a.area - b.area, a.y2 - b.y2, a.z2 - b.z2};
}
Section rectangle(double b, double c) {
  return {b * c, b * b * b * c / 12.0, b * c * c * c / 12.0};
}

/// Adds the part between x(a) and x(b), where x and its slope are functions of a parameter
/// that makes the integrand smooth at round ends.
void add_part(VolumeMoments& sum, double a, double b, const std::function<double(double)>& x,
              const std::function<double(double)>& slope,
              const std::function<Section(double)>& section) {
  for (const Node& node : gauss(40, a, b)) {
    const Section s = section(node.x);
    const double at = x(node.x), w = node.w * slope(node.x);
    sum +=
        {w * s.area, {w * s.area * at, 0, 0}, {w * s.area * at * at, w * s.y2, w * s.z2, 0, 0, 0}};
  }
}
void add_straight(VolumeMoments& sum, double a, double b,
                  const std::function<Section(double)>& section) {
  add_part(
      sum, a, b, [](double t) { return t; }, [](double) { return 1.0; }, section);
}
/// A half round end of radius r that begins at x0 towards `side`: x = x0 + side r sin(t).
void add_end(VolumeMoments& sum, double x0, double r, double side,
             const std::function<Section(double)>& section_at_half_width) {
  add_part(
      sum, 0.0, 0.5 * kPi, [=](double t) { return x0 + side * r * std::sin(t); },
      [=](double t) { return r * std::cos(t); },
      [=](double t) { return section_at_half_width(r * std::cos(t)); });
}

void expect_equal(const char* kind, const std::vector<double>& params, const VolumeMoments& sum) {
  const Shape shape = make_shape({.kind = find_shape_kind(kind), .params = params});
  const MassProperties closed = mass_properties(shape, 1.0);
  const MassProperties numeric = to_mass_properties(sum);
  // Round-off of 40 nodes and of the closed forms; 1e-13 is some 500 eps.
  const double tolerance = 1e-13 * closed.volume, size = bounding_radius(shape);
  EXPECT_NEAR(closed.volume, numeric.volume, tolerance) << kind;
  EXPECT_LE(norm(closed.com - numeric.com), 1e-13 * size) << kind;
  const Mat3 a = to_mat3(closed.inertia), b = to_mat3(numeric.inertia);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(a.m[i], b.m[i], tolerance * size * size) << kind;
}

TEST(MassByQuadrature, OfStraightSections) {
  VolumeMoments cylinder, pipe, box;
  add_straight(cylinder, -0.35, 0.35, [](double) { return ellipse(0.2, 0.2); });
  expect_equal("cylinder", {0.2, 0.7}, cylinder);
  add_straight(pipe, -0.35, 0.35, [](double) { return ring(0.2, 0.17); });
  expect_equal("pipe", {0.2, 0.17, 0.7}, pipe);
  expect_equal("gearwheel", {0.2, 0.7, 30, 0.17}, pipe);
  add_straight(box, -0.2, 0.2, [](double) { return rectangle(0.3, 0.1); });
  expect_equal("box", {0.4, 0.3, 0.1}, box);
}

TEST(MassByQuadrature, OfConesAndFrusta) {
  for (const auto& [R, r] : {std::pair{0.3, 0.0}, {0.3, 0.1}, {0.1, 0.3}, {0.2, 0.2}}) {
    VolumeMoments sum;
    add_straight(sum, 0.0, 0.5, [=](double x) {
      const double radius = R + (r - R) * x / 0.5;
      return ellipse(radius, radius);
    });
    expect_equal("cone", {R, 0.5, r}, sum);
  }
}

TEST(MassByQuadrature, OfRoundBodies) {
  VolumeMoments sphere, ellipsoid, capsule, beam;
  for (const double side : {-1.0, 1.0}) {
    add_end(sphere, 0.0, 0.3, side, [](double h) { return ellipse(h, h); });
    add_end(ellipsoid, 0.0, 0.3, side,
            [](double h) { return ellipse(0.2 * h / 0.3, 0.1 * h / 0.3); });
    add_end(capsule, 0.25 * side, 0.1, side, [](double h) { return ellipse(h, h); });
    add_end(beam, 0.25 * side, 0.1, side, [](double h) { return rectangle(2.0 * h, 0.04); });
  }
  add_straight(capsule, -0.25, 0.25, [](double) { return ellipse(0.1, 0.1); });
  add_straight(beam, -0.25, 0.25, [](double) { return rectangle(0.2, 0.04); });
  expect_equal("sphere", {0.3}, sphere);
  expect_equal("ellipsoid", {0.3, 0.2, 0.1}, ellipsoid);
  expect_equal("capsule", {0.1, 0.5}, capsule);
  expect_equal("beam", {0.5, 0.2, 0.04}, beam);
}

/// The swept wire in its own coordinates (t along, rho and f across), with the volume
/// element from the determinant of the derivatives.
TEST(MassByQuadrature, OfASpring) {
  const double R = 0.05, r = 0.02, L = 0.3, windings = 2.7, a = kPi * windings;
  const double wire = std::hypot(L, 2 * a * R), T_x = L / wire, T_t = 2 * a * R / wire;
  VolumeMoments sum;
  for (int piece = 0; piece < 8; ++piece) {
    for (const Node& t : gauss(30, -a + piece * a / 4, -a + (piece + 1) * a / 4)) {
      const Vec3 e_r{0, std::cos(t.x), std::sin(t.x)}, e_t{0, -std::sin(t.x), std::cos(t.x)};
      const Vec3 T{T_x, T_t * e_t.y, T_t * e_t.z}, dT = -T_t * e_r;
      const Vec3 b = cross(T, e_r), db = cross(dT, e_r) + cross(T, e_t);
      for (const Node& rho : gauss(10, 0.0, r)) {
        for (int k = 0; k < 16; ++k) {  // the trapezoidal rule is exact for low harmonics
          const double c = std::cos(kPi * k / 8), s = std::sin(kPi * k / 8);
          const Vec3 x = Vec3{0.5 * L * t.x / a, 0, 0} + (R + rho.x * c) * e_r + rho.x * s * b;
          const Vec3 x_t = Vec3{0.5 * L / a, 0, 0} + (R + rho.x * c) * e_t + rho.x * s * db;
          const Vec3 x_rho = c * e_r + s * b, x_f = -rho.x * s * e_r + rho.x * c * b;
          const double w = t.w * rho.w * (kPi / 8) * std::abs(dot(x_t, cross(x_rho, x_f)));
          sum += {w, w * x, w * outer(x)};
        }
      }
    }
  }
  expect_equal("spring", {R, r, L, windings}, sum);
}

}  // namespace
}  // namespace carom
