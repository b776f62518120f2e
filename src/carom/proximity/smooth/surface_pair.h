// Where two idealised surfaces touch: one to five moving points.
//
//              sphere   cylinder        rectangle, circle
//   sphere     point    point           point                     1 point
//   cylinder            point or line   line                      1 to 2
//   flat                                plane                     4 to 5; more where both
//                                                                 outlines cut each other, 8 of
//                                                                 a circle
//
// A point has its gap phi along the normal that all points share. The contact has as many springs
// as it has ends: 1 at the point of a point contact, 2 of a line, 4 of a face; every point has a
// share of them. Where a face or a line hangs over an edge its points move along the outline and
// the shares change, but there are 1, 2 or 4 springs as long as the surfaces overlap at all. The
// force acts on the sharper of the two surfaces, as in the paper: at the point of the sphere, the
// rim of the cylinder, the corner of the face; midway between surfaces of equal kind. Neither the
// order of the pair nor the choice of axes matters.
#pragma once

#include "carom/proximity/manifold/manifold.h"
#include "carom/proximity/smooth/surface.h"

namespace carom {

enum class ContactArea : std::uint8_t { none, point, line, plane };

struct SurfaceContact {
  double phi = 0.0;                      ///< of the deepest point; > 0 where nothing can touch [m]
  ContactArea area = ContactArea::none;  ///< none: the surfaces do not overlap sideways
  Vec3 n_AB_W;                           ///< unit normal from A to B
  Vec3 p_WCa, p_WCb;                     ///< of the deepest point [m]
};

/// Points into `out` (none where the area is none); its area and length are those of the
/// contact. Allocates nothing.
SurfaceContact find_surface_contact(const IdealSurface& A, const Pose& X_WA, const IdealSurface& B,
                                    const Pose& X_WB, Manifold& out);

/// The shape of the area that a pair of surfaces has; of two cylinders that of parallel ones.
ContactArea usual_area(const IdealSurface& a, const IdealSurface& b);
/// "point", "line", "plane" or "none".
const char* area_name(ContactArea area);
/// Springs of such an area.
double total_weight(ContactArea area);

}  // namespace carom
