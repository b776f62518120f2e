// Simbody: realize to velocities, then the acceleration operator of the matter
// subsystem with forces given by us; and the usual way through the force subsystem.
//
// A Free mobilizer has q = (quaternion, position) and u = (angular velocity,
// velocity), both in the parent's axes: the convention of models.h.
#include <Simbody.h>

#include "engine.h"

namespace carom::bench {
namespace {

SimTK::Vec3 to_simtk(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
SimTK::Transform pose_in_parent(const BodySpec& b) {
  return {SimTK::Rotation(SimTK::Mat33(b.R_PF.data()), true), to_simtk(b.p_PF)};
}

class SimbodyEngine final : public Engine {
 public:
  SimbodyEngine(const ModelSpec& model, bool whole)
      : whole_(whole), matter_(system_), forces_(system_), discrete_(forces_, matter_) {
    if (whole) SimTK::Force::Gravity(forces_, matter_, -SimTK::ZAxis, kGravity);
    for (const BodySpec& b : model.bodies) {
      const auto& I = b.I_origin;
      const SimTK::Body::Rigid body(SimTK::MassProperties(
          b.mass, to_simtk(b.com), SimTK::Inertia(I[0], I[1], I[2], I[3], I[4], I[5])));
      SimTK::MobilizedBody& parent = b.parent < 0
                                         ? static_cast<SimTK::MobilizedBody&>(matter_.updGround())
                                         : bodies_[static_cast<std::size_t>(b.parent)];
      if (b.free) {
        bodies_.push_back(
            SimTK::MobilizedBody::Free(parent, pose_in_parent(b), body, SimTK::Transform()));
      } else {
        bodies_.push_back(
            SimTK::MobilizedBody::Pin(parent, pose_in_parent(b), body, SimTK::Transform()));
      }
    }
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
    gravity_.resize(matter_.getNumBodies());
    gravity_ = SimTK::SpatialVec(SimTK::Vec3(0), SimTK::Vec3(0));
  }

  std::string name() const override { return "Simbody 3.7"; }
  std::string timed() const override {
    return whole_ ? "realize(Acceleration) with gravity and discrete forces"
                  : "realize(Velocity) + gravity + calcAcceleration";
  }

  void prepare(const std::vector<State>& states) override {
    for (const State& s : states) {
      Native n{SimTK::Vector(state_.getNQ(), 0.0), SimTK::Vector(state_.getNU(), 0.0),
               SimTK::Vector(state_.getNU(), 0.0)};
      std::size_t q = 0, v = 0;
      for (const SimTK::MobilizedBody& b : bodies_) {
        const int nq = b.getNumQ(state_), nu = b.getNumU(state_);
        for (int i = 0; i < nq; ++i) n.q[b.getFirstQIndex(state_) + i] = s.q[q++];
        for (int i = 0; i < nu; ++i, ++v) {
          n.u[b.getFirstUIndex(state_) + i] = s.v[v];
          n.tau[b.getFirstUIndex(state_) + i] = s.tau[v];
        }
      }
      states_.push_back(n);
    }
  }

  void evaluate(std::size_t k) override {
    const Native& n = states_[k];
    state_.updQ() = n.q;
    state_.updU() = n.u;
    if (whole_) {
      discrete_.setAllMobilityForces(state_, n.tau);
      system_.realize(state_, SimTK::Stage::Acceleration);
      udot_ = state_.getUDot();
      return;
    }
    system_.realize(state_, SimTK::Stage::Velocity);
    const SimTK::Vec3 g(0, 0, -kGravity);
    for (const SimTK::MobilizedBody& b : bodies_) {
      const SimTK::Vec3 h =
          b.getBodyMass(state_) * (b.getBodyRotation(state_) * b.getBodyMassCenterStation(state_));
      gravity_[b.getMobilizedBodyIndex()] = SimTK::SpatialVec(h % g, b.getBodyMass(state_) * g);
    }
    system_.realize(state_, SimTK::Stage::Dynamics);
    matter_.calcAcceleration(state_, n.tau, gravity_, udot_, A_GB_);
  }

  void read(std::size_t, std::vector<double>& vdot) const override {
    std::size_t v = 0;
    for (const SimTK::MobilizedBody& b : bodies_) {
      for (int i = 0; i < b.getNumU(state_); ++i) vdot[v++] = udot_[b.getFirstUIndex(state_) + i];
    }
  }

 private:
  struct Native {
    SimTK::Vector q, u, tau;
  };

  bool whole_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::DiscreteForces discrete_;
  std::vector<SimTK::MobilizedBody> bodies_;
  SimTK::State state_;
  SimTK::Vector_<SimTK::SpatialVec> gravity_, A_GB_;
  SimTK::Vector udot_;
  std::vector<Native> states_;
};

}  // namespace

void add_simbody(const ModelSpec& model, Engines& engines) {
  engines.push_back(std::make_unique<SimbodyEngine>(model, false));
  engines.push_back(std::make_unique<SimbodyEngine>(model, true));
}

}  // namespace carom::bench
