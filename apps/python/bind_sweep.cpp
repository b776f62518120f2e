// Studies: carom.sweep runs one, scene.run_many is the same in one call.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <set>

#include "bindings.h"
#include "carom/sweep/read_study.h"
#include "carom/sweep/report.h"
#include "carom/sweep/sweep.h"
#include "signal_watch.h"
#include "yaml_value.h"

namespace carom::python {
namespace {

using Path = std::filesystem::path;

/// A table and what is needed to analyse it.
struct StudyTable {
  std::shared_ptr<const sweep::Plan> plan;
  Table table;

  const TableColumn& column(const std::string& name) const {
    const TableColumn* found = table.find(name);
    if (!found) throw py::key_error("the table has no column '" + name + "'");
    return *found;
  }
};

py::object column_values(const StudyTable& t, const std::string& name) {
  const TableColumn& column = t.column(name);
  if (!column.is_text) return copy_array(column.numbers.data(), column.numbers.size());
  return py::module_::import("numpy").attr("array")(py::cast(column.texts));
}

std::vector<std::string> column_list(const StudyTable& t) {
  std::vector<std::string> names;
  for (const TableColumn& c : t.table.columns) names.push_back(c.name);
  return names;
}

py::object analysis(const StudyTable& t) {
  std::string text;
  {
    const py::gil_scoped_release unlock;
    text = report_json(*t.plan, t.table, analyse(*t.plan, t.table), 0);
  }
  return py::module_::import("json").attr("loads")(text);
}

void save(const StudyTable& t, const Path& path) {
  try {
    path.extension() == ".csv" ? write_table_csv(t.table, path.string())
                               : write_table_hdf5(t.table, path.string());
  } catch (const std::runtime_error& error) {
    raise_os_error(error.what());
  }
}

/// Waits for the threads without Python's lock; Ctrl-C raises.
template <class Work>
auto unlocked(sweep::SweepOptions& options, Work&& work) {
  SignalWatch watch;
  options.interrupt = watch.flag();
  options.progress = [&watch](const sweep::SweepProgress&) { watch.poll(); };
  const auto result = [&] {
    const py::gil_scoped_release unlock;
    return work();
  }();
  if (watch.raised()) watch.raise();
  return result;
}

std::shared_ptr<const sweep::Plan> make_plan(const sweep::Study& study,
                                             std::optional<Document> document,
                                             Diagnostics diagnostics) {
  auto plan = document ? sweep::Plan::make(study, *std::move(document), diagnostics)
                       : sweep::Plan::make(study, diagnostics);
  if (!plan) throw InputError(std::move(diagnostics));
  return plan;
}

/// What throws is an OSError for Python, but findings.
template <class Work>
auto with_os_errors(Work&& work) {
  try {
    return work();
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    raise_os_error(error.what());
  }
}

sweep::SweepOptions thread_options(int threads) {
  if (threads < 0) throw py::value_error("threads is 0 (all cores) or more");
  sweep::SweepOptions options;
  options.threads = threads;
  return options;
}

StudyTable run_plan(std::shared_ptr<const sweep::Plan> plan, sweep::SweepOptions options) {
  StudyTable out{std::move(plan), {}};
  out.table = unlocked(options, [&] { return run_in_memory(out.plan, options); }).value_or(Table{});
  return out;
}

/// A study that a program states: nothing is kept on disk.
StudyTable sweep_dict(const py::dict& study, int threads, bool allow_outside) {
  py::dict whole = study.attr("copy")();
  if (!whole.contains("carom_study")) whole["carom_study"] = sweep::kStudyFormat;
  Diagnostics findings;
  auto read = sweep::read_study_text(yaml_value(whole), "study", "", findings);
  if (!read) throw InputError(std::move(findings));
  read->allow_outside = allow_outside;
  return run_plan(make_plan(*read, {}, std::move(findings)), thread_options(threads));
}

StudyTable sweep_file(const Path& path, int threads, bool retry_failed, double wait,
                      bool allow_outside) {
  Diagnostics diagnostics;
  std::optional<sweep::Study> study = sweep::read_study_file(path.string(), diagnostics);
  if (!study) throw InputError(std::move(diagnostics));
  study->allow_outside = allow_outside;
  StudyTable out{make_plan(*study, {}, std::move(diagnostics)), {}};
  sweep::SweepOptions options = thread_options(threads);
  options.retry_failed = retry_failed;
  options.wait_seconds = wait;
  out.table = with_os_errors([&] {
    return unlocked(options, [&] {
      sweep::Workplace place(out.plan, sweep::folder_of(path.string()), options);
      run_on_threads(place, options);
      return place.missing().empty() ? place.table() : Table{};
    });
  });
  return out;
}

StudyTable run_study(const py::object& study, int threads, bool retry_failed, double wait,
                     bool allow_outside) {
  if (py::isinstance<py::dict>(study)) {
    return sweep_dict(study.cast<py::dict>(), threads, allow_outside);
  }
  return sweep_file(study.cast<Path>(), threads, retry_failed, wait, allow_outside);
}

/// Columns of values by path; a list of dicts is turned into such columns.
py::dict value_columns(const py::object& values) {
  if (py::isinstance<py::dict>(values)) return values.cast<py::dict>();
  py::dict columns;
  std::size_t rows = 0;
  for (const py::handle& item : values) {
    const auto row = py::cast<py::dict>(item);
    if (rows > 0 && row.size() != columns.size()) {
      throw py::value_error("every set of values names the same places");
    }
    for (const auto& [path, value] : row) {
      if (rows == 0) columns[path] = py::list();
      if (!columns.contains(path)) {
        throw py::value_error("every set of values names the same places");
      }
      columns[path].cast<py::list>().append(value);
    }
    ++rows;
  }
  return columns;
}

/// A word as the table shows it; what YAML would take for something else is quoted.
std::string choice_text(const py::object& item) {
  const std::string quoted = yaml_value(item);
  if (!py::isinstance<py::str>(item)) return quoted;
  const auto word = item.cast<std::string>();
  const bool plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  const std::set<std::string> taken = {"true", "false", "null", "yes", "no", "on", "off"};
  const bool begins = plain && (word[0] < '0' || word[0] > '9');
  return begins && !taken.contains(word) ? word : quoted;
}

sweep::Factor factor_of(const std::string& path, const py::object& column,
                        std::vector<std::vector<double>>& rows) {
  sweep::Factor factor{path, {}, {path, 0, 0}};
  sweep::Distribution& d = factor.distribution;
  std::vector<double> numbers;
  bool all_numbers = true;
  const auto items = py::cast<py::list>(py::module_::import("builtins").attr("list")(column));
  for (const py::handle& item : items) {
    const bool number =
        PyFloat_Check(item.ptr()) || PyLong_Check(item.ptr()) || py::hasattr(item, "__float__");
    all_numbers &= number && !PyBool_Check(item.ptr());
  }
  if (!all_numbers) d.kind = sweep::Distribution::Kind::choice;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const py::object item = items[i];
    if (rows.size() <= i) rows.resize(i + 1);
    if (all_numbers) {
      rows[i].push_back(item.cast<double>());
    } else {
      d.choices.push_back(choice_text(item));
      rows[i].push_back(static_cast<double>(i));
    }
  }
  return factor;
}

/// What is recorded unless the caller says: where everything is at the end.
std::vector<sweep::RecordSpec> end_records(SceneHandle& scene) {
  std::vector<sweep::RecordSpec> records;
  const std::shared_ptr<const Model> model = scene.model();
  const auto add = [&](const std::string& channel) {
    records.push_back({channel, channel + "@end", {channel, 0, 0}});
  };
  for (const BodyInfo& b : model->bodies) {
    if (b.link == 0) continue;
    for (const char* what : {".position", ".orientation", ".velocity", ".angular_velocity"}) {
      add(b.name + what);
    }
  }
  for (const JointInfo& j : model->joints) {
    if (j.name.empty() || j.kind->nq == 0) continue;
    add(j.name + ".q");
    add(j.name + ".v");
  }
  return records;
}

StudyTable run_many(SceneHandle& scene, const py::object& values, const py::object& record,
                    int threads, double max_cpu) {
  sweep::Study study;
  study.file = "run_many";
  study.scene = "scene";
  study.max_cpu = max_cpu;
  study.design.kind = sweep::DesignSpec::Kind::list;
  std::vector<std::vector<double>>& rows = study.design.rows;
  std::size_t length = 0;
  for (const auto& [path, column] : value_columns(values)) {
    if (!py::hasattr(column, "__len__") || py::isinstance<py::str>(column)) {
      throw py::type_error("'" + path.cast<std::string>() + "' needs a list or array of values");
    }
    const std::size_t count = py::len(column);
    if (!study.factors.empty() && count != length) {
      throw py::value_error("'" + path.cast<std::string>() + "' has " + std::to_string(count) +
                            " values, others have " + std::to_string(length));
    }
    length = count;
    study.factors.push_back(
        factor_of(path.cast<std::string>(), py::reinterpret_borrow<py::object>(column), rows));
  }
  study.design.count = rows.size();
  study.design.where = {"values", 0, 0};
  if (record.is_none()) {
    study.records = end_records(scene);
  } else {
    for (const auto& [key, text] : record.cast<py::dict>()) {  // formulas read columns before
      const auto name = key.cast<std::string>();
      study.records.push_back({name, text.cast<std::string>(), {name, 0, 0}});
    }
  }
  return run_plan(make_plan(study, scene.document(), {}), thread_options(threads));
}

}  // namespace

void bind_sweep(py::module_& m) {
  py::class_<StudyTable>(m, "StudyTable", "One row per point of a study; columns are arrays.")
      .def("__getitem__", column_values, py::arg("name"))
      .def("__contains__", [](const StudyTable& t,
                              const std::string& name) { return t.table.find(name) != nullptr; })
      .def("__len__", [](const StudyTable& t) { return t.table.rows(); })
      .def_property_readonly("columns", column_list, "names of all columns, in their order")
      .def(
          "unit", [](const StudyTable& t, const std::string& name) { return t.column(name).unit; },
          py::arg("name"), "unit of a column")
      .def("analyse", analysis, "statistics and indices, as carom sweep --analyse --json")
      .def("save", save, py::arg("path"), "writes .h5 or .csv")
      .def("__repr__", [](const StudyTable& t) {
        return "<carom.StudyTable of " + std::to_string(t.table.rows()) + " points>";
      });
  m.def("sweep", run_study, py::arg("study"), py::kw_only(), py::arg("threads") = 0,
        py::arg("retry_failed") = false, py::arg("wait") = 10.0, py::arg("allow_outside") = false,
        "Runs what is missing of a study file, or a study given as a dict, and gives its table. "
        "Raises SceneError, OSError.");
  const py::object scene = m.attr("Scene");
  scene.attr("run_many") = py::cpp_function(
      run_many, py::name("run_many"), py::is_method(scene), py::arg("values"),
      py::arg("record") = py::none(), py::kw_only(), py::arg("threads") = 0,
      py::arg("max_cpu") = 0.0,
      "Runs the scene for every set of values ({path: array} or a list of dicts) on threads.");
}

}  // namespace carom::python
