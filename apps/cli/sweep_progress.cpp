#include "sweep_progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

namespace carom::cli {

std::string duration_text(double seconds) {
  if (seconds < 120.0) return fmt::format("{:.2g} s", seconds);
  if (seconds < 7200.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

std::string sweep_line(const sweep::SweepProgress& p) {
  const double part = p.total ? static_cast<double>(p.done) / static_cast<double>(p.total) : 1.0;
  const auto filled = static_cast<std::size_t>(20.0 * part);
  const double rate = p.seconds > 0.0 ? static_cast<double>(p.run) / p.seconds : 0.0;
  std::string line =
      fmt::format("{} of {} runs  [{}{}]  {:.0f} %", p.done, p.total, std::string(filled, '#'),
                  std::string(20 - std::min<std::size_t>(filled, 20), '-'), 100.0 * part);
  if (p.failed > 0) line += fmt::format("  {} failed", p.failed);
  if (rate > 0.0) {
    line += fmt::format("  {:.3g} runs/s  about {} left", rate,
                        duration_text(static_cast<double>(p.total - p.done) / rate));
  }
  return line;
}

SweepLine::SweepLine(bool enabled) : enabled_(enabled && isatty(STDERR_FILENO)) {}

void SweepLine::operator()(const sweep::SweepProgress& progress) {
  if (!enabled_) return;
  fmt::print(stderr, "\r\x1b[K  {}", sweep_line(progress));
  std::fflush(stderr);
  shown_ = true;
}

void SweepLine::clear() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace carom::cli
