// DART 6.12.1 in the scenes with contact. Its recommended solver; the iterative one (PGS) is
// less accurate in all of them.
//
//   bench_peer_dart SCENE
#include "../../common/cradle.h"
#include "../../common/gripper.h"
#include "../../common/hard_bounce.h"
#include "../../common/spheres.h"
#include "../../common/stacks.h"
#include "../s4.h"
#include "world.h"

namespace carom::bench {
namespace {

const std::string kEngine = "DART 6.12.1";
using dart::dynamics::BoxShape;
using dart::dynamics::SphereShape;

void hard_bounce(double step, double e) {
  using S = HardBounce;
  World w(step, S::gravity);
  w.add_fixed(std::make_shared<BoxShape>(Vector3d(10, 10, 1)), Vector3d(0, 0, -0.5), 0, 1);
  const BodyNode* ball =
      w.add_free(std::make_shared<SphereShape>(S::radius), S::mass(),
                 Vector3d::Constant(S::inertia()), Vector3d(0, 0, S::fall + S::radius), 0, e);
  BounceWatch watch;
  Stopwatch clock;
  const long steps = std::lround(S::duration / step);
  clock.start();
  for (long i = 0; i < steps; ++i) {
    w.step();
    watch.feed(ball->getWorldTransform().translation()[2] - S::radius,
               ball->getLinearVelocity()[2]);
  }
  clock.stop();
  Row row{setting_of(step), clock.seconds(), 0.0, steps, {}};
  watch.report(row, e);
  print_row(e < 1.0 ? "s1_hard_bounce/restitution" : "s1_hard_bounce/elastic", kEngine, row);
}

void s1() {
  for (const double e : {1.0, 0.7}) {
    for (const double step : {1e-3, 1e-4}) hard_bounce(step, e);
  }
}

void s2() {
  using S = Spheres;
  const double step = 1e-3;
  World w(step, S::gravity);
  const auto wall = std::make_shared<BoxShape>(Vector3d(6, 6, 6));
  for (const Vector3d& at : {Vector3d(0, 0, -3), Vector3d(4, 0, 0), Vector3d(-4, 0, 0),
                             Vector3d(0, 4, 0), Vector3d(0, -4, 0)}) {
    w.add_fixed(wall, at, S::friction, 0);
  }
  const auto shape = std::make_shared<SphereShape>(S::radius);
  std::vector<BodyNode*> balls;
  for (const Point& p : S::start(1000)) {
    balls.push_back(w.add_free(shape, S::mass(), Vector3d::Constant(S::inertia()),
                               Vector3d(p.x, p.y, p.z), S::friction, 0));
  }
  const Row row = run_spheres(
      setting_of(step), step, [&] { w.step(); },
      [&] {
        std::vector<Point> points;
        for (const BodyNode* ball : balls) {
          const Vector3d p = ball->getWorldTransform().translation();
          points.push_back({p[0], p[1], p[2]});
        }
        return points;
      });
  print_row("s2_spheres", kEngine, row);
}

void s3() {
  using S = Stacks;
  const double step = 1e-3;
  for (const double lean : S::leans) {
    World w(step, S::gravity);
    w.add_fixed(std::make_shared<BoxShape>(Vector3d(10, 10, 1)), Vector3d(0, 0, -0.5), S::friction,
                0);
    const auto shape = std::make_shared<BoxShape>(Vector3d::Constant(S::edge));
    std::vector<BodyNode*> bodies;
    for (int i = 0; i < S::cubes; ++i) {
      bodies.push_back(w.add_free(shape, S::mass, Vector3d::Constant(S::inertia),
                                  Vector3d(S::x(i, lean), 0, S::z(i)), S::friction, 0));
    }
    const Row row = run_stack(
        setting_of(step), lean, step, [&] { w.step(); },
        [&] {
          std::vector<CubeAt> cubes;
          for (const BodyNode* body : bodies) {
            const Eigen::Isometry3d& X = body->getWorldTransform();
            cubes.push_back(
                {X.translation()[0], X.translation()[1], X.translation()[2], X.linear()(2, 2)});
          }
          return cubes;
        });
    print_row(stack_scene(lean), kEngine, row);
  }
}

void s5() {
  using S = Gripper;
  const double step = 1e-3;  // DART's own
  World w(step, S::gravity);
  const BodyNode* cube =
      w.add_free(std::make_shared<BoxShape>(Vector3d::Constant(S::edge)), S::mass,
                 Vector3d::Constant(S::inertia), Vector3d::Zero(), S::friction, 0);
  const auto shape =
      std::make_shared<BoxShape>(Vector3d(S::plate_thickness, S::plate_width, S::plate_width));
  const SkeletonPtr left =
      w.add_slider(shape, S::plate_mass, Vector3d(-S::plate_x, 0, 0), S::friction);
  const SkeletonPtr right =
      w.add_slider(shape, S::plate_mass, Vector3d(S::plate_x, 0, 0), S::friction);
  const Row row = run_gripper(
      setting_of(step), step,
      [&] {
        left->setForce(0, S::force);
        right->setForce(0, -S::force);
        w.step();
      },
      [&](SlipWatch& watch, double t) {
        const Eigen::Isometry3d& X = cube->getWorldTransform();
        watch.feed(t, X.translation()[2], X.linear()(2, 2));
      });
  print_row("s5_gripper", kEngine, row);
}

void cradle(double gap, double step) {
  using S = Cradle;
  const Row row = median_of(3, [&] {
    World w(step, 0.0);
    const auto shape = std::make_shared<SphereShape>(S::radius);
    std::vector<BodyNode*> balls;
    for (int i = 0; i < S::balls; ++i) {
      balls.push_back(w.add_free(shape, S::mass, Vector3d::Constant(S::inertia),
                                 Vector3d(S::x(i, gap), 0, 0), 0, 1));
    }
    balls[0]->getSkeleton()->setVelocity(3, 1.0);
    return run_cradle(
        setting_of(step), gap, step, [&] { w.step(); },
        [&] {
          std::array<double, 5> v{};
          for (std::size_t i = 0; i < v.size(); ++i) v[i] = balls[i]->getLinearVelocity()[0];
          return v;
        });
  });
  print_row(cradle_scene(gap), kEngine, row);
}

void s6() {
  for (const double gap : Cradle::gaps) {
    for (const double step : {1e-3, 1e-4}) cradle(gap, step);
  }
}

}  // namespace
}  // namespace carom::bench

int main(int count, char** words) {
  using namespace carom::bench;
  return run_named(count, words,
                   {{"s1_hard_bounce", s1},
                    {"s2_spheres", s2},
                    {"s3_stacks", s3},
                    {"s4_meshes", s4},
                    {"s5_gripper", s5},
                    {"s6_cradle", s6}});
}
