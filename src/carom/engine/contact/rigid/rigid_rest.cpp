#include "carom/engine/contact/rigid/rigid_rest.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/evaluate.h"

namespace carom {
namespace {

constexpr double kRest = 1e-14, kRowsOfABox = 12.0;

/// Forces along the three rows of every point, by their size.
void take_sizes(RigidData& data) {
  data.sizes.clear();
  for (const RigidForce& f : data.forces) {
    const RigidSite& site = f.actor.site;
    data.sizes.push_back(std::abs(f.normal));
    data.sizes.push_back(std::abs(dot(f.friction, site.t1)));
    data.sizes.push_back(std::abs(dot(f.friction, site.t2)));
  }
}

/// Bodies that act on each other through points that all stick: whether they rest, by (1), and
/// which velocities are theirs.
class RestingGroup {
 public:
  RestingGroup(const Workspace& w, std::size_t first, double height)
      : data_(w.contacts.rigid), w_(w), first_(first), height_(height) {}

  bool rests() {
    double noise = 0.0;
    arms_.assign(data_.rows.width, 0.0);
    for (std::size_t i = first_; i < data_.forces.size(); ++i) {
      if (data_.rows.group[i] != first_) continue;
      const RigidPoint& point = w_.modes.contacts.rigid.points[data_.forces[i].point];
      if (point.state != RigidState::sticking) return false;
      for (std::size_t row = 3 * i; row < 3 * i + 3; ++row) {
        noise = std::max(noise, sum_of(row));
        for (std::size_t k = 0; k < arms_.size(); ++k) {
          arms_[k] = std::max(arms_[k], std::abs(data_.rows.J[row * data_.rows.width + k]));
        }
      }
    }
    noise *= kRest * height_;
    for (std::size_t k = 0; k < arms_.size(); ++k) {
      if (arms_[k] > 0.0 && !(std::abs(w_.tree.vdot[k]) * arms_[k] < noise)) return false;
    }
    return true;
  }

  bool moves(std::size_t k) const { return arms_[k] > 0.0; }

 private:
  double sum_of(std::size_t row) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < data_.sizes.size(); ++j) {
      sum += std::abs(data_.rows.delassus(row, j)) * data_.sizes[j];
    }
    return sum;
  }

  const RigidData& data_;
  const Workspace& w_;
  std::size_t first_;  ///< its first point, which names it
  double height_;
  std::vector<double> arms_;  ///< of every velocity in its rows, at most
};

}  // namespace

void remove_rounding(Workspace& w) {
  // The condition of a tower grows with the square of its height, what is left of its sums with it.
  RigidData& data = w.contacts.rigid;
  const double height = std::max(1.0, static_cast<double>(data.rows.count) / kRowsOfABox);
  double most = 0.0;
  for (const double a : data.free) most = std::max(most, std::abs(a));
  for (double& a : w.tree.vdot) {
    if (std::abs(a) < kRest * height * height * most) a = 0.0;
  }
  take_sizes(data);
  for (std::size_t i = 0; i < data.forces.size(); ++i) {
    if (data.rows.group[i] != i) continue;
    RestingGroup group(w, i, height);
    if (!group.rests()) continue;
    for (std::size_t k = 0; k < w.tree.vdot.size(); ++k) {
      if (group.moves(k)) w.tree.vdot[k] = 0.0;
    }
  }
}

}  // namespace carom
