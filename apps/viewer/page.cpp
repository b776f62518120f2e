#include "viewer/page.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "carom/base/text.h"
#include "carom/record/output_file.h"
#include "carom/scene/read.h"
#include "viewer/drawn_scene.h"
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

std::string channels_json(const std::vector<Channel>& channels) {
  std::string out = "[";
  for (const Channel& c : channels) {
    out += (out.size() > 1 ? "," : "") + ("{\"name\":" + json_quote(c.name)) +
           ",\"unit\":" + json_quote(c.unit) + ",\"doc\":" + json_quote(c.doc) +
           ",\"width\":" + std::to_string(c.width) + ",\"components\":[";
    for (std::size_t k = 0; k < c.components.size(); ++k) {
      out += (k ? "," : "") + json_quote(c.components[k]);
    }
    out += "]}";
  }
  return out + "]";
}

std::string events_json(const Recording& r) {
  std::string out = "[";
  for (const EventRecord& e : r.events) {
    out += (out.size() > 1 ? "," : "") + ("{\"time\":" + json_number(e.time)) +
           ",\"kind\":" + json_quote(e.kind) + ",\"subject\":" + json_quote(full_subject(e)) +
           ",\"values\":{";
    bool first = true;
    for (const NamedValue& v : e.values) {
      if (!std::isfinite(v.value)) continue;
      out += (first ? "" : ",") + json_quote(v.name) + ":" + json_number(v.value);
      first = false;
    }
    out += "}}";
  }
  return out + "]";
}

/// The largest forces between rows, with the columns of their objects from `first` on.
std::string peaks_json(const Recording& r) {
  std::string out = "[";
  for (const PeakRecord& p : r.peaks) {
    out += (out.size() > 1 ? "," : "") + ("{\"time\":" + json_number(p.time)) +
           ",\"first\":" + std::to_string(p.first_column) + ",\"values\":[";
    for (std::size_t i = 0; i < p.columns.size(); ++i) {
      out += (i > 0 ? "," : "") + json_number(p.columns[i]);
    }
    out += "]}";
  }
  return out + "]";
}

/// Packs all columns behind what `blob` holds; gives back low and high of each.
std::string columns_json(const Recording& r, int bits, Bytes& blob) {
  std::string low, high;
  const std::size_t width = total_width(r.channels), rows = r.time.size();
  std::vector<double> column(rows);
  for (std::size_t c = 0; c < width; ++c) {
    for (std::size_t i = 0; i < rows; ++i) column[i] = r.values[i * width + c];
    const PackedColumn packed = pack_column(column, bits);
    low += (c ? "," : "") + json_number(packed.low);
    // A column without bytes is constant; null marks it.
    high += (c ? "," : "") + (packed.bytes.empty() ? "null" : json_number(packed.high));
    blob.insert(blob.end(), packed.bytes.begin(), packed.bytes.end());
  }
  return "\"low\":[" + low + "],\"high\":[" + high + "]";
}

std::string left_out_json(const Thinned& run) {
  std::string out = "[";
  for (const std::string& name : run.left_out)
    out += (out.size() > 1 ? "," : "") + json_quote(name);
  return out + "]";
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
  const std::string scene = scene_json(draw(model), blob);
  const std::size_t columns_at = blob.size();
  const std::string columns = columns_json(r, bits, blob);
  PageRun out;
  out.json = "{\"label\":" + json_quote(label) + ",\"name\":" + json_quote(r.meta.scene_name) +
             ",\"description\":" + json_quote(model->scene.description) +
             ",\"version\":" + json_quote(r.meta.carom_version) +
             ",\"created\":" + json_quote(r.meta.created) +
             ",\"status\":" + json_quote(to_string(r.status)) +
             ",\"reason\":" + json_quote(r.reason) + ",\"rows\":" + std::to_string(r.time.size()) +
             ",\"rowsRecorded\":" + std::to_string(run.rows_before) +
             ",\"leftOut\":" + left_out_json(run) + ",\"bits\":" + std::to_string(bits) +
             ",\"columnsAt\":" + std::to_string(columns_at) + "," + columns +
             ",\"channels\":" + channels_json(r.channels) + ",\"events\":" + events_json(r) +
             ",\"peaks\":" + peaks_json(r) +
             ",\"peaksLeftOut\":" + std::to_string(run.peaks_left_out) + "," + scene +
             ",\"summary\":" + (r.summary.empty() ? "{}" : r.summary) +
             ",\"scene\":" + json_quote(r.meta.scene) + "}";
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
