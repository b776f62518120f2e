// A DART world with Bullet's collision detector and the Dantzig solver (its recommended pair).
#pragma once

#include <dart/collision/bullet/bullet.hpp>
#include <dart/collision/fcl/fcl.hpp>
#include <dart/constraint/constraint.hpp>
#include <dart/dynamics/dynamics.hpp>
#include <dart/simulation/simulation.hpp>

#include <string>

#include "../../common/report.h"

namespace carom::bench {

using dart::dynamics::BodyNode;
using dart::dynamics::ShapePtr;
using dart::dynamics::SkeletonPtr;
using Eigen::Vector3d;

class World {
 public:
  World(double step, double gravity) {
    world_->setTimeStep(step);
    world_->setGravity(Vector3d(0, 0, -gravity));
    world_->getConstraintSolver()->setCollisionDetector(
        dart::collision::BulletCollisionDetector::create());
  }

  BodyNode* add_free(const ShapePtr& shape, double mass, const Vector3d& inertia,
                     const Vector3d& position, double friction, double restitution) {
    const SkeletonPtr skeleton = create();
    const auto [joint, body] = skeleton->createJointAndBodyNodePair<dart::dynamics::FreeJoint>(
        nullptr, dart::dynamics::FreeJoint::Properties(), properties(mass, inertia));
    if (shape) attach(body, shape, Vector3d::Zero(), friction, restitution);
    Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
    X.translation() = position;
    joint->setTransform(X);
    world_->addSkeleton(skeleton);
    return body;
  }
  void add_fixed(const ShapePtr& shape, const Vector3d& position, double friction,
                 double restitution) {
    const SkeletonPtr skeleton = create();
    BodyNode* body = skeleton->createJointAndBodyNodePair<dart::dynamics::WeldJoint>().second;
    attach(body, shape, position, friction, restitution);
    skeleton->setMobile(false);
    world_->addSkeleton(skeleton);
  }
  SkeletonPtr add_slider(const ShapePtr& shape, double mass, const Vector3d& position,
                         double friction) {
    const SkeletonPtr skeleton = create();
    dart::dynamics::PrismaticJoint::Properties joint;
    joint.mAxis = Vector3d::UnitX();
    joint.mT_ParentBodyToJoint.translation() = position;
    BodyNode* body = skeleton
                         ->createJointAndBodyNodePair<dart::dynamics::PrismaticJoint>(
                             nullptr, joint, properties(mass, Vector3d(0.01, 0.01, 0.01)))
                         .second;
    attach(body, shape, Vector3d::Zero(), friction, 0.0);
    world_->addSkeleton(skeleton);
    return skeleton;
  }
  /// DART's own default; Bullet's detector finds no contact between two of its mesh shapes.
  void use_fcl() {
    world_->getConstraintSolver()->setCollisionDetector(
        dart::collision::FCLCollisionDetector::create());
  }
  void step() { world_->step(); }
  dart::simulation::World& world() { return *world_; }

 private:
  SkeletonPtr create() {
    return dart::dynamics::Skeleton::create("s" + std::to_string(world_->getNumSkeletons()));
  }
  static BodyNode::Properties properties(double mass, const Vector3d& inertia) {
    BodyNode::Properties p;
    p.mInertia.setMass(mass);
    p.mInertia.setMoment(inertia[0], inertia[1], inertia[2], 0, 0, 0);
    return p;
  }
  static void attach(BodyNode* body, const ShapePtr& shape, const Vector3d& at, double friction,
                     double restitution) {
    using namespace dart::dynamics;
    auto* node = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape);
    node->setRelativeTranslation(at);
    node->getDynamicsAspect()->setFrictionCoeff(friction);
    node->getDynamicsAspect()->setRestitutionCoeff(restitution);
  }

  dart::simulation::WorldPtr world_ = dart::simulation::World::create();
};

inline std::string setting_of(double step) {
  return "Dantzig, Bullet's collisions, step " + short_number(step) + " s";
}

}  // namespace carom::bench
