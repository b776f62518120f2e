// Heaps of 5 to 50 bodies of every shape and of soft and hard materials that fall on a table and on
// each other: how much work the elastic forces do that no energy accounts for,
//
//   |model_work| <= 1 % of the energy turned over.                                       (1)
#include <algorithm>
#include <cmath>

#include "campaign.h"
#include "carom/engine/model.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/simulation.h"
#include "random_bodies.h"

namespace carom::campaign {
namespace {

constexpr double kMost = 0.01, kUntil = 0.25;

/// Bodies in layers, `apart` metres from each other.
Outcome make_heap(std::uint64_t seed, double apart) {
  Dice dice(seed);
  Outcome outcome;
  const int count = static_cast<int>(std::lround(dice.spread(5.0, 50.0)));
  outcome.label = count < 10 ? "5 to 9 bodies" : count < 20 ? "10 to 19 bodies" : "20 and more";
  constexpr const char* kMaterials[] = {"steel", "rubber", "glass", "dry_wood", "aluminium"};
  std::string& text = outcome.scene;
  text = "carom: 1\nname: heap " + std::to_string(seed) + "\nbodies:\n";
  text +=
      "  floor: {fixed: true, material: aluminium, shapes: [{box: {size: [3, 3, 1]}, at: [0, 0, "
      "-0.5]}]}\n";
  const int side = count < 12 ? 2 : 3;
  for (int i = 0; i < count; ++i) {
    std::string kind;
    const std::string shape = shape_text(dice, kind);
    const double x = apart * (i % side), y = apart * (i / side % side),
                 z = 0.14 + 0.22 * (i / side / side);
    const auto small = [&](double most) { return dice.uniform(-most, most); };
    text += "  b" + std::to_string(i) + ": {material: " + kMaterials[dice.below(5)] +
            ", shapes: [{" + shape +
            "}], position: " + vector_text(x + small(0.01), y + small(0.01), z) +
            ", orientation: " + orientation_text(dice, true, 0.0) +
            ", velocity: " + vector_text(small(0.5), small(0.5), small(0.5)) +
            ", angular_velocity: " + vector_text(small(4), small(4), small(4)) + "}\n";
  }
  text += "run: {until: " + exact_text(kUntil) + ", tolerance: 1e-6, max_steps: 6000}\n";
  return outcome;
}

/// The heap as close as its bodies allow.
std::unique_ptr<Simulation> pack_heap(std::uint64_t seed, Outcome& outcome) {
  constexpr double kClosest = 0.17, kWidest = 0.26, kStep = 0.03;
  for (double apart = kClosest;; apart += kStep) {
    outcome = make_heap(seed, apart);
    const Scene scene = read_scene_text(outcome.scene, "heap", {});
    Diagnostics diagnostics;
    try {
      const std::shared_ptr<const Model> model = compile(scene, diagnostics);
      if (!model) throw InputError(std::move(diagnostics));
      return std::make_unique<Simulation>(model);
    } catch (const InputError&) {
      if (apart > kWidest) throw;
    }
  }
}

Outcome run_heap(std::uint64_t seed) {
  Outcome outcome;
  const std::unique_ptr<Simulation> made = pack_heap(seed, outcome);
  Simulation& simulation = *made;
  const AdvanceStatus status = simulation.advance(kUntil);
  outcome.measure = std::abs(simulation.ledger().model_work);
  outcome.limit = kMost * simulation.energy_scale();
  outcome.evaluations = simulation.statistics().counts.rhs_evaluations;
  if (status == AdvanceStatus::failed) {
    outcome.is_finished = false;
    if (simulation.failure().find("more than ") == std::string::npos) {
      outcome.complaint = simulation.failure();
    }
  }
  return outcome;
}

}  // namespace

extern const Campaign campaign_heaps;
const Campaign campaign_heaps{"heaps", "heaps of 5 to 50 bodies of any shape and material",
                              "|model_work|, of 1 % of the energy turned over", 200, run_heap};

}  // namespace carom::campaign
