// Starts that touch, hop or spin: whether a contact is lost, and whether energy comes from nothing.
//
// One or two bodies begin at the floor or the face of a table or a hop above it, with the point
// that is lowest at rest or nearly so: the instants of begin and end are then as hard to tell as
// they get. Nothing feeds energy, so kinetic + potential + elastic energy may only fall. And after
// every step and event
//
//   apart  =>  phi > -2 gamma,   gamma what the distance resolves.                         (1)
#include <algorithm>
#include <cmath>

#include "campaign.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/events/contact_events.h"
#include "carom/integrate/integrator.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/simulation.h"

namespace carom::campaign {
namespace {

constexpr long kMostSteps = 400000;  // of a case: none should need as many
constexpr double kToleranceFactor = 100.0;

enum class Body { ball, cylinder, box };

struct Start {
  Body kind = Body::ball;
  double tolerance = 1e-8;
  std::string method, label, scene;
};

/// Height of the origin of the turned body when its lowest point is at zero, and that point.
struct Lowest {
  double height = 0.0;
  Vec3 point;  ///< relative to the origin
};

Lowest lowest_point(Body kind, const Vec3& size, const Mat3& R) {
  if (kind == Body::ball) return {size.x, {0.0, 0.0, -size.x}};
  Vec3 lowest{0.0, 0.0, kInf};
  for (int k = 0; k < 8; ++k) {
    Vec3 p_B{(k & 1 ? 0.5 : -0.5) * size.x, (k & 2 ? 0.5 : -0.5) * size.y,
             (k & 4 ? 0.5 : -0.5) * size.z};
    if (kind == Body::cylinder) {
      // Axis z; on the rim the point that is farthest down.
      const double dx = -R(2, 0), dy = -R(2, 1), d = std::hypot(dx, dy);
      p_B = {d > 0.0 ? size.x * dx / d : 0.0, d > 0.0 ? size.x * dy / d : 0.0,
             (k & 1 ? 0.5 : -0.5) * size.z};
    }
    const Vec3 p = R * p_B;
    if (p.z < lowest.z) lowest = p;
  }
  return {-lowest.z, lowest};
}

std::string shape_text(Body kind, const Vec3& size) {
  switch (kind) {
    case Body::ball: return "sphere: {radius: " + exact_text(size.x) + "}";
    case Body::cylinder:
      return "cylinder: {radius: " + exact_text(size.x) + ", length: " + exact_text(size.z) +
             "}, axis: z";
    default: return "box: {size: " + vector_text(size.x, size.y, size.z) + "}";
  }
}

std::string body_text(Dice& dice, Body kind, double x) {
  const double r = dice.spread(0.01, 0.3);
  const Vec3 size{r, kind == Body::box ? r * dice.uniform(0.3, 1.5) : r,
                  kind == Body::ball ? r : r * dice.uniform(0.3, 3.0)};
  // Flat, nearly flat or any tilt.
  const double tilt = dice.chance(0.2) ? 0.0 : dice.spread(1e-6, 1.5);
  const double towards = dice.uniform(0.0, 6.28);
  const Vec3 rotation{tilt * std::cos(towards), tilt * std::sin(towards), 0.0};
  const Quat q = quat_exp(rotation);
  const Mat3 R = to_matrix(q);
  const Lowest lowest = lowest_point(kind, size, R);
  const double hop = dice.chance(0.4) ? 0.0 : dice.spread(1e-14, 1e-3);
  const Vec3 spin{dice.uniform(-20, 20), dice.uniform(-20, 20), dice.uniform(-20, 20)};
  Vec3 v{dice.uniform(-1, 1), dice.uniform(-1, 1), 0.0};
  // The lowest point stands still vertically, or moves a little.
  v.z = -cross(spin, lowest.point).z + (dice.chance(0.5) ? 0.0 : dice.uniform(-0.1, 0.1));
  const double mass = dice.spread(0.01, 10.0);
  std::string com;
  double inertia = 0.4 * mass * r * r;
  if (kind == Body::ball && dice.chance(0.6)) {
    const double off = dice.uniform(0.0, 0.8) * r;
    const double along = dice.uniform(0.0, 6.28), up = dice.uniform(-1.0, 1.0);
    const double flat = std::sqrt(1.0 - up * up);
    const Vec3 c{off * flat * std::cos(along), off * flat * std::sin(along), off * up};
    com = ", com: " + vector_text(c.x, c.y, c.z);
  }
  return "{mass: " + exact_text(mass) + com +
         ", inertia: " + vector_text(inertia, inertia, inertia) + ", material: steel, shapes: [{" +
         shape_text(kind, size) +
         ", mass: off}], position: " + vector_text(x, 0.0, lowest.height + hop) +
         ", orientation: [" + exact_text(q.w) + ", " + exact_text(q.x) + ", " + exact_text(q.y) +
         ", " + exact_text(q.z) + "]" + ", velocity: " + vector_text(v.x, v.y, v.z) +
         ", angular_velocity: " + vector_text(spin.x, spin.y, spin.z) + "}";
}

Start make_start(std::uint64_t seed) {
  Dice dice(seed);
  std::vector<std::string> methods;
  for (const Method* m : method_catalogue()) {
    if (m->error_controlled) methods.push_back(m->name);
  }
  Start s;
  s.kind = static_cast<Body>(dice.below(3));
  s.method = methods[static_cast<std::size_t>(dice.below(static_cast<int>(methods.size())))];
  s.tolerance = dice.spread(1e-10, 1e-5);
  constexpr const char* kNames[] = {"ball", "cylinder", "box"};
  s.label = std::string(kNames[static_cast<int>(s.kind)]) + ", " + s.method;
  const double far = dice.chance(0.1) ? 1000.0 : dice.chance(0.2) ? 1.0 : 0.0;
  const bool two = dice.chance(0.25);
  std::string& text = s.scene;
  text = "carom: 1\nname: start " + std::to_string(seed) + "\nbodies:\n";
  // Of its own dice, so that cases from before stay what they were but for it.
  const bool on_table = Dice(seed ^ 0x7ab1e).chance(0.25);
  text += "  floor: {fixed: true, material: steel, shapes: [{" +
          (on_table ? "box: {size: [20, 20, 1]}, at: " + vector_text(far, 0.0, -0.5)
                    : std::string("half_space: {}")) +
          "}]}\n";
  text += "  a: " + body_text(dice, s.kind, far) + "\n";
  if (two) text += "  b: " + body_text(dice, s.kind, far + dice.uniform(0.7, 1.2)) + "\n";
  const double restitution = dice.chance(0.3) ? 1.0 : dice.uniform(0.9, 1.0);
  const bool is_soft = dice.chance(0.5);
  text += "contact: {restitution: " + exact_text(restitution) +
          ", resistance: none, friction: " + (dice.chance(0.7) ? "none" : "coulomb") +
          (is_soft ? ", k_red: 1e-3" : "") + "}\n";
  text += "run: {until: " + exact_text(dice.uniform(0.02, 0.15)) +
          ", tolerance: " + exact_text(s.tolerance) + ", integrator: " + s.method +
          ", max_steps: " + std::to_string(kMostSteps) + "}\n";
  return s;
}

/// (1), or the pair that breaks it.
std::string find_lost(Simulation& simulation) {
  Workspace& w = simulation.workspace();
  evaluate_kinematics(w, simulation.time(), simulation.state());
  for (const ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.mode != ContactMode::apart) continue;
    const double phi = find_contact(w, pair).phi;
    if (phi < -2.0 * part_for(w, pair).resolution(w, pair)) {
      return "at " + exact_text(simulation.time()) + " s " + pair_name(w, pair) +
             " count as apart at " + exact_text(phi) + " m";
    }
  }
  return {};
}

Outcome run_start(std::uint64_t seed) {
  const Start start = make_start(seed);
  Outcome outcome;
  outcome.label = start.label, outcome.scene = start.scene;
  const Scene scene = read_scene_text(start.scene, "start", {});
  Diagnostics diagnostics;
  const std::shared_ptr<const Model> model = compile(scene, diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  Simulation simulation(model);
  // Potential energy counts by its change: its zero is arbitrary.
  const double rest = simulation.ledger().potential;
  double least = kInf, largest_rise = 0.0, turned = 0.0;
  simulation.on_progress([&](double) {
    const Ledger l = simulation.ledger();
    const double energy = l.stored();
    least = std::min(least, energy);
    largest_rise = std::max(largest_rise, energy - least);
    turned = std::max({turned, l.kinetic, std::abs(l.potential - rest), l.elastic});
    if (outcome.complaint.empty()) outcome.complaint = find_lost(simulation);
  });
  least = simulation.ledger().stored();
  turned = simulation.ledger().kinetic;
  const AdvanceStatus status = simulation.advance(scene.run.until);
  outcome.measure = largest_rise;
  outcome.limit = kToleranceFactor * start.tolerance * turned;
  outcome.evaluations = simulation.statistics().counts.rhs_evaluations;
  if (status == AdvanceStatus::failed) {
    outcome.is_finished = false;
    if (outcome.complaint.empty()) outcome.complaint = simulation.failure();
  }
  return outcome;
}

}  // namespace

extern const Campaign campaign_starts;
const Campaign campaign_starts{
    "starts", "balls, cylinders and boxes that touch, hop and spin",
    "rise of the total energy, of 100 tolerances of the energy turned over", 10000, run_start};

}  // namespace carom::campaign
