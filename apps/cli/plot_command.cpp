// carom plot: channels of results over time or over another channel, as SVG or PNG.

#include <cmath>
#include <filesystem>

#include "carom/record/result_file.h"
#include "commands.h"
#include "exit_code.h"
#include "page_command.h"
#include "talk.h"
#include "viewer/page.h"
#include "viewer/plot.h"
#include "viewer/ticks.h"

namespace carom::cli {
namespace {

struct PlotCommandOptions {
  std::vector<std::string> words;
  std::string output, against;
  viewer::PlotOptions look;
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
  bool no_events = false, no_peaks = false;
};

bool is_result(const std::string& word) {
  const std::string ending = std::filesystem::path(word).extension().string();
  return ending == ".h5" || ending == ".hdf5";
}

std::string unit_of(const ResultFile& file, std::size_t wanted) {
  std::size_t column = 0;
  std::string unit;
  for (const Channel& c : file.channels()) {
    if (wanted >= column) unit = c.unit;
    column += static_cast<std::size_t>(c.width);
  }
  return unit;
}

/// A column, with the peaks of its object between the rows.
MergedColumn merged(const ResultFile& file, std::size_t column, const std::vector<double>& time,
                    const PlotCommandOptions& o) {
  const std::vector<PeakRecord> peaks = o.no_peaks ? std::vector<PeakRecord>() : file.peaks();
  return merge_peaks(time, file.block(0, time.size(), column, 1), peaks, column);
}

/// What runs along the axis: the time, or the column that was asked for at the same instants;
/// where a peak does not tell of it, it is taken between the rows.
std::vector<double> across(const ResultFile& file, const MergedColumn& line,
                           const std::vector<double>& time, const PlotCommandOptions& o) {
  if (o.against.empty()) return line.time;
  const std::size_t column = ColumnIndex(file.channels()).channel(o.against).first;
  const MergedColumn axis = merged(file, column, time, o);
  std::vector<double> x;
  for (std::size_t i = 0, k = 0; i < line.time.size(); ++i) {
    while (k + 1 < axis.time.size() && axis.time[k + 1] <= line.time[i]) ++k;
    const std::size_t next = std::min(k + 1, axis.time.size() - 1);
    const double span = axis.time[next] - axis.time[k];
    const double share = span > 0.0 ? (line.time[i] - axis.time[k]) / span : 0.0;
    x.push_back(share == 0.0 ? axis.values[k]
                             : axis.values[k] + share * (axis.values[next] - axis.values[k]));
  }
  return x;
}

/// Why the results cannot be plotted over `against`; empty if they can.
std::string refusal(const ResultFile& file, const std::string& against) {
  try {
    const ColumnIndex::Range range = ColumnIndex(file.channels()).channel(against);
    return range.width == 1 ? "" : "'" + against + "' has several columns: name one of them";
  } catch (const std::runtime_error& unknown) {
    return unknown.what();
  }
}

/// The columns that `name` (a column or a whole channel) stands for.
void add_series(const ResultFile& file, const std::string& name, const std::string& run_name,
                int run, const PlotCommandOptions& o, std::vector<viewer::PlotSeries>& out) {
  const ColumnIndex::Range range = ColumnIndex(file.channels()).channel(name);
  const std::vector<std::string> names = column_names(file.channels());
  const std::string unit = unit_of(file, range.first);
  const std::vector<double> time = file.time();
  for (std::size_t k = 0; k < range.width; ++k) {
    viewer::PlotSeries s;
    s.label = names[range.first + k] + run_name;
    s.unit = unit, s.run = run;
    MergedColumn line = merged(file, range.first + k, time, o);
    const std::vector<double> x = across(file, line, time, o);
    for (std::size_t i = 0; i < line.time.size(); ++i) {
      if (line.time[i] < o.from || line.time[i] > o.to) continue;
      s.time.push_back(x[i]), s.values.push_back(line.values[i]);
    }
    out.push_back(std::move(s));
  }
}

int plot(PlotCommandOptions& o) {
  std::vector<std::string> results, channels;
  for (const std::string& word : o.words) (is_result(word) ? results : channels).push_back(word);
  if (results.empty() || channels.empty()) {
    tell("carom: plot needs a result file and at least one channel\n");
    if (!results.empty()) {
      tell("  recorded in {}:\n", results.front());
      const ResultFile file(results.front());
      for (const Channel& c : file.channels()) {
        tell("    {} [{}]\n", c.name, c.unit);
      }
    }
    return kWrongUsage;
  }
  std::filesystem::path out = o.output;
  if (out.empty()) out = std::filesystem::path(results.front()).replace_extension(".svg");
  refuse_overwriting(out.string(), results);
  std::vector<viewer::PlotSeries> series;
  std::vector<viewer::PlotEvent> events;
  for (std::size_t r = 0; r < results.size(); ++r) {
    const ResultFile file(results[r]);
    const std::string run_name =
        results.size() > 1 ? " (" + std::filesystem::path(results[r]).stem().string() + ")" : "";
    const ColumnIndex index(file.channels());
    if (!o.against.empty()) {
      if (const std::string why = refusal(file, o.against); !why.empty()) {
        tell("carom: {}: {}\n", results[r], why);
        return kWrongUsage;
      }
      const std::string unit = unit_of(file, index.channel(o.against).first);
      o.look.x_label = o.against + (unit.empty() ? "" : " [" + viewer::unit_text(unit) + "]");
    }
    for (const std::string& name : channels) {
      try {
        index.channel(name);
      } catch (const std::runtime_error& unknown) {
        tell("carom: {}: {}\n", results[r], unknown.what());
        return kWrongUsage;
      }
      add_series(file, name, run_name, static_cast<int>(r), o, series);
    }
    if (r == 0 && o.look.title.empty()) o.look.title = file.meta().scene_name;
    if (o.no_events || !o.against.empty()) continue;
    for (const EventRecord& e : file.events())
      events.push_back({e.time, e.kind + " " + full_subject(e)});
  }
  const std::string svg = viewer::plot_svg(series, events, o.look);
  viewer::write_file(out.string(), out.extension() == ".png" ? viewer::svg_to_png(svg) : svg);
  tell("  plot: {}\n", out.string());
  return kDone;
}

}  // namespace

void add_plot(Program& program) {
  auto options = std::make_shared<PlotCommandOptions>();
  CLI::App* command = program.add("plot", "plot channels of results over time, as SVG or PNG",
                                  [options] { return plot(*options); });
  command
      ->add_option("results and channels", options->words,
                   "result files (.h5), then channels or columns: ball.position.z")
      ->required();
  command
      ->add_option("-o,--output", options->output,
                   "the figure (.svg or .png); default: beside the first result")
      ->check([](const std::string& path) {
        const std::string ending = std::filesystem::path(path).extension().string();
        return ending == ".svg" || ending == ".png" ? "" : "a figure ends in .svg or .png";
      });
  command->add_option("--title", options->look.title, "heading; default: the scene's name");
  command->add_option("--against", options->against,
                      "a column to plot over in place of time: ball.position.x");
  command->add_option("--from", options->from, "first time shown [s]");
  command->add_option("--to", options->to, "last time shown [s]");
  command->add_option("--width", options->look.width, "width [px]")->check(CLI::Range(300, 8000));
  command->add_option("--height", options->look.panel_height, "height of each panel [px]")
      ->check(CLI::Range(60, 4000));
  command->add_flag("--dark", options->look.dark, "light lines on dark");
  command->add_flag("--no-events", options->no_events, "without marks at events");
  command->add_flag("--no-peaks", options->no_peaks, "rows alone, without the peaks between them");
}

}  // namespace carom::cli
