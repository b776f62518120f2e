// What a pair's own law makes of a central impact of two bodies at one point, losses included:
//
//   m d'' = -F(d, d'),   d(0) = 0,   d'(0) = v,   until d = 0 again.
//
// Hertz without loss (impact_estimate.h) is its limit; a damped contact lasts longer.
#pragma once

#include "carom/contact/pair_law.h"

namespace carom {

struct LawImpact {
  bool separates = false;  ///< false: still in contact after 3000 times d/v, d the elastic depth
  double duration = 0.0;   ///< [s]
  double depth = 0.0;      ///< greatest [m]
  double force = 0.0;      ///< greatest [N]
  double speed_out = 0.0;  ///< at which the bodies part [m/s]
};

/// What presses at the point: linear d + hertz d^(3/2).
struct ImpactSpring {
  double linear = 0.0;  ///< [N/m]
  double hertz = 0.0;   ///< [N/m^(3/2)]
  double radius = 0.0;  ///< the combined one [m]
};
ImpactSpring spring_of_balls(const PairLaw& law, double radius);

/// `mass` is the effective one, `speed` > 0. Accurate to about 1e-5.
LawImpact law_impact(const PairLaw& law, const ImpactSpring& spring, double mass, double speed);

/// The largest step [s] at which the classical Runge-Kutta method, wherever within a step the
/// bodies meet, gives the restitution of the law to 0.02. `impact` is that of the same numbers.
double largest_explicit_step(const PairLaw& law, const ImpactSpring& spring, double mass,
                             double speed, const LawImpact& impact);

/// The same of balls.
inline LawImpact law_impact(const PairLaw& law, double radius, double mass, double speed) {
  return law_impact(law, spring_of_balls(law, radius), mass, speed);
}
inline double largest_explicit_step(const PairLaw& law, double radius, double mass, double speed,
                                    const LawImpact& impact) {
  return largest_explicit_step(law, spring_of_balls(law, radius), mass, speed, impact);
}

}  // namespace carom
