// What joints hold, among loose bodies, by implicit contact steps or rigid ones of 1, 5 and 10 ms:
// arms with drives, chains that are thrown, linkages in which loops close, bodies on springs, and a
// wall that is moved. From step to step
//
//   kinetic + potential + elastic energy, less the work of drives, loads and motions, rise by at
//   most 1e-9 of what was turned over,                                                   (1)
//
// nothing explodes, and loops stay closed.
#include <algorithm>
#include <cmath>

#include "campaign.h"
#include "carom/engine/model.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/simulation.h"
#include "random_bodies.h"

namespace carom::campaign {
namespace {

constexpr double kMost = 1e-9, kDuration = 0.5;
/// Faster [m/s, rad/s] is nothing in these scenes, unless a stretched cord has shot it: then what
/// was turned over bounds it, with a radius of gyration of a centimetre.
constexpr double kFastest = 1000.0, kGyration = 0.01;

std::string rod(double length, bool is_steel) {
  return "material: " + std::string(is_steel ? "steel" : "rubber") + ", shapes: [{box: {size: [" +
         exact_text(length) + ", 0.03, 0.03]}, at: [" + exact_text(0.5 * length) + ", 0, 0]}]";
}

/// What may act in a joint.
std::string elements(Dice& dice, double size) {
  std::string text;
  if (dice.chance(0.4)) text += ", damping: " + exact_text(dice.spread(1e-3, 10.0) * size);
  if (dice.chance(0.3))
    text += ", spring: {stiffness: " + exact_text(dice.spread(1.0, 1e5) * size) + "}";
  if (dice.chance(0.3)) {
    const double c = dice.spread(0.01, 5.0) * size;
    text += ", friction: {coulomb: " + exact_text(c) + ", static: " + exact_text(1.4 * c) + "}";
  }
  if (dice.chance(0.3)) {
    text += ", limits: {lower: -1.2, upper: 1.2, stiffness: " + exact_text(dice.spread(10, 1e6)) +
            ", damping: " + exact_text(dice.spread(1e-2, 1e3)) + "}";
  }
  if (dice.chance(0.5)) {
    text += ", drive: {position: {sine: {amplitude: " + exact_text(dice.uniform(0.0, 1.0)) +
            ", frequency: " + exact_text(dice.uniform(0.2, 3.0)) +
            "}}, stiffness: " + exact_text(dice.spread(1.0, 1e5) * size) +
            ", damping: " + exact_text(dice.spread(0.1, 1e3) * size) +
            ", limit: " + exact_text(dice.spread(1.0, 200.0)) + "}";
  }
  return text;
}

/// An arm on a post, or a chain that is thrown.
std::string arm_text(Dice& dice, const std::string& name, const Vec3& p, bool is_loose) {
  constexpr const char* kJoints[] = {"revolute", "revolute", "universal", "spherical"};
  const int count = 2 + dice.below(4);
  const double length = dice.uniform(0.08, 0.2);
  std::string text;
  for (int i = 0; i < count; ++i) {
    const std::string link = name + std::to_string(i);
    text += "  " + link + ": {" + rod(length, dice.chance(0.5));
    if (i == 0 && is_loose) {
      text += ", position: " + vector_text(p.x, p.y, p.z) +
              ", velocity: " + vector_text(dice.uniform(-1, 1), dice.uniform(-1, 1), 0.0) +
              ", angular_velocity: " + vector_text(dice.uniform(-9, 9), dice.uniform(-9, 9), 2.0);
    } else {
      const std::string kind = kJoints[dice.below(4)];
      const Vec3 at = i == 0 ? p : Vec3{length + 0.02, 0.0, 0.0};
      const std::string parent = i == 0 ? "" : "parent: " + name + std::to_string(i - 1) + ", ";
      const bool has_axis = kind == "revolute";
      text += ", joint: {" + kind + ": {" + parent + "at: " + vector_text(at.x, at.y, at.z) +
              (has_axis ? ", axis: " + std::string(dice.chance(0.5) ? "y" : "z") : "") +
              "}, name: j" + link + (has_axis ? elements(dice, length) : "") + "}";
    }
    text += "}\n";
  }
  return text;
}

/// A linkage of four bars whose crank is driven, moved or free.
std::string linkage_text(Dice& dice, const std::string& n, const Vec3& p) {
  const auto bar = [&](const char* part, double length, const std::string& joint) {
    return "  " + n + part + ": {" + rod(length, true) + ", markers: {end: [" + exact_text(length) +
           ", 0, 0]}, joint: {" + joint + "}}\n";
  };
  const int kind = dice.below(3);
  const std::string moved = kind == 0   ? ", motion: \"=1 + 3*t\""
                            : kind == 1 ? ", drive: {velocity: 5, damping: 2, limit: 20}"
                                        : "";
  std::string text =
      bar("crank", 0.1,
          "revolute: {axis: y, at: " + vector_text(p.x, p.y, p.z) + "}, name: " + n +
              "pivot, q: 1" + moved) +
      bar("coupler", 0.3,
          "revolute: {axis: y, parent: " + n + "crank.end}, name: " + n + "mid, q: -0.414") +
      bar("rocker", 0.25,
          "revolute: {axis: y, at: " + vector_text(p.x + 0.3, p.y, p.z) + "}, name: " + n +
              "far, q: 1.555" + (dice.chance(0.5) ? ", damping: 0.05" : ""));
  return text;
}

std::string scene_text(Dice& dice, double step, bool is_rigid) {
  std::string text =
      "carom: 1\nname: articulated heap\nbodies:\n"
      "  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n";
  std::string joints, tail, exclude;
  const int kind = dice.below(4);
  if (kind == 0) text += arm_text(dice, "a", {0.0, 0.0, 0.4}, false);
  if (kind == 1) text += arm_text(dice, "c", {0.0, 0.0, 0.3}, true);
  if (kind == 2) {
    text += linkage_text(dice, "l", {-0.1, 0.0, 0.35});
    joints =
        "joints:\n  lend: {revolute: {parent: lcoupler.end, child: lrocker.end, axis: y}, loop: "
        "true}\n";
    tail = "initial: {assemble: {keep: [lpivot]}}\n";
    exclude = ", exclude: [[lcrank, lcoupler], [lcoupler, lrocker], [lcrank, lrocker]]";
  }
  if (kind == 3) {
    text +=
        "  wall: {material: steel, shapes: [{box: {size: [0.1, 1, 0.3]}}], joint: {prismatic: {at: "
        "[-0.5, 0, 0.15], axis: x}, name: push, motion: \"=0.3*sin(" +
        exact_text(dice.uniform(1.0, 8.0)) + "*t)\"}}\n";
    text += arm_text(dice, "a", {0.2, 0.0, 0.4}, false);
  }
  const int count = 2 + dice.below(8);
  for (int i = 0; i < count; ++i) {
    std::string shape;
    const std::string body = shape_text(dice, shape);
    text += "  b" + std::to_string(i) + ": {material: " + (dice.chance(0.5) ? "steel" : "rubber") +
            ", shapes: [{" + body + "}], position: " +
            vector_text(0.15 * (i % 3 - 1), 0.25 + 0.15 * (i / 3), 0.12 + dice.uniform(0.0, 0.5)) +
            ", orientation: " + orientation_text(dice, true, 0.0) +
            ", velocity: " + vector_text(0.0, -dice.uniform(0.0, 2.0), dice.uniform(-1, 1)) + "}\n";
  }
  if (dice.chance(0.4)) {
    tail += "forces:\n  cord: {spring: {from: b0, to: b1, length: 0.1, stiffness: " +
            exact_text(dice.spread(1.0, 1e6)) + ", damping: " + exact_text(dice.spread(0.01, 100)) +
            "}}\n";
  }
  return text + joints + tail + "contact: {" + (is_rigid ? "method: rigid, " : "") +
         "restitution: " + exact_text(dice.uniform(0.0, 1.0)) + exclude +
         "}\nrun: {until: " + exact_text(kDuration) +
         ", integrator: " + (is_rigid ? "time_stepping" : "implicit_contact") +
         ", step: " + exact_text(step) + "}\n";
}

/// Null where bodies overlap at the start: such a scene is refused, and another one is drawn.
std::shared_ptr<const Model> articulated_model(const std::string& text) {
  Diagnostics diagnostics;
  const std::shared_ptr<const Model> model =
      compile(read_scene_text(text, "articulated", {}), diagnostics);
  const auto is_overlap = [](const Diagnostic& d) {
    return d.message.find("overlap") != std::string::npos;
  };
  if (model || std::ranges::any_of(diagnostics.all(), is_overlap)) return model;
  throw InputError(std::move(diagnostics));
}

double least_mass(const Model& model) {
  double least = kInf;
  for (std::size_t i = 1; i < model.tree.links.size(); ++i) {
    least = std::min(least, model.tree.links[i].inertia.m);
  }
  return least;
}

Outcome run_articulated(std::uint64_t seed, bool is_rigid) {
  Dice dice(seed);
  Outcome outcome;
  constexpr double kSteps[] = {1e-3, 5e-3, 1e-2};
  const double step = kSteps[dice.below(3)];
  outcome.label = step < 2e-3 ? "steps of 1 ms" : step < 7e-3 ? "5 ms" : "10 ms";
  std::shared_ptr<const Model> model;
  while (!model) {
    outcome.scene = scene_text(dice, step, is_rigid);
    model = articulated_model(outcome.scene);
  }
  Simulation simulation(model);
  const auto kept = [](const Ledger& l) { return l.stored() - l.drive_work - l.model_work; };
  double last = kept(simulation.ledger()), turned = 0.0, fastest = 0.0;
  for (long k = 1, steps = std::lround(kDuration / step); k <= steps; ++k) {
    if (simulation.advance(static_cast<double>(k) * step) != AdvanceStatus::reached) {
      outcome.complaint = simulation.failure();
      return outcome;
    }
    const Ledger l = simulation.ledger();
    turned =
        std::max(turned, l.kinetic + l.elastic + l.dissipated_normal + l.dissipated_friction +
                             l.dissipated_damping + l.dissipated_step + std::abs(l.drive_work));
    outcome.measure = std::max(outcome.measure, kept(l) - last);
    last = kept(l);
    const std::span<const double> x = simulation.state();
    for (std::size_t i = 0; i < model->nv(); ++i) {
      fastest = std::max(fastest, std::abs(x[model->nq() + i]));
    }
  }
  outcome.limit = kMost * turned;
  outcome.evaluations = simulation.statistics().counts.newton_iterations;
  const double residual = std::abs(simulation.ledger().residual);
  const double bound = std::sqrt(2.0 * turned / least_mass(*model)) / kGyration;
  if (!(fastest < std::max(kFastest, bound))) outcome.complaint = "a body became too fast";
  if (!(residual <= 1e-8 * turned))
    outcome.complaint = "the ledger is open by " + exact_text(residual / turned);
  return outcome;
}

constexpr const char* kRise = "largest rise of energy less work in a step, of 1e-9 turned over";

}  // namespace

extern const Campaign campaign_implicit_joints, campaign_stepped_joints;
const Campaign campaign_implicit_joints{
    "implicit_joints", "arms, chains and linkages among bodies by implicit contact steps", kRise,
    100, [](std::uint64_t seed) { return run_articulated(seed, false); }};
const Campaign campaign_stepped_joints{
    "stepped_joints", "the same with rigid contact, by time steps", kRise, 100,
    [](std::uint64_t seed) { return run_articulated(seed, true); }};

}  // namespace carom::campaign
