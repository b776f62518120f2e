// Result: a recorded run. Arrays look into the recorded block itself; each holds the
// block alive, so they outlive the Result.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bindings.h"
#include "carom/record/result_file.h"

namespace carom::python {
namespace {

struct ResultHandle {
  std::shared_ptr<const Recording> recording;
  ColumnIndex index;
  py::dict summary;
};

ResultHandle make_handle(Recording recording) {
  auto shared = std::make_shared<const Recording>(std::move(recording));
  py::dict summary = py::module_::import("json").attr("loads")(shared->summary);
  return {shared, ColumnIndex(shared->channels), std::move(summary)};
}

/// Read-only, without a copy.
py::array view(const std::shared_ptr<const Recording>& recording, std::vector<py::ssize_t> shape,
               std::vector<py::ssize_t> strides, const double* first) {
  auto owner = std::make_unique<std::shared_ptr<const Recording>>(recording);
  const py::capsule base(owner.get(),
                         [](void* p) { delete static_cast<std::shared_ptr<const Recording>*>(p); });
  static_cast<void>(owner.release());  // the capsule has it now
  py::array_t<double> array(std::move(shape), std::move(strides), first, base);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::array time_view(const ResultHandle& r) {
  const std::vector<double>& t = r.recording->time;
  return view(r.recording, {static_cast<py::ssize_t>(t.size())}, {sizeof(double)}, t.data());
}

py::array channel_view(const ResultHandle& r, const std::string& name) {
  ColumnIndex::Range range;
  try {
    range = r.index.channel(name);
  } catch (const std::runtime_error& error) {
    throw py::key_error(error.what());
  }
  const Recording& recording = *r.recording;
  const auto rows = static_cast<py::ssize_t>(recording.rows());
  const auto row = static_cast<py::ssize_t>(recording.width() * sizeof(double));
  const double* first = recording.values.data() + range.first;
  if (range.width == 1) return view(r.recording, {rows}, {row}, first);
  return view(r.recording, {rows, static_cast<py::ssize_t>(range.width)}, {row, sizeof(double)},
              first);
}

const Channel* find_channel(const ResultHandle& r, const std::string& name) {
  for (const Channel& c : r.recording->channels) {
    if (c.name == name) return &c;
  }
  return nullptr;
}

bool contains(const ResultHandle& r, const std::string& name) {
  try {
    (void)r.index.channel(name);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

py::list channel_names(const ResultHandle& r) {
  py::list out;
  for (const Channel& c : r.recording->channels) out.append(c.name);
  return out;
}

py::dict describe(const ResultHandle& r, const std::string& name) {
  const Channel* c = find_channel(r, name);
  if (!c) throw py::key_error("'" + name + "' is not a channel of this result");
  py::dict out;
  out["name"] = c->name;
  out["unit"] = c->unit;
  out["doc"] = c->doc;
  out["components"] = c->components;
  return out;
}

py::list events(const ResultHandle& r) {
  py::list out;
  for (const EventRecord& e : r.recording->events) {
    py::dict row;
    row["time"] = e.time;
    row["kind"] = e.kind;
    row["subject"] = e.subject;
    if (!e.partner.empty()) row["partner"] = e.partner;
    for (const NamedValue& v : e.values) row[py::str(v.name)] = v.value;
    out.append(row);
  }
  return out;
}

/// The largest forces between rows; the values of `columns` are those of the object's channels.
py::list peaks(const ResultHandle& r) {
  const std::vector<std::string> names = column_names(r.recording->channels);
  py::list out;
  for (const PeakRecord& p : r.recording->peaks) {
    py::dict row, columns;
    row["time"] = p.time;
    row["object"] = p.object;
    row["quantity"] = p.quantity;
    row["value"] = p.value;
    row["unit"] = p.unit;
    for (std::size_t i = 0; i < p.columns.size(); ++i) {
      columns[py::str(names[p.first_column + i])] = p.columns[i];
    }
    row["columns"] = columns;
    out.append(row);
  }
  return out;
}

/// Where contacts press at the rows; `points` has x, y, z, the value there and its share.
py::list maps(const ResultHandle& r) {
  py::list out;
  for (const MapRecord& m : r.recording->maps) {
    py::dict row;
    row["row"] = m.row;
    row["time"] = r.recording->time.at(m.row);
    row["object"] = m.object;
    row["quantity"] = m.quantity;
    row["unit"] = m.unit;
    row["normal"] = view(r.recording, {3}, {sizeof(double)}, m.normal.data());
    constexpr auto kRow = static_cast<py::ssize_t>(kMapNumbers);
    row["points"] =
        view(r.recording, {static_cast<py::ssize_t>(m.points.size()) / kRow, kRow},
             {kRow * static_cast<py::ssize_t>(sizeof(double)), sizeof(double)}, m.points.data());
    out.append(row);
  }
  return out;
}

py::list contacts(const ResultHandle& r) {
  py::list out;
  for (const ContactSummary& c : r.recording->contacts) {
    py::dict row;
    row["pair"] = py::make_tuple(c.first, c.second);
    row["count"] = c.count;
    row["duration"] = c.duration;
    row["impulse"] = c.impulse;
    row["peak_force"] = c.peak_force;
    row["peak_time"] = c.peak_time;
    row["peak_depth"] = c.peak_depth;
    row["slip"] = c.slip;
    row["energy_lost"] = c.energy_lost;
    out.append(row);
  }
  return out;
}

/// A part of the summary; a run that was cut off has none.
py::dict part(const ResultHandle& r, const char* name) {
  return r.summary.contains(name) ? r.summary[name].cast<py::dict>() : py::dict();
}

/// The reasons of a broken run in one line; "" where it is not broken.
std::string broken_text(const ResultHandle& r) {
  const py::dict verdict = part(r, "verdict");
  if (!verdict.contains("grade") || verdict["grade"].cast<std::string>() != "broken") return {};
  std::string text = "broken";
  for (const py::handle reason : verdict["reasons"]) {
    text += (text == "broken" ? ": " : "; ") + reason["text"].cast<std::string>();
  }
  return text;
}

void check(const ResultHandle& r) {
  if (r.recording->status == RunStatus::completed) {
    const std::string broken = broken_text(r);
    if (!broken.empty()) raise_simulation_error(broken);
    return;
  }
  std::string text(to_string(r.recording->status));
  if (!r.recording->reason.empty()) text += ": " + r.recording->reason;
  raise_simulation_error(text);
}

std::string repr(const ResultHandle& r) {
  const Recording& c = *r.recording;
  return "<carom.Result of '" + c.meta.scene_name + "': " + std::string(to_string(c.status)) +
         ", " + std::to_string(c.rows()) + " rows, " + std::to_string(c.channels.size()) +
         " channels>";
}

ResultHandle open_file(const std::filesystem::path& path) {
  Recording recording;
  try {
    const py::gil_scoped_release unlock;
    recording = ResultFile(path.string()).load();
  } catch (const std::runtime_error& error) {
    raise_os_error(error.what());
  }
  return make_handle(std::move(recording));
}

}  // namespace

py::object make_result(Recording recording) { return py::cast(make_handle(std::move(recording))); }

void bind_result(py::module_& m) {
  py::class_<ResultHandle>(m, "Result", "A recorded run: result['ball.position'] is an array.")
      .def_property_readonly("name",
                             [](const ResultHandle& r) { return r.recording->meta.scene_name; })
      .def_property_readonly(
          "source", [](const ResultHandle& r) { return r.recording->meta.scene; },
          "the scene that ran, as YAML")
      .def_property_readonly(
          "status",
          [](const ResultHandle& r) { return std::string(to_string(r.recording->status)); },
          "completed, failed, interrupted, or running where a file was cut off")
      .def_property_readonly(
          "reason", [](const ResultHandle& r) { return r.recording->reason; },
          "why the run ended, if not by reaching its end")
      .def_property_readonly("time", time_view, "instants of the rows [s], a view")
      .def_property_readonly("channels", channel_names, "names of what was recorded")
      .def("describe", describe, py::arg("channel"), "name, unit, doc and components of a channel")
      .def("__getitem__", channel_view, py::arg("name"))
      .def("__contains__", contains, py::arg("name"))
      .def_property_readonly("events", events,
                             "what happened, in order: time, kind, subject, partner, value; at "
                             "the end of a contact impulse, peak_force, peak_depth, duration, "
                             "slip, energy_lost")
      .def_property_readonly("peaks", peaks,
                             "the largest forces between rows: time, object, quantity, value, "
                             "unit, columns")
      .def_property_readonly("maps", maps,
                             "where contacts press, with run.output.maps: row, time, object, "
                             "quantity, unit, normal, points (x, y, z, value, share)")
      .def_property_readonly("contacts", contacts,
                             "every pair that touched: count, peaks, sums over its contacts")
      .def_property_readonly(
          "summary", [](const ResultHandle& r) { return r.summary; },
          "the document that `carom run --json` prints")
      .def_property_readonly(
          "final", [](const ResultHandle& r) { return part(r, "final"); },
          "bodies and joints at the end")
      .def_property_readonly(
          "energy", [](const ResultHandle& r) { return part(r, "energy"); },
          "the energy ledger at the end [J]")
      .def_property_readonly("statistics",
                             [](const ResultHandle& r) { return part(r, "statistics"); })
      .def_property_readonly(
          "verdict", [](const ResultHandle& r) { return part(r, "verdict"); },
          "what is to be thought of the run: grade (sound, doubtful, broken) and reasons, each "
          "with "
          "name, value, limit, subject and text")
      .def("check", check,
           "raises SimulationError unless the run was completed, or where its verdict is broken")
      .def(
          "page", [](const ResultHandle& r) { return result_page(*r.recording); },
          "the run as one HTML text: animation, plots, values")
      .def(
          "plot",
          [](const ResultHandle& r, const py::args& names) {
            return result_figure(*r.recording, names.cast<std::vector<std::string>>());
          },
          "a Figure of channels or columns over time")
      .def("_repr_html_", [](const ResultHandle& r) { return result_frame(*r.recording); })
      .def("__repr__", repr);
  m.def("open", open_file, py::arg("path"), "Reads a result file (.h5).");
}

}  // namespace carom::python
