// Carom: kinematics, gravity as applied wrenches, articulated-body algorithm.
#include "carom/multibody/dynamics.h"
#include "engine.h"

namespace carom::bench {
namespace {

TreeModel make_tree(const ModelSpec& model, std::vector<int>& link_of) {
  TreeModel tree;
  const JointKind& hinge = *find_joint_kind("revolute");
  const JointKind& floating = *find_joint_kind("free");
  for (const BodySpec& body : model.bodies) {
    const auto& [xx, yy, zz, xy, xz, yz] = body.I_origin;
    const Vec3 com{body.com[0], body.com[1], body.com[2]};
    const Inertia inertia{body.mass, body.mass * com, {xx, yy, zz, xy, xz, yz}};
    Pose X_PF{Mat3{}, {body.p_PF[0], body.p_PF[1], body.p_PF[2]}};
    for (std::size_t k = 0; k < 9; ++k) X_PF.R.m[k] = body.R_PF[k];
    add_link(tree, body.parent + 1, body.free ? floating : hinge, X_PF, inertia);
  }
  link_of = finish_tree(tree);
  return tree;
}

class CaromEngine final : public Engine {
 public:
  explicit CaromEngine(const ModelSpec& model)
      : model_(model), tree_(make_tree(model, link_of_)), data_(tree_) {}

  std::string name() const override { return "Carom"; }
  std::string timed() const override { return "calc_kinematics + gravity + forward_dynamics"; }

  void prepare(const std::vector<State>& states) override {
    states_.assign(states.begin(), states.end());
    for (std::size_t k = 0; k < states.size(); ++k) {
      std::size_t q = 0, v = 0;
      for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
        const Link& link = link_of_body(b);
        for (int i = 0; i < link.joint->nq; ++i, ++q) {
          states_[k].q[static_cast<std::size_t>(link.q0 + i)] = states[k].q[q];
        }
        for (int i = 0; i < link.joint->nv; ++i, ++v) {
          const auto j = static_cast<std::size_t>(link.v0 + i);
          states_[k].v[j] = states[k].v[v];
          states_[k].tau[j] = states[k].tau[v];
        }
      }
    }
  }

  void evaluate(std::size_t k) override {
    const State& s = states_[k];
    calc_kinematics(tree_, s.q, s.v, data_);
    for (std::size_t j = 0; j < s.tau.size(); ++j) data_.tau[j] = s.tau[j];
    const Vec3 g{0, 0, -kGravity};
    for (std::size_t i = 1; i < tree_.links.size(); ++i) {
      data_.links[i].f_ext = {cross(data_.links[i].h, g), tree_.links[i].inertia.m * g};
    }
    forward_dynamics(tree_, data_);
  }

  void read(std::size_t, std::vector<double>& vdot) const override {
    std::size_t v = 0;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const Link& link = link_of_body(b);
      for (int i = 0; i < link.joint->nv; ++i, ++v) {
        vdot[v] = data_.vdot[static_cast<std::size_t>(link.v0 + i)];
      }
    }
  }

 private:
  const Link& link_of_body(std::size_t b) const {
    return tree_.links[static_cast<std::size_t>(link_of_[b + 1])];
  }

  ModelSpec model_;
  std::vector<int> link_of_;
  TreeModel tree_;
  TreeData data_;
  std::vector<State> states_;
};

}  // namespace

void add_carom(const ModelSpec& model, Engines& engines) {
  engines.push_back(std::make_unique<CaromEngine>(model));
}

}  // namespace carom::bench
