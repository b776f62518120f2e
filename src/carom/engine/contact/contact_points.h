// Where the points of a contact are: the geometry of a pair at the kinematics last evaluated.
// Internal to contact_forces.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "carom/contact/stiffness.h"
#include "carom/engine/workspace.h"

namespace carom {

/// A pair and where its bodies are.
struct PairState {
  const ContactPair& pair;
  const Collider &A, &B;
  const ShapePiece &PA, &PB;  ///< of these
  const LinkState &LA, &LB;
  const PairLaw& law;
  Pose X_WA, X_WB;
  const SpringBody *springs_a, *springs_b;  ///< null: not of shapes
  /// Of one spring, where a part knows it; otherwise it follows from shapes and materials.
  std::optional<ContactStiffness> stiffness{};
  double springs = 1.0;     ///< of the whole contact, where a part knows it
  bool has_points = false;  ///< they are in the scratch as soon as the distance is known
  std::optional<std::array<Vec3, 4>> rub_points{};  ///< where the points rub, if not there
  Vec3 axis{};  ///< for friction that depends on the direction; zero: it does not
  TriangleScratch* triangles = nullptr;  ///< of the workspace, where shapes are triangles
};

/// Most shapes sit at the origin of their link, and a product of poses is most of what a pair of
/// balls would cost.
inline Pose shape_pose(const LinkState& L, const Collider& c) {
  if (c.link == 0) return c.X_LS;  // the world's own
  const Pose X_WL{L.R_WL, L.p_WL};
  return c.is_at_link ? X_WL : X_WL * c.X_LS;
}

PairState pair_state(const Workspace& w, const ContactPair& pair);

/// Size of the smaller piece [m].
inline double smaller_reach(const ContactModel& model, const ContactPair& pair) {
  return std::min(model.pieces[pair.piece_a].reach, model.pieces[pair.piece_b].reach);
}

bool has_sphere(const PairState& s);
/// Velocity of B relative to A at the point p.
inline Vec3 relative_velocity(const PairState& s, const Vec3& p) {
  const auto velocity = [&](const Collider& c, const LinkState& L) {
    return c.link == 0 ? Vec3{} : L.V.v + cross(L.V.w, p - L.p_WL);
  };
  return velocity(s.B, s.LB) - velocity(s.A, s.LA);
}

inline Place place_a(const PairState& s) { return {s.PA, s.X_WA}; }
inline Place place_b(const PairState& s) { return {s.PB, s.X_WB}; }

/// Distance of two shapes alone.
Contact find_contact(const PairState& s);
/// The same for an event function of the pair of this number, noted for remember_contacts where all
/// functions are evaluated.
Contact find_and_note(Workspace& w, std::size_t pair, const PairState& s);
/// Points of two shapes whose distance is known.
void find_points(const PairState& s, const Contact& contact, Manifold& manifold);
double sum_of_weights(const Manifold& m);
/// Elastic coefficients that the materials give the contact, per weight of its points.
ContactStiffness unit_stiffness(const PairState& s, const Contact& contact, const Manifold& m,
                                double depth);

}  // namespace carom
