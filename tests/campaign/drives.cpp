// Cams that press on steel: whether the work of a drive is what its force and speed say.
//
// A disc off its centre lifts a flat follower, or a cam of two discs and a hull a roller, at 600 to
// 3000 rpm, tolerances 1e-4 to 1e-10. The force is known to a thousandth where contacts are this
// stiff, and jumps where one ends, so the row of the ledger is held against recorded forces
// (drive_work.h) on a grid so fine that a jump between two rows costs a tenth of the limit.
// Explicit methods are left out: what they record between steps swings about the force by some per
// cent where contacts are this stiff.
#include "drive_work.h"

namespace carom::campaign {
namespace {

constexpr const char* kFlat = R"(
  cam:
    mass: 1
    inertia: [0.01, 0.01, 0.01]
    material: steel
    shapes: [{cylinder: {radius: 0.05, length: 0.03}, axis: y, at: [$lift, 0, 0], mass: false}]
    joint: {revolute: {axis: y}, name: shaft, motion: "=-rpm/60*2*pi*t"}
  follower:
    mass: 0.5
    inertia: [0.01, 0.01, 0.01]
    material: steel
    shapes: [{box: {size: [0.2, 0.05, 0.02]}, at: [0, 0, 0.01], mass: false}]
    joint: {prismatic: {axis: z}, name: slide, q: 0.05}
contact: {friction: none, resistance: none, restitution: 0}
)";

constexpr const char* kRoller = R"(
  cam:
    material: steel
    shapes:
      - {cylinder: {radius: 0.03, length: 0.02}, axis: y}
      - {cylinder: {radius: 0.015, length: 0.02}, at: [0, 0, "=0.015 + lift"], axis: y}
      - {hull: {points: [[0.0299, 0.01, 0], [0.0299, -0.01, 0], [-0.0299, 0.01, 0], [-0.0299, -0.01, 0], [0.0149, 0.01, "=0.015+lift"], [0.0149, -0.01, "=0.015+lift"], [-0.0149, 0.01, "=0.015+lift"], [-0.0149, -0.01, "=0.015+lift"]]}}
    joint: {revolute: {axis: y}, name: shaft, motion: "=rpm/60*2*pi*t + pi + 2.2"}
  follower:
    material: steel
    shapes: [{cylinder: {radius: 0.006, length: 0.12}, at: [0, 0, 0.07], axis: z, contact: off}]
    joint: {prismatic: {axis: z, at: [0, 0, 0.04]}, name: slide, spring: {stiffness: 3000, rest: -0.01}, damping: 1}
  roller:
    material: steel
    shapes: [{cylinder: {radius: 0.01, length: 0.018}, axis: y}]
    joint: {revolute: {parent: follower, axis: y}, name: pin, damping: 1e-4}
contact: {friction: lugre, mu_k: 0.15, restitution: 0.3, k_red: 1e-2}
)";

struct Cam {
  std::string label, text;
};

Cam make_cam(std::uint64_t seed) {
  Dice dice(seed);
  constexpr const char* kMethods[] = {"auto", "auto", "auto", "cvode_bdf", "dirk5"};
  const bool has_roller = dice.chance(0.5);
  const double rpm = dice.uniform(600.0, 3000.0);
  const double lift = has_roller ? dice.uniform(0.009, 0.014) : dice.uniform(0.005, 0.025);
  const std::string method = kMethods[dice.below(5)];
  // A third of a turn, with the lobe of the roller's cam in it.
  const double until = (has_roller ? 11.0 : 4.0) / rpm;
  constexpr double kRows = 100000;
  const std::string tolerance = exact_text(dice.spread(1e-10, 1e-4));
  Cam cam{std::string(has_roller ? "roller, " : "flat follower, ") + method, {}};
  cam.text = "carom: 1\nname: cam " + std::to_string(seed) + "\nvalues: {rpm: " + exact_text(rpm) +
             ", lift: " + exact_text(lift) + "}\nbodies:" + (has_roller ? kRoller : kFlat) +
             "run: {until: " + exact_text(until) + ", tolerance: " + tolerance +
             ", integrator: " + method + ", output: {step: " + exact_text(until / kRows) +
             ", channels: [shaft, energy]}}\n";
  return cam;
}

Outcome run_drives(std::uint64_t seed) {
  const Cam cam = make_cam(seed);
  return judge_drive_work(cam.label, cam.text, {{"shaft.force", "shaft.v"}});
}

}  // namespace

extern const Campaign campaign_drives;
const Campaign campaign_drives{
    "drives", "cams that lift a flat follower or a roller, 600 to 3000 rpm",
    "residual, and work of the drive against the integral of recorded force times velocity", 200,
    run_drives};

}  // namespace carom::campaign
