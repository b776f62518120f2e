// Distances of superquadrics of exponents 2 to 200, each other and other convex shapes, apart.
//
// The distance is certified by duality: n.t - h_A(n) - h_B(-n), the support values at the normal
// that was found, is never above the true distance, and the witness points are never below it.
#include <algorithm>
#include <cmath>

#include "campaign.h"
#include "carom/geometry/shape.h"
#include "carom/geometry/superquadric_core.h"
#include "carom/math/rotation.h"
#include "carom/proximity/distance.h"

namespace carom::campaign {
namespace {

struct CampaignBody {
  Shape shape;
  std::string text;
};

CampaignBody random_superquadric(Dice& dice) {
  const Vec3 radii{dice.uniform(0.02, 0.3), dice.uniform(0.02, 0.3), dice.uniform(0.02, 0.3)};
  const double p = dice.spread(2.0, 200.0), q = dice.chance(0.5) ? p : dice.spread(2.0, 200.0);
  ShapeInput input{.kind = find_shape_kind("superquadric"), .params = {radii.x, radii.y, radii.z}};
  input.formulas.ranges = {{"exponents", p, q}};
  return {make_shape(std::move(input)),
          "superquadric: {radii: " + vector_text(radii.x, radii.y, radii.z) + ", exponents: [" +
              exact_text(p) + ", " + exact_text(q) + "]}"};
}

CampaignBody random_other(Dice& dice) {
  const double a = dice.uniform(0.02, 0.3), b = dice.uniform(0.02, 0.3),
               c = dice.uniform(0.02, 0.3);
  const auto make = [](const char* kind, std::vector<double> params) {
    return make_shape({.kind = find_shape_kind(kind), .params = std::move(params)});
  };
  switch (dice.below(5)) {
    case 0: return {make("sphere", {a}), "sphere: {radius: " + exact_text(a) + "}"};
    case 1: return {make("box", {a, b, c}), "box: {size: " + vector_text(a, b, c) + "}"};
    case 2:
      return {make("ellipsoid", {a, b, c}), "ellipsoid: {radii: " + vector_text(a, b, c) + "}"};
    case 3:
      return {make("cylinder", {a, b}),
              "cylinder: {radius: " + exact_text(a) + ", length: " + exact_text(b) + "}"};
    default:
      return {make("capsule", {a, b}),
              "capsule: {radius: " + exact_text(a) + ", length: " + exact_text(b) + "}"};
  }
}

Vec3 random_direction(Dice& dice) {
  for (;;) {
    const Vec3 d{dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1)};
    if (norm2(d) < 1.0 && norm2(d) > 1e-4) return normalized(d);
  }
}

Outcome run_case(std::uint64_t seed) {
  Dice dice(seed);
  const CampaignBody a = random_superquadric(dice),
                     b = dice.chance(0.5) ? random_superquadric(dice) : random_other(dice);
  // A third of all nearly square to each other, where faces lie on faces.
  const double turn = dice.chance(0.33) ? dice.spread(1e-9, 1e-2) : 3.0;
  const Quat turned = quat_exp(turn * random_direction(dice));
  const Pose X_WA;
  Pose X_WB{to_matrix(turned), 2.0 * random_direction(dice)};
  const double gap = dice.spread(1e-7, 0.5);
  Contact c;
  for (int i = 0; i < 4; ++i) {
    c = distance(a.shape.core, X_WA, b.shape.core, X_WB);
    X_WB.p -= (c.phi - gap) * c.n_AB_W;
  }
  c = distance(a.shape.core, X_WA, b.shape.core, X_WB);
  Outcome out;
  out.label = b.shape.kind->name;
  out.scene = "carom: 1\nbodies:\n  a: {fixed: true, shapes: [{" + a.text +
              "}]}\n  b: {fixed: true, shapes: [{" + b.text +
              "}], position: " + vector_text(X_WB.p.x, X_WB.p.y, X_WB.p.z) + ", orientation: [" +
              exact_text(turned.w) + ", " + exact_text(turned.x) + ", " + exact_text(turned.y) +
              ", " + exact_text(turned.z) + "]}\n";
  const Vec3 n = c.n_AB_W;
  const double size = bounding_radius(a.shape.core) + bounding_radius(b.shape.core) + norm(X_WB.p);
  const double support =
      dot(n, X_WB.p) - extent(a.shape.core, n) - extent(b.shape.core, -transpose_times(X_WB.R, n));
  const double on_surface = superquadric_gauge(a.shape.core, c.p_WCa).value - 1.0;
  out.measure = std::max({std::abs(support - c.phi), norm(c.p_WCb - c.p_WCa - c.phi * n),
                          size * std::abs(on_surface)}) /
                size;
  out.limit = 1e-12;
  if (std::abs(c.phi - gap) > 1e-6) out.complaint = "the gap is not the one that was set";
  return out;
}

}  // namespace

extern const Campaign campaign_superquadrics{
    .name = "superquadrics",
    .doc =
        "distances of superquadrics of exponents 2 to 200 from each other and from convex shapes",
    .measure = "distance against support values and witness points, over size",
    .count = 10000,
    .run = run_case};

}  // namespace carom::campaign
