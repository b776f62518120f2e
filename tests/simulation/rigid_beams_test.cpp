// Beams that come down on their flat side: their ends are discs whose lowest points change sides
// where they lie flat, and which side that is must not be lost.
#include <algorithm>

#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/evaluate.h"
#include "carom/simulation/simulation.h"
#include "rigid_scenes.h"

namespace carom {
namespace {

struct ThrownBeam {
  const char *size, *where;
  double restitution, mu;
};

/// Drawn at random. Where each came down flat, the error of a step turned it to the other side: it
/// sank in by a seventh of its size, fell through the floor, and sank in by a sixth.
constexpr ThrownBeam kBeams[] = {
    {"length: 0.11786302591897159, width: 0.029726508862765871, thickness: 0.029022132466442682",
     "position: [-0.20814212143217081, -0.20653359730033746, 0.15], orientation: "
     "[0.76927378811579239, -0.12590356655813237, 0.063268913263215432, 0.62318791344217594], "
     "velocity: [0.71807247819453091, 0.17867327078847861, -0.56667482278756243], "
     "angular_velocity: [-3.471564730825873, -2.7347439932129367, 2.8614549710803461]",
     0.0073926974903995388, 0.29088807707610248},
    {"length: 0.058814432862022661, width: 0.054592701979169073, thickness: 0.018851162171590649",
     "position: [-0.20456995384942483, -0.20770402560700479, 0.15], orientation: "
     "[-0.33681816793391756, 0.056336274644982219, -0.60094602735854763, 0.72266424991882927], "
     "velocity: [-0.58680835584637359, -0.15310969919284212, 0.89936379901626395], "
     "angular_velocity: [-2.2035807832240573, -3.7483102769257242, 0.079967932189186186]",
     0.30306945354532522, 0.65849923769321606},
    {"length: 0.03154298951128489, width: 0.052037377448462062, thickness: 0.027535267054666107",
     "position: [-0.19238121562936936, -0.19759763133959909, 0.15], orientation: "
     "[0.65303080614518427, 0.75271681407468949, -0.076832818800463956, 0.032632529626052814], "
     "velocity: [-0.42819192244816007, -0.16017659747390811, 0.24684906018566188], "
     "angular_velocity: [1.5258299827695989, -3.683989968048659, -3.9157558879450711]",
     0.13057142214582673, 0.65328585857559973},
};

std::string scene_of(const ThrownBeam& b) {
  return std::string("carom: 1\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n") +
         "  beam: {mass: 0.1, shapes: [{beam: {" + b.size + "}}], " + b.where +
         "}\ncontact: {method: rigid, restitution: " + testing::text_of(b.restitution) +
         ", mu_k: " + testing::text_of(b.mu) +
         "}\nrun: {until: 5, integrator: erk8, tolerance: 1e-8, output: {step: 0.1}}\n";
}

double depth_of(Simulation& simulation) {
  Workspace& w = simulation.workspace();
  w.has_kinematics = false;
  evaluate_kinematics(w, simulation.time(), simulation.state());
  double depth = 0.0;
  for (const ContactPair& pair : w.modes.contacts.pairs) {
    depth = std::max(depth, -find_contact(w, pair).phi);
  }
  return depth;
}

// Steps end every 10 ms: where they end decides by how much the one that comes down flat errs.
TEST(RigidBeam, ThatComesDownFlatStaysOnTheFloor) {
  constexpr double kSize = 0.03, kTurnedOver = 0.2;  // [m], [J]
  for (const ThrownBeam& beam : kBeams) {
    Simulation simulation(testing::model_of(scene_of(beam)));
    double last = simulation.ledger().stored(), rise = 0.0, depth = 0.0;
    for (int k = 1; k <= 500; ++k) {
      ASSERT_EQ(simulation.advance(0.01 * k), AdvanceStatus::reached) << simulation.failure();
      depth = std::max(depth, depth_of(simulation));
      const double now = simulation.ledger().stored();
      rise = std::max(rise, now - last), last = now;
    }
    EXPECT_LT(depth, 1e-12 * kSize) << beam.size;
    EXPECT_LT(rise, 100.0 * 1e-8 * kTurnedOver) << beam.size;
    EXPECT_EQ(simulation.verdict().grade(), Grade::sound) << beam.size;
  }
}

}  // namespace
}  // namespace carom
