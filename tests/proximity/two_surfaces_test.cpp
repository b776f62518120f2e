// Minima of the gap of two smooth surfaces: closed forms, built-in shapes written as formulas, and
// a search by many starts that must not find one more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "carom/geometry/shape.h"
#include "carom/proximity/finder.h"
#include "carom/proximity/smooth/smooth_search.h"
#include "carom/proximity/smooth/two_surface_search.h"

namespace carom {
namespace {

Shape named_torus(double R, double r) {
  return make_shape({.kind = find_shape_kind("torus"), .params = {R, r}});
}
Shape formula_torus(double R, double r) {
  ShapeInput input{.kind = find_shape_kind("implicit")};
  input.formulas.texts = {{"h", "(sqrt(x^2+y^2)-R)^2 + z^2 - r^2"}};
  input.formulas.ranges = {{"x", -0.2, 0.21}, {"y", -0.2, 0.19}, {"z", -0.1, 0.11}};
  input.formulas.with = {{"R", R}, {"r", r}};
  return make_shape(std::move(input));
}
Shape egg_by_formula() {
  ShapeInput egg{.kind = find_shape_kind("parametric")};
  egg.formulas.texts = {{"x", "a*cos(u)*cos(v)"}, {"y", "b*sin(u)*cos(v)"}, {"z", "c*sin(v)"}};
  egg.formulas.ranges = {{"u", -std::numbers::pi, std::numbers::pi},
                         {"v", -0.5 * std::numbers::pi, 0.5 * std::numbers::pi}};
  egg.formulas.with = {{"a", 0.06}, {"b", 0.045}, {"c", 0.03}};
  return make_shape(std::move(egg));
}

class RandomPoses {
 public:
  explicit RandomPoses(unsigned seed) : random_(seed) {}
  Pose operator()(double side) {
    std::normal_distribution<double> gauss;
    std::uniform_real_distribution<double> u(-side, side);
    const Quat q = normalized(Quat{gauss(random_), gauss(random_), gauss(random_), gauss(random_)});
    return {to_matrix(q), {u(random_), u(random_), u(random_)}};
  }

 private:
  std::mt19937 random_;
};

/// Local minima of the distance of two circles about z, one of them at X, by descent in two angles
/// from many starts: tori are offsets of their circles.
struct CirclePair {
  Vec3 a, b;
  double distance;
};
std::vector<CirclePair> circles_by_descent(double Ra, double Rb, const Pose& X) {
  const auto on = [](double R, double t) { return Vec3{R * std::cos(t), R * std::sin(t), 0.0}; };
  const auto value = [&](double s, double t) { return norm2(X * on(Rb, t) - on(Ra, s)); };
  std::vector<CirclePair> found;
  constexpr int kStarts = 12;
  for (int i = 0; i < kStarts * kStarts; ++i) {
    double s = 2.0 * std::numbers::pi * (i / kStarts) / kStarts,
           t = 2.0 * std::numbers::pi * (i % kStarts) / kStarts;
    for (double step = 0.2; step > 1e-9;) {
      const double here = value(s, t);
      double best = here, bs = s, bt = t;
      for (const auto& [ds, dt] :
           {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}) {
        const double v = value(s + ds * step, t + dt * step);
        if (v < best) best = v, bs = s + ds * step, bt = t + dt * step;
      }
      best < here ? (s = bs, t = bt) : (step *= 0.5);
    }
    const CirclePair pair{on(Ra, s), X * on(Rb, t), std::sqrt(value(s, t))};
    const auto is_same = [&](const CirclePair& o) {
      return norm(o.a - pair.a) + norm(o.b - pair.b) < 1e-3;
    };
    if (std::ranges::none_of(found, is_same)) found.push_back(pair);
  }
  return found;
}

TEST(TwoSurfaces, NoMinimumOfTwoToriIsMissed) {
  const double R = 0.1, r = 0.03, Q = 0.08, q = 0.02, margin = 0.08;
  const Shape a = named_torus(R, r), b = named_torus(Q, q);
  RandomPoses random(11);
  std::size_t count = 0, pairs_with_two = 0;
  for (int i = 0; i < 70; ++i) {
    const Pose X = random(0.12);
    std::vector<SurfaceMinimum> found;
    find_minima({*a.surface, *b.surface, X}, margin, 0.009, found);
    std::size_t expected = 0;
    for (const CirclePair& c : circles_by_descent(R, Q, X)) {
      const double phi = c.distance - r - q;
      if (phi > margin - 1e-6 || phi < -0.009 + 1e-6) continue;
      ++expected;
      const auto is_same = [&](const SurfaceMinimum& m) {
        return std::abs(m.phi - phi) < 1e-8 &&
               norm(m.at_a.p - c.a - (r / c.distance) * (c.b - c.a)) < 1e-4;
      };
      EXPECT_TRUE(std::ranges::any_of(found, is_same)) << "case " << i << ", phi " << phi;
    }
    EXPECT_EQ(found.size(), expected) << "case " << i;
    count += found.size(), pairs_with_two += found.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(count, 40u);
  EXPECT_GT(pairs_with_two, 5u);
}

/// d along both normals, both points on their surfaces: what makes a contact one.
void expect_identities(const SurfaceMinimum& m, double size, int trial) {
  EXPECT_LT(norm(m.at_b.p - m.at_a.p - m.phi * m.at_a.n), 1e-13 * size) << trial;
  EXPECT_LT(norm(m.at_a.n + m.at_b.n), 1e-13) << trial;
}

TEST(TwoSurfaces, ToriByFormulasEqualNamedOnes) {
  const Shape named = named_torus(0.1, 0.03), written = formula_torus(0.1, 0.03);
  const Shape other = named_torus(0.06, 0.02);
  RandomPoses random(12);
  std::size_t count = 0;
  for (int i = 0; i < 30; ++i) {
    const Pose X = random(0.1);
    std::vector<SurfaceMinimum> a, b, c;
    find_minima({*named.surface, *other.surface, X}, 0.02, 0.01, a);
    find_minima({*written.surface, *other.surface, X}, 0.02, 0.01, b);
    find_minima({*other.surface, *written.surface, inverse(X)}, 0.02, 0.01, c);
    EXPECT_EQ(a.size(), b.size()) << i;
    EXPECT_EQ(a.size(), c.size()) << i;
    for (const SurfaceMinimum& m : a) {
      expect_identities(m, 0.3, i);
      const auto is_same = [&](const SurfaceMinimum& o) {
        return norm(o.at_a.p - m.at_a.p) < 1e-13 && std::abs(o.phi - m.phi) < 1e-14;
      };
      const auto is_exchanged = [&](const SurfaceMinimum& o) {
        return norm(X * o.at_b.p - m.at_a.p) < 1e-13 && std::abs(o.phi - m.phi) < 1e-14;
      };
      EXPECT_TRUE(std::ranges::any_of(b, is_same)) << i;
      EXPECT_TRUE(std::ranges::any_of(c, is_exchanged)) << i;
      ++count;
    }
  }
  EXPECT_GT(count, 10u);
}

TEST(TwoSurfaces, AnEllipsoidWithPolesEqualsTheBuiltInOne) {
  const Shape ring = named_torus(0.1, 0.03), egg = egg_by_formula();
  const Shape built_in =
      make_shape({.kind = find_shape_kind("ellipsoid"), .params = {0.06, 0.045, 0.03}});
  RandomPoses random(13);
  std::size_t count = 0;
  for (int i = 0; i < 40; ++i) {
    const Pose X = random(0.13);
    std::vector<SurfaceMinimum> found;
    std::vector<SmoothMinimum> expected;
    find_minima({*ring.surface, *egg.surface, X}, 0.04, 0.008, found);
    find_minima(*ring.surface, {built_in.core, X}, 0.04, expected, 0.008);
    EXPECT_EQ(found.size(), expected.size()) << i;
    for (const SurfaceMinimum& m : found) {
      expect_identities(m, 0.3, i);
      const auto is_same = [&](const SmoothMinimum& o) {
        return norm(o.at.p - m.at_a.p) < 1e-12 && std::abs(o.phi - m.phi) < 1e-14;
      };
      EXPECT_TRUE(std::ranges::any_of(expected, is_same)) << i;
      ++count;
    }
  }
  EXPECT_GT(count, 12u);
}

TEST(TwoSurfaces, ATiltedTorusTouchesAPlaneAtItsLowestPoint) {
  const double R = 0.1, r = 0.03;
  const Shape ring = named_torus(R, r);
  RandomPoses random(14);
  for (int i = 0; i < 50; ++i) {
    const Pose X_PA = random(0.0);                               // of the ring over the plane
    const double lean = std::hypot(X_PA.R(2, 0), X_PA.R(2, 1));  // sine of the tilt
    const Pose lifted{X_PA.R, {0.2, -0.1, R * lean + r + 0.004}};
    std::vector<SurfaceMinimum> found;
    find_minima_on_plane(*ring.surface, inverse(lifted), 0.01, 0.02, found);
    ASSERT_GE(found.size(), 1u) << i;
    const auto lowest = std::ranges::min_element(found, {}, &SurfaceMinimum::phi);
    EXPECT_NEAR(lowest->phi, 0.004, 1e-15) << i;
    expect_identities(*lowest, 0.3, i);
  }
}

TEST(TwoSurfaces, AMinimumIsFollowedAndNeverTakenForAnother) {
  const Shape a = named_torus(0.1, 0.03), b = named_torus(0.08, 0.02);
  RandomPoses random(15);
  std::mt19937 numbers(16);
  std::uniform_real_distribution<double> way(-1.0, 1.0);
  int followed = 0, ended = 0;
  for (int i = 0; i < 90; ++i) {
    const Pose X = random(0.12);
    std::vector<SurfaceMinimum> found, later;
    find_minima({*a.surface, *b.surface, X}, 0.05, 0.009, found);
    const Vec3 turn{0.1 * way(numbers), 0.1 * way(numbers), 0.1 * way(numbers)};
    const Vec3 move{0.01 * way(numbers), 0.01 * way(numbers), 0.01 * way(numbers)};
    const Pose Y{X.R * to_matrix(quat_exp(turn)), X.p + move};
    find_minima({*a.surface, *b.surface, Y}, 0.1, 0.03, later);
    std::vector<Vec3> ends;
    for (const SurfaceMinimum& m : found) {
      SurfaceMinimum end;
      if (follow_minimum({*a.surface, *b.surface, Y}, X, m.state_a, m.state_b, end) !=
          FollowEnd::found) {
        ++ended;
        continue;
      }
      expect_identities(end, 0.3, i);
      const auto is_same = [&](const SurfaceMinimum& o) {
        return norm(o.at_a.p - end.at_a.p) < 1e-13;
      };
      // The search does not look deeper than half of the thinner tube.
      EXPECT_TRUE(end.phi < -0.009 || std::ranges::any_of(later, is_same)) << i << " " << end.phi;
      EXPECT_TRUE(
          std::ranges::none_of(ends, [&](const Vec3& p) { return norm(p - end.at_a.p) < 1e-6; }))
          << "two minima became one, case " << i;
      ends.push_back(end.at_a.p);
      ++followed;
    }
  }
  EXPECT_GT(followed, 40);
  EXPECT_LT(ended, followed / 10);
}

TEST(TwoSurfaces, LinesOfContactAreTheirPoints) {
  // Two equal rings on top of each other touch along a circle.
  const Shape a = named_torus(0.1, 0.03);
  std::vector<SurfaceMinimum> found;
  find_minima({*a.surface, *a.surface, Pose::translation({0.0, 0.0, 0.0605})}, 0.01, 0.01, found);
  ASSERT_EQ(found.size(), kMostMinima);
  for (const SurfaceMinimum& m : found) EXPECT_NEAR(m.phi, 0.0005, 1e-14);
}

}  // namespace
}  // namespace carom
