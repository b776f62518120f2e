// A Simbody system with compliant contact, and its integrators by name.
#pragma once

#include <Simbody.h>

#include <memory>
#include <string>

#include "../../common/report.h"

namespace carom::bench {

struct World {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::ContactTrackerSubsystem tracker{system};
  SimTK::CompliantContactSubsystem contact{system, tracker};

  /// `transition` is the slip speed at which friction is fully developed [m/s].
  World(double gravity, double transition) {
    if (gravity > 0.0) SimTK::Force::Gravity(forces, matter, -SimTK::ZAxis, gravity);
    contact.setTransitionVelocity(transition);
    system.setUseUniformBackground(true);
  }

  /// A half-space that fills z < 0 of the ground.
  void add_floor(const SimTK::ContactMaterial& material) {
    matter.Ground().updBody().addContactSurface(
        SimTK::Transform(SimTK::Rotation(SimTK::Pi / 2, SimTK::YAxis), SimTK::Vec3(0)),
        SimTK::ContactSurface(SimTK::ContactGeometry::HalfSpace(), material));
  }
};

/// Material of both surfaces of a pair such that the pair has Hertz' modulus for `E`, `nu`
/// (Simbody combines equal surfaces to (1/2)^(3/2) of each).
inline SimTK::ContactMaterial hertz_material(double E, double nu, double dissipation) {
  const double stiffness = SimTK::ContactMaterial::calcPlaneStrainStiffness(E, nu);
  return SimTK::ContactMaterial(std::sqrt(2.0) * stiffness, dissipation, 0, 0, 0);
}

enum class Method { merson, bdf };

/// An integrator started at `state`.
inline std::unique_ptr<SimTK::Integrator> start(const World& world, Method method, double accuracy,
                                                const SimTK::State& state) {
  std::unique_ptr<SimTK::Integrator> integrator;
  if (method == Method::merson) {
    integrator = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(world.system);
  } else {
    integrator = std::make_unique<SimTK::CPodesIntegrator>(world.system, SimTK::CPodes::BDF,
                                                           SimTK::CPodes::Newton);
  }
  integrator->setAccuracy(accuracy);
  integrator->initialize(state);
  return integrator;
}

/// Steps to exactly `until`, not past it with interpolation.
inline void advance(SimTK::Integrator& integrator, double until) {
  while (integrator.getTime() < until - 1e-12) integrator.stepTo(until, until);
}

inline std::string name_of(Method method, double accuracy) {
  const std::string name = method == Method::merson ? "RungeKuttaMerson" : "CPodes BDF";
  return name + " accuracy " + short_number(accuracy);
}

}  // namespace carom::bench
