// Heaps of 5 to 60 bodies of every shape in a box, masses up to 1:10^6 apart, steel and rubber, any
// restitution, by implicit contact steps of 1, 5 and 10 ms. From step to step
//
//   kinetic + potential + elastic energy rise by at most 1e-9 of what was turned over,       (1)
//
// no body leaves the box, no pair overlaps by more than 5 % of the smaller body's size, and the
// bank acts in at most one of a hundred steps. A ball of rubber of 3 cm and 2 kg that falls by a
// metre is pressed to half its size by its law alone (error control has it within half a per cent
// as deep), so of pairs with rubber only the depth counts that no energy has paid for. With T in
// the bank of the contact, and U what its law stores at the depth d, paid is
//
//   d sqrt(T / U),                                                                        (2)
//
// and what was paid for once is no overlap on the way out, where less is left of T than U by what
// the step errs: of 50 J that have pressed a body in by a third, one that lacks in the end is a
// tenth of its size by (2), and two per cent of restitution. It has to be out after a while,
// though. ImplicitDepths has such bodies beside error control.
//
// A body of rubber that (2) lets be, and that presses on the box, is not outside of it, wherever
// its centre is: an ellipsoid of 5 cm and 22 kg that comes down at 4.5 m/s has it 18.7 mm under the
// floor for a moment, and 18.6 mm by error control.
//
// How many steps do not converge is a campaign of its own.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "campaign.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/implicit/pair_rows.h"
#include "carom/engine/model.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/simulation.h"
#include "random_bodies.h"

namespace carom::campaign {
namespace {

constexpr double kMost = 1e-9;
constexpr double kWall = 0.5;  ///< half of the box's width [m]
/// Of the steps of a heap: in which the bank may act, and which may stay unconverged.
constexpr double kShareAmiss = 1e-2, kShareUnconverged = 1e-3;
constexpr double kMostOverlap = 0.05;  ///< over the size of the smaller body
constexpr double kDuration = 0.6;      ///< of a heap [s]
constexpr double kWayOut = 0.05;       ///< time to come out of what was paid for once [s]

std::string box_text() {
  const auto wall = [](const char* name, const std::string& size, const std::string& at) {
    return std::string("  ") + name +
           ": {fixed: true, material: steel, shapes: [{box: {size: " + size + "}, at: " + at +
           "}]}\n";
  };
  return wall("floor", "[3, 3, 1]", "[0, 0, -0.5]") + wall("west", "[1, 3, 4]", "[-1, 0, 1]") +
         wall("east", "[1, 3, 4]", "[1, 0, 1]") + wall("south", "[3, 1, 4]", "[0, -1, 1]") +
         wall("north", "[3, 1, 4]", "[0, 1, 1]");
}

std::string heap_text(Dice& dice, int count, double step, std::vector<bool>& is_stiff) {
  const double ratio = dice.spread(1.0, 1e6);
  std::string text = "carom: 1\nname: implicit heap\nbodies:\n" + box_text();
  for (int i = 0; i < count; ++i) {
    std::string kind;
    const std::string shape = shape_text(dice, kind);
    const auto small = [&](double most) { return dice.uniform(-most, most); };
    const double mass = 1e-1 * std::pow(ratio, dice.uniform(-0.5, 0.5));
    is_stiff.push_back(dice.chance(0.5));
    text += "  b" + std::to_string(i) + ": {material: " + (is_stiff.back() ? "steel" : "rubber") +
            ", shapes: [{" + shape + "}], mass: " + exact_text(mass) + ", position: " +
            vector_text(0.2 * (i % 3 - 1) + small(0.01), 0.2 * (i / 3 % 3 - 1) + small(0.01),
                        0.15 + 0.22 * (i / 9)) +
            ", orientation: " + orientation_text(dice, true, 0.0) +
            ", velocity: " + vector_text(small(1), small(1), small(1)) +
            ", angular_velocity: " + vector_text(small(5), small(5), small(5)) + "}\n";
  }
  return text + "contact: {restitution: " + exact_text(dice.uniform(0.0, 1.0)) +
         "}\nrun: {until: " + exact_text(kDuration) +
         ", integrator: implicit_contact, step: " + exact_text(step) + "}\n";
}

/// Largest overlap of two bodies over the size of the smaller one: of stiff pairs as it is, of
/// those with rubber beyond what was paid for.
struct Overlap {
  double stiff = 0.0, soft = 0.0;
};

/// What energy has paid for since a contact began.
struct Paid {
  double share = 0.0;  ///< depth over size
  double time = 0.0;   ///< when that was [s]
};
using Sites = std::map<std::array<std::uint32_t, 4>, Paid>;

/// (2) over d; nothing where the contact has not begun.
double paid_share(const Workspace& w, const ContactPair& pair, std::span<const double> x,
                  double law_energy) {
  if (pair.mode == ContactMode::apart || pair.slot < 0 || !(law_energy > 0.0)) return 0.0;
  const double bank = x[slot_place(*w.model, pair.slot) + SlotLayout::kStored];
  return std::sqrt(std::clamp(bank / law_energy, 0.0, 1.0));
}

/// By how much more than was paid for a pair overlaps.
double unpaid(double share, double paid, double t, Paid& once) {
  if (share * paid >= once.share) once = {share * paid, t};
  const double counts = t - once.time > kWayOut ? share * paid : once.share;
  return std::max(0.0, share - counts);
}

Overlap overlap_now(Simulation& simulation, const std::vector<bool>& is_stiff, Sites& sites) {
  Workspace& w = simulation.workspace();
  evaluate(w, simulation.time(), simulation.state());
  std::vector<double> law_energy(w.modes.contacts.pairs.size(), 0.0);
  for (std::size_t k = 0; k < w.contacts.touching.size(); ++k) {
    law_energy[w.contacts.touching[k]] = w.contacts.readings[k].energy;
  }
  Overlap out;
  Sites still;  // of contacts that go on
  for (std::size_t i = 0; i < w.modes.contacts.pairs.size(); ++i) {
    const ContactPair& pair = w.modes.contacts.pairs[i];
    const Contact contact = find_contact(w, pair);
    const Collider& a = w.model->contact.colliders[pair.a];
    const Collider& b = w.model->contact.colliders[pair.b];
    const double share = -contact.phi / (2.0 * smaller_reach(w.model->contact, pair));
    const bool stiff =
        is_stiff[static_cast<std::size_t>(a.link)] && is_stiff[static_cast<std::size_t>(b.link)];
    if (stiff) out.stiff = std::max(out.stiff, share);
    if (stiff || !(share > 0.0)) continue;
    const std::array<std::uint32_t, 4> site{pair.a, pair.b, pair.piece_a, pair.piece_b};
    // What is met in a step has no bank yet; the next step shows what it holds.
    const bool is_new = !sites.contains(site);
    Paid& once = still[site] = sites[site];
    if (is_new) continue;
    const double paid = paid_share(w, pair, simulation.state(), law_energy[i]);
    out.soft = std::max(out.soft, unpaid(share, paid, simulation.time(), once));
  }
  sites = std::move(still);
  return out;
}

/// Whether it presses on something fixed.
bool presses_on_box(const Workspace& w, std::size_t link) {
  const auto link_of = [&](ColliderId c) { return w.model->contact.colliders[c].link; };
  return std::ranges::any_of(w.modes.contacts.pairs, [&](const ContactPair& pair) {
    const int a = link_of(pair.a), b = link_of(pair.b);
    return pair.mode != ContactMode::apart && a + b == static_cast<int>(link) && (a == 0 || b == 0);
  });
}

/// Bodies whose centre of mass is outside of the box, and is not pressed there.
int strays(Simulation& simulation, const std::vector<bool>& is_stiff) {
  Workspace& w = simulation.workspace();
  evaluate_kinematics(w, simulation.time(), simulation.state());
  int lost = 0;
  for (std::size_t i = 1; i < w.tree.links.size(); ++i) {
    const LinkState& L = w.tree.links[i];
    const auto& inertia = w.model->tree.links[i].inertia;
    const Vec3 p = L.p_WL + L.R_WL * (inertia.h / inertia.m);
    const bool is_outside = std::abs(p.x) > kWall || std::abs(p.y) > kWall || p.z < 0.0;
    lost += is_outside && (is_stiff[i] || !presses_on_box(w, i));
  }
  return lost;
}

Outcome run_heap_of_steps(std::uint64_t seed, bool counts_unconverged) {
  Dice dice(seed);
  Outcome outcome;
  const int count = static_cast<int>(std::lround(dice.spread(5.0, 60.0)));
  constexpr double kSteps[] = {1e-3, 5e-3, 1e-2};
  const double step = kSteps[dice.below(3)];
  outcome.label = step < 2e-3 ? "steps of 1 ms" : step < 7e-3 ? "5 ms" : "10 ms";
  std::vector<bool> is_stiff{true};  // the box
  outcome.scene = heap_text(dice, count, step, is_stiff);
  const Scene scene = read_scene_text(outcome.scene, "heap", {});
  Diagnostics diagnostics;
  const std::shared_ptr<const Model> model = compile(scene, diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  Simulation simulation(model);
  double last = simulation.ledger().stored(), turned = 0.0;
  Overlap overlap;
  Sites sites;
  const auto steps = std::lround(scene.run.until / step);
  for (long k = 1; k <= steps; ++k) {
    if (simulation.advance(static_cast<double>(k) * step) != AdvanceStatus::reached) {
      outcome.complaint = simulation.failure();
      return outcome;
    }
    const Ledger l = simulation.ledger();
    turned = std::max(turned, l.kinetic + l.elastic + l.dissipated_normal + l.dissipated_friction +
                                  l.dissipated_step);
    const Overlap now = overlap_now(simulation, is_stiff, sites);
    overlap.stiff = std::max(overlap.stiff, now.stiff);
    overlap.soft = std::max(overlap.soft, now.soft);
    outcome.measure = std::max(outcome.measure, l.stored() - last);
    last = l.stored();
  }
  outcome.limit = kMost * turned;
  const IntegratorStatistics counts = simulation.statistics().counts;
  outcome.evaluations = counts.newton_iterations;
  const auto share = [&](std::int64_t n) {
    return static_cast<double>(n) / static_cast<double>(steps);
  };
  if (const int lost = strays(simulation, is_stiff)) {
    outcome.complaint = std::to_string(lost) + " bodies outside of the box";
  } else if (std::max(overlap.stiff, overlap.soft) > kMostOverlap) {
    outcome.complaint = "bodies overlap by " + std::to_string(overlap.stiff) + " (steel), " +
                        std::to_string(overlap.soft) + " (rubber, unpaid) of their size";
  } else if (counts.bank_actions > 1 && share(counts.bank_actions) > kShareAmiss) {
    outcome.complaint = "the bank acted " + std::to_string(counts.bank_actions) + " times";
  }
  if (counts_unconverged) {
    outcome.measure = share(counts.unconverged_steps), outcome.limit = kShareUnconverged;
  }
  return outcome;
}

Outcome run_implicit(std::uint64_t seed) { return run_heap_of_steps(seed, false); }
Outcome run_implicit_newton(std::uint64_t seed) { return run_heap_of_steps(seed, true); }

}  // namespace

extern const Campaign campaign_implicit;
const Campaign campaign_implicit{"implicit", "heaps of 5 to 60 bodies by implicit contact steps",
                                 "largest rise of energy in a step, of 1e-9 turned over", 300,
                                 run_implicit};

extern const Campaign campaign_implicit_newton;
const Campaign campaign_implicit_newton{"implicit_newton", "the same, judged by their solver",
                                        "share of steps that did not converge, of 1e-3", 300,
                                        run_implicit_newton};

}  // namespace carom::campaign
