#include "carom/simulation/error_scales.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/engine/part_states.h"
#include "carom/multibody/dynamics.h"

namespace carom {
namespace {

/// A body that moves at this speed [m/s] has energy worth knowing to relative accuracy.
constexpr double kSlow = 0.01;
/// Energies below this [J] are nobody's: a grain of dust that falls by its size has more.
constexpr double kLeastEnergy = 1e-15;
/// Of a contact's depth, by which a body may err: its force hangs on it.
constexpr double kShareOfDepth = 1e-3;
/// Units in the last place of a position, by which forces of contact may see it wrong.
constexpr double kRoundings = 256.0;

/// Whether position k of the joint is an angle, or a part of a quaternion.
bool turns(const Link& l, int k) {
  return l.joint->vector_space ? l.joint->coordinates[at(k)].angular : k < 4;
}

/// From the world's origin, whose units in the last place the forces on a body at p feel: over a
/// plane only what lies along its normal.
double distance_felt(const Vec3& normal, const Vec3& p) {
  if (norm2(normal) == 0.0) return norm(p);
  return std::abs(normal.x * p.x) + std::abs(normal.y * p.y) + std::abs(normal.z * p.z);
}

}  // namespace

void ErrorScales::find() { make_groups(); }

void ErrorScales::weights(std::span<const double> x, double rtol, std::span<double> w) const {
  const std::size_t nq = model_.nq(), nv = model_.nv();
  for (std::size_t i = 0; i < nq; ++i) {
    w[i] = 1.0 / std::min(rtol * scale_[i], kShareOfDepth * depth_[i]);
  }
  for (std::size_t i = nq; i < nq + nv; ++i) w[i] = 1.0 / (rtol * (scale_[i] + std::abs(x[i])));
  const std::size_t nx = model_.size();
  for (std::size_t i = nq + nv; i < nx; ++i) w[i] = 1.0 / (rtol * (1.0 + std::abs(x[i])));
  for (std::size_t i = nx; i < x.size(); ++i) {
    w[i] = 1.0 / (rtol * (slot_scale_[i - nx] + std::abs(x[i])));
  }
  for (const Resting& r : resting_) ignore_rounding(r, x, w);
}

/// Rounding of the place moves the link by it at once, and its speed by what the contact makes of
/// it as it vibrates.
void ErrorScales::ignore_rounding(const Resting& r, std::span<const double> x,
                                  std::span<double> w) const {
  const Link& l = model_.tree.links[at(r.link)];
  const double size = model_.link_size[at(r.link)];
  const bool is_free = l.parent == 0 && l.joint->nq == 7;
  const double* q = x.data() + l.q0;
  const Vec3 p = is_free ? Vec3{q[4], q[5], q[6]} : r.place;  // it may have gone far since
  const auto rounding_at = [&](double distance) {
    return kRoundings * std::numeric_limits<double>::epsilon() * (distance + size);
  };
  const double rounding = rounding_at(distance_felt(r.normal, p));
  const auto bound = [&](std::size_t i, double most) { w[i] = std::min(w[i], 1.0 / most); };
  for (int k = 0; k < l.joint->nq; ++k) {
    const bool is_place = is_free && k >= 4;
    bound(at(l.q0 + k), is_place && norm2(r.normal) > 0.0 ? rounding_at(std::abs(q[k]))
                                                          : rounding / (turns(l, k) ? size : 1.0));
  }
  for (int k = 0; k < l.joint->nv; ++k) {
    const bool angular = l.joint->coordinates[at(k)].angular;
    bound(model_.nq() + at(l.v0 + k), rounding * r.rate / (angular ? size : 1.0));
  }
  if (r.impulse >= 0) bound(model_.size() + at(r.impulse), rounding * r.rate * r.mass);
}

void ErrorScales::sizes(std::span<double> s) const {
  // Distances of curved bodies carry more rounding than positions: a share of the depth that is
  // five times larger than theirs would ask for.
  for (std::size_t i = 0; i < model_.nq(); ++i) s[i] = std::min(scale_[i], 25.0 * depth_[i]);
}

void ErrorScales::make_groups() {
  const std::size_t nq = model_.nq(), nv = model_.nv();
  groups_.assign(state_size(w_), -1);
  scale_.assign(nq + nv, 1.0);
  int group = 0;
  for (std::size_t i = 1; i < model_.tree.links.size(); ++i, ++group) {
    const Link& link = model_.tree.links[i];
    const bool plain = link.joint->vector_space;
    for (int k = 0; k < link.joint->nv; ++k) {
      const bool angular = link.joint->coordinates[at(k)].angular;
      const double scale = angular ? 1.0 : model_.link_size[i];
      groups_[nq + at(link.v0 + k)] = group;
      scale_[nq + at(link.v0 + k)] = scale;
      if (plain) scale_[at(link.q0 + k)] = scale;
    }
    for (int k = 0; k < link.joint->nq; ++k) {
      groups_[at(link.q0 + k)] = group;
      if (!plain && k >= 4) scale_[at(link.q0 + k)] = model_.link_size[i];  // after the quaternion
    }
  }
  for (std::size_t i = 0; i < model_.nz; ++i) groups_[nq + nv + i] = group++;
  know_energy();
  add_part_states(group);
}

/// At least what a fall by its size gives a body.
void ErrorScales::know_energy() {
  const double gravity = norm(w_.parameters.gravity.uniform);
  double least = 0.0;
  for (std::size_t i = 1; i < model_.tree.links.size(); ++i) {
    least += model_.tree.links[i].inertia.m * (kSlow * kSlow + gravity * model_.link_size[i]);
  }
  energy_ = std::max({kinetic_energy(model_.tree, w_.tree, w_.v), least, kLeastEnergy});
  for (const double row : w_.modes.rows.values()) energy_ = std::max(energy_, std::abs(row));
}

/// States of contacts, in groups behind the others.
void ErrorScales::add_part_states(int group) {
  const PartStates states = calc_part_states(w_);
  slot_scale_ = states.scale;
  for (std::size_t i = 0; i < states.group.size(); ++i) {
    if (states.group[i] >= 0) groups_[model_.size() + i] = group + states.group[i];
  }
  depth_.assign(model_.nq(), kInf);
  resting_.clear();
  const double gravity = norm(w_.parameters.gravity.uniform);
  for (const PartStates::Held& h : states.held) {
    for (int link = h.link; link > 0; link = model_.tree.links[at(link)].parent) {
      know_depth_of(link, h.depth);
      // An impact is over before rounding adds up, and is worth all digits.
      if (!h.rests) continue;
      resting_.push_back({link, h.impulse, h.mass, std::sqrt(gravity / h.depth),
                          w_.tree.links[at(link)].p_WL, h.normal});
    }
  }
}

/// A contact that the link moves has this depth [m].
void ErrorScales::know_depth_of(int link, double depth) {
  const Link& l = model_.tree.links[at(link)];
  for (int k = 0; k < l.joint->nq; ++k) {
    double& smallest = depth_[at(l.q0 + k)];
    smallest = std::min(smallest, depth / (turns(l, k) ? model_.link_size[at(link)] : 1.0));
  }
}

}  // namespace carom
