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
      out_(std::max<std::size_t>(workers, 1)),
      workers_(out_.size()),
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
    own(worker).push_back({now, std::max(kLeastPatience, kPatience * expected), points});
  }
  return points;
}

std::vector<HandOut::Portion>& HandOut::own(int worker) {
  const auto i = static_cast<std::size_t>(worker);
  if (i >= out_.size()) out_.resize(i + 1);
  return out_[i];
}

/// Half of the first portion whose worker has had it for too long.
std::vector<std::uint64_t> HandOut::take_from_others(int worker, double now) {
  for (std::vector<Portion>& portions : out_) {
    if (&portions == &own(worker)) continue;
    for (Portion& p : portions) {
      if (now - p.since < p.patience) continue;
      std::erase_if(p.points, [&](std::uint64_t point) { return !open_.contains(point); });
      if (p.points.empty()) continue;
      p.since = now;  // and twice as long until the next one is asked
      p.patience *= 2.0;
      const std::size_t half = (p.points.size() + 1) / 2;
      handed_twice_ += half;
      return {p.points.end() - static_cast<std::ptrdiff_t>(half), p.points.end()};
    }
  }
  return {};
}

bool HandOut::done(int worker, std::uint64_t point, double seconds) {
  std::vector<Portion>& portions = own(worker);
  for (Portion& p : portions) std::erase(p.points, point);
  std::erase_if(portions, [](const Portion& p) { return p.points.empty(); });
  if (open_.erase(point) == 0) return false;
  --left_;
  ++runs_;
  total_seconds_ += seconds;
  return true;
}

void HandOut::give_back(int worker) {
  for (Portion& p : own(worker)) {
    waiting_.insert(waiting_.end(), p.points.begin(), p.points.end());
  }
  own(worker).clear();
}

}  // namespace carom::sweep
