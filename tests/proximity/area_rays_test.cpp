// Contact areas of surfaces by formulas: closed forms, built-in shapes, sums over grids of lines,
// and sweeps over poles, seams and valleys.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "carom/geometry/shape.h"
#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/finder.h"

namespace carom {
namespace {

Shape torus(double R, double r) {
  return make_shape({.kind = find_shape_kind("torus"), .params = {R, r}});
}
Shape egg_by_formula(double a, double b, double c) {
  ShapeInput egg{.kind = find_shape_kind("parametric")};
  egg.formulas.texts = {{"x", "a*cos(u)*cos(v)"}, {"y", "b*sin(u)*cos(v)"}, {"z", "c*sin(v)"}};
  egg.formulas.ranges = {{"u", -std::numbers::pi, std::numbers::pi},
                         {"v", -0.5 * std::numbers::pi, 0.5 * std::numbers::pi}};
  egg.formulas.with = {{"a", a}, {"b", b}, {"c", c}};
  return make_shape(std::move(egg));
}
Shape half_space() { return make_shape({.kind = find_shape_kind("half_space")}); }
Shape wave() {
  ShapeInput input{.kind = find_shape_kind("graph")};
  input.formulas.texts = {{"z", "0.1*cos(2*pi*x)"}};
  input.formulas.ranges = {{"x", -1.5, 1.5}, {"y", -1, 1}};
  return make_shape(std::move(input));
}

ShapePiece piece_of(const Shape& shape) {
  ShapePiece piece =
      shape.surface ? make_piece(*shape.surface, shape.core) : make_piece(shape.core, false);
  piece.has_area = true;
  return piece;
}

struct Touch {
  Contact contact;
  AreaPatch patch;
};
/// The area of the deepest contact.
Touch touch(const ShapePiece& a, const Pose& X_WA, const ShapePiece& b, const Pose& X_WB,
            int order = 8) {
  Touch out;
  out.contact = finder_of(a, b).find({a, X_WA}, {b, X_WB}, {}, nullptr);
  find_area({a.core, X_WA, a.centre, a.reach, a.smooth},
            {b.core, X_WB, b.centre, b.reach, b.smooth}, out.contact, order, out.patch);
  return out;
}

/// What friction makes of an area is no smooth sum: so are distances from a place within it.
double lever_about(const AreaPatch& patch, const Vec3& p) {
  double sum = 0.0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(patch.count); ++i) {
    sum += patch.points[i].area * patch.points[i].u * norm(patch.points[i].p_W - p);
  }
  return sum;
}

/// Main directions of curvatures that are alike are rounding: rays that lay along them changed such
/// a sum by 5e-4 from any pose to the next, and a ball that spun on its area took 80,000 steps for
/// 4 ms.
TEST(AreaPoints, DoNotTrembleWhereTheAreaIsRound) {
  const Shape ball = make_shape({.kind = find_shape_kind("sphere"), .params = {0.03}}),
              egg =
                  make_shape({.kind = find_shape_kind("ellipsoid"), .params = {0.04, 0.04, 0.03}}),
              capsule = make_shape({.kind = find_shape_kind("capsule"), .params = {0.03, 0.02}}),
              plane = half_space();
  const ShapePiece P = piece_of(plane);
  struct Case {
    const Shape& shape;
    Vec3 turn;
    double centre;  ///< over the plane
  };
  const Case cases[] = {{ball, {0.3, 0.2, 0.1}, 0.0285},
                        {egg, {0.0, 0.0, 0.0}, 0.0285},
                        {capsule, {0.0, 0.5 * std::numbers::pi, 0.0}, 0.0385}};
  std::mt19937_64 random(std::random_device{}());
  std::uniform_real_distribution<double> any(-1e-7, 1e-7);
  for (const Case& c : cases) {
    const ShapePiece B = piece_of(c.shape);
    double least = std::numeric_limits<double>::infinity(), most = 0.0;
    for (int i = 0; i < 100; ++i) {
      const Vec3 nudge{any(random), any(random), any(random)};
      const Pose X{to_matrix(quat_exp(nudge)) * to_matrix(quat_exp(c.turn)), {0.0, 0.0, c.centre}};
      const double lever = lever_about(touch(P, {}, B, X).patch, {0.002, 0.001, 0.0});
      least = std::min(least, lever), most = std::max(most, lever);
    }
    EXPECT_LT(most - least, 1e-5 * most);
  }
}

TEST(AreaOfFormulas, ABallByAFormulaHasTheVolumeOfItsCap) {
  const Shape ball = egg_by_formula(0.1, 0.1, 0.1), plane = half_space();
  const ShapePiece B = piece_of(ball), P = piece_of(plane);
  for (const double depth : {1e-5, 1e-3, 5e-3, 1e-2}) {
    const Pose X{to_matrix(quat_exp(Vec3{0.3, 0.4, 0.5})), {0.1, 0.2, 0.1 - depth}};
    const Touch t = touch(P, {}, B, X);
    const double cap = std::numbers::pi * depth * depth * (0.1 - depth / 3.0);
    EXPECT_NEAR(t.contact.phi, -depth, 1e-14);
    EXPECT_NEAR(t.patch.volume / cap, 1.0, 1e-6) << depth;
    EXPECT_NEAR(t.patch.area / (std::numbers::pi * depth * (0.2 - depth)), 1.0, 1e-6) << depth;
  }
}

TEST(AreaOfFormulas, AnEggByAFormulaEqualsTheEllipsoidOverPolesAndSeam) {
  const Shape egg = egg_by_formula(0.1, 0.07, 0.05), plane = half_space();
  const Shape built_in =
      make_shape({.kind = find_shape_kind("ellipsoid"), .params = {0.1, 0.07, 0.05}});
  const ShapePiece E = piece_of(egg), B = piece_of(built_in), P = piece_of(plane);
  for (int i = 0; i < 100; ++i) {
    // Rolled about x it passes both poles, about y poles and the seam.
    const double angle = 2.0 * std::numbers::pi * i / 100.0;
    const Vec3 axis = i % 2 ? Vec3{1.0, 0.0, 0.0} : Vec3{0.3, 1.0, 0.0};
    Pose X{to_matrix(quat_exp(angle * normalized(axis))), {}};
    const Vec3 down = transpose_times(X.R, Vec3{0.0, 0.0, -1.0});
    X.p.z = extent(built_in.core, down) - 1e-3;
    const Touch a = touch(P, {}, E, X), b = touch(P, {}, B, X);
    ASSERT_NEAR(a.contact.phi, -1e-3, 1e-13) << i;
    EXPECT_NEAR(a.patch.volume / b.patch.volume, 1.0, 1e-6) << i;
    EXPECT_NEAR(a.patch.area / b.patch.area, 1.0, 1e-5) << i;
  }
}

/// Volume and first moment of the overlap along n, by a grid of lines whose depths `u` gives.
struct GridSum {
  double volume = 0.0, x = 0.0, y = 0.0;
};
GridSum sum_over_grid(double half_x, double half_y,
                      const std::function<double(double, double)>& u) {
  constexpr int kLines = 160;
  GridSum sum;
  for (int i = 0; i < kLines; ++i) {
    for (int k = 0; k < kLines; ++k) {
      const double x = half_x * (2.0 * (i + 0.5) / kLines - 1.0),
                   y = half_y * (2.0 * (k + 0.5) / kLines - 1.0);
      const double v = std::max(0.0, u(x, y)) * 4.0 * half_x * half_y / (kLines * kLines);
      sum.volume += v, sum.x += v * x, sum.y += v * y;
    }
  }
  return sum;
}

/// How far the tube of a torus reaches up along d from p, by bisection of its distance function.
double reach_of_torus(double R, double r, const Vec3& p, const Vec3& d, double from, double to) {
  const auto outside = [&](double t) {
    const Vec3 q = p + t * d;
    return std::hypot(std::hypot(q.x, q.y) - R, q.z) - r;
  };
  if (outside(from) > 0.0 || outside(to) < 0.0) return -1.0;
  for (int i = 0; i < 34; ++i) {
    const double t = 0.5 * (from + to);
    (outside(t) < 0.0 ? from : to) = t;
  }
  return from;
}

TEST(AreaOfFormulas, TwoToriHaveTheVolumeOfAGridOfLines) {
  const double R = 0.1, r = 0.03;
  const Shape ring = torus(R, r);
  const ShapePiece T = piece_of(ring);
  std::mt19937 random(21);
  std::uniform_real_distribution<double> lean(-0.6, 0.6);
  for (int i = 0; i < 4; ++i) {
    // One ring stands on the tube of the other.
    const Vec3 turn{lean(random), 0.5 * std::numbers::pi + 0.3 * lean(random), lean(random)};
    Pose X{to_matrix(quat_exp(turn)), {R, 0.0, 0.19}};
    Touch t = touch(T, {}, T, X);
    ASSERT_EQ(t.contact.status, Status::ok);
    X.p -= (t.contact.phi + 2e-3) * t.contact.n_AB_W;  // 2 mm deep
    t = touch(T, {}, T, X);
    ASSERT_NEAR(t.contact.phi, -2e-3, 1e-4) << i;
    const Vec3 n = t.contact.n_AB_W, o = 0.5 * (t.contact.p_WCa + t.contact.p_WCb);
    const Vec3 e1 = any_perpendicular(n), e2 = cross(n, e1);
    const auto u = [&](double x, double y) {
      const Vec3 p = o + x * e1 + y * e2;
      const double up = reach_of_torus(R, r, p, n, -0.02, 0.02);
      const double down = reach_of_torus(R, r, transpose_times(X.R, p - X.p),
                                         transpose_times(X.R, -n), -0.02, 0.02);
      return up < -0.5 || down < -0.5 ? -1.0 : up + down;
    };
    const GridSum sum = sum_over_grid(0.035, 0.035, u);
    double volume = 0.0, mx = 0.0, my = 0.0;
    for (int k = 0; k < t.patch.count; ++k) {
      const AreaPoint& p = t.patch.points[static_cast<std::size_t>(k)];
      volume += p.u * p.area;
      mx += p.u * p.area * dot(e1, p.p_W - o), my += p.u * p.area * dot(e2, p.p_W - o);
    }
    EXPECT_NEAR(volume / sum.volume, 1.0, 1e-3) << i;
    EXPECT_NEAR(mx, sum.x, 1e-3 * sum.volume * 0.035) << i;
    EXPECT_NEAR(my, sum.y, 1e-3 * sum.volume * 0.035) << i;
  }
}

/// All contacts of a ball on a wave, as one volume and one force per stiffness.
struct Whole {
  std::size_t sites = 0;
  double volume = 0.0;
  Vec3 force;
};
Whole whole_on_wave(const ShapePiece& W, const ShapePiece& B, const Vec3& at) {
  const Pose X = Pose::translation(at), origin;
  std::vector<DistanceCache> sites;
  finder_smooth.find_sites({W, origin}, {B, X}, 0.0, sites);
  std::vector<Contact> contacts;
  for (const DistanceCache& site : sites) {
    contacts.push_back(finder_smooth.find({W, origin}, {B, X}, site, nullptr));
  }
  Whole out;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    std::vector<AreaRival> rivals;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      if (k != i) rivals.push_back(rival_of(contacts[k], B.reach));
    }
    AreaPatch patch;
    find_area({W.core, origin, W.centre, W.reach, W.smooth}, {B.core, X, B.centre, B.reach},
              contacts[i], 8, patch, rivals);
    ++out.sites, out.volume += patch.volume, out.force += patch.volume * contacts[i].n_AB_W;
  }
  return out;
}

TEST(AreaOfFormulas, PatchesThatGrowTogetherAreCountedOnce) {
  // A ball of 0.4 m in a valley of radius 0.25 m touches on both slopes. Pressed in, the two
  // patches join at the bottom: the volume is that of the overlap, and nothing jumps there.
  const Shape ground = wave(),
              ball = make_shape({.kind = find_shape_kind("sphere"), .params = {0.4}});
  const ShapePiece W = piece_of(ground), B = piece_of(ball);
  double last = 0.0, before = 0.0;
  bool joined = false;
  for (int i = 0; i <= 200; ++i) {
    const double z = 0.3146 - 0.06 * i / 200.0;
    const Whole w = whole_on_wave(W, B, {0.5, 0.0, z});
    if (w.sites == 0) continue;
    ASSERT_EQ(w.sites, 2u) << z;
    EXPECT_LT(std::abs(w.force.x), 1e-9 + 1e-6 * norm(w.force)) << z;
    // Depth at the bottom of the valley tells whether they have joined.
    joined |= z - 0.4 < -0.1;
    const double v = w.force.z;
    if (before > 0.0) {
      EXPECT_GT(v, last) << z;
      const double slope = v - last, slope_before = last - before;
      EXPECT_LT(std::abs(slope - slope_before), 0.2 * slope + 1e-7) << z;
    }
    before = last, last = v;
  }
  EXPECT_TRUE(joined);
  // What is displaced, along z: columns under the ball.
  const double z = 0.27;
  const GridSum columns = sum_over_grid(0.45, 0.45, [&](double x, double y) {
    const double rest = 0.16 - x * x - y * y;
    return rest > 0.0 ? 0.1 * std::cos(2.0 * std::numbers::pi * (x + 0.5)) - (z - std::sqrt(rest))
                      : -1.0;
  });
  const Whole w = whole_on_wave(W, B, {0.5, 0.0, z});
  std::printf("  %g of the volume displaced\n", w.volume / columns.volume);
  EXPECT_NEAR(w.volume / columns.volume, 1.0, 0.005);
}

}  // namespace
}  // namespace carom
