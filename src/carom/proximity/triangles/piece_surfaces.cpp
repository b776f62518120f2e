#include "carom/proximity/triangles/piece_surfaces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/proximity/triangles/surface_distance.h"
#include "carom/proximity/triangles/through_wall.h"

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

/// How far the box of a body reaches across, along n of A's frame; sheets are flat.
double width_along(const TriangleSurface& s, const Mat3& R, const Vec3& n) {
  if (!s.is_closed) return std::numeric_limits<double>::infinity();
  const Vec3 own = transpose_times(R, n);
  double half = 0.0;
  for (std::size_t i = 0; i < 3; ++i) half += std::abs(own[i]) * s.tree.half[i];
  return 2.0 * half;
}

/// A body that is nearly swallowed has a small curve around all of its volume: V/A grows without
/// bound there. No overlap is deeper than either body is wide.
void bound_depth(const TriangleSurface& A, const TriangleSurface& B, const Mat3& R_AB,
                 TrianglePatch& patch) {
  if (patch.curves == 0) return;
  const double most =
      std::min(width_along(A, {}, patch.normal), width_along(B, R_AB, patch.normal));
  patch.volume = std::min(patch.volume, most * patch.area);
}

/// Patches in the world.
void find_patches(const PieceSurfaces& s, Intersection& scratch, NearPairs* near,
                  std::vector<PatchLoad>& out) {
  out.clear();
  const Pose X_AB = inverse(s.X_WA) * s.X_WB;
  intersect(*s.A, *s.B, X_AB, scratch, s.faces, near);
  const bool has_sheet = !s.A->is_closed || !s.B->is_closed;
  for (const TrianglePatch& p : scratch.patches) {
    if (has_sheet && p.curves == 0) continue;  // a sheet within a body has no depth there
    TrianglePatch patch = p;
    const bool is_through = !has_sheet && fill_wall(*s.A, *s.B, X_AB, scratch, patch);
    if (!is_through) bound_depth(*s.A, *s.B, X_AB.R, patch);
    out.push_back(moved(s.X_WA, calc_load(*s.A, *s.B, X_AB.R, scratch, patch)));
    out.back().is_through = is_through;
    out.back().enclosed = p.volume;
    // One wholly inside the other, or a curve around nothing: no direction is its own.
    Vec3& n = out.back().normal;
    if (!(norm2(n) > 0.0)) n = between_middles(s);
  }
}

PieceSurfaces turned(const PieceSurfaces& s) {
  PieceSurfaces out = s;
  if (!s.A->is_closed) out.A = s.A->back.get();
  if (s.A->is_closed && !s.B->is_closed) out.B = s.B->back.get();
  return out;
}

/// Patches of a body and a sheet, seen from both sides of the sheet.
class SheetSides {
 public:
  explicit SheetSides(const PieceSurfaces& s)
      : half_(0.5 * (s.A->is_closed ? s.A : s.B)->volume), hair_(s.A->shrink + s.B->shrink) {}

  /// By what the curve goes around, not by what its depth is bounded to: from the wrong side of the
  /// sheet a small curve goes around nearly all of the body.
  bool is_less(const PatchLoad& p) const { return p.is_measured && p.enclosed <= half_; }
  /// Nothing is to be found from the other side. A body that cuts itself has more in it than its
  /// volume says, but no depth beyond its width.
  bool is_certain(const PatchLoad& p) const { return is_less(p) && p.enclosed <= p.volume; }
  bool are_certain(const std::vector<PatchLoad>& all) const {
    return std::ranges::all_of(all, [&](const PatchLoad& p) { return is_certain(p); });
  }
  /// One of `others` is the same curve, with less in it.
  bool is_more_than(const PatchLoad& p, const std::vector<PatchLoad>& others) const {
    return std::ranges::any_of(others, [&](const PatchLoad& q) {
      return is_less(q) && is_same(p, q) && !(is_less(p) && p.enclosed <= q.enclosed);
    });
  }

 private:
  bool is_same(const PatchLoad& p, const PatchLoad& q) const {
    return norm(p.length_centre - q.length_centre) < 1e-6 * p.length + 4.0 * hair_;
  }

  double half_, hair_;  ///< of the body's volume [m³]; by which faces are drawn in [m]
};

/// A sheet has no inside of its own: the overlap is what lies on its side that has less of the
/// other body. So a patch counts as found from the front where its volume is at most half of that
/// body's, otherwise as found from the back. At a rim neither has a volume; there the other body
/// is where its middle is. The side that served last is asked first; if all that it finds is less,
/// the other side has nothing to add.
void find_sheet_patches(const PieceSurfaces& s, Intersection& scratch, NearPairs* near,
                        SurfaceState& state) {
  const bool is_a_sheet = !s.A->is_closed;
  const SheetSides sides(s);
  const bool from_behind = near && near->from_behind;
  find_patches(from_behind ? turned(s) : s, scratch, near, state.patches);
  if (sides.are_certain(state.patches)) return;
  find_patches(from_behind ? s : turned(s), scratch, nullptr, state.behind);
  if (near && sides.are_certain(state.behind)) near->from_behind = !from_behind;
  if (from_behind) std::swap(state.patches, state.behind);
  std::erase_if(state.behind, [&](const PatchLoad& p) { return !sides.is_less(p); });
  std::erase_if(state.patches, [&](const PatchLoad& p) {
    return (!sides.is_less(p) && !p.is_at_rim) || sides.is_more_than(p, state.behind);
  });
  std::erase_if(state.behind,
                [&](const PatchLoad& p) { return sides.is_more_than(p, state.patches); });
  for (PatchLoad& p : state.patches) {
    if (!p.is_at_rim) continue;
    const Vec3 to_b = is_a_sheet ? s.X_WB * s.B->tree.middle - p.length_centre
                                 : p.length_centre - s.X_WA * s.A->tree.middle;
    if (dot(p.normal, to_b) < 0.0) p.normal = -p.normal;
  }
  state.patches.insert(state.patches.end(), state.behind.begin(), state.behind.end());
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

void find_state(const PieceSurfaces& s, double most, Intersection& scratch, SurfaceState& out,
                NearPairs* near) {
  out.patches.clear();
  if (!s.A || !s.B) {
    out.apart = {};
    out.apart.phi = most, out.apart.status = Status::fatal;
    return;
  }
  if (s.A->back || s.B->back) {
    find_sheet_patches(s, scratch, near, out);
  } else {
    find_patches(s, scratch, near, out.patches);
  }
  out.apart = {};
  if (!out.patches.empty()) return;
  const Pose X_AB = inverse(s.X_WA) * s.X_WB;
  const SurfaceDistance found = find_distance(*s.A, *s.B, X_AB, s.faces, most, scratch.candidates,
                                              near ? &near->nearest : nullptr);
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
