// carom run: progress on a terminal, summary at the end, results beside the scene.
#include "run_command.h"

#include <fmt/core.h>
#include <sys/time.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>

#include "carom/record/csv_writer.h"
#include "carom/record/memory_writer.h"
#include "carom/record/output_file.h"
#include "carom/record/recorder.h"
#include "carom/record/result_file.h"
#include "carom/record/tee_writer.h"
#include "carom/simulation/fingerprint.h"
#include "carom/simulation/run.h"
#include "checkpoint_files.h"
#include "exit_code.h"
#include "page_command.h"
#include "progress.h"
#include "real_time.h"
#include "talk.h"
#include "viewer/live_server.h"

namespace carom::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<bool> has_files{false};

/// The first one lets a run end with its rows; where there are none yet, or for who insists, the
/// command ends at once.
void on_interrupt(int) {
  if (!has_files || interrupted.exchange(true)) ::_exit(kInterrupted);
}

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;  // without SA_RESTART: what waits is woken
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is an error of writing
}

void on_used_up(int) { interrupted = true; }

/// The run looks at its CPU time after every step; one that does not come back within this [s] is
/// interrupted.
constexpr double kGrace = 2.0;
void limit_cpu(double seconds) {
  constexpr double kLongest = 1e8;
  if (!(seconds < kLongest)) return;
  std::signal(SIGPROF, on_used_up);
  itimerval limit{};
  limit.it_value.tv_sec = static_cast<time_t>(seconds);
  limit.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds)));
  setitimer(ITIMER_PROF, &limit, nullptr);
}

/// Writers for all files, before them one in memory where that is asked for, and the counter of
/// events for the progress.
std::unique_ptr<Recorder> make_recorder(const std::vector<std::string>& files, bool in_memory,
                                        Progress& progress, viewer::DrivenRun* pages) {
  std::vector<std::unique_ptr<Recorder>> recorders;
  if (in_memory) recorders.push_back(std::make_unique<MemoryWriter>());
  for (const std::string& file : files) recorders.push_back(make_file_recorder(file));
  recorders.push_back(progress.event_counter());
  if (pages) recorders.push_back(pages->recorder());
  return std::make_unique<TeeWriter>(std::move(recorders));
}

/// The pairs that pressed hardest; the summary has them all.
void print_contacts(const RunResult& r) {
  constexpr std::size_t kMost = 8;
  std::vector<ContactSummary> pairs = r.contact_pairs;
  std::stable_sort(
      pairs.begin(), pairs.end(),
      [](const ContactSummary& a, const ContactSummary& b) { return a.peak_force > b.peak_force; });
  for (std::size_t i = 0; i < std::min(kMost, pairs.size()); ++i) {
    const ContactSummary& c = pairs[i];
    tell(
        "  contact {}, {}: {} times, {:.4g} s; peak {:.5g} N at {:.6g} s, {:.3g} m deep; "
        "impulse {:.4g} N.s, slip {:.3g} m, lost {:.4g} J\n",
        c.first, c.second, c.count, c.duration, c.peak_force, c.peak_time, c.peak_depth, c.impulse,
        c.slip, c.energy_lost);
  }
  if (pairs.size() > kMost) fmt::print(stderr, "  and {} more pairs\n", pairs.size() - kMost);
}

/// The verdict comes first, with what it rests on.
void print_verdict(const Model& model, const RunResult& r) {
  const Grade grade = r.verdict.grade();
  const char* colour = grade == Grade::sound ? "32" : grade == Grade::doubtful ? "33" : "31";
  fmt::print(stderr, "{}: {}, {}",
             model.scene.name.empty() ? "scene" : printable(model.scene.name, true),
             paint(to_string(grade), colour),
             paint(to_string(r.status), r.status == RunStatus::completed ? "32" : "31"));
  if (!r.reason.empty()) tell(" ({})", r.reason);
  fmt::print(stderr, " at t = {:.6g} s\n", r.time);
  constexpr std::size_t kMost = 8;
  const std::vector<Finding>& reasons = r.verdict.reasons;
  for (std::size_t i = 0; i < std::min(kMost, reasons.size()); ++i) {
    tell("  {}: {}\n", to_string(reasons[i].grade), reasons[i].text);
  }
  if (reasons.size() > kMost) {
    fmt::print(stderr, "  and {} more reasons, all of them with --json\n", reasons.size() - kMost);
  }
}

void print_summary(const Model& model, const RunResult& r, const std::vector<std::string>& files) {
  const RunStatistics& s = r.statistics;
  print_verdict(model, r);
  fmt::print(stderr,
             "  {}, tolerance {:.1e}: {} steps, {} evaluations, {} events, {:.3g} s CPU ({:.3g} x "
             "real time)\n",
             s.integrator, model.scene.run.tolerance, s.counts.steps, s.counts.rhs_evaluations,
             s.events, s.cpu_seconds, s.real_time_factor);
  const double scale = r.turned_over > 0.0 ? r.turned_over : 1.0;
  fmt::print(stderr,
             "  energy: kinetic {:.6g} J, potential {:.6g} J, elastic {:.6g} J, model_work {:.3g} "
             "J; the ledger closes to {:.1e} J ({:.1e} of {:.3g} J turned over)\n",
             r.energy.kinetic, r.energy.potential, r.energy.elastic, r.energy.model_work,
             r.largest_residual, r.largest_residual / scale, r.turned_over);
  if (!model.constraints.empty()) {
    fmt::print(stderr, "  loops: held to {:.1e} (m, rad); {} redundant rows\n", s.constraint_error,
               s.redundant_constraints);
  }
  if (r.error) {
    fmt::print(stderr, "  error: {:.1e} m, {:.1e} rad, {:.1e} m/s, {:.1e} rad/s at most (against ",
               r.error->position, r.error->orientation, r.error->velocity,
               r.error->angular_velocity);
    r.error->tolerance > 0.0 ? fmt::print(stderr, "tolerance {:.0e})\n", r.error->tolerance)
                             : fmt::print(stderr, "half the step)\n");
    fmt::print(stderr, "         reactions {:.1e} N, {:.1e} N.m; peaks {:.1e} N, {:.1e} N.m\n",
               r.error->reaction_force, r.error->reaction_torque, r.error->peak_force,
               r.error->peak_torque);
  }
  if (r.deadlines) {
    const DeadlineReport& d = *r.deadlines;
    fmt::print(
        stderr,
        "  real time: {} of {} deadlines missed, the latest by {:.3g} s; 99 % of the periods "
        "of {:.3g} s took {:.3g} s at most\n",
        d.missed, d.periods, d.worst, d.period, d.most);
  }
  print_contacts(r);
  for (const Finding& note : r.verdict.notes) tell("  warning: {}\n", note.text);
  for (const std::string& file : files) tell("  results: {}\n", file);
}

/// A check of CLI11: empty if the file's ending names a format.
std::string has_result_format(const std::string& file) {
  if (names_result_format(file)) return "";
  return "'" + file + "' names no format of a result file: end it in .h5, .hdf5 or .csv";
}

bool is_hdf5(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".h5" || ending == ".hdf5";
}

/// What was recorded, from the first HDF5 file or from memory.
viewer::Thinned recorded(const std::vector<std::string>& files, Recorder& recorder) {
  for (const std::string& file : files) {
    if (is_hdf5(file)) return viewer::thin(ResultFile(file));
  }
  return viewer::thin(
      static_cast<MemoryWriter&>(static_cast<TeeWriter&>(recorder).at(0)).recording());
}

/// Throws std::invalid_argument if a file of the run is one that it reads, or stands twice.
void refuse_overwriting(const Model& model, const std::vector<std::string>& files,
                        const std::string& page, const std::string& checkpoint,
                        const std::string& replay) {
  std::vector<std::string> outputs = files;
  for (const std::string& file : files) {
    if (std::filesystem::path(file).extension() == ".csv") {
      outputs.push_back(CsvWriter::events_path(file));
    }
  }
  if (!page.empty()) outputs.push_back(page);
  if (model.scene.run.checkpoint > 0.0) outputs.push_back(checkpoint);
  std::vector<std::string> inputs = model.scene.files;
  if (!replay.empty()) inputs.push_back(replay);
  try {
    check_outputs(outputs, inputs);
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(error.what() + std::string("\n  name another file with -o"));
  }
}

/// A run that pages watch, with its server.
struct Watched {
  viewer::DrivenRun run;
  std::unique_ptr<viewer::LiveServer> server;

  Watched(std::shared_ptr<const Model> model, int port)
      : run(std::move(model)), server(std::make_unique<viewer::LiveServer>(run, port)) {
    tell("  watch and drive: {}\n  the run begins when this address is opened in a browser\n",
         server->address());
  }
};

/// None: all signals are those of the scene.
std::unique_ptr<LiveInputs> make_live_inputs(const RunCommandOptions& o, const Model& model,
                                             viewer::DrivenRun* pages) {
  if (o.real_time) return std::make_unique<RealTime>(model, STDIN_FILENO, pages);
  if (o.replay.empty()) return nullptr;
  const ResultFile before(o.replay);
  if (before.meta().fingerprint != scene_fingerprint(model.scene)) {
    tell("carom: {} is of another scene, or of other run settings: the replay will differ\n",
         o.replay);
  }
  try {
    return std::make_unique<RecordedInputs>(before.events());
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(o.replay + ": " + error.what() +
                                "\n  name a result of 'carom run --real-time'");
  }
}

}  // namespace

void add_run_options(CLI::App& command, RunCommandOptions& o) {
  add_scene_options(command, o.scene);
  command.add_option("-o,--output", o.output, "result file (.h5 or .csv); may be repeated")
      ->take_all()
      ->allow_extra_args(false)
      ->check(has_result_format);
  command.add_flag("--no-output", o.no_output, "write no result file");
  command.add_flag("--error", o.error,
                   "run once more at a hundredth of the tolerance and report the difference");
  command.add_option("--checkpoint", o.scene.checkpoint,
                     "time between checkpoints, to resume from [s]; short for run.checkpoint");
  command.add_flag("--resume", o.resume,
                   "go on from the last checkpoint, if there is one; results are continued");
  command.add_option("--max-cpu", o.scene.max_cpu,
                     "stop after so much CPU time, as if interrupted; what was recorded is kept "
                     "[s]; short for run.max_cpu");
  CLI::Option* real_time = command.add_flag(
      "--real-time", o.real_time,
      "keep pace with the clock; lines 'signal value' on stdin set constant signals");
  CLI::Option* view = command.add_flag(
      "--view", o.view,
      "with --real-time: pages on this machine show the run and set signals by keys and gamepad");
  view->needs(real_time);
  command.add_option("--port", o.port, "of 127.0.0.1 for --view; default: any free one")
      ->check(CLI::Range(0, 65535))
      ->needs(view);
  command
      .add_option("--replay", o.replay,
                  "give the live inputs of this result file (.h5) again, as fast as it goes")
      ->excludes(real_time);
  command.add_flag("--page", o.page, "also make a page of the run, to open in a browser");
  command.add_flag("--json", o.json, "print the summary as one JSON document on stdout");
  command.add_flag("-q,--quiet", o.quiet, "no progress and no summary on stderr");
}

int run_and_report(const RunCommandOptions& o, const std::string& default_output) {
  catch_signals();
  const std::shared_ptr<const Model> model = load_model(o.scene);
  std::vector<std::string> files = o.output;
  if (files.empty() && !o.no_output) files.push_back(default_output);
  const bool page_from_memory = o.page && std::none_of(files.begin(), files.end(), is_hdf5);
  CheckpointFiles checkpoints(files, default_output);
  const std::string beside = files.empty() ? default_output : files.front();
  const std::string page = std::filesystem::path(beside).replace_extension(".html").string();
  refuse_overwriting(*model, files, o.page ? page : "", checkpoints.path(), o.replay);
  const bool resumed = o.resume && checkpoints.restore(model->scene);
  Progress progress(model->scene.run.start, model->scene.run.until, !o.quiet);
  std::unique_ptr<Watched> watched;
  if (o.view) watched = std::make_unique<Watched>(model, o.port);
  viewer::DrivenRun* pages = watched ? &watched->run : nullptr;
  const std::unique_ptr<Recorder> recorder =
      make_recorder(files, o.error || page_from_memory, progress, pages);

  RunOptions options;
  options.recorder = recorder.get();
  options.interrupt = &interrupted;
  options.progress = [&](double t) { progress(t); };
  options.on_ready = [] { has_files = true; };
  options.on_start = [&] {
    if (!resumed && model->scene.run.checkpoint > 0.0) checkpoints.forget();
  };
  options.resume = checkpoints.checkpoint();
  options.recorded = checkpoints.recorded();
  options.on_checkpoint = [&](const Checkpoint& here) { checkpoints.save(here); };
  const std::unique_ptr<LiveInputs> live = make_live_inputs(o, *model, pages);
  options.live = live.get();
  limit_cpu(kGrace + model->scene.run.max_cpu);
  RunResult result;
  try {
    result = run(model, options);
  } catch (const std::runtime_error& error) {
    if (!interrupted) throw;
    tell("carom: {}\n", error.what());
    return kInterrupted;
  }
  has_files = false;  // all rows are kept: what follows may be cut off
  if (watched) {
    watched->run.end(std::string(to_string(result.status)), result.reason);
    watched->server.reset();
  }
  progress.clear();
  if (o.error) {
    const auto& memory = static_cast<MemoryWriter&>(static_cast<TeeWriter&>(*recorder).at(0));
    result.error = estimate_error(*model, memory.recording(), result.peaks);
  }
  if (!o.quiet) print_summary(*model, result, files);
  if (o.page) {
    viewer::Thinned run = recorded(files, *recorder);
    run.recording.summary = summary_json(result);
    write_run_page(run, model, page);
  }
  if (o.json) fmt::print("{}", summary_json(result));
  switch (result.status) {
    case RunStatus::completed: return result.verdict.grade() == Grade::broken ? kFailed : kDone;
    case RunStatus::interrupted: return kInterrupted;
    default: return kFailed;
  }
}

void add_run(Program& program) {
  auto options = std::make_shared<RunCommandOptions>();
  CLI::App* command = program.add("run", "simulate a scene", [options] {
    namespace fs = std::filesystem;
    const fs::path file(options->scene.file);
    return run_and_report(*options, (file.parent_path() / file.stem()).string() + ".h5");
  });
  command->add_option("scene", options->scene.file, "scene file (.yaml)")->required();
  add_run_options(*command, *options);
}

}  // namespace carom::cli
