#include "carom/sweep/point_runner.h"

#include <limits>
#include <new>

#include <time.h>

#include "carom/base/text.h"
#include "carom/scene/expand.h"
#include "carom/scene/read.h"
#include "carom/simulation/run.h"

namespace carom::sweep {
namespace {

/// Between two looks at the CPU clock, which is a call to the system.
constexpr int kStepsPerLook = 8;

std::string first_error(const Diagnostics& findings) {
  for (const Diagnostic& d : findings.all()) {
    if (d.severity == Severity::error) return d.message;
  }
  return "";
}

}  // namespace

double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

PointRunner::PointRunner(std::shared_ptr<const Plan> plan)
    : plan_(std::move(plan)),
      document_(plan_->document()),
      point_(plan_->design().width()),
      numbers_(point_.size()) {}

Scene PointRunner::scene(std::span<const std::string> overrides) {
  Diagnostics findings;
  apply_point(document_, plan_->study(), overrides, findings);
  std::optional<Scene> scene;
  if (!findings.has_errors()) scene = read_scene(document_, findings);
  if (!scene || findings.has_errors()) throw InputError(std::move(findings));
  return *std::move(scene);
}

std::shared_ptr<const Model> PointRunner::model(std::uint64_t index, bool for_page) {
  plan_->design().point(index, point_);
  const std::vector<std::string> overrides = plan_->overrides(point_);
  Scene scene = this->scene(overrides);
  if (for_page) {
    std::string changes;
    for (std::size_t f = 0; f < overrides.size(); ++f) {
      changes += "#   " + plan_->study().factors[f].path + "=" + overrides[f] + "\n";
    }
    scene.source =
        "# Point " + std::to_string(index) + " of a study, with\n" + changes + expand(scene);
  } else if (!plan_->records().channels().empty()) {
    scene.run.output.channels = plan_->records().channels();
  }
  Diagnostics findings;
  std::shared_ptr<const Model> model = compile(scene, findings);
  if (!model) throw InputError(std::move(findings));
  return model;
}

void PointRunner::simulate(std::shared_ptr<const Model> model, const std::atomic<bool>* interrupt,
                           Row& row, bool& interrupted) {
  const RecordPlan& records = plan_->records();
  const double limit = plan_->study().max_cpu;
  Collector collector(records);
  std::atomic<bool> stop{false};
  bool over = false;
  int steps = 0;
  const double begin = thread_cpu_seconds();
  RunOptions options;
  options.interrupt = &stop;
  options.progress = [&](double) {
    if (interrupt && interrupt->load(std::memory_order_relaxed)) stop = interrupted = true;
    if (limit <= 0.0 || ++steps % kStepsPerLook != 0 || thread_cpu_seconds() - begin < limit)
      return;
    stop = over = true;
  };
  if (!records.channels().empty()) {
    options.recorder = &collector;
    if (records.needs_events()) {
      options.on_event = [&](const EngineEvent& event, std::span<const double> values) {
        collector.on_event(event, values);
      };
    }
  }
  const RunResult result = carom::run(std::move(model), options);
  row.time = result.time;
  row.reason = result.reason;
  row.status = result.status == RunStatus::failed ? RowStatus::failed : RowStatus::completed;
  if (over) {
    row.status = RowStatus::limit;
    row.reason = "more than " + number_text(limit) + " s of CPU time";
  }
  row.values = collector.finish_columns(result, numbers_);
}

std::optional<Row> PointRunner::run(std::uint64_t index, const std::atomic<bool>* interrupt) {
  Row row;
  row.key = plan_->key(index);
  row.values.assign(plan_->records().columns().size(), std::numeric_limits<double>::quiet_NaN());
  row.time = std::numeric_limits<double>::quiet_NaN();
  bool interrupted = false;
  try {
    std::shared_ptr<const Model> model = this->model(index, false);
    for (std::size_t f = 0; f < point_.size(); ++f) {
      const Distribution& d = plan_->study().factors[f].distribution;
      numbers_[f] = d.numbers.empty() ? point_[f] : d.numbers[static_cast<std::size_t>(point_[f])];
    }
    simulate(std::move(model), interrupt, row, interrupted);
  } catch (const InputError& error) {
    row.status = RowStatus::invalid;
    row.reason = first_error(error.diagnostics());
  } catch (const std::bad_alloc&) {
    row.status = RowStatus::error;
    row.reason = "out of memory";
  } catch (const std::exception& error) {
    row.status = RowStatus::failed;
    row.reason = error.what();
  }
  if (interrupted) return {};
  return row;
}

}  // namespace carom::sweep
