#include "viewer/page.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "carom/base/json.h"
#include "carom/engine/results/channels.h"
#include "carom/record/output_file.h"
#include "carom/scene/read/read.h"
#include "viewer/drawn_scene.h"
#include "viewer/live_source.h"
#include "viewer/page_maps.h"
#include "viewer/page_template.h"

namespace carom::viewer {
namespace {

/// JSON inside a <script> element: '<' could end the element, so it is escaped. Line
/// separators that JavaScript once did not allow need no care in JSON.
std::string html_safe(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) c == '<' ? out += "\\u003c" : out += c;
  return out;
}

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    c == '<' ? out += "&lt;" : c == '&' ? out += "&amp;" : out += c;
  }
  return out;
}

std::string channel_json(const Channel& c) {
  JsonObject out = compact_object();
  out.text("name", c.name).text("unit", c.unit).text("doc", c.doc).count("width", c.width);
  return out.put("components", json_texts(c.components, ",")).str();
}

std::string event_json(const EventRecord& e) {
  JsonObject values = compact_object();
  for (const NamedValue& v : e.values) {
    if (std::isfinite(v.value)) values.number(v.name, v.value);
  }
  JsonObject out = compact_object();
  out.number("time", e.time).text("kind", e.kind).text("subject", full_subject(e));
  return out.put("values", values.str()).str();
}

/// A largest force between rows, with the columns of its object from `first` on.
std::string peak_json(const PeakRecord& p) {
  JsonObject out = compact_object();
  out.number("time", p.time).count("first", p.first_column);
  return out.put("values", json_numbers(p.columns)).str();
}

/// Packs all columns behind what `blob` holds; gives back low and high of each.
JsonObject columns_json(const Recording& r, int bits, Bytes& blob) {
  std::vector<std::string> low, high;
  const std::size_t width = total_width(r.channels), rows = r.time.size();
  std::vector<double> column(rows);
  for (std::size_t c = 0; c < width; ++c) {
    for (std::size_t i = 0; i < rows; ++i) column[i] = r.values[i * width + c];
    const PackedColumn packed = pack_column(column, bits);
    low.push_back(json_number(packed.low));
    // A column without bytes is constant; null marks it.
    high.push_back(packed.bytes.empty() ? "null" : json_number(packed.high));
    blob.insert(blob.end(), packed.bytes.begin(), packed.bytes.end());
  }
  const auto as_it_is = [](const std::string& json) { return json; };
  JsonObject out = compact_object();
  out.put("low", json_list(low, as_it_is, ",")).put("high", json_list(high, as_it_is, ","));
  return out;
}

std::string fill(std::string_view title, std::string_view content) {
  std::string page(page_template());
  const auto put = [&](std::string_view mark, std::string_view text) {
    const std::size_t at = page.find(mark);
    if (at == std::string::npos) throw std::runtime_error("the page's template is damaged");
    page.replace(at, mark.size(), text);
  };
  put("<!--carom-runs-->", content);
  put("<title>Carom</title>", "<title>" + html_text(title) + "</title>");
  return page;
}

std::string run_elements(const PageRun& run) {
  return "<script class=\"carom-run\" type=\"application/json\">" + html_safe(run.json) +
         "</script>\n<script class=\"carom-data\" type=\"text/plain\">" + run.data + "</script>\n";
}

}  // namespace

PageRun make_page_run(const Thinned& run, const std::shared_ptr<const Model>& model,
                      const std::string& label) {
  const Recording& r = run.recording;
  // Codes of 24 bits resolve 6e-8 of a column's range; large runs take 16 (1.5e-5).
  const int bits = r.values.size() <= 600'000 ? 24 : 16;
  Bytes blob;
  append_raw<double>(blob, r.time);
  const JsonObject scene = scene_json(draw(model), blob);
  const std::size_t columns_at = blob.size();
  const JsonObject columns = columns_json(r, bits, blob);
  const JsonObject maps = maps_json(r.maps, run.map_stride, blob);
  JsonObject json = compact_object();
  json.text("label", label).text("name", r.meta.scene_name);
  json.text("description", model->scene.description).text("version", r.meta.carom_version);
  json.text("created", r.meta.created).text("status", to_string(r.status)).text("reason", r.reason);
  json.count("rows", r.time.size()).count("rowsRecorded", run.rows_before);
  json.put("leftOut", json_texts(run.left_out, ",")).count("bits", bits);
  json.count("columnsAt", columns_at).all_of(columns);
  json.put("channels", json_list(r.channels, channel_json, ","));
  json.put("events", json_list(r.events, event_json, ","));
  json.put("peaks", json_list(r.peaks, peak_json, ","));
  json.count("peaksLeftOut", run.peaks_left_out).all_of(maps).all_of(scene);
  json.put("summary", r.summary.empty() ? "{}" : r.summary).text("scene", r.meta.scene);
  PageRun out;
  out.json = json.str();
  out.data = base64(deflate_bytes(blob));
  return out;
}

PageRun make_page_run(const std::string& result_path, const PageBudget& budget,
                      const std::vector<CarriedFile>& carried) {
  const Thinned run = thin(ResultFile(result_path), budget);
  const std::filesystem::path path(result_path);
  ReadOptions options;
  options.folder = path.has_parent_path() ? path.parent_path().string() : ".";
  for (const CarriedFile& file : carried) {  // what lies in the folder is the user's own
    if (!std::filesystem::exists(options.folder / std::filesystem::path(file.name))) {
      options.carried.push_back(file);
    }
  }
  Diagnostics diagnostics;
  const std::optional<Scene> scene =
      read_scene_text(run.recording.meta.scene, result_path, options, diagnostics);
  if (!scene || diagnostics.has_errors()) throw InputError(std::move(diagnostics));
  const std::shared_ptr<const Model> model = compile(*scene, diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  return make_page_run(run, model, path.filename().string());
}

std::string make_page(std::span<const PageRun> runs, const std::string& title) {
  std::string content;
  for (const PageRun& run : runs) content += run_elements(run);
  return fill(title, content);
}

PageRun make_empty_page(const std::shared_ptr<const Model>& model) {
  Thinned run;
  // The channels are those that the run records; it may not have begun yet.
  Diagnostics diagnostics;
  for (const OutputChannel& c :
       select_channels(*model, model->scene.run.output.channels, {}, diagnostics)) {
    run.recording.channels.push_back({c.name, c.unit, c.doc, c.width, c.components});
  }
  run.recording.meta.scene_name = model->scene.name;
  run.recording.meta.scene = model->scene.source;
  return make_page_run(run, model, model->scene.name);
}

std::string make_live_page(const PageRun& run, const std::string& title,
                           const std::string& config_json) {
  return fill(title, run_elements(run) + "<script id=\"carom-live\" type=\"application/json\">" +
                         html_safe(config_json) + "</script>\n");
}

void write_file(const std::string& path, std::string_view text) {
  OutputFile output(path);
  std::ofstream file(output.writing(), std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) throw std::runtime_error("cannot write '" + path + "': " + std::strerror(errno));
  output.publish();
}

}  // namespace carom::viewer
