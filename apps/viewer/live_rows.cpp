#include "viewer/live_rows.h"

#include <algorithm>

#include "viewer/packing.h"

namespace carom::viewer {
namespace {

constexpr std::size_t kMostNumbers = 20'000'000;  // kept of a run: 160 MB
constexpr std::size_t kNumbersAtOnce = 150'000;   // in one answer: 1.6 MB of text
constexpr std::size_t kEventsAtOnce = 200;

std::string live_event_json(const EventRecord& e) {
  JsonObject event = compact_object();
  event.number("time", e.time).text("kind", e.kind).text("subject", full_subject(e));
  return event.put("values", "{}").str();
}

}  // namespace

void LiveRows::open(std::vector<Channel> channels) {
  const std::lock_guard lock(mutex_);
  channels_ = std::move(channels);
}

void LiveRows::append(double time, std::span<const double> row) {
  const std::lock_guard lock(mutex_);
  if (rows_.size() + row.size() >= kMostNumbers) return;
  rows_.push_back(time);
  rows_.insert(rows_.end(), row.begin(), row.end());
}

void LiveRows::append_event(const EventRecord& event) {
  const std::lock_guard lock(mutex_);
  if (events_.size() < kLiveEvents) events_.push_back(event);
}

void LiveRows::begin_anew() {
  const std::lock_guard lock(mutex_);
  rows_.clear(), events_.clear();
  status_ = "running", reason_.clear();
  ++generation_;
}

void LiveRows::set_status(std::string status, std::string reason) {
  const std::lock_guard lock(mutex_);
  status_ = std::move(status), reason_ = std::move(reason);
}

long LiveRows::generation() const {
  const std::lock_guard lock(mutex_);
  return generation_;
}

bool LiveRows::all_told() const {
  const std::lock_guard lock(mutex_);
  return all_told_;
}

std::size_t LiveRows::count() const { return rows_.size() / (1 + total_width(channels_)); }

std::string LiveRows::since(long generation, std::size_t from, std::size_t events,
                            const JsonObject& more) {
  const std::lock_guard lock(mutex_);
  const std::size_t width = 1 + total_width(channels_), rows = count();
  std::string data;
  std::size_t sent = 0;
  std::vector<EventRecord> news;
  if (generation == generation_ && from < rows) {
    sent = std::min(rows - from, std::max<std::size_t>(1, kNumbersAtOnce / width));
    const auto* first = reinterpret_cast<const std::uint8_t*>(rows_.data() + from * width);
    data = base64({first, sent * width * sizeof(double)});
  }
  if (generation == generation_ && events < events_.size()) {
    const std::size_t some = std::min(events_.size() - events, kEventsAtOnce);
    const auto first = events_.begin() + static_cast<std::ptrdiff_t>(events);
    news.assign(first, first + static_cast<std::ptrdiff_t>(some));
  }
  all_told_ =
      all_told_ || (status_ != "running" && generation == generation_ && from + sent >= rows);
  JsonObject out = compact_object();
  out.count("generation", generation_).text("status", status_).text("reason", reason_);
  out.all_of(more).count("rows", rows).count("first", from).count("count", sent);
  out.put("events", json_list(news, live_event_json, ","));
  return out.text("data", data).str();
}

}  // namespace carom::viewer
