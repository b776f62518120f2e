// Areas of contact against volumes in closed form, against the surface integral of the part of a
// mesh that is below a plane, and against sums over a fine grid.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "carom/geometry/shape.h"
#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/area/depth_field.h"
#include "carom/proximity/area/line_exit.h"
#include "carom/proximity/shape_piece.h"
#include "proximity/sunk_bodies.h"

namespace carom {
namespace {

using area_tests::random_rotation;
using area_tests::sharp;
using area_tests::sunk;

constexpr double kPi = std::numbers::pi;

struct Pair {
  Shape a, b;
  Pose X_WA, X_WB;

  Contact contact() const { return distance(a.core, X_WA, b.core, X_WB); }
  AreaPatch area(int order = 8) const {
    const ShapePiece pa = make_piece(a.core, false), pb = make_piece(b.core, false);
    AreaPatch out;
    find_area({pa.core, X_WA, pa.centre, pa.reach}, {pb.core, X_WB, pb.centre, pb.reach}, contact(),
              order, out);
    return out;
  }
};

Pair on_plane(Shape b, const Pose& X_WB) {
  return {sharp("half_space", {}), std::move(b), {}, X_WB};
}

/// Of what the underside of a mesh displaces below z = 0: the integral of z n_z over the part of it
/// that faces down and is there.
double volume_below(const TriangleMesh& mesh, const Pose& X) {
  double sum = 0.0;
  for (const auto& t : mesh.triangles) {
    std::vector<Vec3> in{X * mesh.vertices[t[0]], X * mesh.vertices[t[1]], X * mesh.vertices[t[2]]};
    std::vector<Vec3> cut;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 &p = in[i], &q = in[(i + 1) % 3];
      if (p.z <= 0.0) cut.push_back(p);
      if ((p.z < 0.0) != (q.z < 0.0)) cut.push_back(p + (p.z / (p.z - q.z)) * (q - p));
    }
    for (std::size_t i = 2; i < cut.size(); ++i) {
      const double twice = cross(cut[i - 1] - cut[0], cut[i] - cut[0]).z;
      if (twice < 0.0) sum += 0.5 * twice * (cut[0].z + cut[i - 1].z + cut[i].z) / 3.0;
    }
  }
  return sum;
}

double relative(double value, double expected) { return std::abs(value / expected - 1.0); }

TEST(ContactArea, OfABallOnAPlaneIsTheCap) {
  const double R = 0.05;
  for (const double share : {1e-9, 1e-6, 1e-3, 0.1, 0.5}) {
    const double d = share * R;
    const Pair pair = on_plane(sharp("sphere", {R}), {{}, {0.3, 0.1, R - d}});
    const AreaPatch area = pair.area();
    EXPECT_LT(relative(area.volume, kPi * d * d * (R - d / 3.0)), share < 0.2 ? 1e-6 : 1e-5)
        << share;
    EXPECT_LT(relative(area.area, kPi * d * (2.0 * R - d)), 1e-7) << share;
  }
}

TEST(ContactArea, OfTwoBallsIsTheLens) {
  const double R = 0.05, r = 0.02;
  for (const double share : {1e-6, 1e-3, 0.1, 0.4}) {
    const double d = share * r, D = R + r - d;
    const double lens =
        kPi * d * d * (D * D + 2.0 * D * (r + R) - 3.0 * (r - R) * (r - R)) / (12.0 * D);
    const Vec3 way = normalized(Vec3{1.0, 2.0, -0.5});
    const Pair pair{sharp("sphere", {R}),
                    sharp("sphere", {r}),
                    {{}, {0.1, 0.2, 0.3}},
                    {{}, Vec3{0.1, 0.2, 0.3} + D * way}};
    EXPECT_LT(relative(pair.area().volume, lens), share < 0.2 ? 1e-6 : 1e-5) << share;
  }
}

TEST(ContactArea, OfAnEllipsoidOnAPlaneIsTheCapOfABallStretched) {
  std::mt19937 random(20);
  const Vec3 a{0.06, 0.03, 0.045};
  const Shape body = sharp("ellipsoid", {a.x, a.y, a.z});
  for (int trial = 0; trial < 100; ++trial) {
    const Mat3 R = random_rotation(random);
    const double h = extent(body.core, transpose_times(R, Vec3{0, 0, -1}));
    const double d = h * std::pow(10.0, -6.0 + 5.0 * trial / 99.0);
    const double cap = d / h;  // of a ball of radius 1
    const double volume = a.x * a.y * a.z * kPi * cap * cap * (1.0 - cap / 3.0);
    EXPECT_LT(relative(on_plane(body, sunk(body, R, d)).area().volume, volume), 1e-6) << trial;
  }
}

TEST(ContactArea, OfBodiesWithFacesIsWhatTheMeshIsBelowThePlane) {
  std::mt19937 random(21);
  const Shape bodies[] = {sharp("box", {0.1, 0.06, 0.04}),
                          sharp("tetrahedron", {0, 0, 0, 0.1, 0, 0, 0, 0.08, 0, 0.02, 0.03, 0.09})};
  for (const Shape& body : bodies) {
    const TriangleMesh mesh = tessellate(body);
    for (int trial = 0; trial < 300; ++trial) {
      const Pose X =
          sunk(body, random_rotation(random), 0.03 * std::pow(10.0, -4.0 * (trial % 10) / 9.0));
      EXPECT_LT(relative(on_plane(body, X).area().volume, volume_below(mesh, X)), 1e-9)
          << body.kind->name << " " << trial;
    }
  }
}

TEST(ContactArea, OfRoundBodiesWithEdgesIsWhatTheMeshIsBelowThePlane) {
  std::mt19937 random(22);
  // Lines meet the edge of a cylinder once; those of a cone's small end and of a capsule, where the
  // round side begins, cross a kink of slope or curvature. The mesh itself lies 2e-4 inside.
  struct Case {
    Shape body;
    double most;
  };
  const Case cases[] = {{sharp("cylinder", {0.03, 0.1}), 2e-3},
                        {sharp("cone", {0.04, 0.09, 0.015}), 2e-2},
                        {sharp("capsule", {0.02, 0.08}), 2e-2}};
  for (const auto& [body, most] : cases) {
    const TriangleMesh mesh = tessellate(body, 360);
    for (int trial = 0; trial < 25; ++trial) {
      const Pose X =
          sunk(body, random_rotation(random), 0.01 * std::pow(10.0, -1.0 * (trial % 10) / 9.0));
      EXPECT_LT(relative(on_plane(body, X).area().volume, volume_below(mesh, X)), most)
          << body.kind->name << " " << trial;
    }
  }
}

TEST(ContactArea, TurnsAndSinksWithoutJumps) {
  // A cylinder from lying to standing, slowly at both ends, where a line or a face becomes a
  // corner: the slope of the volume changes little from step to step; a quadrature that changed its
  // mind would jump.
  const Shape body = sharp("cylinder", {0.03, 0.1});
  const int steps = 300;
  double before = 0.0, last_change = 0.0;
  for (int i = 0; i <= steps; ++i) {
    const double way = 1.0 * i / steps;
    const double angle = 0.5 * kPi * way * way * (3.0 - 2.0 * way);
    const Mat3 R = rotation_y(angle) * rotation_x(0.2);
    const double volume = on_plane(body, sunk(body, R, 1e-3)).area(6).volume;
    const double change = volume - before;
    if (i > 1) {
      EXPECT_LT(std::abs(change - last_change), 0.05 * volume) << i;
    }
    before = volume, last_change = change;
  }
}

TEST(ContactArea, OfStandingAndLyingCylindersHasClosedForms) {
  const double r = 0.03, L = 0.1, d = 1e-3;
  const Shape body = sharp("cylinder", {r, L});
  const Mat3 upright = to_matrix(Quat{std::sqrt(0.5), 0.0, std::sqrt(0.5), 0.0});
  for (const int order : {6, 8}) {
    const AreaPatch standing = on_plane(body, {upright, {0, 0, 0.5 * L - d}}).area(order);
    EXPECT_LT(relative(standing.volume, kPi * r * r * d), 1e-6);
    const double half = std::acos(1.0 - d / r);
    const double segment = r * r * (half - std::sin(half) * std::cos(half));
    const AreaPatch lying = on_plane(body, {{}, {0, 0, r - d}}).area(order);
    EXPECT_LT(relative(lying.volume, L * segment), order == 8 ? 1e-6 : 1e-4);
    EXPECT_LT(relative(lying.area, L * 2.0 * r * std::sin(half)), 1e-4);
  }
}

TEST(ContactArea, OfBoxesOnBoxesIsTheirOverlap) {
  const double d = 1e-3;
  const Shape plate = sharp("box", {1, 1, 0.1}), cube = sharp("box", {0.2, 0.2, 0.2});
  // A corner of the cube reaches over the border of the plate: three quarters of it carry.
  const Pair pair{plate, cube, {{}, {0, 0, -0.05}}, {{}, {0.45, 0.1, 0.1 - d}}};
  const AreaPatch area = pair.area();
  EXPECT_LT(relative(area.volume, 0.15 * 0.2 * d), 1e-12);
  EXPECT_LT(relative(area.area, 0.15 * 0.2), 1e-12);
}

}  // namespace
}  // namespace carom
