#include "carom/contact/law_impact.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom {
namespace {

constexpr int kStepsPerApproach = 1000;  ///< within the time d/v to the elastic depth d
constexpr int kMostSteps = 3000 * kStepsPerApproach;

struct Motion {
  double depth = 0.0, rate = 0.0, state = 0.0;
  Motion moved(const Motion& slope, double h) const {
    return {depth + h * slope.depth, rate + h * slope.rate, state + h * slope.state};
  }
};

/// A law at the one point of a contact.
class PointOfLaw {
 public:
  PointOfLaw(const PairLaw& law, const ImpactSpring& spring, double speed) : law_(law) {
    in_.linear = spring.linear, in_.hertz = spring.hertz, in_.radius = spring.radius;
    const ContactStart start{speed, restitution_at(law.material, speed), false};
    if (law.normal->start) {
      law.normal->start(start, law.material, law.normal_params, constants_);
    }
  }
  NormalOutput at(const Motion& m) const {
    NormalInput in = in_;
    in.depth = std::max(0.0, m.depth), in.depth_rate = m.rate, in.state = m.state;
    NormalOutput out;
    law_.normal->evaluate({&in, 1}, law_.material, law_.normal_params, constants_, {&out, 1});
    return out;
  }
  /// Depth at which the spring alone has taken up this energy.
  double elastic_depth(double energy) const {
    const auto stored = [&](double depth) {
      return at({.depth = depth, .state = 0.5 * depth}).energy;
    };
    double high = 1e-12;
    while (stored(high) < energy && high < 1e6) high *= 2.0;
    double low = 0.5 * high;
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (low + high);
      (stored(middle) < energy ? low : high) = middle;
    }
    return high;
  }

 private:
  const PairLaw& law_;
  NormalInput in_;
  std::array<double, kNormalConstants> constants_{};
};

/// One step of the classical Runge-Kutta method; surfaces do not pull, nor act apart.
Motion step(const PointOfLaw& law, const Motion& m, double mass, double h) {
  const auto slope = [&](const Motion& x) {
    if (x.depth < 0.0) return Motion{x.rate, 0.0, 0.0};
    const NormalOutput out = law.at(x);
    return Motion{x.rate, -std::max(0.0, out.force) / mass, out.state_rate};
  };
  const Motion a = slope(m), b = slope(m.moved(a, 0.5 * h)), c = slope(m.moved(b, 0.5 * h)),
               d = slope(m.moved(c, h));
  return m.moved(a, h / 6.0).moved(b, h / 3.0).moved(c, h / 3.0).moved(d, h / 6.0);
}

/// Speed of separation of a blow in steps of h that begins `phase` of a step after one of them; of
/// bodies that stay together, how fast they still move in the end. Infinite: it gained energy.
double speed_out(const PointOfLaw& law, double mass, double speed, double h, double phase,
                 double longest) {
  Motion m{.depth = -phase * speed * h, .rate = speed};
  for (double t = 0.0; t < longest; t += h) {
    m = step(law, m, mass, h);
    if (!(std::abs(m.rate) < 2.0 * speed)) return kInf;
    if (m.depth <= 0.0 && m.rate < 0.0) return -m.rate;
  }
  return std::abs(m.rate);
}

}  // namespace

ImpactSpring spring_of_balls(const PairLaw& law, double radius) {
  return {.hertz = 4.0 / 3.0 * law.material.modulus * std::sqrt(radius), .radius = radius};
}

LawImpact law_impact(const PairLaw& law, const ImpactSpring& spring, double mass, double speed) {
  const PointOfLaw point(law, spring, speed);
  const double h = point.elastic_depth(0.5 * mass * speed * speed) / speed / kStepsPerApproach;
  LawImpact impact;
  Motion m{.rate = speed};
  for (int i = 0; i < kMostSteps; ++i) {
    impact.force = std::max(impact.force, point.at(m).force);
    impact.depth = std::max(impact.depth, m.depth);
    const Motion next = step(point, m, mass, h);
    if (next.depth <= 0.0) {  // the last part of a step is straight: the force ends
      impact.separates = true;
      impact.duration += m.depth / (m.depth - next.depth) * h;
      impact.speed_out = -next.rate;
      return impact;
    }
    impact.duration += h;
    m = next;
  }
  return impact;
}

double largest_explicit_step(const PairLaw& law, const ImpactSpring& spring, double mass,
                             double speed, const LawImpact& impact) {
  constexpr int kPhases = 8, kTries = 200;
  constexpr double kShortest = 1e-3, kGrowth = 1.1, kError = 0.02;
  const PointOfLaw point(law, spring, speed);
  const double approach = point.elastic_depth(0.5 * mass * speed * speed) / speed;
  const double longest =
      3.0 * std::max(approach, impact.separates ? impact.duration : 10 * approach);
  const double expected = impact.separates ? impact.speed_out : 0.0;
  double h = kShortest * approach;
  for (int i = 0; i < kTries; ++i, h *= kGrowth) {
    for (int phase = 0; phase < kPhases; ++phase) {
      const double out = speed_out(point, mass, speed, h, phase / double{kPhases}, longest);
      if (!(std::abs(out - expected) <= kError * speed)) return i > 0 ? h / kGrowth : 0.0;
    }
  }
  return h;
}

}  // namespace carom
