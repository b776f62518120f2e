// Sweeps through all regimes of contact: force and moment of a manifold must not jump.
//
// Each path is walked in small steps; where a step changes the resultant noticeably, it is
// halved towards the larger change until it is as short as rounding allows. A jump
// keeps its height, a continuous change does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "carom/proximity/convex/support_feature.h"
#include "geometry/example_shapes.h"
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

/// What is left of the change between x0 and x1 when the step is halved to `shortest`. The
/// step that is left comes back in x0, x1.
double jump_between(const Scene& s, double& x0, State a, double& x1, State b, double shortest) {
  while (x1 - x0 > shortest) {
    const double x = 0.5 * (x0 + x1);
    const State c = state_at(s, x);
    if (change(a, c) > change(c, b)) {
      x1 = x, b = c;
    } else {
      x0 = x, a = c;
    }
  }
  return change(a, b);
}

class ManifoldSweep : public ::testing::TestWithParam<Scene> {};

TEST_P(ManifoldSweep, HasNoJumpInForceAndMoment) {
  const Scene& s = GetParam();
  constexpr int steps = 2000;
  // Tilts pass at 6e-3 rad per unit of x: at 1e-9 the weights, which change over 1e-4 rad,
  // change by 6e-8 and the gaps of points 0.2 m away by 1e-12 m, 6e-8 of the depth.
  const double shortest = 1e-9, allowed = 1e-5;
  State before = state_at(s, 0.0);
  double moved = 0.0;
  for (int i = 0; i < steps; ++i) {
    double x0 = static_cast<double>(i) / steps, x1 = static_cast<double>(i + 1) / steps;
    const State after = state_at(s, x1);
    moved += change(before, after);
    if (change(before, after) > 2e-3) {
      const double jump = jump_between(s, x0, before, x1, after, shortest);
      ASSERT_LE(jump, allowed) << "a jump at x = " << x0;
    }
    before = after;
  }
  EXPECT_GT(moved, 5e-3) << "the path changes nothing";
}

INSTANTIATE_TEST_SUITE_P(, ManifoldSweep, ::testing::ValuesIn(scenes()), [](const auto& scene) {
  std::string name = scene.param.name;
  name.erase(std::remove(name.begin(), name.end(), '\''), name.end());
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

/// A direction out of the shape along which it is flat, straight, or just any.
Vec3 contact_direction(const Shape& s, std::mt19937& gen) {
  if (!bounded(s)) return {0, 0, 1};
  const Vec3 d = random_direction(gen);
  SupportFeature f;
  const Pose here;
  find_support_feature(s.core, here, d, f);
  const auto kind = gen() % 4;
  if (kind < 2 && f.face.kind != SupportFace::none) return f.face.normal;
  if (kind < 3 && f.line.exists) {
    const Vec3 e = normalized(f.line.q - f.line.p);
    return normalized(d - dot(d, e) * e);
  }
  return d;
}

/// Two shapes of the catalogue with features facing each other, moving and turning a little.
Scene random_scene(const NamedShape& a, const NamedShape& b, std::mt19937& gen) {
  std::uniform_real_distribution<double> part(0.0, 1.0);
  const Vec3 da = contact_direction(a.shape, gen), db = contact_direction(b.shape, gen);
  const Vec3 axis = cross(db, -da);
  Mat3 R;
  if (norm(axis) > 1e-12) R = axis_angle(normalized(axis), std::atan2(norm(axis), -dot(db, da)));
  if (norm(axis) <= 1e-12 && dot(db, da) > 0)
    R = axis_angle(any_perpendicular(db), std::numbers::pi);
  R = axis_angle(da, 6.28 * part(gen)) * R;
  const double r = std::min(bounding_radius(a.shape), bounding_radius(b.shape));
  const auto lateral = [&] {
    const Vec3 v = random_direction(gen);
    return v - dot(v, da) * da;
  };
  const Vec3 pa = bounded(a.shape) ? support(a.shape, da) : Vec3{};
  const Vec3 pb = bounded(b.shape) ? R * support(b.shape, db) : Vec3{};
  const Vec3 start = pa - pb + 0.5 * r * part(gen) * lateral();
  const Vec3 shift = gen() % 2 ? 0.4 * r * lateral() : Vec3{};
  const Vec3 turn = std::pow(10.0, -2.0 - 2.5 * part(gen)) * random_direction(gen);
  const double flat_at = part(gen);
  return {a.name + " on " + b.name, a.shape, b.shape, [=](double x) {
            const Vec3 w = (x - flat_at) * turn;
            const Mat3 turned = norm(w) > 0.0 ? axis_angle(normalized(w), norm(w)) : Mat3{};
            return Pose{turned * R, start + (x - flat_at) * shift};
          }};
}

TEST(ManifoldOfRandomPairs, HasNoJumpWhereTheNormalHasNone) {
  // Rounded shapes only: the normal of two sharp ones in overlap jumps by itself.
  std::vector<NamedShape> shapes;
  for (NamedShape& s : example_shapes()) {
    if (s.shape.core.rounding >= 2e-4 || !bounded(s.shape)) shapes.push_back(std::move(s));
  }
  std::mt19937 gen(77);
  int changing = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const NamedShape &a = shapes[gen() % shapes.size()], &b = shapes[gen() % shapes.size()];
    if (!bounded(a.shape) && !bounded(b.shape)) continue;
    const Scene s = random_scene(a, b, gen);
    constexpr int steps = 100;
    State before = state_at(s, 0.0);
    for (int i = 0; i < steps; ++i) {
      double x0 = static_cast<double>(i) / steps, x1 = static_cast<double>(i + 1) / steps;
      const State after = state_at(s, x1);
      if (change(before, after) > 0.01) {
        ++changing;
        const double jump = jump_between(s, x0, before, x1, after, 1e-10);
        const Placed p = s.place(x0), q = s.place(x1);
        const Vec3 n_p = distance(s.a.core, p.X_WA, s.b.core, p.X_WB).n_AB_W;
        const Vec3 n_q = distance(s.a.core, q.X_WA, s.b.core, q.X_WB).n_AB_W;
        if (norm(n_p - n_q) > 1e-6) break;  // the path is through a deep overlap
        // 1e-10 of a turn of 1e-2 rad and a shift of 0.1 m: 1e-6 of the depth at most.
        EXPECT_LE(jump, 1e-3) << s.name << ", trial " << trial << ", at x = " << x0;
      }
      before = after;
    }
  }
  EXPECT_GT(changing, 1000);
}

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
