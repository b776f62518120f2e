#include "carom/engine/contact_events.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact_forces.h"
#include "carom/engine/contact_validity.h"

namespace carom {
namespace {

/// A contact has ended when the surfaces are this far apart [m]: above the rounding of a
/// distance, so that wheels which just touch do not part and meet at every step.
constexpr double kParted = 1e-13;

const PairLaw& law_of(const Workspace& w, const ContactPair& pair) {
  return w.model->contact.laws[at(pair.law)];
}

int take_slot(ContactMemory& memory) {
  if (memory.free_slots.empty()) {
    // Room grows by half, so that it seldom grows: the integrator must restart then.
    const int added = std::max(4, memory.slot_count / 2);
    for (int i = added; i-- > 0;) memory.free_slots.push_back(memory.slot_count + i);
    memory.slot_count += added;
  }
  const int slot = memory.free_slots.back();
  memory.free_slots.pop_back();
  return slot;
}

EngineEvent event_of(const Workspace& w, double t, const char* kind, const ContactPair& pair,
                     double value) {
  EngineEvent event;
  event.time = t;
  event.kind = kind;
  event.subject = collider_name(*w.model, pair.a);
  event.other = collider_name(*w.model, pair.b);
  event.value = value;
  return event;
}

void begin_contact(Workspace& w, double t, ContactPair& pair, bool at_start,
                   EventOutcome* outcome) {
  const Contact contact = find_contact(w, pair);
  const PairLaw& law = law_of(w, pair);
  pair.mode = ContactMode::touching;
  pair.begun = t;
  pair.deepest = 0.0;
  pair.start.speed = std::max(0.0, -distance_rate(w, pair, contact));
  pair.start.settling = at_start || pair.start.speed < law.material.v_small;
  pair.start.restitution = restitution_at(law.material, pair.start.speed);
  if (law.normal->start) {
    law.normal->start(pair.start, law.material, law.normal_params, pair.constants);
  }
  pair.expected_depth = expected_depth(w, pair, contact);
  pair.mass = lighter_mass(w, pair);
  pair.slot = take_slot(w.modes.contacts);
  if (outcome) {
    outcome->events.push_back(event_of(w, t, "contact_begin", pair, pair.start.speed));
  }
}

void end_contact(Workspace& w, double t, std::span<double> x, ContactPair& pair,
                 EventOutcome& outcome) {
  EngineEvent event = event_of(w, t, "contact_end", pair, 0.0);
  const Contact contact = find_contact(w, pair);
  event.value = distance_rate(w, pair, contact);
  const std::string warning = validity_warning(w, pair, contact);
  if (!warning.empty()) outcome.warnings.push_back(warning);
  const SlotLayout& slot = w.model->contact.slot;
  const std::size_t first = w.model->size() + at(pair.slot * slot.width);
  if (first + at(slot.width) <= x.size()) {
    event.impulse = x[first + SlotLayout::kImpulse];
    ContactTotals& ended = w.modes.contacts.ended;
    ended.normal += x[first + SlotLayout::kNormal];
    ended.friction += x[first + SlotLayout::kFriction];
    ended.stored += x[first + SlotLayout::kStored];
    std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(first), slot.width, 0.0);
  }
  outcome.events.push_back(std::move(event));
  w.modes.contacts.free_slots.push_back(pair.slot);
  pair.slot = -1;
  pair.mode = ContactMode::apart;
}

}  // namespace

std::string collider_name(const Model& model, std::uint32_t collider) {
  const Collider& c = model.contact.colliders[collider];
  const BodySpec& body = model.scene.bodies[at(c.body)];
  const std::string& shape = body.shapes[at(c.shape)].name;
  return body.shapes.size() > 1 && !shape.empty() ? body.name + "." + shape : body.name;
}

std::size_t state_size(const Workspace& w) {
  return w.model->size() + at(w.modes.contacts.slot_count) * at(w.model->contact.slot.width);
}

void contact_event_functions(Workspace& w, std::span<const double> x, std::span<double> g) {
  std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ContactPair& pair = pairs[i];
    const Contact contact = find_contact(w, pair);
    pair.deepest = std::max(pair.deepest, -contact.phi);
    const bool apart = pair.mode == ContactMode::apart;
    g[2 * i] = apart ? contact.phi : kParted - contact.phi;
    g[2 * i + 1] = 1.0;
    if (apart || !law_of(w, pair).normal->lets_go) continue;
    // Where the surfaces have parted it is the distance that speaks.
    const double force = contact.phi < 0.0 ? strongest_force(w, pair, contact, x) : 0.0;
    if (force != 0.0) g[2 * i + 1] = force;
  }
}

void handle_contact_event(Workspace& w, double t, std::span<double> x, int f,
                          EventOutcome& outcome) {
  ContactPair& pair = w.modes.contacts.pairs[at(f / 2)];
  const bool is_force = f % 2 == 1;
  if (!is_force && pair.mode == ContactMode::apart) {
    begin_contact(w, t, pair, false, &outcome);
  } else if (!is_force) {
    end_contact(w, t, x, pair, outcome);
  }
  outcome.restart = true;
  prepare_contacts(w);
}

bool switch_contacts(Workspace& w, double t, std::span<double> x, EventOutcome& outcome) {
  bool changed = false;
  for (ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.mode == ContactMode::apart && surely_apart(w, pair)) continue;
    const double phi = find_contact(w, pair).phi;
    pair.deepest = std::max(pair.deepest, -phi);
    if (pair.mode == ContactMode::apart && phi < 0.0) {
      begin_contact(w, t, pair, false, &outcome);
    } else if (pair.mode != ContactMode::apart && phi > kParted) {
      end_contact(w, t, x, pair, outcome);
    } else {
      continue;
    }
    changed = true;
  }
  if (changed) prepare_contacts(w);
  return changed;
}

std::vector<std::string> contact_warnings(const Workspace& w) {
  std::vector<std::string> warnings;
  for (const std::size_t i : w.touching) {
    const ContactPair& pair = w.modes.contacts.pairs[i];
    std::string warning = validity_warning(w, pair, find_contact(w, pair));
    if (!warning.empty()) warnings.push_back(std::move(warning));
  }
  return warnings;
}

void touch_near_pairs(Workspace& w, double t, std::span<const double> x) {
  find_near_pairs(w, t, x);
  for (ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.mode != ContactMode::apart) continue;
    const PairLaw& law = law_of(w, pair);
    pair.mode = ContactMode::touching;
    pair.start = {0.0, restitution_at(law.material, 0.0), true};
    if (law.normal->start) {
      law.normal->start(pair.start, law.material, law.normal_params, pair.constants);
    }
    pair.expected_depth = expected_depth(w, pair, find_contact(w, pair));
  }
  prepare_contacts(w);
}

void initialise_contacts(Workspace& w, double t, std::span<const double> x) {
  if (w.model->contact.empty()) return;
  w.modes.contacts = {};
  w.search.list = {};
  find_near_pairs(w, t, x);
  for (ContactPair& pair : w.modes.contacts.pairs) {
    if (find_contact(w, pair).phi <= 0.0) begin_contact(w, t, pair, true, nullptr);
  }
  prepare_contacts(w);
}

}  // namespace carom
