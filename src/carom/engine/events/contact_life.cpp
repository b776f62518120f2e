#include "carom/engine/events/contact_life.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_history.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_sites.h"
#include "carom/engine/contact/contact_validity.h"
#include "carom/engine/events/contact_events.h"
#include "carom/engine/results/evidence.h"

namespace carom {
namespace {

int take_slot(ContactMemory& memory) {
  if (memory.free_slots.empty()) {
    // Room grows by half, so that it seldom grows: the integrator must restart then. There is no
    // use for more of it than there are pairs.
    const int pairs = static_cast<int>(memory.pairs.size());
    const int added = std::clamp(pairs - memory.slot_count, 1, std::max(4, memory.slot_count / 2));
    for (int i = added; i-- > 0;) memory.free_slots.push_back(memory.slot_count + i);
    memory.slot_count += added;
  }
  const int slot = memory.free_slots.back();
  memory.free_slots.pop_back();
  return slot;
}

/// Whether a minimum that was not there before appears deeper than a step could have brought it: a
/// new pair of minimum and saddle of surfaces that overlap. Fixed steps bring bodies as deep as
/// they are long; of implicit ones banks tell what went in.
bool is_born_in_overlap(Workspace& w, const ContactPair& pair, const Contact& contact) {
  const ContactPart& part = part_for(w, pair);
  const double h = w.step.explicit_step;
  if (&part != &elastic_part || (!w.step.locates_events && h == 0.0)) return false;
  const double way = 2.0 * h * norm(relative_velocity(pair_state(w, pair), contact.p_WCa));
  return has_sites(w.model->contact, pair.piece_a, pair.piece_b) &&
         -contact.phi > std::max(way, part.bearable_depth(w, pair, contact));
}

/// Nothing has been pressed into what is born in overlap: what is nearer from there on is met by
/// its force, and what it gives back is what has come in. It belongs to the impact that has brought
/// the bodies so deep, not to one of its own speed, which would be damped as a touch is.
void begin_empty(const Workspace& w, ContactPair& pair) {
  const auto is_pressed = [&](const ContactPair& other) {
    return other.is_site_of(pair) && other.mode != ContactMode::apart &&
           other.branch != pair.branch;
  };
  const auto pressed = std::ranges::find_if(w.modes.contacts.pairs, is_pressed);
  if (pressed != w.modes.contacts.pairs.end()) {
    pair.start = pressed->start, pair.constants = pressed->constants;
  }
  pair.guard.stored = pair.brought = 0.0;
  pair.guard.is_banked = true;
  pair.base_changed = true;  // its energy is not that of the pose
}

}  // namespace

void begin_contact(Workspace& w, double t, ContactPair& pair, bool at_start,
                   EventOutcome* outcome) {
  const Contact contact = find_contact(w, pair);
  const bool is_old = at_start || part_for(w, pair).is_divided(w, pair);
  pair.mode = ContactMode::touching;
  pair.begun = t;
  pair.deepest = 0.0;
  pair.track = {};
  pair.base_changed = false;
  part_for(w, pair).begin(w, pair, contact, at_start);
  // What a contact begins with was there before or came from nothing: never from its law. Kicks
  // count the way into it.
  pair.brought = is_old || w.step.kick_step == 0.0 ? pair.guard.stored : 0.0;
  if (!is_old && is_born_in_overlap(w, pair, contact)) {
    begin_empty(w, pair);
    if (outcome) outcome->findings.push_back(birth_finding(w, pair, contact));
  }
  pair.slot = take_slot(w.modes.contacts);
  if (outcome) {
    outcome->events.push_back(contact_event(w, t, "contact_begin", pair, pair.start.speed));
  }
}

void end_contact(Workspace& w, double t, std::span<double> x, ContactPair& pair,
                 EventOutcome& outcome, const char* kind) {
  EngineEvent event = contact_event(w, t, kind, pair, 0.0);
  const Contact contact = find_contact(w, pair);
  event.value = distance_rate(w, pair, contact);
  // A minimum that is no more takes its elastic energy with it: what flowed in stays booked.
  if (contact.end != Contact::End::none) pair.base_changed = true;
  std::ranges::move(part_for(w, pair).findings(w, pair, contact),
                    std::back_inserter(outcome.findings));
  part_for(w, pair).hand_over(w, x, pair);
  const SlotLayout& slot = w.model->contact.slot;
  const std::size_t first = w.model->size() + at(pair.slot * slot.width);
  if (first + at(slot.width) <= x.size()) {
    event.impulse = x[first + SlotLayout::kImpulse];
    ContactTotals& ended = w.modes.contacts.ended;
    ended.normal += x[first + SlotLayout::kNormal];
    ended.friction += x[first + SlotLayout::kFriction];
    add_stored(w, pair, x[first + SlotLayout::kStored], ended);
    event.energy_lost = x[first + SlotLayout::kNormal] + x[first + SlotLayout::kFriction];
    const bool lasts = bristles_last(w.model->contact.laws[at(pair.law)]);
    (lasts ? ended.friction : ended.bristle) += x[first + SlotLayout::kBristle];
    if (lasts) event.energy_lost += x[first + SlotLayout::kBristle];
    std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(first), slot.width, 0.0);
  }
  event.duration = t - pair.begun;
  event.peak_force = pair.track.peak_force, event.peak_depth = pair.track.peak_depth;
  event.slip = pair.track.slip;
  add_to_history(w.modes.contacts.history, history_of(pair, t, event.impulse, event.energy_lost));
  outcome.events.push_back(std::move(event));
  w.modes.contacts.free_slots.push_back(pair.slot);
  pair.slot = -1;
  pair.mode = ContactMode::apart;
}

bool begin_branches(Workspace& w, double t, bool at_start, EventOutcome* outcome) {
  bool began = false;
  while (watch_branches(w)) {
    bool more = false;
    for (ContactPair& pair : w.modes.contacts.pairs) {
      const ContactPart& part = part_for(w, pair);
      if (pair.mode != ContactMode::apart || !part.has_branches) continue;
      if (!part.is_divided(w, pair) || !part.overlaps(w, pair, part.find(w, pair).phi)) continue;
      begin_contact(w, t, pair, at_start, outcome);
      more = began = true;
    }
    if (!more) break;
  }
  return began;
}

void touch_near_pairs(Workspace& w, double t, std::span<const double> x) {
  find_near_pairs(w, t, x);
  for (ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.mode != ContactMode::apart) continue;
    const ContactPart& part = part_for(w, pair);
    const Contact contact = part.find(w, pair);
    if (part.may_lie_behind && !part.overlaps(w, pair, std::min(0.0, contact.phi))) continue;
    pair.mode = ContactMode::touching;
    part.begin_at_rest(w, pair, contact);
  }
  prepare_contacts(w);
}

void begin_overlapping(Workspace& w, double t, std::span<const double> x) {
  if (w.model->contact.empty()) return;
  w.contacts.search.list = {};
  find_near_pairs(w, t, x);
  for (ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.mode != ContactMode::apart) continue;
    const ContactPart& part = part_for(w, pair);
    if (part.overlaps(w, pair, part.find(w, pair).phi)) begin_contact(w, t, pair, true, nullptr);
  }
  begin_branches(w, t, true, nullptr);
  prepare_contacts(w);
}

void end_contacts_of(Workspace& w, double t, std::span<double> x,
                     std::span<const std::uint8_t> moved, EventOutcome& outcome) {
  const auto& colliders = w.model->contact.colliders;
  evaluate_kinematics(w, t, x);
  for (ContactPair& pair : w.modes.contacts.pairs) {
    const bool stays = !moved[at(colliders[pair.a].link)] && !moved[at(colliders[pair.b].link)];
    if (pair.mode == ContactMode::apart || stays) continue;
    end_contact(w, t, x, pair, outcome);
    if (pair.begun == t) outcome.events.pop_back();  // it has not been
  }
}

void inherit_states(Workspace& w, std::span<double> x) {
  const SlotLayout& slot = w.model->contact.slot;
  std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  for (ContactPair& pair : pairs) {
    const SlotId from = std::exchange(pair.inherits, -1);
    if (from < 0 || pair.slot < 0) continue;
    const auto parent = std::ranges::find(pairs, from, &ContactPair::slot);
    if (parent == pairs.end()) continue;
    double* source = &x[w.model->size() + at(from * slot.width)];
    double* own = &x[w.model->size() + at(pair.slot * slot.width)];
    const double held = pair.share * (parent->guard.stored + source[SlotLayout::kStored]);
    if (w.modes.banks) {
      own[SlotLayout::kStored] += held, source[SlotLayout::kStored] -= held;
    } else {
      pair.guard.stored += held, pair.brought += held;
      parent->guard.stored -= held, parent->brought -= held;
    }
    const PairLaw& law = w.model->contact.laws[at(pair.law)];
    if (!law.friction->has_bristle) continue;
    // Deflections are per load and the same for both; a force is shared.
    const bool adds_up = bristles_add_up(*law.friction, law.friction_params);
    for (std::size_t k = at(slot.bristle); k < at(slot.bristle) + 4; ++k) {
      own[k] = adds_up ? pair.share * source[k] : source[k];
      if (adds_up) source[k] -= own[k];
    }
  }
}

void begin_ahead(Workspace& w, double t, ContactPair& pair) {
  begin_contact(w, t, pair, false, nullptr);
  pair.load = 0.0;
  pair.told = false;
}

EngineEvent begin_event(const Workspace& w, const ContactPair& pair) {
  return contact_event(w, pair.begun, "contact_begin", pair, pair.start.speed);
}

}  // namespace carom
