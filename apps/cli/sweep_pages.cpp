#include "sweep_pages.h"

#include <fmt/core.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <thread>

#include "carom/record/memory_writer.h"
#include "carom/simulation/run.h"
#include "carom/sweep/point_runner.h"
#include "carom/sweep/report.h"
#include "exit_code.h"
#include "viewer/page.h"
#include "viewer/sweep_page.h"

namespace carom::cli {
namespace {

constexpr std::size_t kDrawnPoints = 10000;  ///< more are a blot, and a page of many megabytes

std::string study_page(const sweep::Workplace& place) {
  const Table table = place.table();
  const sweep::Analysis analysis = analyse(place.plan(), table);
  return viewer::make_sweep_page(report_json(place.plan(), table, analysis, kDrawnPoints));
}

/// Runs a point again, recording everything that the scene records.
std::string run_page(const sweep::Workplace& place, std::uint64_t point) {
  sweep::PointRunner runner(place.shared_plan());
  const std::shared_ptr<const Model> model = runner.model(point, true);
  MemoryWriter writer;
  RunOptions options;
  options.recorder = &writer;
  run(model, options);
  const std::string title =
      fmt::format("{}, point {}", model->scene.name.empty() ? "run" : model->scene.name, point);
  const viewer::PageRun page =
      viewer::make_page_run(viewer::thin(writer.recording()), model, title);
  return viewer::make_page({&page, 1}, title);
}

/// The point that `which` names, by number or by the beginning of its key.
std::optional<std::uint64_t> find_point(const sweep::Workplace& place, const std::string& which) {
  std::uint64_t number = 0;
  const char* end = which.data() + which.size();
  const auto parsed = std::from_chars(which.data(), end, number);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == end && which.size() < 10;
  if (is_number && number < place.total()) return number;
  for (std::uint64_t i = 0; i < place.total() && which.size() >= 6; ++i) {
    if (place.key(i).hex().rfind(which, 0) == 0) return i;
  }
  return {};
}

std::string interval_text(const sweep::Interval& i) {
  return fmt::format("{:.4g} [{:.4g}, {:.4g}]", i.value, i.low, i.high);
}

}  // namespace

void write_sweep_page(const sweep::Workplace& place, const std::string& study_file) {
  const std::string path = std::filesystem::path(study_file).replace_extension(".html").string();
  viewer::write_file(path, study_page(place));
  fmt::print(stderr, "  page: {}; open it in a browser\n", path);
}

int open_run(const sweep::Workplace& place, const std::string& study_file,
             const std::string& which) {
  const std::optional<std::uint64_t> point = find_point(place, which);
  if (!point) {
    fmt::print(stderr,
               "carom: '{}' is neither a point of this study nor the key of one\n  points "
               "are 0 to {}; six digits of a key are enough\n",
               which, place.total() - 1);
    return kWrongUsage;
  }
  const std::filesystem::path folder =
      std::filesystem::path(study_file).replace_extension(".pages");
  std::filesystem::create_directories(folder);
  const std::string path = (folder / (place.key(*point).hex() + ".html")).string();
  viewer::write_file(path, run_page(place, *point));
  fmt::print("{}\n", path);
  return kDone;
}

int view_study(const sweep::Workplace& place, int port, const std::atomic<bool>& ended) {
  const auto make = [&](const std::string& key) {
    const std::optional<std::uint64_t> point = find_point(place, key);
    if (!point) throw std::runtime_error("no run of this study has this key");
    return run_page(place, *point);
  };
  const viewer::SweepServer server(study_page(place), make, port);
  fmt::print("{}\n", server.address());
  std::fflush(stdout);
  fmt::print(stderr, "  open this address in a browser; Ctrl-C ends\n");
  while (!ended) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return kDone;
}

void print_analysis(const sweep::Workplace& place, bool json) {
  const Table table = place.table();
  const sweep::Analysis a = analyse(place.plan(), table);
  if (json) {
    fmt::print("{}", report_json(place.plan(), table, a, 0));
    return;
  }
  fmt::print("{:<24} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}\n", "quantity", "mean", "sd", "5 %",
             "median", "95 %", "max");
  const std::vector<sweep::RecordColumn>& columns = place.plan().records().columns();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const sweep::ColumnStatistics& s = a.statistics[k];
    fmt::print("{:<24} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g}\n",
               columns[k].name, s.mean, s.sd, s.q05, s.median, s.q95, s.max);
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    fmt::print("\n{} depends on ({} {})\n", columns[k].name, a.sensitivity.used,
               a.sensitivity.method == sweep::Sensitivity::Method::blocks   ? "blocks"
               : a.sensitivity.method == sweep::Sensitivity::Method::morris ? "trajectories"
                                                                            : "points");
    for (std::size_t f = 0; f < place.plan().study().factors.size(); ++f) {
      const sweep::Effect& e = a.sensitivity.effects[k][f];
      fmt::print("  {:<24}", place.plan().study().factors[f].path);
      if (a.sensitivity.method == sweep::Sensitivity::Method::morris) {
        fmt::print(" mu* {}  sigma {}  mu {}\n", interval_text(e.mu_star), interval_text(e.sigma),
                   interval_text(e.mu));
      } else {
        fmt::print(" first {}", interval_text(e.first));
        if (a.sensitivity.method == sweep::Sensitivity::Method::blocks) {
          fmt::print("  total {}", interval_text(e.total));
        }
        fmt::print("\n");
      }
    }
  }
}

}  // namespace carom::cli
