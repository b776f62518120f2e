#include "gallery.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "carom/record/memory_writer.h"
#include "carom/simulation/run.h"
#include "demos.h"
#include "exit_code.h"
#include "scene_source.h"
#include "talk.h"
#include "viewer/page.h"
#include "viewer/plot.h"

namespace carom::cli {
namespace {

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    c == '<' ? out += "&lt;" : c == '&' ? out += "&amp;" : out += c;
  }
  return out;
}

/// The first joint's coordinate, or the first body's position, as a small figure.
std::string figure(const Recording& r) {
  const Channel* chosen = nullptr;
  for (const Channel& c : r.channels) {
    const bool coordinate = c.width == 1 && c.name.ends_with(".q");
    if (coordinate || (!chosen && c.name.ends_with(".position"))) chosen = &c;
    if (coordinate) break;
  }
  if (!chosen) return "";
  std::vector<viewer::PlotSeries> series;
  for (int k = 0; k < chosen->width; ++k) {
    series.push_back(
        {column_name(*chosen, k), chosen->unit, r.time, r.column(column_name(*chosen, k)), 0});
  }
  return viewer::plot_svg(series, {}, {.title = "", .width = 420, .panel_height = 130});
}

/// The demo's picture, written into `folder`; without one the figure of what it records.
std::string picture(const Demo& demo, const Recording& recording, const std::string& folder) {
  if (demo.picture.empty()) return figure(recording);
  viewer::write_file(folder + "/" + demo.name + ".jpg", demo.picture);
  return fmt::format("<a href=\"{0}.html\"><img src=\"{0}.jpg\" alt=\"{0}\" loading=\"lazy\"></a>",
                     demo.name);
}

std::string card(const Demo& demo, const Model& model, const RunResult& result,
                 const std::string& image) {
  const double scale = result.energy_scale > 0.0 ? result.energy_scale : 1.0;
  return fmt::format(
      "<article><h2><a href=\"{0}.html\">{1}</a></h2><p>{2}</p>{3}<p class=\"facts\">{4} bodies, "
      "{5} "
      "s, {6}, {7} steps, {8} events; the energy ledger closes to "
      "{9:.1e}</p><details><summary>Scene "
      "file</summary><pre>{10}</pre></details></article>\n",
      demo.name, html_text(model.scene.name), html_text(model.scene.description), image,
      model.bodies.size(), result.time, result.statistics.integrator,
      result.statistics.counts.steps, result.statistics.events, result.largest_residual / scale,
      html_text(demo.text));
}

constexpr const char* kHead =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width, initial-scale=1\"><title>Carom: demos</title><style>"
    "body{font:15px/1.5 system-ui,\"DejaVu "
    "Sans\",sans-serif;margin:0;background:#eef1f4;color:#1f262e}"
    "h1{font-size:22px;margin:28px 24px 12px}main{display:grid;gap:18px;padding:0 24px 40px;"
    "grid-template-columns:repeat(auto-fill,minmax(min(440px,100%),1fr))}"
    "article{background:#fff;border-radius:14px;padding:16px 20px;box-shadow:0 1px 3px #1423281f;"
    "min-width:0}h2{font-size:17px;margin:0}a{color:#1769aa}svg,img{max-width:100%;height:auto;"
    "border-radius:10px;display:block;margin:8px 0}"
    ".facts{color:#66717d;font-size:13px}pre{overflow:auto;font-size:12px;max-height:320px}"
    "</style><h1>Carom: demos</h1><main>\n";

}  // namespace

int write_gallery(const std::string& folder, std::span<const std::string> names) {
  for (const std::string& name : names) {
    if (find_demo(name)) continue;
    tell("carom: '{}' is not a demo\n  'carom demo' lists them\n", name);
    return kWrongUsage;
  }
  std::filesystem::create_directories(folder);
  std::string index = kHead;
  for (const Demo& demo : demos()) {
    if (!names.empty() && std::ranges::find(names, demo.name) == names.end()) continue;
    SceneOptions scene;
    scene.demo = demo.name;
    const std::shared_ptr<const Model> model = load_model(scene);
    MemoryWriter memory;
    RunOptions options;
    options.recorder = &memory;
    const RunResult result = run(model, options);
    const Recording recording = memory.take();
    const viewer::PageRun page = viewer::make_page_run(viewer::thin(recording), model, demo.name);
    viewer::write_file(folder + "/" + demo.name + ".html",
                       viewer::make_page({&page, 1}, model->scene.name));
    index += card(demo, *model, result, picture(demo, recording, folder));
    tell("  {}/{}.html\n", folder, demo.name);
  }
  viewer::write_file(folder + "/index.html", index + "</main></html>\n");
  tell("  gallery: open {}/index.html in a browser\n", folder);
  return kDone;
}

}  // namespace carom::cli
