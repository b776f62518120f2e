// Distance of convex pairs, Carom beside its peers: median time and largest errors.
//
//   bench_proximity [--poses N] [--repeats N] [--pair name] > proximity.csv
//
// One line per pair, pose class, start (cold, warm) and engine. Times are thread CPU
// times, the median over repeats of the mean over all poses, engines in turn. `gross` is
// the share of answers that are missing, off by more than 1e-4 m or by more than
// 0.1 rad. `ratio` is the time of the fastest counted peer with gross <= 0.1 % over Carom's.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cases.h"

namespace carom::bench {
namespace {

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Options {
  int poses = 400, repeats = 7;
  std::string pair;
};

struct Row {
  std::string engine;
  bool counted = true;
  double nanoseconds = 0.0, d_error = 0.0, n_error = 0.0, gross = 0.0;
};

constexpr int kSequence = 20;

double time_once(Engine& e, const std::vector<KnownPose>& poses, bool warm) {
  const double start = cpu_seconds();
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (warm && i % kSequence == 0) e.reset();
    e.query(poses[i].X_WA, poses[i].X_WB, warm);
  }
  return 1e9 * (cpu_seconds() - start) / static_cast<double>(poses.size());
}

void measure_errors(Engine& e, const std::vector<KnownPose>& poses, bool warm, Row& row) {
  int gross = 0;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (warm && i % kSequence == 0) e.reset();
    const Answer a = e.query(poses[i].X_WA, poses[i].X_WB, warm);
    const double d = std::abs(a.d - poses[i].d), n = norm(a.n - poses[i].n);
    if (!a.ok || !(d < 1e-4) || !(n < 0.1)) {
      ++gross;
      continue;
    }
    row.d_error = std::max(row.d_error, d), row.n_error = std::max(row.n_error, n);
  }
  row.gross = gross / static_cast<double>(poses.size());
}

std::vector<Row> measure(Engines& engines, const Pair& pair, const std::vector<KnownPose>& poses,
                         bool overlap, bool warm, int repeats) {
  std::vector<Row> rows;
  std::vector<Engine*> used;
  for (auto& e : engines) {
    if ((e->overlap_only() && !overlap) || !e->load(pair.A, pair.B)) continue;
    Row row{e->name(), e->counted()};
    measure_errors(*e, poses, warm, row);
    rows.push_back(row);
    used.push_back(e.get());
  }
  std::vector<std::vector<double>> times(used.size());
  for (int r = 0; r < repeats; ++r) {
    for (std::size_t i = 0; i < used.size(); ++i)
      times[i].push_back(time_once(*used[i], poses, warm));
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    std::nth_element(times[i].begin(), times[i].begin() + repeats / 2, times[i].end());
    rows[i].nanoseconds = times[i][static_cast<std::size_t>(repeats / 2)];
  }
  return rows;
}

void print(const Pair& pair, const char* pose_class, bool warm, const std::vector<Row>& rows) {
  double fastest = 0.0;
  for (const Row& r : rows) {
    if (r.engine == "carom" || !r.counted || r.gross > 1e-3) continue;
    if (fastest == 0.0 || r.nanoseconds < fastest) fastest = r.nanoseconds;
  }
  for (const Row& r : rows) {
    std::printf("%s,%s,%s,%s,%.0f,%.2g,%.2g,%.4f,", pair.name.c_str(), pose_class,
                warm ? "warm" : "cold", r.engine.c_str(), r.nanoseconds, r.d_error, r.n_error,
                r.gross);
    if (r.engine == "carom" && fastest > 0.0) std::printf("%.2f", fastest / r.nanoseconds);
    std::printf("\n");
  }
  std::fflush(stdout);
}

int run(const Options& options) {
  Engines engines;
  add_carom(engines);
#ifdef CAROM_BENCH_FCL
  add_fcl(engines);
#endif
#ifdef CAROM_BENCH_CCD
  add_ccd(engines);
#endif
#ifdef CAROM_BENCH_BULLET
  add_bullet(engines);
#endif
  std::printf("pair,poses,start,engine,median_ns,max_d_error,max_n_error,gross,ratio\n");
  for (const Pair& pair : make_pairs()) {
    if (!options.pair.empty() && options.pair != pair.name) continue;
    for (int c = 0; c < 4; ++c) {
      const auto pose_class = static_cast<PoseClass>(c);
      const bool overlap = pose_class == PoseClass::shallow || pose_class == PoseClass::deep;
      const auto cold = make_poses(pair, pose_class, options.poses, 1, 7);
      if (cold.empty()) continue;
      print(pair, kClassNames[c], false,
            measure(engines, pair, cold, overlap, false, options.repeats));
      const auto warm =
          make_poses(pair, pose_class, std::max(options.poses / kSequence, 1), kSequence, 8);
      if (warm.empty()) continue;
      print(pair, kClassNames[c], true,
            measure(engines, pair, warm, overlap, true, options.repeats));
    }
  }
  return 0;
}

}  // namespace
}  // namespace carom::bench

int main(int argc, char** argv) {
  carom::bench::Options o;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!std::strcmp(argv[i], "--poses")) o.poses = std::atoi(argv[i + 1]);
    if (!std::strcmp(argv[i], "--repeats")) o.repeats = std::atoi(argv[i + 1]);
    if (!std::strcmp(argv[i], "--pair")) o.pair = argv[i + 1];
  }
  return carom::bench::run(o);
}
