// Areas by two quadratures that share nothing with proximity/area. Each is done again with
// half as many parts: what the two differ by is the error that it states of itself.
//
// Two bodies seen along one normal n, from a point o of the area:
//
//   u(s) = where A ends along n + where B ends along -n,  A = ∫ dA,  V = ∫ u dA             (1)
//
// along rays from the middle of the area, at equal angles of axes in which it is as wide as long;
// their ends by halving, Gauss's points along them in panels that get shorter towards the rim.
//
// A surface M, of triangles or of a ring, in a body that knows the depth u and normal n of a point,
//
//   dA = max(0, -n.m) dS,  A = ∫ dA,  V = ∫ u dA                                            (2)
//
// over triangles that are halved along their sides, more often where the rim passes, until that
// changes little: the middles of their sides where all of a part is inside, else what is cut off of
// it.
#pragma once

#include "carom/verify/own_solids.h"

namespace carom::verify {

struct OwnArea {
  double area = 0.0, volume = 0.0;
  Vec3 centre;          ///< of the area
  Vec3 pressure;        ///< centre of u
  double length = 0.0;  ///< how far it reaches, from end to end about [m]
  /// What half the parts differ by, of the values themselves.
  double area_error = 0.0, volume_error = 0.0;
};

/// (1) where the area is round: from the deepest point, by Simpson's rule in the square of the
/// radius, with which u falls.
OwnArea own_round_area(const OwnSolid& A, const OwnSolid& B, const Vec3& o, const Vec3& n);
/// (1) of bodies with edges or flat sides.
OwnArea own_edged_area(const OwnSolid& A, const OwnSolid& B, const Vec3& o, const Vec3& n);

/// (2) of a mesh that bounds a body.
OwnArea own_mesh_area(const TriangleMesh& mesh, const Pose& X_WM, const OwnSolid& body,
                      double area_about);
OwnArea own_ring_area(const OwnSolid& ring, const OwnSolid& body, double area_about);

}  // namespace carom::verify
