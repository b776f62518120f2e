// The bank of an implicit step: what contacts may give back.
//
// T is what flowed into the contacts of an island and has not come out again; it is the elastic
// energy of the ledger. With dE the change of kinetic and potential energy less the work from
// outside, an answer is taken if
//
//   dE <= T,                                                                        (1)
//
// so that E + T cannot rise, whatever detection finds. Otherwise depths are cut towards those whose
// energy the bank holds, and at last the answer itself: v(s) = v* + s (v+ - v*) with dE(s) = T, a
// quadratic. Then
//
//   T+ = max(0, min(U+ + sum (m g e + m w²/2), T - dE - D)),                         (2)
//
// U+ the energy of the depths and bristles that the step leaves, D what friction took, and the sum
// what it takes to bring out what is deeper than its energy accounts for (implicit_depths.cpp).
// What (2) drops is dissipated.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/implicit/implicit_step.h"

namespace carom {
namespace {

/// Small islands may be solved more often for friction than heaps, where loads never settle.
constexpr std::size_t kSmallIsland = 24;
constexpr int kRoundsOfSmall = 6, kRounds = 1;
constexpr double kLoadChangeOfSmall = 1e-4, kLoadChange = 0.1;
/// An answer that is nearly whole lacks a little depth, and one that still is after that is not
/// worth another solution; the rest is rounding.
constexpr double kNearlyWhole = 0.999, kWhole = 1.0 - 1e-6;
constexpr int kMostShifts = 3;
/// By which an attempt to start from less goes farther than the one before.
constexpr double kFarther = 8.0;
constexpr double kRounding = 1e-13;

}  // namespace

bool ImplicitStep::revise(std::size_t island) {
  read_forces(island);
  if (follow_turns(island)) return true;
  if (renew_friction(island) || renew_joints(island)) return true;
  mark_pushed(island);
  if (keep_to_bank(island)) return true;
  close_island(island);
  return false;
}

std::vector<double>& ImplicitStep::forces_of(int g) {
  if (is_touch(g)) return touches_[at(g)].forces;
  return is_joint(g) ? joints_of(g).forces
                     : force_groups_[at(g) - touch_count_ - joint_count_].rows.forces;
}

void ImplicitStep::read_forces(std::size_t island) {
  std::vector<double>& u = u_;
  for (const int i : problem_.islands[island].groups) {
    const RowGroup& g = problem_.groups[at(i)];
    std::vector<double>& forces = forces_of(i);
    u.resize(at(g.rows));
    forces.resize(at(g.rows));
    row_velocities(problem_, g, problem_.v, u);
    double press = 0.0;
    std::size_t row = 0;
    for (; row < at(g.normals); ++row) {
      forces[row] = answer(problem_.normals[at(g.first_normal) + row], h_, u[row], 1.0).force;
      press += forces[row];
    }
    if (is_touch(i)) touches_[at(i)].press = press;
    for (std::size_t k = 0; k < at(g.rubs); ++k) {
      const RubRow& rub = problem_.rubs[at(g.first_rub) + k];
      const RubAnswer out = answer(rub, h_, {&u[row], at(rub.size)}, 1.0);
      for (std::size_t c = 0; c < at(rub.size); ++c) forces[row++] = out.force[c];
    }
  }
}

/// Of an island's blocks where the step begins, as the root of the mean square.
double ImplicitStep::mean_speed(const VelocityIsland& island) const {
  double sum = 0.0;
  for (const int b : island.blocks) {
    const VelocityBlock& block = problem_.blocks[at(b)];
    const double *v = &start_[block.start], *M = &problem_.mass[block.mass];
    for (std::size_t i = 0; i < block.size; ++i) {
      for (std::size_t k = 0; k < block.size; ++k) {
        sum += v[i] * M[i * block.size + k] * v[k] / block.inertia;
      }
    }
  }
  return std::sqrt(sum / static_cast<double>(island.blocks.size()));
}

/// Of the contacts of an island that press.
double ImplicitStep::mean_press(std::size_t island) const {
  double sum = 0.0;
  int count = 0;
  for (const int i : problem_.islands[island].groups) {
    if (is_touch(i) && touches_[at(i)].press > 0.0) sum += touches_[at(i)].press, ++count;
  }
  return count > 0 ? sum / count : 0.0;
}

bool ImplicitStep::renew_friction(std::size_t island) {
  IslandState& state = islands_[island];
  const bool is_small = problem_.islands[island].blocks.size() <= kSmallIsland;
  if (state.rounds >= (is_small ? kRoundsOfSmall : kRounds)) return false;
  const double change = is_small ? kLoadChangeOfSmall : kLoadChange;
  bool renewed = false;
  // What bears little in a heap is no reason to solve all of it again.
  const double mean = is_small ? 0.0 : mean_press(island);
  for (const int i : problem_.islands[island].groups) {
    if (!is_touch(i)) continue;
    Touch& touch = touches_[at(i)];
    if (!touch.rubs && !touch.rolls) continue;
    const double most = std::max({touch.press, touch.load, mean});
    if (std::abs(touch.press - touch.load) <= change * most) continue;
    set_load(touch, problem_.groups[at(i)], touch.press);
    renewed = true;
  }
  state.rounds += renewed;
  return renewed;
}

/// Large islands are solved from the forces of the step before, or else from those of depths.
void ImplicitStep::guess_forces(const Touch& touch, const RowGroup& group) {
  const std::span rows(&problem_.normals[at(group.first_normal)], at(group.normals));
  double held = 0.0;
  for (NormalRow& row : rows) held += row.guess = elastic_force(row, row.depth);
  const ActedForce& acted = touch.begun.acted;
  if (!(acted.normal > 0.0)) return;
  for (NormalRow& row : rows) {
    row.guess = acted.normal * (held > 0.0 ? row.guess / held : 1.0 / group.normals);
  }
  if (!touch.rubs) return;
  RubRow& rub = problem_.rubs[at(group.first_rub)];
  rub.guess = {dot(touch.t1, acted.force), dot(touch.t2, acted.force), 0.0};
}

/// Friction goes by the forces of a first guess: most of what would be solved again for them is
/// solved once.
void ImplicitStep::predict_loads(std::size_t island) {
  const std::vector<int>& groups = problem_.islands[island].groups;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    if (!is_touch(groups[k])) continue;
    Touch& touch = touches_[at(groups[k])];
    if (touch.rubs || touch.rolls) {
      set_load(touch, problem_.groups[at(groups[k])], solver_.load_of(k));
    }
  }
}

/// Bodies on which no contact acts move freely, whatever is near them.
void ImplicitStep::mark_pushed(std::size_t island) {
  for (const int b : problem_.islands[island].blocks) pushed_[at(b)] = 0;
  for (const int i : problem_.islands[island].groups) {
    const RowGroup& g = problem_.groups[at(i)];
    const std::vector<double>& forces = forces_of(i);
    const bool acts = !is_touch(i) && (!is_joint(i) || joints_of(i).always_acts);
    if (!acts && std::ranges::all_of(forces, [](double f) { return f == 0.0; })) continue;
    if (g.a >= 0) pushed_[at(g.a)] = 1;
    if (g.b >= 0) pushed_[at(g.b)] = 1;
  }
}

/// Power of what moves from outside, in the forces of the answer.
double ImplicitStep::outside_power(const Touch& touch) const {
  const RowGroup& g = problem_.groups[static_cast<std::size_t>(&touch - touches_.data())];
  double power = 0.0;
  std::size_t row = 0;
  for (; row < at(g.normals); ++row) {
    power -= touch.forces[row] * problem_.normals[at(g.first_normal) + row].drift;
  }
  for (std::size_t k = 0; k < at(g.rubs); ++k) {
    const RubRow& rub = problem_.rubs[at(g.first_rub) + k];
    for (std::size_t c = 0; c < at(rub.size); ++c) power -= touch.forces[row++] * rub.drift[c];
  }
  return power;
}

double ImplicitStep::body_change(const VelocityBlock& block, const FreeBody& body, double s,
                                 double theta) const {
  std::array<double, 6> mean{}, gain{}, both{};
  for (std::size_t k = 0; k < 6; ++k) {
    const std::size_t i = block.start + k;
    mean[k] = problem_.free[i] + s * (problem_.v[i] - problem_.free[i]);
    gain[k] = (mean[k] - start_[i]) / theta;
    both[k] = 2.0 * start_[i] + gain[k];
  }
  const Vec3 turn = transpose_times(body.R, Vec3{gain[0], gain[1], gain[2]});
  const Vec3 turn_both = transpose_times(body.R, Vec3{both[0], both[1], both[2]});
  double sum = 0.5 * dot(turn, body.inertia * turn_both);
  sum += 0.5 * body.mass * (gain[3] * both[3] + gain[4] * both[4] + gain[5] * both[5]);
  sum -= h_ * dot(body.torque, Vec3{mean[0], mean[1], mean[2]});
  sum -= h_ * dot(body.force, Vec3{mean[3], mean[4], mean[5]});
  return sum;
}

/// dE of the share s of the answer.
double ImplicitStep::energy_change(std::size_t island, double s) const {
  const double theta = islands_[island].theta;
  double sum = 0.0;
  for (const int b : problem_.islands[island].blocks) {
    if (!pushed_[at(b)]) continue;
    const int body = owner_[at(b)].body;
    sum += body >= 0 ? body_change(problem_.blocks[at(b)], bodies_[at(body)], s, theta)
                     : tree_change(b, s, theta);
  }
  for (const int i : problem_.islands[island].groups) {
    sum += is_touch(i)   ? -s * h_ * outside_power(touches_[at(i)])
           : is_joint(i) ? joint_change(i, s)
                         : force_change(i, s);
  }
  return sum;
}

/// What the terms of dE are made of, for their rounding.
double ImplicitStep::energy_of(std::size_t island) const {
  double sum = islands_[island].bank;
  for (const int b : problem_.islands[island].blocks) {
    if (owner_[at(b)].body < 0) {
      const TreeBlock& tree = trees_.list[at(owner_[at(b)].tree)];
      for (const double y : tree.y) sum += y * y;
      for (const double y : tree.y_free) sum += y * y;
      continue;
    }
    const FreeBody& body = bodies_[at(owner_[at(b)].body)];
    const Vec3 w = transpose_times(body.R, body.w);
    sum += body.mass * norm2(body.v) + dot(w, body.inertia * w);
    sum += h_ * norm(body.force) * (norm(body.v) + norm(body.v_free));
  }
  // Depths found by rounding alone hold any energy where stiffness has no end.
  constexpr double kMostHeld = 1e3;
  double held = 0.0;
  for (const int i : problem_.islands[island].groups) {
    if (is_touch(i)) held += touches_[at(i)].held;
  }
  return sum + std::min(held, kMostHeld * sum);
}

void ImplicitStep::take_share(std::size_t island, double share) {
  islands_[island].share = share;
  for (const int b : problem_.islands[island].blocks) {
    const VelocityBlock& block = problem_.blocks[at(b)];
    for (std::size_t i = block.start; i < block.start + block.size; ++i) {
      problem_.v[i] = problem_.free[i] + share * (problem_.v[i] - problem_.free[i]);
    }
  }
}

bool ImplicitStep::keep_to_bank(std::size_t island) {
  IslandState& state = islands_[island];
  const double most = state.bank + kRounding * energy_of(island);
  state.change = energy_change(island, 1.0);
  if (state.change <= most) return false;
  if (state.theta < 1.0 && holds_joints(island)) return act_at_end(island), true;
  // dE(s) = none + b s + a s²
  const auto share_within = [&] {
    const double none = energy_change(island, 0.0), half = energy_change(island, 0.5);
    const double all = energy_change(island, 1.0);
    const double a = 2.0 * (all - 2.0 * half + none), b = all - none - a;
    const double room = std::max(0.0, most - none);
    const double root = std::sqrt(std::max(0.0, b * b + 4.0 * a * room));
    return b + root > 0.0 ? std::clamp(2.0 * room / (b + root), 0.0, 1.0) : 0.0;
  };
  double share = share_within();
  // Where steps resolve a contact its depths are right, and what lacks is the error of the step.
  const bool may_lack = state.theta == 1.0;
  if (may_lack && share < kWhole && state.shifts < kMostShifts) {
    const double factor = std::pow(kFarther, state.shifts++);
    if (shift_depths(island, factor * (state.change - most))) {
      for (const int i : problem_.islands[island].groups) {
        if (is_touch(i)) put_depths(i);
      }
      return true;
    }
  }
  const bool is_last = state.cut == kMostCuts;
  if (share > kNearlyWhole || is_last) {
    if (energy_change(island, 0.0) > most) {
      // Springs that are stiff for the step have thrown v* already: cut back to no motion.
      overreached_ = true;
      for (const int i : problem_.islands[island].blocks) {
        const VelocityBlock& block = problem_.blocks[at(i)];
        std::fill_n(problem_.free.begin() + static_cast<std::ptrdiff_t>(block.start), block.size,
                    0.0);
      }
      share = share_within();
    }
    if (may_lack) shift_depths(island, state.change - most);  // for the next step
    state.change = energy_change(island, share);  // forces do the same share of their work
    take_share(island, share);
    bank_actions_ += share < kWhole;
    return false;
  }
  ++state.cut;
  limit_depths(island);
  return true;
}

bool ImplicitStep::holds_joints(std::size_t island) const {
  return std::ranges::any_of(problem_.islands[island].groups, [&](int g) { return is_joint(g); });
}

/// Takes back what choose_theta() did. Friction in a joint that turns back within the step pushes
/// along its mean velocity: there the force at the end is taken, which dissipates.
void ImplicitStep::act_at_end(std::size_t island) {
  IslandState& state = islands_[island];
  state.theta = 1.0;
  for (const int b : problem_.islands[island].blocks) {
    const VelocityBlock& block = problem_.blocks[at(b)];
    block_theta_[at(b)] = 1.0;
    for (std::size_t k = 0; k < block.size * block.size; ++k) problem_.mass[block.mass + k] *= 0.5;
    for (std::size_t k = block.start; k < block.start + block.size; ++k) {
      problem_.free[k] = 2.0 * problem_.free[k] - start_[k];
    }
  }
  for (const int g : problem_.islands[island].groups) {
    const RowGroup& group = problem_.groups[at(g)];
    for (std::size_t k = 0; k < at(group.normals); ++k) {
      problem_.normals[at(group.first_normal) + k].secant = false;
    }
    if (is_joint(g)) put_joint_rubs(g, 1.0);
    if (!is_joint(g) && !is_touch(g)) put_force_rubs(g, 1.0);
  }
}

/// The bristle follows the slip as far as friction carries it.
void ImplicitStep::stretch_bristle(const RubRow& rub, std::span<const double> u, Touch& touch) {
  Vec3 z;
  for (std::size_t c = 0; c < at(rub.size); ++c) z[c] = rub.bristle[c] + h_ * u[c];
  const double length = norm(z);
  if (rub.stiffness * length > rub.bound) z *= rub.bound / (rub.stiffness * length);
  touch.bristle = rub.stiffness * z;
  const double energy = 0.5 * rub.stiffness * norm2(z);
  touch.energy += energy, touch.bristle_energy = energy;
  touch.rubbed += touch.start_bristle_energy - energy;
}

/// What one contact keeps and loses in the answer.
void ImplicitStep::read_touch(const RowGroup& g, double share, Touch& touch) {
  std::vector<double>& u = u_;
  u.resize(at(g.rows) + 2);  // room for three numbers from any row on
  row_velocities(problem_, g, problem_.v, u);
  touch.energy = touch.rubbed = touch.damped = touch.inflow = touch.depth = 0.0;
  std::size_t row = 0;
  for (; row < at(g.normals); ++row) {
    const NormalRow& normal = problem_.normals[at(g.first_normal) + row];
    const double depth = normal.depth - h_ * u[row];
    touch.energy += touch.over_rows * elastic_energy(normal, depth);
    touch.depth = std::max(touch.depth, touch.detected[row] - h_ * u[row]);
    if (!(touch.forces[row] > 0.0)) continue;
    const double elastic =
        normal.secant ? secant_force(normal, depth) : elastic_force(normal, depth);
    touch.damped += share * h_ * (elastic - touch.forces[row]) * u[row];
    touch.inflow -= share * h_ * touch.forces[row] * u[row];
  }
  if (touch.rubs) touch.slip = std::hypot(u[row], u[row + 1]);
  for (std::size_t k = 0; k < at(g.rubs); ++k) {
    const RubRow& rub = problem_.rubs[at(g.first_rub) + k];
    if (k == 0 && touch.rubs && touch.rub.has_memory) stretch_bristle(rub, {&u[row], 3}, touch);
    for (std::size_t c = 0; c < at(rub.size); ++c, ++row) {
      touch.rubbed -= share * h_ * touch.forces[row] * u[row];
    }
  }
  if (!touch.rubs || !(touch.rub.patch > 0.0)) return;
  // A remembered force on a spring that has become softer is energy which nobody has put in, and
  // which friction has not taken where it is cut.
  const double from_nothing = touch.start_bristle_energy - touch.begun.rub_energy;
  if (from_nothing > 0.0) touch.rubbed -= std::clamp(touch.rubbed, 0.0, from_nothing);
}

/// Forces of an answer that did not converge are not those that led to it, and their work may be
/// any number: friction takes no more than is left there.
double ImplicitStep::limit_rubbed(std::size_t island, double rubbed, double left) {
  if (!(rubbed > left)) return rubbed;
  const double share = std::max(0.0, left) / rubbed;
  for (const int i : problem_.islands[island].groups) {
    if (is_touch(i)) touches_[at(i)].rubbed *= share;
  }
  return share * rubbed;
}

void ImplicitStep::close_island(std::size_t island) {
  IslandState& state = islands_[island];
  double energy = 0.0, rubbed = 0.0, damped = 0.0, in_joints = 0.0;
  for (const int i : problem_.islands[island].groups) {
    if (!is_touch(i)) {
      in_joints += is_joint(i) ? close_joints(i, state.share) : close_force(i, state.share);
      continue;
    }
    Touch& touch = touches_[at(i)];
    read_touch(problem_.groups[at(i)], state.share, touch);
    touch.taken = state.share;
    if (touch.slot < 0) touch.energy = 0.0;
    energy += touch.energy, rubbed += touch.rubbed, damped += touch.damped;
    outside_work_ += state.share * h_ * outside_power(touch);
  }
  const double left = state.bank - state.change;
  if (!state.converged) rubbed = limit_rubbed(island, rubbed, left);
  const double allowed = allowance(island);
  const double bank = std::clamp(left - rubbed, 0.0, energy + allowed);  // (2)
  const double lost = left - bank - rubbed - in_joints;
  // What damping takes comes from what is lost, and is no more than that.
  const double taken = damped > 0.0 ? std::clamp(lost / damped, 0.0, 1.0) : 0.0;
  // Curved bodies that turn are found deeper than they came, and lifted out: within (1) by what
  // friction takes. That is work of the model, and no loss below zero.
  const double lifted = std::min(std::max(0.0, -lost), std::max(0.0, rubbed));
  lost_ += lost - taken * damped + lifted, lifted_ += lifted;
  state.lost = std::max(0.0, lost - taken * damped);
  divide_bank(island, bank, energy, allowed);
  for (const int i : problem_.islands[island].groups) {
    if (!is_touch(i)) continue;
    Touch& touch = touches_[at(i)];
    touch.damped *= taken;
    if (touch.slot >= 0) continue;
    unremembered_.normal += touch.damped, unremembered_.friction += touch.rubbed;
  }
}

}  // namespace carom
