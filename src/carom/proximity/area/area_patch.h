// The area over which two bodies are in each other, as points for integrals over it.
//
// With n the normal where they are deepest and s in the plane across it,
//
//   u(s) = how far A reaches up along n at s, less how far down B reaches                 (1)
//
// The gap of convex bodies is convex, so u is concave and the area u > 0 is convex. Integrals over
// areas are sums over points with an area each:
//
//   faces   Of two bodies with flat faces the area is cut into the polygons over which one face of
//           A is below one face of B; u is linear on each, and the points integrate polynomials of
//           degree 2 (usually 5) exactly.
//   sides   Of cylinders, cones and beams on a flat face, along the straight lines of their sides
//           (area_ruled.cpp).
//   convex  Of any other two convex bodies, superquadrics among them, rays from the middle of the
//           area, as many as it asks for (area_convex.cpp).
//   rays    Where one of the two is a smooth surface that need not be convex, rays from the deepest
//           point at equal angles, in coordinates in which the area is round, with Gauss's points
//           along each (area_rays.cpp). A ray ends at the rim, or where another contact of the two
//           is nearer.
//
// What a pose has for an answer does not depend on anything that was before.
#pragma once

#include <span>

#include "carom/geometry/smooth_surface.h"
#include "carom/proximity/distance.h"
#include "carom/proximity/point_list.h"

namespace carom {

inline constexpr int kMaxAreaPoints = 64;

struct AreaPoint {
  Vec3 p_W;           ///< between the two surfaces [m]
  double u = 0.0;     ///< depth, along n [m]
  double area = 0.0;  ///< across n [m²]
  Vec3 n_W{};         ///< from A to B, where points have their own normals
};

struct AreaPatch {
  int count = 0;  ///< 0: the bodies do not overlap by more than rounding
  PointList<AreaPoint, kMaxAreaPoints> points;  ///< more of meshes alone
  bool has_normals = false;                     ///< of their own
  double area = 0.0;                            ///< of all points [m²]
  double volume = 0.0;                          ///< integral of u [m³]
};

struct AreaBody {
  const Core& core;  ///< knows_exits()
  const Pose& X_WS;
  Vec3 centre;                            ///< of a ball around it, in its axes
  double reach = 0.0;                     ///< radius of that ball; may be infinite [m]
  const SmoothSurface* smooth = nullptr;  ///< in place of the core
};

/// Another contact of the same two, at a minimum of the gap of its own. By its measure
///
///   q(p) = ((e1.(p - p_c))² + (e2.(p - p_c))²)^½                                          (2)
///
/// its area is the circle q < 1, to second order: where q is less than the same of this contact, a
/// place belongs to the other one. So areas that have grown together are counted once, and one that
/// has just begun takes nothing away.
struct AreaRival {
  Vec3 p_W, e1_W, e2_W;
};
AreaRival rival_of(const Contact& contact, double size);

/// `contact` is the distance of the two, with phi < 0; `order`, at most 8, the number of lines and
/// of points on each.
void find_area(const AreaBody& A, const AreaBody& B, const Contact& contact, int order,
               AreaPatch& out, std::span<const AreaRival> rivals = {});

// Internal to it.

bool has_flat_faces(const Core& core);
void integrate_faces(const AreaBody& A, const AreaBody& B, const Contact& contact, AreaPatch& out);
/// False where there is no flat face under a body with round sides.
bool integrate_ruled(const AreaBody& A, const AreaBody& B, const Contact& contact, int order,
                     AreaPatch& out);
void integrate_convex(const AreaBody& A, const AreaBody& B, const Contact& contact, int order,
                      AreaPatch& out);
void integrate_rays(const AreaBody& A, const AreaBody& B, const Contact& contact, int order,
                    std::span<const AreaRival> rivals, AreaPatch& out);

}  // namespace carom
