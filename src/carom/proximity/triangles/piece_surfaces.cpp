#include "carom/proximity/triangles/piece_surfaces.h"

#include <cmath>

#include "carom/proximity/triangles/surface_distance.h"

namespace carom::triangles {
namespace {

/// A half space is seen from above the middle of the other piece.
Pose below(const Pose& X_WH, const Place& other) {
  const Vec3 p = inverse(X_WH) * (other.X_WS * other.piece.centre);
  return {X_WH.R, X_WH * Vec3{p.x, p.y, 0.0}};
}

/// From the middle of A to that of B; where that says nothing, upwards.
Vec3 between_middles(const PieceSurfaces& s) {
  const Vec3 d = s.X_WB * s.B->tree.middle - s.X_WA * s.A->tree.middle;
  const double way = norm(d);
  return way > 0.0 ? d / way : Vec3{0.0, 0.0, 1.0};
}

}  // namespace

PieceSurfaces place_surfaces(const Place& a, const Place& b) {
  PieceSurfaces out{a.piece.triangles, b.piece.triangles, a.X_WS, b.X_WS, Faces::second_drawn_in};
  if (out.A && out.B) return out;
  out.faces = Faces::as_given;
  if (!out.A && out.B) out.A = b.piece.plane, out.X_WA = below(a.X_WS, b);
  if (!out.B && out.A) out.B = a.piece.plane, out.X_WB = below(b.X_WS, a);
  return out;
}

TriangleMesh plane_mesh(double reach) {
  // The other piece is within `reach` of the axis of z; the triangle's inner circle is farther, and
  // so is what is below it for every body that has not fallen through by many of its sizes.
  const double s = 64.0 * reach;
  return {{{-s, -s, 0.0}, {s, -s, 0.0}, {0.0, s, 0.0}, {0.0, 0.0, -s}},
          {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}};
}

void find_state(const PieceSurfaces& s, double most, Intersection& scratch, SurfaceState& out) {
  out.patches.clear();
  if (!s.A || !s.B) {
    out.apart = {};
    out.apart.phi = most, out.apart.status = Status::fatal;
    return;
  }
  const Pose X_AB = inverse(s.X_WA) * s.X_WB;
  intersect(*s.A, *s.B, X_AB, scratch, s.faces);
  for (const TrianglePatch& p : scratch.patches) {
    out.patches.push_back(moved(s.X_WA, calc_load(scratch, p)));
    // One wholly inside the other, or a curve around nothing: no direction is its own.
    Vec3& n = out.patches.back().normal;
    if (!(norm2(n) > 0.0)) n = between_middles(s);
  }
  out.apart = {};
  if (!out.patches.empty()) return;
  const SurfaceDistance found = find_distance(*s.A, *s.B, X_AB, s.faces, most, scratch.candidates);
  Contact& c = out.apart;
  c.phi = found.distance;
  if (!found.is_found) {  // far apart: along the line of their middles
    c.n_AB_W = between_middles(s);
    c.p_WCa = s.X_WA * s.A->tree.middle, c.p_WCb = s.X_WB * s.B->tree.middle;
    return;
  }
  c.p_WCa = s.X_WA * found.p_a, c.p_WCb = s.X_WA * found.p_b;
  const Vec3 gap = c.p_WCb - c.p_WCa;
  c.n_AB_W = found.distance > 0.0 ? gap / norm(gap) : between_middles(s);
}

Contact contact_of(const PatchLoad& patch) {
  Contact c;
  c.phi = -patch.depth;
  c.n_AB_W = patch.normal;
  const Vec3 half = 0.5 * patch.depth * patch.normal;
  c.p_WCa = patch.volume_centre + half, c.p_WCb = patch.volume_centre - half;
  return c;
}

}  // namespace carom::triangles
