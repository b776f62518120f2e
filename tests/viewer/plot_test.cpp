// Plots as SVG and PNG.
#include "viewer/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "viewer/ticks.h"

namespace carom::viewer {
namespace {

PlotSeries wave(const std::string& label, const std::string& unit, std::size_t rows) {
  PlotSeries s{label, unit, {}, {}, 0};
  for (std::size_t i = 0; i < rows; ++i) {
    s.time.push_back(10.0 * static_cast<double>(i) / static_cast<double>(rows - 1));
    s.values.push_back(std::sin(s.time.back()));
  }
  return s;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(Ticks, AreRoundAndCoverTheRange) {
  for (const auto& [low, high] : {std::pair{0.0, 10.0}, {-3.7, 12.1}, {1e-9, 3e-9}, {5.0, 5.0}}) {
    const Axis axis = make_axis(low, high, 5, true);
    EXPECT_LE(axis.low, low);
    EXPECT_GE(axis.high, high);
    EXPECT_GE(axis.ticks.size(), 3u);
    EXPECT_LE(axis.ticks.size(), 9u);
    const double lead = axis.step / std::pow(10.0, std::floor(std::log10(axis.step) + 1e-9));
    EXPECT_TRUE(std::abs(lead - 1) < 1e-9 || std::abs(lead - 2) < 1e-9 ||
                std::abs(lead - 5) < 1e-9);
  }
  EXPECT_EQ("0.25", tick_text(0.25, 0.05));
  EXPECT_EQ("0", tick_text(1e-18, 0.2));
  EXPECT_EQ("2e-9", tick_text(2e-9, 1e-9));
  EXPECT_EQ("kg·m²", unit_text("kg.m2"));
}

TEST(Plot, HasAPanelPerUnitALegendAndEventMarks) {
  const PlotSeries series[] = {wave("ball.z", "m", 50), wave("ball.<v>", "m/s", 50),
                               wave("ball.x", "m", 50)};
  const PlotEvent events[] = {{2.0, "contact_begin"}, {3.0, "contact_end"}};
  const std::string svg = plot_svg(series, events, {});
  EXPECT_EQ(3u, count(svg, "class=\"series\""));
  EXPECT_EQ(4u, count(svg, "class=\"event\""));  // two in each of two panels
  EXPECT_EQ(1u, count(svg, "[m]"));
  EXPECT_EQ(1u, count(svg, "[m/s]"));
  EXPECT_EQ(1u, count(svg, "time [s]"));
  EXPECT_EQ(1u, count(svg, "ball.&lt;v&gt;"));
}

TEST(Plot, KeepsAPeakOfASingleRowAmongMany) {
  PlotSeries s = wave("force", "N", 100'000);
  for (double& v : s.values) v = 0.0;
  s.values[54'321] = 1000.0;
  const std::string svg = plot_svg({&s, 1}, {}, {});
  EXPECT_LT(svg.size(), 100'000u);
  // The peak reaches the top tick, 1000: the same height as its grid line.
  const std::regex label("y1=\"([0-9.]+)\" x2");
  double top = std::numeric_limits<double>::infinity();
  for (std::sregex_iterator it(svg.begin(), svg.end(), label), end; it != end; ++it) {
    const double y = std::stod((*it)[1]);
    if (y > 30.0) top = std::min(top, y);
  }
  EXPECT_NE(std::string::npos, svg.find(" " + std::to_string(top).substr(0, 5)));
}

TEST(Plot, LeavesGapsWhereThereIsNoNumber) {
  PlotSeries s = wave("gap", "m", 11);
  s.values[5] = std::numeric_limits<double>::quiet_NaN();
  const std::string svg = plot_svg({&s, 1}, {}, {});
  const std::size_t path = svg.find("class=\"series\""), end = svg.find("/>", path);
  EXPECT_EQ(2u, count(svg.substr(path, end - path), "M"));
}

TEST(Plot, BecomesAPngOfTwiceItsSize) {
  const PlotSeries s = wave("z", "m", 100);
  const std::string png = svg_to_png(plot_svg({&s, 1}, {}, {"", 400, 230, false}));
  ASSERT_GT(png.size(), 1000u);
  EXPECT_EQ("\x89PNG", png.substr(0, 4));
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(png[i]); };
  EXPECT_EQ(800, byte(18) * 256 + byte(19));
}

}  // namespace
}  // namespace carom::viewer
