#include "carom/integrate/hermite.h"

#include <algorithm>

namespace carom {
namespace {

// Inner nodes by their number. Sets for which the integral of the node polynomial
// vanishes (three or five points symmetric about 1/2) would leave (1) undefined.
constexpr double kInner[4][4] = {
    {0.4, 0, 0, 0}, {1.0 / 3, 2.0 / 3, 0, 0}, {0.2, 0.5, 0.85, 0}, {0.2, 0.4, 0.6, 0.8}};

template <std::size_t N>
double value(const std::array<double, N>& coefficients, double s) {
  double sum = 0.0;
  for (std::size_t k = N; k-- > 0;) sum = sum * s + coefficients[k];
  return sum;
}

template <std::size_t N>
std::array<double, N> times_root(const std::array<double, N>& p, double root) {
  std::array<double, N> product{};
  for (std::size_t k = 0; k < N; ++k) {
    if (k + 1 < N) product[k + 1] += p[k];
    product[k] -= root * p[k];
  }
  return product;
}

template <std::size_t N>
std::array<double, N> integral(const std::array<double, N>& p) {
  std::array<double, N> result{};
  for (std::size_t k = 0; k + 1 < N; ++k) result[k + 1] = p[k] / static_cast<double>(k + 1);
  return result;
}

}  // namespace

HermiteInterpolant::HermiteInterpolant(int degree)
    : target_inner_(std::clamp(degree, 3, kMaxDegree) - 3), is_straight_(degree == 1) {
  for (int inner = 0; inner <= target_inner_; ++inner) levels_.push_back(make_level(inner));
}

HermiteInterpolant::Level HermiteInterpolant::make_level(int inner) {
  Level level;
  const auto count = static_cast<std::size_t>(inner) + 2;
  level.nodes[1] = 1.0;
  for (std::size_t j = 2; j < count; ++j) level.nodes[j] = kInner[inner - 1][j - 2];

  Polynomial node_polynomial{1.0};
  for (std::size_t j = 0; j < count; ++j) {
    node_polynomial = times_root(node_polynomial, level.nodes[j]);
  }
  level.end_weight = integral(node_polynomial);
  const double whole = value(level.end_weight, 1.0);
  for (double& c : level.end_weight) c /= whole;

  for (std::size_t j = 0; j < count; ++j) {
    Polynomial lagrange{1.0};
    for (std::size_t k = 0; k < count; ++k) {
      if (k == j) continue;
      lagrange = times_root(lagrange, level.nodes[k]);
      for (double& c : lagrange) c /= level.nodes[j] - level.nodes[k];
    }
    Polynomial weight = integral(lagrange);
    const double at_end = value(weight, 1.0);
    for (std::size_t k = 0; k < weight.size(); ++k) weight[k] -= at_end * level.end_weight[k];
    level.slope_weight[j] = weight;
  }
  return level;
}

void HermiteInterpolant::forget() {
  inner_ = -1;
  end_known_ = {false, false};
}

void HermiteInterpolant::advance() {
  inner_ = -1;
  if (end_known_[1]) std::swap(slopes_[0], slopes_[1]);
  end_known_ = {end_known_[1], false};
}

void HermiteInterpolant::combine(int inner, double h, std::span<const double> x0,
                                 std::span<const double> x1, double s, std::span<double> x) const {
  const Level& level = levels_[static_cast<std::size_t>(inner)];
  const double u = value(level.end_weight, s);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = x0[i] + u * (x1[i] - x0[i]);
  for (std::size_t j = 0; j < static_cast<std::size_t>(inner) + 2; ++j) {
    const double weight = h * value(level.slope_weight[j], s);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += weight * slopes_[j][i];
  }
}

void HermiteInterpolant::prepare(CheckedRhs& rhs, double t0, std::span<const double> x0, double t1,
                                 std::span<const double> x1) {
  for (std::size_t end = 0; end < 2; ++end) {
    if (end_known_[end]) continue;
    slopes_[end].resize(x0.size());
    if (rhs(end == 0 ? t0 : t1, end == 0 ? x0 : x1, slopes_[end]) != Status::ok) return;
    end_known_[end] = true;
  }
  inner_ = 0;
  inner_state_.resize(x0.size());
  for (int inner = 1; inner <= target_inner_; ++inner) {
    const auto count = static_cast<std::size_t>(inner);
    const Level& level = levels_[count];
    for (std::size_t j = 0; j < count; ++j) {
      const double s = level.nodes[j + 2];
      combine(inner - 1, t1 - t0, x0, x1, s, inner_state_);
      next_slopes_[j].resize(x0.size());
      if (rhs(t0 + s * (t1 - t0), inner_state_, next_slopes_[j]) != Status::ok) return;
    }
    for (std::size_t j = 0; j < count; ++j) std::swap(slopes_[j + 2], next_slopes_[j]);
    inner_ = inner;
  }
}

void HermiteInterpolant::evaluate(CheckedRhs& rhs, double t0, std::span<const double> x0, double t1,
                                  std::span<const double> x1, double t, std::span<double> x) {
  if (t >= t1 || t1 <= t0) {
    std::copy(x1.begin(), x1.end(), x.begin());
    return;
  }
  if (inner_ < 0 && !is_straight_) prepare(rhs, t0, x0, t1, x1);
  const double s = std::max(0.0, (t - t0) / (t1 - t0));
  if (inner_ >= 0) {
    combine(inner_, t1 - t0, x0, x1, s, x);
    return;
  }
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = x0[i] + s * (x1[i] - x0[i]);
}

}  // namespace carom
