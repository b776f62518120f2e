// A triangle mesh on a smooth surface that need not be convex: the area over which it presses, and
// how far the two are apart.
//
// As in convex bodies (mesh_area.h), u(x) is the depth of a point x of the mesh, here minus its
// distance from its nearest foot on the surface (surface_foot.h), n the normal there, m that of
// the mesh and dA = -n.m dS. The part of a triangle that is inside need not be convex nor hang
// together. So triangles are cut into cells, in squares of a lattice that hangs on the triangle,
// down to a size r at which the surface bends away from its tangent plane by a share of the depth
// only,
//
//   k r² <= e d,   k the largest curvature of the surface nearby, d the depth of the contact    (1)
//
// A cell is cut at u = 0 between its corners, and where the rim passes through it, the rim is taken
// for a parabola through three of its points. What lies outside is found out at large cells: |u|
// grows no faster than the way.
#pragma once

#include "carom/proximity/area/mesh_area.h"
#include "carom/proximity/area/surface_foot.h"

namespace carom {

/// `body.smooth` is the surface, `depth` how deep the two are in each other about [m].
void find_mesh_area_on_surface(const AreaMesh& mesh, const AreaBody& body, double depth,
                               bool is_first, AreaPatch& out);

/// The least distance of all triangles, negative of one that is inside. `memory` of the last such
/// question changes the time alone; `keep`, which may be null, takes what names this answer.
Contact mesh_surface_distance(const AreaMesh& mesh, const AreaBody& body, bool is_first,
                              const DistanceCache& memory, DistanceCache* keep = nullptr);

}  // namespace carom
