#include "carom/multibody/signal.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/param.h"

namespace carom {
namespace {

using Kind = SignalSpec::Kind;
using Interpolation = SignalSpec::Interpolation;

/// Slopes of the natural (or periodic-end-free) cubic spline through the knots: the
/// tridiagonal system of continuous second derivatives, solved by elimination.
std::vector<double> spline_slopes(const std::vector<double>& t, const std::vector<double>& y) {
  const std::size_t n = t.size();
  std::vector<double> diagonal(n), upper(n), slope(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double left = i > 0 ? 1.0 / (t[i] - t[i - 1]) : 0.0;
    const double right = i + 1 < n ? 1.0 / (t[i + 1] - t[i]) : 0.0;
    double d = 2.0 * (left + right);
    double rhs = 0.0;
    if (i > 0) rhs += 3.0 * (y[i] - y[i - 1]) * left * left;
    if (i + 1 < n) rhs += 3.0 * (y[i + 1] - y[i]) * right * right;
    if (i > 0) {
      const double factor = left / diagonal[i - 1];
      d -= factor * upper[i - 1];
      rhs -= factor * slope[i - 1];
    }
    diagonal[i] = d;
    upper[i] = right;
    slope[i] = rhs;
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) slope[i] -= upper[i] * slope[i + 1];
    slope[i] /= diagonal[i];
  }
  return slope;
}

}  // namespace

std::string Signal::compile(const SignalSpec& spec, const double* t, const FormulaLookup& find) {
  spec_ = spec;
  if (spec.kind == Kind::table) {
    if (spec.times.empty() || spec.times.size() != spec.values.size()) {
      return "a table needs as many values as times, at least one";
    }
    for (std::size_t i = 1; i < spec.times.size(); ++i) {
      if (!(spec.times[i] > spec.times[i - 1])) return "the times of a table must increase";
    }
    if (spec.interpolation == Interpolation::cubic && spec.times.size() > 1) {
      slopes_ = spline_slopes(spec.times, spec.values);
    }
  }
  if (spec.kind != Kind::formula) return {};

  t_ = t;
  const FormulaLookup with_time = [&](const std::string& name) {
    return name == "t" ? t : find(name);
  };
  const struct {
    const std::string& text;
    Formula& formula;
  } parts[] = {{spec.formula, formula_}, {spec.rate, rate_}, {spec.acceleration, acceleration_}};
  for (const auto& part : parts) {
    if (part.text.empty()) continue;
    if (FormulaError error = part.formula.compile(part.text, with_time); !error.empty()) {
      return error.message;
    }
  }
  return {};
}

double Signal::value(double t) const {
  switch (spec_.kind) {
    case Kind::constant: return spec_.value;
    case Kind::formula: return formula_();
    default: return jet(t).value;
  }
}

SignalJet Signal::jet(double t) const {
  switch (spec_.kind) {
    case Kind::constant: return {spec_.value, 0.0, 0.0};
    case Kind::step: return {t < spec_.start ? spec_.before : spec_.after, 0.0, 0.0};
    case Kind::ramp: {
      const double slope = (spec_.after - spec_.before) / spec_.duration;
      if (t < spec_.start) return {spec_.before, 0.0, 0.0};
      if (t >= spec_.start + spec_.duration) return {spec_.after, 0.0, 0.0};
      return {spec_.before + slope * (t - spec_.start), slope, 0.0};
    }
    case Kind::sine: {
      const double w = 2.0 * std::numbers::pi * spec_.frequency;
      const double a = w * (t - spec_.start) + spec_.phase;
      const double s = spec_.amplitude * std::sin(a), c = spec_.amplitude * std::cos(a);
      return {spec_.offset + s, w * c, -w * w * s};
    }
    case Kind::table: return table_jet(t);
    case Kind::formula: {
      const Jet<double, 1> own = formula_.jet(t_, t);
      SignalJet jet{own.v, own.g[0], own.h[0]};
      if (!rate_.empty()) jet.rate = rate_.jet(t_, t).v;
      if (!acceleration_.empty()) jet.acceleration = acceleration_.jet(t_, t).v;
      return jet;
    }
  }
  return {};
}

SignalJet Signal::table_jet(double t) const {
  const auto& times = spec_.times;
  const auto& values = spec_.values;
  if (spec_.periodic && times.size() > 1) {
    const double period = times.back() - times.front();
    t = times.front() + std::fmod(std::fmod(t - times.front(), period) + period, period);
  }
  if (t < times.front()) return {values.front(), 0.0, 0.0};
  if (t >= times.back()) return {values.back(), 0.0, 0.0};
  const auto i =
      static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin() - 1);
  if (spec_.interpolation == Interpolation::hold) return {values[i], 0.0, 0.0};
  const double h = times[i + 1] - times[i], s = (t - times[i]) / h;
  const double secant = (values[i + 1] - values[i]) / h;
  if (spec_.interpolation == Interpolation::linear) {
    return {values[i] + secant * (t - times[i]), secant, 0.0};
  }
  // Cubic Hermite on [0, 1]: y = y0 + h s (m0 + s (c2 + s c3)).
  const double m0 = slopes_[i], m1 = slopes_[i + 1];
  const double c2 = 3.0 * secant - 2.0 * m0 - m1, c3 = m0 + m1 - 2.0 * secant;
  return {values[i] + h * s * (m0 + s * (c2 + s * c3)), m0 + s * (2.0 * c2 + 3.0 * s * c3),
          (2.0 * c2 + 6.0 * s * c3) / h};
}

double Signal::next_break(double t) const {
  switch (spec_.kind) {
    case Kind::step: return t < spec_.start ? spec_.start : kInf;
    case Kind::ramp:
      if (t < spec_.start) return spec_.start;
      return t < spec_.start + spec_.duration ? spec_.start + spec_.duration : kInf;
    case Kind::table: break;
    default: return kInf;
  }
  const auto& times = spec_.times;
  double turns = 0.0;
  if (spec_.periodic && times.size() > 1) {
    const double period = times.back() - times.front();
    turns = std::floor((t - times.front()) / period) * period;
    // The end of a period is the beginning of the next, also after rounding.
    for (double shift : {turns, turns + period}) {
      for (const double knot : times) {
        if (knot + shift > t) return knot + shift;
      }
    }
    return kInf;
  }
  const auto next = std::upper_bound(times.begin(), times.end(), t);
  return next == times.end() ? kInf : *next;
}

}  // namespace carom
