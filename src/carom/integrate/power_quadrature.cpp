#include "carom/integrate/power_quadrature.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

const double kNode = std::sqrt(3.0 / 7.0);  ///< of Lobatto's formula on five points
/// Halvings of a step, and evaluations in it: a jump of the power inside a step is enclosed to
/// its 250th part; beyond that it is no longer a step of a motion that was resolved.
constexpr int kDeepest = 8;
constexpr int kMostEvaluations = 400;

/// Lobatto's formulae on the points -1, -kNode, 0, kNode, 1, per unit of length.
double three_points(double a, double m, double b) { return (a + 4.0 * m + b) / 6.0; }
double five_points(const std::array<double, 5>& f) {
  return (f[0] + f[4]) / 20.0 + 49.0 * (f[1] + f[3]) / 180.0 + 16.0 * f[2] / 45.0;
}

}  // namespace

bool PowerQuadrature::take_parabola(double t0, double t1, double allowed) {
  const double h = t1 - t0, back = t0 - t_before_;
  Panel panel{t0, t1, {}};
  for (std::size_t i = 0; i < count_; ++i) {
    const double rise = (end_[i] - begin_[i]) / h;
    const double bend = (rise - (begin_[i] - before_[i]) / back) / (h + back);
    if (!(std::abs(bend) * h * h * h <= 6.0 * allowed)) return false;  // (1)
    const double curve = 0.25 * h * h * bend;
    panel.c[0][i] = 0.5 * (begin_[i] + end_[i]) - curve;
    panel.c[1][i] = 0.5 * (end_[i] - begin_[i]);
    panel.c[2][i] = curve;
  }
  panels_.push_back(panel);
  return true;
}

PowerQuadrature::Panel PowerQuadrature::make_panel(double t0, double t1,
                                                   const std::array<Values, 5>& p) const {
  Panel panel{t0, t1, {}};
  const double a2 = kNode * kNode;
  for (std::size_t i = 0; i < count_; ++i) {
    const double middle = p[2][i];
    const double even = 0.5 * (p[0][i] + p[4][i]) - middle, odd = 0.5 * (p[4][i] - p[0][i]);
    const double even_in = 0.5 * (p[1][i] + p[3][i]) - middle, odd_in = 0.5 * (p[3][i] - p[1][i]);
    const double c4 = (even_in - a2 * even) / (a2 * a2 - a2);
    const double c3 = (odd_in / kNode - odd) / (a2 - 1.0);
    panel.c[0][i] = middle, panel.c[1][i] = odd - c3, panel.c[2][i] = even - c4;
    panel.c[3][i] = c3, panel.c[4][i] = c4;
  }
  return panel;
}

double PowerQuadrature::error_of(double width, const std::array<Values, 5>& p) const {
  double largest = 0.0;
  for (std::size_t i = 0; i < count_; ++i) {
    std::array<double, 5> f{p[0][i], p[1][i], p[2][i], p[3][i], p[4][i]};
    const double mean = five_points(f);
    const double difference = width * std::abs(mean - three_points(f[0], f[2], f[4]));
    for (double& value : f) value = std::abs(value - mean);
    const double spread = width * five_points(f);
    if (spread == 0.0) continue;
    largest =
        std::max(largest, spread * std::min(1.0, std::pow(200.0 * difference / spread, 1.25)));
  }
  return largest;  // (2)
}

/// Adds the panels of [ends.t0, ends.t1], whose powers at the ends are in c[0] and c[4].
void PowerQuadrature::halve(const Powers& powers, const Panel& ends, const Values& middle,
                            double allowed, int depth) {
  const double centre = 0.5 * (ends.t0 + ends.t1), half = 0.5 * (ends.t1 - ends.t0);
  std::array<Values, 5> p{};
  p[0] = ends.c[0], p[2] = middle, p[4] = ends.c[4];
  powers(centre - kNode * half, {p[1].data(), count_});
  powers(centre + kNode * half, {p[3].data(), count_});
  budget_ -= 2;
  const double error = error_of(2.0 * half, p);
  const bool may_halve = depth < kDeepest && budget_ > 6;
  if (error <= allowed || !may_halve) {
    if (!(error <= allowed)) ++unresolved_;
    panels_.push_back(make_panel(ends.t0, ends.t1, p));
    return;
  }
  Panel left{ends.t0, centre, {}}, right{centre, ends.t1, {}};
  left.c[0] = p[0], left.c[4] = right.c[0] = p[2], right.c[4] = p[4];
  Values at{};
  powers(centre - 0.5 * half, {at.data(), count_});
  --budget_;
  halve(powers, left, at, 0.5 * allowed, depth + 1);
  powers(centre + 0.5 * half, {at.data(), count_});
  --budget_;
  halve(powers, right, at, 0.5 * allowed, depth + 1);
}

void PowerQuadrature::take(double t0, double t1, const Powers& powers, double allowed) {
  panels_.clear();
  budget_ = kMostEvaluations;
  if (!(t1 > t0)) return;
  if (!has_end_ || t_end_ != t0) {
    has_before_ = false;
    powers(t0, {end_.data(), count_});
  }
  begin_ = end_;
  powers(t1, {end_.data(), count_});
  if (!has_before_ || !take_parabola(t0, t1, allowed)) {
    Panel whole{t0, t1, {}};
    whole.c[0] = begin_, whole.c[4] = end_;
    Values middle{};
    powers(0.5 * (t0 + t1), {middle.data(), count_});
    halve(powers, whole, middle, allowed, 0);
  }
  before_ = begin_, t_before_ = t0, t_end_ = t1;
  has_before_ = has_end_ = true;
}

void PowerQuadrature::integral(double t, std::span<double> work) const {
  std::ranges::fill(work, 0.0);
  for (const Panel& panel : panels_) {
    if (t <= panel.t0) return;
    const double half = 0.5 * (panel.t1 - panel.t0);
    const double s = std::min(1.0, (t - panel.t0) / half - 1.0);
    for (std::size_t i = 0; i < work.size(); ++i) {
      double sum = 0.0, power = s, sign = -1.0;
      for (std::size_t k = 0; k < panel.c.size(); ++k) {
        sum += panel.c[k][i] * (power - sign) / static_cast<double>(k + 1);
        power *= s, sign = -sign;
      }
      work[i] += half * sum;
    }
  }
}

}  // namespace carom
