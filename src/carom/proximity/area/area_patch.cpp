#include "carom/proximity/area/area_patch.h"

#include <algorithm>
#include <limits>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/area/face_plane.h"

namespace carom {
namespace {

/// Balls, ellipsoids and planes: areas of two of these are ellipses, all but.
bool has_round_rim(const Core& c) {
  return c.kind == &core_point || c.kind == &core_ellipsoid || c.kind == &core_half_space;
}

void integrate(const AreaBody& A, const AreaBody& B, const Contact& contact, int order,
               std::span<const AreaRival> rivals, AreaPatch& out) {
  const bool is_round_a = has_round_rim(A.core), is_round_b = has_round_rim(B.core);
  if (A.smooth || B.smooth || (is_round_a && is_round_b)) {
    return integrate_rays(A, B, contact, order, rivals, out);
  }
  if (has_flat_faces(A.core) && has_flat_faces(B.core)) return integrate_faces(A, B, contact, out);
  if (integrate_ruled(A, B, contact, order, out)) return;
  integrate_convex(A, B, contact, order, out);
}

}  // namespace

void find_area(const AreaBody& A, const AreaBody& B, const Contact& contact, int order,
               AreaPatch& out, std::span<const AreaRival> rivals) {
  out.count = 0, out.area = out.volume = 0.0;
  out.has_normals = false;
  if (!(contact.phi < 0.0)) return;
  const int lines = std::min(order, 8);
  if (A.smooth || B.smooth || (has_flat_faces(A.core) && has_flat_faces(B.core))) {
    return integrate(A, B, contact, lines, rivals, out);
  }
  Core plane;
  plane.kind = &core_half_space;
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  if (const auto below = half_space_under(A, contact.n_AB_W, B)) {
    return integrate({plane, *below, {}, kEndless}, B, contact, lines, rivals, out);
  }
  if (const auto below = half_space_under(B, -contact.n_AB_W, A)) {
    return integrate(A, {plane, *below, {}, kEndless}, contact, lines, rivals, out);
  }
  integrate(A, B, contact, lines, rivals, out);
}

}  // namespace carom
