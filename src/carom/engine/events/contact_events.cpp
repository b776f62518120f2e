#include "carom/engine/events/contact_events.h"

#include <algorithm>
#include <iterator>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_sites.h"
#include "carom/engine/events/contact_life.h"
#include "carom/engine/results/evidence.h"

namespace carom {

double parted(double resolution) {
  constexpr double kParted = 1e-13, kResolutions = 8.0;
  return std::max(kParted, kResolutions * resolution);
}

EngineEvent contact_event(const Workspace& w, double t, const char* kind, const ContactPair& pair,
                          double value) {
  EngineEvent event;
  event.time = t;
  event.kind = kind;
  event.subject = collider_name(*w.model, pair.a);
  event.other = collider_name(*w.model, pair.b);
  event.value = value;
  return event;
}

std::string collider_name(const Model& model, ColliderId collider) {
  const Collider& c = model.contact.colliders[collider];
  if (c.surface >= 0) return model.scene.surfaces[at(c.surface)].name;
  const BodySpec& body = model.scene.bodies[at(c.body)];
  const std::string& shape = body.shapes[at(c.shape)].name;
  return body.shapes.size() > 1 && !shape.empty() ? body.name + "." + shape : body.name;
}

std::size_t state_size(const Workspace& w) {
  return w.model->size() + at(w.modes.contacts.slot_count) * at(w.model->contact.slot.width);
}

void calc_pair_functions(Workspace& w, const PairState& s, std::span<const double> x,
                         const Contact& contact, double gamma, double* g, double* resolution) {
  const double phi = contact.phi;
  const bool apart = s.pair.mode == ContactMode::apart;
  g[0] = apart ? phi + gamma : parted(gamma) - phi;
  g[1] = g[2] = 1.0;
  resolution[0] = resolution[2] = gamma;
  resolution[1] = 0.0;
  if (apart || !s.law.normal->lets_go) return;
  // Where the surfaces have parted it is the distance that speaks.
  const StrongestForce strongest = phi < 0.0 ? strongest_force(w, s, contact, x) : StrongestForce{};
  if (strongest.force != 0.0) g[1] = strongest.force;
  resolution[1] = strongest.slope * gamma;
}

void handle_contact_event(Workspace& w, double t, std::span<double> x, ContactPair& pair,
                          ContactFunction function, EventOutcome& outcome) {
  if (&part_for(w, pair) == &rigid_part) {  // rigid contacts are settled together
    outcome.restart = true;
    return;
  }
  if (function == ContactFunction::distance) {
    const double phi = find_contact(w, pair).phi;
    // What enters an outline sideways, deeper than the layer, comes from behind: it does not
    // touch until it has been in front.
    if (pair.mode == ContactMode::apart) {
      if (part_for(w, pair).overlaps(w, pair, phi)) begin_contact(w, t, pair, false, &outcome);
    } else if (phi > 0.0) {
      end_contact(w, t, x, pair, outcome);
    }
  } else if (function == ContactFunction::layer && pair.mode != ContactMode::apart) {
    const char* kind = part_for(w, pair).pass_limit(w, t, pair, outcome);
    if (kind) end_contact(w, t, x, pair, outcome, kind);
  }
  begin_branches(w, t, false, &outcome);
  outcome.restart = true;
  prepare_contacts(w);
}

bool switch_contacts(Workspace& w, double t, std::span<double> x, EventOutcome& outcome) {
  bool changed = false;
  const double ahead = w.step.look_ahead;
  std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  w.contacts.known.of_pair.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ContactPair& pair = pairs[i];
    if (pair.mode == ContactMode::apart && ahead == 0.0 && surely_apart(w, pair)) continue;
    Contact& contact = w.contacts.known.of_pair[i];
    contact = find_contact(w, pair);
    const double phi = contact.phi;
    pair.deepest = std::max(pair.deepest, -phi);
    const ContactPart& part = part_for(w, pair);
    const bool looks = ahead > 0.0 && phi > 0.0 && !part.may_lie_behind;
    const double next = looks ? phi + ahead * std::min(0.0, distance_rate(w, pair, contact)) : phi;
    if (pair.mode == ContactMode::apart && next < 0.0 &&
        part.overlaps(w, pair, std::min(phi, 0.0))) {
      begin_contact(w, t, pair, false, &outcome);
    } else if (pair.mode != ContactMode::apart && next > parted(part.resolution(w, pair))) {
      end_contact(w, t, x, pair, outcome);
    } else {
      continue;
    }
    changed = true;
  }
  w.contacts.known.are_current = true;
  if (changed && begin_branches(w, t, false, &outcome)) w.contacts.known.are_current = false;
  if (changed) prepare_contacts(w);
  return changed;
}

std::string pair_name(const Workspace& w, const ContactPair& pair) {
  return "'" + collider_name(*w.model, pair.a) + "' and '" + collider_name(*w.model, pair.b) + "'";
}

std::vector<Finding> lasting_findings(const Workspace& w) {
  std::vector<Finding> findings;
  for (const std::size_t i : w.contacts.touching) {
    const ContactPair& pair = w.modes.contacts.pairs[i];
    std::ranges::move(part_for(w, pair).findings(w, pair, find_contact(w, pair)),
                      std::back_inserter(findings));
  }
  return findings;
}

}  // namespace carom
