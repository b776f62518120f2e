#include "work_precision_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace carom::cli {
namespace {

constexpr double kLeft = 70, kTop = 16, kWidth = 520, kHeight = 330, kLegend = 180;
constexpr const char* kColours[] = {"#1769aa", "#c62828", "#1a7f37", "#8e44ad",
                                    "#d68910", "#16838f", "#5d4037", "#e0559a",
                                    "#607d8b", "#7cb342", "#303f9f"};

/// Whole decades around all values of one kind.
struct Decades {
  double low = 1e300, high = -1e300;

  void take(double value) {
    if (!(value > 0.0)) return;
    low = std::min(low, std::floor(std::log10(value)));
    high = std::max(high, std::ceil(std::log10(value)));
  }
  double share(double value) const {
    return (std::log10(std::max(value, std::pow(10.0, low))) - low) / std::max(1.0, high - low);
  }
};

std::string axis(const Decades& x, const Decades& y) {
  std::string out;
  for (double d = x.low; d <= x.high; ++d) {
    const double px = kLeft + kWidth * x.share(std::pow(10.0, d));
    out += fmt::format(
        "<path d=\"M{0:.1f} {1}v{2}\" stroke=\"#dde3e8\"/><text x=\"{0:.1f}\" "
        "y=\"{3}\" text-anchor=\"middle\">1e{4:.0f}</text>\n",
        px, kTop, kHeight, kTop + kHeight + 16, d);
  }
  for (double d = y.low; d <= y.high; ++d) {
    const double py = kTop + kHeight * (1.0 - y.share(std::pow(10.0, d)));
    out += fmt::format(
        "<path d=\"M{0} {1:.1f}h{2}\" stroke=\"#dde3e8\"/><text x=\"{3}\" "
        "y=\"{4:.1f}\" text-anchor=\"end\">1e{5:.0f}</text>\n",
        kLeft, py, kWidth, kLeft - 6, py + 4, d);
  }
  return out;
}

}  // namespace

std::string work_precision_svg(const verify::WorkDiagram& diagram) {
  Decades x, y;
  for (const verify::WorkCurve& curve : diagram.curves) {
    for (const verify::WorkPoint& p : curve.points) x.take(p.cpu_seconds), y.take(p.error);
  }
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
      "font-size=\"12\" fill=\"#1f262e\">\n",
      kLeft + kWidth + kLegend, kTop + kHeight + 40);
  out += axis(x, y);
  double row = kTop + 10;
  for (std::size_t i = 0; i < diagram.curves.size(); ++i, row += 18) {
    const verify::WorkCurve& curve = diagram.curves[i];
    const char* colour = kColours[i % std::size(kColours)];
    std::string path, dots;
    for (const verify::WorkPoint& p : curve.points) {
      const double px = kLeft + kWidth * x.share(p.cpu_seconds);
      const double py = kTop + kHeight * (1.0 - y.share(p.error));
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", px, py);
      dots += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"><title>{} at {:g}: error "
          "{:.1e}, "
          "{:.2g} ms</title></circle>",
          px, py, colour, curve.method, p.setting, p.error, 1e3 * p.cpu_seconds);
    }
    out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>{}", path,
                       colour, dots);
    out += fmt::format(
        "<circle cx=\"{0}\" cy=\"{1}\" r=\"4\" fill=\"{2}\"/><text x=\"{3}\" "
        "y=\"{4}\">{5}</text>\n",
        kLeft + kWidth + 16, row - 4, colour, kLeft + kWidth + 26, row, curve.method);
  }
  out += fmt::format(
      "<text x=\"{0}\" y=\"{1}\" text-anchor=\"middle\">CPU time [s]</text><text "
      "text-anchor=\"middle\" transform=\"translate(16 {2}) rotate(-90)\">error of "
      "{3}</text></svg>\n",
      kLeft + kWidth / 2, kTop + kHeight + 34, kTop + kHeight / 2, diagram.quantity);
  return out;
}

}  // namespace carom::cli
