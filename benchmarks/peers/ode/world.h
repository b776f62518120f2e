// An ODE world with contact joints, under its direct (Dantzig) or its iterative solver.
#pragma once

#include <ode/ode.h>

#include <cstdarg>
#include <string>

#include "../../common/report.h"

namespace carom::bench {

struct Options {
  double step = 5e-3;
  int iterations = 0;  ///< of the iterative solver; 0: the direct one
  double friction = 0.0, restitution = 0.0, gravity = 9.81;
  int most_contacts = 8;  ///< of a pair of geometries, at most kMost
};

class World {
 public:
  explicit World(const Options& o, bool many = false) : o_(o) {
    // Its "LCP internal error" comes thousands of times in symmetric stacks and rows; what it
    // does to the motion is in the figures.
    dSetMessageHandler([](int, const char*, va_list) {});
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    world = dWorldCreate();
    contacts_ = dJointGroupCreate(0);
    space = many ? dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ) : dHashSpaceCreate(nullptr);
    dWorldSetGravity(world, 0, 0, -o.gravity);
    dWorldSetERP(world, 0.2);    // its default
    dWorldSetCFM(world, 1e-10);  // its default in double precision
    if (o.iterations > 0) dWorldSetQuickStepNumIterations(world, o.iterations);
  }
  ~World() {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  dBodyID add(double mass, double Ix, double Iy, double Iz, double x, double y, double z,
              dGeomID geometry) {
    const dBodyID body = dBodyCreate(world);
    dMass properties;
    dMassSetParameters(&properties, mass, 0, 0, 0, Ix, Iy, Iz, 0, 0, 0);
    dBodySetMass(body, &properties);
    dBodySetPosition(body, x, y, z);
    dBodySetAutoDisableFlag(body, 0);
    if (geometry != nullptr) dGeomSetBody(geometry, body);
    return body;
  }
  void step() {
    dSpaceCollide(space, this, &collide);
    if (o_.iterations > 0) {
      dWorldQuickStep(world, o_.step);
    } else {
      dWorldStep(world, o_.step);
    }
    dJointGroupEmpty(contacts_);
  }

  dWorldID world;
  dSpaceID space;

 private:
  static void collide(void* data, dGeomID a, dGeomID b) {
    World& self = *static_cast<World*>(data);
    const dBodyID A = dGeomGetBody(a), B = dGeomGetBody(b);
    if (A == nullptr && B == nullptr) return;
    constexpr int kMost = 256;
    dContact contacts[kMost];
    const int count = dCollide(a, b, self.o_.most_contacts, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      dSurfaceParameters& surface = contacts[i].surface;
      surface = dSurfaceParameters{};
      surface.mode = dContactApprox1 | (self.o_.restitution > 0.0 ? dContactBounce : 0);
      surface.mu = self.o_.friction;
      surface.bounce = self.o_.restitution;
      surface.bounce_vel = 1e-3;
      dJointAttach(dJointCreateContact(self.world, self.contacts_, &contacts[i]), A, B);
    }
  }

  Options o_;
  dJointGroupID contacts_;
};

inline std::string setting_of(const Options& o) {
  const std::string solver =
      o.iterations > 0 ? "QuickStep, " + std::to_string(o.iterations) + " iterations," : "Dantzig,";
  return solver + " step " + short_number(o.step) + " s";
}

}  // namespace carom::bench
