// carom check of a study: how many runs, how long about, and the first points.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>

#include "carom/base/cpu_time.h"
#include "carom/base/json.h"
#include "carom/base/text.h"
#include "carom/sweep/point_runner.h"
#include "carom/sweep/read_study.h"
#include "exit_code.h"
#include "sweep_command.h"
#include "sweep_progress.h"

namespace carom::cli {
namespace {

constexpr double kTrialSeconds = 2.0;  ///< of CPU for the guess
constexpr std::uint64_t kTrialRuns = 5, kShownPoints = 5;

struct Trial {
  double seconds = 0.0;  ///< per run
  std::uint64_t runs = 0;
  bool cut = false;  ///< the first run was longer than the trial
};

double process_cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Points spread over the design, since neighbours may be alike.
Trial try_runs(const std::shared_ptr<const sweep::Plan>& plan) {
  Trial trial;
  sweep::PointRunner runner(plan);
  std::atomic<bool> stop{false};
  const double cpu = process_cpu_seconds();
  std::thread watch([&] {
    using Clock = std::chrono::steady_clock;  // a machine that is busy gets a little patience
    const auto end = Clock::now() + std::chrono::duration<double>(10.0 * kTrialSeconds);
    while (!stop && process_cpu_seconds() - cpu < kTrialSeconds && Clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    stop = true;
  });
  const double begin = thread_cpu_seconds();
  const std::uint64_t n = plan->design().size();
  for (std::uint64_t i = 0; i < std::min(n, kTrialRuns) && !stop; ++i) {
    if (!runner.run(i * (n / std::min(n, kTrialRuns)), &stop)) break;
    trial.seconds = (thread_cpu_seconds() - begin) / static_cast<double>(++trial.runs);
  }
  trial.cut = trial.runs == 0;
  if (trial.cut) trial.seconds = thread_cpu_seconds() - begin;
  stop = true;
  watch.join();
  return trial;
}

void print_points(const sweep::Plan& plan) {
  fmt::print("{:>6}", "point");
  for (const sweep::Factor& f : plan.study().factors) fmt::print("  {:>22}", f.path);
  fmt::print("  key\n");
  std::vector<double> point(plan.design().width());
  for (std::uint64_t i = 0; i < std::min(plan.design().size(), kShownPoints); ++i) {
    plan.design().point(i, point);
    fmt::print("{:>6}", i);
    for (const std::string& text : plan.overrides(point)) fmt::print("  {:>22}", text);
    fmt::print("  {}\n", plan.key(i).hex().substr(0, 12));
  }
}

std::string json_points(const sweep::Plan& plan) {
  std::vector<std::string> out;
  std::vector<double> point(plan.design().width());
  for (std::uint64_t i = 0; i < std::min(plan.design().size(), kShownPoints); ++i) {
    plan.design().point(i, point);
    const std::vector<std::string> texts = plan.overrides(point);
    JsonObject values;
    for (std::size_t f = 0; f < texts.size(); ++f) {
      const sweep::Factor& factor = plan.study().factors[f];
      if (factor.distribution.is_choice()) {
        values.text(factor.path, texts[f]);
      } else {
        values.number(factor.path, point[f]);
      }
    }
    JsonObject row;
    row.count("point", i).put("values", values.str());
    out.push_back(row.text("key", plan.key(i).hex()).str());
  }
  return json_list(
      out, [](const std::string& row) { return row; }, ",\n  ");
}

}  // namespace

int check_study(const std::string& file, bool allow_outside, bool json) {
  const std::shared_ptr<const sweep::Plan> plan = load_plan(file, allow_outside);
  const Trial trial = try_runs(plan);
  const std::uint64_t runs = plan->design().size();
  const double guess = trial.seconds * static_cast<double>(runs);
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  std::string columns;
  for (const sweep::RecordColumn& c : plan->records().columns()) {
    columns += (columns.empty() ? "" : ", ") + (json ? json_quote(c.name) : c.name);
  }
  if (json) {
    JsonObject out;
    out.count("runs", runs).text("design", to_string(plan->study().design.kind));
    out.number("cpu_seconds_per_run", trial.seconds).number("cpu_seconds", guess);
    out.flag("at_least", trial.cut).line(1).put("columns", "[" + columns + "]");
    fmt::print("{}\n", out.line(1).put("points", json_points(*plan)).str());
    return kDone;
  }
  fmt::print("{}\n", plan->study().name.empty() ? file : plan->study().name);
  fmt::print("{} runs ({}) of {}\n", runs, to_string(plan->study().design.kind),
             plan->study().scene);
  fmt::print("{}{} s of CPU per run ({}), {} on {} cores of this machine\n",
             trial.cut ? "more than " : "about ", rounded_text(trial.seconds),
             trial.cut ? "the first did not end in time" : fmt::format("by {} runs", trial.runs),
             duration_text(guess / cores), cores);
  fmt::print("records {}\n\n", columns);
  print_points(*plan);
  return kDone;
}

}  // namespace carom::cli
