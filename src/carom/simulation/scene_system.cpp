#include "carom/simulation/scene_system.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/events.h"
#include "carom/engine/tangent.h"

namespace carom {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

SceneSystem::SceneSystem(Workspace& workspace) : w_(workspace), model_(*workspace.model) {
  make_groups();
  make_pattern();
}

std::size_t SceneSystem::size() const { return model_.size(); }
std::size_t SceneSystem::position_size() const { return model_.nq(); }
std::size_t SceneSystem::velocity_size() const { return model_.nv(); }

Status SceneSystem::rhs(double t, std::span<const double> x, std::span<double> xdot) {
  return calc_rates(w_, t, x, xdot);
}

// Absolute weights (N6): an error of a translation counts relative to the size of the
// body, one of an angle relative to a radian, so neither the place of the origin nor
// the number of turns matters. Velocities add their own magnitude.
void SceneSystem::error_weights(std::span<const double> x, double rtol, double,
                                std::span<double> w) const {
  const std::size_t nq = model_.nq(), nv = model_.nv();
  for (std::size_t i = 0; i < nq; ++i) w[i] = 1.0 / (rtol * scale_[i]);
  for (std::size_t i = nq; i < nq + nv; ++i) w[i] = 1.0 / (rtol * (scale_[i] + std::abs(x[i])));
  for (std::size_t i = nq + nv; i < x.size(); ++i) w[i] = 1.0 / (rtol * (1.0 + std::abs(x[i])));
}

void SceneSystem::make_groups() {
  const std::size_t nq = model_.nq(), nv = model_.nv();
  groups_.assign(model_.size(), -1);
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
  // Ledger rows are integrals that feed nothing back: they follow, they do not lead.
  const std::size_t states = model_.nz - at(model_.ledger.count);
  for (std::size_t i = 0; i < states; ++i) groups_[nq + nv + i] = group++;
}

void SceneSystem::make_pattern() {
  // Unknowns of one island influence each other; islands do not. User states may read
  // anything, which find_islands has taken into account by joining all.
  const std::size_t nq = model_.nq(), nv = model_.nv(), n = model_.size();
  std::vector<int> owner(n, -1);
  int largest = 0;
  for (std::size_t i = 1; i < model_.tree.links.size(); ++i) {
    const Link& link = model_.tree.links[i];
    for (int k = 0; k < link.joint->nq; ++k) owner[at(link.q0 + k)] = model_.island[i];
    for (int k = 0; k < link.joint->nv; ++k) owner[nq + at(link.v0 + k)] = model_.island[i];
    largest = std::max(largest, model_.island[i]);
  }
  const std::size_t states = model_.nz - at(model_.ledger.count);
  for (const DriveElement& d : model_.parameters.drives) {
    if (d.state < 0) continue;
    const DofElement& e = model_.parameters.dofs[at(d.element)];
    owner[nq + nv + at(d.state)] = owner[nq + at(e.v)];
  }
  for (std::size_t i = 0; i < states; ++i) {
    if (owner[nq + nv + i] < 0)
      owner[nq + nv + i] = model_.island.size() > 1 ? model_.island[1] : 0;
  }
  std::vector<std::vector<int>> members(at(largest) + 1);
  for (std::size_t i = 0; i < n; ++i) {
    if (owner[i] >= 0) members[at(owner[i])].push_back(static_cast<int>(i));
  }
  std::size_t islands = 0;
  for (const auto& m : members) islands += m.empty() ? 0 : 1;
  if (islands < 2) return;  // one block: dense
  for (std::size_t j = 0; j < n; ++j) {
    pattern_.start.push_back(static_cast<int>(pattern_.rows.size()));
    if (owner[j] >= 0) {
      const auto& m = members[at(owner[j])];
      pattern_.rows.insert(pattern_.rows.end(), m.begin(), m.end());
    } else {
      pattern_.rows.push_back(static_cast<int>(j));
    }
  }
  pattern_.start.push_back(static_cast<int>(pattern_.rows.size()));
}

const SparsePattern* SceneSystem::jacobian_pattern() const {
  return pattern_.empty() ? nullptr : &pattern_;
}

void SceneSystem::position_rates(double t, std::span<const double> x, std::span<double> qdot) {
  (void)t;
  calc_position_rates(model_.tree, x.first(model_.nq()), x.subspan(model_.nq(), model_.nv()), qdot);
}

bool SceneSystem::has_projection() const { return !model_.constraints.empty(); }

Status SceneSystem::project(double t, std::span<double> x, std::span<double> error) {
  // A step leaves the manifold by its own error, so two or three iterations suffice. They
  // go on to rounding: near a change point a gap is a far larger error of the coordinates.
  const double left = carom::project(w_, t, x, kToRounding, 6);
  if (!(left < 1e-9)) return Status::recoverable;
  if (!error.empty()) {
    project_velocities(model_.tree, model_.constraints, error.subspan(model_.nq(), model_.nv()),
                       w_.tree, w_.constraints);
  }
  return Status::ok;
}

std::size_t SceneSystem::event_count() const { return carom::event_count(w_); }

int SceneSystem::event_direction(std::size_t i) const {
  const bool rises = event_counts(w_, static_cast<int>(i), true);
  const bool falls = event_counts(w_, static_cast<int>(i), false);
  return rises && falls ? 0 : rises ? 1 : -1;
}

void SceneSystem::events(double t, std::span<const double> x, std::span<double> g) {
  event_functions(w_, t, x, g);
}

}  // namespace carom
