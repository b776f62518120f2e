// Rigid bodies whose impacts are located: single ones thrown on a plane, or on a body that is
// fixed, one of both round, under error control to the end, and heaps of 2 to 20 of every convex
// shape, masses up to 1:10^6 apart, under `auto`, which may go over to time steps. Each ends with a
// status within 10 s of CPU time, and
//
//   kinetic + potential energy rise by at most 100 tolerances of what was turned over,        (1)
//
// none falls through the floor, and under error control no body is deeper in another than 1e-9 of
// its size at an instant between steps (1e-12 where they end).
#include <algorithm>
#include <cmath>

#include "campaign.h"
#include "carom/base/cpu_time.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_points.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/model.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/simulation.h"
#include "random_bodies.h"

namespace carom::campaign {
namespace {

constexpr double kThrowTolerance = 1e-8, kHeapTolerance = 1e-6;
#if defined(__SANITIZE_ADDRESS__)
constexpr double kMostCpu = 200.0;
#else
constexpr double kMostCpu = 10.0;
#endif
constexpr double kLocatedOverlap = 1e-9, kSteppedOverlap = 0.05;

std::string thrown_text(Dice& dice, int index, double ratio, double apart, std::string& kind) {
  const std::string shape = shape_text(dice, kind);
  const auto small = [&](double most) { return dice.uniform(-most, most); };
  const double mass = 1e-1 * std::pow(ratio, dice.uniform(-0.5, 0.5));
  return "  b" + std::to_string(index) + ": {shapes: [{" + shape + "}], mass: " + exact_text(mass) +
         ", position: " +
         vector_text(apart * (index % 3 - 1) + small(0.01),
                     apart * (index / 3 % 3 - 1) + small(0.01),
                     0.15 + (apart + 0.02) * (index / 9)) +
         ", orientation: " + orientation_text(dice, true, 0.0) +
         ", velocity: " + vector_text(small(1), small(1), small(1)) +
         ", angular_velocity: " + vector_text(small(5), small(5), small(5)) + "}\n";
}

/// Largest overlap over the size of the smaller body.
double deepest_overlap(Simulation& simulation) {
  Workspace& w = simulation.workspace();
  w.has_kinematics = false;
  evaluate_kinematics(w, simulation.time(), simulation.state());
  double worst = 0.0;
  for (const ContactPair& pair : w.modes.contacts.pairs) {
    const double size = 2.0 * smaller_reach(w.model->contact, pair);
    worst = std::max(worst, -find_contact(w, pair).phi / size);
  }
  return worst;
}

bool has_fallen(Simulation& simulation) {
  const Workspace& w = simulation.workspace();
  for (std::size_t i = 1; i < w.tree.links.size(); ++i) {
    const LinkState& L = w.tree.links[i];
    const auto& inertia = w.model->tree.links[i].inertia;
    if ((L.p_WL + L.R_WL * (inertia.h / inertia.m)).z < 0.0) return true;
  }
  return false;
}

/// Runs the scene to its end and judges it.
void judge(Outcome& outcome, double until, double tolerance) {
  const Scene scene = read_scene_text(outcome.scene, "throw", {});
  Diagnostics diagnostics;
  const std::shared_ptr<const Model> model = compile(scene, diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  Simulation simulation(model);
  const auto is_stepped = [&] { return simulation.workspace().modes.fixed_step > 0.0; };
  constexpr int kLooks = 500;
  const double end = thread_cpu_seconds() + kMostCpu;
  simulation.interrupt_at_cpu(end);
  double last = simulation.ledger().stored(), turned = 0.0, located = 0.0, stepped = 0.0;
  bool is_slow = false;
  for (int k = 1; k <= kLooks && outcome.complaint.empty() && !is_slow; ++k) {
    const AdvanceStatus status = simulation.advance(until * k / kLooks);
    is_slow = thread_cpu_seconds() > end;
    if (status != AdvanceStatus::reached && !is_slow) {
      outcome.complaint = simulation.failure();
      if (outcome.complaint.empty()) outcome.complaint = "it ended without a word";
    }
    const Ledger l = simulation.ledger();
    turned = std::max(turned, l.kinetic + l.dissipated_normal + l.dissipated_friction);
    (is_stepped() ? stepped : located) =
        std::max(is_stepped() ? stepped : located, deepest_overlap(simulation));
    outcome.measure = std::max(outcome.measure, l.stored() - last);
    last = l.stored();
  }
  outcome.limit = 100.0 * tolerance * turned;
  outcome.evaluations = simulation.statistics().counts.rhs_evaluations;
  if (is_stepped()) outcome.label += ", went over";
  if (!outcome.complaint.empty()) return;
  if (has_fallen(simulation)) {
    outcome.complaint = "a body has fallen through the floor";
  } else if (is_slow) {
    outcome.complaint = "more than 10 s of CPU time up to t = " + std::to_string(simulation.time());
  } else if (located > kLocatedOverlap || stepped > kSteppedOverlap) {
    outcome.complaint = "bodies overlap by " + exact_text(std::max(located, stepped));
  }
}

Outcome run_throw(std::uint64_t seed) {
  constexpr double kUntil = 5.0;
  Dice dice(seed);
  Outcome outcome;
  std::string& text = outcome.scene;
  text =
      "carom: 1\nname: rigid throw\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n";
  text += thrown_text(dice, 0, 1.0, 0.2, outcome.label);
  text += "contact: {method: rigid, restitution: " + exact_text(dice.uniform(0.0, 0.8)) +
          ", mu_k: " + exact_text(dice.uniform(0.0, 1.5)) +
          "}\nrun: {until: " + exact_text(kUntil) +
          ", integrator: switching, tolerance: " + exact_text(kThrowTolerance) +
          ", output: {step: 0.1}}\n";
  judge(outcome, kUntil, kThrowTolerance);
  return outcome;
}

bool is_round_kind(const std::string& kind) {
  return kind == "cylinder" || kind == "cone" || kind == "frustum" || kind == "beam";
}

/// A body falls on a block over a floor. Of three cases one is tilted by nothing or next to it.
Outcome run_pair(std::uint64_t seed) {
  constexpr double kUntil = 2.0;
  Dice dice(seed);
  Outcome outcome;
  std::string block, thrown, block_kind, kind;
  while (!is_round_kind(block_kind) && !is_round_kind(kind)) {
    block = shape_text(dice, block_kind), thrown = shape_text(dice, kind);
  }
  outcome.label = std::min(kind, block_kind) + " and " + std::max(kind, block_kind);
  const bool is_even = dice.below(3) == 0;
  const double tilt = is_even && dice.below(2) == 0 ? dice.spread(1e-12, 1e-1) : 0.0;
  const auto small = [&](double most) { return dice.uniform(-most, most); };
  const double speed = is_even ? 0.1 * dice.below(2) : 1.0;
  outcome.scene =
      "carom: 1\nname: rigid pair\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n"
      "  block: {fixed: true, shapes: [{" +
      block + "}], position: [0, 0, 0.15], orientation: " + orientation_text(dice, !is_even, 0.0) +
      "}\n  b0: {shapes: [{" + thrown +
      "}], mass: 0.1, position: " + vector_text(small(0.05), small(0.05), 0.36) +
      ", orientation: " + orientation_text(dice, !is_even, tilt) +
      ", velocity: " + vector_text(small(0.3 * speed), small(0.3 * speed), small(speed)) +
      ", angular_velocity: " + vector_text(small(5 * speed), small(5 * speed), small(5 * speed)) +
      "}\ncontact: {method: rigid, restitution: " + exact_text(dice.uniform(0.0, 0.8)) +
      ", mu_k: " + exact_text(dice.uniform(0.0, 1.0)) + "}\nrun: {until: " + exact_text(kUntil) +
      ", integrator: switching, tolerance: " + exact_text(kThrowTolerance) +
      ", output: {step: 0.1}}\n";
  judge(outcome, kUntil, kThrowTolerance);
  return outcome;
}

constexpr double kRestTime = 10.0;

/// Bodies in layers, `apart` metres from each other.
std::string rest_text(std::uint64_t seed, double apart, std::string& label) {
  Dice dice(seed);
  const int count = 2 + dice.below(19);
  const double ratio = dice.spread(1.0, 1e6);
  label = count < 6 ? "2 to 5 bodies" : count < 11 ? "6 to 10" : "11 to 20";
  std::string text =
      "carom: 1\nname: rigid rest\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n";
  for (int i = 0; i < count; ++i) {
    std::string kind;
    text += thrown_text(dice, i, ratio, apart, kind);
  }
  const double restitution = dice.uniform(0.0, 1.0), mu = dice.uniform(0.0, 1.5);
  return text + "contact: {method: rigid, restitution: " + exact_text(restitution) +
         ", mu_k: " + exact_text(mu) + "}\nrun: {until: " + exact_text(kRestTime) +
         ", tolerance: " + exact_text(kHeapTolerance) + ", output: {step: 0.1}}\n";
}

Outcome run_rest(std::uint64_t seed) {
  constexpr double kClosest = 0.2, kWidest = 0.27, kWider = 0.04;
  Outcome outcome;
  for (double apart = kClosest;; apart += kWider) {
    outcome.scene = rest_text(seed, apart, outcome.label);
    Diagnostics diagnostics;
    if (compile(read_scene_text(outcome.scene, "rest", {}), diagnostics)) break;
    if (apart > kWidest) throw InputError(std::move(diagnostics));
  }
  judge(outcome, kRestTime, kHeapTolerance);
  return outcome;
}

}  // namespace

extern const Campaign campaign_rigid_throws, campaign_rigid_pairs, campaign_rigid_rests;
const Campaign campaign_rigid_throws{
    "rigid_throws", "single rigid bodies thrown on a plane, under error control",
    "largest rise of energy, of 100 tolerances of what was turned over", 1000, run_throw};
const Campaign campaign_rigid_pairs{
    "rigid_pairs", "a rigid body thrown on a fixed one, one of both round, under error control",
    "largest rise of energy, of 100 tolerances of what was turned over", 1000, run_pair};
const Campaign campaign_rigid_rests{
    "rigid_rests", "heaps of 2 to 20 rigid bodies under 'auto'",
    "largest rise of energy, of 100 tolerances of what was turned over", 1000, run_rest};

}  // namespace carom::campaign
