#include "carom/engine/contact/rigid/rigid_hold_system.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/rigid/rigid_hold.h"
#include "carom/engine/contact/rigid/rigid_rows.h"
#include "carom/engine/contact/rigid/rigid_spin.h"
#include "carom/math/dense.h"

namespace carom {
namespace {

const ContactPair& held_pair(const Workspace& w, const RigidForce& f) {
  return w.modes.contacts.pairs[f.actor.pair];
}

double held_friction(const Workspace& w, const RigidForce& f) {
  return w.model->contact.laws[at(held_pair(w, f).law)].material.mu_k;
}

}  // namespace

void HoldSystem::take_free_accelerations() {
  const std::size_t m = rows_.count;
  free_.resize(m);
  std::vector<double> change(w_.tree.vdot.begin(), w_.tree.vdot.end());
  for (std::size_t k = 0; k < change.size(); ++k) change[k] -= data_.free[k];
  for (std::size_t i = 0; i < data_.forces.size(); ++i) {
    const RigidSite& site = data_.forces[i].actor.site;
    const Vec3 a = relative_acceleration(w_, held_pair(w_, data_.forces[i]), site);
    free_[3 * i] = dot(site.n, a) + site.turn;
    free_[3 * i + 1] = dot(site.t1, a), free_[3 * i + 2] = dot(site.t2, a);
    for (std::size_t k = 0; k < 3; ++k) free_[3 * i + k] += rows_.product(3 * i + k, change);
    if (!has_spin(i)) continue;
    free_[rows_.spin[i]] = spin_acceleration(w_, held_pair(w_, data_.forces[i]), site) +
                           rows_.product(rows_.spin[i], change);
  }
}

void HoldSystem::solve() {
  lay_out();
  r_.assign(unknowns_.size(), 0.0);
  for (const std::vector<std::size_t>& own : groups_) solve_group(own);
  spread();
}

void HoldSystem::turn_onsets() {
  std::vector<std::size_t> turning;
  for (std::size_t i = 0; i < data_.forces.size(); ++i) {
    if (state(i) == RigidState::onset) turning.push_back(i);
  }
  const auto solve_turning = [&] {  // others have the forces that they had
    for (const std::vector<std::size_t>& own : groups_) {
      if (std::ranges::any_of(
              own, [&](std::size_t k) { return state(unknowns_[k].force) == RigidState::onset; }))
        solve_group(own);
    }
    spread();
  };
  constexpr int kMost = 20;
  constexpr double kSmall = 1e-14;
  const std::size_t n = turning.size();
  std::vector<double> F(n), sizes(n);
  for (int round = 0; round < kMost && n > 0; ++round) {
    bool is_done = true;
    for (std::size_t i = 0; i < n; ++i) {
      F[i] = sideways(turning[i], sizes[i]);
      is_done &= std::abs(F[i]) <= kSmall * sizes[i];
    }
    if (is_done) break;
    const std::vector<double> step = solve_rows(turning_slopes(turning, F), F);
    for (std::size_t i = 0; i < n; ++i) turn(turning[i], -std::clamp(step[i], -0.5, 0.5));
    solve_turning();
  }
  for (const std::size_t i : turning) {
    data_.forces[i].along = dot(data_.forces[i].direction, tangential(i));
  }
}

RigidState HoldSystem::state(std::size_t i) const {
  return w_.modes.contacts.rigid.points[data_.forces[i].point].state;
}

void HoldSystem::lay_out() {
  unknowns_.clear();
  for (std::size_t i = 0; i < data_.forces.size(); ++i) {
    const bool sticks = state(i) == RigidState::sticking && regularised_slip(w_) == 0.0;
    unknowns_.push_back({3 * i, i, !sticks, 0});
    for (std::size_t k = 1; sticks && k < 3; ++k) unknowns_.push_back({3 * i + k, i, false, k});
    if (has_spin(i) && spin(i) == RigidSpin::held) {
      unknowns_.push_back({rows_.spin[i], i, false, kTorque});
    }
  }
  std::vector<std::size_t> points;
  for (const Unknown& u : unknowns_) points.push_back(u.force);
  groups_ = by_groups(rows_, points);
}

RigidSpin HoldSystem::spin(std::size_t i) const {
  return w_.modes.contacts.rigid.points[data_.forces[i].point].spin;
}

double HoldSystem::drilling_share(std::size_t i) const {
  if (!has_spin(i) || spin(i) == RigidSpin::held) return 0.0;
  return -sign_of(spin(i)) * held_friction(w_, data_.forces[i]) *
         spin_radius(w_, held_pair(w_, data_.forces[i]));
}

void HoldSystem::fill_group(const std::vector<std::size_t>& own) {
  const std::size_t n = own.size();
  data_.A.resize(n * n), data_.b.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t row = unknowns_[own[i]].row;
    data_.b[i] = -free_[row];
    for (std::size_t j = 0; j < n; ++j) {
      data_.A[i * n + j] = response(row, unknowns_[own[j]]);
    }
  }
}

void HoldSystem::solve_group(const std::vector<std::size_t>& own) {
  const std::size_t n = own.size();
  fill_group(own);
  take_centres(own);
  const std::vector<double> r = unknowns_.size() == 1
                                    ? std::vector<double>{data_.b[0] / data_.A[0]}
                                    : solve_by_patches(data_.A, data_.b, find_patches(own));
  for (std::size_t i = 0; i < n; ++i) {
    r_[own[i]] = centres_.empty() ? r[i] : r[i] + centres_[i];
  }
}

std::vector<RigidPatch> HoldSystem::find_patches(const std::vector<std::size_t>& own) const {
  constexpr std::size_t kFew = 36;
  std::vector<RigidPatch> patches;
  if (own.size() <= kFew) patches.push_back({0, own.size(), own.size(), {}});
  if (!patches.empty()) return patches;
  std::vector<PatchForce> forces;
  const auto pair_at = [&](std::size_t k) {
    return data_.forces[unknowns_[own[k]].force].actor.pair;
  };
  for (std::size_t first = 0, last = 0; first < own.size(); first = last) {
    forces.clear();
    bool slides = false;
    for (; last < own.size() && pair_at(last) == pair_at(first); ++last) {
      const Unknown& u = unknowns_[own[last]];
      const RigidSite& s = data_.forces[u.force].actor.site;
      slides |= u.is_ray || drilling_share(u.force) != 0.0;
      const Vec3 axes[] = {s.n, s.t1, s.t2, s.n};
      forces.push_back({axes[u.axis], s.p, u.axis == kTorque});
    }
    patches.push_back(slides ? RigidPatch{first, last - first, last - first, {}}
                             : make_patch(first, forces));
  }
  return patches;
}

void HoldSystem::take_centres(const std::vector<std::size_t>& own) {
  const std::size_t n = own.size();
  centres_.clear();
  const auto centre = [&](std::size_t k) {
    return w_.modes.contacts.rigid.points[data_.forces[unknowns_[k].force].point].centre;
  };
  if (std::ranges::all_of(own, [&](std::size_t k) { return norm2(centre(k)) == 0.0; })) return;
  for (const std::size_t k : own) {
    const RigidSite& s = data_.forces[unknowns_[k].force].actor.site;
    const Vec3 axes[] = {s.n, s.t1, s.t2, {}};
    centres_.push_back(dot(centre(k), axes[unknowns_[k].axis]));
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) data_.b[i] -= data_.A[i * n + j] * centres_[j];
  }
}

double HoldSystem::response(std::size_t row, const Unknown& u) const {
  double a = rows_.delassus(row, u.row);
  const double drilling = u.axis == 0 ? drilling_share(u.force) : 0.0;
  if (drilling != 0.0) a += drilling * rows_.delassus(row, rows_.spin[u.force]);
  if (!u.is_ray) return a;
  const RigidForce& f = data_.forces[u.force];
  const double mu = held_friction(w_, f);
  a -= mu * dot(f.direction, f.actor.site.t1) * rows_.delassus(row, u.row + 1);
  a -= mu * dot(f.direction, f.actor.site.t2) * rows_.delassus(row, u.row + 2);
  return a;
}

void HoldSystem::spread() {
  for (RigidForce& f : data_.forces) f.normal = f.drilling = 0.0, f.friction = {};
  for (std::size_t k = 0; k < unknowns_.size(); ++k) {
    RigidForce& f = data_.forces[unknowns_[k].force];
    const std::size_t axis = unknowns_[k].axis;
    if (axis == 0) f.normal = r_[k], f.drilling = r_[k] * drilling_share(unknowns_[k].force);
    if (axis == kTorque) f.drilling = r_[k];
    if (axis == 1 || axis == 2) {
      f.friction += r_[k] * (axis == 1 ? f.actor.site.t1 : f.actor.site.t2);
    }
    if (unknowns_[k].is_ray) f.friction = (-held_friction(w_, f) * r_[k]) * f.direction;
  }
}

Vec3 HoldSystem::tangential(std::size_t i) const {
  double a[2];
  for (std::size_t k = 0; k < 2; ++k) {
    const std::size_t row = 3 * i + 1 + k;
    a[k] = free_[row];
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      if (rows_.group[unknowns_[j].force] != rows_.group[i]) continue;
      a[k] += response(row, unknowns_[j]) * r_[j];
    }
  }
  return a[0] * data_.forces[i].actor.site.t1 + a[1] * data_.forces[i].actor.site.t2;
}

double HoldSystem::sideways(std::size_t i, double& size) const {
  const RigidForce& f = data_.forces[i];
  const Vec3 a = tangential(i);
  size = std::hypot(free_[3 * i + 1], free_[3 * i + 2]) + norm(a);
  return dot(f.actor.site.n, cross(a, f.direction));
}

std::vector<double> HoldSystem::turning_slopes(std::span<const std::size_t> turning,
                                               std::span<const double> F) {
  constexpr double kStep = 1e-6;
  const std::size_t n = turning.size();
  std::vector<double> J(n * n);
  const std::vector<double> forces = r_;
  for (const std::vector<std::size_t>& own : groups_) {
    std::vector<std::size_t> turned, places;  // among those that turn, among the unknowns
    for (std::size_t j = 0; j < n; ++j) {
      const auto is_own = [&](std::size_t k) { return unknowns_[k].force == turning[j]; };
      const auto found = std::ranges::find_if(own, is_own);
      if (found != own.end()) turned.push_back(j), places.push_back(*found);
    }
    if (turned.empty()) continue;
    const std::vector<double> changes = answers_to_turns(own, places);
    for (std::size_t c = 0; c < turned.size(); ++c) {
      for (std::size_t i = 0; i < own.size(); ++i) {
        r_[own[i]] = forces[own[i]] + kStep * changes[c * own.size() + i];
      }
      RigidForce& f = data_.forces[turning[turned[c]]];
      const Vec3 kept = f.direction;
      turn(turning[turned[c]], kStep);
      double unused = 0.0;
      for (const std::size_t i : turned) {
        J[i * n + turned[c]] = (sideways(turning[i], unused) - F[i]) / kStep;
      }
      f.direction = kept;
    }
    r_ = forces;
  }
  return J;
}

std::vector<double> HoldSystem::answers_to_turns(const std::vector<std::size_t>& own,
                                                 std::span<const std::size_t> onsets) {
  fill_group(own);
  std::vector<double> right;
  for (const std::size_t j : onsets) {
    const RigidForce& f = data_.forces[unknowns_[j].force];
    const Vec3 aside = cross(f.actor.site.n, f.direction);
    const double size = held_friction(w_, f) * r_[j];
    const double along[] = {dot(aside, f.actor.site.t1), dot(aside, f.actor.site.t2)};
    for (const std::size_t k : own) {
      const std::size_t row = unknowns_[k].row, first = unknowns_[j].row + 1;
      right.push_back(size * (along[0] * rows_.delassus(row, first) +
                              along[1] * rows_.delassus(row, first + 1)));
    }
  }
  return solve_by_patches(data_.A, right, find_patches(own));
}

void HoldSystem::turn(std::size_t i, double angle) {
  Vec3& d = data_.forces[i].direction;
  const Vec3& n = data_.forces[i].actor.site.n;
  d = std::cos(angle) * d + std::sin(angle) * cross(n, d);
  d = d / norm(d);
}

}  // namespace carom
