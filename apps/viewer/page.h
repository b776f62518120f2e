// The page: one HTML file that shows one or more runs in any browser, without a server.
//
// The template is what Vite makes of apps/viewer/web; it is compiled into this library.
// A run becomes a JSON text (names, events, summary, scene, where the numbers are) and a
// block of bytes (meshes, times, columns), deflated and in base64.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/engine/model.h"
#include "carom/scene/read/document.h"
#include "viewer/thinning.h"

namespace carom::viewer {

struct PageRun {
  std::string json, data;  ///< data is base64
};

/// `label` tells runs apart where a page has several; usually the file's name.
PageRun make_page_run(const Thinned& run, const std::shared_ptr<const Model>& model,
                      const std::string& label);

/// Reads a result file; its scene is compiled again from the text it carries, mesh files
/// are looked for in the result's folder, then among the `carried` ones. Throws InputError or
/// std::runtime_error.
PageRun make_page_run(const std::string& result_path, const PageBudget& budget = {},
                      const std::vector<CarriedFile>& carried = {});

/// The whole page.
std::string make_page(std::span<const PageRun> runs, const std::string& title);
/// A page that asks a server for its run (carom view).
std::string make_live_page(const PageRun& run, const std::string& title,
                           const std::string& config_json);

/// Writes beside and renames, so that a half-written page never stands there. Throws
/// std::runtime_error.
void write_file(const std::string& path, std::string_view text);

}  // namespace carom::viewer
