#include "progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace carom::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenLines{200};
constexpr std::size_t kBar = 20;

bool is_terminal() { return isatty(fileno(stderr)) != 0; }

std::size_t terminal_columns() {
  winsize size{};
  if (ioctl(fileno(stderr), TIOCGWINSZ, &size) != 0 || size.ws_col < 10) return 80;
  return size.ws_col;
}

/// 8 s, 3 min 20 s, 2 h 5 min
std::string time_left_text(double seconds) {
  const auto s = static_cast<long>(std::ceil(std::min(seconds, 3.6e8)));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

class EventCounter final : public Recorder {
 public:
  explicit EventCounter(std::shared_ptr<std::size_t> count) : count_(std::move(count)) {}

 private:
  void do_open() override {}
  void do_append(double, std::span<const double>) override {}
  void do_append_event(const EventRecord&) override { ++*count_; }
  void do_finish(RunStatus, std::string_view, const RunEnding&) override {}

  std::shared_ptr<std::size_t> count_;
};

}  // namespace

bool shows_colours() {
  const char* off = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  return is_terminal() && !(off && *off) && kind && std::string_view(kind) != "dumb";
}

std::string paint(std::string_view text, std::string_view colour) {
  if (!shows_colours()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", colour, text);
}

std::string progress_line(const ProgressState& s, std::size_t columns) {
  const double done = s.time - s.start, whole = s.until - s.start;
  const double share = whole > 0.0 ? std::clamp(done / whole, 0.0, 1.0) : 1.0;
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kBar));
  const std::string bar = std::string(filled, '#') + std::string(kBar - filled, '-');
  std::string line = fmt::format("  t = {:.4g} s of {:.4g} s  [{}]  {:.0f} %", s.time, s.until, bar,
                                 100.0 * share);
  // The rest as far as there is room, so that the line never wraps.
  const auto add = [&](const std::string& part) {
    if (line.size() + 2 + part.size() < columns) line += "  " + part;
  };
  if (s.wall > 0.0) add(fmt::format("{:.3g} x real time", done / s.wall));
  add(fmt::format("{} event{}", s.events, s.events == 1 ? "" : "s"));
  if (share > 0.0) add("about " + time_left_text(s.wall * (1.0 - share) / share) + " left");
  return line.substr(0, columns > 0 ? columns - 1 : 0);
}

Progress::Progress(double start, double until, bool enabled)
    : state_{start, until, start, 0.0, 0}, enabled_(enabled && is_terminal()) {}

std::unique_ptr<Recorder> Progress::event_counter() {
  return std::make_unique<EventCounter>(events_);
}

void Progress::operator()(double t) {
  if (!enabled_) return;
  const auto now = Clock::now();
  if (now - last_ < kBetweenLines) return;
  last_ = now;
  state_.time = t;
  state_.wall = std::chrono::duration<double>(now - begin_).count();
  state_.events = *events_;
  const std::size_t columns = terminal_columns();
  const std::string line = progress_line(state_, columns);
  fmt::print(stderr, "\r{}{:{}}", paint(line, "36"), "", columns - 1 - line.size());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() const {
  if (shown_) fmt::print(stderr, "\r{:{}}\r", "", terminal_columns() - 1);
}

}  // namespace carom::cli
