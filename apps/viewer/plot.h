// Plots of channels over time, or over another channel, as SVG and as PNG: readable without
// touching them.
//
// Series of the same unit share a panel; panels stand below each other over one axis. Over
// time, lines keep every peak however many rows they have: per column of pixels the first,
// least, greatest and last value are drawn.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace carom::viewer {

struct PlotSeries {
  std::string label, unit;
  std::vector<double> time, values;  ///< NaN leaves a gap; `time` is what x_label says
  int run = 0;                       ///< runs after the first are dashed
};

struct PlotEvent {
  double time = 0.0;
  std::string kind;
};

struct PlotOptions {
  std::string title;
  int width = 900;         ///< [px]
  int panel_height = 230;  ///< [px]
  bool dark = false;
  std::string x_label = "time [s]";  ///< of another quantity: it need not grow
};

/// Throws std::runtime_error if there is nothing to draw.
std::string plot_svg(std::span<const PlotSeries> series, std::span<const PlotEvent> events,
                     const PlotOptions& options);

/// The bytes of a PNG, `scale` pixels for each of the SVG's. Throws std::runtime_error.
std::string svg_to_png(const std::string& svg, double scale = 2.0);

}  // namespace carom::viewer
