// What a sweep costs beyond its runs: hand-out to a thousand ranks, merge of a million rows,
// overhead per run, memory. Prints one table.
//
//   bench_sweep protocol [RANKS RUNS SECONDS_PER_RUN]
//   bench_sweep merge [ROWS]
//   bench_sweep overhead [RUNS]
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <queue>

#include "carom/base/cpu_time.h"
#include "carom/scene/load.h"
#include "carom/simulation/run.h"
#include "carom/sweep/hand_out.h"
#include "carom/sweep/point_runner.h"
#include "carom/sweep/protocol.h"
#include "carom/sweep/read_study.h"
#include "carom/sweep/sweep.h"

namespace carom::sweep {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// The master's own code, driven by workers that exist in simulated time only.
void protocol(int ranks, std::uint64_t runs, double seconds) {
  std::vector<std::uint64_t> points(runs);
  for (std::uint64_t i = 0; i < runs; ++i) points[i] = i;
  HandOut out(points, static_cast<std::size_t>(ranks));
  struct Done {
    double at;
    int rank;
    std::vector<std::uint64_t> points;
    double spent;
    bool operator<(const Done& other) const { return at > other.at; }
  };
  std::priority_queue<Done> queue;
  std::uint64_t messages = 0, bytes = 0, random = 0;
  double master = 0.0, end = 0.0, work_total = 0.0;
  const auto give = [&](int rank, double now) {
    const double begin = thread_cpu_seconds();
    Note work(Note::Kind::work);
    work.points = out.take(rank, now);
    work.attempts.assign(work.points.size(), 1);
    const std::string text = encode(work);
    master += thread_cpu_seconds() - begin;
    if (work.points.empty()) return;
    ++messages;
    bytes += text.size();
    double spent = 0.0;  // exponentially distributed run times
    for (std::size_t i = 0; i < work.points.size(); ++i) {
      spent -= seconds * std::log(random_unit(1, 0, random++));
    }
    work_total += spent;
    queue.push({now + spent, rank, work.points, spent});
  };
  for (int rank = 0; rank < ranks; ++rank) give(rank, 0.0);
  while (!queue.empty()) {
    const Done d = queue.top();
    queue.pop();
    Note done(Note::Kind::done);
    done.points = d.points;
    done.seconds = d.spent;
    const std::string text = encode(done);
    ++messages;
    bytes += text.size();
    const double begin = thread_cpu_seconds();
    const auto note = decode_note(text);
    for (const std::uint64_t p : note->points) {
      out.done(d.rank, p, d.spent / static_cast<double>(d.points.size()));
    }
    master += thread_cpu_seconds() - begin;
    end = d.at;
    if (!out.finished()) give(d.rank, d.at);
  }
  std::printf(
      "ranks %d, runs %llu of %g s: %.3f messages and %.1f bytes per run; efficiency %.3f; "
      "master busy %.2f %% of %.1f s\n",
      ranks, static_cast<unsigned long long>(runs), seconds,
      static_cast<double>(messages) / static_cast<double>(runs),
      static_cast<double>(bytes) / static_cast<double>(runs),
      work_total / (static_cast<double>(ranks) * end), 100.0 * master / end, end);
}

std::shared_ptr<const Plan> pendulum_plan(std::uint64_t runs) {
  Diagnostics findings;
  const auto study = read_study_text(
      "carom_study: 1\nscene: none\nvary: {values.l: {uniform: [0.5, 2]}}\ndesign: {sobol: " +
          std::to_string(runs) + "}\nrecord: {q: pivot.q@end, v: max(pivot.v)}\n",
      "study", "", findings);
  auto document = load_document_text(
      "carom: 1\nvalues: {l: 1}\nbodies:\n  bob: {mass: 1, com: [0, 0, \"=-l\"], inertia: [0, 0, "
      "0], "
      "joint: {revolute: {axis: y}, name: pivot, q: 0.5}}\nrun: {until: 2, output: {step: 0.5}}\n",
      "scene", {}, findings);
  return Plan::make(*study, *std::move(document), findings);
}

void merge(std::uint64_t rows) {
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("carom-merge-" + std::to_string(getpid())))
          .string();
  const auto plan = pendulum_plan(rows);
  {
    RowFile file(folder, 0);
    for (std::uint64_t i = 0; i < rows; ++i) {
      Row row;
      row.key = plan->key(i);
      row.values = {static_cast<double>(i) / 3.0, 1.0 / static_cast<double>(i + 1)};
      if (!file.append(row)) std::puts(file.error().c_str());
    }
  }
  const auto begin = Clock::now();
  const double cpu = thread_cpu_seconds();
  const Workplace place(plan, folder, {});
  const double read = thread_cpu_seconds() - cpu;
  const Table table = place.table();
  write_table_hdf5(table, folder + "/table.h5");
  write_table_csv(table, folder + "/table.csv");
  std::printf("merge of %llu rows: %.2f s, %.2f s of CPU (keys and rows %.2f s), %.0f MB\n",
              static_cast<unsigned long long>(rows), since(begin), thread_cpu_seconds() - cpu, read,
              peak_megabytes());
  std::filesystem::remove_all(folder);
}

/// A sweep of one thread against a loop of read, compile and run of the same points.
void overhead(std::uint64_t runs) {
  const auto plan = pendulum_plan(runs);
  PointRunner runner(plan);
  const double begin = thread_cpu_seconds();
  for (std::uint64_t i = 0; i < runs; ++i) {
    RunOptions options;
    Collector collector(plan->records());
    options.recorder = &collector;
    run(runner.model(i, false), options);
  }
  const double alone = thread_cpu_seconds() - begin;
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("carom-sweep-" + std::to_string(getpid())))
          .string();
  SweepOptions options;
  options.threads = 1;
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  {
    Workplace place(plan, folder, options);
    run_on_threads(place, options);
    const Table table = place.table();
    write_table_hdf5(table, folder + "/table.h5");
    write_table_csv(table, folder + "/table.csv");
  }
  getrusage(RUSAGE_SELF, &after);
  const auto cpu = [](const rusage& u) {
    return static_cast<double>(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
  };
  const double swept = cpu(after) - cpu(before);
  const auto n = static_cast<double>(runs);
  std::printf("%llu pendulums: %.4f ms per run alone, %.4f ms in a sweep, %.4f ms more; %.0f MB\n",
              static_cast<unsigned long long>(runs), 1e3 * alone / n, 1e3 * swept / n,
              1e3 * (swept - alone) / n, peak_megabytes());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace carom::sweep

int main(int argc, char** argv) {
  using namespace carom::sweep;
  const auto number = [&](int i, double otherwise) {
    return argc > i ? std::strtod(argv[i], nullptr) : otherwise;
  };
  const bool all = argc < 2;
  if (all || !std::strcmp(argv[1], "protocol")) {
    if (argc > 2) {
      protocol(static_cast<int>(number(2, 1000)), static_cast<std::uint64_t>(number(3, 1e6)),
               number(4, 0.01));
    } else {
      for (const double seconds : {1e-3, 1e-2, 0.1, 1.0}) protocol(1000, 1000000, seconds);
      for (const int ranks : {1, 10, 100}) protocol(ranks, 100000, 1e-2);
    }
  }
  if (all || !std::strcmp(argv[1], "merge")) {
    merge(static_cast<std::uint64_t>(number(2, 1e6)));
  }
  if (all || !std::strcmp(argv[1], "overhead")) {
    overhead(static_cast<std::uint64_t>(number(2, 1e5)));
  }
  return 0;
}
