// Simbody with its error-controlled Runge-Kutta-Merson integrator at several accuracies.
#include <Simbody.h>

#include <sstream>

#include "scenes.h"

namespace carom::bench {
namespace {

struct Mechanism {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};

  template <class Measure>
  void run(const char* scene, const SimTK::State& start, double accuracy, Measure measure) {
    SimTK::RungeKuttaMersonIntegrator integrator(system);
    integrator.setAccuracy(accuracy);
    integrator.initialize(start);
    Stopwatch watch;
    Drift drift;
    for (int sample = 1; sample <= kSamples; ++sample) {
      const double until = sample * kSampleTime;
      watch.start();
      // A scheduled time is stepped to, not interpolated: the state is as accurate as the method.
      while (integrator.getTime() < until) integrator.stepTo(until, until);
      watch.stop();
      const SimTK::State& state = integrator.getState();
      system.realize(state, SimTK::Stage::Dynamics);
      measure(state, drift);
    }
    std::ostringstream setting;
    setting << "RungeKuttaMerson accuracy " << accuracy;
    print_drift(scene, "Simbody 3.7", setting.str(), watch, integrator.getNumRealizations(), drift);
  }
};

void free_top(double accuracy) {
  Mechanism mechanism;
  const SimTK::Body::Rigid top(
      SimTK::MassProperties(1.0, SimTK::Vec3(0), SimTK::Inertia(1.0, 2.0, 3.0)));
  SimTK::MobilizedBody::Free body(mechanism.matter.Ground(), SimTK::Transform(), top,
                                  SimTK::Transform());
  SimTK::State start = mechanism.system.realizeTopology();
  body.setUToFitAngularVelocity(start, SimTK::Vec3(FreeTop::w0[0], FreeTop::w0[1], FreeTop::w0[2]));
  mechanism.run("free_top", start, accuracy, [&](const SimTK::State& state, Drift& drift) {
    const SimTK::Rotation& R = body.getBodyRotation(state);
    const SimTK::Vec3 w = ~R * body.getBodyAngularVelocity(state);
    const SimTK::Vec3 L = R * SimTK::Vec3(w[0], 2.0 * w[1], 3.0 * w[2]);
    drift.sample(FreeTop::energy_error(&w[0]), FreeTop::momentum_error(&L[0]));
  });
}

void double_pendulum(double accuracy) {
  Mechanism mechanism;
  SimTK::Force::Gravity(mechanism.forces, mechanism.matter, -SimTK::ZAxis, kGravity);
  const SimTK::Body::Rigid rod(SimTK::MassProperties(
      1.0, SimTK::Vec3(0),
      SimTK::Inertia(DoublePendulum::I_along, DoublePendulum::I_across, DoublePendulum::I_across)));
  const SimTK::Rotation z_to_y(-SimTK::Pi / 2, SimTK::XAxis);
  const SimTK::Transform near_end(z_to_y, SimTK::Vec3(-0.5, 0, 0));
  const SimTK::Transform far_end(z_to_y, SimTK::Vec3(0.5, 0, 0));
  SimTK::MobilizedBody::Pin upper(mechanism.matter.Ground(), SimTK::Transform(z_to_y), rod,
                                  near_end);
  SimTK::MobilizedBody::Pin lower(upper, far_end, rod, near_end);
  SimTK::State start = mechanism.system.realizeTopology();
  mechanism.system.realize(start, SimTK::Stage::Dynamics);
  const double energy = mechanism.system.calcEnergy(start);
  mechanism.run("double_pendulum", start, accuracy, [&](const SimTK::State& state, Drift& drift) {
    drift.sample((mechanism.system.calcEnergy(state) - energy) / DoublePendulum::energy_range, 0.0);
  });
}

}  // namespace
}  // namespace carom::bench

int main() {
  using namespace carom::bench;
  for (const double accuracy : {1e-4, 1e-6, 1e-8, 1e-9}) free_top(accuracy);
  for (const double accuracy : {1e-4, 1e-6, 1e-8, 1e-9}) double_pendulum(accuracy);
  return 0;
}
