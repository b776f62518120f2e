// Minima of the gap of smooth surfaces and every kind of body that may touch them, in random poses
// apart and shallow.
//
// A contact is certified by itself: the witness points lie on the normal, phi apart; that of the
// body is the one farthest against the normal, by its support function; that of the surface lies on
// it. And by a referee: from points of the surface around the body, the nearest point of which is
// known to the convex distances, descent by halving steps may not end where no minimum was found.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "campaign.h"
#include "carom/geometry/shape.h"
#include "carom/math/rotation.h"
#include "carom/proximity/finder.h"

namespace carom::campaign {
namespace {

struct CampaignShape {
  Shape shape;
  std::string text;
};

CampaignShape make_formula(const char* kind, std::vector<SurfaceFormulas::Text> texts,
                           std::vector<SurfaceFormulas::Range> ranges) {
  ShapeInput input{.kind = find_shape_kind(kind)};
  std::string text = std::string(kind) + ": {";
  for (const auto& t : texts) text += t.name + ": \"" + t.text + "\", ";
  if (input.kind->ranges.empty()) {
    text += "within: [" + vector_text(ranges[0].lower, ranges[1].lower, ranges[2].lower) + ", " +
            vector_text(ranges[0].upper, ranges[1].upper, ranges[2].upper) + "]}";
  } else {
    for (const auto& r : ranges) {
      text += r.name + ": [" + exact_text(r.lower) + ", " + exact_text(r.upper) + "], ";
    }
    text.replace(text.size() - 2, 2, "}");
  }
  input.formulas.texts = std::move(texts), input.formulas.ranges = std::move(ranges);
  return {make_shape(std::move(input)), text};
}

CampaignShape random_surface(Dice& dice) {
  constexpr double pi = std::numbers::pi;
  const double a = dice.uniform(0.005, 0.03);
  const auto number = [](double x) { return exact_text(x); };
  switch (dice.below(4)) {
    case 0:
      return make_formula("graph",
                          {{"z", number(a) + "*cos(" + number(dice.uniform(4, 18)) + "*x)*sin(" +
                                     number(dice.uniform(4, 18)) + "*y + 0.4)"}},
                          {{"x", -0.5, 0.5}, {"y", -0.5, 0.5}});
    case 1:
      return make_formula("parametric",
                          {{"x", number(dice.uniform(0.1, 0.3)) + "*cos(u)*cos(v)"},
                           {"y", number(dice.uniform(0.1, 0.3)) + "*sin(u)*cos(v)"},
                           {"z", number(dice.uniform(0.1, 0.3)) + "*sin(v)"}},
                          {{"u", -pi, pi}, {"v", -pi / 2, pi / 2}});
    case 2: {
      const double R = dice.uniform(0.15, 0.3), r = dice.uniform(0.03, 0.1), h = R + r + 0.02;
      return make_formula("implicit",
                          {{"h", "(sqrt(x^2+y^2)-" + number(R) + ")^2 + z^2 - " + number(r * r)}},
                          {{"x", -h, h}, {"y", -h, h}, {"z", -r - 0.02, r + 0.02}});
    }
    default: {
      const double R = dice.uniform(0.15, 0.3), r = dice.uniform(0.03, 0.1);
      return {make_shape({.kind = find_shape_kind("torus"), .params = {R, r}}),
              "torus: {radius: " + number(R) + ", tube_radius: " + number(r) + "}"};
    }
  }
}

CampaignShape random_partner(Dice& dice) {
  const double a = dice.uniform(0.03, 0.15), b = dice.uniform(0.03, 0.15),
               c = dice.uniform(0.03, 0.15);
  const auto make = [&](const char* kind, std::vector<double> params, const std::string& text) {
    return CampaignShape{make_shape({.kind = find_shape_kind(kind), .params = std::move(params)}),
                         kind + (": {" + text + "}")};
  };
  const std::string A = exact_text(a), B = exact_text(b), all = vector_text(a, b, c);
  switch (dice.below(7)) {
    case 0: return make("sphere", {a}, "radius: " + A);
    case 1: return make("ellipsoid", {a, b, c}, "radii: " + all);
    case 2: return make("box", {a, b, c}, "size: " + all);
    case 3: return make("cylinder", {a, b}, "radius: " + A + ", length: " + B);
    case 4: return make("capsule", {a, b}, "radius: " + A + ", length: " + B);
    case 5: return make("cone", {a, b, 0.0}, "radius: " + A + ", length: " + B);
    default: {
      const double p = dice.spread(2.0, 8.0), q = dice.spread(2.0, 8.0);
      ShapeInput input{.kind = find_shape_kind("superquadric"), .params = {a, b, c}};
      input.formulas.ranges = {{"exponents", p, q}};
      return {make_shape(std::move(input)), "superquadric: {radii: " + all + ", exponents: [" +
                                                exact_text(p) + ", " + exact_text(q) + "]}"};
    }
  }
}

/// A point of the surface walks downhill in its distance from the body, in steps that are halved.
struct Walked {
  Vec3 state;
  double distance = 0.0;
};
Walked walk_down(const SmoothSurface& surface, const Core& body, const Pose& X, const Vec3& from,
                 double first) {
  const Core point = make_point_core({}, 0.0);
  const auto value = [&](const Vec3& s) {
    return surface.holds(s) ? distance(point, Pose::translation(surface.at(s).p), body, X).phi
                            : kInf;
  };
  constexpr int kMostSteps = 5000;  // along a crease steps may go on by rounding
  Walked at{from, value(from)};
  int steps = 0;
  for (double step = first; step > 1e-7 * first && steps < kMostSteps; ++steps) {
    const SurfacePoint p = surface.at(at.state);
    const Vec3 e1 = any_perpendicular(p.n), e2 = cross(p.n, e1);
    Walked best = at;
    for (int k = 0; k < 8; ++k) {
      const double angle = 0.25 * std::numbers::pi * k;
      const Vec3 s = surface.moved(at.state, step * (std::cos(angle) * e1 + std::sin(angle) * e2));
      if (const double d = value(s); d < best.distance) best = {s, d};
    }
    if (best.distance < at.distance) {
      at = best;
    } else {
      step *= 0.5;
    }
  }
  return at;
}

struct Pair {
  ShapePiece surface, body;
  Pose X;
};

/// The largest of what must vanish at a contact [m].
double defect(const Pair& pair, const Contact& c) {
  const Core& core = pair.body.core;
  const double behind = -dot(c.n_AB_W, c.p_WCb - pair.X.p);
  const double support = extent(core, transpose_times(pair.X.R, -c.n_AB_W));
  const SurfacePoint at = pair.surface.smooth->at(c.state_a);
  return std::max({norm(c.p_WCb - c.p_WCa - c.phi * c.n_AB_W), std::abs(behind - support),
                   norm(at.p - c.p_WCa)});
}

/// A minimum to which a walk leads and that is not among the sites; empty where there is none.
std::string missing(const Pair& pair, double margin, const std::vector<Contact>& known) {
  constexpr int kWalks = 12;
  constexpr double kSame = 0.02;
  const SmoothSurface& surface = *pair.surface.smooth;
  const double size = std::min(surface.size(), bounding_radius(pair.body.core));
  const auto& tree = surface.tree();
  int walks = 0;
  for (std::size_t i = tree.size(); i-- > 0 && walks < kWalks;) {
    // Every so many of those leaves that are near.
    const CellNode& node = tree[(i * 7919) % tree.size()];
    if (node.count > 0) continue;
    const Vec3 from = surface.moved(node.cell.middle(), {});  // onto the surface
    if (norm(surface.at(from).p - pair.X.p) > bounding_radius(pair.body.core) + 2.0 * margin) {
      continue;
    }
    ++walks;
    const Walked end = walk_down(surface, pair.body.core, pair.X, from, 0.05 * size);
    if (end.distance > 0.9 * margin || end.distance < 1e-6 * size) continue;
    const Vec3 p = surface.at(end.state).p;
    const bool is_known = std::ranges::any_of(
        known, [&](const Contact& c) { return norm(c.p_WCa - p) < kSame * size; });
    if (is_known) continue;
    // A walk may end in a narrow valley or at a border; only one that turns round is a minimum.
    const Walked again = walk_down(surface, pair.body.core, pair.X, end.state, 0.003 * size);
    const SurfacePoint at = surface.at(again.state);
    const Core point = make_point_core({}, 0.0);
    bool is_minimum = true;
    for (int k = 0; k < 48 && is_minimum; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / 48.0;
      const Vec3 e1 = any_perpendicular(at.n), e2 = cross(at.n, e1);
      const Vec3 s =
          surface.moved(again.state, 1e-3 * size * (std::cos(angle) * e1 + std::sin(angle) * e2));
      if (!surface.holds(s)) return {};
      const Pose there = Pose::translation(surface.at(s).p);
      is_minimum = distance(point, there, pair.body.core, pair.X).phi > again.distance;
    }
    const bool is_known_now = std::ranges::any_of(
        known, [&](const Contact& c) { return norm(c.p_WCa - at.p) < kSame * size; });
    if (is_minimum && !is_known_now) {
      return "a minimum " + exact_text(again.distance) + " m away is missing";
    }
  }
  return {};
}

Outcome run_case(std::uint64_t seed) {
  Dice dice(seed);
  const CampaignShape a = random_surface(dice), b = random_partner(dice);
  const auto direction = [&] {
    return normalized(Vec3{dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1)});
  };
  Pair pair{make_piece(*a.shape.surface, a.shape.core), make_piece(b.shape.core, false), {}};
  prepare_for_smooth(pair.body);
  const Quat turned = quat_exp(dice.uniform(0.0, 3.0) * direction());
  // Over a random place of the surface, apart or in overlap by a little.
  const auto& tree = a.shape.surface->tree();
  const auto& node = tree[static_cast<std::size_t>(dice.below(static_cast<int>(tree.size())))];
  const SmoothSurface& surface = *a.shape.surface;
  const SurfacePoint place = surface.at(surface.moved(node.cell.middle(), {}));
  const Mat3 R = to_matrix(turned);
  const double size = bounding_radius(b.shape.core);
  const double above = extent(b.shape.core, transpose_times(R, -place.n));
  pair.X = {R, place.p + (above + size * dice.uniform(-0.01, 0.05)) * place.n};
  Outcome out;
  out.label = std::string(a.shape.kind->name) + "/" + b.shape.kind->name;
  out.scene = "carom: 1\nbodies:\n  a: {fixed: true, material: steel, shapes: [{" + a.text +
              "}]}\n  b: {fixed: true, material: steel, shapes: [{" + b.text +
              "}], position: " + vector_text(pair.X.p.x, pair.X.p.y, pair.X.p.z) +
              ", orientation: [" + exact_text(turned.w) + ", " + exact_text(turned.x) + ", " +
              exact_text(turned.y) + ", " + exact_text(turned.z) + "]}\n";
  out.limit = 1e-13;
  if (!is_finite(place.p) || !is_finite(place.n)) return out;  // the whole box
  if (!finder_smooth.handles(pair.surface, pair.body)) {
    out.complaint = "the pair is not known";
    return out;
  }
  const double margin = 0.1 * size;
  std::vector<DistanceCache> sites;
  const Pose X_WA;
  const Place on{pair.surface, X_WA}, of{pair.body, pair.X};
  finder_smooth.find_sites(on, of, margin, sites);
  std::vector<Contact> known;
  const double scale = a.shape.surface->size() + size + norm(pair.X.p);
  for (const DistanceCache& site : sites) {
    known.push_back(finder_smooth.find(on, of, site, nullptr));
    out.measure = std::max(out.measure, defect(pair, known.back()) / scale);
  }
  out.complaint = missing(pair, margin, known);
  return out;
}

}  // namespace

extern const Campaign campaign_surfaces{
    .name = "surfaces",
    .doc = "minima of the gap of formula surfaces of four kinds with seven kinds of bodies",
    .measure = "identities of a contact, over size",
    .count = 280000,
    .run = run_case};

}  // namespace carom::campaign
