#include "carom/simulation/run.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "carom/base/cpu_time.h"
#include "carom/base/patience.h"
#include "carom/base/text.h"
#include "carom/base/version.h"
#include "carom/engine/results/pressure_maps.h"
#include "carom/simulation/fingerprint.h"
#include "carom/simulation/peak_table.h"

namespace carom {
namespace {

std::vector<Channel> record_channels(std::span<const OutputChannel> channels) {
  std::vector<Channel> out;
  for (const OutputChannel& c : channels) {
    out.push_back({c.name, c.unit, c.doc, c.width, c.components, c.group, c.object, c.quantity});
  }
  return out;
}

/// 40 MB of a result file.
constexpr std::size_t kMostMapPoints = 1'000'000;

double output_step(const RunSpec& run) {
  return run.output.step > 0.0 ? run.output.step : (run.until - run.start) / 500.0;
}

/// One line per pair of names: pieces of a shape, and shapes without a name, are told together.
std::vector<ContactSummary> table_of_pairs(const Workspace& w, double t,
                                           std::span<const double> x) {
  std::vector<ContactSummary> table;
  for (const PairLine& line : list_pairs(w, t, x)) {
    const ContactSummary pair{line.first,           line.second,           line.count,
                              line.duration,        line.impulse,          line.track.peak_force,
                              line.track.peak_time, line.track.peak_depth, line.track.slip,
                              line.energy_lost};
    const auto same = std::find_if(table.begin(), table.end(), [&](const ContactSummary& c) {
      return c.first == pair.first && c.second == pair.second;
    });
    same == table.end() ? table.push_back(pair) : add_to(*same, pair);
  }
  return table;
}

void fill_final_state(Simulation& simulation, RunResult& result) {
  const Model& model = simulation.model();
  Workspace& w = simulation.workspace();
  evaluate(w, simulation.time(), simulation.state());
  result.contacts = list_contacts(w);
  result.contact_pairs = table_of_pairs(w, simulation.time(), simulation.state());
  for (const BodyInfo& body : model.bodies) {
    const LinkState& L = w.tree.links[static_cast<std::size_t>(body.link)];
    const Vec3 r = L.R_WL * body.X_LB.p;
    result.bodies.push_back(
        {body.name, L.p_WL + r, to_quat(L.R_WL * body.X_LB.R), L.V.v + cross(L.V.w, r), L.V.w});
  }
  for (const JointInfo& joint : model.joints) {
    if (joint.name.empty()) continue;
    const auto q = w.q.begin() + joint.q0;
    const auto v = w.v.begin() + joint.v0;
    result.joints.push_back({joint.name, {q, q + joint.kind->nq}, {v, v + joint.kind->nv}});
  }
}

RunStatus status_of(AdvanceStatus status) {
  switch (status) {
    case AdvanceStatus::failed: return RunStatus::failed;
    case AdvanceStatus::interrupted: return RunStatus::interrupted;
    default: return RunStatus::completed;
  }
}

/// A run from checkpoint to checkpoint, at each of which its method starts anew.
class RunLoop {
 public:
  RunLoop(std::shared_ptr<const Model> model, const RunOptions& options,
          std::vector<OutputChannel> channels)
      : model_(std::move(model)),
        spec_(model_->scene.run),
        options_(options),
        channels_(std::move(channels)),
        observer_(model_, options.start) {
    for (const OutputChannel& c : channels_) {
      row_.resize(row_.size() + static_cast<std::size_t>(c.width));
    }
    if (options_.recorder) peaks_ = PeakTable(channels_);
  }

  RunResult go();

 private:
  void open_recorder();
  void begin();
  void replay();
  void attach();
  void record_sample(double t, std::span<const double> x);
  void record_maps();
  void fill_row(double t, std::span<const double> x);
  void record_event(const EngineEvent& event);
  double next_checkpoint() const;
  void begin_periods();
  double begin_period();
  void pass_checkpoint();
  AdvanceStatus advance();
  void judge(RunResult& result);
  bool is_over_time() const { return thread_cpu_seconds() >= cpu_begin_ + spec_.max_cpu; }

  std::shared_ptr<const Model> model_;
  const RunSpec& spec_;
  const RunOptions& options_;
  std::vector<OutputChannel> channels_;
  Workspace observer_;  ///< of its own: recording must not disturb what the integrator sees
  std::vector<double> row_;
  std::unique_ptr<Simulation> simulation_;
  PeakTable peaks_;  ///< of nothing where nothing is recorded
  std::vector<EngineEvent> events_;
  std::string last_subject_;
  std::uint64_t rows_ = 0;
  std::size_t map_points_ = 0;
  bool maps_are_full_ = false;
  double cpu_begin_ = 0.0;  ///< [s]
  double period_ = 0.0;     ///< between two looks for live inputs; 0: there are none [s]
  std::vector<LiveInput> inputs_;
};

/// Room for every name that an event can carry.
std::size_t longest_name(const Model& model) {
  constexpr std::size_t kLeast = 16;
  std::size_t longest = kLeast;
  const auto see = [&](const std::string& name) { longest = std::max(longest, name.size()); };
  for (const BodyInfo& body : model.bodies) see(body.name);
  for (const OutputChannel& channel : all_channels(model)) see(channel.object);
  std::ranges::for_each(line_names(model), see);
  for (const EventSpec& event : model.scene.events) see(event.name);
  return longest + 8;  // "[2]" of a joint with several coordinates
}

void RunLoop::open_recorder() {
  if (options_.on_ready) options_.on_ready();
  if (!options_.recorder) return;
  options_.recorder->hold_back();
  options_.recorder->interrupt_with(options_.interrupt);
  RunMeta meta{kVersion, model_->scene.name, model_->scene.source, {}};
  meta.fingerprint = scene_fingerprint(model_->scene);
  meta.name_room = longest_name(*model_);
  meta.maps = spec_.output.maps;
  meta.peaks = spec_.output.peaks && !peaks_.quantities().empty();
  std::vector<EventColumn> columns{{"value", "-"}};
  for (const EndColumn& c : contact_end_columns()) columns.push_back({c.name, c.unit});
  if (model_->contact.has_rigid) {
    for (const EndColumn& c : impact_columns()) columns.push_back({c.name, c.unit});
  }
  options_.recorder->open(std::move(meta), record_channels(channels_), std::move(columns));
}

void RunLoop::begin() {
  const Checkpoint* from = options_.resume;
  if (!from) {
    simulation_ = std::make_unique<Simulation>(model_, options_.start);
    simulation_->on_sample(output_step(spec_), {});
    return;
  }
  if (from->scene != scene_fingerprint(model_->scene)) {
    throw std::runtime_error("the checkpoint is of another scene, or of other run settings");
  }
  simulation_ = std::make_unique<Simulation>(model_, *from);
}

/// What was recorded before the checkpoint comes first, as it was.
void RunLoop::replay() {
  const Checkpoint* from = options_.resume;
  const Recording* before = options_.recorded;
  if (!from) return;
  if (options_.recorder && before) {
    if (before->rows() < from->rows || before->width() != row_.size()) {
      throw std::runtime_error("the results do not reach to the checkpoint");
    }
    auto peak = before->peaks.begin();
    auto map = before->maps.begin();
    for (std::size_t i = 0; i < from->rows; ++i) {
      for (; peak != before->peaks.end() && peak->row <= i; ++peak) {
        options_.recorder->append_peak(*peak);
      }
      options_.recorder->append(before->time[i], {&before->values[i * row_.size()], row_.size()});
      for (; map != before->maps.end() && map->row <= i; ++map) {
        options_.recorder->append_map(*map);
        map_points_ += map->points.size() / kMapNumbers;
      }
    }
  }
  rows_ = from->rows;
  peaks_.restore(from->peaks);
  for (const EngineEvent& event : from->events) record_event(event);
}

void RunLoop::attach() {
  simulation_->interrupt_with(options_.interrupt);
  cpu_begin_ = thread_cpu_seconds();
  simulation_->interrupt_at_cpu(cpu_begin_ + spec_.max_cpu);
  if (options_.progress) simulation_->on_progress(options_.progress);
  simulation_->continue_samples(
      [this](double t, std::span<const double> x) { record_sample(t, x); });
  if (!peaks_.quantities().empty()) {
    simulation_->watch_peaks(peaks_.quantities(),
                             [this](const LocatedPeak& peak) { peaks_.add(peak); });
    simulation_->set_peak_floor(peaks_.floor());
  }
  simulation_->on_event([this](const EngineEvent& event) {
    record_event(event);
    if (!options_.on_event) return;
    fill_row(event.time, simulation_->event_state());
    options_.on_event(event, row_);
  });
  if (!options_.before_events) return;
  simulation_->before_events([this](double t, std::span<const double> x) {
    fill_row(t, x);
    options_.before_events(t, row_);
  });
}

void RunLoop::record_sample(double t, std::span<const double> x) {
  if (options_.recorder) {
    fill_row(t, x);
    for (const PeakRecord& peak : peaks_.close(t, row_, rows_)) {
      if (spec_.output.peaks) options_.recorder->append_peak(peak);
    }
    simulation_->set_peak_floor(peaks_.floor());
    options_.recorder->append(t, row_);
    if (spec_.output.maps) record_maps();
  }
  ++rows_;
}

/// Of the row that was recorded last, as long as there is room.
void RunLoop::record_maps() {
  for (const PressureMap& map : find_pressure_maps(observer_)) {
    if (map_points_ + map.points.size() > kMostMapPoints) {
      maps_are_full_ = true;
      return;
    }
    MapRecord record{
        rows_, map.object, map.quantity, map.unit, {map.normal.x, map.normal.y, map.normal.z}, {}};
    for (const MapPoint& p : map.points) {
      record.points.insert(record.points.end(), {p.p_W.x, p.p_W.y, p.p_W.z, p.value, p.share});
    }
    map_points_ += map.points.size();
    options_.recorder->append_map(record);
  }
}

void RunLoop::fill_row(double t, std::span<const double> x) {
  observer_.step.look_ahead = simulation_->workspace().step.look_ahead;
  follow_modes(simulation_->workspace(), observer_);
  calc_outputs(observer_, t, x, channels_, simulation_->energy_reference(), row_);
}

void RunLoop::record_event(const EngineEvent& event) {
  last_subject_ = event.subject;
  if (events_.size() < options_.most_events) events_.push_back(event);
  if (!options_.recorder) return;
  EventRecord record{event.time, event.kind, event.subject, {{"value", event.value}}, event.other};
  if (has_end_columns(event)) {
    for (const EndColumn& c : contact_end_columns()) {
      record.values.emplace_back(c.name, event.*c.value);
    }
  }
  if (has_impact_columns(event)) {
    record.values.emplace_back("impulse", event.impulse);
    record.values.emplace_back("energy_lost", event.energy_lost);
    for (const EndColumn& c : impact_columns()) record.values.emplace_back(c.name, event.*c.value);
  }
  options_.recorder->append_event(record);
}

/// Multiples of the interval from the start on, so that a restored run finds the same.
double RunLoop::next_checkpoint() const {
  if (!(spec_.checkpoint > 0.0)) return kInf;
  auto k = static_cast<std::int64_t>((simulation_->time() - spec_.start) / spec_.checkpoint);
  double next = 0.0;
  do {
    next = spec_.start + static_cast<double>(k++) * spec_.checkpoint;
  } while (next <= simulation_->time());
  return next;
}

void RunLoop::pass_checkpoint() {
  Checkpoint here = simulation_->checkpoint();
  here.events = events_;
  here.rows = rows_;
  here.peaks = peaks_.open();
  if (options_.recorder) options_.recorder->flush();
  if (options_.on_checkpoint) options_.on_checkpoint(here);
}

void RunLoop::begin_periods() {
  if (!options_.live) return;
  period_ = options_.live->period(simulation_->step_length());
  if (!options_.resume) record_event({simulation_->time(), kPeriodEvent, "inputs", period_});
}

/// Sets what holds from here on; returns where the period ends. Ends are counted from the start, so
/// that a run with the same inputs takes the same steps.
double RunLoop::begin_period() {
  if (!(period_ > 0.0)) return kInf;
  const double t = simulation_->time();
  inputs_.clear();
  {
    const Patience patience(options_.interrupt);
    options_.live->take(t, inputs_);
  }
  for (const LiveInput& input : inputs_) {
    simulation_->set_parameter("signals." + input.signal, input.value);
    record_event({t, kInputEvent, input.signal, input.value});
  }
  const double passed = std::floor((t - spec_.start) / period_ + 0.5);
  double end = spec_.start + passed * period_;
  for (double k = passed + 1.0; end <= t && k <= passed + 2.0; k += 1.0) {
    end = spec_.start + k * period_;
  }
  return std::max(end, std::nextafter(t, kInf));  // where a period is below what t resolves
}

AdvanceStatus RunLoop::advance() {
  begin_periods();
  while (true) {
    const double checkpoint = next_checkpoint();
    const double next = std::min(begin_period(), checkpoint);
    const AdvanceStatus status = simulation_->advance(std::min(next, spec_.until));
    if (status != AdvanceStatus::reached || next >= spec_.until) return status;
    if (next == checkpoint) pass_checkpoint();
  }
}

void RunLoop::judge(RunResult& result) {
  result.verdict = simulation_->verdict();
  result.turned_over = simulation_->turned_over();
  // Peaks beside the rows resolve what the rows do not.
  if (!spec_.output.peaks) {
    std::ranges::move(peaks_.unresolved(), std::back_inserter(result.verdict.reasons));
  }
  for (const Finding& reason : result.verdict.reasons) result.warnings.push_back(reason.text);
  if (maps_are_full_) {
    result.verdict.notes.push_back(
        {"maps", "contacts", static_cast<double>(map_points_), static_cast<double>(kMostMapPoints),
         Grade::sound,
         "the maps of contacts do not reach to the end: there is room for a million points; take a "
         "larger run.output.step"});
  }
  for (const Finding& note : result.verdict.notes) result.warnings.push_back(note.text);
}

RunResult RunLoop::go() {
  begin();
  open_recorder();
  replay();
  if (options_.recorder) {
    // What was recorded before is safe in the new file before that takes the old one's place.
    if (options_.resume) options_.recorder->flush();
    if (!options_.recorder->ok()) throw std::runtime_error(options_.recorder->error());
    options_.recorder->publish();
  }
  if (options_.on_start) options_.on_start();
  attach();
  const AdvanceStatus status = advance();
  simulation_->sample_now();
  RunResult result;
  result.events = std::move(events_);
  result.status = status_of(status);
  if (status == AdvanceStatus::failed) result.reason = simulation_->failure();
  if (status == AdvanceStatus::interrupted) {
    result.reason = is_over_time() ? "stopped by run.max_cpu: more than " +
                                         number_text(spec_.max_cpu) + " s of CPU time"
                                   : "interrupted";
  }
  if (status == AdvanceStatus::stopped) result.reason = "stopped by event '" + last_subject_ + "'";
  result.time = simulation_->time();
  result.energy = simulation_->ledger();
  result.largest_residual =
      std::max(simulation_->largest_residual(), std::abs(result.energy.residual));
  result.energy_scale = simulation_->energy_scale();
  result.statistics = simulation_->statistics();
  judge(result);
  if (options_.live) result.deadlines = options_.live->deadlines();
  fill_final_state(*simulation_, result);
  if (spec_.output.peaks) result.peaks = peaks_.largest();
  if (options_.recorder) {
    RunEnding ending;
    ending.summary = summary_json(result);
    ending.contacts = result.contact_pairs;
    ending.verdict = verdict_json(result.verdict);
    options_.recorder->finish(result.status, result.reason, ending);
  }
  return result;
}

}  // namespace

namespace {

std::vector<OutputChannel> selected_channels(const Model& model) {
  const OutputSpec& output = model.scene.run.output;
  Diagnostics diagnostics;
  std::vector<OutputChannel> channels =
      select_channels(model, output.channels, output.channels_where, diagnostics);
  if (diagnostics.has_errors()) throw InputError(std::move(diagnostics));
  return channels;
}

}  // namespace

RunResult run(std::shared_ptr<const Model> model, const RunOptions& options) {
  std::vector<OutputChannel> channels = selected_channels(*model);
  return RunLoop(std::move(model), options, std::move(channels)).go();
}

std::unique_ptr<Simulation> check_run(const std::shared_ptr<const Model>& model) {
  Diagnostics findings;
  const auto collect = [&](const auto& action) {
    try {
      action();
    } catch (const InputError& error) {
      for (const Diagnostic& finding : error.diagnostics().all()) findings.add(finding);
    }
  };
  std::unique_ptr<Simulation> simulation;
  collect([&] { selected_channels(*model); });
  collect([&] { simulation = std::make_unique<Simulation>(model); });
  if (findings.has_errors()) throw InputError(std::move(findings));
  return simulation;
}

}  // namespace carom
