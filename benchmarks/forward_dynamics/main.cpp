// bench_forward_dynamics: all engines on the same mechanisms and states.
//
// First the accelerations of all states are compared with Carom's; then the engines
// are timed in turn, over and over, so that a change of the machine's speed meets
// all of them. Prints CSV. With two arguments, `model engine_index [count]`, it only
// evaluates, for instruction counts under callgrind.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../common/clock.h"
#include "engine.h"

namespace carom::bench {
namespace {

constexpr int kRepeats = 41;
constexpr double kSecondsPerRepeat = 4e-3;
constexpr int kStates = 64;

/// Largest difference from Carom's accelerations over all states, relative to the
/// largest acceleration of the state.
double largest_difference(Engine& reference, Engine& engine, int nv) {
  std::vector<double> a(static_cast<std::size_t>(nv)), b(a);
  double worst = 0.0;
  for (std::size_t k = 0; k < kStates; ++k) {
    reference.evaluate(k);
    reference.read(k, a);
    engine.evaluate(k);
    engine.read(k, b);
    double scale = 0.0, difference = 0.0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      scale = std::fmax(scale, std::fabs(a[j]));
      difference = std::fmax(difference, std::fabs(a[j] - b[j]));
    }
    worst = std::fmax(worst, difference / scale);
  }
  return worst;
}

void evaluate_many(Engine& engine, long count) {
  for (long i = 0; i < count; ++i) engine.evaluate(static_cast<std::size_t>(i % kStates));
}

struct Timing {
  long evaluations = 64;
  std::vector<double> ns;
};

std::vector<Timing> time_in_turn(Engines& engines) {
  std::vector<Timing> timings(engines.size());
  for (std::size_t e = 0; e < engines.size(); ++e) {
    double seconds = 0.0;
    for (Timing& t = timings[e];; t.evaluations *= 2) {
      const double begin = thread_cpu_seconds();
      evaluate_many(*engines[e], t.evaluations);
      seconds = thread_cpu_seconds() - begin;
      if (seconds > 0.5 * kSecondsPerRepeat) break;
    }
  }
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    for (std::size_t e = 0; e < engines.size(); ++e) {
      const double begin = thread_cpu_seconds();
      evaluate_many(*engines[e], timings[e].evaluations);
      const double seconds = thread_cpu_seconds() - begin;
      timings[e].ns.push_back(1e9 * seconds / static_cast<double>(timings[e].evaluations));
    }
  }
  return timings;
}

/// Returns false if an engine disagrees.
bool run(const ModelSpec& model) {
  Engines engines = make_engines(model);
  const std::vector<State> states = random_states(model, kStates, 20260101);
  for (auto& engine : engines) engine->prepare(states);
  std::vector<double> differences;
  for (auto& engine : engines) {
    differences.push_back(largest_difference(*engines[0], *engine, model.nv()));
  }
  const std::vector<Timing> timings = time_in_turn(engines);
  const double carom = quantile(timings[0].ns, 0.5);
  bool agree = true;
  for (std::size_t e = 0; e < engines.size(); ++e) {
    const std::vector<double>& ns = timings[e].ns;
    const double median = quantile(ns, 0.5);
    std::printf("%s,%s,%s,%d,%ld,%.1f,%.1f,%.1f,%.1f,%.3f,%.2e\n", model.name.c_str(),
                engines[e]->name().c_str(), engines[e]->timed().c_str(), kRepeats,
                timings[e].evaluations, median, quantile(ns, 0.0), quantile(ns, 0.25),
                quantile(ns, 0.75), median / carom, differences[e]);
    if (!(differences[e] <= 1e-9)) {
      std::fprintf(stderr, "%s: %s differs by %.2e\n", model.name.c_str(),
                   engines[e]->name().c_str(), differences[e]);
      agree = false;
    }
  }
  return agree;
}

int count_only(const ModelSpec& model, int argc, char** argv) {
  Engines engines = make_engines(model);
  const std::vector<State> states = random_states(model, kStates, 20260101);
  const auto index = static_cast<std::size_t>(std::atoi(argv[2]));
  if (index >= engines.size()) return 2;
  engines[index]->prepare(states);
  evaluate_many(*engines[index], argc > 3 ? std::atol(argv[3]) : 100);
  std::printf("%s,%s,%s\n", model.name.c_str(), engines[index]->name().c_str(),
              engines[index]->timed().c_str());
  return 0;
}

}  // namespace
}  // namespace carom::bench

int main(int argc, char** argv) {
  using namespace carom::bench;
  const ModelSpec models[] = {arm7(), humanoid30(), chain100()};
  if (argc > 2) {
    for (const ModelSpec& model : models) {
      if (model.name == argv[1]) return count_only(model, argc, argv);
    }
    return 2;
  }
  std::puts(
      "model,engine,timed,repeats,evaluations,median_ns,min_ns,quartile1_ns,quartile3_ns,"
      "ratio_to_carom,largest_difference");
  bool agree = true;
  for (const ModelSpec& model : models) agree &= run(model);
  return agree ? 0 : 1;
}
