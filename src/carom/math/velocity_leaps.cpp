// Sweeps over the impulses of a large island that leap ahead: conjugate gradients whose gradient is
// a sweep.
//
// A sweep (velocity_sweeps.cpp) takes the forces f to S(f), and settles where S(f) = f. Loads
// travel by a layer and sweep, so piles take many. What a sweep changes, d = S(f) - f, points
// downhill for the function that sweeps lower, and is preconditioned by them; so it is gone along
// as in conjugate gradients of Fletcher and Reeves,
//
//   p ← d + β p,   f ← f + p,   β = |d|² / |d of the sweep before|²,                        (1)
//
// and velocities, which depend on forces linearly, go with them. Where changes grow, β > 1, nothing
// is known of the way, and it begins anew with p = d: a plain sweep. (M. Silcowitz, S. Niebe,
// K. Erleben, The Visual Computer 26, 2010, for rigid contact.) What is left of a leap beyond what
// rows can give, the next sweep takes back; the last thing done is always a sweep.
#include <Eigen/Core>

#include "carom/math/velocity_solver.h"

namespace carom {
namespace {

/// Change of all normal forces in a sweep, over their size, below which more are not worth it.
constexpr double kSettled = 1e-4;

using Numbers = Eigen::Map<Eigen::ArrayXd>;

Numbers map_of(std::vector<double>& v) { return {v.data(), static_cast<Eigen::Index>(v.size())}; }

/// (1) for what was `from` and has become `now`.
void leap(double share, std::vector<double>& now, std::vector<double>& from,
          std::vector<double>& way) {
  map_of(way) = share * map_of(way) + map_of(now) - map_of(from);
  map_of(from) += map_of(way);
  now = from;
}

}  // namespace

/// Squares of what the last sweep changed forces by, each measured by the energy that it moves.
double VelocitySolver::last_change() {
  return (map_of(mobility_) * (map_of(f_) - map_of(leap_forces_)).square()).sum();
}

void VelocitySolver::settle_impulses(int most) {
  leap_forces_ = f_, leap_speeds_ = x_;
  force_way_.assign(rows_, 0.0), speed_way_.assign(n_, 0.0);
  double before = 0.0;
  for (int k = 0; sweep_impulses() > kSettled && k < most; ++k) {
    const double change = last_change();
    const double share = change < before ? change / before : 0.0;
    before = change;
    leap(share, f_, leap_forces_, force_way_);
    leap(share, x_, leap_speeds_, speed_way_);
  }
}

}  // namespace carom
