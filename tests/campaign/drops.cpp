// Drops of every shape: whether a contact gives back more than went in.
//
// A body falls on a half space, on a large box or on a small one, flat, nearly flat or anyhow,
// spinning or not, with restitution 0.9 to 1. Nothing feeds energy, so
//
//   kinetic + potential <= that at the start.                                            (1)
//
// The contact may be sound and (1) be broken by the integration, so the excess is judged against
// the tolerance: `drops` allows 1000 of it; its 99 % line is to be below 0.1 of that limit.
// `drops_fine` runs the same cases at a hundredth of the tolerance, with a limit that is lower by
// as much.
#include <algorithm>
#include <cmath>

#include "campaign.h"
#include "carom/engine/model.h"
#include "carom/scene/read.h"
#include "carom/simulation/simulation.h"
#include "random_bodies.h"

namespace carom::campaign {
namespace {

constexpr double kTolerance = 1e-8, kFactor = 1000.0;

Outcome run_drop(std::uint64_t seed, double tolerance) {
  Dice dice(seed);
  Outcome outcome;
  std::string kind;
  const std::string shape = shape_text(dice, kind);
  const int ground = dice.below(10);
  const char* floor = ground < 5   ? "half_space: {}"
                      : ground < 9 ? "box: {size: [2, 2, 0.2]}, at: [0, 0, -0.1]"
                                   : "box: {size: [0.1, 0.1, 0.2]}, at: [0, 0, -0.1]";
  outcome.label = kind + (ground < 5 ? " on a plane" : ground < 9 ? " on a table" : " on a post");
  const double tilt = dice.chance(0.3) ? 0.0 : dice.spread(1e-6, 1.0);
  const double spin = dice.chance(0.5) ? 0.0 : dice.uniform(0.0, 15.0);
  const auto turn = [&] { return dice.uniform(-spin, spin); };
  std::string& text = outcome.scene;
  text = "carom: 1\nname: drop " + std::to_string(seed) + "\nbodies:\n";
  text += std::string("  floor: {fixed: true, material: steel, shapes: [{") + floor + "}]}\n";
  text += "  body: {material: steel, shapes: [{" + shape + "}], position: " +
          vector_text(dice.uniform(-0.03, 0.03), dice.uniform(-0.03, 0.03), 0.16) +
          ", orientation: " + orientation_text(dice, dice.chance(0.4), tilt);
  text += ", velocity: " +
          vector_text(dice.uniform(-0.5, 0.5), dice.uniform(-0.5, 0.5), -dice.uniform(0.0, 1.0));
  text += ", angular_velocity: " + vector_text(turn(), turn(), turn()) + "}\n";
  text += "contact: {restitution: " + exact_text(dice.chance(0.5) ? 1.0 : dice.uniform(0.9, 1.0)) +
          ", resistance: none, friction: " + (dice.chance(0.6) ? "none" : "coulomb") + "}\n";
  text += "run: {until: 0.4, tolerance: " + exact_text(tolerance) + ", max_steps: 20000}\n";
  const Scene scene = read_scene_text(text, "drop", {});
  Diagnostics diagnostics;
  const std::shared_ptr<const Model> model = compile(scene, diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  Simulation simulation(model);
  const Ledger start = simulation.ledger();
  double turned = start.kinetic;
  simulation.on_progress([&](double) {
    const Ledger l = simulation.ledger();
    outcome.measure =
        std::max(outcome.measure, l.kinetic + l.potential - start.kinetic - start.potential);
    turned = std::max({turned, l.kinetic, std::abs(l.potential - start.potential)});
  });
  const AdvanceStatus status = simulation.advance(scene.run.until);
  outcome.limit = kFactor * tolerance * turned;
  outcome.evaluations = simulation.statistics().counts.rhs_evaluations;
  if (status == AdvanceStatus::failed) {
    outcome.is_finished = false;
    if (simulation.failure().find("more than ") == std::string::npos) {
      outcome.complaint = simulation.failure();
    }
  }
  return outcome;
}

Outcome run_coarse(std::uint64_t seed) { return run_drop(seed, kTolerance); }
Outcome run_fine(std::uint64_t seed) { return run_drop(seed, 0.01 * kTolerance); }

}  // namespace

extern const Campaign campaign_drops, campaign_drops_fine;
const Campaign campaign_drops{
    "drops", "a body of any shape dropped on a plane, a table, a post",
    "excess of kinetic and potential energy over the start, of 1000 tolerances of it", 2000,
    run_coarse};
const Campaign campaign_drops_fine{
    "drops_fine", "the drops at a hundredth of the tolerance",
    "excess of kinetic and potential energy over the start, of 1000 tolerances of it", 2000,
    run_fine};

}  // namespace carom::campaign
