// Depth that no energy accounts for, and how bodies come out of it.
//
// Detection finds more than a step has left where bodies turn far, faces change or edges pass each
// other. A contact whose law holds U at the depth d that was found, and whose bank holds T < U,
// lacks
//
//   e = d (1 - sqrt(T / U)).                                                           (1)
//
// Rows from d on would give what was never taken. The whole depth is tried nevertheless, for the
// island may lose as much elsewhere; where the bank says no, rows start from between d - e and d.
// What is cut off is remembered: the next step starts from there at once, or a body that has lost
// what it held would be cut in every step for good. It is taken back as the bank pays for it,
//
//   m g e + m w²/2,   w = min(e/h, what is no throw),                                    (2)
//
// and a bank may hold that much more than depths and bristles do. It comes from the blow that
// brought the body in: what is deeper at the end of a step than its rows say is known before what
// the step took is dropped.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/implicit/implicit_step.h"

namespace carom {
namespace {

/// Shares of (1) that are tried.
constexpr double kCuts[] = {1.0, 0.2, 0.0};
static_assert(std::size(kCuts) == ImplicitStep::kMostCuts + 1);
/// Bodies come out no faster than that many steps of fall make them, or by this share of their size
/// in a step.
constexpr double kFalls = 2.0, kShareOut = 1e-3;
/// Share of its force that damping takes from a contact, from which on it decides how fast a body
/// comes out.
constexpr double kBraked = 0.5;
/// Of what is missing: bodies on top of each other are heavier than their own mass, and too little
/// would be another solution.
constexpr double kEnough = 2.0;

}  // namespace

double ImplicitStep::share_after(int cuts) { return kCuts[at(cuts)]; }

/// Of the depths that were found, what the bank accounts for.
double ImplicitStep::paid_share(const Touch& touch) {
  const double full = touch.held + touch.found_bristle;
  return full > 0.0 ? std::min(1.0, std::sqrt(touch.stored / full)) : 1.0;
}

/// What a contact may come out by in a step [m].
double ImplicitStep::way_out(const Touch& touch) const {
  const double fall = norm(w_.parameters.gravity.uniform) * h_ * h_;
  const double size = 2.0 * smaller_reach(w_.model->contact, touch.begun);
  return std::max(kFalls * fall, kShareOut * size);
}

/// (2) of the contact.
double ImplicitStep::cost_of(const Touch& touch, const RowGroup& group, double depth) const {
  if (!(depth > 0.0) || touch.detected.empty()) return 0.0;
  const auto deepest = std::ranges::max_element(touch.detected);
  const double mobility =
      row_mobility(group, static_cast<std::size_t>(deepest - touch.detected.begin()));
  if (!(mobility > 0.0)) return 0.0;
  const double w = std::min(depth, way_out(touch)) / h_;
  return (norm(w_.parameters.gravity.uniform) * depth + 0.5 * w * w) / mobility;
}

/// Rows start from what was found less what is unpaid, but not from less than what is paid.
void ImplicitStep::put_depths(int i) {
  const RowGroup& group = problem_.groups[at(i)];
  const Touch& touch = touches_[at(i)];
  const double paid = paid_share(touch);
  for (std::size_t k = 0; k < at(group.normals); ++k) {
    const double found = touch.detected[k];
    problem_.normals[at(group.first_normal) + k].depth =
        found > 0.0 ? std::max(paid * found, found - touch.unpaid) : found;
  }
}

/// What the last steps have left unpaid, less what the bank has now.
void ImplicitStep::begin_depths(int i) {
  const RowGroup& group = problem_.groups[at(i)];
  Touch& touch = touches_[at(i)];
  touch.unpaid = std::min(touch.begun.unpaid, touch.deepest);
  if (!(touch.unpaid > 0.0)) return;
  put_depths(i);
  double spare = touch.stored - touch.start_bristle_energy;
  for (std::size_t k = 0; k < at(group.normals); ++k) {
    const NormalRow& row = problem_.normals[at(group.first_normal) + k];
    spare -= touch.over_rows * elastic_energy(row, row.depth);
  }
  const double cost = cost_of(touch, group, touch.unpaid);
  if (!(spare > 0.0)) return;
  const double share = cost > spare ? spare / cost : 1.0;
  touch.unpaid -= std::min(share * touch.unpaid, way_out(touch));
  put_depths(i);
}

/// Depths and bristles between those whose energy the bank holds and those that were found.
void ImplicitStep::limit_depths(std::size_t island) {
  for (const int i : problem_.islands[island].groups) {
    if (is_touch(i)) limit_touch(i, share_after(islands_[island].cut));
  }
}

void ImplicitStep::limit_touch(int i, double share) {
  Touch& touch = touches_[at(i)];
  const double paid = paid_share(touch), rest = (1.0 - share) * (1.0 - paid);
  double deepest = 0.0;
  for (const double depth : touch.detected) deepest = std::max(deepest, depth);
  touch.unpaid = std::max(touch.unpaid, rest * deepest);
  touch.bristle_share = 1.0 - rest;
  put_depths(i);
  set_load(touch, problem_.groups[at(i)], touch.load);
}

/// What bodies come out by in this step costs `excess` more than there is: they come out by a share
/// s of it, s² sum m e²/2h² + s sum m g e being less by as much. Damping may let them out by less
/// than they are deep: e is the way that they go. False where nothing comes out.
bool ImplicitStep::shift_depths(std::size_t island, double excess) {
  double kinetic = 0.0, lifted = 0.0;
  const auto each = [&](auto&& use) {
    for (const int i : problem_.islands[island].groups) {
      if (is_touch(i)) use(touches_[at(i)], problem_.groups[at(i)]);
    }
  };
  each([&](Touch& touch, const RowGroup& group) {
    touch.out = 0.0;
    double mobility = 0.0, deeper = 0.0;
    const double paid = paid_share(touch);
    u_.resize(at(group.rows));
    row_velocities(problem_, group, problem_.v, u_);
    for (std::size_t k = 0; k < at(group.normals); ++k) {
      const NormalRow& row = problem_.normals[at(group.first_normal) + k];
      const double unpaid = row.depth - paid * touch.detected[k];
      const bool presses = touch.detected[k] > 0.0 && touch.forces[k] > 0.0;
      if (!presses || !(unpaid > deeper)) continue;
      deeper = unpaid, mobility = row_mobility(group, k);
      touch.out = row.damping * u_[k] > kBraked ? std::min(unpaid, h_ * u_[k]) : unpaid;
    }
    touch.braked = deeper - touch.out;
    if (!(mobility > 0.0)) return;
    kinetic += 0.5 * touch.out * touch.out / (h_ * h_ * mobility);
    lifted += norm(w_.parameters.gravity.uniform) * touch.out / mobility;
  });
  if (!(kinetic + lifted > 0.0)) return false;
  const double left = std::max(0.0, kinetic + lifted - kEnough * excess);
  const double root = std::sqrt(lifted * lifted + 4.0 * kinetic * left);
  const double share = 2.0 * left / (lifted + root);
  each([&](Touch& touch, const RowGroup&) {
    if (!(touch.out > 0.0)) return;
    touch.unpaid = std::min(touch.unpaid, touch.deepest) + touch.braked + (1.0 - share) * touch.out;
  });
  return true;
}

/// The sum of (2) of an island.
double ImplicitStep::allowance(std::size_t island) {
  double sum = 0.0;
  for (const int i : problem_.islands[island].groups) {
    if (!is_touch(i)) continue;
    Touch& touch = touches_[at(i)];
    touch.allowed =
        touch.slot < 0 ? 0.0 : cost_of(touch, problem_.groups[at(i)], touch.unpaid + touch.excess);
    sum += touch.allowed;
  }
  return sum;
}

/// A contact keeps what it held and what flowed into it, as far as its depth can hold that; the
/// rest goes to where there is room. Divided by what depths could hold, one that was found deep,
/// and holds nothing, would take what its neighbours were given.
void ImplicitStep::divide_bank(std::size_t island, double bank, double energy, double allowed) {
  const auto own = [](const Touch& touch) {
    return std::clamp(touch.stored + touch.inflow, 0.0, touch.energy);
  };
  double sum = 0.0;
  for (const int i : problem_.islands[island].groups) {
    if (is_touch(i)) sum += own(touches_[at(i)]);
  }
  const double room = energy - sum, rest = bank - sum;
  for (const int i : problem_.islands[island].groups) {
    if (!is_touch(i)) continue;
    Touch& touch = touches_[at(i)];
    const double mine = own(touch);
    if (rest <= 0.0) {
      touch.stored = sum > 0.0 ? bank * mine / sum : 0.0;
    } else if (rest < room) {
      touch.stored = mine + rest * (touch.energy - mine) / room;
    } else {
      touch.stored =
          touch.energy + (allowed > 0.0 ? (bank - energy) * touch.allowed / allowed : 0.0);
    }
  }
}

}  // namespace carom
