#include "viewer/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "viewer/ticks.h"

namespace carom::viewer {
namespace {

// After Okabe and Ito: they stay apart for colour-blind eyes.
constexpr const char* kLight[] = {"#0072b2", "#d55e00", "#009e73", "#b5518b",
                                  "#b57d00", "#2a9fd6", "#6a5acd", "#555555"};
constexpr const char* kDark[] = {"#56b4e9", "#f28e4b", "#2fc79a", "#e29ac4",
                                 "#f0c040", "#8fd3ff", "#a99cf0", "#bbbbbb"};
constexpr const char* kDashes[] = {"", "7 3", "2 3", "9 3 2 3"};

constexpr double kLeft = 78, kRight = 18, kTop = 14, kTitle = 26, kLegend = 22, kGap = 14;
constexpr double kBottom = 42;
constexpr std::size_t kMostEvents = 500;

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", x);
  return text;
}

std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    c == '<' ? out += "&lt;" : c == '>' ? out += "&gt;" : c == '&' ? out += "&amp;" : out += c;
  }
  return out;
}

/// A rectangle of the picture with its axes.
struct Panel {
  double left, top, width, height;
  Axis x, y;
  double px(double t) const { return left + (t - x.low) / (x.high - x.low) * width; }
  double py(double v) const { return top + height - (v - y.low) / (y.high - y.low) * height; }
};

class Drawing {
 public:
  Drawing(const PlotOptions& options, int height) : options_(options) {
    const std::string w = std::to_string(options.width), h = std::to_string(height);
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h +
           "\" viewBox=\"0 0 " + w + " " + h +
           "\" font-family=\"system-ui, 'DejaVu Sans', sans-serif\" font-size=\"12\">\n"
           "<rect width=\"100%\" height=\"100%\" fill=\"" +
           (options.dark ? "#1d2127" : "#ffffff") + "\"/>\n";
  }

  const char* text_colour() const { return options_.dark ? "#c9d1d9" : "#333b44"; }
  const char* rule_colour() const { return options_.dark ? "#343b44" : "#e1e5e9"; }
  const char* line_colour(std::size_t i) const {
    return options_.dark ? kDark[i % std::size(kDark)] : kLight[i % std::size(kLight)];
  }

  void text(double x, double y, const std::string& words, const char* anchor = "start",
            const std::string& more = {}) {
    out_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" fill=\"" + text_colour() +
            "\" text-anchor=\"" + anchor + "\"" + more + ">" + escape(words) + "</text>\n";
  }
  void line(double x1, double y1, double x2, double y2, const char* colour,
            const std::string& more = {}) {
    out_ += "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
            "\" y2=\"" + number(y2) + "\" stroke=\"" + colour + "\"" + more + "/>\n";
  }
  void add(const std::string& element) { out_ += element; }
  std::string finish() { return out_ + "</svg>\n"; }

 private:
  const PlotOptions& options_;
  std::string out_;
};

/// The line of a series: all points, or per pixel column first, least, greatest, last. Of
/// quantities that go back and forth, points that follow in one column are taken together.
std::string path_of(const PlotSeries& s, const Panel& p) {
  std::string out;
  bool pen_down = false;
  const auto put = [&](std::size_t i) {
    out += (pen_down ? "L" : "M") + number(p.px(s.time[i])) + " " + number(p.py(s.values[i]));
    pen_down = true;
  };
  const bool dense = static_cast<double>(s.time.size()) > 4.0 * p.width;
  for (std::size_t i = 0; i < s.time.size();) {
    if (!std::isfinite(s.values[i]) || !std::isfinite(s.time[i])) {
      pen_down = false, ++i;
      continue;
    }
    std::size_t end = i + 1, least = i, most = i;
    const double column = std::floor(p.px(s.time[i]));
    while (dense && end < s.time.size() && std::isfinite(s.values[end]) &&
           std::floor(p.px(s.time[end])) == column) {
      if (s.values[end] < s.values[least]) least = end;
      if (s.values[end] > s.values[most]) most = end;
      ++end;
    }
    std::size_t points[] = {i, std::min(least, most), std::max(least, most), end - 1};
    for (std::size_t k = 0; k < 4; ++k) {
      if (k == 0 || points[k] != points[k - 1]) put(points[k]);
    }
    i = end;
  }
  return out;
}

void draw_axes(Drawing& d, const Panel& p, const std::string& unit, const std::string& x_label) {
  for (const double v : p.y.ticks) {
    d.line(p.left, p.py(v), p.left + p.width, p.py(v), d.rule_colour());
    d.text(p.left - 8, p.py(v) + 4, tick_text(v, p.y.step), "end");
  }
  for (const double t : p.x.ticks) {
    d.line(p.px(t), p.top, p.px(t), p.top + p.height, d.rule_colour());
    if (x_label.empty()) continue;
    d.text(p.px(t), p.top + p.height + 17, tick_text(t, p.x.step), "middle");
  }
  d.text(p.left + 0.5 * p.width, p.top + p.height + 35, x_label, "middle");
  if (!unit.empty()) {
    const double y = p.top + 0.5 * p.height;
    d.text(16, y, "[" + unit + "]", "middle", " transform=\"rotate(-90 16 " + number(y) + ")\"");
  }
}

void draw_events(Drawing& d, const Panel& p, std::span<const PlotEvent> events) {
  for (std::size_t i = 0; i < std::min(events.size(), kMostEvents); ++i) {
    const PlotEvent& e = events[i];
    if (e.time < p.x.low || e.time > p.x.high) continue;
    d.add("<g class=\"event\">");
    d.line(p.px(e.time), p.top, p.px(e.time), p.top + p.height, "#d55e00",
           " stroke-opacity=\"0.35\" stroke-dasharray=\"3 3\"");
    d.add("<title>" + escape(e.kind) + " at " + tick_text(e.time, 1e-4 * (1.0 + e.time)) +
          " s</title></g>\n");
  }
}

struct Group {
  std::string unit;
  std::vector<const PlotSeries*> series;
};

std::vector<Group> group_by_unit(std::span<const PlotSeries> series) {
  std::vector<Group> groups;
  for (const PlotSeries& s : series) {
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const Group& g) { return g.unit == s.unit; });
    same == groups.end() ? groups.push_back({s.unit, {&s}}) : same->series.push_back(&s);
  }
  return groups;
}

Axis value_axis(const Group& group, double height) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const PlotSeries* s : group.series) {
    for (const double v : s->values) {
      if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
    }
  }
  if (!(low <= high)) low = high = 0.0;
  return make_axis(low, high, std::max(2, static_cast<int>(height / 40)), true);
}

/// The least and greatest finite x. Throws std::runtime_error if there is none.
std::pair<double, double> extent(std::span<const PlotSeries> series) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const PlotSeries& s : series) {
    for (const double x : s.time) {
      if (std::isfinite(x)) least = std::min(least, x), most = std::max(most, x);
    }
  }
  if (!(least <= most)) throw std::runtime_error("there is nothing to plot: no rows");
  return {least, most};
}

/// Rows of a legend that fits the width: a character takes about 7 pixels.
struct LegendPlace {
  double x;
  int row;
};
std::vector<LegendPlace> place_legend(const Group& group, double width) {
  std::vector<LegendPlace> places;
  double x = 0;
  int row = 0;
  for (const PlotSeries* s : group.series) {
    const double need = 34.0 + 7.2 * static_cast<double>(s->label.size());
    if (x > 0 && x + need > width) x = 0, ++row;
    places.push_back({x, row});
    x += need;
  }
  return places;
}

}  // namespace

std::string plot_svg(std::span<const PlotSeries> series, std::span<const PlotEvent> events,
                     const PlotOptions& options) {
  const auto [start, end] = extent(series);
  const std::vector<Group> groups = group_by_unit(series);
  const double width = options.width - kLeft - kRight, height = options.panel_height;
  const Axis time = make_axis(start, end, std::max(3, static_cast<int>(width / 90)), false);

  double total = kTop + (options.title.empty() ? 0 : kTitle) + kBottom;
  std::vector<std::vector<LegendPlace>> legends;
  for (const Group& g : groups) {
    legends.push_back(place_legend(g, width));
    total += height + kGap + kLegend * (1 + legends.back().back().row);
  }
  Drawing d(options, static_cast<int>(std::ceil(total)));
  double y = kTop;
  if (!options.title.empty()) {
    d.text(kLeft, y + 14, options.title, "start", " font-size=\"15\" font-weight=\"600\"");
    y += kTitle;
  }
  std::size_t colour = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double legend_top = y;
    y += kLegend * (1 + legends[g].back().row);
    const Panel p{kLeft, y, width, height, time, value_axis(groups[g], height)};
    draw_axes(d, p, unit_text(groups[g].unit), g + 1 == groups.size() ? options.x_label : "");
    draw_events(d, p, events);
    for (std::size_t i = 0; i < groups[g].series.size(); ++i, ++colour) {
      const PlotSeries& s = *groups[g].series[i];
      const char* ink = d.line_colour(colour);
      const std::string dash = kDashes[static_cast<std::size_t>(s.run) % std::size(kDashes)];
      const std::string style = std::string(" stroke-width=\"1.6\"") +
                                (dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\"");
      const double at = legend_top + kLegend * legends[g][i].row + 12;
      d.line(p.left + legends[g][i].x, at - 4, p.left + legends[g][i].x + 20, at - 4, ink, style);
      d.text(p.left + legends[g][i].x + 26, at, s.label);
      d.add("<path class=\"series\" d=\"" + path_of(s, p) + "\" fill=\"none\" stroke=\"" + ink +
            "\"" + style + " stroke-linejoin=\"round\"/>\n");
    }
    y += height + kGap;
  }
  return d.finish();
}

}  // namespace carom::viewer
