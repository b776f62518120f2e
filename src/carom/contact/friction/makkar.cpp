// The continuously differentiable friction curve of Makkar, Dixon, Sawyer and Hu (2005):
//
//   mu(v) = g1 (tanh g2 v - tanh g3 v) + g4 tanh g5 v + g6 v                       (1)
//
// Oestersötebier, Wang and Trächtler (2014) describe it by its peak mu_s at v_e1, its minimum
// mu_k at v_e2 and the viscous slope k_v, but their rule for g1 … g6 gives neither: 0.0388 for
// a set peak of 0.04, at 1.12 v_e1. Here g2 = g5 = a / v_e1, g3 = 3 / v_e2 (less where v_e2 is
// near v_e1), g6 = k_v, and g1, g4, a solve
//
//   mu(v_e1) = mu_s,   mu(v_e2) = mu_k,   mu'(v_e1) = 0.                           (2)
//
// The library applies (1) to the slip along either axis of the surface by itself, so that sliding
// along the diagonal meets sqrt(2) mu; `per_axis` does so too, for comparison with its results.
//
// Where there is no such curve (mu_s equals mu_k, or k_v is too large for a peak), the steepest
// one through both points is taken.
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/contact/slip.h"

namespace carom {
namespace {

enum {
  kMuS,
  kMuK,
  kPeak,
  kMinimum,
  kViscous,
  kLibraryRule,
  kPerAxis,
  kGamma,
  kDerived = kGamma + 6
};
constexpr ParamField kFields[] = {
    {"mu_s", "-", "friction at the peak; without it that of the pair", kRequired, 0.0},
    {"mu_k", "-", "friction at the minimum; without it that of the pair", kRequired, 0.0},
    {"v_e1", "m/s", "speed of the peak; without it v_small of the pair", kRequired, 0.0, kInf,
     ParamType::number, true},
    {"v_e2", "m/s", "speed of the minimum; without it 10 v_e1", kRequired, 0.0, kInf,
     ParamType::number, true},
    {"k_v", "s/m", "viscous growth of mu with speed", 0.0, 0.0},
    {"library_rule", "-", "g1 … g6 after the rule of the IdealizedContact library", 0.0, 0.0, 1.0,
     ParamType::boolean},
    {"per_axis", "-", "friction along each axis of a flat surface by itself, as in that library",
     0.0, 0.0, 1.0, ParamType::boolean},
    {"gamma1", "-", "g1 itself, in place of the rule", kRequired},
    {"gamma2", "s/m", "g2 itself, in place of the rule", kRequired},
    {"gamma3", "s/m", "g3 itself, in place of the rule", kRequired},
    {"gamma4", "-", "g4 itself, in place of the rule", kRequired},
    {"gamma5", "s/m", "g5 itself, in place of the rule", kRequired},
    {"gamma6", "s/m", "g6 itself, in place of the rule", kRequired},
};
static_assert(std::size(kFields) == kDerived);

using Gamma = std::array<double, 6>;

double sech2(double x) {
  const double c = std::cosh(std::min(std::abs(x), 300.0));
  return 1.0 / (c * c);
}

double coefficient(std::span<const double> g, double v) {
  const double rise = std::tanh(g[1] * v);
  const double grip = g[4] == g[1] ? rise : std::tanh(g[4] * v);
  return g[0] * (rise - std::tanh(g[2] * v)) + g[3] * grip + g[5] * v;  // (1)
}

double slope(std::span<const double> g, double v) {
  return g[0] * (g[1] * sech2(g[1] * v) - g[2] * sech2(g[2] * v)) + g[3] * g[4] * sech2(g[4] * v) +
         g[5];
}

/// g3: the fall from the peak ends at v_e2, but never so early that the peak would lie before
/// v_e1 whatever a is (from g3 v_e1 = 0.77 on).
double decay(std::span<const double> p) { return std::min(3.0 / p[kMinimum], 0.6 / p[kPeak]); }

/// The first two conditions of (2) for a given a: linear in g1 and g4.
Gamma through_points(std::span<const double> p, double a) {
  const double v1 = p[kPeak], v2 = p[kMinimum];
  Gamma g{0.0, a / v1, decay(p), 0.0, a / v1, p[kViscous]};
  const double T1 = std::tanh(a), t1 = std::tanh(g[2] * v1);
  const double T2 = std::tanh(g[1] * v2), t2 = std::tanh(g[2] * v2);
  const double m1 = p[kMuS] - p[kViscous] * v1, m2 = p[kMuK] - p[kViscous] * v2;
  const double det = t2 * T1 - t1 * T2;
  g[0] = (m1 * T2 - m2 * T1) / det;
  g[3] = (m2 * (T1 - t1) - m1 * (T2 - t2)) / det;
  return g;
}

/// (2): the slope at the peak falls from positive to negative as a grows.
Gamma solve(std::span<const double> p) {
  constexpr double kSteepest = 18.0;  // tanh is 1 beyond
  double low = std::max(0.05, 1.01 * decay(p) * p[kPeak]), high = 0.0;
  constexpr int kScan = 200;
  const double step = std::pow(kSteepest / low, 1.0 / kScan);
  const auto rises = [&](double a) { return slope(through_points(p, a), p[kPeak]) > 0.0; };
  for (int i = 0; i < kScan && high == 0.0; ++i) {
    if (rises(low) && !rises(low * step)) {
      high = low * step;
    } else {
      low *= step;
    }
  }
  if (high == 0.0) return through_points(p, kSteepest);
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (rises(middle) ? low : high) = middle;
  }
  return through_points(p, 0.5 * (low + high));
}

Gamma library_rule(std::span<const double> p) {
  const double v1 = p[kPeak], v2 = p[kMinimum], kv = p[kViscous];
  const double g4 = p[kMuK] - kv * v2, t = std::tanh(2.0 * v1 / v2);
  const double g1 = (p[kMuS] - g4 * t - 2.0 * kv * v1) / (std::tanh(2.0) - t) - g4;
  return {g1, 2.0 / v1, 3.0 / v2, g4, 2.0 / v1, kv};
}

void bind(const PairMaterial& material, std::span<double> p) {
  if (std::isnan(p[kMuK])) p[kMuK] = material.mu_k;
  if (std::isnan(p[kMuS])) p[kMuS] = std::max(p[kMuK], material.mu_s);
  if (std::isnan(p[kPeak])) p[kPeak] = material.v_small;
  if (std::isnan(p[kMinimum])) p[kMinimum] = 10.0 * p[kPeak];
  // The minimum lies beyond the peak.
  p[kMinimum] = std::max(p[kMinimum], 1.1 * p[kPeak]);
  const Gamma g = p[kLibraryRule] != 0.0 ? library_rule(p) : solve(p);
  for (std::size_t i = 0; i < 6; ++i) {
    const double given = p[kGamma + i];
    p[kDerived + i] = std::isnan(given) ? g[i] : given;
  }
}

/// Friction of the part s of the slip, as if there were no other.
Vec3 friction_of(const Vec3& s, double normal_force, std::span<const double> g) {
  const double speed = norm(s);
  return (-normal_force * (speed > 1e-12 ? coefficient(g, speed) / speed : slope(g, 0.0))) * s;
}

void evaluate(const FrictionInput& in, std::span<const double> p, FrictionOutput& out) {
  const std::span<const double> g = p.subspan(kDerived, 6);
  if (p[kPerAxis] != 0.0 && in.axis != Vec3{}) {
    const Vec3 along = dot(in.slip, in.axis) * in.axis;
    out = {};
    out.force =
        friction_of(along, in.normal_force, g) + friction_of(in.slip - along, in.normal_force, g);
    return;
  }
  const double speed = norm(slip_of(in));
  slide(in, speed > 1e-12 ? coefficient(g, speed) / speed : slope(g, 0.0), out);
}

}  // namespace

extern const FrictionLaw friction_law_makkar{
    .name = "makkar",
    .doc = "smooth friction curve with peak, minimum and viscous growth",
    .fields = kFields,
    .bind = bind,
    .derived = 6,
    .evaluate = evaluate};

}  // namespace carom
