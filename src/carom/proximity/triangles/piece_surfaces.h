// Two pieces as triangle surfaces in their places, and what is between them.
#pragma once

#include "carom/proximity/distance.h"
#include "carom/proximity/shape_piece.h"
#include "carom/proximity/triangles/patch_load.h"

namespace carom::triangles {

/// The surfaces of two pieces. A half space is a tetrahedron under the other piece: its face in
/// the plane is one triangle, which reaches farther than anything that can touch it.
struct PieceSurfaces {
  const TriangleSurface *A = nullptr, *B = nullptr;
  Pose X_WA, X_WB;
  Faces faces = Faces::second_drawn_in;
};
PieceSurfaces place_surfaces(const Place& a, const Place& b);

/// The tetrahedron for bodies that reach as far as `reach` from their centre [m].
TriangleMesh plane_mesh(double reach);

/// What is known of two surfaces where they are.
struct SurfaceState {
  std::vector<PatchLoad> patches;  ///< in the world
  Contact apart;                   ///< the nearest points, where there are no patches
  std::vector<PatchLoad> behind;   ///< scratch: patches of a sheet seen from its back
};

/// `most`: distances beyond it are not asked for; the answer is then `most` [m]. `near` may be
/// null.
void find_state(const PieceSurfaces& s, double most, Intersection& scratch, SurfaceState& out,
                NearPairs* near = nullptr);

/// A patch as a contact: mean depth, at the centre of the volume.
Contact contact_of(const PatchLoad& patch);

}  // namespace carom::triangles
