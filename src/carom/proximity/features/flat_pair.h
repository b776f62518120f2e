// What the two ways to find the area of two flat surfaces share (surface_faces.cpp for
// rectangles, surface_rounds.cpp where one is a circle): the view along the bisector of their
// normals, and the points of an area whose corners are known. Internal.
#pragma once

#include <span>

#include "carom/proximity/smooth/surface_algorithms.h"
#include "carom/proximity/vec2.h"

namespace carom {

inline constexpr double kNoArea = 1e-14;  ///< share of the size² that is no area

/// The plane across the bisector.
struct View {
  Vec3 origin, n, e1, e2;
  View(const Vec3& o, const Vec3& normal)
      : origin(o), n(normal), e1(any_perpendicular(normal)), e2(cross(normal, e1)) {}
  Vec2 see(const Vec3& p) const { return along(p - origin); }
  Vec2 along(const Vec3& d) const { return {dot(e1, d), dot(e2, d)}; }
  Vec3 place(const Vec2& q) const { return origin + q.x * e1 + q.y * e2; }
};

/// The sides of a corner as multiples of sine and cosine of the angle by which they turn, in the
/// plane with normal z.
struct Turn {
  double s, c;
  Turn(const Vec3& before, const Vec3& after, const Vec3& z)
      : s(dot(z, cross(before, after))), c(dot(before, after)) {}
  double angle() const { return std::max(0.0, std::atan2(s, c)); }
};

/// Share of B in normal and place of the contact, (2) of surface_faces.cpp; sets the normal.
double blend_normals(double area, double area_a, double area_b, const Vec3& z_a, const Vec3& z_b,
                     Manifold& out);

/// Points at the corners of the area, on A and on B, that turn by these angles.
void add_corners(std::span<const Vec3> on_a, std::span<const Vec3> on_b,
                 std::span<const double> turn, const PlacedSurface& a, const PlacedSurface& b,
                 double share_b, Manifold& out);

/// Where a line along the view's normal through q meets the plane of a flat surface.
Vec3 foot_on(const PlacedSurface& flat, const Vec3& q, const View& view);

/// The contact of points that lie by the share `on_b` of their gap from A.
SurfaceContact finish_flats(double area, double on_b, Manifold& out);

/// All corners of an outline lie above the inside of the other surface.
SurfaceContact touch_within(std::span<const Vec3> outline, const PlacedSurface& inner,
                            const PlacedSurface& outer, bool inner_is_a, Manifold& out);

/// Two flat surfaces of which one is a circle or both are.
SurfaceContact touch_rounds(const PlacedSurface& a, const PlacedSurface& b, const Vec3& bisector,
                            Manifold& out);

}  // namespace carom
