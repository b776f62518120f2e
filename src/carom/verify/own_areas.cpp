#include "carom/verify/own_areas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "carom/base/contact_name.h"
#include "carom/proximity/smooth/smooth_search.h"
#include "carom/verify/own_quadrature.h"
#include "carom/verify/own_track.h"

namespace carom::verify {
namespace {

using Kind = OwnSolid::Kind;

/// What a body's area is integrated to (docs/contact-area.md): its force, and the area itself, of
/// which the rim is all and the depth nothing.
struct Accuracy {
  double force = 1e-3, area = 1e-3;
  bool operator==(const Accuracy&) const = default;
};
Accuracy stated_accuracy(const OwnSolid& s) {
  const double exponent = std::max(s.p, s.q);
  switch (s.kind) {
    case Kind::superquadric: return exponent <= 20.0 ? Accuracy{} : Accuracy{2e-3, 2e-3};
    case Kind::cylinder: return {1e-3, 3e-2};
    case Kind::capsule:
    case Kind::cone: return {2e-2, 3e-2};
    default: return {};
  }
}
/// Of a mesh in it: over the edge of a cylinder or cone, and nearly so over that of a superquadric,
/// the depth has a kink.
Accuracy stated_of_mesh(const OwnSolid& s) {
  if (s.is_any_of({Kind::cylinder, Kind::cone})) return {3e-2, 3e-2};
  if (s.kind != Kind::superquadric) return {};
  const double exponent = std::max(s.p, s.q);
  return exponent <= 8.0    ? Accuracy{1e-3, 5e-3}
         : exponent <= 20.0 ? Accuracy{3e-3, 1e-2}
                            : Accuracy{1e-2, 2e-2};
}
Accuracy coarser(const Accuracy& a, const Accuracy& b) {
  return {std::max(a.force, b.force), std::max(a.area, b.area)};
}

/// Whether a body fits into every hollow of a graph: then it has one place of contact.
bool fits(const OwnSolid& graph, const OwnSolid& other, const Core& core) {
  constexpr double kFits = 0.9;
  return other.kind == Kind::quadric && calc_conformity(*graph.graph, core) < kFits;
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

/// Whose ways out are found by iteration, or which is integrated in many parts.
bool is_dear(const Model& model, std::size_t body) {
  constexpr std::array<std::string_view, 3> kKinds = {"superquadric", "triangle_mesh", "torus"};
  const auto& shapes = model.scene.bodies[body].shapes;
  return !shapes.empty() &&
         std::find(kKinds.begin(), kKinds.end(), shapes.front().shape.kind->name) != kKinds.end();
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

/// Two bodies of which at least one is no mesh, at one row.
struct AreaRow {
  Vec3 o, n;
  double area = 0.0;  ///< recorded: how fine parts have to be
};

/// Of two solids: what fits the kinds, or nothing where they may touch in several places.
std::optional<OwnArea> own_area(const OwnSolid& A, const OwnSolid& B, const Core& a, const Core& b,
                                const AreaRow& row) {
  const bool is_ring = A.kind == Kind::torus || B.kind == Kind::torus;
  if (A.kind == Kind::graph || B.kind == Kind::graph) {
    const bool is_first = A.kind == Kind::graph;
    if (!(is_first ? fits(A, B, b) : fits(B, A, a))) return {};
    return own_round_area(A, B, row.o, row.n);
  }
  if (is_ring) {
    // Rings on planes and on each other are one contact all around; a ball has one nearest place
    // on the circle of a ring.
    const OwnSolid& other = A.kind == Kind::torus ? B : A;
    if (other.is_any_of({Kind::plane, Kind::torus})) {
      return A.kind == Kind::torus ? own_ring_area(A, B, row.area) : own_ring_area(B, A, row.area);
    }
    const bool is_ball =
        other.kind == Kind::quadric && other.r.x == other.r.y && other.r.y == other.r.z;
    if (!is_ball) return {};
  }
  const auto is_round = [](const OwnSolid& s) { return s.is_any_of({Kind::plane, Kind::quadric}); };
  if (is_round(A) && is_round(B)) return own_round_area(A, B, row.o, row.n);
  return own_edged_area(A, B, row.o, row.n);
}

/// A closed mesh of triangles that touches as such.
const TriangleMesh* mesh_of(const BodySpec& body) {
  if (body.shapes.size() != 1) return nullptr;
  const Shape& s = body.shapes.front().shape;
  if (std::string(s.kind->name) != "triangle_mesh" || !s.mesh) return nullptr;
  return s.mesh->report.bounds_a_body() ? &s.mesh->mesh : nullptr;
}

/// What is compared of all pairs that promise the same accuracy.
struct Comparison {
  Accuracy accuracy;
  Recomputed areas, forces, places;

  explicit Comparison(const Accuracy& to)
      : accuracy(to),
        areas{"areas", "contact area by rays or parts, against the recorded one", 0.0, to.area, 0},
        forces{"areas", "K times volume by rays or parts, against the normal force", 0.0, to.force,
               0},
        places{"areas", "centre of pressure by rays or parts, of the length of the area", 0.0,
               to.force, 0} {}

  /// Beyond what the quadrature here says of itself, of which no more than the accuracy counts.
  static void add(Recomputed& to, double own, double error, double recorded) {
    const double own_error = std::min(error / own, to.tolerance);
    to.difference = std::max(to.difference, std::abs(own / recorded - 1.0) - own_error);
    ++to.values;
  }
  void add_place(double off) {
    places.difference = std::max(places.difference, off);
    ++places.values;
  }
};

/// How two bodies are integrated here, and to what accuracy the engine does.
struct OwnPair {
  std::optional<OwnArea> own;
  Accuracy accuracy;
};

OwnPair recompute(const Model& model, std::size_t a, std::size_t b, const Pose& X_WA,
                  const Pose& X_WB, const AreaRow& row) {
  const BodySpec &of_a = model.scene.bodies[a], &of_b = model.scene.bodies[b];
  const auto A = own_solid(of_a, X_WA), B = own_solid(of_b, X_WB);
  if (A && B) {
    return {own_area(*A, *B, core_of(model, a), core_of(model, b), row),
            coarser(stated_accuracy(*A), stated_accuracy(*B))};
  }
  const bool is_first = !A;
  const TriangleMesh* mesh = mesh_of(is_first ? of_a : of_b);
  const auto& body = is_first ? B : A;
  if (!mesh || !body || body->kind == Kind::graph) return {};
  const Pose X = is_first ? X_WA * of_a.shapes.front().X_BS : X_WB * of_b.shapes.front().X_BS;
  return {own_mesh_area(*mesh, X, *body, row.area), stated_of_mesh(*body)};
}

}  // namespace

void compare_areas(const Model& model, const Recording& rows, std::vector<Recomputed>& out) {
  constexpr std::size_t kMostRows = 40, kMostDear = 8;
  std::vector<Comparison> found;
  const auto comparison = [&](const Accuracy& accuracy) -> Comparison& {
    for (Comparison& c : found) {
      if (c.accuracy == accuracy) return c;
    }
    return found.emplace_back(accuracy);
  };
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
    const std::size_t stride =
        1 + area.size() / (is_dear(model, a) || is_dear(model, b) ? kMostDear : kMostRows);
    for (std::size_t i = 0; i < area.size(); i += stride) {
      if (!(area[i] > 0.0)) continue;
      const AreaRow row{0.5 * (row_vector(rows, name + ".closest_a", i) +
                               row_vector(rows, name + ".closest_b", i)),
                        row_vector(rows, name + ".normal", i), area[i]};
      const OwnPair of =
          recompute(model, a, b, row_pose(model, of_a, a, i), row_pose(model, of_b, b, i), row);
      if (!of.own) break;
      Comparison& c = comparison(of.accuracy);
      c.add(c.areas, of.own->area, of.own->area_error, area[i]);
      if (K > 0.0) c.add(c.forces, K * of.own->volume, K * of.own->volume_error, force[i]);
      if (!(K > 0.0) || !has_column(rows, name + ".point.x")) continue;
      const Vec3 off = row_vector(rows, name + ".point", i) - of.own->pressure;
      c.add_place(norm(cross(row.n, off)) / of.own->length);
    }
  }
  for (const Comparison& c : found) {
    if (c.areas.values > 0) out.push_back(c.areas);
    if (c.forces.values > 0) out.push_back(c.forces);
    if (c.places.values > 0) out.push_back(c.places);
  }
}

}  // namespace carom::verify
