// Convex bodies with corners, edges and faces on smooth surfaces: every minimum of the gap, against
// a search by many starts whose distances are those of the convex pairs, and against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "carom/geometry/shape.h"
#include "carom/math/rotation.h"
#include "carom/proximity/features/feature_search.h"
#include "carom/proximity/finder.h"

namespace carom {
namespace {

constexpr double kHalfTurn = std::numbers::pi;

Shape feature_graph(const std::string& z, double half) {
  ShapeInput input{.kind = find_shape_kind("graph")};
  input.formulas.texts = {{"z", z}};
  input.formulas.ranges = {{"x", -half, half}, {"y", -half, half}};
  return make_shape(std::move(input));
}

Shape feature_shape(const char* kind, std::vector<double> params, double edge_radius) {
  return make_shape(
      {.kind = find_shape_kind(kind), .params = std::move(params), .edge_radius = edge_radius});
}

Shape feature_hull(double edge_radius) {
  ShapeInput input{.kind = find_shape_kind("hull"), .edge_radius = edge_radius};
  std::mt19937 random(5);
  std::normal_distribution<double> gauss;
  for (int i = 0; i < 14; ++i) {
    const Vec3 d = normalized(Vec3{gauss(random), gauss(random), gauss(random)});
    input.mesh.vertices.push_back({0.18 * d.x, 0.14 * d.y, 0.1 * d.z});
  }
  return make_shape(std::move(input));
}

struct NamedBody {
  const char* name;
  Shape shape;
};
std::vector<NamedBody> bodies_with_edges(double q) {
  std::vector<NamedBody> out;
  out.push_back({"box", feature_shape("box", {0.3, 0.2, 0.12}, q)});
  out.push_back({"cylinder", feature_shape("cylinder", {0.1, 0.3}, q)});
  out.push_back({"cone", feature_shape("cone", {0.12, 0.25, 0.0}, q)});
  out.push_back({"frustum", feature_shape("cone", {0.12, 0.25, 0.05}, q)});
  out.push_back({"capsule", feature_shape("capsule", {0.06, 0.25}, kDefaultEdgeRadius)});
  out.push_back({"hull", feature_hull(0.0)});
  return out;
}

constexpr double kCrest = 0.02;
double ripple_height(double x, double y) {
  return kCrest * std::cos(20.0 * x) * std::sin(17.0 * y + 0.3);
}
const char* const kRipple = "0.02*cos(20*x)*sin(17*y + 0.3)";

/// Its lowest point between two heights over the crests; every other one lies nearly flat, over
/// many crests.
Pose pose_over_ripple(std::mt19937& random, const Core& core, double low, double high) {
  std::normal_distribution<double> gauss;
  std::uniform_real_distribution<double> side(-0.15, 0.15), up(low, high);
  const Quat q = normalized(Quat{gauss(random), gauss(random), gauss(random), gauss(random)});
  const Vec3 tilt{0.05 * gauss(random), 0.05 * gauss(random), gauss(random)};
  const Mat3 R = random() % 2 == 0 ? to_matrix(q) : to_matrix(quat_exp(tilt));
  const double below = extent(core, transpose_times(R, {0.0, 0.0, -1.0}));
  return {R, {side(random), side(random), kCrest + below + up(random)}};
}

/// Local minima of the distance of a point of the graph from the body, by a pattern search from
/// many starts.
struct Place2 {
  double x, y, distance;
};
std::vector<Place2> minima_by_starts(const Core& body, const Pose& X, double half, double most,
                                     int starts) {
  const Core point = make_point_core({}, 0.0);
  const auto value = [&](double x, double y) {
    return distance(point, Pose::translation({x, y, ripple_height(x, y)}), body, X).phi;
  };
  std::vector<Place2> found;
  for (int i = 0; i <= starts; ++i) {
    for (int j = 0; j <= starts; ++j) {
      double x = half * (2.0 * i / starts - 1.0), y = half * (2.0 * j / starts - 1.0);
      double here = value(x, y);
      for (double step = 0.01; step > 1e-8;) {
        double best = here, bx = x, by = y;
        for (int k = 0; k < 8; ++k) {
          const double a = 0.25 * kHalfTurn * k + 0.1;
          const double tx = x + step * std::cos(a), ty = y + step * std::sin(a);
          const double v = value(tx, ty);
          if (v < best) best = v, bx = tx, by = ty;
        }
        if (best < here) {
          x = bx, y = by, here = best;
        } else {
          step *= 0.5;
        }
      }
      if (std::max(std::abs(x), std::abs(y)) > half || here > most || here < 1e-4) continue;
      const auto is_same = [&](const Place2& p) { return std::hypot(p.x - x, p.y - y) < 2e-3; };
      if (std::ranges::none_of(found, is_same)) found.push_back({x, y, here});
    }
  }
  return found;
}

/// Whether a place of a pattern search is one: such a search may stop in a narrow valley.
bool is_strict(const Core& body, const Pose& X, const Place2& p) {
  const Core point = make_point_core({}, 0.0);
  for (int k = 0; k < 64; ++k) {
    const double a = 2.0 * kHalfTurn * k / 64.0;
    for (const double r : {1e-5, 1e-4}) {
      const double x = p.x + r * std::cos(a), y = p.y + r * std::sin(a);
      const Pose at = Pose::translation({x, y, ripple_height(x, y)});
      if (distance(point, at, body, X).phi < p.distance - 1e-13) return false;
    }
  }
  return true;
}

TEST(BodyFeatures, NoMinimumOfABodyWithEdgesIsMissed) {
  const Shape surface = feature_graph(kRipple, 0.45);
  constexpr double kMargin = 0.03;
  for (const double q : {0.0, 0.01}) {
    for (const NamedBody& body : bodies_with_edges(q)) {
      const BodyFeatures features = make_features(body.shape.core);
      std::mt19937 random(20);
      int count = 0;
      for (int i = 0; i < 4; ++i) {
        const Pose X = pose_over_ripple(random, body.shape.core, 0.001, 0.01);
        std::vector<FeatureMinimum> found;
        find_minima(*surface.surface, {features, X}, kMargin, 0.05, found);
        for (const Place2& p : minima_by_starts(body.shape.core, X, 0.45, kMargin - 1e-6, 16)) {
          const auto is_same = [&](const FeatureMinimum& m) {
            return std::hypot(m.at.p.x - p.x, m.at.p.y - p.y) < 5e-3;
          };
          const bool is_found = std::ranges::any_of(found, is_same);
          if (!is_found && !is_strict(body.shape.core, X, p)) continue;
          EXPECT_TRUE(is_found) << body.name << ", rounding " << q << ", pose " << i << ": " << p.x
                                << ", " << p.y << " at " << p.distance << " is missing";
          ++count;
        }
        for (const FeatureMinimum& m : found) {
          const Place2 p{m.at.p.x, m.at.p.y, m.phi};
          if (m.phi > 1e-4) {
            EXPECT_TRUE(is_strict(body.shape.core, X, p)) << body.name << " pose " << i;
          }
        }
      }
      EXPECT_GE(count, 4) << body.name;
    }
  }
}

TEST(BodyFeatures, WitnessPointsAreOnTheNormalAndFarthestAgainstIt) {
  const Shape surface = feature_graph(kRipple, 0.45);
  for (const double q : {0.0, 0.01}) {
    for (const NamedBody& body : bodies_with_edges(q)) {
      const Core& core = body.shape.core;
      const BodyFeatures features = make_features(core);
      std::mt19937 random(8);
      int count = 0, deep = 0;
      for (int i = 0; i < 60; ++i) {
        const Pose X = pose_over_ripple(random, core, -0.03, 0.005);
        std::vector<FeatureMinimum> found;
        find_minima(*surface.surface, {features, X}, 0.05, 0.03, found);
        for (const FeatureMinimum& m : found) {
          ++count, deep += m.phi < 0.0;
          EXPECT_LT(norm(m.y - m.at.p - m.phi * m.at.n), 1e-13);
          EXPECT_NEAR(m.at.p.z, ripple_height(m.at.p.x, m.at.p.y), 1e-15);
          const Vec3 out_B = transpose_times(X.R, -m.at.n);
          const double behind = dot(-m.at.n, m.y - X.p);
          EXPECT_NEAR(behind, extent(core, out_B), 2e-10) << body.name << " pose " << i;
        }
      }
      EXPECT_GT(count, 40) << body.name;
      EXPECT_GT(deep, 5) << body.name;
    }
  }
}

/// A minimum that is followed from pose to pose is one that a search finds there, from where the
/// body is apart until it is in overlap, over corners, edges and faces.
TEST(BodyFeatures, AMinimumIsFollowedOverEdgesAndCorners) {
  const Shape surface = feature_graph(kRipple, 0.45);
  std::mt19937 random(3);
  std::normal_distribution<double> gauss;
  int steps = 0, changes = 0;
  for (const NamedBody& body : bodies_with_edges(0.01)) {
    const BodyFeatures features = make_features(body.shape.core);
    for (int run = 0; run < 4; ++run) {
      Pose X = pose_over_ripple(random, body.shape.core, 0.002, 0.004);
      std::vector<FeatureMinimum> found;
      find_minima(*surface.surface, {features, X}, 0.02, 0.03, found);
      if (found.empty()) continue;
      FeatureMinimum m =
          *std::ranges::min_element(found, {}, [](const FeatureMinimum& f) { return f.phi; });
      const Vec3 turn = 0.02 * normalized(Vec3{gauss(random), gauss(random), gauss(random)});
      for (int k = 0; k < 60; ++k) {
        const Pose before = X;
        X.R = to_matrix(quat_exp(turn)) * X.R;
        X.p.z -= 0.0001;
        FeatureMinimum next;
        if (follow_minimum(*surface.surface, {features, X}, before, m, next) != FollowEnd::found) {
          break;
        }
        ++steps, changes += !(next.feature == m.feature);
        find_minima(*surface.surface, {features, X}, 0.03, 0.03, found);
        const auto is_same = [&](const FeatureMinimum& f) {
          return norm(f.at.p - next.at.p) < 1e-7 && std::abs(f.phi - next.phi) < 1e-12;
        };
        if (std::abs(next.phi) > 0.029) break;
        EXPECT_TRUE(std::ranges::any_of(found, is_same)) << body.name << " run " << run << " " << k;
        EXPECT_LT(norm(next.at.p - m.at.p), 0.1);
        m = next;
      }
    }
  }
  EXPECT_GT(steps, 600);
  EXPECT_GT(changes, 5);
}

/// Where a ring is about to lie flat, the gap is level along its circle but for a curvature of its
/// tilt over its radius. The lowest point is there for as long as the ring is not flat.
TEST(BodyFeatures, ARingThatLiesAlmostFlatStillHasItsLowestPoint) {
  constexpr double kRadius = 0.1, kTube = 0.02;
  const Shape ring = feature_shape("torus", {kRadius, kTube}, kDefaultEdgeRadius);
  const Shape table = feature_shape("box", {1.0, 1.0, 0.1}, kDefaultEdgeRadius);
  const BodyFeatures features = make_features(table.core);
  for (const double tilt : {0.1, 0.01, 3e-3, 1e-3, 1e-4, 1e-6}) {
    for (const double gap : {3e-3, 5e-4, 1e-5, -1e-5, -1e-3}) {
      const Pose X_WR{rotation_x(tilt), {0.0, 0.0, gap + kRadius * std::sin(tilt) + kTube}};
      const Pose X_WT{rotation_x(0.0), {0.03, -0.02, -0.05}};
      std::vector<FeatureMinimum> found;
      find_minima(*ring.surface, {features, inverse(X_WR) * X_WT}, 0.006, 0.002, found);
      ASSERT_EQ(found.size(), 1u) << tilt << " " << gap;
      EXPECT_NEAR(found[0].phi, gap, 1e-15) << tilt;
      EXPECT_LT(norm(X_WR * found[0].at.p - Vec3{0.0, -kRadius * std::cos(tilt), gap}), 1e-9);
    }
  }
}

TEST(BodyFeatures, AFlatBoxTouchesEveryCrestUnderIt) {
  // Crests of an egg crate are a wavelength apart along x and y, and between.
  const Shape surface = feature_graph("0.05*cos(2*pi*x)*cos(2*pi*y)", 1.4);
  const Shape box = feature_shape("box", {1.6, 1.2, 0.2}, 0.01);
  const BodyFeatures features = make_features(box.core);
  const Pose X{to_matrix(quat_exp({0.0, 0.0, 0.1})), {0.03, 0.02, 0.149}};
  std::vector<FeatureMinimum> found;
  find_minima(*surface.surface, {features, X}, 0.01, 0.02, found);
  std::vector<Vec3> crests;
  for (int i = -4; i <= 4; ++i) {
    for (int j = -4; j <= 4; ++j) {
      if ((i + j) % 2 != 0) continue;
      const Vec3 crest{0.5 * i, 0.5 * j, 0.05}, at = transpose_times(X.R, crest - X.p);
      if (std::abs(at.x) < 0.79 && std::abs(at.y) < 0.59) crests.push_back(crest);
    }
  }
  ASSERT_EQ(found.size(), crests.size());
  EXPECT_GE(crests.size(), 5u);
  for (const FeatureMinimum& m : found) {
    EXPECT_EQ(m.feature.kind, FeatureKind::face);
    EXPECT_NEAR(m.phi, -0.001, 1e-15);
    const auto is_at = [&](const Vec3& c) { return norm(m.at.p - c) < 1e-12; };
    EXPECT_TRUE(std::ranges::any_of(crests, is_at));
  }
}

TEST(BodyFeatures, ASuperquadricIsASurface) {
  const Shape surface = feature_graph(kRipple, 0.45);
  for (const double p : {2.0, 4.0, 30.0}) {
    ShapeInput input{.kind = find_shape_kind("superquadric"), .params = {0.15, 0.1, 0.08}};
    input.formulas.ranges = {{"exponents", p, p}};
    const Shape shape = make_shape(std::move(input));
    const ShapePiece a = make_piece(*surface.surface, surface.core);
    ShapePiece b = make_piece(shape.core, false);
    prepare_for_smooth(b);
    ASSERT_TRUE(finder_smooth.handles(a, b));
    std::mt19937 random(4);
    int count = 0;
    for (int i = 0; i < 3; ++i) {
      const Pose X_WA, X = pose_over_ripple(random, shape.core, 0.001, 0.01);
      std::vector<DistanceCache> sites;
      finder_smooth.find_sites({a, X_WA}, {b, X}, 0.02, sites);
      for (const DistanceCache& site : sites) {
        const Contact c = finder_smooth.find({a, X_WA}, {b, X}, site, nullptr);
        EXPECT_NEAR(extent(shape.core, transpose_times(X.R, -c.n_AB_W)),
                    -dot(c.n_AB_W, c.p_WCb - X.p), 1e-12);
        ++count;
      }
      for (const Place2& place : minima_by_starts(shape.core, X, 0.45, 0.02 - 1e-6, 10)) {
        const auto is_same = [&](const DistanceCache& site) {
          const Vec3 at = surface.surface->at(site.state).p;
          return std::hypot(at.x - place.x, at.y - place.y) < 5e-3;
        };
        if (!is_strict(shape.core, X, place)) continue;
        EXPECT_TRUE(std::ranges::any_of(sites, is_same))
            << "exponent " << p << ", pose " << i << ": " << place.x << ", " << place.y;
      }
    }
    EXPECT_GE(count, 1) << p;
  }
}

}  // namespace
}  // namespace carom
