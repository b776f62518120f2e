// A heap to whose points a few have come: sweeps over these and over what they move.
//
// Bodies of the new points are awake. A sweep takes all points of bodies that are awake, in the
// order of all sweeps; where one changes a velocity by more than a tolerance both of its bodies
// wake up. So its work is that of the neighbourhood, and of the whole heap where a blow goes
// through it.
#include <algorithm>

#include "carom/base/index.h"
#include "carom/engine/time_stepping/impulse_solver.h"

namespace carom {

/// The points of every body, ascending.
void ImpulseSolver::list_points_of_bodies() {
  Lists& list = points_of_body_;
  list.first.assign(bodies.size() + trees.size() + 1, 0);
  for (const Ends& p : point_ends_) {
    if (p.a >= 0) ++list.first[at(p.a) + 1];
    if (p.b >= 0) ++list.first[at(p.b) + 1];
  }
  for (std::size_t k = 1; k < list.first.size(); ++k) list.first[k] += list.first[k - 1];
  list.order.resize(at(list.first.back()));
  listed_.assign(list.first.begin(), list.first.end() - 1);
  for (std::size_t i = 0; i < point_ends_.size(); ++i) {
    const auto put = [&](Mover m) {
      if (m >= 0) list.order[at(listed_[at(m)]++)] = static_cast<int>(i);
    };
    put(point_ends_[i].a), put(point_ends_[i].b);
  }
}

/// The bodies of a point wake up: their points take part from the next sweep on.
void ImpulseSolver::wake(const Ends& ends) {
  const auto wake_one = [&](Mover m) {
    if (m < 0 || is_awake_[at(m)]) return;
    is_awake_[at(m)] = 1;
    for (const int p : points_of_body_.of(at(m))) {
      if (is_near_[at(p)]) continue;
      is_near_[at(p)] = 1;
      near_.push_back(p);
    }
  };
  wake_one(ends.a), wake_one(ends.b);
}

bool ImpulseSolver::solve_near(std::size_t i, std::size_t first_new, double tolerance, int sweeps) {
  if (!rows_of(i).empty()) return false;
  const std::span<const int> own = island(i);
  const auto fresh = std::ranges::lower_bound(own, static_cast<int>(first_new));
  if (fresh == own.end()) return true;
  list_points_of_bodies();
  is_awake_.assign(bodies.size() + trees.size(), 0);
  is_near_.assign(points.size(), 0);
  near_.clear();
  for (auto p = fresh; p != own.end(); ++p) wake(point_ends_[at(*p)]);
  std::ptrdiff_t sorted = 0;
  for (int k = 0; k < sweeps; ++k) {
    const std::size_t count = near_.size();
    std::sort(near_.begin() + sorted, near_.end());
    std::inplace_merge(near_.begin(), near_.begin() + sorted, near_.end());
    sorted = static_cast<std::ptrdiff_t>(count);
    bool changed = false;
    for (std::size_t j = 0; j < count; ++j) {
      const int place = k % 2 == 0 ? near_[j] : near_[count - 1 - j];
      StepPoint& p = points[at(place)];
      double change = sweep_point(p);
      if (p.spin_radius > 0.0) change = std::max(change, sweep_spin(p));
      if (!(change > tolerance)) continue;
      changed = true;
      wake(point_ends_[at(place)]);
    }
    ++sweeps_;
    if (!changed) break;
  }
  return true;
}

}  // namespace carom
