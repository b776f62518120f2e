#include "carom/proximity/triangles/intersection.h"

#include <algorithm>

#include "carom/proximity/triangles/moments.h"
#include "carom/proximity/triangles/near_filter.h"

namespace carom::triangles {
namespace {

/// Which curves and clusters make up which patch.
void gather(Intersection& x) {
  x.patches.assign(x.regions.patches, {});
  const std::vector<Curve>& curves = x.curves.curves;
  x.curves_by_patch.resize(curves.size());
  for (const Curve& c : curves) {
    TrianglePatch& patch = x.patches[c.patch];
    ++patch.curves;
    patch.is_closed = patch.is_closed && c.is_closed;
  }
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < x.patches.size(); ++i) {
    x.patches[i].is_measured = x.patches[i].is_closed && x.regions.doubtful[i] == 0;
  }
  for (TrianglePatch& p : x.patches) p.first_curve = first, first += p.curves, p.curves = 0;
  for (std::uint32_t i = 0; i < curves.size(); ++i) {
    TrianglePatch& p = x.patches[curves[i].patch];
    x.curves_by_patch[p.first_curve + p.curves++] = i;
  }
}

/// A list that was made for this pose is looked through once.
const std::vector<ItemPair>& find_near(const PlacedPair& placed, const Pose& X_AB,
                                       NearPairs& list) {
  near_pairs(placed.a.surface->tree, placed.b.surface->tree, X_AB, list);
  if (list.X_AB == X_AB) drop_far_pairs(placed, list.margin, list.found.items);
  return list.found.items;
}

}  // namespace

void find_curves(const TriangleSurface& A, const TriangleSurface& B, const Pose& X_AB,
                 Intersection& out, Faces faces, NearPairs* near) {
  if (!near) find_overlaps(A.tree, B.tree, X_AB, 0.0, out.candidates);
  const PlacedPair placed = place(A, B, X_AB, faces);
  find_segments(placed, near ? find_near(placed, X_AB, *near) : out.candidates.items, out.raw);
  chain_segments(placed, out.raw, out.curves);
}

void intersect(const TriangleSurface& A, const TriangleSurface& B, const Pose& X_AB,
               Intersection& out, Faces faces, NearPairs* near) {
  find_curves(A, B, X_AB, out, faces, near);
  out.patches.clear();
  out.curves_by_patch.clear();
  if (are_apart(A.tree, B.tree, X_AB)) return;
  const PlacedPair placed = place(A, B, X_AB, faces);
  find_inside(placed, false, out.curves, out.inside_a);
  find_inside(placed, true, out.curves, out.inside_b);
  find_regions(placed, out.curves, out.inside_a, out.inside_b, out.regions);
  gather(out);
  for (TrianglePatch& p : out.patches) measure_curves(out, p);
  measure_volumes(placed, out);
}

}  // namespace carom::triangles
