// A triangle mesh in a convex body: the area over which it presses, and how far the two are apart.
//
// With u(x) the depth of a point x of the mesh in the body, n the outward normal of the body where
// its surface is nearest to x, and m that of the mesh,
//
//   dA = -n.m dS,   V = integral of u dA,   along n                                        (1)
//
// over the part of the mesh that is inside and faces the surface of the body (dA > 0); of a sheet,
// which has no inside, |n.m| counts. In a half space u is linear and n one, V is the volume that a
// closed mesh displaces, and the force of a foundation K V is the gradient of 1/2 K integral u² dA.
//
// A triangle that is wholly inside is a rule for triangles. Of one that is cut,
//
//   bodies with flat faces   the part over which one face is nearest is a polygon, and u linear on
//                            it: everything is exact;
//   others                   the part inside is convex: rays from a point of it to its rim, which
//                            is an edge of the triangle or where a line leaves the body, cut where
//                            the depth has kinks; Gauss's points along them and over the angles
//                            between corners.
//
// So the answer is a function of the pose alone, and continuous in it up to the error of the rules.
#pragma once

#include "carom/geometry/triangle_surface.h"
#include "carom/proximity/area/area_patch.h"

namespace carom {

struct AreaMesh {
  const TriangleSurface& surface;
  const Pose& X_WS;
};

/// `is_first`: the mesh is A, so that normals go from it to the body.
void find_mesh_area(const AreaMesh& mesh, const AreaBody& body, bool is_first, AreaPatch& out);

/// Distance of the two, or minus the depth of the deepest triangle. What a mesh is around and does
/// not touch is apart from it.
Contact mesh_distance(const AreaMesh& mesh, const AreaBody& body, bool is_first);

}  // namespace carom
