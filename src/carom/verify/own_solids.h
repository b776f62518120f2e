// Bodies as points and lines see them, from the parameters of their shapes alone: nothing of the
// cores, surfaces and exits by which the engine integrates.
//
//   value(p)   below zero inside, grows no faster than the way, and convex where the body is
//   top(o, d)  where a line leaves the body: zeros of value(), bracketed
//   depth(p)   of a point inside: the shortest way out, and the normal there
#pragma once

#include <optional>

#include "carom/engine/model.h"

namespace carom::verify {

struct OwnDepth {
  double u = 0.0;  ///< [m]
  Vec3 n_W;        ///< outward, where the surface is nearest
};

struct OwnSolid {
  enum class Kind : std::uint8_t {
    plane,
    quadric,
    box,
    cylinder,
    capsule,
    cone,
    superquadric,
    torus,
    graph
  } kind = Kind::quadric;
  Pose X;
  /// Half axes of quadrics, boxes and superquadrics; radius, length and top radius of cylinders,
  /// capsules and cones along x; radius and tube of tori about z.
  Vec3 r;
  double p = 2.0, q = 2.0;               ///< exponents of superquadrics
  const SmoothSurface* graph = nullptr;  ///< its heights are asked for, nothing else

  bool is_any_of(std::initializer_list<Kind> kinds) const;
  double reach() const;  ///< from the origin of X; infinite of a plane
  double value(const Vec3& p_S) const;
  /// The farthest t with o + t d inside, of tori and graphs the one nearest to o; nothing where the
  /// line passes it by.
  std::optional<double> top(const Vec3& o, const Vec3& d) const;
  /// Nothing outside. Not of graphs.
  std::optional<OwnDepth> depth(const Vec3& p_W) const;
};

/// The one shape of a body; nothing if there are more, or it is of another kind.
std::optional<OwnSolid> own_solid(const BodySpec& body, const Pose& X_WB);

}  // namespace carom::verify
