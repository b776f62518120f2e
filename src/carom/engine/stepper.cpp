#include "carom/engine/stepper.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_sites.h"
#include "carom/engine/contact/crowd_limit.h"
#include "carom/engine/contact/rigid/rigid_settle.h"
#include "carom/engine/contact/triangles/triangle_sites.h"
#include "carom/engine/events/contact_events.h"
#include "carom/engine/events/contact_life.h"
#include "carom/engine/events/overlooked_contacts.h"
#include "carom/engine/implicit/implicit_contacts.h"
#include "carom/engine/results/channels.h"
#include "carom/engine/scene_step.h"
#include "carom/engine/time_stepping/stepped_contacts.h"

namespace carom {

void Stepper::set_kind(const StepKind& kind) {
  const bool is_explicit = !kind.locates_events && !kind.is_implicit;
  w_.step.locates_events = kind.locates_events;
  w_.step.explicit_step = is_explicit ? kind.fixed_step : 0.0;
  // An implicit step finds where bodies stop if it knows of the contact; where it does not, the
  // next begins deep inside, and throws them out.
  w_.step.look_ahead = !kind.locates_events && kind.is_implicit ? kind.fixed_step : 0.0;
  w_.step.kick_step = is_explicit && kind.order == 1 ? kind.fixed_step : 0.0;
  w_.step.keeps_patches =
      is_explicit && std::ranges::any_of(w_.model->contact.laws, &PairLaw::detects_per_step);
  release_patches(w_);
}

void Stepper::start(double t, std::vector<double>& x) {
  release_patches(w_);
  initialise_modes(w_, t, x);
  x.resize(state_size(w_), 0.0);
  // Bristles that are loaded at the start have their energy from before.
  evaluate(w_, t, x);
  w_.modes.contacts.ended.bristle = w_.ledger.bristles - w_.ledger.lasting;
  w_.modes.contacts.ended.friction = w_.ledger.lasting;
}

void Stepper::resume(double t, std::span<const double> x) {
  release_patches(w_);
  find_near_pairs(w_, t, x);
  if (w_.step.locates_events) lift_due_impacts(w_, t, x);
}

void Stepper::begin(double t, std::vector<double>& x) {
  if (!has_contacts()) return;
  release_patches(w_);
  x.resize(state_size(w_), 0.0);
  inherit_states(w_, x);
  if (w_.step.locates_events) begin_search(w_, t, x);
}

double Stepper::longest_step() const {
  if (!w_.step.locates_events) return kInf;  // nothing is swept
  double longest = std::min(longest_step_of_crowd(w_), longest_step_of_sites(w_));
  for (const ContactPart* part : w_.model->contact.parts) {
    longest = std::min(longest, part->longest_step(w_));
  }
  return longest;
}

/// Where a contact begins the slope tells nothing yet of the impact to come, which takes
/// about three times depth over speed. Bodies that are put down rather than thrown sink to
/// the same depth by their weight, at a speed of sqrt(g depth).
double Stepper::first_step(double t) {
  constexpr double kShareOfImpact = 0.05;
  const double gravity = norm(w_.parameters.gravity.uniform);
  double shortest = kInf;
  for (const ContactPair& pair : w_.modes.contacts.pairs) {
    if (pair.mode == ContactMode::apart || pair.begun != t || pair.start.speed <= 0.0) continue;
    const double sinking = std::sqrt(pair.expected_depth * gravity);
    shortest = std::min(shortest, pair.expected_depth / std::max(pair.start.speed, sinking));
  }
  if (!std::isfinite(shortest)) return kInf;
  constexpr double kHertz = 2.94;  // an impact lasts 2.94 times depth over speed
  double& known = w_.modes.shortest_contact;
  known = std::min(known, kHertz * shortest);
  return kShareOfImpact * shortest;
}

bool Stepper::end_step(double t, std::span<const double> x, double h) {
  if (!has_contacts() || !w_.step.locates_events) return false;
  return widen_near_pairs(w_, t, x, h);
}

bool Stepper::oversteps() const {
  return has_contacts() && w_.step.locates_events && w_.contacts.search.oversteps;
}

std::string Stepper::unseen(double t, std::span<const double> x, std::span<const double> g,
                            std::span<const int> crossed, std::span<const double> begin) {
  if (!has_contacts() || !w_.step.locates_events || !may_have_sunken(w_, g)) return {};
  evaluate_kinematics(w_, t, x);
  const int pair = find_sunken_pair(w_, g, crossed, begin);
  return pair < 0 ? std::string() : pair_name(w_, w_.modes.contacts.pairs[at(pair)]);
}

bool Stepper::is_doubtful(double t, std::span<const double> x, std::span<const int> functions,
                          double span) {
  const auto is_contact = [&](int f) { return contact_place(w_, at(f)).has_value(); };
  if (std::ranges::none_of(functions, is_contact)) return false;
  evaluate_kinematics(w_, t, x);
  return std::ranges::any_of(functions, [&](int f) { return begins_by_error(w_, at(f), span); });
}

/// A switch may change stored energy at once: a loop that closes on moving bodies, a new
/// stiffness. The difference is work of the switch, so that the ledger closes. The energy of
/// contacts has a balance of its own.
double Stepper::stored(double t, std::span<const double> x) {
  const double stored = calc_ledger(w_, t, x, 0.0).stored();
  const double own = stored - w_.ledger.contacts - w_.ledger.bristles;
  if (!w_.model->contact.has_rigid) return own;
  const RigidMemory& rigid = w_.modes.contacts.rigid;  // what impacts take has rows of its own
  return own + rigid.lost_normal + rigid.lost_friction - w_.modes.rows.drive;
}

EventOutcome Stepper::handle(double t, std::span<double> x, std::span<const int> functions,
                             std::span<const bool> rising) {
  release_patches(w_);
  evaluate(w_, t, x);  // forces at the event decide what gives way
  return booked(t, x, [&] { return handle_events(w_, t, x, functions, rising); });
}

EventOutcome Stepper::handle_instant(double t, std::span<double> x) {
  release_patches(w_);
  return booked(t, x, [&] { return handle_time_event(w_, t, x); });
}

bool Stepper::accept(double t, std::span<const double> x) {
  if (!w_.step.locates_events) return false;
  find_near_pairs(w_, t, x);
  return remember_contacts(w_);
}

void Stepper::tell_overlaps(EventOutcome& outcome) {
  std::ranges::move(w_.contacts.rigid.overlaps, std::back_inserter(outcome.findings));
  w_.contacts.rigid.overlaps.clear();
}

bool Stepper::mend(double t, std::span<double> x, std::span<const double> g,
                   EventOutcome& outcome) {
  if (!has_contacts() || !w_.step.locates_events) return false;
  evaluate_kinematics(w_, t, x);
  note_depths(w_, g);
  tell_overlaps(outcome);
  return mend_overlooked_contacts(w_, t, x, g, outcome);
}

bool Stepper::switch_at_end(double t, std::span<double> x, EventOutcome& outcome) {
  if (!has_contacts() || w_.step.locates_events) return false;
  release_patches(w_);
  find_near_pairs(w_, t, x);
  remember_contacts(w_);
  return switch_contacts(w_, t, x, outcome);
}

void Stepper::begin_stepping(std::span<double> x) { carom::begin_stepping(w_, x); }

std::uint64_t Stepper::stepped_modes() const { return carom::stepped_modes(w_); }

EventOutcome Stepper::end_stepping(double t, std::span<double> x) {
  EventOutcome outcome;
  carom::end_stepping(w_, t, x, outcome);
  return outcome;
}

void Stepper::fill_banks(double t, std::span<double> x) { carom::fill_banks(w_, t, x); }

bool Stepper::switch_banked(double t, std::span<double> x, EventOutcome& outcome) {
  if (is_stepped(w_)) {  // what rigid contacts hold is none of theirs
    const RigidJam& jam = w_.contacts.rigid.jam;
    if (jam.speed > 0.0) outcome.failure = jam_text(w_, t, jam);
    tell_overlaps(outcome);
    return false;
  }
  evaluate_kinematics(w_, t, x);
  return switch_implicit_contacts(w_, t, x, outcome);
}

bool Stepper::expect(double t, std::span<const double> x, double h) {
  if (!is_stepped(w_)) return expect_contacts(w_, t, x, h);
  find_pairs_ahead(w_, t, x, h);
  return false;
}

}  // namespace carom
