// Force and moment of an elastic contact against differences of its energy, and the stiffness of
// punch, line and ball against theory.
#include "carom/contact/contact_springs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "geometry/example_shapes.h"

namespace carom {
namespace {

constexpr double kPi = std::numbers::pi;
const Vec3 kUp{0, 0, 1};

Shape shape_of(const char* kind, std::vector<double> params, double edge_radius) {
  ShapeInput input;
  input.kind = find_shape_kind(kind);
  input.params = std::move(params);
  input.edge_radius = edge_radius;
  return make_shape(input);
}

ContactSprings on_ground(const SpringBody& body, const Pose& X_WS, double modulus = 1.0) {
  ContactSprings out;
  springs_on_plane(body, X_WS, kUp, {}, modulus, out);
  return out;
}

/// The body moved by d and turned by r, both in the world, r about the origin of the body.
Pose moved(const Pose& X, const Vec3& d, const Vec3& r) {
  return {to_matrix(quat_exp(r)) * X.R, X.p + d};
}

/// Puts the lowest point of the rounded core `depth` below the ground.
Pose lowered(const Core& core, const Mat3& R, double depth) {
  return {R, {0.1, -0.2, extent(core, -transpose_times(R, kUp)) - depth}};
}

/// A rotation after which the outward direction m of the body points down, nearly so by `tilt`.
Mat3 facing_down(const Vec3& m, double tilt, std::mt19937& gen) {
  const Mat3 down = transpose(frame_with_z(-normalized(m)));
  const Mat3 turn = rotation_z(6.3 * std::uniform_real_distribution<double>()(gen));
  const double azimuth = 6.3 * std::uniform_real_distribution<double>()(gen);
  return turn * axis_angle({std::cos(azimuth), std::sin(azimuth), 0.0}, tilt) * down;
}

double number(std::mt19937& gen, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(gen);
}

/// Directions in which a body has faces, edges and rulings, or any.
Vec3 direction_of(const SpringBody& body, std::mt19937& gen) {
  const int kind = static_cast<int>(gen() % 3);
  if (kind == 0 && !body.faces.empty()) return body.faces[gen() % body.faces.size()].normal;
  const Vec3 any = random_direction(gen);
  const Vec3 along = !body.edges.empty() ? body.edges[gen() % body.edges.size()].along
                     : !body.rulings.empty()
                         ? normalized(body.rulings[0].centre[1] - body.rulings[0].centre[0])
                         : Vec3{};
  return kind == 1 ? normalized(any - dot(any, along) * along) : any;
}

TEST(ContactSprings, OfEveryShapeAreTheGradientOfTheirEnergy) {
  std::mt19937 gen(20260801);
  int tried = 0;
  for (const NamedShape& s : example_shapes()) {
    const SpringBody body = make_spring_body(s.shape.core);
    if (!body.is_known()) continue;
    const double size = bounding_radius(s.shape.core);
    if (!(size > 0.0)) continue;
    for (int k = 0; k < 200; ++k) {
      const double tilt = k % 4 == 0 ? 0.0 : std::pow(10.0, number(gen, -6, 0));
      const Mat3 R = facing_down(direction_of(body, gen), tilt, gen);
      const double depth = size * std::pow(10.0, number(gen, -5, -1));
      const Pose X = lowered(s.shape.core, R, depth);
      const ContactSprings f = on_ground(body, X);
      ASSERT_GT(f.energy, 0.0) << s.name << " " << tilt;
      // Steps far below depth and tilt; differences of U are then right to about 1e-6 of F depth.
      const double step = 1e-4 * depth, turn = step / size;
      Vec3 force, torque;
      for (std::size_t i = 0; i < 3; ++i) {
        Vec3 e;
        e[i] = 1.0;
        const auto slope = [&](const Vec3& d, const Vec3& r, double h) {
          return (on_ground(body, moved(X, h * d, h * r)).energy -
                  on_ground(body, moved(X, -h * d, -h * r)).energy) /
                 (2.0 * h);
        };
        force[i] = -slope(e, {}, step), torque[i] = -slope({}, e, turn);
      }
      const double scale = norm(f.force_W);
      EXPECT_LT(norm(force - f.force_W), 1e-4 * scale) << s.name << " tilt " << tilt;
      EXPECT_LT(norm(torque - f.torque_W), 1e-4 * scale * size + 2e-3 * norm(f.torque_W))
          << s.name << " tilt " << tilt << " depth " << depth << " of " << size;
      double sum = 0.0;
      for (int i = 0; i < f.count; ++i) sum += f.points[static_cast<std::size_t>(i)].force;
      EXPECT_NEAR(sum, scale, 1e-9 * scale) << s.name;
      ++tried;
    }
  }
  EXPECT_GT(tried, 3000);
}

/// Boxes, prisms and hulls on a face of a box: anywhere over it, over its borders and corners,
/// flat and tilted.
TEST(ContactSprings, OnABoundedFaceAreTheGradientOfTheirEnergy) {
  std::mt19937 gen(20260802);
  const Shape table = shape_of("box", {0.3, 0.2, 0.1}, 0.001);
  const SpringBody base = make_spring_body(table.core);
  const std::int32_t top = 5;
  ASSERT_NEAR(base.faces[top].normal.z, 1.0, 1e-15);
  int tried = 0, pressed = 0;
  for (const NamedShape& s : example_shapes()) {
    const SpringBody body = make_spring_body(s.shape.core);
    if (!body.is_faceted()) continue;
    const double size = bounding_radius(s.shape.core);
    const auto springs = [&](const Pose& X) {
      ContactSprings out;
      springs_on_face(body, X, base, {{}, {0, 0, -0.05}}, top, 1.0, out);
      return out;
    };
    for (int k = 0; k < 300; ++k) {
      const double tilt = k % 4 == 0 ? 0.0 : std::pow(10.0, number(gen, -5, 0));
      const Mat3 R = facing_down(direction_of(body, gen), tilt, gen);
      const double depth = size * std::pow(10.0, number(gen, -4, -1));
      Pose X = lowered(s.shape.core, R, depth);
      X.p.x = number(gen, -0.3, 0.3), X.p.y = number(gen, -0.3, 0.3);
      const ContactSprings f = springs(X);
      ++tried;
      if (!(f.energy > 0.0)) continue;
      ++pressed;
      const double step = 1e-4 * depth, turn = step / size;
      Vec3 force, torque;
      for (std::size_t i = 0; i < 3; ++i) {
        Vec3 e;
        e[i] = 1.0;
        const auto slope = [&](const Vec3& d, const Vec3& r, double h) {
          return (springs(moved(X, h * d, h * r)).energy -
                  springs(moved(X, -h * d, -h * r)).energy) /
                 (2.0 * h);
        };
        force[i] = -slope(e, {}, step), torque[i] = -slope({}, e, turn);
      }
      const double scale = norm(f.force_W);
      // What a piece that has just come in adds is lost in the rounding of the rest.
      const double noise = 1e-11 * size;
      EXPECT_LT(norm(force - f.force_W), 1e-3 * scale + noise)
          << s.name << " " << k << " tilt " << tilt;
      EXPECT_LT(norm(torque - f.torque_W), 1e-3 * scale * size + 2e-3 * norm(f.torque_W))
          << s.name << " " << k << " tilt " << tilt << " depth " << depth << " of " << size;
    }
  }
  EXPECT_GT(pressed, tried / 4);
}

/// An upright prism of so many sides.
Shape prism_of(int sides, double radius, double height) {
  ShapeInput input;
  input.kind = find_shape_kind("hull");
  for (int i = 0; i < 2 * sides; ++i) {
    const double angle = 2.0 * kPi * (i / 2) / sides;
    input.mesh.vertices.push_back(
        {radius * std::cos(angle), radius * std::sin(angle), i % 2 ? 0.5 * height : -0.5 * height});
  }
  input.edge_radius = 0.0;
  return make_shape(input);
}
std::int32_t top_of(const SpringBody& body) {
  for (std::size_t i = 0; i < body.faces.size(); ++i) {
    if (body.faces[i].normal.z > 0.999) return static_cast<std::int32_t>(i);
  }
  return -1;
}

// Outlines were cut off after 64 corners: what lay over the others was not felt, and came and went
// with energy from nothing.
TEST(ContactSprings, OfFacesWithHundredsOfCornersAreTheGradientOfTheirEnergy) {
  std::mt19937 gen(20260803);
  const Shape block = shape_of("box", {0.08, 0.06, 0.04}, 0.0);
  int pressed = 0;
  for (const int sides : {65, 100, 200}) {
    const Shape prism = prism_of(sides, 0.05, 0.04);
    for (const auto& [own, lender] :
         {std::pair{&block, &prism}, {&prism, &block}, {&prism, &prism}}) {
      const SpringBody body = make_spring_body(own->core), base = make_spring_body(lender->core);
      const std::int32_t top = top_of(base);
      const auto springs = [&](const Pose& X) {
        ContactSprings out;
        springs_on_face(body, X, base, {{}, {0, 0, -0.02}}, top, 1.0, out);
        return out;
      };
      for (int k = 0; k < 60; ++k) {
        const double tilt = k % 4 == 0 ? 0.0 : std::pow(10.0, number(gen, -4, 0));
        const Mat3 R = facing_down(direction_of(body, gen), tilt, gen);
        const double depth = 0.05 * std::pow(10.0, number(gen, -4, -1));
        Pose X = lowered(own->core, R, depth);
        X.p.x = number(gen, -0.07, 0.07), X.p.y = number(gen, -0.07, 0.07);
        const ContactSprings f = springs(X);
        if (!(f.energy > 0.0)) continue;
        ++pressed;
        const double step = 1e-4 * depth;
        Vec3 force;
        for (std::size_t i = 0; i < 3; ++i) {
          Vec3 e;
          e[i] = 1.0;
          force[i] =
              -(springs(moved(X, step * e, {})).energy - springs(moved(X, -step * e, {})).energy) /
              (2.0 * step);
        }
        const double scale = norm(f.force_W);
        EXPECT_LT(norm(force - f.force_W), 1e-3 * scale + 1e-12)
            << sides << " sides, " << k << ", tilt " << tilt << ", depth " << depth;
      }
    }
  }
  EXPECT_GT(pressed, 250);
}

// Laid flat, a face that is inside the other is a punch, whichever has the many corners; and the
// points at which it presses are spread evenly about its middle.
TEST(ContactSprings, OfFacesWithHundredsOfCornersAreAPunch) {
  const double d = 1e-6, E = 2e11;
  const Shape plate = shape_of("box", {0.3, 0.3, 0.04}, 0.0),
              block = shape_of("box", {0.05, 0.04, 0.04}, 0.0);
  for (const int sides : {65, 100, 200, 500}) {
    const Shape prism = prism_of(sides, 0.05, 0.04);
    const double area = 0.5 * sides * 0.05 * 0.05 * std::sin(2.0 * kPi / sides);
    for (const auto& [own, lender, punch] :
         {std::tuple{&prism, &plate, area}, {&block, &prism, 0.05 * 0.04}}) {
      const SpringBody body = make_spring_body(own->core), base = make_spring_body(lender->core);
      ContactSprings f;
      springs_on_face(body, {{}, {0, 0, 0.02 - d}}, base, {{}, {0, 0, -0.02}}, top_of(base), E, f);
      const double force = 2.0 * E * std::sqrt(punch / kPi) * d;
      EXPECT_NEAR(f.force_W.z, force, 1e-6 * force) << sides;
      Vec3 middle;
      double sum = 0.0;
      for (int i = 0; i < f.count; ++i) {
        const SpringPoint& p = f.points[static_cast<std::size_t>(i)];
        middle += p.force * p.p_W, sum += p.force;
        EXPECT_GT(std::hypot(p.p_W.x, p.p_W.y), 0.03) << sides;
      }
      EXPECT_NEAR(sum, force, 1e-6 * force) << sides;
      EXPECT_LT(norm((1.0 / sum) * Vec3{middle.x, middle.y, 0.0}), 1e-9) << sides;
    }
  }
}

TEST(ContactSprings, OfAFaceAreAPunchOfALineAndOfABallWhatTheorySays) {
  const double d = 1e-6, E = 2e11;
  const Shape box = shape_of("box", {0.1, 0.08, 0.06}, 0.0);
  const SpringBody sharp = make_spring_body(box.core);
  EXPECT_NEAR(on_ground(sharp, lowered(box.core, {}, d), E).force_W.z,
              2.0 * E * std::sqrt(0.1 * 0.08 / kPi) * d, 1e-9 * E * d);
  // On one of its long edges, between two faces.
  const Pose edge = lowered(box.core, rotation_x(0.25 * kPi), d);
  EXPECT_NEAR(on_ground(sharp, edge, E).force_W.z, 0.25 * kPi * E * 0.1 * d, 1e-4 * E * 0.1 * d);
  const Shape can = shape_of("cylinder", {0.05, 0.08}, 0.0);
  const SpringBody rims = make_spring_body(can.core);
  EXPECT_NEAR(on_ground(rims, lowered(can.core, rotation_y(0.5 * kPi), d), E).force_W.z,
              2.0 * E * 0.05 * d, 1e-9 * E * 0.05 * d);
  EXPECT_NEAR(on_ground(rims, lowered(can.core, {}, d), E).force_W.z, 0.25 * kPi * E * 0.08 * d,
              1e-9 * E * 0.08 * d);
  const Shape capsule = shape_of("capsule", {0.03, 0.08}, kDefaultEdgeRadius);
  const SpringBody rod = make_spring_body(capsule.core);
  EXPECT_NEAR(on_ground(rod, lowered(capsule.core, {}, d), E).force_W.z, 0.25 * kPi * E * 0.08 * d,
              1e-9 * E * 0.08 * d);
  const double hertz = 4.0 / 3.0 * E * std::sqrt(0.03) * std::pow(d, 1.5);
  EXPECT_NEAR(on_ground(rod, lowered(capsule.core, rotation_y(1.0), d), E).force_W.z, hertz,
              1e-9 * hertz);
}

}  // namespace
}  // namespace carom
