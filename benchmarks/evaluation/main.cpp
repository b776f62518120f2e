// Right-hand sides of whole scenes, as an integrator calls them.
//
//   bench_evaluation               CSV: scene, states, ns per evaluation
//   bench_evaluation SCENE COUNT   evaluates COUNT times; the difference of two callgrind
//                                  counts divided by the difference of COUNT is the
//                                  number of instructions per evaluation
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../common/clock.h"
#include "carom/engine/evaluate.h"
#include "carom/scene/read/read.h"

namespace {

using namespace carom;

const char* kFreeBody = R"yaml(
carom: 1
bodies: {top: {mass: 1, inertia: [1, 2, 3], angular_velocity: [0.5, 3, 0.2]}}
run: {until: 1}
)yaml";

const char* kPendulum = R"yaml(
carom: 1
bodies: {rod: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1], joint: {revolute: {axis: y}, name: pivot, q: 0.3, damping: 0.1}}}
run: {until: 1}
)yaml";

std::string pendulums(int count) {
  std::string text = "carom: 1\nbodies:\n";
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += "  rod" + n +
            ": {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1], joint: {revolute: {axis: y, "
            "at: [0, " +
            n + ", 0]}, name: pivot" + n + ", q: 0.3}}\n";
  }
  return text + "run: {until: 1}\n";
}

struct Case {
  explicit Case(const std::string& text) {
    Diagnostics diagnostics;
    model = compile(read_scene_text(text), diagnostics);
    workspace = std::make_unique<Workspace>(model);
    apply_modes(*workspace);
    rates.resize(model->size());
  }
  void evaluate(long count) {
    for (long i = 0; i < count; ++i) calc_rates(*workspace, 0.0, model->initial, rates);
  }
  std::shared_ptr<const Model> model;
  std::unique_ptr<Workspace> workspace;
  std::vector<double> rates;
};

void time_case(const char* name, Case& c, long count) {
  std::vector<double> times;
  for (int repeat = 0; repeat < 15; ++repeat) {
    bench::Stopwatch watch;
    watch.start();
    c.evaluate(count);
    watch.stop();
    times.push_back(1e9 * watch.seconds() / static_cast<double>(count));
  }
  std::sort(times.begin(), times.end());
  std::printf("%s,%zu,%.1f\n", name, c.model->size(), times[times.size() / 2]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) {
    Case c(std::string(argv[1]) == "free_body" ? kFreeBody : kPendulum);
    c.evaluate(std::atol(argv[2]));
    return 0;
  }
  std::puts("scene,states,ns_per_evaluation");
  Case free_body(kFreeBody), pendulum(kPendulum);
  time_case("free_body", free_body, 20000);
  time_case("pendulum", pendulum, 20000);
  for (const int count : {100, 1000, 10000}) {
    Case c(pendulums(count));
    time_case(("pendulums_" + std::to_string(count)).c_str(), c, 200000 / count);
  }
}
