// Where the points of a contact are: the geometry of a pair at the kinematics last evaluated.
// Internal to contact_forces.
#pragma once

#include "carom/contact/stiffness.h"
#include "carom/engine/workspace.h"

namespace carom {

/// A pair and where its bodies are.
struct PairState {
  const ContactPair& pair;
  const Collider &A, &B;
  const LinkState &LA, &LB;
  const PairLaw& law;
  Pose X_WA, X_WB;
  const Connection* connection;  ///< null: two shapes
  const Surface *surface_a, *surface_b;
  const SpringBody *springs_a, *springs_b;  ///< null: surfaces
};

/// Most shapes sit at the origin of their link, and a product of poses is most of what a pair of
/// balls would cost.
inline Pose shape_pose(const LinkState& L, const Collider& c) {
  if (c.link == 0) return c.X_LS;  // the world's own
  const Pose X_WL{L.R_WL, L.p_WL};
  return c.is_at_link ? X_WL : X_WL * c.X_LS;
}

PairState pair_state(const Workspace& w, const ContactPair& pair);

bool has_sphere(const PairState& s);
/// Velocity of B relative to A at the point p.
inline Vec3 relative_velocity(const PairState& s, const Vec3& p) {
  const auto velocity = [&](const Collider& c, const LinkState& L) {
    return c.link == 0 ? Vec3{} : L.V.v + cross(L.V.w, p - L.p_WL);
  };
  return velocity(s.B, s.LB) - velocity(s.A, s.LA);
}

/// Distance alone.
Contact find_contact(const PairState& s);
/// Points of two shapes whose distance is known.
void find_points(const PairState& s, const Contact& contact, Manifold& manifold);
/// Distance and points at once; `known`, the distance of two shapes, may be null.
Contact find_all(const PairState& s, const Contact* known, Manifold& manifold);

/// The x axis of the larger flat surface of two connected ones; zero if neither is flat.
Vec3 flat_axis(const PairState& s);

double sum_of_weights(const Manifold& m);
/// Elastic coefficients that the materials give the contact, per weight of its points.
ContactStiffness unit_stiffness(const PairState& s, const Contact& contact, const Manifold& m,
                                double depth);

/// Frame of the surface along which the points of connected surfaces move, and their mean in it.
const Pose& carrier(const PairState& s);
Vec3 mean_point(const PairState& s, const Manifold& m);

}  // namespace carom
