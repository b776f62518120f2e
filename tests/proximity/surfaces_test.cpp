// Contact points of idealised surfaces against closed forms, and what no choice of order or
// axes may change.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "carom/proximity/smooth/surface_pair.h"

namespace carom::surface_pairs {
namespace {

using std::numbers::pi;

IdealSurface sphere(double r) {
  IdealSurface s;
  s.form = SurfaceForm::sphere, s.radius = r;
  return s;
}
IdealSurface cylinder(double r, double length) {
  IdealSurface s;
  s.form = SurfaceForm::cylinder, s.radius = r, s.half_length = 0.5 * length;
  return s;
}
IdealSurface rectangle(double length, double width) {
  IdealSurface s;
  s.form = SurfaceForm::rectangle, s.half_length = 0.5 * length, s.half_width = 0.5 * width;
  return s;
}
IdealSurface circle(double r) {
  IdealSurface s;
  s.form = SurfaceForm::circle, s.radius = r;
  return s;
}

const Mat3 kDown = to_matrix(quat_exp({pi, 0, 0}));  ///< a flat surface that faces -z

Mat3 turned(const Vec3& w) { return to_matrix(quat_exp(w)); }

struct Found {
  SurfaceContact contact;
  Manifold points;
};

Found find(const IdealSurface& a, const Pose& X_WA, const IdealSurface& b, const Pose& X_WB) {
  Found f;
  f.contact = find_surface_contact(a, X_WA, b, X_WB, f.points);
  return f;
}

double sum_of_weights(const Found& f) {
  double sum = 0.0;
  for (int i = 0; i < f.points.count; ++i)
    sum += f.points.points[static_cast<std::size_t>(i)].weight;
  if (f.points.count > 0) {
    EXPECT_NEAR(sum, 1.0, 1e-15);
  }
  return sum * f.points.springs;
}

/// Force along the normal and moment about the origin of springs at the points, whose force
/// is c max(0, -phi)^(3/2) each.
struct Push {
  Vec3 force, moment;
};
Push push(const Found& f) {
  Push out;
  for (int i = 0; i < f.points.count; ++i) {
    const ManifoldPoint& p = f.points.points[static_cast<std::size_t>(i)];
    const double size = p.weight * f.points.springs * std::pow(std::max(0.0, -p.phi), 1.5);
    out.force += size * f.points.n_AB_W;
    out.moment += cross(p.p_WC, size * f.points.n_AB_W);
  }
  return out;
}

TEST(SurfacePairs, ASphereTouchesEveryKindAtItsNearestPoint) {
  const Pose origin;
  const IdealSurface ball = sphere(0.1);
  const Found on_ball = find(ball, Pose::translation({0, 0, 0.29}), sphere(0.2), origin);
  EXPECT_NEAR(on_ball.contact.phi, -0.01, 1e-15);
  EXPECT_LE(norm(on_ball.contact.n_AB_W - Vec3{0, 0, -1}), 1e-15);
  const Found on_bar = find(ball, Pose::translation({0.3, 0.03, 0.04}), cylinder(0.02, 1), origin);
  EXPECT_NEAR(on_bar.contact.phi, 0.05 - 0.12, 1e-15);  // 3, 4, 5
  EXPECT_LE(norm(on_bar.contact.n_AB_W - Vec3{0, -0.6, -0.8}), 1e-14);
  const Found on_plate = find(ball, Pose::translation({0.2, 0.1, 0.09}), rectangle(1, 1), origin);
  EXPECT_NEAR(on_plate.contact.phi, -0.01, 1e-15);
  const Found on_disc = find(ball, Pose::translation({0.2, 0.1, 0.09}), circle(1), origin);
  EXPECT_NEAR(on_disc.contact.phi, -0.01, 1e-15);
  EXPECT_EQ(on_disc.points.count, 1);
  // Beyond the edge: 3, 4, 5 from the nearest point of the outline.
  const Found over = find(ball, Pose::translation({0.53, 0.1, 0.04}), rectangle(1, 1), origin);
  EXPECT_NEAR(over.contact.phi, -0.05, 1e-15);
  EXPECT_LE(norm(over.contact.n_AB_W - Vec3{-0.6, 0, -0.8}), 1e-14);
}

TEST(SurfacePairs, ALineOnACircleEndsWhereTheLawOfCosinesSays) {
  // Axis along x at height R above the disc, 0.03 off its middle: the chord reaches to
  // +-sqrt(0.05² - 0.03²) = +-0.04.
  const Found f =
      find(cylinder(0.01, 0.2), Pose::translation({0.02, 0.03, 0.009}), circle(0.05), {});
  ASSERT_EQ(f.points.count, 2);
  EXPECT_NEAR(f.points.points[0].p_WC.x, -0.04, 1e-15);
  EXPECT_NEAR(f.points.points[1].p_WC.x, 0.04, 1e-15);
  EXPECT_NEAR(f.points.length, 0.08, 1e-15);
  EXPECT_NEAR(f.contact.phi, -0.001, 1e-15);
  EXPECT_NEAR(sum_of_weights(f), 2.0, 1e-15);
}

TEST(SurfacePairs, ACornerPartsAsTheDisplacementsOfThePaperSay) {
  // A square turned by phi, one corner beyond the edge x = 0.1 of the plate by h.
  const double angle = 0.5, half = 0.05, h = 0.004;
  const double reach = half * std::sqrt(2.0) * std::cos(pi / 4 - angle);
  const Pose X{turned({0, 0, angle}) * kDown, {0.1 + h - reach, 0, -0.001}};
  const Found f = find(rectangle(2 * half, 2 * half), X, rectangle(0.2, 0.5), {});
  ASSERT_EQ(f.points.count, 5);
  EXPECT_NEAR(sum_of_weights(f), 4.0, 1e-14);
  EXPECT_NEAR(f.contact.phi, -0.001, 1e-15);
  const Vec3 corner{0.1 + h, half * std::sqrt(2.0) * std::sin(angle - pi / 4), 0};
  int on_edge = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    const Vec3& p = f.points.points[i].p_WC;
    if (std::abs(p.x - 0.1) > 1e-12) continue;
    ++on_edge;
    const double moved = std::hypot(p.x - corner.x, p.y - corner.y);
    const double expected = p.y > corner.y ? h / std::sin(angle) : h / std::cos(angle);
    EXPECT_NEAR(moved, expected, 1e-14) << "equation 7";
  }
  EXPECT_EQ(on_edge, 2);
  const double cut = 0.5 * h * h / (std::sin(angle) * std::cos(angle));
  EXPECT_NEAR(f.points.area, 4 * half * half - cut, 1e-15);
}

TEST(SurfacePairs, APlainFaceTouchesWithAllItsCornersAlike) {
  for (const IdealSurface& small : {rectangle(0.1, 0.06), circle(0.04)}) {
    const Pose X{turned({0, 0, 0.4}) * kDown, {0.1, 0.05, -1e-4}};
    for (const IdealSurface& large : {rectangle(1, 0.8), circle(1)}) {
      for (const bool exchanged : {false, true}) {
        const Found f = exchanged ? find(large, {}, small, X) : find(small, X, large, {});
        // A circle has twice the corners of half the weight.
        const std::size_t count = small.form == SurfaceForm::circle ? 8 : 4;
        ASSERT_EQ(f.points.count, static_cast<int>(count));
        for (std::size_t i = 0; i < count; ++i) {
          EXPECT_NEAR(f.points.points[i].weight, 1.0 / static_cast<double>(count), 1e-12);
          EXPECT_NEAR(f.points.points[i].phi, -1e-4, 1e-16);
        }
      }
    }
  }
}

TEST(SurfacePairs, ATiltedCircleTouchesAtItsLowestPoint) {
  for (const double direction : {0.0, 0.3, 2.0, 4.0}) {
    const Vec3 axis{std::cos(direction), std::sin(direction), 0};
    const Pose X{turned(0.2 * axis) * kDown, {0, 0, 0.05 * std::sin(0.2) - 1e-3}};
    const Found f = find(circle(0.05), X, rectangle(1, 1), {});
    EXPECT_NEAR(f.contact.phi, -1e-3, 1e-9) << "kNoTilt turns the lowest point by 1e-6";
    const Vec3 low = 0.05 * std::cos(0.2) * cross(Vec3{0, 0, 1}, axis);
    EXPECT_NEAR(std::abs(dot(f.contact.p_WCa, low)) / norm2(low), 1.0, 1e-6);
  }
}

TEST(SurfacePairs, ParallelCylindersTouchAlongALineAndCrossedOnesAtAPoint) {
  const IdealSurface bar = cylinder(0.01, 0.1);
  const Found line = find(bar, Pose::translation({0.03, 0, 0.019}), bar, {});
  EXPECT_EQ(line.contact.area, ContactArea::line);
  EXPECT_NEAR(line.points.length, 0.07, 1e-15);
  EXPECT_NEAR(sum_of_weights(line), 2.0, 1e-15);
  EXPECT_NEAR(line.contact.phi, -0.001, 1e-15);
  const Mat3 across = turned({0, 0, 1.0});
  const Found point = find(bar, {across, {0.01, 0.002, 0.019}}, bar, {});
  EXPECT_EQ(point.contact.area, ContactArea::point);
  EXPECT_NEAR(point.contact.phi, -0.001, 1e-8) << "kappa 1.4e-4 of the half length is left";
  EXPECT_NEAR(sum_of_weights(point), 1.0, 2e-4);
  // Antiparallel axes are parallel lines.
  const Found back = find(bar, {turned({0, 0, pi}), {0.03, 0, 0.019}}, bar, {});
  EXPECT_NEAR(back.points.length, 0.07, 1e-14);
}

/// Surfaces of every kind in a pose in which they overlap by about a millimetre.
struct Case {
  IdealSurface a, b;
  Pose X_WA, X_WB;
};

Case random_case(int i, int j, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto kind = [](int k) {
    return k == 0   ? sphere(0.05)
           : k == 1 ? cylinder(0.04, 0.15)
           : k == 2 ? rectangle(0.2, 0.14)
                    : circle(0.08);
  };
  Case c;
  c.a = kind(i), c.b = kind(j);
  const auto tilt = [&] {
    return turned({0.05 * unit(random), 0.05 * unit(random), 3 * unit(random)});
  };
  c.X_WB = {tilt(), {0, 0, 0}};
  c.X_WA.R = tilt() * (c.a.is_flat() || i == 1 ? kDown : Mat3{});
  const double heights[] = {0.05, 0.04, 0.0, 0.0};
  const double height = heights[i] + heights[j];
  c.X_WA.p = {0.06 * unit(random), 0.06 * unit(random), height - 0.002};
  return c;
}

Found find(const Case& c) { return find(c.a, c.X_WA, c.b, c.X_WB); }

TEST(SurfacePairs, ForceAndMomentDoNotDependOnTheOrder) {
  std::mt19937 random(7);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int repeat = 0; repeat < 50; ++repeat) {
        const Case c = random_case(i, j, random);
        const Push one = push(find(c)), other = push(find(c.b, c.X_WB, c.a, c.X_WA));
        const double scale = norm(one.force) + 1e-9;  // of 1 mm deep points: 3e-5
        EXPECT_LE(norm(one.force + other.force), 1e-11 * scale) << i << " " << j;
        EXPECT_LE(norm(one.moment + other.moment), 1e-11 * scale) << i << " " << j;
      }
    }
  }
}

TEST(SurfacePairs, ForceAndMomentTurnWithTheWorld) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int repeat = 0; repeat < 30; ++repeat) {
        const Case c = random_case(i, j, random);
        const Pose X{turned({3 * unit(random), 3 * unit(random), 3 * unit(random)}),
                     {unit(random), unit(random), unit(random)}};
        const Push one = push(find(c)), other = push(find(c.a, X * c.X_WA, c.b, X * c.X_WB));
        const Vec3 force = X.R * one.force;
        const Vec3 moment = X.R * one.moment + cross(X.p, force);
        EXPECT_LE(norm(other.force - force), 1e-9 * (norm(force) + 1e-6)) << i << " " << j;
        EXPECT_LE(norm(other.moment - moment), 1e-9 * (norm(force) + 1e-6)) << i << " " << j;
      }
    }
  }
}

// The axes of a surface are a choice of its author: a square turned by a quarter, a circle or
// a cylinder turned about its own axis are the same surface.
TEST(SurfacePairs, ForceAndMomentDoNotDependOnTheAxesOfASurface) {
  std::mt19937 random(13);
  for (int j = 0; j < 4; ++j) {
    for (int repeat = 0; repeat < 50; ++repeat) {
      Case c = random_case(2, j, random);
      c.a = rectangle(0.17, 0.17);
      const Push one = push(find(c));
      c.X_WA.R = c.X_WA.R * turned({0, 0, pi / 2});
      const Push turned_square = push(find(c));
      EXPECT_LE(norm(one.force - turned_square.force), 1e-10 * (norm(one.force) + 1e-6));
      EXPECT_LE(norm(one.moment - turned_square.moment), 1e-10 * (norm(one.force) + 1e-6));
      c = random_case(3, j, random);
      const Push disc = push(find(c));
      c.X_WA.R = c.X_WA.R * turned({0, 0, 1.3});
      // A circle without tilt has its four points on its axes; tilts here are of 0.01 rad,
      // and kNoTilt = 1e-7 turns the points by 1e-5 at most.
      EXPECT_LE(norm(disc.force - push(find(c)).force), 1e-4 * (norm(disc.force) + 1e-6)) << j;
    }
  }
}

/// Largest change of force and moment between neighbouring poses of a sweep, over the largest
/// force in it.
template <class PoseAt>
double largest_jump(const IdealSurface& a, const IdealSurface& b, PoseAt pose_at, int steps) {
  double jump = 0.0, largest = 1e-30;
  Push before;
  for (int i = 0; i <= steps; ++i) {
    const Found f = find(a, pose_at(static_cast<double>(i) / steps), b, {});
    const Push now = push(f);
    if (i > 0) {
      jump = std::max({jump, norm(now.force - before.force),
                       norm(now.moment - before.moment) / surface_radius(a)});
    }
    largest = std::max(largest, norm(now.force));
    before = now;
  }
  return jump / largest;
}

// A tilted face is pushed over an edge of a plate, at angles that make edges parallel and not:
// with 20000 steps of 10 um the force changes by what a smooth one would, some 1e-3, and
// halving the steps halves it. A jump would stay.
TEST(SurfacePairs, ForceOfAFaceThatPassesAnEdgeIsContinuous) {
  for (const double angle : {0.0, 1e-9, 1e-3, 0.3, pi / 4, pi / 2, 1.9}) {
    for (const IdealSurface& face : {rectangle(0.1, 0.07), circle(0.04)}) {
      const auto pose = [&](double u) {
        return Pose{turned({0.01, 0.007, 0}) * turned({0, 0, angle}) * kDown,
                    {0.02 + 0.1 * u, 0.03, -0.003}};
      };
      const double coarse = largest_jump(face, rectangle(0.2, 0.3), pose, 10000);
      const double fine = largest_jump(face, rectangle(0.2, 0.3), pose, 20000);
      EXPECT_LE(coarse, 5e-3) << angle;
      EXPECT_LE(fine, 0.6 * coarse + 1e-12) << angle;
    }
  }
}

TEST(SurfacePairs, ForceOfALineThatPassesAnEdgeIsContinuous) {
  for (const IdealSurface& flat : {rectangle(0.2, 0.3), circle(0.1)}) {
    const auto pose = [&](double u) {
      return Pose{turned({0, 0.01, 0.3}), {0.05 + 0.08 * u, 0.01, 0.0195}};
    };
    const double coarse = largest_jump(cylinder(0.02, 0.1), flat, pose, 5000);
    const double fine = largest_jump(cylinder(0.02, 0.1), flat, pose, 10000);
    EXPECT_LE(coarse, 5e-3);
    EXPECT_LE(fine, 0.6 * coarse);
  }
}

TEST(SurfacePairs, ForceOfTurningCylindersIsContinuousFromLineToPoint) {
  const auto pose = [&](double u) {
    return Pose{turned({0, 0.002, -0.1 + 0.2 * u}), {0.01, 0.001, 0.0395}};
  };
  const double coarse = largest_jump(cylinder(0.02, 0.1), cylinder(0.02, 0.1), pose, 10000);
  const double fine = largest_jump(cylinder(0.02, 0.1), cylinder(0.02, 0.1), pose, 20000);
  EXPECT_LE(coarse, 1e-2);
  EXPECT_LE(fine, 0.6 * coarse);
}

TEST(SurfacePairs, ASphereRollsOverAnEdgeWithoutAJump) {
  for (const IdealSurface& flat : {rectangle(0.2, 0.3), circle(0.1)}) {
    const auto pose = [](double u) { return Pose::translation({0.09 + 0.025 * u, 0.01, 0.019}); };
    EXPECT_LE(largest_jump(sphere(0.02), flat, pose, 10000), 4e-3)
        << "2.5 um a step over a depth of 1 mm";
  }
}

TEST(SurfacePairs, TheSumOfWeightsStaysWhileAFacePassesAnEdge) {
  for (const double angle : {0.0, 0.3, pi / 2}) {
    for (int i = 0; i < 100; ++i) {
      const Pose X{turned({0, 0, angle}) * kDown, {0.05 + 0.001 * i, 0.12, -1e-3}};
      const Found f = find(rectangle(0.1, 0.07), X, rectangle(0.2, 0.3), {});
      if (f.contact.area == ContactArea::none) continue;
      EXPECT_NEAR(sum_of_weights(f), 4.0, 1e-12);
    }
  }
}

TEST(SurfacePairs, NothingTouchesBesideTheOutlineOrFromBehind) {
  const IdealSurface face = rectangle(0.1, 0.07), plate = rectangle(0.2, 0.3);
  const Found beside = find(face, {kDown, {0.16, 0, -1e-3}}, plate, {});
  EXPECT_EQ(beside.contact.area, ContactArea::none);
  EXPECT_NEAR(beside.contact.phi, 0.01, 1e-15) << "0.16 - 0.1 - 0.05";
  const Found away = find(face, Pose::translation({0, 0, -1e-3}), plate, {});
  EXPECT_EQ(away.contact.area, ContactArea::none) << "both face up";
  EXPECT_GT(away.contact.phi, 0.0);
  const Found beyond = find(cylinder(0.01, 0.1), Pose::translation({0.2, 0, 0.005}), plate, {});
  EXPECT_EQ(beyond.contact.area, ContactArea::none);
  EXPECT_GT(beyond.contact.phi, 0.0);
}

TEST(SurfacePairs, EdgesThatLieOnEachOtherCountOnce) {
  const IdealSurface face = rectangle(0.1, 0.07);
  const Found f = find(face, {kDown, {0, 0, -1e-3}}, face, {});
  EXPECT_EQ(f.points.count, 4);
  EXPECT_NEAR(sum_of_weights(f), 4.0, 1e-14);
  EXPECT_NEAR(f.points.area, 0.007, 1e-15);
  // A corner exactly on an edge belongs to the inside.
  const Found flush = find(face, {kDown, {0.05, 0.1, -1e-3}}, rectangle(0.2, 0.3), {});
  EXPECT_EQ(flush.points.count, 4);
  EXPECT_NEAR(sum_of_weights(flush), 4.0, 1e-14);
}

TEST(SurfacePairs, DegeneratePosesGiveFiniteAnswers) {
  const auto finite = [](const Found& f) {
    for (int i = 0; i < f.points.count; ++i) {
      const ManifoldPoint& p = f.points.points[static_cast<std::size_t>(i)];
      if (!is_finite(p.p_WC) || !std::isfinite(p.phi) || !std::isfinite(p.weight)) return false;
    }
    return std::isfinite(f.contact.phi) && is_finite(f.contact.n_AB_W);
  };
  const IdealSurface kinds[] = {sphere(0.05), cylinder(0.04, 0.15), rectangle(0.2, 0.14),
                                circle(0.08)};
  const Mat3 turns[] = {Mat3{}, kDown, turned({pi / 2, 0, 0}), turned({0, pi / 2, 0}),
                        turned({0, 0, pi / 2})};
  for (const IdealSurface& a : kinds) {
    for (const IdealSurface& b : kinds) {
      for (const Mat3& R : turns) {
        for (const Vec3& p : {Vec3{}, Vec3{0, 0, -0.3}, Vec3{0.1, 0, 0}, Vec3{0.1, 0.07, 0}}) {
          EXPECT_TRUE(finite(find(a, {R, p}, b, {})))
              << surface_form_name(a.form) << " " << surface_form_name(b.form);
        }
      }
    }
  }
}

}  // namespace
}  // namespace carom::surface_pairs
