#include "carom/verify/verify.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <thread>

#include "carom/base/json.h"
#include "carom/engine/model.h"
#include "carom/record/memory_writer.h"
#include "carom/scene/read/read.h"
#include "carom/verify/own_contacts.h"
#include "carom/verify/own_rigid.h"
#include "carom/verify/own_sums.h"
#include "carom/verify/quantity.h"

namespace carom::verify {
namespace {

Vec3 support_of_ellipsoid(const void*, const Vec3& d) {
  const Vec3 a{0.3 * d.x, 0.2 * d.y, 0.1 * d.z};
  const double s = 1.0 / norm(a);
  return {0.3 * s * a.x, 0.2 * s * a.y, 0.1 * s * a.z};
}

/// Replaces the first shape of a body by one with a support function.
void give_support(Scene& scene, const std::string& name) {
  for (BodySpec& body : scene.bodies) {
    if (body.name != name || body.shapes.empty()) continue;
    ShapeInput input{.kind = find_shape_kind("custom")};
    input.custom.support = support_of_ellipsoid;
    body.shapes.front().shape = make_shape(input);
  }
}

/// Runs as if it were killed soon after its first checkpoint at or after `time`, and takes that
/// checkpoint through a file.
Checkpoint run_until_checkpoint(const std::shared_ptr<const Model>& model, double time,
                                MemoryWriter& rows) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string path = (folder / ("carom-" + std::to_string(::getpid()) + "-" +
                                      std::to_string(reinterpret_cast<std::uintptr_t>(&rows))))
                               .string();
  std::atomic<bool> killed{false};
  bool found = false;
  RunOptions options;
  options.recorder = &rows;
  options.interrupt = &killed;
  options.on_checkpoint = [&](const Checkpoint& here) {
    if (found || here.state.time < time) return;
    save_checkpoint(here, path);
    found = true;
  };
  options.progress = [&](double t) { killed = found && t > time; };
  run(model, options);
  if (!found) throw std::runtime_error("there was no checkpoint to resume from");
  Checkpoint checkpoint = load_checkpoint(path);
  std::filesystem::remove(path);
  return checkpoint;
}

CaseRun run_variant(const Case& of, const Variant& variant) {
  ReadOptions options;
  options.overrides = variant.overrides;
  options.carried = carried_meshes();
  Diagnostics diagnostics;
  std::optional<Scene> scene =
      read_scene_text(of.scene, "verification/" + of.name + ".yaml (scene)", options, diagnostics);
  if (!scene || diagnostics.has_errors()) throw InputError(std::move(diagnostics));
  for (const std::string& body : of.custom) give_support(*scene, body);
  CaseRun out;
  out.name = variant.name;
  out.model = compile(*scene, diagnostics);
  if (!out.model) throw InputError(std::move(diagnostics));
  MemoryWriter memory, cut;
  RunOptions run_options;
  run_options.recorder = &memory;
  if (out.model->contact.has_rigid) {
    run_options.on_event = [&](const EngineEvent& event, std::span<const double> row) {
      EventRows::append(event.time, row, out.at_events.after);
    };
    run_options.before_events = [&](double t, std::span<const double> row) {
      EventRows::append(t, row, out.at_events.before);
    };
  }
  std::optional<Checkpoint> checkpoint;
  if (variant.resumed_at >= 0.0) {
    checkpoint = run_until_checkpoint(out.model, variant.resumed_at, cut);
    run_options.resume = &*checkpoint;
    run_options.recorded = &cut.recording();
  }
  out.result = run(out.model, run_options);
  if (out.result.status != RunStatus::completed) {
    throw std::runtime_error("the run failed: " + out.result.reason);
  }
  out.rows = memory.take();
  out.at_events.before.channels = out.at_events.after.channels = out.rows.channels;
  return out;
}

CheckResult compare(const std::string& what, double computed, double expected, double tolerance,
                    bool relative) {
  CheckResult r{what,  expected, computed, std::abs(computed - expected), tolerance, relative,
                false, {},       0};
  if (relative) r.error /= std::abs(expected);
  r.passed = r.error <= tolerance;  // not a number: not passed
  return r;
}

void add_recomputed(const CaseRun& run, const Recomputed& r, CaseResult& out) {
  const std::string suffix = run.name.empty() ? "" : " (" + run.name + ")";
  CheckResult check = compare(r.what + suffix, r.difference, 0.0, r.tolerance, false);
  check.recomputed = r.kind;
  check.values = r.values;
  out.checks.push_back(std::move(check));
}

/// Energies of the ledger against those from the rows, over the largest of either kind.
void compare_energies(const CaseRun& run, CaseResult& out) {
  constexpr double kRounding = 1e-11;  // of sums over bodies, relative to the largest energy
  for (const char* kind : {"kinetic", "potential"}) {
    const std::vector<double> own = own_column(*run.model, run.rows, std::string("own.") + kind);
    const std::vector<std::string> known = column_names(run.rows.channels);
    const std::string name = std::string("energy.") + kind;
    if (own.empty() || std::find(known.begin(), known.end(), name) == known.end()) continue;
    const std::vector<double> ledger = run.rows.column(name);
    double difference = 0.0, scale = 1e-12;
    for (std::size_t i = 0; i < own.size(); ++i) {
      difference = std::max(difference, std::abs(own[i] - ledger[i]));
      scale = std::max({scale, std::abs(own[i]), std::abs(ledger[i])});
    }
    add_recomputed(run,
                   {"energy", std::string(kind) + " energy, recomputed from the rows",
                    difference / scale, kRounding, own.size()},
                   out);
  }
}

void keep_courses(const Case& of, const CaseRun& run, const Numbers& numbers, CaseResult& out) {
  for (const std::string& name : of.plots) {
    Course course{name, "", run.rows.time, rows_of(name, of, run, numbers, {})};
    for (const Channel& c : run.rows.channels) {
      for (int k = 0; k < c.width; ++k) {
        std::string full = name;
        for (const NamedText& alias : of.columns) {
          if (alias.name == name) full = alias.text;
        }
        if (column_name(c, k) == full) course.unit = c.unit;
      }
    }
    out.courses.push_back(std::move(course));
  }
}

void compare_case(const Case& of, CaseResult& out) {
  std::vector<CaseRun> runs;
  for (const Variant& variant : of.runs) {
    runs.push_back(run_variant(of, variant));
    out.cpu_seconds += runs.back().result.statistics.cpu_seconds;
  }
  Numbers numbers;
  for (const auto& [name, value] : runs.front().model->scene.values) numbers[name] = value;
  for (const NamedText& value : of.values) {
    numbers[value.name] = calculate(value.text, numbers, {});
  }
  for (const Quantity& q : of.quantities) numbers[q.name] = read_quantity(q, of, runs, numbers);
  for (const Check& check : of.checks) {
    out.checks.push_back(compare(check.what, calculate(check.computed, numbers, check.where),
                                 calculate(check.expected, numbers, check.where), check.tolerance,
                                 check.relative));
  }
  for (const CaseRun& run : runs) {
    // A right answer of a run that calls itself doubtful is luck.
    const std::vector<Finding>& reasons = run.result.verdict.reasons;
    if (run.result.verdict.grade() != Grade::sound) {
      const double count = static_cast<double>(reasons.size());
      out.checks.push_back(compare("not sound: " + reasons[0].text, count, 0.0, 0.0, false));
    }
    compare_energies(run, out);
    for (const Recomputed& r : recompute_contacts(*run.model, run.rows, run.result.events)) {
      add_recomputed(run, r, out);
    }
    std::vector<Recomputed> rigid;
    compare_rigid(*run.model, run.rows, run.result.events, run.at_events, rigid);
    for (const Recomputed& r : rigid) add_recomputed(run, r, out);
  }
  keep_courses(of, runs.front(), numbers, out);
}

/// {"energy": {"worst", "tolerance", "values"}, …}: of each kind the one nearest to its limit.
std::string recomputed_json(const CaseResult& r) {
  JsonObject all;
  for (const char* kind : {"energy", "forces", "events", "gaps", "states", "impacts"}) {
    const CheckResult* worst = nullptr;
    std::size_t values = 0;
    for (const CheckResult& c : r.checks) {
      if (c.recomputed != kind) continue;
      values += c.values;
      if (!worst || c.error / c.tolerance > worst->error / worst->tolerance) worst = &c;
    }
    if (!worst) continue;
    JsonObject of_kind;
    of_kind.number("worst", worst->error).number("tolerance", worst->tolerance);
    all.put(kind, of_kind.count("values", values).str());
  }
  return all.str();
}

JsonObject& add_check(JsonObject& out, const CheckResult& c) {
  return out.number("expected", c.expected)
      .number("computed", c.computed)
      .number("error", c.error)
      .number("tolerance", c.tolerance)
      .flag("relative", c.relative);
}

std::string check_json(const CheckResult& c) {
  JsonObject out;
  out.text("what", c.what).flag("passed", c.passed);
  return add_check(out, c).str();
}

std::string case_json(const CaseResult& r) {
  const CheckResult none{"", NAN, NAN, NAN, NAN, false, false, {}, 0};
  const CheckResult* worst = r.worst();
  JsonObject out;
  out.text("name", r.name).flag("passed", r.passed);
  add_check(out, worst ? *worst : none);
  out.text("source", r.source).text("title", r.title).text("failure", r.failure);
  out.put("recomputed", recomputed_json(r)).number("cpu_seconds", r.cpu_seconds);
  return out.line(3).put("checks", json_list(r.checks, check_json, ",\n    ")).str();
}

}  // namespace

const CheckResult* CaseResult::worst() const {
  const CheckResult* worst = nullptr;
  const auto margin = [](const CheckResult& c) { return c.error / c.tolerance; };
  for (const CheckResult& c : checks) {
    if (!std::isfinite(c.error)) return &c;
    if (!c.recomputed.empty() && c.passed) continue;
    if (!worst || margin(c) > margin(*worst)) worst = &c;
  }
  return worst || checks.empty() ? worst : &checks.front();
}

CaseResult run_case(const Case& of) {
  CaseResult out;
  out.name = of.name, out.title = of.title, out.source = of.source;
  try {
    compare_case(of, out);
  } catch (const std::exception& error) {
    out.failure = error.what();
  }
  out.passed = out.failure.empty() && !out.checks.empty();
  for (const CheckResult& check : out.checks) out.passed &= check.passed;
  return out;
}

std::vector<CaseResult> run_cases(std::span<const Case> cases, unsigned threads,
                                  const std::function<void(const CaseResult&)>& done) {
  std::vector<CaseResult> results(cases.size());
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < cases.size(); i = next++) {
      results[i] = run_case(cases[i]);
      const std::lock_guard lock(mutex);
      if (done) done(results[i]);
    }
  };
  std::vector<std::thread> workers;
  for (unsigned k = 1; k < threads; ++k) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
  return results;
}

std::string results_json(std::span<const CaseResult> results) {
  return JsonObject().put("cases", json_list(results, case_json, ",\n  ")).str() + "\n";
}

}  // namespace carom::verify
