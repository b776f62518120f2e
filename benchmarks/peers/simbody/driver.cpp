// Simbody 3.7 in the scenes with contact: compliant Hertz contact with Hunt-Crossley damping and
// regularised friction, error-controlled. Boxes are spheres at their corners on half-spaces: its
// elastic foundation of meshes is slower and softer.
//
//   bench_peer_simbody SCENE
#include "../../common/cradle.h"
#include "../../common/ellipsoid.h"
#include "../../common/gripper.h"
#include "../../common/hard_bounce.h"
#include "../s4.h"
#include "large.h"
#include "world.h"

namespace carom::bench {
namespace {

const std::string kEngine = "Simbody 3.7";
using SimTK::Vec3;

SimTK::Body::Rigid rigid(double mass, const Vec3& inertia) {
  return SimTK::Body::Rigid(
      SimTK::MassProperties(mass, Vec3(0), SimTK::Inertia(inertia[0], inertia[1], inertia[2])));
}

/// c with F = k d^(3/2) (1 + c d') that returns `e` of the speed `v`: the root of
/// c v (1 + e) = ln((1 + c v) / (1 - c v e)), by bisection.
double hunt_crossley(double v, double e) {
  if (e >= 1.0) return 0.0;
  double low = 1e-9, high = (1.0 - 1e-12) / (v * e);
  for (int i = 0; i < 200; ++i) {
    const double c = 0.5 * (low + high);
    (c * v * (1.0 + e) > std::log((1.0 + c * v) / (1.0 - c * v * e)) ? low : high) = c;
  }
  return low;
}

Row hard_bounce(Method method, double accuracy, double e) {
  using S = HardBounce;
  World world(S::gravity, 1e-3);
  // Simbody's force is k d^(3/2) (1 + 3/2 c d').
  const auto steel = hertz_material(S::E, S::nu, hunt_crossley(S::speed(), e) / 1.5);
  world.add_floor(steel);
  SimTK::Body::Rigid ball = rigid(S::mass(), Vec3(S::inertia()));
  ball.addContactSurface(SimTK::Transform(),
                         SimTK::ContactSurface(SimTK::ContactGeometry::Sphere(S::radius), steel));
  SimTK::MobilizedBody::Free body(world.matter.Ground(), SimTK::Transform(), ball,
                                  SimTK::Transform());
  SimTK::State state = world.system.realizeTopology();
  body.setQToFitTranslation(state, Vec3(0, 0, S::fall + S::radius));
  const auto integrator = start(world, method, accuracy, state);
  integrator->setReturnEveryInternalStep(true);
  BounceWatch watch;
  Stopwatch clock;
  clock.start();
  while (integrator->getTime() < S::duration - 1e-12) {
    integrator->stepTo(S::duration, S::duration);
    const SimTK::State& now = integrator->getState();
    world.system.realize(now, SimTK::Stage::Velocity);
    watch.feed(body.getBodyOriginLocation(now)[2] - S::radius, body.getBodyOriginVelocity(now)[2]);
  }
  clock.stop();
  Row row{name_of(method, accuracy), clock.seconds(), 0.0, integrator->getNumRealizations(), {}};
  watch.report(row, e);
  return row;
}

void s1() {
  const auto print = [](const char* scene, Method method, double accuracy, double e) {
    print_row(scene, kEngine, median_of(3, [&] { return hard_bounce(method, accuracy, e); }));
  };
  for (const double accuracy : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    print("s1_hard_bounce/elastic", Method::merson, accuracy, 1.0);
  }
  for (const double accuracy : {1e-5, 1e-7, 1e-9}) {
    print("s1_hard_bounce/elastic", Method::bdf, accuracy, 1.0);
  }
  for (const double accuracy : {1e-5, 1e-7}) {
    print("s1_hard_bounce/restitution", Method::merson, accuracy, 0.7);
  }
}

/// A cube with spheres in its corners between half-spaces that move on sliders.
Row gripper(Method method, double accuracy, double transition) {
  using S = Gripper;
  World world(S::gravity, transition);
  const SimTK::ContactMaterial material(1e7, 1.0, S::friction, S::friction, 0);
  const auto no_contact = [] { return SimTK::ContactSurface::createNewContactClique(); };
  const auto spheres = no_contact(), plates = no_contact();
  const SimTK::ContactCliqueId away[2] = {no_contact(), no_contact()};  // from plate i
  SimTK::Body::Rigid cube = rigid(S::mass, Vec3(S::inertia));
  const double corner = 0.01;
  for (int k = 0; k < 8; ++k) {
    const Vec3 side(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    SimTK::ContactSurface sphere(SimTK::ContactGeometry::Sphere(corner), material);
    sphere.joinClique(spheres).joinClique(away[side[0] > 0 ? 0 : 1]);
    cube.addContactSurface(SimTK::Transform(side * (S::edge / 2 - corner)), sphere);
  }
  SimTK::MobilizedBody::Free body(world.matter.Ground(), SimTK::Transform(), cube,
                                  SimTK::Transform());
  for (int i = 0; i < 2; ++i) {
    const double side = i == 0 ? -1.0 : 1.0;
    SimTK::Body::Rigid plate = rigid(S::plate_mass, Vec3(0.01));
    SimTK::ContactSurface face(SimTK::ContactGeometry::HalfSpace(), material);
    face.joinClique(plates).joinClique(away[i]);
    const SimTK::Rotation turn =
        i == 0 ? SimTK::Rotation(SimTK::Pi, SimTK::ZAxis) : SimTK::Rotation();
    plate.addContactSurface(SimTK::Transform(turn, Vec3(-side * S::plate_thickness / 2, 0, 0)),
                            face);
    SimTK::MobilizedBody::Slider slider(world.matter.Ground(),
                                        SimTK::Transform(Vec3(side * S::plate_x, 0, 0)), plate,
                                        SimTK::Transform());
    SimTK::Force::ConstantForce(world.forces, slider, Vec3(0), Vec3(-side * S::force, 0, 0));
  }
  const auto integrator = start(world, method, accuracy, world.system.realizeTopology());
  constexpr double kPiece = 0.01;  // short, so that a slow run can be stopped
  double until = 0.0;
  Row row = run_gripper(
      name_of(method, accuracy) + " transition " + short_number(transition) + " m/s", kPiece,
      [&] {
        until += kPiece;
        advance(*integrator, until);
      },
      [&](SlipWatch& watch, double t) {
        world.system.realize(integrator->getState(), SimTK::Stage::Position);
        const SimTK::Transform& X = body.getBodyTransform(integrator->getState());
        watch.feed(t, X.p()[2], X.R()[2][2]);
      });
  row.evaluations = integrator->getNumRealizations();
  return row;
}

void s5() {
  // Runge-Kutta-Merson needs 10 CPU seconds for one of these.
  for (const double transition : {1e-3, 1e-5}) {
    print_row("s5_gripper", kEngine, gripper(Method::bdf, 1e-4, transition));
  }
}

Row cradle(double gap, double accuracy) {
  using S = Cradle;
  World world(0.0, 1e-3);
  SimTK::Body::Rigid ball = rigid(S::mass, Vec3(S::inertia));
  ball.addContactSurface(SimTK::Transform(),
                         SimTK::ContactSurface(SimTK::ContactGeometry::Sphere(S::radius),
                                               hertz_material(S::E, S::nu, 0.0)));
  std::vector<SimTK::MobilizedBody::Slider> bodies;
  for (int i = 0; i < S::balls; ++i) {
    bodies.emplace_back(world.matter.Ground(), SimTK::Transform(Vec3(S::x(i, gap), 0, 0)), ball,
                        SimTK::Transform());
  }
  SimTK::State state = world.system.realizeTopology();
  bodies[0].setOneU(state, 0, 1.0);
  const auto integrator = start(world, Method::merson, accuracy, state);
  Row row = run_cradle(
      name_of(Method::merson, accuracy), gap, S::duration,
      [&] { advance(*integrator, S::duration); },
      [&] {
        std::array<double, 5> v{};
        for (std::size_t i = 0; i < v.size(); ++i) {
          v[i] = bodies[i].getOneU(integrator->getState(), 0);
        }
        return v;
      });
  row.evaluations = integrator->getNumRealizations();
  return row;
}

void s6() {
  for (const double gap : Cradle::gaps) {
    for (const double accuracy : {1e-4, 1e-6, 1e-8}) {
      print_row(cradle_scene(gap), kEngine, median_of(3, [&] { return cradle(gap, accuracy); }));
    }
  }
}

Row egg(Method method, double accuracy) {
  using S = Egg;
  World world(S::gravity, 1e-3);
  const SimTK::ContactMaterial material(1e6, 0.5, S::friction, S::friction, 0);
  world.add_floor(material);
  const auto I = S::inertia();
  SimTK::Body::Rigid solid = rigid(S::mass(), Vec3(I[0], I[1], I[2]));
  solid.addContactSurface(
      SimTK::Transform(),
      SimTK::ContactSurface(SimTK::ContactGeometry::Ellipsoid(Vec3(S::a, S::b, S::c)), material));
  SimTK::MobilizedBody::Free body(world.matter.Ground(), SimTK::Transform(), solid,
                                  SimTK::Transform());
  SimTK::State state = world.system.realizeTopology();
  body.setQToFitTransform(
      state, SimTK::Transform(SimTK::Rotation(S::tilt, SimTK::XAxis), Vec3(0, 0, S::height)));
  body.setUToFitAngularVelocity(state, Vec3(0, 0, S::spin));
  const auto integrator = start(world, method, accuracy, state);
  double until = 0.0;
  Row row = run_egg(
      name_of(method, accuracy), S::sample,
      [&] {
        until += S::sample;
        advance(*integrator, until);
      },
      [&](RiseWatch& watch) {
        const SimTK::State& now = integrator->getState();
        world.system.realize(now, SimTK::Stage::Velocity);
        const Vec3 w = ~body.getBodyRotation(now) * body.getBodyAngularVelocity(now);
        const double z = body.getBodyOriginLocation(now)[2];
        watch.feed(z, S::energy({w[0], w[1], w[2]}, body.getBodyOriginVelocity(now).norm(), z));
      });
  row.evaluations = integrator->getNumRealizations();
  return row;
}

void s7() {
  print_row("s7_ellipsoid", kEngine, egg(Method::merson, 1e-4));
  print_row("s7_ellipsoid", kEngine, egg(Method::bdf, 1e-5));
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
