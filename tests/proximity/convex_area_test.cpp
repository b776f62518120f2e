// Areas of convex bodies over each other's edges, in any pose: against sums over a fine grid of
// lines along the normal, and without steps where one way to integrate takes over from another.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "carom/geometry/shape.h"
#include "carom/math/rotation.h"
#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/area/line_exit.h"
#include "carom/proximity/shape_piece.h"
#include "proximity/sunk_bodies.h"

namespace carom {
namespace {

using area_tests::random_rotation;
using area_tests::sharp;

struct Bodies {
  Shape a, b;
  Pose X_WA, X_WB;
  Contact contact() const { return distance(a.core, X_WA, b.core, X_WB); }
  /// B along z, until the two are `depth` deep.
  void sink(double depth) {
    double low = -1.0, high = 1.0;
    for (int i = 0; i < 60; ++i) {
      X_WB.p.z = 0.5 * (low + high);
      (contact().phi < -depth ? low : high) = X_WB.p.z;
      if (X_WB.p.z < 0.0) low = X_WB.p.z;  // from above
    }
  }
};

AreaPatch area_of(const Bodies& s) {
  const ShapePiece a = make_piece(s.a.core, false), b = make_piece(s.b.core, false);
  AreaPatch out;
  find_area({a.core, s.X_WA, a.centre, a.reach}, {b.core, s.X_WB, b.centre, b.reach}, s.contact(),
            8, out);
  return out;
}

/// How deep the two are along n at x, y in the plane across it; 0 where they are not.
class Depths {
 public:
  explicit Depths(const Bodies& s) : s_(s), c_(s.contact()) {
    e1_ = any_perpendicular(c_.n_AB_W), e2_ = cross(c_.n_AB_W, e1_);
  }
  double at(double x, double y) const {
    const Vec3 p = 0.5 * (c_.p_WCa + c_.p_WCb) + x * e1_ + y * e2_;
    LineExit a, b;
    if (!leave(s_.a, s_.X_WA, p, c_.n_AB_W, a) || !leave(s_.b, s_.X_WB, p, -c_.n_AB_W, b)) return 0;
    return std::max(0.0, a.t + b.t);
  }
  /// Half the side of a square around all of it.
  double half_side() const {
    constexpr int kPlaces = 400;
    double half = 1e-6;
    for (; half < 1.0; half *= 1.3) {
      double most = 0.0;
      for (int i = 0; i <= kPlaces; ++i) {
        const double t = half * (2.0 * i / kPlaces - 1.0);
        most = std::max({most, at(t, half), at(t, -half), at(half, t), at(-half, t)});
      }
      if (most == 0.0) break;
    }
    return half;
  }

 private:
  static bool leave(const Shape& s, const Pose& X, const Vec3& p, const Vec3& n, LineExit& out) {
    return find_exit(s.core, transpose_times(X.R, p - X.p), transpose_times(X.R, n), out);
  }
  const Bodies& s_;
  Contact c_;
  Vec3 e1_, e2_;
};

double volume_by_grid(const Bodies& s, int cells) {
  const Depths depths(s);
  const double half = depths.half_side(), cell = 2.0 * half / cells;
  double sum = 0.0;
  for (int i = 0; i < cells; ++i) {
    for (int k = 0; k < cells; ++k) {
      sum += depths.at((i + 0.5) * cell - half, (k + 0.5) * cell - half);
    }
  }
  return sum * cell * cell;
}

TEST(ConvexArea, IsTheSumOverAGridOverEdgesAndCorners) {
  std::mt19937 random(57);
  std::uniform_real_distribution<double> share(-1.0, 1.0);
  const std::vector<Shape> shapes = {
      sharp("box", {0.1, 0.08, 0.05}),  sharp("cylinder", {0.03, 0.1}),
      sharp("cylinder", {0.05, 0.01}),  sharp("cone", {0.04, 0.09, 0.015}),
      sharp("cone", {0.04, 0.09, 0.0}), sharp("beam", {0.1, 0.04, 0.02}),
      sharp("sphere", {0.04}),          sharp("ellipsoid", {0.06, 0.04, 0.03}),
      sharp("capsule", {0.02, 0.08}),
  };
  constexpr double kMost = 1e-3;  // as stated
  int sharpest = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Bodies s{shapes[random() % shapes.size()], shapes[random() % shapes.size()], {}, {}};
    const bool is_upright = trial % 2 == 0;  // nearly flat, over the rim of A
    s.X_WA.R = is_upright ? rotation_x(0.5 * M_PI * static_cast<int>(random() % 2))
                          : random_rotation(random);
    s.X_WB = {random_rotation(random), {0.04 * share(random), 0.04 * share(random), 0.0}};
    if (is_upright) s.X_WB.R = rotation_y(0.5 * M_PI + 0.1 * share(random)) * rotation_x(0.02);
    s.sink(5e-4 * std::pow(10.0, 1.5 * share(random) - 1.0));
    if (!(s.contact().phi < 0.0)) continue;
    // What the grid knows: thin patches and walls cost it more.
    const double coarse = volume_by_grid(s, 300), expected = volume_by_grid(s, 700);
    const double known = 2.0 * std::abs(expected - coarse);
    EXPECT_NEAR(area_of(s).volume, expected, kMost * expected + known)
        << s.a.kind->name << " " << s.b.kind->name << " " << trial;
    sharpest += known < kMost * expected;
  }
  EXPECT_GT(sharpest, 25);
}

TEST(ConvexArea, ByRaysIsTheAreaAlongLinesOverEdgesOfAFace) {
  // Two ways to the same area; edges and corners of the face run across ends and sides.
  std::mt19937 random(91);
  std::uniform_real_distribution<double> share(-1.0, 1.0);
  const Shape table = sharp("box", {0.1, 0.08, 0.05});
  const std::vector<Shape> shapes = {
      sharp("cylinder", {0.03, 0.1}), sharp("cylinder", {0.05, 0.01}),
      sharp("cone", {0.04, 0.09, 0.015}), sharp("beam", {0.1, 0.04, 0.02})};
  int count = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    Bodies s{table, shapes[static_cast<std::size_t>(trial) % shapes.size()], {}, {}};
    s.X_WB.R = to_matrix(quat_exp(0.1 * Vec3{share(random), share(random), share(random)})) *
               rotation_y(0.5 * M_PI * static_cast<int>(random() % 2));
    s.X_WB.p = {0.06 * share(random), 0.05 * share(random), 0.0};
    s.sink(1e-4 * std::pow(10.0, share(random)));
    const Contact contact = s.contact();
    if (!(contact.phi < 0.0)) continue;
    const ShapePiece a = make_piece(s.a.core, false), b = make_piece(s.b.core, false);
    const AreaBody A{a.core, s.X_WA, a.centre, a.reach}, B{b.core, s.X_WB, b.centre, b.reach};
    AreaPatch lines, rays;
    if (!integrate_ruled(A, B, contact, 8, lines)) continue;
    integrate_convex(A, B, contact, 8, rays);
    EXPECT_NEAR(lines.volume, rays.volume, 1e-3 * rays.volume) << trial;
    ++count;
  }
  EXPECT_GT(count, 300);
}

TEST(ConvexArea, StepsNowhereOnTheWayOverAnEdge) {
  // A can, a pill and a ball on a box, from where they are over its face with all of themselves to
  // where half of them hangs over: half spaces, faces with edges and rays take turns.
  constexpr int kPoses = 300;
  const Shape table = sharp("box", {0.4, 0.6, 0.1});
  for (const Shape& body :
       {sharp("cylinder", {0.03, 0.1}), sharp("capsule", {0.02, 0.08}), sharp("sphere", {0.04})}) {
    for (const double turn : {0.0, 0.3}) {
      Bodies s{table, body, {}, {}};
      s.X_WB.R = rotation_z(turn);
      s.X_WB.p.y = 0.02;
      double before = 0.0, last = 0.0, most = 0.0;
      for (int i = 0; i < kPoses; ++i) {
        s.X_WB.p.x = 0.1 + 0.1 * i / (kPoses - 1);
        s.X_WB.p.z = 0.05 + extent(body.core, {0, 0, 1}) - 2e-4;
        const double volume = area_of(s).volume;
        if (i > 1) most = std::max(most, std::abs(volume - 2.0 * last + before) / volume);
        before = last, last = volume;
      }
      // What the way itself bends by, over a ball and over the round end of a pill.
      EXPECT_LT(most, 2e-2) << body.kind->name << " " << turn;
    }
  }
}

}  // namespace
}  // namespace carom
