// Heaps of 2 to 20 bodies of every convex shape in a box, masses up to 1:10^6 apart, any
// restitution and friction, rigid, by time steps of 1 and 5 ms. From step to step
//
//   kinetic + potential energy rise by at most 1e-9 of what was turned over,                  (1)
//
// bodies overlap by at most 5 % of their size, and none leaves the box.
#include <algorithm>
#include <cmath>

#include "campaign.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_points.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/model.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/simulation.h"
#include "random_bodies.h"

namespace carom::campaign {
namespace {

constexpr double kMostRise = 1e-9, kMostOverlap = 0.05, kHalfWidth = 0.5, kTime = 1.0;

std::string rigid_box_text() {
  const auto wall = [](const char* name, const std::string& size, const std::string& at) {
    return std::string("  ") + name + ": {fixed: true, shapes: [{box: {size: " + size +
           "}, at: " + at + "}]}\n";
  };
  return wall("floor", "[3, 3, 1]", "[0, 0, -0.5]") + wall("west", "[1, 3, 4]", "[-1, 0, 1]") +
         wall("east", "[1, 3, 4]", "[1, 0, 1]") + wall("south", "[3, 1, 4]", "[0, -1, 1]") +
         wall("north", "[3, 1, 4]", "[0, 1, 1]");
}

/// Bodies in layers, `apart` metres from each other.
std::string rigid_heap_text(Dice& dice, double step, double apart) {
  const int count = 2 + dice.below(19);
  const double ratio = dice.spread(1.0, 1e6);
  std::string text = "carom: 1\nname: rigid heap\nbodies:\n" + rigid_box_text();
  for (int i = 0; i < count; ++i) {
    std::string kind;
    const std::string shape = shape_text(dice, kind);
    const auto small = [&](double most) { return dice.uniform(-most, most); };
    const double mass = 1e-1 * std::pow(ratio, dice.uniform(-0.5, 0.5));
    text += "  b" + std::to_string(i) + ": {shapes: [{" + shape + "}], mass: " + exact_text(mass) +
            ", position: " +
            vector_text(apart * (i % 3 - 1) + small(0.01), apart * (i / 3 % 3 - 1) + small(0.01),
                        0.15 + (apart + 0.02) * (i / 9)) +
            ", orientation: " + orientation_text(dice, true, 0.0) +
            ", velocity: " + vector_text(small(1), small(1), small(1)) +
            ", angular_velocity: " + vector_text(small(5), small(5), small(5)) + "}\n";
  }
  return text + "contact: {method: rigid, restitution: " + exact_text(dice.uniform(0.0, 1.0)) +
         ", mu_k: " + exact_text(dice.uniform(0.0, 1.5)) + "}\nrun: {until: " + exact_text(kTime) +
         ", integrator: time_stepping, step: " + exact_text(step) + "}\n";
}

/// Largest overlap over the size of the smaller body.
double rigid_overlap(Simulation& simulation) {
  Workspace& w = simulation.workspace();
  evaluate_kinematics(w, simulation.time(), simulation.state());
  double worst = 0.0;
  for (const ContactPair& pair : w.modes.contacts.pairs) {
    const double size = 2.0 * smaller_reach(w.model->contact, pair);
    worst = std::max(worst, -find_contact(w, pair).phi / size);
  }
  return worst;
}

int rigid_strays(Simulation& simulation) {
  Workspace& w = simulation.workspace();
  int lost = 0;
  for (std::size_t i = 1; i < w.tree.links.size(); ++i) {
    const LinkState& L = w.tree.links[i];
    const auto& inertia = w.model->tree.links[i].inertia;
    const Vec3 p = L.p_WL + L.R_WL * (inertia.h / inertia.m);
    lost += std::abs(p.x) > kHalfWidth || std::abs(p.y) > kHalfWidth || p.z < 0.0;
  }
  return lost;
}

/// The heap as close as its bodies allow.
std::shared_ptr<const Model> pack_rigid_heap(std::uint64_t seed, double& step, Outcome& outcome) {
  constexpr double kClosest = 0.2, kWidest = 0.27, kWider = 0.04;
  for (double apart = kClosest;; apart += kWider) {
    Dice dice(seed);
    step = dice.chance(0.5) ? 1e-3 : 5e-3;
    outcome.scene = rigid_heap_text(dice, step, apart);
    const Scene scene = read_scene_text(outcome.scene, "heap", {});
    Diagnostics diagnostics;
    if (std::shared_ptr<const Model> model = compile(scene, diagnostics)) return model;
    if (apart > kWidest) throw InputError(std::move(diagnostics));
  }
}

Outcome run_rigid_heap(std::uint64_t seed) {
  Outcome outcome;
  double step = 0.0;
  const std::shared_ptr<const Model> model = pack_rigid_heap(seed, step, outcome);
  outcome.label = step < 2e-3 ? "steps of 1 ms" : "5 ms";
  Simulation simulation(model);
  double last = simulation.ledger().stored(), turned = 0.0, overlap = 0.0;
  const auto steps = std::lround(kTime / step);
  for (long k = 1; k <= steps; ++k) {
    if (simulation.advance(static_cast<double>(k) * step) != AdvanceStatus::reached) {
      outcome.complaint = simulation.failure();
      return outcome;
    }
    const Ledger l = simulation.ledger();
    turned = std::max(turned, l.kinetic + l.dissipated_normal + l.dissipated_friction);
    overlap = std::max(overlap, rigid_overlap(simulation));
    outcome.measure = std::max(outcome.measure, l.stored() - last);
    last = l.stored();
  }
  outcome.limit = kMostRise * turned;
  outcome.evaluations = simulation.statistics().counts.linear_iterations;
  if (const int lost = rigid_strays(simulation)) {
    outcome.complaint = std::to_string(lost) + " bodies outside of the box";
  } else if (overlap > kMostOverlap) {
    outcome.complaint = "bodies overlap by " + std::to_string(overlap) + " of their size";
  }
  return outcome;
}

}  // namespace

extern const Campaign campaign_rigid_heaps;
const Campaign campaign_rigid_heaps{"rigid_heaps", "heaps of 2 to 20 rigid bodies by time steps",
                                    "largest rise of energy in a step, of 1e-9 turned over", 1000,
                                    run_rigid_heap};

}  // namespace carom::campaign
