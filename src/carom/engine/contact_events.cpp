#include "carom/engine/contact_events.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/base/text.h"
#include "carom/engine/contact_forces.h"
#include "carom/engine/contact_validity.h"

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
}

void begin_contact(Workspace& w, double t, ContactPair& pair, bool at_start,
                   EventOutcome* outcome) {
  const Contact contact = find_contact(w, pair);
  pair.mode = ContactMode::touching;
  pair.begun = t;
  pair.deepest = 0.0;
  start_law(w, pair, contact, at_start);
  pair.expected_depth = expected_depth(w, pair, contact);
  pair.mass = lighter_mass(w, pair);
  if (pair.connection >= 0) pair.home = mean_point(w, pair);
  // A contact that begins with energy was found too late: that energy came from nothing. It must
  // not pass for work of the law.
  if (!at_start && contact.phi < 0.0 && !is_conservative(w, pair)) {
    w.modes.contacts.ended.stored += elastic_energy(w, pair, contact, {});
  }
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
  std::ranges::move(validity_findings(w, pair, contact), std::back_inserter(outcome.findings));
  const SlotLayout& slot = w.model->contact.slot;
  const std::size_t first = w.model->size() + at(pair.slot * slot.width);
  if (first + at(slot.width) <= x.size()) {
    event.impulse = x[first + SlotLayout::kImpulse];
    ContactTotals& ended = w.modes.contacts.ended;
    ended.normal += x[first + SlotLayout::kNormal];
    ended.friction += x[first + SlotLayout::kFriction];
    if (!is_conservative(w, pair)) ended.stored += x[first + SlotLayout::kStored];
    std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(first), slot.width, 0.0);
  }
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
  const std::string subject = pair_text(w, pair);
  outcome.findings.push_back({"layer", subject, -contact.phi, connection.layer, false,
                              subject + ": deeper than its layer of " +
                                  number_text(connection.layer) + " m; it pushes on"});
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

namespace {

using PairFunctions = std::array<double, kContactFunctions>;

/// The functions of one pair, and what they resolve.
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

}  // namespace

void contact_event_functions(Workspace& w, std::span<const double> x, std::span<double> g) {
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  double* resolution = w.event_resolution.data() + (w.event_resolution.size() - g.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t first = kContactFunctions * i;
    const PairFunctions functions = calc_pair_functions(w, pairs[i], x, resolution + first);
    std::ranges::copy(functions, g.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

void some_contact_functions(Workspace& w, std::span<const double> x,
                            std::span<const std::size_t> which, std::size_t offset,
                            std::span<double> g) {
  PairFunctions functions{};
  std::size_t known = static_cast<std::size_t>(-1);
  for (std::size_t k = 0; k < which.size(); ++k) {
    const std::size_t f = which[k] - offset, i = f / kContactFunctions;
    if (i != known) {
      double* resolution = &w.event_resolution[offset + kContactFunctions * i];
      functions = calc_pair_functions(w, w.modes.contacts.pairs[i], x, resolution);
      known = i;
    }
    g[k] = functions[f % kContactFunctions];
  }
}

void handle_contact_event(Workspace& w, double t, std::span<double> x, int f,
                          EventOutcome& outcome) {
  ContactPair& pair = w.modes.contacts.pairs[at(f) / kContactFunctions];
  const ContactFunction function = contact_function(at(f));
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

bool mend_overlooked_contacts(Workspace& w, double t, std::span<double> x,
                              std::span<const double> g, EventOutcome& outcome) {
  bool mended = false;
  std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ContactPair& pair = pairs[i];
    // Connected surfaces may overlap behind each other.
    if (pair.connection >= 0 || !(g[kContactFunctions * i] < 0.0)) continue;
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
bool overlaps_apart(const Workspace& w, std::size_t i, std::span<const double> g) {
  const ContactPair& pair = w.modes.contacts.pairs[i];
  return pair.mode == ContactMode::apart && pair.connection < 0 &&
         g[kContactFunctions * i] <
             -w.event_resolution[contact_event_start(w) + kContactFunctions * i];
}

}  // namespace

bool may_have_sunken(const Workspace& w, std::span<const double> g) {
  for (std::size_t i = 0; i < w.modes.contacts.pairs.size(); ++i) {
    if (overlaps_apart(w, i, g)) return true;
  }
  return false;
}

int find_sunken_pair(Workspace& w, std::span<const double> g) {
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!overlaps_apart(w, i, g)) continue;
    const Contact contact = find_contact(w, pairs[i]);
    ContactPair pair = pairs[i];
    start_law(w, pair, contact, false);
    const double bearable = std::max(2.0 * distance_resolution(w, pair),
                                     kShareOfDepth * expected_depth(w, pair, contact));
    if (-contact.phi > bearable) return static_cast<int>(i);
  }
  return -1;
}

bool begins_by_error(const Workspace& w, int f, double span) {
  const ContactPair& pair = w.modes.contacts.pairs[at(f) / kContactFunctions];
  if (contact_function(at(f)) != ContactFunction::distance) return false;
  if (pair.mode != ContactMode::apart || pair.connection >= 0) return false;
  const double rate = distance_rate(w, pair, find_contact(w, pair));
  return rate * span > 0.01 * distance_resolution(w, pair);
}

std::string pair_name(const Workspace& w, const ContactPair& pair) {
  return "'" + collider_name(*w.model, pair.a) + "' and '" + collider_name(*w.model, pair.b) + "'";
}

void note_depths(Workspace& w, std::span<const double> g) {
  for (const std::size_t i : w.touching) {
    ContactPair& pair = w.modes.contacts.pairs[i];
    const double phi = parted(distance_resolution(w, pair)) - g[kContactFunctions * i];
    pair.deepest = std::max(pair.deepest, -phi);
  }
}

std::vector<Finding> contact_findings(const Workspace& w) {
  std::vector<Finding> findings;
  for (const std::size_t i : w.touching) {
    const ContactPair& pair = w.modes.contacts.pairs[i];
    std::ranges::move(validity_findings(w, pair, find_contact(w, pair)),
                      std::back_inserter(findings));
  }
  return findings;
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
    pair.expected_depth = expected_depth(w, pair, find_contact(w, pair));
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
