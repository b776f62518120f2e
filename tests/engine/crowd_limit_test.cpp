// Steps of crowds: long enough for a few bodies to cross the scene at once, short enough that many
// do not sweep each other.
#include <gtest/gtest.h>

#include <string>

#include "carom/engine/contact/contact_search.h"
#include "carom/engine/stepper.h"
#include "carom/scene/read/read.h"

namespace carom {
namespace {

/// Balls of radius 0.01 m that fall at 3 m/s, `across`³ of them at distances of 0.025 m.
class Crowd {
 public:
  explicit Crowd(int across) {
    std::string text = "carom: 1\nbodies:\n";
    for (int i = 0; i < across * across * across; ++i) {
      const int place[] = {i % across, i / across % across, i / across / across};
      text += "  b" + std::to_string(i) + ": {material: steel, velocity: [0, 0, -3], position: [";
      for (const int k : place) text += std::to_string(0.025 * k) + (&k == &place[2] ? "" : ", ");
      text += "], shapes: [{sphere: {radius: 0.01}}]}\n";
    }
    Diagnostics diagnostics;
    model_ = compile(read_scene_text(text), diagnostics);
    w = std::make_unique<Workspace>(model_);
    stepper = std::make_unique<Stepper>(*w);
    x = model_->initial;
    stepper->start(0.0, x);
    stepper->begin(0.0, x);
  }

  /// Pairs that are watched after all have fallen for h [s].
  std::size_t pairs_after(double h) {
    std::vector<double> end = x;
    const std::size_t bodies = model_->tree.links.size() - 1;
    for (std::size_t i = 0; i < bodies; ++i) {
      end[7 * i + 6] -= h * (3.0 + 0.5 * 9.81 * h);
      end[7 * bodies + 6 * i + 5] -= 9.81 * h;
    }
    stepper->end_step(h, end, h);
    return w->modes.contacts.pairs.size();
  }

  std::unique_ptr<Workspace> w;
  std::unique_ptr<Stepper> stepper;
  std::vector<double> x;

 private:
  std::shared_ptr<const Model> model_;
};

TEST(CrowdLimit, LeavesTheStepsOfAFewBodiesAlone) {
  EXPECT_EQ(kInf, Crowd(6).stepper->longest_step());
}

TEST(CrowdLimit, LetsNoneOfManyMoveByMoreThanHalfItsRadius) {
  const double h = Crowd(7).stepper->longest_step();
  EXPECT_NEAR(0.5 * 0.01, 3.0 * h + 0.5 * 9.81 * h * h, 1e-15);
}

TEST(CrowdLimit, KeepsThePairsThatAStepSweepsToNeighbours) {
  Crowd crowd(10);
  // A ball of a cubic grid has 26 neighbours, which makes 13 pairs for each.
  EXPECT_LE(crowd.pairs_after(crowd.stepper->longest_step()), 13u * 1000u);
  EXPECT_GT(Crowd(10).pairs_after(0.3), 100u * 1000u) << "a step that the limit is there to forbid";
}

}  // namespace
}  // namespace carom
