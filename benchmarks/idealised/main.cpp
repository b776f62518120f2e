// CPU time of the experiments of Oestersoetebier, Wang and Traechtler (2014), one simulated
// second each at rtol 1e-8, beside the times that their table 1 gives for Dymola and RecurDyn on
// a Core2Duo of 2.53 GHz.
//
//   bench_idealised EXAMPLES      CSV: experiment, median, least, Dymola, RecurDyn [s], steps
#include <cstdio>
#include <string>

#include "../common/clock.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/simulation.h"

namespace {

using namespace carom;

struct Experiment {
  const char* scene;
  double dymola, recurdyn;  ///< the fastest variants of the paper [s]
};

constexpr Experiment kExperiments[] = {{"idealised_1", 0.37, 0.20},
                                       {"idealised_1_figure", 0.37, 0.20},
                                       {"idealised_2", 0.61, 4.98},
                                       {"idealised_3", 5.63, 0.59}};

std::shared_ptr<const Model> load(const std::string& path) {
  ReadOptions options;
  options.overrides = {"run.until=1", "run.tolerance=1e-8"};
  Diagnostics diagnostics;
  return compile(read_scene_file(path, options), diagnostics);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_idealised EXAMPLES\n");
    return 2;
  }
  std::printf("experiment,median_s,least_s,dymola_s,recurdyn_s,steps,evaluations\n");
  for (const Experiment& e : kExperiments) {
    const std::shared_ptr<const Model> model = load(std::string(argv[1]) + "/" + e.scene + ".yaml");
    std::vector<double> times;
    RunStatistics statistics;
    for (int repeat = 0; repeat < 11; ++repeat) {
      Simulation simulation(model);
      bench::Stopwatch watch;
      watch.start();
      simulation.advance(1.0);
      watch.stop();
      times.push_back(watch.seconds());
      statistics = simulation.statistics();
    }
    std::printf("%s,%.6f,%.6f,%g,%g,%lld,%lld\n", e.scene, bench::quantile(times, 0.5),
                bench::quantile(times, 0.0), e.dymola, e.recurdyn,
                static_cast<long long>(statistics.counts.steps),
                static_cast<long long>(statistics.counts.rhs_evaluations));
  }
}
