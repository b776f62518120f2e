// Drops of every shape: whether a contact gives back more than went in.
//
// A body falls on a half space, on a large box, on a post or on the edge of one, flat, nearly flat
// or anyhow, spinning or not, with restitution 0.9 to 1. Nothing feeds energy, so
//
//   kinetic + potential <= that at the start, and                                        (1)
//   kinetic + potential <= that before, wherever nothing touches.                        (2)
//
// The contact may be sound and this be broken by the integration, so the excess is judged against
// the tolerance: `drops` allows 1000 of it, and 100 in 99 of 100 cases. If it is integration it
// falls with the tolerance: `falling_excess` runs each case at 1e-6 and at 1e-8 and demands that
// the excess, of all cases together, is thirty times smaller at the second. (Of one case it need
// not be: the error of an integration has either sign.)
#include <algorithm>
#include <cmath>

#include "campaign.h"
#include "carom/engine/model.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/simulation.h"
#include "random_bodies.h"

namespace carom::campaign {
namespace {

/// A floor.
struct Ground {
  std::string label, shape;
};

Ground choose_ground(Dice& dice) {
  const int which = dice.below(10);
  if (which < 4) return {"on a plane", "half_space: {}"};
  if (which < 7) return {"on a table", "box: {size: [2, 2, 0.2]}, at: [0, 0, -0.1]"};
  if (which < 8) return {"on an edge", "box: {size: [2, 2, 0.2]}, at: [-1, 0, -0.1]"};
  if (which < 9) return {"on a post", "box: {size: [0.1, 0.1, 0.2]}, at: [0, 0, -0.1]"};
  return {"on a round post", "cylinder: {radius: 0.05, length: 0.2}, axis: z, at: [0, 0, -0.1]"};
}

struct Drop {
  std::string label, text;
};

Drop make_drop(std::uint64_t seed, double tolerance) {
  Dice dice(seed);
  std::string kind;
  const std::string shape = shape_text(dice, kind);
  const Ground ground = choose_ground(dice);
  const double tilt = dice.chance(0.3) ? 0.0 : dice.spread(1e-6, 1.0);
  const double spin = dice.chance(0.5) ? 0.0 : dice.uniform(0.0, 15.0);
  const auto turn = [&] { return dice.uniform(-spin, spin); };
  std::string text = "carom: 1\nname: drop " + std::to_string(seed) + "\nbodies:\n";
  text += "  floor: {fixed: true, material: steel, shapes: [{" + ground.shape + "}]}\n";
  text += "  body: {material: steel, shapes: [{" + shape + "}], position: " +
          vector_text(dice.uniform(-0.03, 0.03), dice.uniform(-0.03, 0.03), 0.16) +
          ", orientation: " + orientation_text(dice, dice.chance(0.4), tilt);
  text += ", velocity: " +
          vector_text(dice.uniform(-0.5, 0.5), dice.uniform(-0.5, 0.5), -dice.uniform(0.0, 1.0));
  text += ", angular_velocity: " + vector_text(turn(), turn(), turn()) + "}\n";
  text += "contact: {restitution: " + exact_text(dice.chance(0.5) ? 1.0 : dice.uniform(0.9, 1.0)) +
          ", resistance: none, friction: " + (dice.chance(0.6) ? "none" : "coulomb") + "}\n";
  text += "run: {until: 0.4, tolerance: " + exact_text(tolerance) + ", max_steps: 20000}\n";
  return {kind + " " + ground.label, text};
}

/// What a drop was seen to do [J].
struct Seen {
  double excess = 0.0;  ///< (1) or (2)
  double turned = 0.0;
};

Seen run_drop(const Drop& drop, Outcome& outcome) {
  outcome.label = drop.label, outcome.scene = drop.text;
  const Scene scene = read_scene_text(drop.text, "drop", {});
  Diagnostics diagnostics;
  const std::shared_ptr<const Model> model = compile(scene, diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  Simulation simulation(model);
  const Ledger start = simulation.ledger();
  Seen seen{0.0, start.kinetic};
  double before = start.kinetic + start.potential;
  simulation.on_progress([&](double) {
    const Ledger l = simulation.ledger();
    const double energy = l.kinetic + l.potential;
    seen.excess =
        std::max({seen.excess, energy - start.kinetic - start.potential, energy - before});
    if (l.elastic == 0.0) before = std::min(before, energy);
    seen.turned = std::max({seen.turned, l.kinetic, std::abs(l.potential - start.potential)});
  });
  const AdvanceStatus status = simulation.advance(scene.run.until);
  outcome.evaluations += simulation.statistics().counts.rhs_evaluations;
  if (status == AdvanceStatus::failed) {
    outcome.is_finished = false;
    if (simulation.failure().find("more than ") == std::string::npos) {
      outcome.complaint = simulation.failure();
    }
  }
  return seen;
}

Outcome run_drops(std::uint64_t seed) {
  constexpr double kTolerance = 1e-8, kFactor = 1000.0;
  Outcome outcome;
  const Seen seen = run_drop(make_drop(seed, kTolerance), outcome);
  outcome.measure = seen.excess;
  outcome.limit = kFactor * kTolerance * seen.turned;
  return outcome;
}

Outcome run_falling(std::uint64_t seed) {
  constexpr double kCoarse = 1e-6, kFine = 1e-8, kFactor = 1000.0;
  Outcome outcome;
  const Seen coarse = run_drop(make_drop(seed, kCoarse), outcome);
  const Seen fine = run_drop(make_drop(seed, kFine), outcome);
  outcome.measure = fine.excess;
  outcome.limit = kFactor * kFine * fine.turned;
  outcome.coarse = coarse.excess / (kFactor * kFine * coarse.turned);
  return outcome;
}

}  // namespace

extern const Campaign campaign_drops, campaign_falling_excess;
const Campaign campaign_drops{
    "drops",
    "a body of any shape dropped on a plane, a table, its edge, a post",
    "excess of kinetic and potential energy over that before, of 1000 tolerances",
    2000,
    run_drops,
    0.1};
const Campaign campaign_falling_excess{
    "falling_excess",
    "the drops at 1e-6 and at a hundredth of it",
    "excess of energy at 1e-8, of 1000 tolerances, and how it falls",
    2000,
    run_falling,
    0.1,
    30.0};

}  // namespace carom::campaign
