// Bullet 3.24 (double precision) in the scenes with contact: its default solver at its default
// step, and with smaller steps and more iterations.
//
//   bench_peer_bullet SCENE
#include "../../common/cradle.h"
#include "../../common/ellipsoid.h"
#include "../../common/gripper.h"
#include "../../common/hard_bounce.h"
#include "../../common/spheres.h"
#include "../../common/stacks.h"
#include "../s4.h"
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

/// Walls are thick boxes: infinite planes would pair with every sphere.
void spheres(const Options& o) {
  using S = Spheres;
  World w(o);
  const btVector3 zero(0, 0, 0);
  btCollisionShape* wall = w.shape<btBoxShape>(btVector3(3, 3, 3));
  for (const btVector3& at : {btVector3(0, 0, -3), btVector3(4, 0, 0), btVector3(-4, 0, 0),
                              btVector3(0, 4, 0), btVector3(0, -4, 0)}) {
    w.add(wall, 0, zero, at, S::friction, 0);
  }
  btCollisionShape* shape = w.shape<btSphereShape>(S::radius);
  std::vector<btRigidBody*> balls;
  for (const Point& p : S::start(1000)) {
    balls.push_back(w.add(shape, S::mass(), btVector3(1, 1, 1) * S::inertia(),
                          btVector3(p.x, p.y, p.z), S::friction, 0));
  }
  const Row row = run_spheres(
      setting_of(o), o.step, [&] { w.step(); },
      [&] {
        std::vector<Point> points;
        for (const btRigidBody* ball : balls) {
          const btVector3& p = ball->getWorldTransform().getOrigin();
          points.push_back({p.x(), p.y(), p.z()});
        }
        return points;
      });
  print_row("s2_spheres", kEngine, row);
}

void s2() {
  for (const double step : {1.0 / 240.0, 5e-4}) {
    Options o;
    o.step = step;
    spheres(o);
  }
}

void stack(double lean, const Options& o) {
  using S = Stacks;
  World w(o);
  const btVector3 zero(0, 0, 0);
  w.add(w.shape<btStaticPlaneShape>(btVector3(0, 0, 1), 0), 0, zero, zero, S::friction, 0);
  btCollisionShape* shape = w.shape<btBoxShape>(btVector3(S::edge, S::edge, S::edge) / 2);
  std::vector<btRigidBody*> bodies;
  for (int i = 0; i < S::cubes; ++i) {
    bodies.push_back(w.add(shape, S::mass, btVector3(S::inertia, S::inertia, S::inertia),
                           btVector3(S::x(i, lean), 0, S::z(i)), S::friction, 0));
  }
  const Row row = run_stack(
      setting_of(o), lean, o.step, [&] { w.step(); },
      [&] {
        std::vector<CubeAt> cubes;
        for (const btRigidBody* body : bodies) {
          const btTransform& X = body->getWorldTransform();
          cubes.push_back(
              {X.getOrigin().x(), X.getOrigin().y(), X.getOrigin().z(), X.getBasis()[2][2]});
        }
        return cubes;
      });
  print_row(stack_scene(lean), kEngine, row);
}

void s3() {
  for (const double lean : Stacks::leans) {
    for (const Options& o : {Options{1.0 / 240.0, 10}, Options{1e-3, 50}}) stack(lean, o);
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

/// The ellipsoid as a hull of 3200 points: Bullet has no ellipsoid of its own.
void egg(const Options& o) {
  using S = Egg;
  World w(o);
  const btVector3 zero(0, 0, 0);
  w.add(w.shape<btStaticPlaneShape>(btVector3(0, 0, 1), 0), 0, zero, zero, 1, 0);
  auto* hull = w.shape<btConvexHullShape>();
  const double pi = 3.14159265358979323846;
  for (int i = 0; i <= 40; ++i) {
    for (int j = 0; j < 80; ++j) {
      const double t = pi * i / 40, p = 2 * pi * j / 80;
      hull->addPoint(btVector3(S::a * std::sin(t) * std::cos(p), S::b * std::sin(t) * std::sin(p),
                               S::c * std::cos(t)),
                     false);
    }
  }
  hull->recalcLocalAabb();
  hull->setMargin(0.0);
  const auto I = S::inertia();
  // Bullet multiplies frictions, and `add` takes roots: 1 and the square of what is wanted.
  btRigidBody* body = w.add(hull, S::mass(), btVector3(I[0], I[1], I[2]),
                            btVector3(0, 0, S::height), S::friction * S::friction, 0);
  btTransform X = body->getWorldTransform();
  X.setRotation(btQuaternion(btVector3(1, 0, 0), S::tilt));
  body->setWorldTransform(X);
  body->setAngularVelocity(btVector3(0, 0, S::spin));
  body->setFlags(body->getFlags() | BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
  const Row row = run_egg(
      setting_of(o), o.step, [&] { w.step(); },
      [&](RiseWatch& watch) {
        const btTransform& now = body->getWorldTransform();
        const btVector3 spin = now.getBasis().transpose() * body->getAngularVelocity();
        watch.feed(now.getOrigin().z(),
                   S::energy({spin.x(), spin.y(), spin.z()}, body->getLinearVelocity().length(),
                             now.getOrigin().z()));
      });
  print_row("s7_ellipsoid", kEngine, row);
}

void s7() {
  for (const Options& o : {Options{1.0 / 240.0, 10}, Options{1e-3, 50}}) egg(o);
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
                    {"s6_cradle", s6},
                    {"s7_ellipsoid", s7}});
}
