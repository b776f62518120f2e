// bench_scaling: what one right-hand side of the smallest and of large systems costs
// in Carom alone: kinematics, position rates, gravity, articulated-body algorithm.
//
// Prints CSV. With arguments `free_bodies|pendulums count evaluations` it only
// evaluates, for instruction counts under callgrind.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../common/clock.h"
#include "carom/multibody/dynamics.h"

namespace carom::bench {
namespace {

class System {
 public:
  System(const std::string& kind, int count) : tree_(make_tree(kind, count)), data_(tree_) {
    q_.resize(static_cast<std::size_t>(tree_.nq));
    qdot_.resize(q_.size());
    v_.assign(static_cast<std::size_t>(tree_.nv), 0.3);
    for (std::size_t i = 1; i < tree_.links.size(); ++i) {
      tree_.links[i].joint->set_zero(q_.data() + tree_.links[i].q0);
    }
  }

  void evaluate() {
    q_[0] += 1e-9;  // a fresh state each time
    calc_kinematics(tree_, q_, v_, data_);
    calc_position_rates(tree_, q_, v_, qdot_);
    clear_forces(data_);
    const Vec3 g{0, 0, -9.81};
    for (std::size_t i = 1; i < tree_.links.size(); ++i) {
      data_.links[i].f_ext += {cross(data_.links[i].h, g), tree_.links[i].inertia.m * g};
    }
    forward_dynamics(tree_, data_);
  }

 private:
  static TreeModel make_tree(const std::string& kind, int count) {
    TreeModel tree;
    const bool pendulums = kind == "pendulums";
    const JointKind& joint = *find_joint_kind(pendulums ? "revolute" : "free");
    const Vec3 com = pendulums ? Vec3{0.5, 0, 0} : Vec3{};
    const Inertia inertia{1.0, com, Sym3::diagonal({0.1, 0.2, 0.25}) + point_inertia(com)};
    for (int i = 0; i < count; ++i) {
      const Vec3 p{static_cast<double>(i), 0, 0};
      const Mat3 R = pendulums ? rotation_x(-0.5 * 3.14159) : Mat3{};
      add_link(tree, 0, joint, {R, p}, inertia);
    }
    finish_tree(tree);
    return tree;
  }

  TreeModel tree_;
  TreeData data_;
  std::vector<double> q_, qdot_, v_;
};

void report(const std::string& kind, int count) {
  constexpr int kRepeats = 41;
  System system(kind, count);
  const long evaluations = 1 + 40000 / count;
  std::vector<double> ns;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const double begin = thread_cpu_seconds();
    for (long i = 0; i < evaluations; ++i) system.evaluate();
    ns.push_back(1e9 * (thread_cpu_seconds() - begin) / static_cast<double>(evaluations));
  }
  const double median = quantile(ns, 0.5);
  std::printf("%s,%d,%d,%ld,%.1f,%.1f,%.1f,%.1f,%.2f\n", kind.c_str(), count, kRepeats, evaluations,
              median, quantile(ns, 0.0), quantile(ns, 0.25), quantile(ns, 0.75), median / count);
}

}  // namespace
}  // namespace carom::bench

int main(int argc, char** argv) {
  using namespace carom::bench;
  if (argc > 3) {
    System system(argv[1], std::atoi(argv[2]));
    for (long i = std::atol(argv[3]); i > 0; --i) system.evaluate();
    return 0;
  }
  std::puts(
      "system,bodies,repeats,evaluations,median_ns,min_ns,quartile1_ns,quartile3_ns,ns_per_body");
  report("free_bodies", 1);
  for (const char* kind : {"free_bodies", "pendulums"}) {
    for (const int count : {100, 1000, 10000}) report(kind, count);
  }
  return 0;
}
