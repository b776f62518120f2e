#include "carom/verify/own_areas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "carom/base/contact_name.h"
#include "carom/verify/own_track.h"

namespace carom::verify {
namespace {

/// |(p - c) / r| <= 1 in the axes of a pose; a half space where r is infinite.
struct Quadric {
  Pose X;
  Vec3 r;
  bool is_plane = false;

  /// The farthest t with o + t d inside; nothing where the line passes it by.
  std::optional<double> top(const Vec3& o, const Vec3& d) const {
    const Vec3 p = inverse(X) * o, e = transpose_times(X.R, d);
    if (is_plane) return e.z > 0.0 ? std::optional(-p.z / e.z) : std::nullopt;
    double a = 0.0, b = 0.0, c = -1.0;
    for (std::size_t i = 0; i < 3; ++i) {
      a += e[i] * e[i] / (r[i] * r[i]);
      b += p[i] * e[i] / (r[i] * r[i]);
      c += p[i] * p[i] / (r[i] * r[i]);
    }
    const double root = b * b - a * c;
    return root >= 0.0 ? std::optional((std::sqrt(root) - b) / a) : std::nullopt;
  }
};

std::optional<Quadric> quadric_of(const BodySpec& body, const Pose& X_WB) {
  if (body.shapes.size() != 1) return {};
  const Shape& s = body.shapes.front().shape;
  const std::string kind = s.kind->name;
  const Pose X = X_WB * body.shapes.front().X_BS;
  if (kind == "half_space") return Quadric{X, {}, true};
  if (kind == "sphere") return Quadric{X, {s.params[0], s.params[0], s.params[0]}};
  if (kind == "ellipsoid") return Quadric{X, {s.params[0], s.params[1], s.params[2]}};
  return {};
}

struct OwnArea {
  double area = 0.0, volume = 0.0;
};

/// u over the plane across n at o.
OwnArea integrate(const Quadric& A, const Quadric& B, const Vec3& o, const Vec3& n, double size) {
  constexpr int kRays = 48, kParts = 32;  // parts: even, for Simpson's rule
  const Vec3 e1 = any_perpendicular(n), e2 = cross(n, e1);
  OwnArea sum;
  for (int k = 0; k < kRays; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / kRays;
    const Vec3 ray = std::cos(angle) * e1 + std::sin(angle) * e2;
    const auto depth = [&](double rho) {
      const auto a = A.top(o + rho * ray, n), b = B.top(o + rho * ray, -n);
      return a && b ? *a + *b : -1.0;
    };
    double in = 0.0, out = 2.0 * size;
    for (int i = 0; i < 60; ++i) (depth(0.5 * (in + out)) > 0.0 ? in : out) = 0.5 * (in + out);
    double integral = 0.0;
    for (int i = 0; i <= kParts; ++i) {
      const double u = std::max(0.0, depth(in * std::sqrt(static_cast<double>(i) / kParts)));
      integral += u * (i == 0 || i == kParts ? 1.0 : i % 2 == 1 ? 4.0 : 2.0);
    }
    const double sector = std::numbers::pi * in * in / kRays;
    sum.area += sector;
    sum.volume += sector * integral / (3.0 * kParts);
  }
  return sum;
}

Pose row_pose(const Model& model, const Track& track, std::size_t body, std::size_t row) {
  const BodyInfo& info = model.bodies[body];
  return info.link == 0 ? info.X_LB : pose_at(track, row);
}

Vec3 row_vector(const Recording& rows, const std::string& name, std::size_t row) {
  return {rows.column(name + ".x")[row], rows.column(name + ".y")[row],
          rows.column(name + ".z")[row]};
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
      const auto A = quadric_of(model.scene.bodies[a], row_pose(model, of_a, a, i));
      const auto B = quadric_of(model.scene.bodies[b], row_pose(model, of_b, b, i));
      if (!A || !B) break;
      const Vec3 o = 0.5 * (row_vector(rows, name + ".closest_a", i) +
                            row_vector(rows, name + ".closest_b", i));
      const auto reach = [](const Quadric& q) {
        return q.is_plane ? kInf : std::max({q.r.x, q.r.y, q.r.z});
      };
      const OwnArea own = integrate(*A, *B, o, row_vector(rows, name + ".normal", i),
                                    std::min(reach(*A), reach(*B)));
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
