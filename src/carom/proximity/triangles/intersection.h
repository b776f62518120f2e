// The intersection of two triangle surfaces: curves, and the overlaps they go around.
//
//   Intersection found;
//   intersect(A, B, X_AB, found);
//   for (const TrianglePatch& p : found.patches) use(p.length, p.area, p.volume);
//
// With the curve C of a patch run through so that A's inside part lies to the left on A,
//
//   L = ∮ ds,   S = ½ ∮ r × dr,   A = |S|,   n = S / A  (from A to B),                      (1)
//   V = ⅓ ∮ r.dS over the parts of A inside B and of B inside A,                            (2)
//
// and, if B moves by dx, dV = -S.dx. Points are in A's frame. The answer depends on the surfaces
// and on X_AB alone, not on a query before; with equal X_AB it is the same wherever both are.
#pragma once

#include "carom/math/mat3.h"
#include "carom/proximity/triangles/near_pairs.h"
#include "carom/proximity/triangles/regions.h"

namespace carom::triangles {

struct TrianglePatch {
  std::uint32_t first_curve = 0, curves = 0;  ///< in Intersection::curves_by_patch
  bool is_closed = true;                      ///< every curve is closed
  bool is_measured = true;  ///< it goes around a volume: no rim of a sheet takes part
  double length = 0.0;      ///< L [m]
  Vec3 length_centre;       ///< ∮ r ds / L [m]
  Sym3 length_moment;       ///< ∮ (r - centre)(r - centre)ᵀ ds [m³]
  Vec3 area_vector;         ///< S [m²]
  double area = 0.0;        ///< A [m²]
  Vec3 normal;              ///< n; zero if there is no area
  Vec3 area_centre;         ///< of the patch seen along n; along n that of the length [m]
  Sym3 area_moment;         ///< ∫ (r - centre)(r - centre)ᵀ dA of what is seen along n [m⁴]
  double volume = 0.0;      ///< V [m³]; 0 if it is not measured
  Vec3 volume_centre;       ///< [m]
};

/// Signed tetrahedra from o, summed.
struct VolumeSum {
  Vec3 o;
  double six_volumes = 0.0;
  Vec3 moment;  ///< six volumes times four centres, from o

  void add(double weight, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 p = a - o, q = b - o, r = c - o;
    const double v = weight * dot(p, cross(q, r));
    six_volumes += v;
    moment += v * (p + q + r);
  }
};

/// Result and memory of a query; reused, it allocates nothing once it has grown.
struct Intersection {
  Curves curves;
  std::vector<std::uint32_t> curves_by_patch;
  std::vector<TrianglePatch> patches;  ///< one without curves is a part wholly inside

  TreePairs candidates;
  std::vector<RawSegment> raw;
  InsideParts inside_a, inside_b;
  Regions regions;
  std::vector<VolumeSum> volumes;
};

/// Curves only: pairs, segments and points, chained. `near`, which may be null, spares the search
/// where the same two are asked again from nearly the same pose.
void find_curves(const TriangleSurface& A, const TriangleSurface& B, const Pose& X_AB,
                 Intersection& out, Faces faces = Faces::second_drawn_in,
                 NearPairs* near = nullptr);

/// Curves and patches. A pose that is not finite gives none.
void intersect(const TriangleSurface& A, const TriangleSurface& B, const Pose& X_AB,
               Intersection& out, Faces faces = Faces::second_drawn_in, NearPairs* near = nullptr);

}  // namespace carom::triangles
