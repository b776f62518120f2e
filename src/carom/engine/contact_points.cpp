#include "carom/engine/contact_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/engine/contact_forces.h"
#include "carom/engine/normal_forces.h"
#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

const Surface* surface_of(const ContactModel& model, const Collider& c) {
  return c.surface < 0 ? nullptr : &model.surfaces[at(c.surface)];
}

const SpringBody* springs_of(const ContactModel& model, std::uint32_t collider) {
  return collider < model.springs.size() ? &model.springs[collider] : nullptr;
}

/// Points of connected surfaces into `manifold`.
Contact find_connection(const PairState& s, Manifold& manifold) {
  const SurfaceContact found =
      find_surface_contact(*s.surface_a, s.X_WA, *s.surface_b, s.X_WB, manifold);
  Contact contact;
  contact.phi = found.phi;
  contact.n_AB_W = found.n_AB_W;
  contact.p_WCa = found.p_WCa, contact.p_WCb = found.p_WCb;
  return contact;
}

/// Then a start would not be used.
bool has_closed_form(const Core& A, const Core& B) {
  return A.kind == &core_half_space || B.kind == &core_half_space ||
         (A.kind == &core_point && B.kind == &core_point);
}

/// Tilts over which a face is still a face. Fixed: weights that follow the depth do work of their
/// own.
constexpr double kTilt = 0.005;

}  // namespace

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
          pair.connection < 0 ? nullptr : &model.connections[at(pair.connection)],
          surface_of(model, A),
          surface_of(model, B),
          springs_of(model, pair.a),
          springs_of(model, pair.b)};
}

bool has_sphere(const PairState& s) {
  return s.A.contact_radius.is_sphere || s.B.contact_radius.is_sphere;
}

Contact find_contact(const PairState& s) {
  if (s.connection) {
    Manifold manifold;
    return find_connection(s, manifold);
  }
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

const Pose& carrier(const PairState& s) { return s.connection->points_on_b ? s.X_WB : s.X_WA; }

/// Mean of the points, in the frame of the surface along which they move.
Vec3 mean_point(const PairState& s, const Manifold& m) {
  Vec3 sum;
  double weights = 0.0;
  for (std::size_t i = 0; i < at(m.count); ++i) {
    sum += m.points[i].weight * m.points[i].p_WC;
    weights += m.points[i].weight;
  }
  if (!(weights > 0.0)) return {};
  const Pose& X = carrier(s);
  return transpose_times(X.R, sum / weights - X.p);
}

Contact find_all(const PairState& s, const Contact* known, Manifold& manifold) {
  if (s.connection) return find_connection(s, manifold);
  const Contact contact = known ? *known : find_contact(s);
  find_points(s, contact, manifold);
  return contact;
}

Vec3 flat_axis(const PairState& s) {
  if (!s.surface_a->is_flat() && !s.surface_b->is_flat()) return {};
  const bool on_b = surface_area(*s.surface_b) > surface_area(*s.surface_a);
  return (on_b ? s.X_WB : s.X_WA).R.col(0);
}

double sum_of_weights(const Manifold& m) {
  double sum = 0.0;
  for (std::size_t i = 0; i < at(m.count); ++i) sum += m.points[i].weight;
  return sum;
}

/// Elastic coefficients that the materials give the contact, per weight of its points.
ContactStiffness unit_stiffness(const PairState& s, const Contact& contact, const Manifold& m,
                                double depth) {
  if (!s.connection) return contact_stiffness(contact, m, s.law.material.modulus, depth);
  const double share = 1.0 / total_weight(s.connection->area);
  return {share * s.connection->stiffness.linear, share * s.connection->stiffness.hertz};
}

Contact find_contact(const Workspace& w, const ContactPair& pair) {
  return find_contact(pair_state(w, pair));
}

Contact find_connected(Workspace& w, const ContactPair& pair) {
  return find_connection(pair_state(w, pair), w.scratch.manifold);
}

double distance_resolution(const Workspace& w, const ContactPair& pair) {
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  constexpr double kClosed = 16.0 * kEps, kIterated = 1024.0 * kEps;
  const ContactModel& model = w.model->contact;
  const Collider &A = model.colliders[pair.a], &B = model.colliders[pair.b];
  const auto scale = [&](const Collider& c) {
    const Vec3& p = w.tree.links[at(c.link)].p_WL;
    const double size = std::isfinite(c.reach) ? c.reach : 0.0;
    return std::abs(p.x) + std::abs(p.y) + std::abs(p.z) + norm(c.X_LS.p) + size;
  };
  const bool is_closed = pair.connection >= 0 || has_closed_form(A.core, B.core);
  return (is_closed ? kClosed : kIterated) * (scale(A) + scale(B));
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

bool remember_contacts(Workspace& w) {
  const std::vector<Collider>& colliders = w.model->contact.colliders;
  bool changed = false;
  for (ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.connection >= 0) continue;
    if (has_closed_form(colliders[pair.a].core, colliders[pair.b].core)) continue;
    const PairState s = pair_state(w, pair);
    const Contact contact = distance(s.A.core, s.X_WA, s.B.core, s.X_WB, &pair.warm);
    if (pair.mode == ContactMode::apart || contact.status != Status::ok) continue;
    const SpringBase base = choose_base(s, contact, &pair.base);
    changed |= !(base == pair.base);
    pair.base = base;
  }
  return changed;
}

double distance_rate(const Workspace& w, const ContactPair& pair, const Contact& contact) {
  const PairState s = pair_state(w, pair);
  return dot(contact.n_AB_W, relative_velocity(s, 0.5 * (contact.p_WCa + contact.p_WCb)));
}

Vec3 mean_point(Workspace& w, const ContactPair& pair) {
  const PairState s = pair_state(w, pair);
  find_connection(s, w.scratch.manifold);
  return mean_point(s, w.scratch.manifold);
}

std::optional<double> far_apart(const Workspace& w, const ContactPair& pair) {
  constexpr double kClose = 0.25;
  const PairState s = pair_state(w, pair);
  const double near = s.A.radius + s.B.radius;
  const double gap = norm(s.X_WB.p - s.X_WA.p) - near;
  if (!(gap > kClose * std::min(s.A.radius, s.B.radius))) return {};
  return gap;
}

}  // namespace carom
