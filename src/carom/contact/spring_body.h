// What the springs of an elastic contact are fixed to: the edges, corners, rims, rulings and
// the tip of a core, or its smooth surface (docs/elastic-contact.md).
//
// Made once per collider from its core. Everything is in the axes of the shape, and stiffness
// is per combined modulus E*. Faces carry
//
//   kappa = 2 sqrt(A/pi) / (length of the borders that carry)                       (1)
//
// so that a face pressed flat is a punch of stiffness 2 E* sqrt(A/pi), and an edge pi/4.
#pragma once

#include <cstdint>
#include <numbers>
#include <vector>

#include "carom/geometry/core.h"

namespace carom {

/// Angle within which a face counts as lying on another, an edge or ruling as lying along it
/// [rad]. Fixed: a range that follows the depth is no energy.
inline constexpr double kLying = 0.02;
/// Of an edge that lies on a plane, per E* and length: (pi/4) E* L d.
inline constexpr double kEdgeKappa = 0.25 * std::numbers::pi;

struct SpringEdge {
  Vec3 p, q;   ///< ends
  Vec3 along;  ///< unit, from p to q
  double length = 0.0;
  std::int32_t face[2] = {-1, -1};
  std::uint32_t corner[2] = {0, 0};
  double share = 1.0;     ///< of fine meshes: an edge that hardly is one carries little
  double lying = kLying;  ///< of its faces: at most half of the angle between them [rad]
};

struct SpringFace {
  Vec3 normal;  ///< unit, outward
  double offset = 0.0;
  double kappa = 0.0;  ///< (1)
  double area = 0.0;
  double lying = kLying;               ///< the least of its edges
  std::uint32_t first = 0, count = 0;  ///< its corners in `loop`, counter-clockwise from outside
  std::uint32_t first_edge = 0;        ///< in `loop_edges`: from corner i to the next
};

struct SpringCorner {
  Vec3 p;
  std::uint32_t first = 0, count = 0;  ///< its edges in `corner_edges`
};

/// A circle, or the half of it on the side of u, at the end of rulings.
struct SpringRim {
  Vec3 centre, u, v;
  double radius = 0.0;
  bool is_half = false;
  std::int32_t face = -1;    ///< the end face that it borders
  std::uint32_t ruling = 0;  ///< that ends on it
};

/// Straight lines from one circle to another, of which the lowest carries.
struct SpringRuling {
  Vec3 centre[2], u, v;
  double radius[2] = {0.0, 0.0};
  bool is_half = false;
  double length = 0.0;              ///< of a line
  std::int32_t face[2] = {-1, -1};  ///< flat sides that a half goes on in
};

struct SpringTip {
  Vec3 p;
  double tangent = 0.0;  ///< of half the opening angle
  std::uint32_t ruling = 0;
};

struct SpringBody {
  double rounding = 0.0;
  double size = 0.0;  ///< largest distance from its origin [m]
  std::vector<SpringEdge> edges;
  std::vector<SpringFace> faces;
  std::vector<SpringCorner> corners;
  std::vector<std::uint32_t> loop, loop_edges, corner_edges;
  std::vector<SpringRim> rims;
  std::vector<SpringRuling> rulings;
  std::vector<SpringTip> tips;
  bool is_smooth = false;    ///< an ellipsoid or a ball; all else is empty then
  Vec3 half_axes;            ///< of an ellipsoid; zero: a ball
  Vec3 centre;               ///< of the ball
  bool has_corners = false;  ///< rounded corners carry as balls
  /// Of a body with rims: the same of flat faces, its own first and in the same order. It stands
  /// for the body where a flat end reaches over the border of what it lies on, or something over
  /// its.
  std::vector<SpringBody> facets;

  bool is_faceted() const { return !faces.empty() && rims.empty(); }
  bool is_known() const { return is_smooth || !edges.empty() || !rims.empty(); }
};

/// Empty for cores whose surface is not known by features: half spaces and functions of users.
SpringBody make_spring_body(const Core& core);

}  // namespace carom
