// How a patch presses: a depth that is linear over it, along its circumference.
//
// With mean depth δ = V / A and the centres c_A of the area and c_V of the volume,
//
//   δ(x) = δ + g.(x - c_A),   g = V I_A⁻¹ (c_V - c_A)   in the plane of the patch,           (1)
//
// has the volume and its first moments. What presses per length of the circumference is
// proportional to max(0, δ(x)), along n everywhere:
//
//   P = ∮ max(0, δ(x)) ds,   p = ∮ max(0, δ(x)) x ds / P,                                    (2)
//
// exactly along every segment, so that a face counts alike however it is cut into triangles.
#pragma once

#include "carom/proximity/triangles/intersection.h"

namespace carom::triangles {

struct PatchLoad {
  bool is_measured = false;  ///< it has a depth and a normal
  bool is_at_rim = false;    ///< it has a normal, but its depth only by memory
  bool has_ends = false;     ///< its curve ends at the rim of a sheet
  bool is_through = false;   ///< it reaches through a wall, and is as if that were thick
  double length = 0.0;       ///< [m]
  double area = 0.0;         ///< [m²]
  double volume = 0.0;       ///< [m³]
  double enclosed = 0.0;     ///< the same before it was bounded by the widths of the bodies [m³]
  double depth = 0.0;        ///< mean, δ; of what lies wholly inside, its size [m]
  double pressed = 0.0;      ///< P [m²]
  Vec3 normal;               ///< from A to B
  Vec3 centre;               ///< of the area [m]
  Vec3 volume_centre;        ///< [m]
  Vec3 pressure_centre;      ///< p [m]
  Vec3 slope;                ///< g of (1)
  /// Where four equal forces stand for the pressure: p ± arm[0], p ± arm[1] [m].
  Vec3 arm[2];
  Vec3 length_centre;  ///< of the circumference [m]
  /// Where four equal springs have its second moments: the centre ± spread[0], ± spread[1] [m].
  Vec3 spread[2];
  /// The same where bodies that turn have the rate of the depth field (depth_rate.h): as long for a
  /// face, which tilts, and nothing for a ball, which rolls.
  Vec3 turning_arm[2], turning_spread[2];
};

/// Of a patch of `x`, the intersection of A and B, in the frame of A.
PatchLoad calc_load(const TriangleSurface& A, const TriangleSurface& B, const Mat3& R_AB,
                    const Intersection& x, const TrianglePatch& patch);

/// A patch without a volume of its own has what it had, and what it gained since: the depth is the
/// same all over it.
void remember_depth(double depth, PatchLoad& load);

/// The same in another frame.
PatchLoad moved(const Pose& X, const PatchLoad& load);

}  // namespace carom::triangles
