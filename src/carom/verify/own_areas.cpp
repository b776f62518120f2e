#include "carom/verify/own_areas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "carom/base/contact_name.h"
#include "carom/proximity/smooth/smooth_search.h"
#include "carom/verify/own_track.h"

namespace carom::verify {
namespace {

/// A body as a line sees it: |p / r| <= 1 in the axes of a pose, |p_i| <= r_i, z <= 0, or below a
/// graph.
struct Solid {
  enum class Kind : std::uint8_t { quadric, box, plane, graph } kind = Kind::quadric;
  Pose X;
  Vec3 r;
  const SmoothSurface* graph = nullptr;

  double reach() const {
    if (kind == Kind::plane) return kInf;
    return kind == Kind::graph ? graph->size() : norm(r);
  }

  /// The farthest t with o + t d inside, of a graph the one nearest to o; nothing where the line
  /// passes it by.
  std::optional<double> top(const Vec3& o, const Vec3& d) const {
    const Vec3 p = inverse(X) * o, e = transpose_times(X.R, d);
    switch (kind) {
      case Kind::plane: return e.z > 0.0 ? std::optional(-p.z / e.z) : std::nullopt;
      case Kind::box: return top_of_box(p, e);
      case Kind::graph: return top_of_graph(p, e);
      default: return top_of_quadric(p, e);
    }
  }

 private:
  std::optional<double> top_of_quadric(const Vec3& p, const Vec3& e) const {
    double a = 0.0, b = 0.0, c = -1.0;
    for (std::size_t i = 0; i < 3; ++i) {
      a += e[i] * e[i] / (r[i] * r[i]);
      b += p[i] * e[i] / (r[i] * r[i]);
      c += p[i] * p[i] / (r[i] * r[i]);
    }
    const double root = b * b - a * c;
    return root >= 0.0 ? std::optional((std::sqrt(root) - b) / a) : std::nullopt;
  }

  std::optional<double> top_of_box(const Vec3& p, const Vec3& e) const {
    double in = -kInf, out = kInf;
    for (std::size_t i = 0; i < 3; ++i) {
      if (e[i] == 0.0) {
        if (std::abs(p[i]) > r[i]) return {};
        continue;
      }
      const double one = (-r[i] - p[i]) / e[i], other = (r[i] - p[i]) / e[i];
      in = std::max(in, std::min(one, other)), out = std::min(out, std::max(one, other));
    }
    return in <= out ? std::optional(out) : std::nullopt;
  }

  /// By halving, from well inside to well outside.
  std::optional<double> top_of_graph(const Vec3& p, const Vec3& e) const {
    const auto above = [&](double t) {
      const Vec3 x = p + t * e;
      return graph->holds({x.x, x.y, 0.0}) ? x.z - graph->at({x.x, x.y, 0.0}).p.z : kInf;
    };
    constexpr double kOfSize = 0.05;
    double in = -kOfSize * graph->size(), out = -in;
    if (!(above(in) < 0.0) || !(above(out) > 0.0)) return {};
    for (int i = 0; i < 52; ++i) (above(0.5 * (in + out)) < 0.0 ? in : out) = 0.5 * (in + out);
    return in;
  }
};

std::optional<Solid> solid_of(const BodySpec& body, const Pose& X_WB) {
  using Kind = Solid::Kind;
  if (body.shapes.size() != 1) return {};
  const Shape& s = body.shapes.front().shape;
  const std::string kind = s.kind->name;
  const Pose X = X_WB * body.shapes.front().X_BS;
  if (kind == "half_space") return Solid{Kind::plane, X, {}};
  if (kind == "sphere") return Solid{Kind::quadric, X, {s.params[0], s.params[0], s.params[0]}};
  if (kind == "ellipsoid") return Solid{Kind::quadric, X, {s.params[0], s.params[1], s.params[2]}};
  if (kind == "box") return Solid{Kind::box, X, 0.5 * Vec3{s.params[0], s.params[1], s.params[2]}};
  if (kind == "graph" || kind == "paraboloid") return Solid{Kind::graph, X, {}, s.surface.get()};
  return {};
}

/// Whether the two have one place of contact at most: a body that fits into every hollow.
bool is_single(const Solid& A, const Solid& B, const Core& a, const Core& b) {
  constexpr double kFits = 0.9;
  if (A.kind != Solid::Kind::graph && B.kind != Solid::Kind::graph) return true;
  if (A.kind == B.kind || A.kind == Solid::Kind::box || B.kind == Solid::Kind::box) return false;
  const double tight = A.graph ? calc_conformity(*A.graph, b) : calc_conformity(*B.graph, a);
  return tight < kFits;
}

struct OwnArea {
  double area = 0.0, volume = 0.0;
  Vec3 centre;  ///< of the area
};

/// u over the plane across n at o, along as many rays from there.
OwnArea integrate_from(const Solid& A, const Solid& B, const Vec3& o, const Vec3& n, double size,
                       int rays, bool is_round) {
  constexpr int kParts = 48;  // even, for Simpson's rule
  const Vec3 e1 = any_perpendicular(n), e2 = cross(n, e1);
  OwnArea sum;
  for (int k = 0; k < rays; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / rays;
    const Vec3 ray = std::cos(angle) * e1 + std::sin(angle) * e2;
    const auto depth = [&](double rho) {
      const auto a = A.top(o + rho * ray, n), b = B.top(o + rho * ray, -n);
      return a && b ? *a + *b : -1.0;
    };
    double in = 0.0, out = 2.0 * size;
    for (int i = 0; i < 60; ++i) (depth(0.5 * (in + out)) > 0.0 ? in : out) = 0.5 * (in + out);
    // The mean of u over the sector. Round bodies: Simpson's rule in the square of the radius, with
    // which u falls. Flat ones: u is linear, but falls to nothing within a hair of a side that
    // leans, so middles of parts, as many for the last hundredth as for all before.
    double mean = 0.0;
    for (int i = 0; is_round && i <= kParts; ++i) {
      const double weight = i == 0 || i == kParts ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
      const double x = std::sqrt(static_cast<double>(i) / kParts);
      mean += weight / (3.0 * kParts) * std::max(0.0, depth(in * x));
    }
    for (int i = 0; !is_round && i < 2 * kParts; ++i) {
      constexpr double kLast = 0.01;
      const double part = (i < kParts ? 1.0 - kLast : kLast) / kParts;
      const double x = (i < kParts ? 0.0 : 1.0 - kLast) + (i % kParts + 0.5) * part;
      mean += 2.0 * x * part * std::max(0.0, depth(in * x));
    }
    const double sector = std::numbers::pi * in * in / rays;
    sum.area += sector;
    sum.volume += sector * mean;
    sum.centre += (2.0 / 3.0 * sector * in) * ray;
  }
  sum.centre = sum.area > 0.0 ? o + sum.centre / sum.area : o;
  return sum;
}

/// A box may be deepest at a corner of the area, where most rays end at once: from its middle they
/// do not, and corners of the rim ask for more of them.
OwnArea integrate(const Solid& A, const Solid& B, const Vec3& o, const Vec3& n, double size) {
  const bool has_corners = A.kind == Solid::Kind::box || B.kind == Solid::Kind::box;
  if (!has_corners) return integrate_from(A, B, o, n, size, 48, true);
  const Vec3 middle = integrate_from(A, B, o, n, size, 180, false).centre;
  return integrate_from(A, B, middle, n, size, 720, false);
}

Pose row_pose(const Model& model, const Track& track, std::size_t body, std::size_t row) {
  const BodyInfo& info = model.bodies[body];
  return info.link == 0 ? info.X_LB : pose_at(track, row);
}

Vec3 row_vector(const Recording& rows, const std::string& name, std::size_t row) {
  return {rows.column(name + ".x")[row], rows.column(name + ".y")[row],
          rows.column(name + ".z")[row]};
}

const Core& core_of(const Model& model, std::size_t body) {
  return model.scene.bodies[body].shapes.front().shape.core;
}

const PairLaw* area_law(const Model& model, const WatchedPair& pair) {
  for (std::uint32_t i = 0; i < model.contact.colliders.size(); ++i) {
    for (std::uint32_t k = 0; k < model.contact.colliders.size(); ++k) {
      if (model.contact.colliders[i].body != pair.body_a) continue;
      if (model.contact.colliders[k].body != pair.body_b) continue;
      const int law = model.contact.law_of(i, k);
      if (law < 0) continue;
      const PairLaw& found = model.contact.laws[static_cast<std::size_t>(law)];
      if (found.area.is_on) return &found;
    }
  }
  return nullptr;
}

}  // namespace

void compare_areas(const Model& model, const Recording& rows, std::vector<Recomputed>& out) {
  constexpr std::size_t kMostRows = 40;
  constexpr double kAccuracy = 1e-3;  // what areas promise where nothing is said
  Recomputed areas{"areas", "contact area by rays, against the recorded one", 0.0, kAccuracy, 0};
  Recomputed forces{"areas", "K times volume by rays, against the normal force", 0.0, kAccuracy, 0};
  for (const WatchedPair& pair : model.contact.watched) {
    const PairLaw* law = pair.own < 0 ? area_law(model, pair) : nullptr;
    if (!law) continue;
    const auto a = static_cast<std::size_t>(pair.body_a), b = static_cast<std::size_t>(pair.body_b);
    const std::string name = contact_name(model.bodies[a].name, model.bodies[b].name);
    if (!has_column(rows, name + ".contact_area")) continue;
    Track of_a, of_b;
    if (model.bodies[a].link != 0 && !read_track(rows, model.bodies[a].name, of_a)) continue;
    if (model.bodies[b].link != 0 && !read_track(rows, model.bodies[b].name, of_b)) continue;
    const std::vector<double> area = rows.column(name + ".contact_area");
    const std::vector<double> force = rows.column(name + ".force.normal");
    const double K = std::string(law->normal->name) == "hertz" ? law->area.foundation : 0.0;
    const std::size_t stride = 1 + area.size() / kMostRows;
    for (std::size_t i = 0; i < area.size(); i += stride) {
      if (!(area[i] > 0.0)) continue;
      const auto A = solid_of(model.scene.bodies[a], row_pose(model, of_a, a, i));
      const auto B = solid_of(model.scene.bodies[b], row_pose(model, of_b, b, i));
      if (!A || !B || !is_single(*A, *B, core_of(model, a), core_of(model, b))) break;
      const Vec3 o = 0.5 * (row_vector(rows, name + ".closest_a", i) +
                            row_vector(rows, name + ".closest_b", i));
      const OwnArea own = integrate(*A, *B, o, row_vector(rows, name + ".normal", i),
                                    std::min(A->reach(), B->reach()));
      areas.difference = std::max(areas.difference, std::abs(own.area / area[i] - 1.0));
      ++areas.values;
      if (!(K > 0.0)) continue;
      forces.difference = std::max(forces.difference, std::abs(K * own.volume / force[i] - 1.0));
      ++forces.values;
    }
  }
  if (areas.values > 0) out.push_back(areas);
  if (forces.values > 0) out.push_back(forces);
}

}  // namespace carom::verify
