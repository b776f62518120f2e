// DART: Skeleton::computeForwardDynamics, its articulated-body algorithm.
//
// A FreeJoint has positions (rotation vector, position), velocities and forces as
// twist and wrench of the body in body axes; the acceleration is the rate of that
// twist.
#include <dart/dynamics/dynamics.hpp>

#include "carom/math/pose.h"
#include "engine.h"

namespace carom::bench {
namespace {

namespace dd = dart::dynamics;

Eigen::Isometry3d pose_in_parent(const BodySpec& b) {
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  T.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(b.R_PF.data());
  T.translation() = Eigen::Map<const Eigen::Vector3d>(b.p_PF.data());
  return T;
}

Vec3 segment(const Eigen::VectorXd& x, Eigen::Index i) { return {x[i], x[i + 1], x[i + 2]}; }
void set_segment(Eigen::VectorXd& x, Eigen::Index i, const Vec3& a) {
  x[i] = a.x, x[i + 1] = a.y, x[i + 2] = a.z;
}

class DartEngine final : public Engine {
 public:
  explicit DartEngine(const ModelSpec& model)
      : free_(model.bodies[0].free), skeleton_(dd::Skeleton::create(model.name)) {
    for (const BodySpec& b : model.bodies) {
      const std::string name = std::to_string(nodes_.size());  // unique, or DART prints a remark
      dd::BodyNode::Properties body;
      body.mName = "body" + name;
      body.mInertia.setMass(b.mass);
      body.mInertia.setLocalCOM({b.com[0], b.com[1], b.com[2]});
      body.mInertia.setMoment(b.I_com[0], b.I_com[1], b.I_com[2], b.I_com[3], b.I_com[4],
                              b.I_com[5]);
      dd::BodyNode* parent = b.parent < 0 ? nullptr : nodes_[static_cast<std::size_t>(b.parent)];
      if (b.free) {
        dd::FreeJoint::Properties joint;
        joint.mName = "joint" + name;
        joint.mT_ParentBodyToJoint = pose_in_parent(b);
        nodes_.push_back(
            skeleton_->createJointAndBodyNodePair<dd::FreeJoint>(parent, joint, body).second);
      } else {
        dd::RevoluteJoint::Properties joint;
        joint.mName = "joint" + name;
        joint.mAxis = Eigen::Vector3d::UnitZ();
        joint.mT_ParentBodyToJoint = pose_in_parent(b);
        nodes_.push_back(
            skeleton_->createJointAndBodyNodePair<dd::RevoluteJoint>(parent, joint, body).second);
      }
    }
    skeleton_->setGravity({0, 0, -kGravity});
  }

  std::string name() const override { return "DART 6.12.1"; }
  std::string timed() const override {
    return "setPositions/Velocities/Forces + computeForwardDynamics";
  }

  void prepare(const std::vector<State>& states) override {
    const auto nv = static_cast<Eigen::Index>(skeleton_->getNumDofs());
    for (const State& s : states) {
      Native n{Eigen::VectorXd(nv), Eigen::VectorXd(nv), Eigen::VectorXd(nv), Mat3{}};
      std::size_t q = 0, v = 0;
      if (free_) {
        const Quat r{s.q[0], s.q[1], s.q[2], s.q[3]};
        n.R = to_matrix(r);
        set_segment(n.q, 0, quat_log(r));
        set_segment(n.q, 3, {s.q[4], s.q[5], s.q[6]});
        for (std::size_t i : {0u, 3u}) {
          const auto at = static_cast<Eigen::Index>(i);
          set_segment(n.v, at, transpose_times(n.R, {s.v[i], s.v[i + 1], s.v[i + 2]}));
          set_segment(n.tau, at, transpose_times(n.R, {s.tau[i], s.tau[i + 1], s.tau[i + 2]}));
        }
        q = 7, v = 6;
      }
      for (std::size_t b = free_ ? 1 : 0; b < nodes_.size(); ++b, ++q, ++v) {
        const auto at = dof(b);
        n.q[at] = s.q[q], n.v[at] = s.v[v], n.tau[at] = s.tau[v];
      }
      states_.push_back(n);
    }
  }

  void evaluate(std::size_t k) override {
    skeleton_->setPositions(states_[k].q);
    skeleton_->setVelocities(states_[k].v);
    skeleton_->setForces(states_[k].tau);
    skeleton_->computeForwardDynamics();
  }

  void read(std::size_t k, std::vector<double>& vdot) const override {
    const Eigen::VectorXd a = skeleton_->getAccelerations();
    std::size_t v = 0;
    if (free_) {
      const Native& n = states_[k];
      const Vec3 turning = n.R * segment(a, 0);
      const Vec3 moving = n.R * (segment(a, 3) + cross(segment(n.v, 0), segment(n.v, 3)));
      for (std::size_t i = 0; i < 3; ++i) vdot[i] = turning[i], vdot[3 + i] = moving[i];
      v = 6;
    }
    for (std::size_t b = free_ ? 1 : 0; b < nodes_.size(); ++b) vdot[v++] = a[dof(b)];
  }

 private:
  struct Native {
    Eigen::VectorXd q, v, tau;
    Mat3 R;
  };
  Eigen::Index dof(std::size_t b) const {
    return static_cast<Eigen::Index>(nodes_[b]->getParentJoint()->getIndexInSkeleton(0));
  }

  bool free_;
  dd::SkeletonPtr skeleton_;
  std::vector<dd::BodyNode*> nodes_;
  std::vector<Native> states_;
};

}  // namespace

void add_dart(const ModelSpec& model, Engines& engines) {
  engines.push_back(std::make_unique<DartEngine>(model));
}

}  // namespace carom::bench
