// What searches for minima know of a cell: bounds of curvature that hold for all of it, and that
// nothing is lost where a search has many cells to go through.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "carom/geometry/curvature_bounds.h"
#include "carom/geometry/shape.h"
#include "carom/math/rotation.h"
#include "carom/proximity/follow.h"
#include "carom/proximity/smooth/smooth_search.h"

namespace carom {
namespace {

Shape formula(const char* kind, std::vector<SurfaceFormulas::Text> texts,
              std::vector<SurfaceFormulas::Range> ranges) {
  ShapeInput input{.kind = find_shape_kind(kind)};
  input.formulas.texts = std::move(texts), input.formulas.ranges = std::move(ranges);
  return make_shape(std::move(input));
}

Shape implicit_ring(double R, double r2, double half, double height) {
  char text[120];
  std::snprintf(text, sizeof text, "(sqrt(x^2+y^2)-%.17g)^2 + z^2 - %.17g", R, r2);
  return formula("implicit", {{"h", text}},
                 {{"x", -half, half}, {"y", -half, half}, {"z", -height, height}});
}

double norm_of(const Sym3& a) {
  return std::sqrt(a.xx * a.xx + a.yy * a.yy + a.zz * a.zz +
                   2.0 * (a.xy * a.xy + a.xz * a.xz + a.yz * a.yz));
}

TEST(CellBounds, CurvaturesOfACellAreWithinTheirBounds) {
  constexpr double pi = std::numbers::pi;
  const Shape shapes[] = {
      // Waves so short that curvatures at corners and middles of large cells are much the same.
      formula("graph", {{"z", "0.001*cos(97*x)*sin(83*y + 0.3) + 0.2*x*y"}},
              {{"x", -0.5, 0.5}, {"y", -0.5, 0.5}}),
      formula("parametric",
              {{"x", "0.2*cos(u)*cos(v)"}, {"y", "0.15*sin(u)*cos(v)"}, {"z", "0.1*sin(v)"}},
              {{"u", -pi, pi}, {"v", -pi / 2, pi / 2}}),
      implicit_ring(0.2, 0.0025, 0.3, 0.1),
      make_shape({.kind = find_shape_kind("torus"), .params = {0.1, 0.03}})};
  std::mt19937_64 dice(5);
  for (const Shape& shape : shapes) {
    const SmoothSurface& surface = *shape.surface;
    int known = 0;
    for (int trial = 0; trial < 400; ++trial) {
      SurfaceCell cell = surface.tree()[dice() % surface.tree().size()].cell;
      for (int halvings = static_cast<int>(dice() % 3); halvings > 0; --halvings) {
        const std::vector<SurfaceCell> parts = surface.split(cell);
        if (parts.empty()) break;
        cell = parts[dice() % parts.size()];
      }
      const CellBounds bounds = surface.bounds(cell);
      const NormalCone cone = normal_cone(bounds);
      const CurvatureRange range = bound_curvature(bounds, cone);
      if (bounds.is_empty || !std::isfinite(range.off)) continue;
      ++known;
      for (int i = 0; i < 30; ++i) {
        Vec3 s;
        for (std::size_t k = 0; k < 3; ++k) {
          s[k] = std::uniform_real_distribution<double>(cell.s[k].lo, cell.s[k].hi)(dice);
        }
        if (bounds.has_field) {  // onto the surface, if that is in the cell
          s = surface.moved(s, {});
          bool is_in = true;
          for (std::size_t k = 0; k < 3; ++k) is_in = is_in && cell.s[k].contains(s[k]);
          if (!is_in) continue;
        }
        const SurfacePoint at = surface.at(s);
        const Sym3 turned = rotated(turn_between(at.n, cone.axis), at.K);
        ASSERT_LE(norm_of(turned - range.middle), range.off * (1.0 + 1e-9) + 1e-11)
            << shape.kind->name << " trial " << trial;
      }
    }
    EXPECT_GT(known, 50) << shape.kind->name;
  }
}

/// Flat ellipsoids near a ring by a formula: their points run far along the face where the normal
/// turns a little, and bounds by the largest radius of curvature left the search with more cells
/// than it may have, before it had come to the minimum.
TEST(CellBounds, NoMinimumIsLostAmongManyCells) {
  struct Case {
    double R, r2, half, height;
    Vec3 radii, p;
    Quat q;
    double margin;
  };
  const Case cases[] = {
      {0.18565845080481003,
       0.00265771445030285,
       0.25721147642215719,
       0.071553025617347138,
       {0.11301944324016505, 0.13924723831193753, 0.036950861511306554},
       {0.060392213221712232, -0.060392213221712232, 0.018205701023801341},
       {0.82468444975601218, -0.45355681366884132, -0.33084071642150176, -0.068747330587441063},
       0.139},
      {0.23654530949714114,
       0.0012081653112846259,
       0.29130398195862373,
       0.054758672461482555,
       {0.033005789053067766, 0.14856527281577894, 0.11111623234323677},
       {0.18871262566130892, -0.23064876469715531, 0.10415233416453006},
       {0.90845029370115182, 0.19904347232460964, -0.33314078791131735, 0.15529641151385329},
       0.0148}};
  for (const Case& c : cases) {
    const Shape ring = implicit_ring(c.R, c.r2, c.half, c.height),
                torus = make_shape(
                    {.kind = find_shape_kind("torus"), .params = {c.R, std::sqrt(c.r2)}}),
                egg = make_shape({.kind = find_shape_kind("ellipsoid"),
                                  .params = {c.radii.x, c.radii.y, c.radii.z}});
    const Pose X{to_matrix(c.q), c.p};
    std::vector<SmoothMinimum> by_formula, by_name;
    find_minima(*ring.surface, {egg.core, X}, c.margin, by_formula);
    find_minima(*torus.surface, {egg.core, X}, c.margin, by_name);
    ASSERT_EQ(by_formula.size(), by_name.size());
    ASSERT_EQ(by_formula.size(), 1u);
    EXPECT_NEAR(by_formula[0].phi, by_name[0].phi, 1e-13);
    EXPECT_LT(norm(by_formula[0].at.p - by_name[0].at.p), 1e-11);
  }
}

TEST(CellBounds, NewtonsStepsEndWhenTheNextOneIsRounding) {
  constexpr double kRounding = 2e-16;
  EXPECT_TRUE(is_last_step(1e-16, 1.0, kRounding));
  EXPECT_TRUE(is_last_step(1e-11, 3e-6, kRounding));    // the next one is about 1e-22
  EXPECT_FALSE(is_last_step(1e-6, 1e-3, kRounding));    // about 1e-12
  EXPECT_FALSE(is_last_step(1e-11, 3e-11, kRounding));  // falls by thirds
  EXPECT_FALSE(is_last_step(1e-11, std::numeric_limits<double>::infinity(), kRounding));
}

}  // namespace
}  // namespace carom
