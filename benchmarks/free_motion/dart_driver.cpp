// DART with its only integrator in simulations, semi-implicit Euler.
#include <dart/dynamics/dynamics.hpp>
#include <dart/simulation/simulation.hpp>

#include "scenes.h"

namespace carom::bench {
namespace {

const std::string kEngine = "DART 6.12.1";
using dart::dynamics::BodyNode;
using Eigen::Vector3d;

struct Simulation {
  dart::simulation::WorldPtr world = dart::simulation::World::create();
  dart::dynamics::SkeletonPtr skeleton = dart::dynamics::Skeleton::create("mechanism");

  Simulation(double step, double gravity) {
    world->setTimeStep(step);
    world->setGravity(Vector3d(0, 0, -gravity));
  }
  template <class Measure>
  void run(const char* scene, Measure measure) {
    Stopwatch watch;
    Drift drift;
    const double step = world->getTimeStep();
    const long per_sample = std::lround(kSampleTime / step);
    for (int sample = 0; sample < kSamples; ++sample) {
      watch.start();
      for (long i = 0; i < per_sample; ++i) world->step();
      watch.stop();
      measure(drift);
    }
    print_drift(scene, kEngine, "semi-implicit Euler step " + short_number(step) + " s", watch,
                kSamples * per_sample, drift);
  }
};

void free_top(double step) {
  Simulation s(step, 0.0);
  BodyNode::Properties body;
  body.mInertia.setMass(1);
  body.mInertia.setMoment(1, 2, 3, 0, 0, 0);
  BodyNode* top = s.skeleton
                      ->createJointAndBodyNodePair<dart::dynamics::FreeJoint>(
                          nullptr, dart::dynamics::FreeJoint::Properties(), body)
                      .second;
  s.world->addSkeleton(s.skeleton);
  for (std::size_t k = 0; k < 3; ++k) s.skeleton->setVelocity(k, FreeTop::w0[k]);
  s.run("free_top", [&](Drift& drift) {
    const Vector3d w = top->getAngularVelocity(dart::dynamics::Frame::World(), top);
    const Vector3d L = top->getWorldTransform().linear() * Vector3d(w[0], 2 * w[1], 3 * w[2]);
    drift.sample(FreeTop::energy_error(w.data()), FreeTop::momentum_error(L.data()));
  });
}

void double_pendulum(double step) {
  using P = DoublePendulum;
  Simulation s(step, kGravity);
  BodyNode* parent = nullptr;
  for (int i = 0; i < 2; ++i) {
    dart::dynamics::RevoluteJoint::Properties hinge;
    hinge.mAxis = Vector3d::UnitY();
    if (i == 1) hinge.mT_ParentBodyToJoint.translation() = Vector3d(1, 0, 0);
    BodyNode::Properties rod;
    rod.mInertia.setMass(1);
    rod.mInertia.setLocalCOM(Vector3d(0.5, 0, 0));
    rod.mInertia.setMoment(P::I_along, P::I_across, P::I_across, 0, 0, 0);
    parent =
        s.skeleton->createJointAndBodyNodePair<dart::dynamics::RevoluteJoint>(parent, hinge, rod)
            .second;
  }
  s.world->addSkeleton(s.skeleton);
  const auto energy = [&] {
    return s.skeleton->computeKineticEnergy() + s.skeleton->computePotentialEnergy();
  };
  const double start = energy();
  s.run("double_pendulum",
        [&](Drift& drift) { drift.sample((energy() - start) / P::energy_range, 0.0); });
}

}  // namespace
}  // namespace carom::bench

int main() {
  carom::bench::free_top(1e-3);
  carom::bench::double_pendulum(1e-3);
}
