#include "carom/sweep/hand_out.h"

#include <algorithm>

namespace carom::sweep {
namespace {

constexpr double kPortionSeconds = 0.25;  ///< what a killed worker may cost
constexpr std::size_t kMaxPortion = 1024;
constexpr double kLeastPatience = 2.0;  ///< [s] before work is given to a second worker
constexpr double kPatience = 5.0;       ///< times what a portion should take

}  // namespace

HandOut::HandOut(std::vector<std::uint64_t> points, std::size_t workers)
    : waiting_(points.begin(), points.end()),
      workers_(std::max<std::size_t>(workers, 1)),
      left_(points.size()) {
  open_.reserve(points.size());
  for (const std::uint64_t point : points) open_.emplace(point, true);
}

std::size_t HandOut::portion_size() const {
  if (runs_ == 0) return 1;
  const double by_time = kPortionSeconds / std::max(mean_seconds(), 1e-6);
  const std::size_t share = waiting_.size() / (4 * workers_);
  return std::clamp<std::size_t>(
      share, 1, std::clamp<std::size_t>(static_cast<std::size_t>(by_time), 1, kMaxPortion));
}

std::vector<std::uint64_t> HandOut::take(int worker, double now) {
  std::vector<std::uint64_t> points;
  const std::size_t wanted = portion_size();
  while (!waiting_.empty() && points.size() < wanted) {
    if (open_.contains(waiting_.front())) points.push_back(waiting_.front());
    waiting_.pop_front();
  }
  if (points.empty()) points = take_from_others(worker, now);
  if (!points.empty()) {
    const double expected = mean_seconds() * static_cast<double>(points.size());
    out_.push_back({worker, now, std::max(kLeastPatience, kPatience * expected), points});
  }
  return points;
}

/// Half of the oldest portion whose worker has had it for too long.
std::vector<std::uint64_t> HandOut::take_from_others(int worker, double now) {
  for (Portion& p : out_) {
    std::erase_if(p.points, [&](std::uint64_t point) { return !open_.contains(point); });
  }
  std::erase_if(out_, [](const Portion& p) { return p.points.empty(); });
  for (Portion& p : out_) {
    if (p.worker == worker || now - p.since < p.patience) continue;
    p.since = now;  // and twice as long until the next one is asked
    p.patience *= 2.0;
    const std::size_t half = (p.points.size() + 1) / 2;
    handed_twice_ += half;
    return {p.points.end() - static_cast<std::ptrdiff_t>(half), p.points.end()};
  }
  return {};
}

bool HandOut::done(int worker, std::uint64_t point, double seconds) {
  if (open_.erase(point) == 0) return false;
  --left_;
  ++runs_;
  total_seconds_ += seconds;
  for (std::size_t i = 0; i < out_.size(); ++i) {
    if (out_[i].worker != worker) continue;
    std::erase(out_[i].points, point);
    if (out_[i].points.empty()) out_.erase(out_.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  return true;
}

void HandOut::give_back(int worker) {
  for (Portion& p : out_) {
    if (p.worker != worker) continue;
    waiting_.insert(waiting_.end(), p.points.begin(), p.points.end());
  }
  std::erase_if(out_, [&](const Portion& p) { return p.worker == worker; });
}

}  // namespace carom::sweep
