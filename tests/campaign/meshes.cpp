// Closed triangle meshes by implicit contact steps.
//
// `mesh_heaps`: stiff rings, bumpy balls, cubes and pierced blocks of 10 g to 10 kg fall on each
// other, thrown and spinning, in steps of 1, 5 and 10 ms. From step to step
//
//   kinetic + potential + elastic energy rise by at most 1e-9 of what was turned over.       (1)
//
// `mesh_boxes`: a cube of 12 triangles, a ball of about 270 and a hollow body of about 970 fall
// into a box as in section 6.5 of Moisio 2013, of three densities, in steps of 1.5 ms. All come to
// rest, and none leaves the box.
#include <algorithm>
#include <cmath>

#include "../support/mesh_texts.h"
#include "campaign.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/model.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/simulation.h"
#include "random_bodies.h"

namespace carom::campaign {
namespace {

constexpr double kMost = 1e-9;      ///< of the energy turned over
constexpr double kDuration = 0.6;   ///< of a heap [s]
constexpr double kPatience = 30.0;  ///< for a box, in which rolling ends by its resistance [s]
constexpr double kRest = 1e-3;      ///< [m/s]
constexpr double kWall = 0.3;       ///< half of the box's width [m]

/// A ball whose radius goes up and down by a tenth, in rings of triangles from pole to pole.
std::string bumpy_obj(std::uint32_t around, double radius, double bumps) {
  TriangleMesh mesh;
  const std::uint32_t rings = around / 2;
  const auto vertex = [&](double polar, double azimuth) {
    const Vec3 u{std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth),
                 std::cos(polar)};
    const double r = radius * (1.0 + 0.1 * std::sin(bumps * u.x + 0.3) * std::sin(bumps * u.y));
    mesh.vertices.push_back(r * u);
  };
  vertex(0.0, 0.0);
  for (std::uint32_t i = 1; i < rings; ++i) {
    for (std::uint32_t k = 0; k < around; ++k) {
      vertex(std::numbers::pi * i / rings, 2.0 * std::numbers::pi * k / around);
    }
  }
  vertex(std::numbers::pi, 0.0);
  const auto last = static_cast<std::uint32_t>(mesh.vertices.size() - 1);
  const auto at = [&](std::uint32_t ring, std::uint32_t k) {
    return 1 + (ring - 1) * around + k % around;
  };
  for (std::uint32_t k = 0; k < around; ++k) {
    mesh.triangles.push_back({0, at(1, k), at(1, k + 1)});
    mesh.triangles.push_back({last, at(rings - 1, k + 1), at(rings - 1, k)});
    for (std::uint32_t i = 1; i + 1 < rings; ++i) {
      mesh.triangles.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
      mesh.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
    }
  }
  return testing::obj_text(mesh);
}

std::shared_ptr<const Model> compile_text(const std::string& text) {
  // Read where the scene is: they must outlive it.
  static const std::string ring = testing::torus_obj(16, 0.08, 0.025),
                           bumpy = bumpy_obj(16, 0.07, 7.0),
                           hollow = testing::torus_obj(22, 0.06, 0.02);
  ReadOptions options;
  options.carried = {{"ring.obj", ring}, {"bumpy.obj", bumpy}, {"hollow.obj", hollow}};
  Diagnostics diagnostics;
  auto model = compile(read_scene_text(text, "meshes", options), diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  return model;
}

/// A shape by its triangles, about 0.15 m wide.
std::string mesh_shape(Dice& dice) {
  switch (dice.below(4)) {
    case 0: return "triangle_mesh: {file: ring.obj}";
    case 1: return "triangle_mesh: {file: bumpy.obj}";
    case 2: return "pipe: {outer_radius: 0.06, inner_radius: 0.04, length: 0.12}";
    default: return "box: {size: [0.14, 0.1, 0.08]}";
  }
}

std::string heap_text(Dice& dice, double step) {
  const int count = 2 + dice.below(6);
  std::string text =
      "carom: 1\nname: heap of meshes\nbodies:\n"
      "  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n";
  const auto small = [&](double most) { return dice.uniform(-most, most); };
  for (int i = 0; i < count; ++i) {
    text += "  b" + std::to_string(i) + ": {material: steel, shapes: [{" + mesh_shape(dice) +
            "}], mass: " + exact_text(dice.spread(0.01, 10.0)) +
            ", position: " + vector_text(small(0.06), small(0.06), 0.15 + 0.22 * i) +
            ", orientation: " + orientation_text(dice, true, 0.0) +
            ", velocity: " + vector_text(small(1), small(1), small(2)) +
            ", angular_velocity: " + vector_text(small(8), small(8), small(8)) + "}\n";
  }
  return text + "contact: {method: triangles, segments: 16, restitution: " +
         exact_text(dice.uniform(0.0, 1.0)) + ", mu_k: " + exact_text(dice.uniform(0.0, 0.6)) +
         "}\nrun: {until: " + exact_text(kDuration) +
         ", integrator: implicit_contact, step: " + exact_text(step) + "}\n";
}

Outcome run_mesh_heap(std::uint64_t seed) {
  Dice dice(seed);
  Outcome outcome;
  constexpr double kSteps[] = {1e-3, 5e-3, 1e-2};
  const double step = kSteps[dice.below(3)];
  outcome.label = step < 2e-3 ? "steps of 1 ms" : step < 7e-3 ? "5 ms" : "10 ms";
  outcome.scene = heap_text(dice, step);
  Simulation simulation(compile_text(outcome.scene));
  double last = simulation.ledger().stored(), turned = 0.0;
  const auto steps = std::lround(kDuration / step);
  for (long k = 1; k <= steps; ++k) {
    if (simulation.advance(static_cast<double>(k) * step) != AdvanceStatus::reached) {
      outcome.complaint = simulation.failure();
      return outcome;
    }
    const Ledger l = simulation.ledger();
    turned = std::max(turned, l.kinetic + l.elastic + l.dissipated_normal + l.dissipated_friction +
                                  l.dissipated_step);
    outcome.measure = std::max(outcome.measure, l.stored() - last);
    last = l.stored();
  }
  outcome.limit = kMost * turned;
  outcome.evaluations = simulation.statistics().counts.newton_iterations;
  return outcome;
}

std::string box_text(Dice& dice, std::string& friction) {
  std::string text =
      "carom: 1\nname: box of odds\nbodies:\n  crate: {fixed: true, material: dry_wood, shapes: [";
  const auto wall = [&](const std::string& size, const std::string& at) {
    text += "{box: {size: " + size + "}, at: " + at + "}, ";
  };
  wall("[0.7, 0.7, 0.05]", "[0, 0, -0.025]");
  wall("[0.05, 0.7, 1.2]", "[-0.325, 0, 0.55]"), wall("[0.05, 0.7, 1.2]", "[0.325, 0, 0.55]");
  wall("[0.7, 0.05, 1.2]", "[0, -0.325, 0.55]"), wall("[0.7, 0.05, 1.2]", "[0, 0.325, 0.55]");
  text.erase(text.size() - 2);
  text += "]}\n";
  constexpr const char* kShapes[] = {
      "box: {size: [0.12, 0.12, 0.12]}", "sphere: {radius: 0.06}",
      "triangle_mesh: {file: hollow.obj}",
      "pipe: {outer_radius: 0.07, inner_radius: 0.055, length: 0.12}",
      "triangle_mesh: {file: bumpy.obj}"};
  constexpr const char* kMaterials[] = {"dry_wood", "aluminium", "steel"};
  const auto small = [&](double most) { return dice.uniform(-most, most); };
  const int other = dice.below(5);
  for (int i = 0; i < 4; ++i) {
    text += "  b" + std::to_string(i) + ": {material: " + kMaterials[dice.below(3)] +
            ", shapes: [{" + kShapes[i < 3 ? i : other] +
            "}], position: " + vector_text(small(0.1), small(0.1), 0.15 + 0.22 * i) +
            ", orientation: " + orientation_text(dice, true, 0.0) +
            ", velocity: " + vector_text(small(1), small(1), small(1)) + "}\n";
  }
  // `coulomb` is a damper of slope 3 mu N / v_small: what leans on a wall creeps on by up to a
  // third of v_small, of which implicit steps bear any.
  constexpr const char* kFriction[] = {"lugre", "elasto_plastic", "coulomb, v_small: 1e-5"};
  const double restitution = dice.uniform(0.1, 0.6);
  friction = kFriction[dice.below(3)];
  return text +
         "contact: {method: triangles, segments: 17, restitution: " + exact_text(restitution) +
         ", friction: " + friction +
         ", mu_k: 0.4, mu_r: 0.002}\nrun: {until: " + exact_text(kPatience) +
         ", integrator: implicit_contact, step: 1.5e-3}\n";
}

/// The largest speed of a body; infinite if one has left the box.
double largest_speed(Simulation& simulation) {
  Workspace& w = simulation.workspace();
  evaluate_kinematics(w, simulation.time(), simulation.state());
  double fastest = 0.0;
  for (std::size_t i = 1; i < w.tree.links.size(); ++i) {
    const LinkState& L = w.tree.links[i];
    const auto& inertia = w.model->tree.links[i].inertia;
    const Vec3 p = L.p_WL + L.R_WL * (inertia.h / inertia.m);
    if (!(std::abs(p.x) < kWall && std::abs(p.y) < kWall && p.z > 0.0)) return kInf;
    fastest = std::max(fastest, norm(L.V.v) + 0.06 * norm(L.V.w));
  }
  return fastest;
}

Outcome run_mesh_box(std::uint64_t seed) {
  constexpr double kSpan = 0.25;
  Dice dice(seed);
  Outcome outcome;
  outcome.limit = kPatience;
  outcome.scene = box_text(dice, outcome.label);
  Simulation simulation(compile_text(outcome.scene));
  int quiet = 0;  // bodies on an edge stand still before they fall
  for (double t = kSpan; t <= kPatience; t += kSpan) {
    if (simulation.advance(t) != AdvanceStatus::reached) {
      outcome.complaint = simulation.failure();
      return outcome;
    }
    const double speed = largest_speed(simulation);
    if (!(speed < kInf)) {
      outcome.complaint = "a body is outside of the box at " + exact_text(t) + " s";
      return outcome;
    }
    quiet = speed < kRest ? quiet + 1 : 0;
    outcome.measure = t;
    if (quiet == 3) return outcome;
  }
  outcome.complaint = "not at rest: " + exact_text(largest_speed(simulation)) + " m/s";
  return outcome;
}

}  // namespace

extern const Campaign campaign_mesh_heaps;
const Campaign campaign_mesh_heaps{"mesh_heaps", "heaps of closed meshes by implicit contact steps",
                                   "largest rise of energy in a step, of 1e-9 turned over", 100,
                                   run_mesh_heap};

extern const Campaign campaign_mesh_boxes;
const Campaign campaign_mesh_boxes{"mesh_boxes", "meshes that fall into a box",
                                   "time until all are at rest, of 30 s", 100, run_mesh_box};

}  // namespace carom::campaign
