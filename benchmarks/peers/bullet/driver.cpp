// Bullet 3.24 (double precision) in the scenes with contact: its default solver at its default
// step, and with smaller steps and more iterations.
//
//   bench_peer_bullet SCENE
#include "../../common/cradle.h"
#include "../../common/gripper.h"
#include "../../common/hard_bounce.h"
#include "world.h"

namespace carom::bench {
namespace {

const std::string kEngine = "Bullet 3.24 double";

void hard_bounce(const Options& o, double e) {
  using S = HardBounce;
  World w(o);
  const btVector3 zero(0, 0, 0);
  w.add(w.shape<btStaticPlaneShape>(btVector3(0, 0, 1), 0), 0, zero, zero, 0, 1);
  const double I = S::inertia();
  btRigidBody* ball = w.add(w.shape<btSphereShape>(S::radius), S::mass(), btVector3(I, I, I),
                            btVector3(0, 0, S::fall + S::radius), 0, e);
  BounceWatch watch;
  Stopwatch clock;
  const long steps = std::lround(S::duration / o.step);
  clock.start();
  for (long i = 0; i < steps; ++i) {
    w.step();
    watch.feed(ball->getWorldTransform().getOrigin().z() - S::radius,
               ball->getLinearVelocity().z());
  }
  clock.stop();
  Row row{setting_of(o), clock.seconds(), 0.0, steps, {}};
  watch.report(row, e);
  print_row(e < 1.0 ? "s1_hard_bounce/restitution" : "s1_hard_bounce/elastic", kEngine, row);
}

void s1() {
  for (const double e : {1.0, 0.7}) {
    for (const double step : {1.0 / 240.0, 1e-3, 1e-4}) {
      Options o;
      o.step = step;
      hard_bounce(o, e);
    }
  }
}

void gripper(const Options& o) {
  using S = Gripper;
  World w(o);
  const double I = S::inertia, t = S::plate_thickness / 2, half = S::plate_width / 2;
  btRigidBody* cube = w.add(w.shape<btBoxShape>(btVector3(S::edge, S::edge, S::edge) / 2), S::mass,
                            btVector3(I, I, I), btVector3(0, 0, 0), S::friction, 0);
  btRigidBody* plates[2] = {};
  for (int i = 0; i < 2; ++i) {
    plates[i] =
        w.add(w.shape<btBoxShape>(btVector3(t, half, half)), S::plate_mass, btVector3(1, 1, 1),
              btVector3(i == 0 ? -S::plate_x : S::plate_x, 0, 0), S::friction, 0);
    plates[i]->setLinearFactor(btVector3(1, 0, 0));  // a slider along x
    plates[i]->setAngularFactor(btVector3(0, 0, 0));
    plates[i]->setGravity(btVector3(0, 0, 0));
  }
  const Row row = run_gripper(
      setting_of(o), o.step,
      [&] {
        plates[0]->applyCentralForce(btVector3(S::force, 0, 0));
        plates[1]->applyCentralForce(btVector3(-S::force, 0, 0));
        w.step();
      },
      [&](SlipWatch& watch, double time) {
        const btTransform& X = cube->getWorldTransform();
        watch.feed(time, X.getOrigin().z(), X.getBasis()[2][2]);
      });
  print_row("s5_gripper", kEngine, row);
}

void s5() {
  for (const Options& o : {Options{1.0 / 240.0, 10}, Options{1e-3, 50}}) gripper(o);
}

void cradle(double gap, double step) {
  using S = Cradle;
  Options o;
  o.step = step;
  o.gravity = 0.0;
  const Row row = median_of(3, [&] {
    World w(o);
    std::vector<btRigidBody*> balls;
    for (int i = 0; i < S::balls; ++i) {
      balls.push_back(w.add(w.shape<btSphereShape>(S::radius), S::mass,
                            btVector3(S::inertia, S::inertia, S::inertia),
                            btVector3(S::x(i, gap), 0, 0), 0, 1));
    }
    balls[0]->setLinearVelocity(btVector3(1, 0, 0));
    return run_cradle(
        setting_of(o), gap, step, [&] { w.step(); },
        [&] {
          std::array<double, 5> v{};
          for (std::size_t i = 0; i < v.size(); ++i) v[i] = balls[i]->getLinearVelocity().x();
          return v;
        });
  });
  print_row(cradle_scene(gap), kEngine, row);
}

void s6() {
  for (const double gap : Cradle::gaps) {
    for (const double step : {1.0 / 240.0, 1e-3}) cradle(gap, step);
  }
}

}  // namespace
}  // namespace carom::bench

int main(int count, char** words) {
  using namespace carom::bench;
  const std::string scene = count > 1 ? words[1] : "";
  if (scene == "s1_hard_bounce") s1();
  if (scene == "s5_gripper") s5();
  if (scene == "s6_cradle") s6();
}
