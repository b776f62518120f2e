// An impact of points that touch, as impulses: u+ = u- + W P. It knows no bodies.
//
//   newton    u_n+ >= -e u_n- where a point approaches, with Coulomb's law for the slip after it
//   poisson   compression is the plastic impact; then every point gives e times the normal impulse
//             of it back, with the friction that this allows
//   paper     newton, with friction mu P_n against the slip before the impact (Kossenko 2005)
//   energetic Stronge's law of one point (energetic_impact.h); of several, poisson
//
// Laws with restitution may give energy where several points are hit at once with friction, and
// `paper` where friction turns the slip round. So the impulse is held between that of the plastic
// impact P0, which never does, and that of the law P1:
//
//   P = P0 + share (P1 - P0),   the largest share <= 1 with  1/2 (u+ + u-) . P <= 0        (1)
//
// Cones, and that no point approaches afterwards, hold for every share.
#pragma once

#include <array>

#include "carom/contact/cones/cone_problem.h"

namespace carom {

enum class ImpactLaw : std::uint8_t { newton, poisson, paper, energetic };
inline constexpr std::array kImpactLaws{"newton", "poisson", "paper", "energetic"};
/// In place of a law: a scene that is to have no impacts.
inline constexpr const char* kNoImpacts = "off";

struct ImpactProblem {
  std::span<const double> W;            ///< 3m × 3m, row by row: normal and two tangents per point
  std::span<const double> u;            ///< 3m, before the impact
  std::span<const double> mu;           ///< m
  std::span<const double> restitution;  ///< m, at the speed of approach
  double still = 0.0;                   ///< approach below it is none [m/s]
  ImpactLaw law = ImpactLaw::newton;
  double slow = 0.0;  ///< of `paper`: slip below which friction grows with it [m/s]
};

struct ImpactAnswer {
  ConeAnswer cones;
  double share = 1.0;  ///< of restitution that was possible, (1)
};

/// P holds the impulses.
ImpactAnswer solve_impact(const ImpactProblem& problem, std::span<double> P);

/// 1/2 (u+ + u-) . P, split in normal and tangential part: the change of kinetic energy [J].
struct ImpactWork {
  double normal = 0.0, tangential = 0.0;
  double sum() const { return normal + tangential; }
};
ImpactWork impact_work(const ImpactProblem& problem, std::span<const double> P);

}  // namespace carom
