#include "carom/engine/contact/contact_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/normal_forces.h"
#include "carom/geometry/core_kinds.h"
#include "carom/proximity/finder.h"

namespace carom {
namespace {

const SpringBody* springs_of(const ContactModel& model, PieceId piece) {
  return piece < model.springs.size() ? &model.springs[piece] : nullptr;
}

}  // namespace

PairState pair_state(const Workspace& w, const ContactPair& pair) {
  const ContactModel& model = w.model->contact;
  const Collider &A = model.colliders[pair.a], &B = model.colliders[pair.b];
  const LinkState &LA = w.tree.links[at(A.link)], &LB = w.tree.links[at(B.link)];
  return {pair,
          A,
          B,
          model.pieces[pair.piece_a],
          model.pieces[pair.piece_b],
          LA,
          LB,
          model.laws[at(pair.law)],
          shape_pose(LA, A),
          shape_pose(LB, B),
          springs_of(model, pair.piece_a),
          springs_of(model, pair.piece_b),
          {},
          1.0,
          false,
          {},
          {},
          w.contacts.triangles.get()};
}

bool has_sphere(const PairState& s) {
  return s.A.contact_radius.is_sphere || s.B.contact_radius.is_sphere;
}

Contact find_contact(const PairState& s) {
  return finder_of(s.PA, s.PB).find(place_a(s), place_b(s), s.pair.warm, nullptr);
}

void find_points(const PairState& s, const Contact& contact, Manifold& manifold) {
  finder_of(s.PA, s.PB).find_points(place_a(s), place_b(s), contact, manifold);
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
  // Units in the last place of a closed form, and of an iteration: a sweep of poses shows 3, stacks
  // whose faces part and meet need the room.
  constexpr double kClosed = 16.0 * kEps, kIterated = 1024.0 * kEps;
  const ContactModel& model = w.model->contact;
  const Collider &A = model.colliders[pair.a], &B = model.colliders[pair.b];
  const auto scale = [&](const Collider& c, const ShapePiece& piece) {
    const Vec3& p = w.tree.links[at(c.link)].p_WL;
    const double size = std::isfinite(piece.reach) ? piece.reach : 0.0;
    return std::abs(p.x) + std::abs(p.y) + std::abs(p.z) + norm(c.X_LS.p) + size;
  };
  return (is_closed ? kClosed : kIterated) *
         (scale(A, model.pieces[pair.piece_a]) + scale(B, model.pieces[pair.piece_b]));
}

double finder_resolution(const Workspace& w, const ContactPair& pair) {
  const auto& pieces = w.model->contact.pieces;
  const ShapePiece &PA = pieces[pair.piece_a], &PB = pieces[pair.piece_b];
  return distance_resolution(w, pair, finder_of(PA, PB).is_closed_form(PA, PB));
}

double distance_resolution(const Workspace& w, const ContactPair& pair) {
  return part_for(w, pair).resolution(w, pair);
}

bool surely_apart(const Workspace& w, const ContactPair& pair, double gap) {
  const ContactModel& model = w.model->contact;
  const Collider &A = model.colliders[pair.a], &B = model.colliders[pair.b];
  const ShapePiece &PA = model.pieces[pair.piece_a], &PB = model.pieces[pair.piece_b];
  const LinkState &LA = w.tree.links[at(A.link)], &LB = w.tree.links[at(B.link)];
  const Vec3 d =
      (LB.p_WL + LB.R_WL * (B.X_LS * PB.centre)) - (LA.p_WL + LA.R_WL * (A.X_LS * PA.centre));
  if (PA.core.kind == &core_half_space) {
    return dot(LA.R_WL * A.X_LS.R.col(2), d) > PA.core.rounding + PB.reach + gap;
  }
  if (PB.core.kind == &core_half_space) {
    return -dot(LB.R_WL * B.X_LS.R.col(2), d) > PB.core.rounding + PA.reach + gap;
  }
  const double reach = PA.reach + PB.reach + gap;
  return norm2(d) > reach * reach;
}

Contact find_and_note(Workspace& w, std::size_t pair, const PairState& s) {
  const ContactFinder& finder = finder_of(s.PA, s.PB);
  NotedContacts& noted = w.contacts.noted;
  // Sites of a smooth surface are remembered otherwise than they are found.
  const bool is_worth_it = noted.is_noting && finder.remember && !finder.find_sites &&
                           !finder.is_closed_form(s.PA, s.PB);
  if (!is_worth_it) return find_contact(s);
  NotedContacts::Note& note = noted.of_pair[pair];
  note.piece_a = s.pair.piece_a, note.piece_b = s.pair.piece_b;
  note.warm = s.pair.warm;
  note.contact = finder.remember(place_a(s), place_b(s), note.warm);
  note.is_known = true;
  return note.contact;
}

namespace {

/// What was noted of the pair where the links are now, if anything was.
const NotedContacts::Note* find_note(const Workspace& w, const ContactPair& pair) {
  const NotedContacts& noted = w.contacts.noted;
  const auto i = static_cast<std::size_t>(&pair - w.modes.contacts.pairs.data());
  if (i >= noted.of_pair.size() || !noted.of_pair[i].is_known) return nullptr;
  const NotedContacts::Note& note = noted.of_pair[i];
  return note.piece_a == pair.piece_a && note.piece_b == pair.piece_b ? &note : nullptr;
}

}  // namespace

bool remember_contacts(Workspace& w, std::span<ContactPair> pairs) {
  const bool is_noted = std::ranges::equal(w.contacts.noted.q, w.q);
  const auto& pieces = w.model->contact.pieces;
  bool changed = false;
  for (ContactPair& pair : pairs) {
    const ShapePiece &PA = pieces[pair.piece_a], &PB = pieces[pair.piece_b];
    const ContactFinder& finder = finder_of(PA, PB);
    if (!finder.remember || finder.is_closed_form(PA, PB)) continue;
    Contact contact;
    if (const NotedContacts::Note* note = is_noted ? find_note(w, pair) : nullptr) {
      contact = note->contact, pair.warm = note->warm;
    } else {
      const PairState s = pair_state(w, pair);
      contact = finder.remember(place_a(s), place_b(s), pair.warm);
    }
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
