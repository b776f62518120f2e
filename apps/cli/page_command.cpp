// carom page: results as one HTML file that any browser shows.
#include "page_command.h"

#include <filesystem>

#include "carom/record/output_file.h"
#include "commands.h"
#include "demos.h"
#include "exit_code.h"
#include "gallery.h"
#include "talk.h"
#include "viewer/page.h"

namespace carom::cli {
namespace {

struct PageOptions {
  std::vector<std::string> results;
  std::string output;
  bool gallery = false;
};

void write_and_report(const std::string& path, std::span<const viewer::PageRun> runs,
                      const std::string& title) {
  const std::string page = viewer::make_page(runs, title);
  viewer::write_file(path, page);
  tell("  page: {} ({:.1f} MB); open it in a browser\n", path,
       static_cast<double>(page.size()) / 1e6);
}

int write_page(const PageOptions& o) {
  if (o.gallery) return write_gallery(o.output.empty() ? "gallery" : o.output, o.results);
  if (o.results.empty()) {
    tell("carom: page needs a result file (.h5), or --gallery\n");
    return kWrongUsage;
  }
  std::filesystem::path out = o.output;
  if (out.empty()) out = std::filesystem::path(o.results.front()).replace_extension(".html");
  if (out.extension() != ".html") {
    tell("carom: '{}' is no name of a page: end it in .html\n", out.string());
    return kWrongUsage;
  }
  refuse_overwriting(out.string(), o.results);
  std::vector<viewer::PageRun> runs;
  for (const std::string& path : o.results) {
    runs.push_back(viewer::make_page_run(path, {}, demo_files()));
  }
  write_and_report(out.string(), runs, out.stem().string());
  return kDone;
}

}  // namespace

void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs) {
  try {
    check_outputs({&output, 1}, inputs);
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(error.what() + std::string("\n  name another file with -o"));
  }
}

void write_run_page(const viewer::Thinned& run, const std::shared_ptr<const Model>& model,
                    const std::string& path) {
  const std::string name = model->scene.name;
  const viewer::PageRun page = viewer::make_page_run(run, model, name);
  write_and_report(path, {&page, 1}, name.empty() ? "Carom" : name);
}

void add_page(Program& program) {
  auto options = std::make_shared<PageOptions>();
  CLI::App* command =
      program.add("page", "make a page of results: animation, plots, values; no server needed",
                  [options] { return write_page(*options); });
  command->add_option(
      "results", options->results,
      "result files (.h5); several are laid over each other. With --gallery: demos");
  command->add_option("-o,--output", options->output,
                      "the page (.html); default: beside the first result");
  command->add_flag("--gallery", options->gallery,
                    "run every demo, or those named, and make a folder of pages (-o FOLDER)");
}

}  // namespace carom::cli
