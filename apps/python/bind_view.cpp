// A result made visible: as the page, inline in notebooks, and as figures.
#include <pybind11/stl.h>

#include "bindings.h"
#include "carom/engine/model.h"
#include "carom/scene/read/read.h"
#include "viewer/page.h"
#include "viewer/plot.h"

namespace carom::python {
namespace {

struct Figure {
  std::string svg;
  void save(const std::string& path) const {
    viewer::write_file(path, path.ends_with(".png") ? viewer::svg_to_png(svg) : svg);
  }
};

std::string attribute_text(const std::string& html) {
  std::string out;
  out.reserve(html.size());
  for (const char c : html) {
    c == '"' ? out += "&quot;" : c == '&' ? out += "&amp;" : out += c;
  }
  return out;
}

}  // namespace

std::string result_page(const Recording& recording) {
  Diagnostics diagnostics;
  ReadOptions options;
  options.folder = ".";  // of mesh files
  const std::optional<Scene> scene =
      read_scene_text(recording.meta.scene, "scene", options, diagnostics);
  if (!scene || diagnostics.has_errors()) throw InputError(std::move(diagnostics));
  const std::shared_ptr<const Model> model = compile(*scene, diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  const std::string& name = recording.meta.scene_name;
  const viewer::PageRun run = viewer::make_page_run(viewer::thin(recording), model, name);
  return viewer::make_page({&run, 1}, name.empty() ? "Carom" : name);
}

std::string result_frame(const Recording& recording) {
  return "<iframe style=\"width:100%;height:640px;border:0;border-radius:8px\" srcdoc=\"" +
         attribute_text(result_page(recording)) + "\"></iframe>";
}

py::object result_figure(const Recording& r, const std::vector<std::string>& names) {
  const ColumnIndex index(r.channels);
  const std::vector<std::string> columns = column_names(r.channels);
  std::vector<std::string> units;
  for (const Channel& c : r.channels) units.insert(units.end(), std::size_t(c.width), c.unit);
  std::vector<viewer::PlotSeries> series;
  for (const std::string& name : names) {
    ColumnIndex::Range range;
    try {
      range = index.channel(name);
    } catch (const std::runtime_error& error) {
      throw py::key_error(error.what());
    }
    for (std::size_t c = range.first; c < range.first + range.width; ++c) {
      MergedColumn line = merge_peaks(r.time, r.column(columns[c]), r.peaks, c);
      series.push_back({columns[c], units[c], std::move(line.time), std::move(line.values), 0});
    }
  }
  std::vector<viewer::PlotEvent> events;
  for (const EventRecord& e : r.events) events.push_back({e.time, e.kind + " " + full_subject(e)});
  return py::cast(Figure{viewer::plot_svg(series, events, {r.meta.scene_name, 900, 230, false})});
}

void bind_view(py::module_& m) {
  py::class_<Figure>(m, "Figure", "A plot; notebooks show it, save() writes .svg or .png.")
      .def_readonly("svg", &Figure::svg)
      .def("save", &Figure::save, py::arg("path"))
      .def("_repr_svg_", [](const Figure& f) { return f.svg; });
}

}  // namespace carom::python
