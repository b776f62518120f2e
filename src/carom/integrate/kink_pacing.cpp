#include "carom/integrate/kink_pacing.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Kinks nearer to an end of an attempt than this share of it lie at that end.
constexpr double kAtEnd = 0.03;
/// Attempts longer than this many lengths (1) are given up where they see a kink.
constexpr double kHopeless = 1.2;
/// 1 / (n + 1) of (1).
constexpr double kOrder = 0.48;
/// Away from a broken power steps may grow by this factor: it is analytic there, with the
/// distance from the kink as radius of convergence.
constexpr double kGrowth = 6.0;

}  // namespace

double KinkPacing::limit(double h) const { return aim_ == Aim::away ? std::min(h, reach()) : h; }

void KinkPacing::begin_attempt(double h) {
  length_ = h;
  share_before_ = 0.0;
  seen_ = {};
}

/// The zero of function i, which has changed its sign at the share c: of the parabola through
/// the begin of the step, the stage before and this one, or of the straight line.
double KinkPacing::root(std::size_t i, double c, double g) const {
  const double g0 = begin_[i];
  const double straight = c * g0 / (g0 - g);
  if (share_before_ == 0.0 || share_before_ == c || before_.size() != begin_.size())
    return straight;
  const double to_before = (before_[i] - g0) / share_before_, to_here = (g - g0) / c;
  const double bend = (to_here - to_before) / (c - share_before_);
  const double slope = to_here - bend * c;
  const double discriminant = slope * slope - 4.0 * g0 * bend;
  if (!(discriminant > 0.0)) return straight;
  const double q = -0.5 * (slope + std::copysign(std::sqrt(discriminant), slope));
  for (const double s : {g0 / q, q / bend}) {
    if (s > 0.0 && s < c) return s;
  }
  return straight;
}

bool KinkPacing::look(double c, std::span<const double> g) {
  if (g.empty() || g.size() != begin_.size()) return false;
  double first = 1.0 - kAtEnd;
  bool found = false;
  for (std::size_t i = 0; i < g.size(); ++i) {
    if ((begin_[i] > 0.0) == (g[i] > 0.0)) continue;
    const double s = root(i, c, g[i]);
    if (!(s > kAtEnd && s < first)) continue;
    first = s;
    found = true;
    seen_ = {s, std::sqrt(std::abs(g[i] - begin_[i]) / (c * length_)), begin_[i] > 0.0};
  }
  share_before_ = c;
  before_.assign(g.begin(), g.end());
  return found && aim_ == Aim::none && length_ * seen_.rate > kHopeless * reach_;
}

void KinkPacing::learn(double h, double error, double most) {
  reach_ = h * passed_.rate * std::clamp(0.8 * std::pow(error, -kOrder), 0.3, most);
}

/// The length of a step towards the kink at `distance`, where a broken power ends.
double KinkPacing::approach(double distance) {
  aim_ = Aim::short_of;
  return distance > 4.0 * reach() ? distance - reach() : 0.6 * distance;
}

double KinkPacing::shorten(double h, double error, double proposed) {
  if (aim_ == Aim::away) {
    learn(h, error, 0.8);
    return reach();
  }
  if (aim_ == Aim::onto && !passed_.sets_in) {
    learn(h, error, 0.8);
    return approach(h);
  }
  aim_ = Aim::none;
  if (!(seen_.share < 1.0)) return 0.0;
  passed_ = seen_;
  if (full_step_ == 0.0) full_step_ = proposed;
  if (error > 0.0) reach_ = std::min(reach_, h * passed_.rate * 0.8);
  const double distance = passed_.share * h;
  if (!passed_.sets_in && distance > 1.3 * reach()) return approach(distance);
  aim_ = Aim::onto;
  return distance;
}

double KinkPacing::go_on(double h, double error, double proposed) {
  switch (aim_) {
    case Aim::none: return proposed;
    case Aim::short_of: aim_ = Aim::none; return full_step_;
    case Aim::onto:
      if (passed_.sets_in) {
        aim_ = Aim::away;
        return proposed;
      }
      proposed = full_step_;
      break;
    case Aim::away: proposed = std::min(full_step_, kGrowth * h); break;
  }
  learn(h, error, 2.0);
  aim_ = Aim::none;
  full_step_ = 0.0;
  return proposed;
}

}  // namespace carom
