// Random islands of 2 to 15 bodies with redundant contacts for the solver of cones: at least 99 of
// 100 are solved, the others are said to be unsolved; what is solved obeys Coulomb's law by code of
// its own, and energy grows in none.
#include "../contact/random_island.h"
#include "campaign.h"

namespace carom::campaign {
namespace {

Outcome run_island(std::uint64_t seed) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed % 4294967291u));
  testing::RigidIsland island = testing::random_island(random);
  island.assemble();
  std::vector<double> r(island.q.size(), 0.0);
  const ConeAnswer answer = solve_cones(island.problem(), r);
  Outcome outcome;
  outcome.label = name_of(answer.stage);
  outcome.evaluations = answer.iterations;
  outcome.measure = answer.solved ? 0.0 : 1.0;
  outcome.is_finished = answer.solved;
  if (!answer.solved) return outcome;
  const double lost = island.energy_lost(r);
  if (lost < -1e-9 * std::abs(lost)) outcome.complaint = "energy grows";
  const double wrong = testing::violation(island, r);
  if (wrong > 1e-7) outcome.complaint = "Coulomb's law is missed by " + exact_text(wrong);
  return outcome;
}

}  // namespace

extern const Campaign campaign_cone_islands;
const Campaign campaign_cone_islands{.name = "cone_islands",
                                     .doc = "random islands of contacts for the solver of cones",
                                     .measure = "whether it is unsolved, of which 1 in 100 may be",
                                     .count = 1000,
                                     .run = run_island,
                                     .most_of_99 = 0.5};

}  // namespace carom::campaign
