// Convex pieces: distance by closed forms or Newton's method (distance.h), points of the patch on
// which they lie (manifold.h).
#include <algorithm>
#include <cmath>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/finder.h"

namespace carom {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Tilts over which a face is still a face. Fixed: weights that follow the depth do work of their
/// own.
constexpr double kTilt = 0.005;

bool handles(const ShapePiece& a, const ShapePiece& b) {
  return a.finder == &finder_convex && b.finder == &finder_convex;
}

bool is_closed_form(const ShapePiece& a, const ShapePiece& b) {
  return a.core.kind == &core_half_space || b.core.kind == &core_half_space ||
         (a.core.kind == &core_point && b.core.kind == &core_point);
}

/// Floors and walls are square to the axes, up to the rounding of a turn by a right angle: then
/// half of the world is clear of them. Within 1000 km they rise by less than the slack.
BoundingBox half_space_box(const Place& place, bool is_fixed) {
  constexpr double kSquare = 1e-12, kSlack = 1e-6;
  BoundingBox box{{-kInfinite, -kInfinite, -kInfinite}, {kInfinite, kInfinite, kInfinite}};
  if (!is_fixed) return box;  // it may turn within a step
  const Vec3 n = place.X_WS.R.col(2);
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::max(std::abs(n[(i + 1) % 3]), std::abs(n[(i + 2) % 3])) > kSquare) continue;
    const double rim = place.piece.core.rounding + kSlack;
    if (n[i] > 0.0) {
      box.upper[i] = place.X_WS.p[i] + rim;
    } else {
      box.lower[i] = place.X_WS.p[i] - rim;
    }
  }
  return box;
}

/// Corners are fewer than the directions in which others ask for their extent.
BoundingBox box_around(const Core& simplex, const Pose& X_WS) {
  const Vec3 first = X_WS * simplex.v[0];
  BoundingBox box{first, first};
  for (std::int32_t k = 1; k < simplex.count; ++k) {
    const Vec3 p = X_WS * simplex.v[k];
    for (std::size_t i = 0; i < 3; ++i) {
      box.lower[i] = std::min(box.lower[i], p[i]);
      box.upper[i] = std::max(box.upper[i], p[i]);
    }
  }
  const Vec3 r{simplex.rounding, simplex.rounding, simplex.rounding};
  return {box.lower - r, box.upper + r};
}

BoundingBox box_of(const Place& place, bool is_fixed) {
  const Core& core = place.piece.core;
  const Pose& X_WS = place.X_WS;
  if (!std::isfinite(place.piece.radius)) return half_space_box(place, is_fixed);
  if (core.kind == &core_point) {
    const Vec3 p = X_WS * core.v[0], r{core.rounding, core.rounding, core.rounding};
    return {p - r, p + r};
  }
  if (core.kind == &core_simplex) return box_around(core, X_WS);
  BoundingBox box;
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3 e;
    e[i] = 1.0;
    const Vec3 e_S = transpose_times(X_WS.R, e);
    box.upper[i] = X_WS.p[i] + extent(core, e_S);
    box.lower[i] = X_WS.p[i] - extent(core, -e_S);
  }
  return box;
}

void find_points(const Place& a, const Place& b, const Contact& contact, Manifold& points) {
  if (!a.piece.is_round && !b.piece.is_round) {
    find_manifold(a.piece.core, a.X_WS, b.piece.core, b.X_WS, contact, kTilt, points);
    return;
  }
  points.count = 1;
  points.has_normals = false;
  points.springs = 1.0;
  points.n_AB_W = contact.n_AB_W;
  points.length_direction_W = contact.k1_direction_W;
  points.area = points.length = points.width = 0.0;
  points.points[0] = {0.5 * (contact.p_WCa + contact.p_WCb), contact.phi, 1.0, 0};
}

Contact find_distance(const Place& a, const Place& b, const DistanceCache& memory) {
  if (is_closed_form(a.piece, b.piece)) {
    return distance(a.piece.core, a.X_WS, b.piece.core, b.X_WS);
  }
  DistanceCache warm = memory;  // the answer must not depend on the order of questions
  return distance(a.piece.core, a.X_WS, b.piece.core, b.X_WS, &warm);
}

Contact find(const Place& a, const Place& b, const DistanceCache& memory, Manifold* points) {
  if (!points) return find_distance(a, b, memory);
  const Contact contact = find_distance(a, b, memory);
  find_points(a, b, contact, *points);
  return contact;
}

Contact remember(const Place& a, const Place& b, DistanceCache& memory) {
  return distance(a.piece.core, a.X_WS, b.piece.core, b.X_WS, &memory);
}

}  // namespace

extern const ContactFinder finder_convex{.name = "convex",
                                         .doc = "convex shapes, and pieces of others",
                                         .rank = 0,
                                         .handles = handles,
                                         .is_closed_form = is_closed_form,
                                         .box = box_of,
                                         .find = find,
                                         .find_points = find_points,
                                         .remember = remember};

}  // namespace carom
