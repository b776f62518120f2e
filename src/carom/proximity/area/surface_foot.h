// The point of a smooth surface nearest to a given point, and with it how deep that is inside.
//
// With p a point of the surface, n its normal, K its shape operator, phi = n.(x - p) and g the
// tangential part of x - p, a foot has g = 0; Newton's method solves
//
//   (1 + phi K) t = g                                                                  (1)
//
// and a foot is a minimum of the distance where the matrix is positive. Of all of them the nearest
// is found by the tree of cells: what is in a cell is no nearer than the ball around it.
#pragma once

#include <algorithm>
#include <limits>

#include "carom/geometry/smooth_surface.h"

namespace carom {

struct SurfaceFoot {
  Vec3 state;
  SurfacePoint at;
  double phi = 0.0;      ///< distance along the normal, < 0 inside [m]
  bool is_held = false;  ///< false: the surface ends before it
};

/// The foot of x to which Newton's method leads from `state`. False where it leads to none.
bool settle_foot(const SmoothSurface& surface, const Vec3& x, const Vec3& state, SurfaceFoot& out);

/// The nearest foot of all. Where the surface has none for x, `out` is one beyond its border if
/// there is such a one (not held); false where there is nothing.
bool find_nearest_foot(const SmoothSurface& surface, const Vec3& x, SurfaceFoot& out);

/// How far a point is from a surface, by its leaves alone: between `least` and `most`.
struct GapRange {
  double least = 0.0, most = 0.0;  ///< without a sign [m]
  enum class Side : std::uint8_t { unknown, outside, inside };
  Side side = Side::unknown;

  /// No point within r is nearer to the outside, nor deeper.
  double least_within(double r) const { return (side == Side::outside ? least : -most) - r; }
};
GapRange gap_range(const SmoothSurface& surface, const Vec3& x);

/// What is known of the distance D from a surface within a ball about x, as bodies are cut down.
/// Where the surface bends by no more than k there and r + |D| is small against 1/k,
///
///   D(y) >= D(x) + n.(y - x) - k |y - x|²,                                       (2)
///
/// and nearest feet of all points in it are those to which Newton's method leads.
struct FootScope {
  SurfaceFoot foot;  ///< of x
  bool is_found = false;
  bool is_near = false;    ///< (2) holds
  double sharpest = kFar;  ///< k [1/m]
  double r = 0.0;

  static constexpr double kFar = std::numeric_limits<double>::infinity();

  /// No distance in the part of the ball with n.(y - x) >= `slope` is less.
  double least(double slope) const {
    if (!is_found || !foot.is_held) return -kFar;
    constexpr double kBend = 1.0;  // 1/2 k/(1 - 1/2)
    const double by_way = foot.phi - r;
    return is_near ? std::max(by_way, foot.phi + slope - kBend * sharpest * r * r) : by_way;
  }
};

/// `above` is a larger ball that holds this one, or null.
FootScope look_around(const SmoothSurface& surface, const Vec3& x, double r,
                      const FootScope* above);

/// Curvatures of a smaller ball are bounded anew.
void narrow_curvature(const SmoothSurface& surface, const Vec3& x, FootScope& scope);

}  // namespace carom
