// MuJoCo in the scenes with contact, with its default contact and with the settings that its
// documentation recommends for each purpose.
//
//   bench_peer_mujoco SCENE
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

void hard_bounce(Options o, double e) {
  using S = HardBounce;
  std::ostringstream bodies;
  bodies.precision(17);
  bodies << "<geom type='plane' size='5 5 1'/><body pos='0 0 " << S::fall + S::radius
         << "'><joint type='slide' axis='0 0 1'/><geom type='sphere' size='" << S::radius
         << "' mass='" << S::mass() << "'/></body>";
  World w(o, bodies.str());
  BounceWatch watch;
  Stopwatch clock;
  const long steps = std::lround(S::duration / o.step);
  clock.start();
  for (long i = 0; i < steps; ++i) {
    mj_step(w.m, w.d);
    watch.feed(S::fall + w.d->qpos[0], w.d->qvel[0]);
  }
  clock.stop();
  Row row{setting_of(o), clock.seconds(), 0.0, steps * stages(o), {}};
  watch.report(row, e);
  print_row(e < 1.0 ? "s1_hard_bounce/restitution" : "s1_hard_bounce/elastic", engine_name(), row);
}

void s1() {
  Options standard;
  standard.name = "Euler, default contact,";
  hard_bounce(standard, 0.7);
  for (const double e : {1.0, 0.7}) {
    for (const double step : {1e-4, 2e-5}) {
      Options o;
      o.name = "RK4, spring and damper of Hertz' duration,";
      o.integrator = "RK4";
      o.step = step;
      set_direct_contact(o, HardBounce::contact_time(), e);
      hard_bounce(o, e);
    }
  }
}

void spheres(Options o) {
  using S = Spheres;
  o.friction = S::friction;
  o.solver = "CG";
  o.contacts = 6000;
  std::ostringstream bodies;
  bodies.precision(17);
  bodies << "<geom type='plane' size='1 1 1'/>"
            "<geom type='plane' size='5 5 1' pos='-1 0 0' zaxis='1 0 0'/>"
            "<geom type='plane' size='5 5 1' pos='1 0 0' zaxis='-1 0 0'/>"
            "<geom type='plane' size='5 5 1' pos='0 -1 0' zaxis='0 1 0'/>"
            "<geom type='plane' size='5 5 1' pos='0 1 0' zaxis='0 -1 0'/>";
  for (const Point& p : S::start(1000)) {
    bodies << "<body pos='" << p.x << ' ' << p.y << ' ' << p.z
           << "'><freejoint/><geom type='sphere' size='0.05' density='1000'/></body>";
  }
  World w(o, bodies.str());
  const Row row = run_spheres(
      setting_of(o), o.step, [&] { mj_step(w.m, w.d); },
      [&] {
        std::vector<Point> points;
        for (int i = 0; i < 1000; ++i) {
          const mjtNum* q = w.d->qpos + 7 * i;
          points.push_back({q[0], q[1], q[2]});
        }
        return points;
      });
  print_row("s2_spheres", engine_name(), row);
}

void s2() {
  Options o;
  o.name = "CG, default contact,";
  o.step = 5e-4;
  try {
    spheres(o);
  } catch (const std::runtime_error& e) {  // version 2.2.2 counts its memory in 32 bits
    std::fprintf(stderr, "MuJoCo: %s\n", e.what());
  }
}

void stack(double lean, Options o) {
  using S = Stacks;
  o.friction = S::friction;
  std::ostringstream bodies;
  bodies.precision(17);
  bodies << "<geom type='plane' size='5 5 1'/>";
  for (int i = 0; i < S::cubes; ++i) {
    bodies << "<body pos='" << S::x(i, lean) << " 0 " << S::z(i)
           << "'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='10'/></body>";
  }
  World w(o, bodies.str());
  const Row row = run_stack(
      setting_of(o), lean, o.step, [&] { mj_step(w.m, w.d); },
      [&] {
        std::vector<CubeAt> cubes;
        for (int i = 0; i < S::cubes; ++i) {
          const mjtNum* q = w.d->qpos + 7 * i;
          mjtNum R[9];
          mju_quat2Mat(R, q + 3);
          cubes.push_back({q[0], q[1], q[2], R[8]});
        }
        return cubes;
      });
  print_row(stack_scene(lean), engine_name(), row);
}

void s3() {
  for (const double lean : Stacks::leans) {
    Options o;
    o.name = "default contact";
    stack(lean, o);
    o.name = "elliptic cone impratio 100 solref 0.004";
    o.cone = "elliptic";
    o.impratio = 100.0;
    o.solref = "0.004 1";
    stack(lean, o);
  }
}

void gripper(const Options& o) {
  using S = Gripper;
  std::ostringstream bodies;
  bodies.precision(17);
  bodies << "<body><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='1'/></body>";
  for (const double side : {-1.0, 1.0}) {
    bodies << "<body pos='" << side * S::plate_x << " 0 0'><joint type='slide' axis='1 0 0'/>"
           << "<geom type='box' size='0.01 0.1 0.1' mass='1'/></body>";
  }
  World w(o, bodies.str());
  w.d->qfrc_applied[6] = S::force;
  w.d->qfrc_applied[7] = -S::force;
  const Row row = run_gripper(
      setting_of(o), o.step, [&] { mj_step(w.m, w.d); },
      [&](SlipWatch& watch, double t) {
        mjtNum R[9];
        mju_quat2Mat(R, w.d->qpos + 3);
        watch.feed(t, w.d->qpos[2], R[8]);
      });
  print_row("s5_gripper", engine_name(), row);
}

void s5() {
  Options o;
  o.friction = Gripper::friction;
  o.name = "default contact";
  gripper(o);
  o.name = "elliptic cone impratio 100";
  o.cone = "elliptic";
  o.impratio = 100.0;
  gripper(o);
  o.name = "elliptic cone impratio 100 noslip 20";
  o.noslip = 20;
  gripper(o);
}

void cradle(double gap, double step) {
  using S = Cradle;
  Options o;
  o.name = "RK4, undamped spring of 20 steps,";
  o.integrator = "RK4";
  o.step = step;
  o.gravity = 0.0;
  set_direct_contact(o, 20.0 * step, 1.0);
  std::ostringstream bodies;
  bodies.precision(17);
  for (int i = 0; i < S::balls; ++i) {
    bodies << "<body pos='" << S::x(i, gap) << " 0 0'><joint type='slide' axis='1 0 0'/>"
           << "<geom type='sphere' size='" << S::radius << "' mass='1'/></body>";
  }
  const Row row = median_of(3, [&] {
    World w(o, bodies.str());
    w.d->qvel[0] = 1.0;
    Row r = run_cradle(
        setting_of(o), gap, step, [&] { mj_step(w.m, w.d); },
        [&] {
          std::array<double, 5> v{};
          std::copy(w.d->qvel, w.d->qvel + 5, v.begin());
          return v;
        });
    r.evaluations *= stages(o);
    return r;
  });
  print_row(cradle_scene(gap), engine_name(), row);
}

void s6() {
  for (const double gap : Cradle::gaps) {
    for (const double step : {1e-4, 1e-5}) cradle(gap, step);
  }
}

void egg(const Options& o) {
  using S = Egg;
  std::ostringstream bodies;
  bodies.precision(17);
  bodies << "<geom type='plane' size='50 50 1'/><body pos='0 0 " << S::height << "' quat='"
         << std::cos(S::tilt / 2) << ' ' << std::sin(S::tilt / 2)
         << " 0 0'><freejoint/><geom type='ellipsoid' size='1.2 1.3 1' density='1'/></body>";
  World w(o, bodies.str());
  w.d->qvel[4] = S::spin * std::sin(S::tilt);  // body axes
  w.d->qvel[5] = S::spin * std::cos(S::tilt);
  Row row = run_egg(
      setting_of(o), o.step, [&] { mj_step(w.m, w.d); },
      [&](RiseWatch& watch) {
        const mjtNum* v = w.d->qvel;
        const double speed = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        watch.feed(w.d->qpos[2], S::energy({v[3], v[4], v[5]}, speed, w.d->qpos[2]));
      });
  row.evaluations *= stages(o);
  print_row("s7_ellipsoid", engine_name(), row);
}

void s7() {
  Options o;
  o.friction = Egg::friction;
  o.name = "Euler, default contact,";
  egg(o);
  o.name = "RK4, elliptic cone,";
  o.integrator = "RK4";
  o.cone = "elliptic";
  o.step = 1e-3;
  egg(o);
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
