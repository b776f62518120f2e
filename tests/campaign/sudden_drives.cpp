// Drives that set in: signals with steps, ramps and tables, where forces or their slopes jump.
//
// A cart on a rail carries a pendulum; both are driven by forces, positions or speeds that jump two
// or three times, alone or against an elastic stop or a wall that the cart runs into. Steps must
// end at each jump and know nothing of what lies behind it: the row of the ledger is held against
// recorded forces (drive_work.h).
#include <utility>
#include <vector>

#include "carom/integrate/integrator.h"
#include "drive_work.h"

namespace carom::campaign {
namespace {

constexpr double kUntil = 0.5;

/// A signal of size `most` that begins at zero and jumps, or bends, at random times.
std::string signal_text(Dice& dice, double most, bool may_jump, std::vector<double>& jumps) {
  const double start = dice.uniform(0.01, 0.2), value = dice.uniform(-most, most);
  const int kind = may_jump ? dice.below(4) : 1 + dice.below(2);
  if (kind == 0) {
    jumps.push_back(start);
    return "{step: {before: 0, after: " + exact_text(value) + ", start: " + exact_text(start) +
           "}}";
  }
  if (kind == 1) {
    const double duration = dice.spread(1e-4, 0.2);
    jumps.push_back(start), jumps.push_back(start + duration);
    return "{ramp: {before: 0, after: " + exact_text(value) + ", start: " + exact_text(start) +
           ", duration: " + exact_text(duration) + "}}";
  }
  std::string points = "[0, 0]";
  double t = 0.0;
  const int count = 2 + dice.below(4);
  for (int i = 0; i < count; ++i) {
    t += dice.spread(1e-3, 0.2);
    jumps.push_back(t);
    points += ", [" + exact_text(t) + ", " + exact_text(dice.uniform(-most, most)) + "]";
  }
  return "{table: {points: [" + points + "], interpolation: " + (kind == 2 ? "linear" : "hold") +
         "}}";
}

std::string drive_text(Dice& dice, double force, double way, std::vector<double>& jumps) {
  const double stiffness = force / way;
  const std::string gains = ", damping: " + exact_text(dice.uniform(0.01, 0.3) * stiffness) + "}";
  switch (dice.below(3)) {
    case 0: return "{force: " + signal_text(dice, force, true, jumps) + "}";
    case 1: {
      const bool feeds_rate = dice.chance(0.5);  // the rate of a jump is none
      return "{position: " + signal_text(dice, way, !feeds_rate, jumps) +
             (feeds_rate ? "" : ", rate_feedforward: false") +
             ", stiffness: " + exact_text(stiffness) +
             (dice.chance(0.3) ? ", limit: " + exact_text(0.3 * force) : "") + gains;
    }
    default: return "{velocity: " + signal_text(dice, 10.0 * way, true, jumps) + gains;
  }
}

Outcome run_sudden_drives(std::uint64_t seed) {
  Dice dice(seed);
  // What explicit methods record between steps swings where contacts are stiff.
  const int meets = dice.below(3);
  std::vector<std::string> methods;
  for (const Method* m : method_catalogue()) {
    if (m->error_controlled && (meets < 2 || m->implicit)) methods.push_back(m->name);
  }
  methods.push_back("auto");
  const std::string method =
      methods[static_cast<std::size_t>(dice.below(static_cast<int>(methods.size())))];
  constexpr const char* kMeets[] = {"free", "stop", "wall"};
  const std::string label = std::string(kMeets[meets]) + ", " + method;
  const std::string limits =
      meets == 1 ? ", limits: {lower: -0.05, upper: 0.05, stiffness: 1e5, damping: 20}" : "";
  const std::string wall =
      meets == 2 ? "  wall: {fixed: true, material: steel, shapes: [{half_space: {}}], rotation: "
                   "[0, -1.5707963267948966, 0], position: [0.1, 0, 0]}\n"
                 : "";
  std::vector<double> jumps;
  const std::string text =
      "carom: 1\nname: drives " + std::to_string(seed) + "\nbodies:\n" + wall +
      "  cart: {mass: " + exact_text(dice.spread(0.3, 3.0)) +
      ", inertia: [1e-3, 1e-3, 1e-3], material: steel, shapes: [{sphere: {radius: 0.05}, mass: "
      "off}], joint: {prismatic: {axis: x}, name: rail" +
      limits + ", drive: " + drive_text(dice, 100.0, 0.1, jumps) +
      "}}\n  rod: {mass: 0.5, com: [0, 0, -0.2], inertia: [0.02, 0.02, 0.001], joint: {revolute: "
      "{parent: cart, axis: y}, name: hinge, q: 0.3, drive: " +
      drive_text(dice, 10.0, 0.5, jumps) +
      "}}\ncontact: {k_red: 1e-3, restitution: 0.5}\nrun: {until: " + exact_text(kUntil) +
      ", tolerance: " + exact_text(dice.spread(1e-10, 1e-4)) + ", integrator: " + method +
      ", output: {step: " + exact_text(kUntil / 100000) +
      ", channels: [rail, hinge, drives, energy]}}\n";
  return judge_drive_work(label, text,
                          {{"rail.drive_force", "rail.v"}, {"hinge.drive_force", "hinge.v"}},
                          std::move(jumps));
}

}  // namespace

extern const Campaign campaign_sudden_drives;
const Campaign campaign_sudden_drives{
    "sudden_drives", "drives that set in by steps, ramps and tables, free, at stops and walls",
    "residual, and work of the drives against the integral of recorded force times velocity", 300,
    run_sudden_drives};

}  // namespace carom::campaign
