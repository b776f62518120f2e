#include "viewer/ticks.h"

#include <cmath>
#include <cstdio>

namespace carom::viewer {

Axis make_axis(double low, double high, int count, bool grow) {
  if (!(high > low)) {
    const double half = low != 0.0 ? 0.1 * std::abs(low) : 1.0;
    low -= half, high += half;
  }
  const double rough = (high - low) / count, power = std::pow(10.0, std::floor(std::log10(rough)));
  const double lead = rough / power;
  Axis axis;
  axis.step = (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0) * power;
  // A multiple that rounding puts a hair outside still counts.
  const double hair = 1e-9;
  double first = std::ceil(low / axis.step - hair), last = std::floor(high / axis.step + hair);
  if (grow) {
    first = std::floor(low / axis.step + hair), last = std::ceil(high / axis.step - hair);
    low = first * axis.step, high = last * axis.step;
  }
  axis.low = low, axis.high = high;
  for (double k = first; k <= last; ++k) axis.ticks.push_back(k * axis.step);
  return axis;
}

std::string tick_text(double value, double step) {
  char text[40];
  const double size = std::max(std::abs(value), step);
  if (std::abs(value) < 1e-9 * step) return "0";
  if (size >= 1e6 || size < 1e-4) {
    const int digits = static_cast<int>(std::floor(std::log10(std::abs(value))) -
                                        std::floor(std::log10(step) + 1e-9));
    std::snprintf(text, sizeof text, "%.*e", std::max(0, digits), value);
    std::string out(text);  // 1.5e-06 -> 1.5e-6
    const std::size_t e = out.find('e');
    std::size_t digit = e + 2;
    while (digit + 1 < out.size() && out[digit] == '0') out.erase(digit, 1);
    if (out[e + 1] == '+') out.erase(e + 1, 1);
    return out;
  }
  const int decimals = static_cast<int>(std::max(0.0, -std::floor(std::log10(step) + 1e-9)));
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string unit_text(const std::string& unit) {
  if (unit.empty() || unit == "-" || unit == "mixed") return "";
  std::string out;
  for (const char c : unit) {
    c == '.' ? out += "·" : c == '2' ? out += "²" : c == '3' ? out += "³" : out += c;
  }
  return out;
}

}  // namespace carom::viewer
