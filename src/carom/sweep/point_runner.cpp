#include "carom/sweep/point_runner.h"

#include <limits>
#include <new>

#include "carom/base/cpu_time.h"
#include "carom/base/text.h"
#include "carom/scene/expand/expand.h"
#include "carom/simulation/run.h"
#include "carom/sweep/shared_model.h"

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

PointRunner::PointRunner(std::shared_ptr<const Plan> plan)
    : plan_(std::move(plan)),
      document_(plan_->document()),
      point_(plan_->design().width()),
      numbers_(point_.size()) {
  const SharedModel* shared = plan_->shared_model();
  if (!shared) return;
  starts_.emplace(shared->model);
  for (const std::string& place : shared->places) starts_->vary(place);
}

/// Null where the point needs a Model of its own.
const ModelStart* PointRunner::start(std::uint64_t index) {
  plan_->design().point(index, point_);
  numbers_of(*plan_, point_, numbers_);
  return starts_ ? starts_->make(numbers_) : nullptr;
}

std::shared_ptr<const Model> PointRunner::model(std::uint64_t index, bool for_page) {
  plan_->design().point(index, point_);
  const std::vector<std::string> overrides = plan_->overrides(point_);
  Scene scene = scene_of(document_, *plan_, overrides);
  if (for_page) {
    std::string changes;
    for (std::size_t f = 0; f < overrides.size(); ++f) {
      changes += "#   " + plan_->study().factors[f].path + "=" + overrides[f] + "\n";
    }
    scene.source =
        "# Point " + std::to_string(index) + " of a study, with\n" + changes + expand(scene);
    Diagnostics findings;
    std::shared_ptr<const Model> model = compile(scene, findings);
    if (!model) throw InputError(std::move(findings));
    return model;
  }
  return model_of(scene, *plan_);
}

void PointRunner::simulate(std::shared_ptr<const Model> model, const ModelStart* start,
                           const std::atomic<bool>* interrupt, Row& row, bool& interrupted) {
  const RecordPlan& records = plan_->records();
  const double limit = plan_->study().max_cpu;
  Collector collector(records);
  std::atomic<bool> stop{false};
  bool over = false;
  int steps = 0;
  const double begin = thread_cpu_seconds();
  RunOptions options;
  options.interrupt = &stop;
  options.start = start;
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
  row.verdict = to_string(result.verdict.grade());
  row.reason = result.reason;
  if (row.reason.empty() && !result.verdict.reasons.empty()) {
    row.reason = result.verdict.reasons[0].text;
  }
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
    const ModelStart* start = this->start(index);
    simulate(start ? plan_->shared_model()->model : model(index, false), start, interrupt, row,
             interrupted);
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
