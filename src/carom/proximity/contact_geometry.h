// From an optimum (optimum.h) to what a contact is made of: witness points, features,
// and the curvature of the two surfaces relative to each other.
//
// With radii of curvature rho (the Hessian of the support function, rounding included)
// the curvature of one surface is the inverse of that matrix where the surface is
// curved, and zero along the edges, rulings and faces that carry the contact. The gap
// between the surfaces beside the contact is half the quadratic form of the sum
// K_A + K_B, whose eigenvalues are k1 >= k2.
#pragma once

#include "carom/proximity/convex/optimum.h"
#include "carom/proximity/distance.h"

namespace carom {

/// Fills `contact` from the optimum of the cores A and B.
void describe_contact(const Minkowski& M, const Optimum& optimum, const Pose& X_WA,
                      Contact& contact);

/// Curvature where one piece alone carries the contact; n, e1, e2 in the axes of the core.
SurfaceCurvature piece_curvature(const Core& core, const PieceKind& kind, std::uint32_t piece,
                                 const Vec3& n, const Vec3& e1, const Vec3& e2);
/// Curvature of a ball, infinite where it is a point.
double ball_curvature(double radius);

/// The names of a single piece, of an edge by its ends, and of a face by its axis.
ContactFeature vertex_feature(std::uint32_t piece);
ContactFeature edge_feature(std::uint32_t end, std::uint32_t other_end);
ContactFeature face_feature(std::size_t axis, bool negative);

/// A becomes B.
void exchange(Contact& contact);

/// Unit, across n and a line; any that is across n where the line is along it.
Vec3 across_edge(const Vec3& along, const Vec3& n);

/// Sets k1, k2 and k1_direction from the sum of two curvatures, and caps at infinity; then those of
/// each surface over that direction. n_AB_W is e1_W x e2_W.
void set_principal_curvatures(const SurfaceCurvature& a, const SurfaceCurvature& b,
                              const Vec3& e1_W, const Vec3& e2_W, Contact& contact);

}  // namespace carom
