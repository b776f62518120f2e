// A Bullet world of rigid bodies without sleeping and damping.
#pragma once

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <string>
#include <vector>

#include "../../common/report.h"

namespace carom::bench {

struct Options {
  double step = 1.0 / 240.0;  ///< Bullet's own
  int iterations = 10;        ///< of the sequential-impulse solver; Bullet's own
  double gravity = 9.81;
};

/// Owns what it is given; bodies go before the world that refers to them.
class World {
 public:
  explicit World(const Options& o) : step_(o.step) {
    world_.setGravity(btVector3(0, 0, -o.gravity));
    world_.getSolverInfo().m_numIterations = o.iterations;
    world_.getSolverInfo().m_restitutionVelocityThreshold = 0.0;
  }
  ~World() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  template <class Shape, class... Words>
  Shape* shape(Words... words) {
    shapes_.push_back(std::make_unique<Shape>(words...));
    return static_cast<Shape*>(shapes_.back().get());
  }
  /// Bullet multiplies the coefficients of both bodies: `friction` is the root of the pair's.
  btRigidBody* add(btCollisionShape* shape, double mass, const btVector3& inertia,
                   const btVector3& position, double friction, double restitution) {
    btTransform X;
    X.setIdentity();
    X.setOrigin(position);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform = X;
    info.m_friction = std::sqrt(friction);
    info.m_restitution = restitution;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
    return bodies_.back().get();
  }
  /// Collisions of meshes that move.
  void enable_gimpact() { btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_); }
  void step() { world_.stepSimulation(step_, 0); }
  btDiscreteDynamicsWorld& world() { return world_; }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broad_phase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  double step_;
};

inline std::string setting_of(const Options& o) {
  return "sequential impulses, " + std::to_string(o.iterations) + " iterations, step " +
         short_number(o.step) + " s";
}

}  // namespace carom::bench
