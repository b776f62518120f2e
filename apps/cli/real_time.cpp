#include "real_time.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "carom/base/patience.h"
#include "carom/base/text.h"
#include "carom/scene/values.h"
#include "talk.h"

namespace carom::cli {
namespace {

constexpr double kUsualPeriod = 1e-3;  // of methods that choose their steps [s]
constexpr double kLongestLag = 0.1;    // [s]

std::string_view trimmed(std::string_view text, std::size_t from) {
  constexpr const char* kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank, from);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) + 1 - first);
}

}  // namespace

RealTime::RealTime(const Model& model, int input, viewer::DrivenRun* pages)
    : model_(model), input_(input), pages_(pages) {}

double RealTime::period(double step) const { return period_ = step > 0.0 ? step : kUsualPeriod; }

void RealTime::take(double t, std::vector<LiveInput>& out) {
  if (pages_ && !is_started_) pages_->wait_for_page();
  wait_for(t);
  read_lines(out);
  if (pages_) pages_->take(t, out);
}

void RealTime::wait_for(double t) {
  const auto now = Clock::now();
  if (!is_started_) {
    is_started_ = true;
    start_ = t, origin_ = began_ = now;
    return;
  }
  const auto seconds = [](Clock::duration d) { return std::chrono::duration<double>(d).count(); };
  took_.push_back(static_cast<float>(seconds(now - began_)));
  const auto due = origin_ + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(t - start_));
  ++report_.periods;
  if (now > due) {
    const double late = seconds(now - due);
    ++report_.missed;
    report_.worst = std::max(report_.worst, late);
    if (late > kLongestLag) start_ = t, origin_ = now;
  } else {
    // In pieces, so that Ctrl-C does not wait for a long period.
    constexpr auto kLongestNap = std::chrono::milliseconds(50);
    while (Clock::now() < due && !Patience::is_over()) {
      std::this_thread::sleep_until(std::min(due, Clock::now() + kLongestNap));
    }
  }
  began_ = Clock::now();
}

std::optional<DeadlineReport> RealTime::deadlines() const {
  DeadlineReport report = report_;
  report.period = period_;
  if (!took_.empty()) {
    std::vector<float> sorted = took_;
    const auto rank =
        static_cast<std::ptrdiff_t>(std::ceil(0.99 * static_cast<double>(sorted.size())) - 1.0);
    std::nth_element(sorted.begin(), sorted.begin() + rank, sorted.end());
    report.most = static_cast<double>(sorted[static_cast<std::size_t>(rank)]);
  }
  return report;
}

void RealTime::read_lines(std::vector<LiveInput>& out) {
  constexpr std::size_t kLongestLine = 4096;
  // Who writes faster than that is read on in the next period: the run goes on meanwhile.
  constexpr int kMostReads = 128;
  for (int reads = 0; input_ >= 0 && reads < kMostReads; ++reads) {
    pollfd ready{input_, POLLIN, 0};
    if (::poll(&ready, 1, 0) <= 0 || (ready.revents & (POLLIN | POLLHUP)) == 0) break;
    char buffer[512];
    const ssize_t count = ::read(input_, buffer, sizeof buffer);
    if (count <= 0) {  // closed: the run goes on with what it has
      input_ = -1;
      break;
    }
    text_.append(buffer, static_cast<std::size_t>(count));
    std::size_t first = 0;
    for (std::size_t end = text_.find('\n'); end != std::string::npos;
         end = text_.find('\n', first)) {
      read_line(std::string_view(text_).substr(first, end - first), out);
      first = end + 1;
    }
    text_.erase(0, first);
    if (text_.size() > kLongestLine) text_.clear();
  }
}

void RealTime::read_line(std::string_view line, std::vector<LiveInput>& out) {
  ++line_;
  std::string words(line);
  std::ranges::replace(words, '=', ' ');
  const std::size_t begin = words.find_first_not_of(" \t\r");
  if (begin == std::string::npos || words[begin] == '#') return;
  const std::size_t end = words.find_first_of(" \t\r", begin);
  const std::string name = words.substr(begin, end - begin);
  const double value =
      end == std::string::npos ? NAN : parse_number(trimmed(words, end)).value_or(NAN);
  const std::vector<std::string> known = parameter_paths(model_);
  const bool is_known = std::ranges::find(known, "signals." + name) != known.end();
  if (is_known && std::isfinite(value)) {
    out.push_back({name, value});
    return;
  }
  constexpr int kMostComplaints = 20;
  if (++complaints_ > kMostComplaints) return;
  if (!is_known) {
    std::vector<std::string> signals;
    for (const std::string& path : known) {
      if (path.starts_with("signals.")) signals.push_back(path.substr(8));
    }
    tell("stdin:{}:{}: the scene has no constant signal '{}'\n  {}\n", line_, begin + 1, name,
         suggest(name, signals));
  } else {
    tell("stdin:{}:{}: a line is a signal and a finite number, as in '{} 0.5'\n", line_, begin + 1,
         name);
  }
}

}  // namespace carom::cli
