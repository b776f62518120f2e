// Sweeps through all regimes of contact: force and moment of a manifold must not jump.
//
// Each path is walked in small steps; where a step changes the resultant noticeably, it is
// halved towards the larger change until it is as short as rounding allows. A jump
// keeps its height, a continuous change does not.
#include <gtest/gtest.h>

#include <algorithm>

#include "manifold_scenes.h"

namespace carom {
namespace {

/// Resultant at x, divided by the depth (force) and by the depth times 0.1 m (moment about a
/// point of the bodies): all of order one.
struct State {
  double v[9];
};

State state_at(const Scene& s, double x) {
  const Placed p = s.place(x);
  const Manifold m = manifold_of(s.a, p.X_WA, s.b, p.X_WB);
  const Spring f = spring_of(m);
  const double k = 1.0 / s.depth, arm = 10.0;
  return {{k * f.force.x, k * f.force.y, k * f.force.z, arm * k * f.moment.x, arm * k * f.moment.y,
           arm * k * f.moment.z, arm * m.length, arm * m.width, arm * arm * m.area}};
}

double change(const State& a, const State& b) {
  double most = 0.0;
  for (int i = 0; i < 9; ++i) most = std::max(most, std::abs(a.v[i] - b.v[i]));
  return most;
}

/// What is left of the change between x0 and x1 when the step is halved to `shortest`.
double jump_between(const Scene& s, double x0, State a, double x1, State b, double shortest,
                    double& where) {
  while (x1 - x0 > shortest) {
    const double x = 0.5 * (x0 + x1);
    const State c = state_at(s, x);
    if (change(a, c) > change(c, b)) {
      x1 = x, b = c;
    } else {
      x0 = x, a = c;
    }
  }
  where = x0;
  return change(a, b);
}

class ManifoldSweep : public testing::TestWithParam<Scene> {};

TEST_P(ManifoldSweep, HasNoJumpInForceAndMoment) {
  const Scene& s = GetParam();
  constexpr int steps = 2000;
  // Tilts pass at 6e-3 rad per unit of x: at 1e-9 the weights, which change over 1e-4 rad,
  // change by 6e-8 and the gaps of points 0.2 m away by 1e-12 m, 6e-8 of the depth.
  const double shortest = 1e-9, allowed = 1e-5;
  State before = state_at(s, 0.0);
  double moved = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double x0 = static_cast<double>(i) / steps, x1 = static_cast<double>(i + 1) / steps;
    const State after = state_at(s, x1);
    moved += change(before, after);
    if (change(before, after) > 2e-3) {
      double where = 0.0;
      const double jump = jump_between(s, x0, before, x1, after, shortest, where);
      ASSERT_LE(jump, allowed) << "a jump at x = " << where;
    }
    before = after;
  }
  EXPECT_GT(moved, 5e-3) << "the path changes nothing";
}

INSTANTIATE_TEST_SUITE_P(, ManifoldSweep, testing::ValuesIn(scenes()), [](const auto& scene) {
  std::string name = scene.param.name;
  name.erase(std::remove(name.begin(), name.end(), '\''), name.end());
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

TEST(ManifoldOfABox, ChangesNoFasterThanItsTiltWindowAllows) {
  // Steps of 1e-6 rad: weights change by at most 2 / (pi tilt) per rad along any direction
  // (the chord of the window over its area), and there are two sides of a wedge.
  const Scene s = scenes().front();
  const double step = 1e-6, k = 1.0 / s.depth;
  const double weight_rate = 4.0 / (std::numbers::pi * kDefaultTilt);
  const double gap_rate = k * 0.2;  // gaps of points 0.2 m apart, in depths per rad
  const auto force = [&](double angle) {
    const double x = 0.3 + angle / 6e-3;
    const Placed p = s.place(x);
    return k * norm(spring_of(manifold_of(s.a, p.X_WA, s.b, p.X_WB)).force);
  };
  double before = force(-1e-3);
  for (int i = 1; i <= 2000; ++i) {
    const double after = force(-1e-3 + step * i);
    ASSERT_LE(std::abs(after - before), step * (weight_rate + gap_rate)) << "step " << i;
    before = after;
  }
}

}  // namespace

void PrintTo(const Scene& s, std::ostream* out);
void PrintTo(const Scene& s, std::ostream* out) { *out << s.name; }

}  // namespace carom
