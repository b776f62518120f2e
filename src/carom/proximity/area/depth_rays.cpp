#include "carom/proximity/area/depth_rays.h"

#include <algorithm>
#include <cmath>

#include "carom/proximity/area/gauss_rule.h"

namespace carom {

DepthRay::Sample DepthRay::at(double r) const {
  const Vec2 x = middle_ + r * way_;
  const FieldDepth d = field_.at(x.x, x.y);
  // Endless where a side lies along n: parts that end there are cut until they are small.
  const double slope = d.ux * way_.x + d.uy * way_.y;
  return {r, d.hits, d.u, std::isfinite(slope) ? slope : 0.0, d.middle};
}

namespace {

/// Where u0 + s0 r - A r^m is zero, with A and m from a place h beyond that: bodies that fall off
/// as a power are left in one step. Not a number where u falls off no faster than it begins to.
double power_rim(double u0, double s0, double h, double u1, double s1) {
  constexpr int kSteps = 4;
  const double fallen = u0 + s0 * h - u1, steeper = s0 - s1;
  if (!(fallen > 0.0) || !(steeper > 0.0)) return std::nan("");
  const double m = std::max(1.0, steeper * h / fallen);
  double y = 1.0;
  for (int i = 0; i < kSteps; ++i) {
    const double straight = u0 + s0 * h * y;
    if (!(straight > 0.0)) {
      y *= 0.5;
      continue;
    }
    const double rest = m * std::log(y) - std::log(straight / fallen);
    y = std::clamp(y - rest / (m / y - s0 * h / straight), 0.2 * y, 1.0);
  }
  return y * h;
}

}  // namespace

double DepthRay::find_rim(double accuracy) {
  constexpr int kMostTrials = 60;
  constexpr double kFirst = 1.2, kGrows = 1.5;
  first_ = last_ = at(0.0);
  if (!first_.is_inside()) return 0.0;
  Sample rim;
  if (field_.find_plane_rim(middle_, way_, rim.r, rim.slope, rim.between)) {
    rim.hits = true, rim.u = 0.0;
    last_ = rim;
    return rim.r;
  }
  Sample beyond;
  double step = kFirst;
  for (int i = 0; i < kMostTrials; ++i, step *= kGrows) {
    beyond = at(step);
    if (!beyond.is_inside()) break;
    last_ = beyond;
  }
  // u is concave: its chords meet zero inside, its tangents outside.
  double low = last_.r, high = beyond.r;
  for (int i = 0; i < kMostTrials; ++i) {
    low = std::max(low, last_.r), high = std::min(high, beyond.r);
    if (last_.slope < 0.0) high = std::min(high, last_.r - last_.u / last_.slope);
    const bool is_known = beyond.hits && beyond.slope < 0.0;
    if (is_known) {
      high = std::min(high, beyond.r - beyond.u / beyond.slope);
      low = std::max(low, last_.r + (beyond.r - last_.r) * last_.u / (last_.u - beyond.u));
    }
    if (high - low <= accuracy * high) return end_at(beyond, high);
    const Sample next = at(is_known ? guess_rim(beyond, low, high) : 0.5 * (low + high));
    (next.is_inside() ? last_ : beyond) = next;
  }
  return last_.r;
}

/// Between the bounds of the rim, with a place beyond it.
double DepthRay::guess_rim(const Sample& beyond, double low, double high) const {
  constexpr double kNear = 1e-2;  // of the depth: tangents tell the rest
  if (beyond.u > -kNear * first_.u) return high;
  const double power = power_rim(first_.u, first_.slope, beyond.r, beyond.u, beyond.slope);
  return power > low && power < high ? power : 0.5 * (low + high);
}

/// The rim between its bounds, with the slope of u there.
double DepthRay::end_at(const Sample& beyond, double high) {
  constexpr double kBeside = 1e-4;
  const bool is_beside = beyond.hits && beyond.r - high < kBeside * high;
  const Sample rim = is_beside ? beyond : at(high);
  if (!rim.hits) return last_.r;  // a wall along n
  last_ = rim, last_.u = 0.0, last_.r = high;
  return high;
}

void DepthRay::integrate(double depth, double accuracy, const Vec2& direction, AreaPatch& out,
                         RaySums& sums) {
  constexpr int kMostParts = 256;
  // Bends that are rounding are no kinks.
  allowed_ = accuracy * depth + 4.0 * field_.rounding(), direction_ = direction;
  depth_ = depth, parts_left_ = kMostParts;
  out_ = &out, sums_ = &sums;
  if (last_.r > 0.0) put_part(first_, last_, 1.0, 0);
}

/// A part, of which only a share counts: where it is as good as allowed but for a little, it counts
/// with its halves, so that no integral jumps from pose to pose.
void DepthRay::put_part(const Sample& from, const Sample& to, double share, int cuts) {
  constexpr int kMostCuts = 24;
  const double length = to.r - from.r;
  Part part{from, at(0.5 * (from.r + to.r)), to};
  const double weight = length * to.r;
  const double left = share_of_finer(std::abs(part.bend()) * weight, allowed_);
  if (left < 1.0) put_points(part, share * (1.0 - left));
  if (!(left > 0.0)) return;
  // What is small all over counts for little, whatever its slopes.
  const double highest = std::max({from.u, part.middle.u, to.u});
  const bool is_end = cuts >= kMostCuts || --parts_left_ < 0;
  if (highest * weight <= allowed_ || is_end || !part.middle.hits) {
    part.from.slope = part.to.slope = (to.u - from.u) / length;
    return put_points(part, share * left);
  }
  const double cut = cut_of(from, to);
  const Sample between = cut == 0.5 ? part.middle : at(from.r + cut * length);
  put_part(from, between, share * left, cuts + 1), put_part(between, to, share * left, cuts + 1);
}

/// Where tangents meet, which is the kink between two flat faces; what falls off as a power does so
/// over some times the way from there to the end.
double DepthRay::cut_of(const Sample& from, const Sample& to) {
  constexpr double kLeastShare = 0.02, kSteep = 0.7, kEnd = 0.9999, kFallsOver = 3.0;
  const double length = to.r - from.r, fall = from.slope - to.slope;
  if (!(fall > 0.0)) return 0.5;
  const double kink = (to.u - from.u - to.slope * length) / (fall * length);
  if (!(kink > kLeastShare && kink < kEnd)) return 0.5;
  return kink > kSteep ? std::max(0.5, 1.0 - kFallsOver * (1.0 - kink)) : kink;
}

double DepthRay::Part::bend() const {
  return middle.u - 0.5 * (from.u + to.u) - 0.125 * (to.r - from.r) * (from.slope - to.slope);
}

double DepthRay::Part::depth_at(double t) const {
  const double s = 1.0 - t, length = to.r - from.r;
  const double cubic = s * s * (1.0 + 2.0 * t) * from.u + t * t * (1.0 + 2.0 * s) * to.u +
                       length * s * t * (s * from.slope - t * to.slope);
  return cubic + 16.0 * s * s * t * t * bend();
}

double DepthRay::Part::between_at(double t) const {
  const double s = 1.0 - t;
  return s * (s - t) * from.between + 4.0 * s * t * middle.between + t * (t - s) * to.between;
}

void DepthRay::put_points(const Part& part, double counted) {
  constexpr std::size_t kPoints = 3;
  const GaussRule& rule = gauss_rule(kPoints);
  const double length = part.to.r - part.from.r;
  out_->points.make_room(static_cast<std::size_t>(out_->count) + kPoints);
  for (std::size_t k = 0; k < kPoints; ++k) {
    const double share = 0.5 * (1.0 + rule.node[k]), r = part.from.r + share * length;
    const double u = std::clamp(part.depth_at(share), 0.0, depth_);
    const double area = 0.5 * counted * rule.weight[k] * length * r;
    const Vec2 x = middle_ + r * way_;
    out_->points[static_cast<std::size_t>(out_->count++)] = {
        field_.point(x.x, x.y, part.between_at(share)), u, area, {}};
    sums_->area += area, sums_->volume += area * u;
    sums_->x += area * u * r * direction_.x, sums_->y += area * u * r * direction_.y;
  }
}

}  // namespace carom
