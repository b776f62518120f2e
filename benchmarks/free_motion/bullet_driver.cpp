// Bullet: the top as a rigid body with implicit gyroscopic torque (its default), the pendulum as an
// articulated body with fourth-order Runge-Kutta steps, the most accurate that it offers.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include "scenes.h"

namespace carom::bench {
namespace {

const std::string kEngine = "Bullet 3.24 double";

struct Simulation {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad_phase;
  btMultiBodyConstraintSolver solver;
  btMultiBodyDynamicsWorld world{&dispatcher, &broad_phase, &solver, &configuration};

  template <class Measure>
  void run(const char* scene, const std::string& setting, double step, long stages,
           Measure measure) {
    Stopwatch watch;
    Drift drift;
    const long per_sample = std::lround(kSampleTime / step);
    for (int sample = 0; sample < kSamples; ++sample) {
      watch.start();
      for (long i = 0; i < per_sample; ++i) world.stepSimulation(step, 0);
      watch.stop();
      measure(drift);
    }
    print_drift(scene, kEngine, setting + " step " + short_number(step) + " s", watch,
                stages * kSamples * per_sample, drift);
  }
};

void free_top(double step) {
  Simulation s;
  s.world.setGravity(btVector3(0, 0, 0));
  btSphereShape shape(0.1);
  btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, &shape, btVector3(1, 2, 3));
  btRigidBody top(info);
  top.setActivationState(DISABLE_DEACTIVATION);
  top.setAngularVelocity(btVector3(FreeTop::w0[0], FreeTop::w0[1], FreeTop::w0[2]));
  s.world.addRigidBody(&top);
  s.run("free_top", "implicit gyroscopic torque", step, 1, [&](Drift& drift) {
    const btMatrix3x3& R = top.getWorldTransform().getBasis();
    const btVector3 w = R.transpose() * top.getAngularVelocity();
    const btVector3 L = R * btVector3(w.x(), 2 * w.y(), 3 * w.z());
    const double spin[3] = {w.x(), w.y(), w.z()}, momentum[3] = {L.x(), L.y(), L.z()};
    drift.sample(FreeTop::energy_error(spin), FreeTop::momentum_error(momentum));
  });
  s.world.removeRigidBody(&top);
}

void double_pendulum(double step) {
  using P = DoublePendulum;
  Simulation s;
  s.world.setGravity(btVector3(0, 0, -kGravity));
  btMultiBody rods(2, 0, btVector3(0, 0, 0), true, false);
  rods.setLinearDamping(0);
  rods.setAngularDamping(0);
  const btVector3 inertia(P::I_along, P::I_across, P::I_across), axis(0, 1, 0), half(0.5, 0, 0);
  const btQuaternion level(0, 0, 0, 1);
  rods.setupRevolute(0, 1, inertia, -1, level, axis, btVector3(0, 0, 0), half, true);
  rods.setupRevolute(1, 1, inertia, 0, level, axis, half, half, true);
  rods.finalizeMultiDof();
  rods.setCanSleep(false);
  rods.setMaxCoordinateVelocity(1e4);
  rods.useRK4Integration(true);
  s.world.addMultiBody(&rods);
  s.run("double_pendulum", "articulated body, RK4", step, 4, [&](Drift& drift) {
    // Angles below the x axis.
    const double a = rods.getJointPos(0), b = a + rods.getJointPos(1);
    const double va = rods.getJointVel(0), vb = va + rods.getJointVel(1);
    const double vx1 = -0.5 * std::sin(a) * va, vz1 = -0.5 * std::cos(a) * va;
    const double vx2 = 2 * vx1 - 0.5 * std::sin(b) * vb, vz2 = 2 * vz1 - 0.5 * std::cos(b) * vb;
    const double energy = 0.5 * (vx1 * vx1 + vz1 * vz1 + vx2 * vx2 + vz2 * vz2) +
                          0.5 * P::I_across * (va * va + vb * vb) -
                          kGravity * (1.5 * std::sin(a) + 0.5 * std::sin(b));
    drift.sample(energy / P::energy_range, 0.0);
  });
  s.world.removeMultiBody(&rods);
}

}  // namespace
}  // namespace carom::bench

int main() {
  for (const double step : {1e-3, 1e-4}) carom::bench::free_top(step);
  for (const double step : {5e-3, 1e-3}) carom::bench::double_pendulum(step);
}
