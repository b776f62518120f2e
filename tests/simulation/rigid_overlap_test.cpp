// Rigid bodies that are in each other: a run in which they come to be so says it.
#include "carom/engine/contact/rigid/rigid_overlap.h"

#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/engine/evaluate.h"
#include "carom/simulation/simulation.h"
#include "rigid_scenes.h"

namespace carom {
namespace {

constexpr double kSide = 0.2, kFreeFall = 9.81;

std::string box_at_rest() {
  testing::Thrown box = testing::box_of({kSide, kSide, kSide});
  box.position = {0, 0, 0.5 * kSide};
  box.tolerance = 1e-8;
  return testing::scene_of(box);
}

const Finding* overlap_of(const Verdict& verdict) {
  const auto found = std::ranges::find(verdict.reasons, "overlap", &Finding::name);
  return found == verdict.reasons.end() ? nullptr : &*found;
}

/// A box on a floor that does not hold it any more: no point presses, and none is seen to meet.
void let_sink(Simulation& simulation) {
  for (RigidPoint& p : simulation.workspace().modes.contacts.rigid.points) {
    p.state = RigidState::open;
    p.lift = {1.0, simulation.time(), simulation.time() - 1.0};
  }
}

TEST(RigidOverlap, IsNoneOfABoxThatRests) {
  Simulation simulation(testing::model_of(box_at_rest()));
  ASSERT_EQ(simulation.advance(0.1), AdvanceStatus::reached);
  EXPECT_EQ(simulation.verdict().grade(), Grade::sound);
}

TEST(RigidOverlap, IsToldWithThePairTheTimeAndTheDepthOfTheFall) {
  struct Case {
    double sinks;  ///< [s]
    Grade grade;
  };
  // 4.9e-12 m are rounding, 49 nm and 1.2 mm are doubtful, 5 cm are a quarter of the box.
  for (const Case& c : {Case{1e-6, Grade::sound}, Case{1e-4, Grade::doubtful},
                        Case{0.0157, Grade::doubtful}, Case{0.1, Grade::broken}}) {
    Simulation simulation(testing::model_of(box_at_rest()));
    ASSERT_EQ(simulation.advance(0.1), AdvanceStatus::reached);
    let_sink(simulation);
    ASSERT_EQ(simulation.advance(0.1 + c.sinks), AdvanceStatus::reached);
    const Verdict verdict = simulation.verdict();
    EXPECT_EQ(verdict.grade(), c.grade) << c.sinks;
    const Finding* overlap = overlap_of(verdict);
    ASSERT_EQ(overlap != nullptr, c.grade != Grade::sound) << c.sinks;
    if (!overlap) continue;
    EXPECT_EQ(overlap->subject, "contact of 'floor' and 'body'");
    // The first stage of the first step still knows the force that held the box.
    EXPECT_NEAR(overlap->value, 0.5 * kFreeFall * c.sinks * c.sinks, 1e-3 * overlap->value);
    EXPECT_NEAR(overlap->limit, 1e-8 * kSide, 1e-18);  // the tolerance of the size
    const std::string when = "at t = " + rounded_text(0.1 + c.sinks) + " s";
    EXPECT_NE(overlap->text.find(when), std::string::npos) << overlap->text;
  }
}

/// A run that is saved and goes on elsewhere is judged from its start on.
TEST(RigidOverlap, IsRememberedWithTheRun) {
  const auto model = testing::model_of(box_at_rest());
  Simulation simulation(model);
  ASSERT_EQ(simulation.advance(0.1), AdvanceStatus::reached);
  let_sink(simulation);
  ASSERT_EQ(simulation.advance(0.2), AdvanceStatus::reached);
  Simulation other(model);
  other.restore(simulation.save());
  EXPECT_EQ(other.verdict().grade(), Grade::broken);
}

/// Steps may leave 5 % of the smaller body; what is deeper is doubtful, from a quarter on broken.
TEST(RigidOverlap, OfTimeStepsIsHeldAgainstTheSizeOfTheBody) {
  std::string scene = box_at_rest();
  scene.replace(scene.find("tolerance: "), 0, "integrator: time_stepping, step: 0.001, ");
  Simulation simulation(testing::model_of(scene));
  ASSERT_EQ(simulation.advance(0.1), AdvanceStatus::reached);
  EXPECT_EQ(simulation.verdict().grade(), Grade::sound);
  Workspace& w = simulation.workspace();
  ASSERT_EQ(w.modes.contacts.pairs.size(), 1u);
  ContactPair& pair = w.modes.contacts.pairs.front();
  std::vector<Finding>& told = w.contacts.rigid.overlaps;
  note_overlap(w, 0.1, pair, 0.049 * kSide);
  EXPECT_TRUE(told.empty());
  note_overlap(w, 0.1, pair, 0.051 * kSide);
  note_overlap(w, 0.1, pair, 0.26 * kSide);
  note_overlap(w, 0.1, pair, 0.25 * kSide);  // no news
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0].grade, Grade::doubtful);
  EXPECT_EQ(told[1].grade, Grade::broken);
  ASSERT_EQ(simulation.advance(0.11), AdvanceStatus::reached);
  EXPECT_EQ(simulation.verdict().grade(), Grade::broken);
}

/// Its lowest point runs round the rim at 160 rad/s: in a step of 0.45 ms it sinks by a little, and
/// what lifting it costs is more than the step loses.
TEST(RigidOverlap, OfAConeThatWhirlsDoesNotGrow) {
  Simulation simulation(testing::model_of(R"yaml(
carom: 1
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  cone: {mass: 0.14, shapes: [{cone: {radius: 0.0292, length: 0.03987}}], position: [0, 0, 0.0009], orientation: [0.697089, -0.096556, -0.700483, -0.118608], velocity: [0.01, -0.005, 0.04], angular_velocity: [3.68, 5.62, -0.3]}
contact: {method: rigid, restitution: 0.3, mu_k: 1.47}
run: {until: 8, integrator: time_stepping, step: 0.00045}
)yaml"));
  double before = simulation.ledger().stored();
  for (int k = 1; k <= 80; ++k) {
    ASSERT_EQ(simulation.advance(0.1 * k), AdvanceStatus::reached) << simulation.failure();
    const double stored = simulation.ledger().stored();
    EXPECT_LE(stored, before + 1e-12);
    before = stored;
  }
  EXPECT_FALSE(overlap_of(simulation.verdict())) << "it sank in by a seventh of its size";
  EXPECT_LT(simulation.ledger().kinetic, 1e-9) << "it lies flat";
}

}  // namespace
}  // namespace carom
