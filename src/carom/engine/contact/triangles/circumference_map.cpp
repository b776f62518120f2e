// A run keeps of a patch what its force needs; the curves are found anew where they are wanted.
#include "carom/engine/contact/triangles/circumference_map.h"

#include <algorithm>

namespace carom {
namespace {

using triangles::Intersection;
using triangles::PatchLoad;
using triangles::TrianglePatch;

/// The one that `load` was made of: its circumference has the same middle.
const TrianglePatch* patch_of(const Intersection& x, const Pose& X_WA, const PatchLoad& load) {
  const TrianglePatch* nearest = nullptr;
  double least = kInf;
  for (const TrianglePatch& patch : x.patches) {
    const double away = norm2(X_WA * patch.length_centre - load.length_centre);
    if (patch.curves > 0 && away < least) least = away, nearest = &patch;
  }
  return nearest;
}

/// Half of the segments beside a point are its share.
PressureMap map_curve(const Intersection& x, const triangles::Curve& curve, const Pose& X_WA,
                      const PatchLoad& load, double factor) {
  PressureMap map{{}, PressureMap::kCircumference, "N/m", load.normal, {}};
  const triangles::Curves& c = x.curves;
  const auto add = [&](std::uint32_t piercing) {
    const Vec3 p_W = X_WA * c.piercings[piercing].p;
    const double depth = load.depth + dot(load.slope, p_W - load.centre);
    map.points.push_back({p_W, factor * std::max(0.0, depth), 0.0});
  };
  for (std::uint32_t i = 0; i < curve.count; ++i) {
    const triangles::Segment& s = c.segments[c.order[curve.first + i]];
    if (i == 0) add(s.from);
    add(s.to);
    MapPoint *a = &map.points[map.points.size() - 2], *b = &map.points.back();
    const double half = 0.5 * norm(b->p_W - a->p_W);
    a->share += half, b->share += half;
  }
  return map;
}

}  // namespace

void map_circumference(Workspace& w, const ContactPair& pair, double force,
                       std::vector<PressureMap>& out) {
  const PatchLoad* found = find_patch(w, pair);
  if (!found || !(found->length > 0.0)) return;
  const PatchLoad load = *found;
  const PairState s = pair_state(w, pair);
  const triangles::PieceSurfaces surfaces = triangles::place_surfaces(place_a(s), place_b(s));
  Intersection& x = w.contacts.triangles->intersection;
  intersect(*surfaces.A, *surfaces.B, inverse(surfaces.X_WA) * surfaces.X_WB, x, surfaces.faces);
  const TrianglePatch* patch = patch_of(x, surfaces.X_WA, load);
  if (!patch) return;
  const double factor = load.pressed > 0.0 ? force / load.pressed : 0.0;
  for (std::uint32_t k = 0; k < patch->curves; ++k) {
    const triangles::Curve& curve = x.curves.curves[x.curves_by_patch[patch->first_curve + k]];
    if (curve.count > 0) out.push_back(map_curve(x, curve, surfaces.X_WA, load, factor));
  }
}

}  // namespace carom
