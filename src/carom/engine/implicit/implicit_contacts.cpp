#include "carom/engine/implicit/implicit_contacts.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/triangles/triangle_sites.h"
#include "carom/engine/events/contact_life.h"
#include "carom/engine/implicit/frozen.h"
#include "carom/engine/implicit/pair_rows.h"
#include "carom/multibody/dynamics.h"

namespace carom {
namespace {

constexpr const char* kOther = "use 'auto', or a fixed step of rk4 or semi_implicit_euler";

/// A formulation that tells of no rows, and which method takes it instead.
StepObstacle part_obstacle(const std::string& name) {
  const std::string step = "implicit contact steps do not take ";
  if (name == "connected") {
    return {step +
                "connected surfaces: forces of published laws, which need not fall with the speed "
                "of separation",
            "use error control (integrator 'auto', or 'cvode_bdf' where they are stiff), or leave "
            "'contacts' out, so that the bodies' own shapes touch"};
  }
  if (name == "rigid") {
    return {step + "rigid contact, which has no stiffness",
            "use 'time_stepping' for fixed steps, or 'auto' for events"};
  }
  return {step + "contact by the method '" + name + "'", kOther};
}

StepObstacle law_obstacle(const ContactModel& contact) {
  for (const PairLaw& law : contact.laws) {
    const std::string name = law.normal->name;
    if (law.normal->has_state || name == "formula") {
      return {"the normal law '" + name + "' " +
                  (law.normal->has_state ? "has a state of its own"
                                         : "need not fall with the speed of separation"),
              "take another normal law, or error control: integrator 'auto'"};
    }
    if (law.elements.is_on) {
      return {
          "'triangles: {depth: memory}' has a spring for every pair of triangles, of which the "
          "step knows nothing",
          "leave it out for these pairs, or take a fixed step of rk4 or semi_implicit_euler"};
    }
    if (law.detects_per_step) {
      return {"'triangles: {detection: step}' is of explicit methods with fixed steps",
              "leave it out, or take rk4 or semi_implicit_euler"};
    }
    if (std::string(law.friction->name) == "formula") {
      return {"friction by a formula need not grow with the slip",
              "take another friction law, or error control: integrator 'auto'"};
    }
  }
  return {};
}

double parted(const Workspace& w, const ContactPair& pair) {
  return std::max(1e-13, 8.0 * part_for(w, pair).resolution(w, pair));
}

/// What the bank of a contact still holds when it ends is lost along the normal.
void empty_bank(const Workspace& w, const ContactPair& pair, std::span<double> x) {
  const std::size_t first = slot_place(*w.model, pair.slot);
  if (first + SlotLayout::kIntegrals > x.size()) return;
  x[first + SlotLayout::kNormal] += x[first + SlotLayout::kStored];
  x[first + SlotLayout::kStored] = 0.0;
}

/// A contact that came near, and has not been.
void forget_pair(Workspace& w, ContactPair& pair, std::span<double> x) {
  const std::size_t first = slot_place(*w.model, pair.slot);
  const std::size_t width = at(w.model->contact.slot.width);
  if (first + width <= x.size()) {
    w.modes.contacts.ended.normal += x[first + SlotLayout::kNormal];
    w.modes.contacts.ended.friction += x[first + SlotLayout::kFriction];
    std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(first), width, 0.0);
  }
  w.modes.contacts.free_slots.push_back(pair.slot);
  pair.slot = -1;
  pair.mode = ContactMode::apart;
}

}  // namespace

StepObstacle find_implicit_obstacle(const Model& model) {
  for (const ContactPart* part : model.contact.parts) {
    if (!part->has_step_rows()) return part_obstacle(part->name);
  }
  return law_obstacle(model.contact);
}

void fill_banks(Workspace& w, double t, std::span<double> x) {
  evaluate(w, t, x);
  const bool goes_on = w.modes.fixed_step > 0.0;  // another method began them
  for (std::size_t k = 0; k < w.contacts.touching.size(); ++k) {
    ContactPair& pair = w.modes.contacts.pairs[w.contacts.touching[k]];
    if (pair.slot < 0) continue;
    x[slot_place(*w.model, pair.slot) + SlotLayout::kStored] = w.contacts.readings[k].energy;
    if (!goes_on) continue;
    const ContactReading& r = w.contacts.readings[k];
    pair.told = true, pair.load = r.normal_force;
    pair.acted = {r.normal_force, r.force, r.torque, r.point, true};
  }
  w.modes.contacts.ended.stored = w.modes.contacts.ended.bristle = 0.0;
  w.modes.contacts.ended.published = 0.0;
  w.modes.contacts.ended.friction -= w.ledger.lasting;  // as the row was without banks
  for (ContactPair& pair : w.modes.contacts.pairs) pair.guard.stored = pair.brought = 0.0;
}

double banked_energy(const Workspace& w, std::span<const double> x) {
  double sum = 0.0;
  for (const ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.mode == ContactMode::apart || pair.slot < 0) continue;
    const std::size_t first = slot_place(*w.model, pair.slot);
    if (first + SlotLayout::kIntegrals <= x.size()) sum += x[first + SlotLayout::kStored];
  }
  return sum;
}

bool switch_implicit_contacts(Workspace& w, double t, std::span<double> x, EventOutcome& outcome) {
  bool changed = false;
  for (ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.mode == ContactMode::apart || is_frozen_pair(w, pair)) continue;
    const Contact contact = find_contact(w, pair);
    pair.deepest = std::max(pair.deepest, -contact.phi);
    if (!pair.told && (pair.load > 0.0 || contact.phi < 0.0)) {
      outcome.events.push_back(begin_event(w, pair));
      pair.told = true;
    }
    if (pair.load > 0.0 || !(contact.phi > parted(w, pair))) continue;
    changed = true;
    empty_bank(w, pair, x);
    if (pair.told) {
      end_contact(w, t, x, pair, outcome);
    } else {
      forget_pair(w, pair, x);
    }
  }
  if (changed) prepare_contacts(w);
  return changed;
}

bool expect_contacts(Workspace& w, double t, std::span<const double> x, double h) {
  const Model& model = *w.model;
  // Steps are taken from what is known where nothing moves, also if they wake it.
  if (is_all_frozen(w.modes) && !w.contacts.search.list.reach.empty()) return false;
  find_pairs_ahead(w, t, x, h);
  const double fall = norm(w.parameters.gravity.uniform) * h * h;
  if (w.contacts.triangles) w.contacts.triangles->step = h;
  if (watch_branches(w)) prepare_contacts(w);
  bool begun = false;
  for (ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.mode != ContactMode::apart || is_frozen_pair(w, pair)) continue;
    const Collider &A = model.contact.colliders[pair.a], &B = model.contact.colliders[pair.b];
    const LinkState &LA = w.tree.links[at(A.link)], &LB = w.tree.links[at(B.link)];
    const double size = smaller_reach(model.contact, pair);
    const double turn = norm(LB.V.w - LA.V.w) * size;
    const double most = h * (norm(LB.V.v - LA.V.v) + turn) + fall;
    const double low = size * 1e-9;
    if (surely_apart(w, pair, most + low)) continue;
    const Contact contact = find_contact(w, pair);
    if (contact.status != Status::ok || contact.phi > most + low) continue;
    const bool is_round =
        model.contact.pieces[pair.piece_a].is_round && model.contact.pieces[pair.piece_b].is_round;
    const double approach = -distance_rate(w, pair, contact) + (is_round ? 0.0 : turn);
    if (contact.phi > h * std::max(0.0, approach) + fall) continue;
    begin_ahead(w, t, pair);
    begun = true;
  }
  if (begun) prepare_contacts(w);
  return begun;
}

}  // namespace carom
