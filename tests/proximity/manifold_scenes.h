// Pairs of bodies in flat and conforming contact, each moving along a path that takes the
// contact through its regimes: face, edge, corner, overhang, parallel and crossed lines.
#pragma once

#include <functional>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "carom/geometry/shape.h"
#include "carom/proximity/manifold/manifold.h"

namespace carom {

inline Shape half_space() { return make_shape({.kind = find_shape_kind("half_space")}); }
inline Shape a_box(const Vec3& size, double edge_radius) {
  return make_shape({.kind = find_shape_kind("box"),
                     .params = {size.x, size.y, size.z},
                     .edge_radius = edge_radius});
}
inline Shape a_cylinder(double radius, double length, double edge_radius) {
  return make_shape({.kind = find_shape_kind("cylinder"),
                     .params = {radius, length},
                     .edge_radius = edge_radius});
}
inline Shape a_hull(const std::vector<Vec3>& points, double edge_radius = 0.0) {
  ShapeInput input{.kind = find_shape_kind("hull"), .edge_radius = edge_radius};
  input.mesh.vertices = points;
  return make_shape(input);
}

inline std::span<const ManifoldPoint> points(const Manifold& m) {
  return {m.points.data(), static_cast<std::size_t>(m.count)};
}

inline Manifold manifold_of(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                            double tilt = kDefaultTilt) {
  Manifold m;
  const Contact c = distance(a.core, X_WA, b.core, X_WB);
  find_manifold(a.core, X_WA, b.core, X_WB, c, tilt, m);
  return m;
}

/// Force and moment about the world's origin of one-sided springs of total stiffness 1 on B.
struct Spring {
  Vec3 force, moment;
};
inline Spring spring_of(const Manifold& m) {
  Spring out;
  for (const ManifoldPoint& p : points(m)) {
    const Vec3 f = p.weight * std::max(0.0, -p.phi) * m.n_AB_W;
    out.force += f;
    out.moment += cross(p.p_WC, f);
  }
  return out;
}

inline Vec3 centre_of_pressure_of_equal_springs(const Manifold& m) {
  Vec3 sum;
  for (const ManifoldPoint& p : points(m)) sum += p.weight * p.p_WC;
  return sum;
}

struct Placed {
  Pose X_WA, X_WB;
};

/// Poses for x in 0..1. B is moved along the normal so that phi is -depth throughout.
struct Scene {
  std::string name;
  Shape a, b;
  std::function<Pose(double x)> path;  ///< of B, near contact
  double depth = 2e-5;

  Placed place(double x) const {
    Placed p{{}, path(x)};
    for (int k = 0; k < 2; ++k) {
      const Contact c = distance(a.core, p.X_WA, b.core, p.X_WB);
      p.X_WB.p -= (c.phi + depth) * c.n_AB_W;
    }
    return p;
  }
};

inline std::vector<Scene> scenes() {
  constexpr double pi = std::numbers::pi;
  const Mat3 upright = rotation_y(0.5 * pi);
  const Shape ground = half_space(), table = a_box({0.5, 0.4, 0.1}, 1e-3);
  const Shape box = a_box({0.2, 0.15, 0.1}, 1e-3), can = a_cylinder(0.05, 0.2, 1e-3);
  const Shape capsule = make_shape({.kind = find_shape_kind("capsule"), .params = {0.03, 0.2}});
  const Shape cone = make_shape(
      {.kind = find_shape_kind("cone"), .params = {0.08, 0.2, 0.02}, .edge_radius = 1e-3});
  const Shape beam = make_shape({.kind = find_shape_kind("beam"), .params = {0.2, 0.06, 0.04}});
  const Shape gem = a_hull({{0.1, 0, 0},
                            {0.03, 0.09, 0},
                            {-0.08, 0.05, 0},
                            {-0.07, -0.06, 0},
                            {0.04, -0.08, 0},
                            {0, 0, 0.1}},
                           1e-3);
  const Shape wedge = a_hull({{0.1, 0.06, 0},
                              {-0.1, 0.06, 0},
                              {-0.1, -0.06, 0},
                              {0.1, -0.06, 0},
                              {0.05, 0, 0.1},
                              {-0.05, 0, 0.1}},
                             1e-3);
  const auto about = [](const Vec3& axis, double angle) {
    return axis_angle(normalized(axis), angle);
  };
  const auto slope = [](double x) { return 6e-3 * (x - 0.3); };
  return {
      {"box from face to edge", ground, box,
       [=](double x) {
         return Pose{about({0, 1, 0}, slope(x)), {0, 0, 0.05}};
       }},
      {"box from face to corner", ground, box,
       [=](double x) {
         return Pose{about({1, 0.7, 0}, slope(x)), {0, 0, 0.05}};
       }},
      {"box from edge to corner", ground, box,
       [=](double x) {
         return Pose{about({1, 0, 0}, slope(x)) * about({0, 1, 0}, 0.5), {0, 0, 0.1}};
       }},
      {"box past the middle of an edge", ground, box,
       [=](double x) {
         return Pose{about({0, 1, 0}, 0.25 * pi + slope(x)), {0, 0, 0.1}};
       }},
      {"box turning on a box", table, box,
       [=](double x) {
         return Pose{rotation_z(pi * (x - 0.5)), {0.2, 0.14, 0.1}};
       }},
      {"equal boxes turning", box, box,
       [=](double x) {
         return Pose{rotation_z(0.02 * (x - 0.5)), {0.0, 0.0, 0.1}};
       }},
      {"tilted box pushed over an edge", table, box,
       [=](double x) {
         return Pose{about({0.3, 1, 0}, 4e-5) * rotation_z(0.2), {0.1 + 0.2 * x, 0, 0.1}};
       }},
      {"box rocking on an edge", table, box,
       [=](double x) {
         return Pose{about({0.2, 1, 0}, slope(x)) * rotation_z(0.1), {0.22, 0, 0.1}};
       }},
      {"can from cap to rim", ground, can,
       [=](double x) {
         return Pose{about({0.4, 1, 0}, slope(x)) * upright, {0, 0, 0.1}};
       }},
      {"can from barrel to rim", ground, can,
       [=](double x) {
         return Pose{about({0, 1, 0}, slope(x)), {0, 0, 0.05}};
       }},
      {"can pushed over an edge", table, can,
       [=](double x) {
         return Pose{about({0.3, 1, 0}, 4e-5) * upright, {0.15 + 0.1 * x, 0.1, 0.15}};
       }},
      {"lying can pushed over an edge", table, can,
       [=](double x) {
         return Pose{rotation_z(0.3), {0.1 + 0.2 * x, 0.1, 0.1}};
       }},
      {"can sliding on a can", can, can,
       [=](double x) {
         return Pose{about({0.1, 1, 0.2}, 3e-5), {0.2, 0.02 + 0.07 * x, 0.01}};
       }},
      {"rods from parallel to crossed", can, can,
       [=](double x) {
         return Pose{rotation_z(0.4 * (x - 0.5)), {0.03, 0.0, 0.1}};
       }},
      {"capsule from parallel to crossed", can, capsule,
       [=](double x) {
         return Pose{rotation_z(0.4 * (x - 0.5)) * rotation_y(3e-5), {0.03, 0.0, 0.08}};
       }},
      {"capsule pushed over an edge", table, capsule,
       [=](double x) {
         return Pose{rotation_z(1.2), {0.15 + 0.15 * x, 0.1, 0.08}};
       }},
      {"capsule tilting on a can's cap", can, capsule,
       [=](double x) {
         return Pose{rotation_z(0.5 * pi + slope(x)), {0.13, 0.0, 0.01}};
       }},
      {"cone from base to rim", ground, cone,
       [=](double x) {
         return Pose{about({0.4, 1, 0}, slope(x)) * rotation_y(-0.5 * pi), {0, 0, 0.0}};
       }},
      {"cone from side to rim", table, cone,
       [=](double x) {
         const double lie = std::atan2(0.06, 0.2);
         return Pose{about({0, 1, 0}, lie + slope(x)), {0, 0, 0.13}};
       }},
      {"beam from face to edge", ground, beam,
       [=](double x) {
         return Pose{about({1, 0.3, 0}, slope(x)), {0, 0, 0.03}};
       }},
      {"hull on hull", wedge, gem,
       [=](double x) {
         return Pose{about({1, 0.5, 0}, pi + slope(x)) * rotation_z(0.4), {0.01, 0.02, 0}};
       }},
      {"edge of a hull on a box", table, wedge,
       [=](double x) {
         return Pose{about({0, 1, 0}, slope(x)) * about({1, 0, 0}, pi), {0.05, 0.03, 0.15}};
       }},
  };
}

}  // namespace carom
