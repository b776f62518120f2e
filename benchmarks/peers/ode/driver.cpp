// ODE 0.16.2 (double precision) in the scenes with contact, under both of its solvers.
//
//   bench_peer_ode SCENE
#include "../../common/cradle.h"
#include "../../common/gripper.h"
#include "../../common/hard_bounce.h"
#include "../../common/spheres.h"
#include "../../common/stacks.h"
#include "../s4.h"
#include "world.h"

namespace carom::bench {
namespace {

const std::string kEngine = "ODE 0.16.2";

void hard_bounce(double step, double e) {
  using S = HardBounce;
  Options o;
  o.step = step;
  o.restitution = e;
  World w(o);
  dCreatePlane(w.space, 0, 0, 1, 0);
  const double I = S::inertia();
  const dBodyID ball =
      w.add(S::mass(), I, I, I, 0, 0, S::fall + S::radius, dCreateSphere(w.space, S::radius));
  BounceWatch watch;
  Stopwatch clock;
  const long steps = std::lround(S::duration / o.step);
  clock.start();
  for (long i = 0; i < steps; ++i) {
    w.step();
    watch.feed(dBodyGetPosition(ball)[2] - S::radius, dBodyGetLinearVel(ball)[2]);
  }
  clock.stop();
  Row row{setting_of(o), clock.seconds(), 0.0, steps, {}};
  watch.report(row, e);
  print_row(e < 1.0 ? "s1_hard_bounce/restitution" : "s1_hard_bounce/elastic", kEngine, row);
}

void s1() {
  for (const double e : {1.0, 0.7}) {
    for (const double step : {1e-3, 1e-4, 1e-5}) hard_bounce(step, e);
  }
}

void spheres(Options o) {
  using S = Spheres;
  o.friction = S::friction;
  World w(o, true);
  dCreatePlane(w.space, 0, 0, 1, 0);
  for (const double side : {-1.0, 1.0}) {
    dCreatePlane(w.space, side, 0, 0, -S::half);
    dCreatePlane(w.space, 0, side, 0, -S::half);
  }
  const double I = S::inertia();
  std::vector<dBodyID> balls;
  for (const Point& p : S::start(1000)) {
    balls.push_back(w.add(S::mass(), I, I, I, p.x, p.y, p.z, dCreateSphere(w.space, S::radius)));
  }
  const Row row = run_spheres(
      setting_of(o), o.step, [&] { w.step(); },
      [&] {
        std::vector<Point> points;
        for (const dBodyID ball : balls) {
          const dReal* p = dBodyGetPosition(ball);
          points.push_back({p[0], p[1], p[2]});
        }
        return points;
      });
  print_row("s2_spheres", kEngine, row);
}

void s2() {
  for (const double step : {2e-3, 5e-4}) {
    Options o;
    o.step = step;
    o.iterations = 20;
    spheres(o);
  }
}

void stack(double lean, Options o) {
  using S = Stacks;
  o.friction = S::friction;
  World w(o);
  dCreatePlane(w.space, 0, 0, 1, 0);
  std::vector<dBodyID> bodies;
  for (int i = 0; i < S::cubes; ++i) {
    bodies.push_back(w.add(S::mass, S::inertia, S::inertia, S::inertia, S::x(i, lean), 0, S::z(i),
                           dCreateBox(w.space, S::edge, S::edge, S::edge)));
  }
  const Row row = run_stack(
      setting_of(o), lean, o.step, [&] { w.step(); },
      [&] {
        std::vector<CubeAt> cubes;
        for (const dBodyID body : bodies) {
          const dReal* p = dBodyGetPosition(body);
          cubes.push_back({p[0], p[1], p[2], dBodyGetRotation(body)[10]});
        }
        return cubes;
      });
  print_row(stack_scene(lean), kEngine, row);
}

void s3() {
  for (const double lean : Stacks::leans) {
    Options o;
    stack(lean, o);
    o.step = 1e-3;
    stack(lean, o);
    o.iterations = 50;
    stack(lean, o);
  }
}

dBodyID add_box(World& w, double mass, double x, double y, double z, double at_x) {
  return w.add(mass, mass / 12 * (y * y + z * z), mass / 12 * (x * x + z * z),
               mass / 12 * (x * x + y * y), at_x, 0, 0, dCreateBox(w.space, x, y, z));
}

void gripper(Options o) {
  using S = Gripper;
  o.friction = S::friction;
  World w(o);
  const dBodyID cube = add_box(w, S::mass, S::edge, S::edge, S::edge, 0);
  dBodyID plates[2] = {};
  for (int i = 0; i < 2; ++i) {
    plates[i] = add_box(w, S::plate_mass, S::plate_thickness, S::plate_width, S::plate_width,
                        i == 0 ? -S::plate_x : S::plate_x);
    const dJointID slider = dJointCreateSlider(w.world, nullptr);
    dJointAttach(slider, plates[i], nullptr);
    dJointSetSliderAxis(slider, 1, 0, 0);
    dBodySetGravityMode(plates[i], 0);
  }
  const Row row = run_gripper(
      setting_of(o), o.step,
      [&] {
        dBodyAddForce(plates[0], S::force, 0, 0);
        dBodyAddForce(plates[1], -S::force, 0, 0);
        w.step();
      },
      [&](SlipWatch& watch, double t) {
        watch.feed(t, dBodyGetPosition(cube)[2], dBodyGetRotation(cube)[10]);
      });
  print_row("s5_gripper", kEngine, row);
}

void s5() {
  for (const double step : {5e-3, 1e-3}) {
    Options o;
    o.step = step;
    gripper(o);
    o.iterations = 50;
    gripper(o);
  }
}

void cradle(double gap, Options o) {
  using S = Cradle;
  o.restitution = 1.0;
  o.gravity = 0.0;
  const Row row = median_of(3, [&] {
    World w(o);
    std::vector<dBodyID> balls;
    for (int i = 0; i < S::balls; ++i) {
      balls.push_back(w.add(S::mass, S::inertia, S::inertia, S::inertia, S::x(i, gap), 0, 0,
                            dCreateSphere(w.space, S::radius)));
    }
    dBodySetLinearVel(balls[0], 1, 0, 0);
    return run_cradle(
        setting_of(o), gap, o.step, [&] { w.step(); },
        [&] {
          std::array<double, 5> v{};
          for (std::size_t i = 0; i < v.size(); ++i) v[i] = dBodyGetLinearVel(balls[i])[0];
          return v;
        });
  });
  print_row(cradle_scene(gap), kEngine, row);
}

void s6() {
  for (const double gap : Cradle::gaps) {
    Options o;
    o.step = 1e-3;
    cradle(gap, o);
    o.iterations = 50;
    cradle(gap, o);
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
