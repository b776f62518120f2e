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

double DepthRay::find_rim(double accuracy) {
  constexpr int kMostTrials = 60;
  first_ = last_ = at(0.0);
  if (!first_.is_inside()) return 0.0;
  Sample beyond;
  double step = 1.2;
  for (int i = 0; i < kMostTrials; ++i, step *= 2.0) {
    beyond = at(step);
    if (!beyond.is_inside()) break;
    last_ = beyond;
  }
  for (int i = 0; i < kMostTrials && beyond.r - last_.r > accuracy * beyond.r; ++i) {
    double r = 0.5 * (last_.r + beyond.r);
    if (beyond.hits && beyond.slope < 0.0) {
      const double newton = beyond.r - beyond.u / beyond.slope;
      if (newton > last_.r && newton <= beyond.r) r = newton;
      if (beyond.r - r <= accuracy * beyond.r) {
        last_ = beyond, last_.u = 0.0, last_.r = r;
        return r;
      }
    }
    const Sample next = at(r);
    (next.is_inside() ? last_ : beyond) = next;
  }
  return last_.r;
}

void DepthRay::integrate(double depth, double accuracy, const Vec2& direction, AreaPatch& out,
                         RaySums& sums) {
  allowed_ = accuracy * depth, direction_ = direction;
  out_ = &out, sums_ = &sums;
  if (last_.r > 0.0) put_part(first_, last_, 0);
}

void DepthRay::put_part(const Sample& from, const Sample& to, int cuts) {
  constexpr int kMostCuts = 24;
  constexpr double kLeastShare = 0.02;
  const double length = to.r - from.r, fall = from.slope - to.slope;
  Part part{from, at(0.5 * (from.r + to.r)), to};
  const double weight = length * to.r;
  if (std::abs(part.bend()) * weight <= allowed_) return put_points(part);
  // What is small all over counts for little, whatever its slopes.
  const double highest = std::max({from.u, part.middle.u, to.u});
  if (highest * weight <= allowed_ || cuts >= kMostCuts || !part.middle.hits) {
    part.from.slope = part.to.slope = (to.u - from.u) / length;
    return put_points(part);
  }
  double cut = 0.5;
  if (fall > 0.0) {
    const double kink = (to.u - from.u - to.slope * length) / (fall * length);
    if (kink > kLeastShare && kink < 1.0 - kLeastShare) cut = kink;
  }
  const Sample between = cut == 0.5 ? part.middle : at(from.r + cut * length);
  put_part(from, between, cuts + 1), put_part(between, to, cuts + 1);
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

void DepthRay::put_points(const Part& part) {
  constexpr std::size_t kPoints = 3;
  const GaussRule& rule = gauss_rule(kPoints);
  const double length = part.to.r - part.from.r;
  out_->points.make_room(static_cast<std::size_t>(out_->count) + kPoints);
  for (std::size_t k = 0; k < kPoints; ++k) {
    const double share = 0.5 * (1.0 + rule.node[k]), r = part.from.r + share * length;
    const double u = std::max(0.0, part.depth_at(share));
    const double area = 0.5 * rule.weight[k] * length * r;
    const Vec2 x = middle_ + r * way_;
    out_->points[static_cast<std::size_t>(out_->count++)] = {
        field_.point(x.x, x.y, part.between_at(share)), u, area, {}};
    sums_->area += area, sums_->volume += area * u;
    sums_->x += area * u * r * direction_.x, sums_->y += area * u * r * direction_.y;
  }
}

}  // namespace carom
