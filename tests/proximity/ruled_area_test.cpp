// Areas of cylinders, cones and beams on flat faces: against the part of their meshes that is below
// the plane, extrapolated to infinitely many corners, and against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "carom/geometry/shape.h"
#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/shape_piece.h"
#include "proximity/sunk_bodies.h"

namespace carom {
namespace {

using area_tests::random_rotation;
using area_tests::sharp;
using area_tests::sunk;

constexpr double kPi = std::numbers::pi;

AreaPatch area_of(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                  int order = 8) {
  const ShapePiece pa = make_piece(a.core, false), pb = make_piece(b.core, false);
  AreaPatch out;
  find_area({pa.core, X_WA, pa.centre, pa.reach}, {pb.core, X_WB, pb.centre, pb.reach},
            distance(a.core, X_WA, b.core, X_WB), order, out);
  return out;
}

/// Integrals of 1, u, x u and y u over what faces down below z = 0.
struct Moments {
  double area = 0.0, volume = 0.0, x = 0.0, y = 0.0;
};

Moments operator+(const Moments& a, const Moments& b) {
  return {a.area + b.area, a.volume + b.volume, a.x + b.x, a.y + b.y};
}
Moments operator*(double s, const Moments& a) {
  return {s * a.area, s * a.volume, s * a.x, s * a.y};
}

Moments of_mesh(const TriangleMesh& mesh, const Pose& X) {
  Moments sum;
  for (const auto& t : mesh.triangles) {
    std::vector<Vec3> in{X * mesh.vertices[t[0]], X * mesh.vertices[t[1]], X * mesh.vertices[t[2]]};
    std::vector<Vec3> cut;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 &p = in[i], &q = in[(i + 1) % 3];
      if (p.z <= 0.0) cut.push_back(p);
      if ((p.z < 0.0) != (q.z < 0.0)) cut.push_back(p + (p.z / (p.z - q.z)) * (q - p));
    }
    for (std::size_t i = 2; i < cut.size(); ++i) {
      const Vec3 &a = cut[0], &b = cut[i - 1], &c = cut[i];
      const double area = -0.5 * cross(b - a, c - a).z;
      if (!(area > 0.0)) continue;
      const Vec3 all = a + b + c;
      const auto product = [&](std::size_t k) {
        return -area / 12.0 * (all[k] * all.z + a[k] * a.z + b[k] * b.z + c[k] * c.z);
      };
      sum = sum + Moments{area, -area / 3.0 * all.z, product(0), product(1)};
    }
  }
  return sum;
}

Moments of_patch(const AreaPatch& patch) {
  Moments sum;
  for (std::size_t i = 0; i < static_cast<std::size_t>(patch.count); ++i) {
    const AreaPoint& p = patch.points[i];
    sum = sum + p.area * Moments{1.0, p.u, p.u * p.p_W.x, p.u * p.p_W.y};
  }
  return sum;
}

TEST(RuledArea, IsWhatTheMeshIsBelowThePlane) {
  // A mesh of n corners errs as 1/n² and next as 1/n⁴, away from the corners that the plane passes.
  std::mt19937 random(71);
  // A plane that cuts a cone along a hyperbola leaves Gauss's points an error.
  struct Case {
    Shape body;
    double most, most_area;
  };
  const Case cases[] = {{sharp("cylinder", {0.03, 0.1}), 3e-5, 2e-4},
                        {sharp("cylinder", {0.05, 0.01}), 3e-5, 2e-4},
                        {sharp("cone", {0.04, 0.09, 0.015}), 2e-4, 2e-3},
                        {sharp("cone", {0.04, 0.09, 0.0}), 2e-4, 2e-3},
                        {sharp("beam", {0.1, 0.04, 0.02}), 3e-5, 2e-4}};
  const Shape plane = sharp("half_space", {});
  for (const auto& [body, most, most_area] : cases) {
    const TriangleMesh coarse = tessellate(body, 600), fine = tessellate(body, 1200);
    for (int trial = 0; trial < 40; ++trial) {
      const Mat3 R = random_rotation(random);
      const double depth = 0.008 * std::pow(10.0, -2.0 * (trial % 10) / 9.0);
      const Pose X = sunk(body, R, depth);
      const Moments expected = (4.0 / 3.0) * of_mesh(fine, X) + (-1.0 / 3.0) * of_mesh(coarse, X);
      const Moments found = of_patch(area_of(plane, {}, body, X));
      const double size = 0.1 * expected.volume;
      EXPECT_NEAR(found.volume, expected.volume, most * expected.volume)
          << body.kind->name << " " << trial;
      EXPECT_NEAR(found.area, expected.area, most_area * expected.area) << body.kind->name << trial;
      EXPECT_NEAR(found.x, expected.x, most * size) << body.kind->name << " " << trial;
      EXPECT_NEAR(found.y, expected.y, most * size) << body.kind->name << " " << trial;
    }
  }
}

/// Of a disc of radius r, d deep at its lowest point and tilted by `tilt`, by halves of angles:
/// below a plane is a segment with half the angle a; U = u_c + g r cos.
Moments of_tilted_face(double r, double d, double tilt) {
  const double g = std::sin(tilt), middle = d - g * r;
  const double a = middle >= g * r ? kPi : std::acos(-middle / (g * r));
  const double sector = r * r * (a - std::sin(a) * std::cos(a));
  const double lever = 2.0 / 3.0 * std::pow(r * std::sin(a), 3);
  const double second = 0.25 * std::pow(r, 4) * (a - 0.25 * std::sin(4.0 * a));
  const double c = std::cos(tilt);
  return {c * sector, c * (middle * sector + g * lever), c * c * (middle * lever + g * second), 0};
}

TEST(RuledArea, OfAFaceTiltedByLittleHasAClosedForm) {
  // The side adds the square of the tilt.
  const double r = 0.05, L = 0.02;
  const Shape body = sharp("cylinder", {r, L}), plane = sharp("half_space", {});
  for (const double tilt : {1e-9, 1e-7, 1e-6, 1e-5, 1e-4}) {
    for (const double share : {0.01, 0.5, 1.0, 1.9, 1.999999, 2.0, 2.000001, 2.1, 20.0}) {
      const double d = share * r * tilt;
      const Mat3 R = rotation_y(0.5 * kPi + tilt);
      const Pose X{R, {0.0, 0.0, 0.5 * L * std::cos(tilt) + r * std::sin(tilt) - d}};
      const Moments expected = of_tilted_face(r, d, tilt);
      for (const int order : {6, 8}) {
        const Moments found = of_patch(area_of(plane, {}, body, X, order));
        const double most = (order == 8 ? 1e-9 : 1e-6) + 2.0 * tilt * tilt + 1e-15 / d;
        EXPECT_NEAR(found.volume / expected.volume, 1.0, most) << tilt << " " << share;
        EXPECT_NEAR(found.area / expected.area, 1.0, std::sqrt(most) * 1e-2 + most)
            << tilt << " " << share;
      }
    }
  }
}

TEST(RuledArea, OfADiscOverTheEdgeOfABoxIsTheSegmentOnIt) {
  const double r = 0.05, L = 0.02, d = 1e-4;
  const Shape body = sharp("cylinder", {r, L}), table = sharp("box", {0.4, 0.6, 0.1});
  for (const double beyond : {-0.06, -0.04, -0.01, 0.0, 0.02, 0.045}) {
    // The middle of the disc is `beyond` outside of the edge x = 0.2.
    const Pose X{rotation_y(0.5 * kPi), {0.2 + beyond, 0.1, 0.05 + 0.5 * L - d}};
    const double half = beyond <= -r ? kPi : std::acos(beyond / r);
    const double segment = r * r * (half - std::sin(half) * std::cos(half));
    const Moments found = of_patch(area_of(table, {}, body, X));
    EXPECT_NEAR(found.area / segment, 1.0, 1e-9) << beyond;
    EXPECT_NEAR(found.volume / (d * segment), 1.0, 1e-9) << beyond;
  }
}

TEST(RuledArea, ChangesAsSmoothlyAsThePose) {
  // Second differences of the volume, over the tilts at which the plane begins to cut the face:
  // those of a quadrature that changed its mind would not fall with the square of the step.
  const double r = 0.05, L = 0.02, d = 1e-5;
  const Shape plane = sharp("half_space", {});
  for (const Shape& body : {sharp("cylinder", {r, L}), sharp("beam", {0.06, 2.0 * r, L})}) {
    const bool is_beam = body.kind == find_shape_kind("beam");
    const double reach = is_beam ? r + 0.03 : r;
    double before = 0.0, last = 0.0;
    for (int i = 0; i <= 400; ++i) {
      const double tilt = d / (2.0 * reach) * (0.98 + 1e-4 * i);
      const Mat3 R = is_beam ? rotation_y(tilt) : rotation_y(0.5 * kPi + tilt);
      const Pose X{R, {0.0, 0.0, 0.5 * L * std::cos(tilt) + reach * std::sin(tilt) - d}};
      const double volume = area_of(plane, {}, body, X).volume;
      const double change = volume - before;
      if (i > 1) {
        EXPECT_LT(std::abs(change - last), 1e-8 * volume) << body.kind->name << i;
      }
      before = volume, last = change;
    }
  }
}

}  // namespace
}  // namespace carom
