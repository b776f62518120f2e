#include "carom/engine/contact/rigid/rigid_output.h"

#include <algorithm>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_part.h"

namespace carom {
namespace {

/// Whether two pieces belong to the two bodies.
bool is_between_pieces(const ContactModel& contact, const WatchedPair& pair, PieceId a, PieceId b) {
  const auto body = [&](PieceId piece) {
    return contact.colliders[contact.pieces[piece].collider].body;
  };
  return std::minmax(body(a), body(b)) == std::minmax(pair.body_a, pair.body_b);
}

}  // namespace

bool is_watched_rigidly(const Model& model, const WatchedPair& pair) {
  const ContactModel& contact = model.contact;
  if (!contact.has_rigid || pair.own >= 0) return false;
  const auto n = static_cast<std::uint32_t>(contact.colliders.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    if (contact.colliders[i].body != pair.body_a) continue;
    for (std::uint32_t j = 0; j < n; ++j) {
      if (contact.colliders[j].body != pair.body_b) continue;
      const int law = contact.law_of(i, j);
      if (law >= 0 && contact.parts[at(contact.part_of_law[at(law)])] == &rigid_part) return true;
    }
  }
  return false;
}

RigidReading read_rigid(const Workspace& w, const WatchedPair& pair) {
  RigidReading reading;
  const ContactModel& contact = w.model->contact;
  if (!contact.has_rigid) return reading;
  for (const RigidPoint& p : w.modes.contacts.rigid.points) {
    if (p.state == RigidState::open) continue;
    if (!is_between_pieces(contact, pair, p.piece_a, p.piece_b)) continue;
    const bool sticks = p.state == RigidState::sticking;
    if (reading.state != 1.0) reading.state = sticks ? 2.0 : 1.0;
  }
  for (const StepImpulse& s : w.modes.contacts.rigid.steps) {
    if (!is_between_pieces(contact, pair, s.piece_a, s.piece_b)) continue;
    const bool sticks = s.state == RigidState::sticking;
    if (reading.state != 1.0) reading.state = sticks ? 2.0 : 1.0;
  }
  for (const RigidRecord& r : w.modes.contacts.rigid.records) {
    if (!is_between_pieces(contact, pair, r.piece_a, r.piece_b)) continue;
    reading.impacts += static_cast<double>(r.impacts);
    reading.impulse += r.impulse;
  }
  return reading;
}

}  // namespace carom
