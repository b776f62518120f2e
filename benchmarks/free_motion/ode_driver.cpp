// ODE with its fixed step of order 1, gyroscopic torque on (its default).
#include <ode/ode.h>

#include "scenes.h"

namespace carom::bench {
namespace {

const std::string kEngine = "ODE 0.16.2";

struct Simulation {
  dWorldID world;
  double step;

  Simulation(double dt, double gravity) : step(dt) {
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -gravity);
  }
  ~Simulation() {
    dWorldDestroy(world);
    dCloseODE();
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  dBodyID add(double mass, double Ix, double Iy, double Iz, double x) {
    const dBodyID body = dBodyCreate(world);
    dMass properties;
    dMassSetParameters(&properties, mass, 0, 0, 0, Ix, Iy, Iz, 0, 0, 0);
    dBodySetMass(body, &properties);
    dBodySetPosition(body, x, 0, 0);
    dBodySetAutoDisableFlag(body, 0);
    return body;
  }
  template <class Measure>
  void run(const char* scene, Measure measure) {
    Stopwatch watch;
    Drift drift;
    const long per_sample = std::lround(kSampleTime / step);
    for (int sample = 0; sample < kSamples; ++sample) {
      watch.start();
      for (long i = 0; i < per_sample; ++i) dWorldStep(world, step);
      watch.stop();
      measure(drift);
    }
    print_drift(scene, kEngine, "step " + short_number(step) + " s", watch, kSamples * per_sample,
                drift);
  }
};

/// R^T w, the spin in body axes; ODE's rotations have rows of four.
std::array<double, 3> body_spin(dBodyID body) {
  const dReal* R = dBodyGetRotation(body);
  const dReal* w = dBodyGetAngularVel(body);
  std::array<double, 3> s{};
  for (std::size_t k = 0; k < 3; ++k) s[k] = R[k] * w[0] + R[4 + k] * w[1] + R[8 + k] * w[2];
  return s;
}

void free_top(double step) {
  Simulation s(step, 0.0);
  const dBodyID top = s.add(1, 1, 2, 3, 0);
  dBodySetAngularVel(top, FreeTop::w0[0], FreeTop::w0[1], FreeTop::w0[2]);
  s.run("free_top", [&](Drift& drift) {
    const std::array<double, 3> w = body_spin(top);
    const dReal* R = dBodyGetRotation(top);
    double L[3];
    for (std::size_t k = 0; k < 3; ++k) {
      L[k] = R[4 * k] * w[0] + R[4 * k + 1] * 2.0 * w[1] + R[4 * k + 2] * 3.0 * w[2];
    }
    drift.sample(FreeTop::energy_error(w.data()), FreeTop::momentum_error(L));
  });
}

void double_pendulum(double step) {
  using P = DoublePendulum;
  Simulation s(step, kGravity);
  dBodyID rods[2] = {};
  for (int i = 0; i < 2; ++i) {
    rods[i] = s.add(1, P::I_along, P::I_across, P::I_across, 0.5 + i);
    const dJointID hinge = dJointCreateHinge(s.world, nullptr);
    dJointAttach(hinge, rods[i], i == 0 ? nullptr : rods[0]);
    dJointSetHingeAnchor(hinge, i, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
  }
  s.run("double_pendulum", [&](Drift& drift) {
    double energy = 0.0;
    for (const dBodyID rod : rods) {
      const std::array<double, 3> w = body_spin(rod);
      const dReal* v = dBodyGetLinearVel(rod);
      energy += 0.5 * (P::I_along * w[0] * w[0] + P::I_across * (w[1] * w[1] + w[2] * w[2])) +
                0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                kGravity * dBodyGetPosition(rod)[2];
    }
    drift.sample(energy / P::energy_range, 0.0);
  });
}

}  // namespace
}  // namespace carom::bench

int main() {
  for (const double step : {1e-3, 1e-4}) carom::bench::free_top(step);
  for (const double step : {1e-3, 1e-4}) carom::bench::double_pendulum(step);
}
