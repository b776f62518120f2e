#include "carom/engine/contact_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/engine/contact_forces.h"
#include "carom/engine/contact_part.h"
#include "carom/engine/normal_forces.h"
#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

const SpringBody* springs_of(const ContactModel& model, std::uint32_t collider) {
  return collider < model.springs.size() ? &model.springs[collider] : nullptr;
}

/// Tilts over which a face is still a face. Fixed: weights that follow the depth do work of their
/// own.
constexpr double kTilt = 0.005;

}  // namespace

bool has_closed_form(const Core& A, const Core& B) {
  return A.kind == &core_half_space || B.kind == &core_half_space ||
         (A.kind == &core_point && B.kind == &core_point);
}

PairState pair_state(const Workspace& w, const ContactPair& pair) {
  const ContactModel& model = w.model->contact;
  const Collider &A = model.colliders[pair.a], &B = model.colliders[pair.b];
  const LinkState &LA = w.tree.links[at(A.link)], &LB = w.tree.links[at(B.link)];
  return {pair,
          A,
          B,
          LA,
          LB,
          model.laws[at(pair.law)],
          shape_pose(LA, A),
          shape_pose(LB, B),
          springs_of(model, pair.a),
          springs_of(model, pair.b)};
}

bool has_sphere(const PairState& s) {
  return s.A.contact_radius.is_sphere || s.B.contact_radius.is_sphere;
}

Contact find_contact(const PairState& s) {
  if (has_closed_form(s.A.core, s.B.core)) return distance(s.A.core, s.X_WA, s.B.core, s.X_WB);
  DistanceCache warm = s.pair.warm;  // the answer must not depend on the order of questions
  return distance(s.A.core, s.X_WA, s.B.core, s.X_WB, &warm);
}

void find_points(const PairState& s, const Contact& contact, Manifold& manifold) {
  if (!s.A.is_round && !s.B.is_round) {
    find_manifold(s.A.core, s.X_WA, s.B.core, s.X_WB, contact, kTilt, manifold);
    return;
  }
  manifold.count = 1;
  manifold.n_AB_W = contact.n_AB_W;
  manifold.length_direction_W = contact.k1_direction_W;
  manifold.area = manifold.length = manifold.width = 0.0;
  manifold.points[0] = {0.5 * (contact.p_WCa + contact.p_WCb), contact.phi, 1.0, 0};
}

double sum_of_weights(const Manifold& m) {
  double sum = 0.0;
  for (std::size_t i = 0; i < at(m.count); ++i) sum += m.points[i].weight;
  return sum;
}

/// Elastic coefficients that the materials give the contact, per weight of its points.
ContactStiffness unit_stiffness(const PairState& s, const Contact& contact, const Manifold& m,
                                double depth) {
  return s.stiffness ? *s.stiffness : contact_stiffness(contact, m, s.law.material.modulus, depth);
}

Contact find_contact(const Workspace& w, const ContactPair& pair) {
  return part_for(w, pair).find(w, pair);
}

double distance_resolution(const Workspace& w, const ContactPair& pair, bool is_closed) {
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  constexpr double kClosed = 16.0 * kEps, kIterated = 1024.0 * kEps;
  const ContactModel& model = w.model->contact;
  const Collider &A = model.colliders[pair.a], &B = model.colliders[pair.b];
  const auto scale = [&](const Collider& c) {
    const Vec3& p = w.tree.links[at(c.link)].p_WL;
    const double size = std::isfinite(c.reach) ? c.reach : 0.0;
    return std::abs(p.x) + std::abs(p.y) + std::abs(p.z) + norm(c.X_LS.p) + size;
  };
  return (is_closed ? kClosed : kIterated) * (scale(A) + scale(B));
}

double distance_resolution(const Workspace& w, const ContactPair& pair) {
  return part_for(w, pair).resolution(w, pair);
}

bool surely_apart(const Workspace& w, const ContactPair& pair) {
  const ContactModel& model = w.model->contact;
  const Collider &A = model.colliders[pair.a], &B = model.colliders[pair.b];
  const LinkState &LA = w.tree.links[at(A.link)], &LB = w.tree.links[at(B.link)];
  const Vec3 d =
      (LB.p_WL + LB.R_WL * (B.X_LS * B.centre)) - (LA.p_WL + LA.R_WL * (A.X_LS * A.centre));
  if (A.core.kind == &core_half_space) {
    return dot(LA.R_WL * A.X_LS.R.col(2), d) > A.core.rounding + B.reach;
  }
  if (B.core.kind == &core_half_space) {
    return -dot(LB.R_WL * B.X_LS.R.col(2), d) > B.core.rounding + A.reach;
  }
  const double reach = A.reach + B.reach;
  return norm2(d) > reach * reach;
}

bool remember_contacts(Workspace& w, std::span<ContactPair> pairs) {
  const std::vector<Collider>& colliders = w.model->contact.colliders;
  bool changed = false;
  for (ContactPair& pair : pairs) {
    if (has_closed_form(colliders[pair.a].core, colliders[pair.b].core)) continue;
    const PairState s = pair_state(w, pair);
    const Contact contact = distance(s.A.core, s.X_WA, s.B.core, s.X_WB, &pair.warm);
    if (pair.mode == ContactMode::apart || contact.status != Status::ok) continue;
    changed |= change_base(w, contact, pair);
  }
  return changed;
}

double distance_rate(const Workspace& w, const ContactPair& pair, const Contact& contact) {
  const PairState s = pair_state(w, pair);
  return dot(contact.n_AB_W, relative_velocity(s, 0.5 * (contact.p_WCa + contact.p_WCb)));
}

}  // namespace carom
