// Bodies that roll without slip go on rolling under implicit steps of a millisecond: the patch goes
// along with the body, and friction has the radius as its lever.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "contact_runs.h"

namespace carom {
namespace {

using namespace testing;

struct Rolling {
  std::string ground, shape, contact;
};

/// Speed over that at the start after 0.4 s, in which a ball of 30 mm turns twice, and its slip.
struct Left {
  double speed = 0.0, slip = 0.0;
};

Left roll(const Rolling& rolling) {
  const RunResult r = run_text(R"(
carom: 1
name: rolling
bodies:
  floor: {fixed: true, material: steel, shapes: [)" +
                               rolling.ground + R"(]}
  round: {material: steel, shapes: [)" +
                               rolling.shape + R"(], position: [0, 0, 0.03],
          velocity: [1, 0, 0], angular_velocity: [0, 33.333333333333336, 0]}
contact: {restitution: 1, mu_k: 0.3, resistance: none)" +
                               rolling.contact + R"(}
run: {integrator: implicit_contact, step: 1e-3, until: 0.4}
)");
  EXPECT_EQ(r.status, RunStatus::completed) << r.reason;
  const auto& state = body(r, "round");
  return {state.velocity.x, state.velocity.x - 0.03 * state.angular_velocity.y};
}

const std::string kPlane = "{half_space: {}}",
                  kTable = "{box: {size: [4, 4, 0.1]}, at: [0, 0, -0.05]}",
                  kBall = "{sphere: {radius: 0.03}}",
                  kRoller = "{cylinder: {radius: 0.03, length: 0.08}, axis: y}";

// Springs were laid where the surfaces are moved together by what the step may bring, and friction
// acted a millimetre above the plane: the ball slipped by 3 % of its speed.
TEST(ImplicitRolling, OfPointsKeepsItsSpeed) {
  for (const std::string& ground : {kPlane, kTable}) {
    for (const std::string& shape : {kBall, kRoller}) {
      const Left left = roll({ground, shape, ""});
      EXPECT_NEAR(left.speed, 1.0, 1e-4) << ground << shape;
      EXPECT_NEAR(left.slip, 0.0, 1e-4) << ground << shape;
    }
  }
}

// The patch of a millionth of a metre's depth is passed within a quarter of a step. Its springs
// braked the ball to a third of its speed.
TEST(ImplicitRolling, OfAreasKeepsItsSpeed) {
  for (const std::string& ground : {kPlane, kTable}) {
    for (const std::string& shape : {kBall, kRoller}) {
      const Left left = roll({ground, shape, ", area: {pressure: foundation, layer: 1e-3}"});
      EXPECT_NEAR(left.speed, 1.0, 2e-4) << ground << shape;
      EXPECT_NEAR(left.slip, 0.0, 1e-3) << ground << shape;
    }
  }
}

/// A face is not round: its springs hold a block up on the slope that would tip it a little later.
TEST(ImplicitRolling, FacesStillResistATilt) {
  for (const double slope : {0.95, 1.05}) {  // of what tips a block four times as high as wide
    const double a = std::atan(0.25 * slope), s = 9.81 * std::sin(a), c = 9.81 * std::cos(a);
    const RunResult r = run_text(R"(
carom: 1
name: on a slope
gravity: [)" + std::to_string(s) +
                                 ", 0, " + std::to_string(-c) + R"(]
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  block: {material: steel, shapes: [{box: {size: [0.05, 0.05, 0.2]}}], position: [0, 0, 0.1]}
contact: {restitution: 0, mu_k: 0.8, friction: lugre, area: {pressure: foundation, layer: 1e-3}}
run: {integrator: implicit_contact, step: 1e-3, until: 1}
)");
    const double turned = std::abs(body(r, "block").position.x);
    if (slope < 1.0)
      EXPECT_LT(turned, 1e-4);
    else
      EXPECT_GT(turned, 0.01);
  }
}

}  // namespace
}  // namespace carom
