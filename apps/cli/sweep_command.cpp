// carom sweep: all runs of a study, on the cores of this machine, by MPI, or as shards.
#include "sweep_command.h"

#include <fmt/core.h>

#include <charconv>
#include <csignal>
#include <filesystem>

#include "carom/base/json.h"
#include "carom/base/text.h"
#include "carom/record/table_file.h"
#include "carom/sweep/read_study.h"
#include "carom/sweep/sweep.h"
#include "carom/sweep/team.h"
#include "commands.h"
#include "exit_code.h"
#include "mpi_plugin.h"
#include "sweep_pages.h"
#include "sweep_progress.h"

namespace carom::cli {
namespace {

std::atomic<bool> must_end{false};
void on_end_signal(int) { must_end = true; }

struct Options {
  std::string study, shard, retry, output;
  int threads = 0;
  double wait = 10.0;
  bool merge = false, allow_outside = false, quiet = false, json = false;
  bool page = false, analyse = false, view = false;
  std::string open;  ///< a point or key
  int port = 0;

  /// Whether only what is done is looked at.
  bool only_looks() const { return merge || !open.empty() || analyse || view; }
};

/// "3/20"; nothing if it is something else.
std::optional<sweep::Shard> parse_shard(const std::string& text) {
  sweep::Shard shard;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') return {};
  const auto second = std::from_chars(first.ptr + 1, end, shard.count);
  if (second.ec != std::errc() || second.ptr != end) return {};
  if (shard.index < 1 || shard.count < 1 || shard.index > shard.count) return {};
  return shard;
}

std::string csv_of(const std::string& table) {
  return std::filesystem::path(table).replace_extension(".csv").string();
}

void print_report(const sweep::Workplace& place, const Options& o, const std::string& table,
                  std::size_t missing, double seconds) {
  const sweep::SweepProgress p = place.progress();
  if (o.json) {
    JsonObject out;
    out.count("points", place.total()).count("done", p.done).count("run", p.run);
    out.count("failed", p.failed).count("missing", missing);
    out.put("table", table.empty() ? "null" : json_quote(table)).number("seconds", seconds);
    fmt::print("{}\n", out.str());
  }
  if (o.quiet) return;
  const std::string& name = place.plan().study().name;
  fmt::print(stderr, "{}: {} of {} rows, {} of them by this start in {}\n",
             name.empty() ? o.study : name, p.done, p.total, p.run, duration_text(seconds));
  if (p.failed > 0) {
    fmt::print(stderr, "  {} rows are failures; their status and reason are in the table\n",
               p.failed);
  }
  if (!table.empty()) fmt::print(stderr, "  table: {} and {}\n", table, csv_of(table));
}

/// What --merge lacks, by shard where shards were at work.
void print_missing(const std::vector<std::uint64_t>& missing) {
  fmt::print(stderr,
             "carom: {} rows are missing, so no table is written; the first is of point {}\n",
             missing.size(), missing.front());
  fmt::print(stderr, "  start the sweep (or its shards) again: it does only what is missing\n");
}

int look(const sweep::Workplace& place, const Options& o) {
  if (o.view) return view_study(place, o.port, must_end);
  print_analysis(place, o.json);
  return kDone;
}

void warn_of_edits(const sweep::Plan& plan) {
  for (const std::string& path : plan.changed_sources()) {
    fmt::print(
        stderr,
        "  warning: '{}' was edited while the study ran; the table is of what it held at the "
        "start. Start again for the new text\n",
        path);
  }
}

/// A rank other than the first: computes what it is given.
int help_out(const Options& o, sweep::Transport& mpi, const sweep::SweepOptions& options) {
  const std::shared_ptr<const sweep::Plan> plan = load_plan(o.study, o.allow_outside);
  const sweep::FollowEnd end = follow(plan, sweep::folder_of(o.study), mpi, options);
  mpi.close(end.all_here);
  if (end.reason.empty()) return kDone;
  fmt::print(stderr, "carom: process {}: {}\n", mpi.rank(), end.reason);
  return must_end ? kInterrupted : kFailed;
}

/// Computes what is missing. True if every process has ended in order.
bool compute(sweep::Workplace& place, sweep::Transport* mpi, const sweep::SweepOptions& options) {
  if (!mpi) {
    run_on_threads(place, options);
    return true;
  }
  const sweep::TeamReport report = lead(place, *mpi, options);
  for (const std::string& remark : report.remarks) fmt::print(stderr, "carom: {}\n", remark);
  // Rows that were announced but did not reach the disk (a host that went down): here and now.
  if (!must_end && !place.missing().empty()) {
    place.find_to_do(false);
    run_on_threads(place, options);
  }
  return report.all_here;
}

int sweep_study(const Options& o) {
  sweep::SweepOptions options;
  options.threads = o.threads;
  options.wait_seconds = o.wait;
  options.retry_failed = o.retry == "failed";
  options.interrupt = &must_end;
  if (!o.shard.empty()) {
    options.shard = parse_shard(o.shard);
    if (!options.shard) {
      fmt::print(stderr, "carom: '{}' is no shard\n  write --shard 3/20: the third of twenty\n",
                 o.shard);
      return kWrongUsage;
    }
  }
  options.remark = [](const std::string& text) { fmt::print(stderr, "carom: {}\n", text); };
  std::signal(SIGINT, on_end_signal);
  std::signal(SIGTERM, on_end_signal);
  std::unique_ptr<sweep::Transport> mpi;
  if (started_by_mpi() && !o.only_looks() && !options.shard) mpi = open_mpi();
  if (mpi && mpi->rank() > 0) return help_out(o, *mpi, options);
  const std::shared_ptr<const sweep::Plan> plan = load_plan(o.study, o.allow_outside);
  sweep::Workplace place(plan, sweep::folder_of(o.study), options);
  if (!o.quiet) {
    for (const std::string& remark : place.remarks()) fmt::print(stderr, "  {}\n", remark);
  }
  if (!o.open.empty()) return open_run(place, o.study, o.open);
  SweepLine line(!o.quiet);
  options.progress = [&](const sweep::SweepProgress& p) { line(p); };
  const auto begin = std::chrono::steady_clock::now();
  const bool all_here = o.only_looks() || compute(place, mpi.get(), options);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  line.clear();
  const std::vector<std::uint64_t> missing = place.missing();
  std::string table;
  if (missing.empty() && (o.analyse || o.view)) return look(place, o);
  if (missing.empty() && !options.shard) {
    table = o.output.empty() ? std::filesystem::path(o.study).replace_extension(".h5").string()
                             : o.output;
    const Table rows = place.table();
    write_table_hdf5(rows, table);
    write_table_csv(rows, csv_of(table));
  }
  print_report(place, o, table, missing.size(), seconds);
  if (o.page && !table.empty()) write_sweep_page(place, o.study);
  warn_of_edits(*plan);
  if (mpi) mpi->close(all_here);
  if (missing.empty()) return kDone;
  if (must_end) {
    fmt::print(stderr, "carom: interrupted; start again to go on\n");
    return kInterrupted;
  }
  print_missing(missing);
  return kFailed;
}

}  // namespace

std::shared_ptr<const sweep::Plan> load_plan(const std::string& file, bool allow_outside) {
  Diagnostics diagnostics;
  std::optional<sweep::Study> study = sweep::read_study_file(file, diagnostics);
  std::shared_ptr<const sweep::Plan> plan;
  if (study) {
    study->allow_outside = allow_outside;
    plan = sweep::Plan::make(*study, diagnostics);
  }
  if (!plan) throw InputError(std::move(diagnostics));
  for (const Diagnostic& d : diagnostics.all()) fmt::print(stderr, "{}\n", to_string(d));
  return plan;
}

void add_sweep(Program& program) {
  auto o = std::make_shared<Options>();
  CLI::App* command = program.add("sweep", "run a study: many runs of one scene, each once",
                                  [o] { return sweep_study(*o); });
  command->add_option("study", o->study, "study file (.yaml)")->required();
  command->add_option("-o,--output", o->output, "the table (.h5; a .csv beside it)");
  command->add_option("-j,--threads", o->threads, "threads; default: all cores")
      ->check(CLI::Range(1, 4096));
  command->add_option("--shard", o->shard, "K/N: only every N-th point, from the K-th on");
  command->add_flag("--merge", o->merge, "only write the table of what is done");
  command->add_option("--retry", o->retry, "failed: also what failed, once more")
      ->check(CLI::IsMember({"failed"}));
  command->add_option("--wait", o->wait, "seconds to wait for another sweep of the study");
  command->add_flag("--allow-outside", o->allow_outside,
                    "let the scene read files outside its own folder");
  command->add_flag("--page", o->page, "also write the page of the study, to open in a browser");
  command->add_flag("--analyse", o->analyse, "only print statistics and indices of what is done");
  command->add_flag("--view", o->view, "show the study in the browser; a click makes a run's page");
  command->add_option("--port", o->port, "of --view; default: any free one")
      ->check(CLI::Range(0, 65535));
  command->add_option("--open", o->open,
                      "make the page of one run again: its point, or the beginning of its key");
  command->add_flag("-q,--quiet", o->quiet, "say nothing but errors");
  command->add_flag("--json", o->json, "print what was done as one JSON document");
}

}  // namespace carom::cli
