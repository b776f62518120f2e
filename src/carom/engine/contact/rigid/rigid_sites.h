// Where rigid bodies touch: the points of a pair, how far they are apart, and how the point moves
// over both surfaces.
//
// Strictly convex surfaces meet in one point. Over a half space every corner of a polyhedron is a
// point of its own, be it sharp or a ball. Solids with faces, edges and corners meet in the
// features that touch (rigid_features.h). With curvatures K of the surfaces (positive where
// convex), slip u = v_B - v_A at the point, and s_A, s_B the velocities of the point over the
// surfaces,
//
//   s_A = s_B + u,   (K_A + K_B) s_B = (w_B - w_A) x n - K_A u,   n' = w_A x n + K_A s_A    (1)
//
// from which follow the rates of gap and slip,
//
//   phi'' = n . a + n' . u,   u' = a,   a = a_B - a_A + w_B x s_B - w_A x s_A            (2)
//
// with a_A, a_B of the material points.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/engine/contact/contact_points.h"
#include "carom/engine/contact/rigid/rigid_data.h"
#include "carom/engine/contact/rigid/rigid_rims.h"

namespace carom {

/// Why two pieces cannot touch as rigid bodies, and what to do instead; empty: they can.
struct RigidObstacle {
  std::string what, remedy;
  bool empty() const { return what.empty(); }
};
RigidObstacle find_rigid_obstacle(const Scene& scene, const ContactModel& model, const Collider& a,
                                  const Collider& b);
/// Whether where the two touch is known, so that events can be located.
bool touch_is_known(const ContactModel& model, const Collider& a, const Collider& b);

std::vector<std::shared_ptr<const RigidSolid>> make_solids(const Scene& scene,
                                                           const ContactModel& model);
std::vector<std::shared_ptr<const RigidRound>> make_rounds(const Scene& scene,
                                                           const ContactModel& model);

/// Whether a pair touches by features that come and go: only those that touch are points of it.
bool has_features(const Workspace& w, const ContactPair& pair);

/// What is left before others take over from a point of such a pair [m].
double margin_of_feature(const Workspace& w, const ContactPair& pair, const RigidSite& site);

/// Whether it is a round body on a half space (rigid_planes.h), and what is left of the margin of a
/// point of its rims [m].
bool has_rims(const Workspace& w, const ContactPair& pair);
double margin_of_rim(const Workspace& w, const ContactPair& pair, const RigidSite& site);
/// How fast points of a pair that touch run along rims [rad/s].
double turn_of_rims(const Workspace& w, const ContactPair& pair);

/// Of a point of a rim that lies flat: another point of the same rim, and the disc where it is.
RigidFeature feature_of_rim(const Workspace& w, const ContactPair& pair, RigidFeature beside,
                            double angle);
RigidDisc disc_of_rim(const Workspace& w, const ContactPair& pair, RigidFeature feature);

/// Whether a point is one of a pair.
inline bool is_point_of(const RigidPoint& point, const ContactPair& pair) {
  return point.piece_a == pair.piece_a && point.piece_b == pair.piece_b &&
         point.branch == pair.branch;
}

/// All points of a pair at the kinematics last evaluated; none where the finder fails.
void find_sites(const Workspace& w, const ContactPair& pair, std::vector<RigidSite>& out);
/// That of one feature; phi is infinite where there is none. `side`: of the lowest point of a rim.
RigidSite find_site(const Workspace& w, const ContactPair& pair, RigidFeature feature,
                    const Vec3& side = {});
/// The nearest of a pair as a contact of shapes.
Contact nearest_site(const Workspace& w, const ContactPair& pair);

/// a_B - a_A + bias with the accelerations that the links have (LinkState::A).
Vec3 relative_acceleration(const Workspace& w, const ContactPair& pair, const RigidSite& site);

/// Size of the smaller body of a pair, and what its gaps resolve [m].
double rigid_size(const Workspace& w, const ContactPair& pair);
double rigid_resolution(const Workspace& w, const ContactPair& pair);
/// Solids that touch may overlap by this before what else meets is looked for [m]: less than what
/// touches together.
double unseen_overlap(const Workspace& w, const ContactPair& pair);

}  // namespace carom
