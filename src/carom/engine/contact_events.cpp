#include "carom/engine/contact_events.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/base/text.h"
#include "carom/engine/contact_forces.h"
#include "carom/engine/contact_history.h"
#include "carom/engine/contact_validity.h"
#include "carom/engine/event_blocks.h"

namespace carom {
namespace {

/// A contact has ended when the surfaces are this far apart [m], or eight times what their distance
/// resolves, so that wheels which just touch do not part and meet at every step.
constexpr double kParted = 1e-13;
constexpr double kPartedResolutions = 8.0;
/// A contact may begin at this share of the depth to expect: its energy is then 3e-8 of the impact.
constexpr double kShareOfDepth = 1e-3;

double parted(double resolution) { return std::max(kParted, kPartedResolutions * resolution); }

const PairLaw& law_of(const Workspace& w, const ContactPair& pair) {
  return w.model->contact.laws[at(pair.law)];
}

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

/// How the contact begins, as its law is told.
void start_law(const Workspace& w, ContactPair& pair, const Contact& contact, bool at_start) {
  const PairLaw& law = law_of(w, pair);
  pair.start.speed = std::max(0.0, -distance_rate(w, pair, contact));
  pair.start.settling = at_start || pair.start.speed < law.material.v_small;
  pair.start.restitution = restitution_at(law.material, pair.start.speed);
  if (law.normal->start) {
    law.normal->start(pair.start, law.material, law.normal_params, pair.constants);
  }
  choose_springs(w, pair, contact);
}

void begin_contact(Workspace& w, double t, ContactPair& pair, bool at_start,
                   EventOutcome* outcome) {
  const Contact contact = find_contact(w, pair);
  pair.mode = ContactMode::touching;
  pair.begun = t;
  pair.deepest = 0.0;
  pair.track = {};
  start_law(w, pair, contact, at_start);
  pair.expected_depth = expected_depth(w, pair, contact);
  pair.mass = lighter_mass(w, pair);
  prepare_guard(w, pair, contact);
  if (pair.connection >= 0) pair.home = mean_point(w, pair);
  pair.slot = take_slot(w.modes.contacts);
  if (outcome) {
    outcome->events.push_back(event_of(w, t, "contact_begin", pair, pair.start.speed));
  }
}

void end_contact(Workspace& w, double t, std::span<double> x, ContactPair& pair,
                 EventOutcome& outcome, const char* kind = "contact_end") {
  EngineEvent event = event_of(w, t, kind, pair, 0.0);
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
    ended.bristle += x[first + SlotLayout::kBristle];
    if (is_published(w, pair)) ended.published += x[first + SlotLayout::kStored];
    event.energy_lost = x[first + SlotLayout::kNormal] + x[first + SlotLayout::kFriction];
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

/// The elastic layer is used up: the contact lets go, or is only reported.
void pass_layer(Workspace& w, double t, std::span<double> x, ContactPair& pair,
                EventOutcome& outcome) {
  const Connection& connection = w.model->contact.connections[at(pair.connection)];
  if (connection.lets_go) {
    end_contact(w, t, x, pair, outcome, "contact_released");
    return;
  }
  const Contact contact = find_contact(w, pair);
  outcome.events.push_back(event_of(w, t, "contact_deep", pair, -distance_rate(w, pair, contact)));
  outcome.warnings.push_back("contact of '" + collider_name(*w.model, pair.a) + "' and '" +
                             collider_name(*w.model, pair.b) + "': deeper than its layer of " +
                             number_text(connection.layer) + " m; it pushes on");
}

const Connection* connection_of(const Workspace& w, const ContactPair& pair) {
  return pair.connection < 0 ? nullptr : &w.model->contact.connections[at(pair.connection)];
}

/// Whether two shapes or surfaces at this distance touch where nothing is known of their
/// past. A surface deeper than the layer of the other lies behind it.
bool overlaps(const Workspace& w, const ContactPair& pair, double phi) {
  const Connection* connection = connection_of(w, pair);
  return phi <= 0.0 && (!connection || phi >= -connection->layer);
}

/// Distance for the search of begin and end, without a closer look where that is idle.
double watched_distance(Workspace& w, const ContactPair& pair, Contact& contact) {
  if (pair.connection >= 0 && pair.mode == ContactMode::apart) {
    ++w.surface_tests;
    if (const std::optional<double> gap = far_apart(w, pair)) {
      ++w.surface_skips;
      return *gap;
    }
  }
  contact = pair.connection < 0 ? find_contact(w, pair) : find_connected(w, pair);
  return contact.phi;
}

}  // namespace

std::string collider_name(const Model& model, std::uint32_t collider) {
  const Collider& c = model.contact.colliders[collider];
  if (c.surface >= 0) return model.scene.surfaces[at(c.surface)].name;
  const BodySpec& body = model.scene.bodies[at(c.body)];
  const std::string& shape = body.shapes[at(c.shape)].name;
  return body.shapes.size() > 1 && !shape.empty() ? body.name + "." + shape : body.name;
}

std::size_t state_size(const Workspace& w) {
  return w.model->size() + at(w.modes.contacts.slot_count) * at(w.model->contact.slot.width);
}

PairFunctions calc_pair_functions(Workspace& w, const ContactPair& pair, std::span<const double> x,
                                  double* resolution) {
  Contact contact;
  const double phi = watched_distance(w, pair, contact);
  const double gamma = distance_resolution(w, pair);
  const bool apart = pair.mode == ContactMode::apart;
  PairFunctions g{apart ? phi + gamma : parted(gamma) - phi, 1.0, 1.0};
  resolution[0] = resolution[2] = gamma;
  resolution[1] = 0.0;
  if (apart) return g;
  if (const Connection* connection = connection_of(w, pair)) g[2] = connection->layer + phi;
  if (!law_of(w, pair).normal->lets_go) return g;
  // Where the surfaces have parted it is the distance that speaks.
  const StrongestForce strongest =
      phi < 0.0 ? strongest_force(w, pair, contact, x) : StrongestForce{};
  if (strongest.force != 0.0) g[1] = strongest.force;
  resolution[1] = strongest.slope * gamma;
  return g;
}

void handle_contact_event(Workspace& w, double t, std::span<double> x, ContactPair& pair,
                          ContactFunction function, EventOutcome& outcome) {
  if (function == ContactFunction::distance) {
    const double phi = find_contact(w, pair).phi;
    // What enters an outline sideways, deeper than the layer, comes from behind: it does not
    // touch until it has been in front.
    if (pair.mode == ContactMode::apart) {
      if (overlaps(w, pair, phi)) begin_contact(w, t, pair, false, &outcome);
    } else if (phi > 0.0) {
      end_contact(w, t, x, pair, outcome);
    }
  } else if (function == ContactFunction::layer && pair.mode != ContactMode::apart) {
    pass_layer(w, t, x, pair, outcome);
  }
  outcome.restart = true;
  prepare_contacts(w);
}

bool switch_contacts(Workspace& w, double t, std::span<double> x, EventOutcome& outcome) {
  bool changed = false;
  std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  w.known_contacts.of_pair.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ContactPair& pair = pairs[i];
    if (pair.mode == ContactMode::apart && surely_apart(w, pair)) continue;
    Contact& contact = w.known_contacts.of_pair[i];
    contact = find_contact(w, pair);
    const double phi = contact.phi;
    pair.deepest = std::max(pair.deepest, -phi);
    if (pair.mode == ContactMode::apart && phi < 0.0 && overlaps(w, pair, phi)) {
      begin_contact(w, t, pair, false, &outcome);
    } else if (pair.mode != ContactMode::apart && phi > parted(distance_resolution(w, pair))) {
      end_contact(w, t, x, pair, outcome);
    } else {
      continue;
    }
    changed = true;
  }
  w.known_contacts.are_current = true;
  if (changed) prepare_contacts(w);
  return changed;
}

namespace {

/// Of the pairs in their order, among all event functions or what these resolve.
class Distances {
 public:
  Distances(const Workspace& w, std::span<const double> g) : g_(part_of(w, contact_events, g)) {}
  double operator[](std::size_t pair) const { return g_[kContactFunctions * pair]; }

 private:
  std::span<const double> g_;
};

}  // namespace

bool mend_overlooked_contacts(Workspace& w, double t, std::span<double> x,
                              std::span<const double> g, EventOutcome& outcome) {
  bool mended = false;
  const Distances distances(w, g);
  std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ContactPair& pair = pairs[i];
    // Connected surfaces may overlap behind each other.
    if (pair.connection >= 0 || !(distances[i] < 0.0)) continue;
    if (pair.mode == ContactMode::apart) {
      begin_contact(w, t, pair, false, &outcome);
    } else {
      const bool is_parting = distance_rate(w, pair, find_contact(w, pair)) > 0.0;
      if (!is_parting) continue;
      end_contact(w, t, x, pair, outcome);
    }
    mended = true;
  }
  if (mended) prepare_contacts(w);
  return mended;
}

namespace {

/// Connected surfaces may overlap behind each other.
bool overlaps_apart(const ContactPair& pair, double distance, double resolution) {
  return pair.mode == ContactMode::apart && pair.connection < 0 && distance < -resolution;
}

}  // namespace

bool may_have_sunken(const Workspace& w, std::span<const double> g) {
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  const Distances distances(w, g), resolutions(w, w.event_resolution);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (overlaps_apart(pairs[i], distances[i], resolutions[i])) return true;
  }
  return false;
}

int find_sunken_pair(Workspace& w, std::span<const double> g) {
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  const Distances distances(w, g), resolutions(w, w.event_resolution);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!overlaps_apart(pairs[i], distances[i], resolutions[i])) continue;
    const Contact contact = find_contact(w, pairs[i]);
    ContactPair pair = pairs[i];
    start_law(w, pair, contact, false);
    const double bearable = std::max(2.0 * distance_resolution(w, pair),
                                     kShareOfDepth * expected_depth(w, pair, contact));
    if (-contact.phi > bearable) return static_cast<int>(i);
  }
  return -1;
}

bool begins_by_error(const Workspace& w, std::size_t f, double span) {
  const std::optional<ContactPlace> place = contact_place(w, f);
  if (!place || place->function != ContactFunction::distance) return false;
  const ContactPair& pair = w.modes.contacts.pairs[place->pair];
  if (pair.mode != ContactMode::apart || pair.connection >= 0) return false;
  const double rate = distance_rate(w, pair, find_contact(w, pair));
  return rate * span > 0.01 * distance_resolution(w, pair);
}

std::string pair_name(const Workspace& w, const ContactPair& pair) {
  return "'" + collider_name(*w.model, pair.a) + "' and '" + collider_name(*w.model, pair.b) + "'";
}

void note_depths(Workspace& w, std::span<const double> g) {
  const Distances distances(w, g);
  for (const std::size_t i : w.touching) {
    ContactPair& pair = w.modes.contacts.pairs[i];
    const double phi = parted(distance_resolution(w, pair)) - distances[i];
    pair.deepest = std::max(pair.deepest, -phi);
  }
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
    if (pair.connection >= 0 && !overlaps(w, pair, std::min(0.0, find_contact(w, pair).phi))) {
      continue;
    }
    const PairLaw& law = law_of(w, pair);
    pair.mode = ContactMode::touching;
    pair.start = {0.0, restitution_at(law.material, 0.0), true};
    if (law.normal->start) {
      law.normal->start(pair.start, law.material, law.normal_params, pair.constants);
    }
    const Contact contact = find_contact(w, pair);
    choose_springs(w, pair, contact);
    pair.expected_depth = expected_depth(w, pair, contact);
  }
  prepare_contacts(w);
}

void begin_overlapping(Workspace& w, double t, std::span<const double> x) {
  if (w.model->contact.empty()) return;
  w.search.list = {};
  find_near_pairs(w, t, x);
  for (ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.mode != ContactMode::apart) continue;
    if (overlaps(w, pair, find_contact(w, pair).phi)) begin_contact(w, t, pair, true, nullptr);
  }
  prepare_contacts(w);
}

void end_contacts_of(Workspace& w, double t, std::span<double> x,
                     std::span<const std::uint8_t> moved, EventOutcome& outcome) {
  const std::vector<Collider>& colliders = w.model->contact.colliders;
  evaluate_kinematics(w, t, x);
  for (ContactPair& pair : w.modes.contacts.pairs) {
    const bool stays = !moved[at(colliders[pair.a].link)] && !moved[at(colliders[pair.b].link)];
    if (pair.mode == ContactMode::apart || stays) continue;
    end_contact(w, t, x, pair, outcome);
    if (pair.begun == t) outcome.events.pop_back();  // it has not been
  }
}

}  // namespace carom
