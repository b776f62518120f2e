#include "carom/simulation/peak_watch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/results/loads.h"
#include "carom/engine/study/tangent.h"
#include "carom/simulation/parabola.h"

namespace carom {
namespace {

/// A closer look must promise this much of the value; rows and peaks carry no more. In a crowd
/// some force is near its top in every step: there a look must be worth more.
constexpr double kGain = 1e-8, kGainInCrowd = 1e-3;
constexpr std::size_t kCrowd = 24;
/// A peak that stands less above the rows beside it is not worth a line.
constexpr double kAboveFloor = 1e-4;
/// Nearer than this share of a step, two looks see the same.
constexpr double kApart = 1e-4;
constexpr std::size_t kMostLooks = 12;
/// Methods of so many evaluations a step take steps that are long against what happens in them.
constexpr std::int64_t kManyStages = 6;

}  // namespace

double magnitude(const OutputChannel& channel, std::span<const double> columns) {
  double sum = 0.0;
  for (int i = 0; i < channel.width; ++i) sum += columns[at(i)] * columns[at(i)];
  return channel.width == 1 ? std::abs(columns[0]) : std::sqrt(sum);
}

WatchedRow find_watched(std::span<const OutputChannel> channels) {
  WatchedRow out;
  std::size_t column = 0, object_column = 0, object_begin = 0;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const auto is_same = [&](const OutputChannel& c) {
      return c.object == channels[i].object && c.group == channels[i].group;
    };
    if (!is_same(channels[object_begin])) object_begin = i, object_column = column;
    if (is_load(channels[i])) {
      std::size_t end = i;
      while (end < channels.size() && is_same(channels[end])) ++end;
      out.quantities.push_back({channels[i],
                                {channels.begin() + static_cast<std::ptrdiff_t>(object_begin),
                                 channels.begin() + static_cast<std::ptrdiff_t>(end)}});
      out.channel_column.push_back(column);
      out.first_column.push_back(object_column);
    }
    column += at(channels[i].width);
  }
  return out;
}

void PeakWatch::watch(std::vector<WatchedQuantity> quantities, Found found) {
  quantities_ = std::move(quantities);
  found_ = std::move(found);
  floor_.assign(quantities_.size(), 0.0);
  for (const WatchedQuantity& q : quantities_) {
    loads_.push_back(q.channel);
    needs_.add(q.channel);
  }
}

void PeakWatch::set_floor(std::span<const double> magnitudes) {
  floor_.assign(magnitudes.begin(), magnitudes.end());
}

bool PeakWatch::is_idle(const Workspace& observer) const {
  return track_count(observer) == 0 && needs_.only_contacts;
}

/// As samples are taken: on the constraints.
void PeakWatch::state_at(const Step& step, double t) {
  x_.resize(step.integrator.state().size());
  if (step.is_dense) {
    step.integrator.interpolate(t, x_);
  } else {
    x_.assign(step.state.begin(), step.state.end());
  }
  project(step.observer, t, x_, kToRounding, 6);
}

void PeakWatch::look(const Step& step, double t, bool is_known) {
  state_at(step, t);
  if (!is_known) {
    ++evaluations_;
    evaluate(step.observer, t, x_);
  }
  Look seen;
  seen.t = t;
  if (!spare_.empty()) {
    seen.values = std::move(spare_.back());
    seen.values.clear();
    spare_.pop_back();
  }
  seen.values.reserve(loads_.size() + 3 * track_count(step.observer));
  append_loads(step.observer, loads_, needs_, seen.values);
  const auto after = std::upper_bound(points_.begin(), points_.end(), t,
                                      [](double a, const Look& b) { return a < b.t; });
  points_.insert(after, std::move(seen));
}

/// The points of the step behind the one before them.
const std::vector<const PeakWatch::Look*>& PeakWatch::line() const {
  line_.clear();
  if (has_before_) line_.push_back(&before_);
  for (const Look& p : points_) line_.push_back(&p);
  return line_;
}

/// The next points take its room: a step allocates nothing.
void PeakWatch::put_aside(Look& look) {
  if (look.values.capacity() > 0) spare_.push_back(std::move(look.values));
  look.values = {};
}

void PeakWatch::clear_points() {
  for (Look& p : points_) put_aside(p);
  points_.clear();
}

bool PeakWatch::refine_once(const Step& step, std::size_t q, double limit) {
  // As line(), in place: this is asked for every quantity after every step.
  std::array<const Look*, kMostLooks + 1> room;
  std::size_t count = 0;
  if (has_before_) room[count++] = &before_;
  for (const Look& p : points_) room[count++] = &p;
  const std::span<const Look* const> all(room.data(), count);
  if (all.size() < 3) return false;
  const double gain =
      quantities_.size() + track_count(step.observer) > kCrowd ? kGainInCrowd : kGain;
  std::size_t top = has_before_ ? 1 : 0;
  for (std::size_t i = top; i < all.size(); ++i) {
    if (all[i]->values[q] > all[top]->values[q]) top = i;
  }
  const std::size_t c = std::clamp<std::size_t>(top, 1, all.size() - 2);
  const Parabola curve({all[c - 1]->t, all[c]->t, all[c + 1]->t},
                       {all[c - 1]->values[q], all[c]->values[q], all[c + 1]->values[q]});
  if (!curve.has_top()) return false;
  const double t = curve.top(), best = all[top]->values[q];
  if (!(t > points_.front().t && t < step.until)) return false;
  const double promise = curve(t);
  if (!(promise > limit && promise > best * (1.0 + gain))) return false;
  const double near = kApart * (step.until - points_.front().t);
  for (const Look& p : points_) {
    if (std::abs(p.t - t) < near) return false;
  }
  look(step, t);
  return true;
}

void PeakWatch::refine(const Step& step) {
  const std::size_t n = quantities_.size(), touching = track_count(step.observer);
  bool again = true;
  while (again && points_.size() < kMostLooks) {
    again = false;
    for (std::size_t q = 0; q < n + touching && points_.size() < kMostLooks; ++q) {
      const double limit = q < n ? floor_[q] * (1.0 + kAboveFloor)
                                 : track_of(step.observer, step.modes, q - n).peak_force;
      again |= refine_once(step, q, limit);
    }
  }
}

void PeakWatch::book_contacts(const Step& step) const {
  const std::size_t n = quantities_.size(), touching = track_count(step.observer);
  const std::vector<const Look*>& all = line();
  const std::size_t first = has_before_ ? 1 : 0;
  for (std::size_t k = 0; k < touching; ++k) {
    LoadTrack& track = track_of(step.observer, step.modes, k);
    for (const Look& p : points_) {
      track.peak_depth = std::max(track.peak_depth, p.values[n + 2 * touching + k]);
      if (p.values[n + k] <= track.peak_force) continue;
      track.peak_force = p.values[n + k], track.peak_time = p.t;
    }
    const std::size_t speed = n + touching + k;
    for (std::size_t i = first + 1; i < all.size(); ++i) {
      const std::size_t c = std::clamp<std::size_t>(i - 1, 1, all.size() - 2);
      const Parabola curve(
          {all[c - 1]->t, all[c]->t, all[c + 1]->t},
          {all[c - 1]->values[speed], all[c]->values[speed], all[c + 1]->values[speed]});
      track.slip += std::max(0.0, curve.integral(all[i - 1]->t, all[i]->t));
    }
  }
}

/// Whether the quantity has its top in the step, and where.
bool PeakWatch::find_top(const Step& step, std::size_t q, bool begins_piece,
                         const Look*& top) const {
  top = &points_.front();
  for (const Look& p : points_) {
    if (p.values[q] > top->values[q]) top = &p;
  }
  const double value = top->values[q];
  if (!(value > floor_[q] * (1.0 + kAboveFloor)) || !std::isfinite(value)) return false;
  const bool is_first = top == &points_.front();
  const bool rises = !is_first || begins_piece || (has_before_ && before_.values[q] < value);
  const bool falls = top != &points_.back() || step.ends_piece;
  return rises && falls;
}

/// Objects that share an instant share what is read there: where the observer was evaluated last.
void PeakWatch::tell(const Step& step, const Look& at_top, std::span<const std::size_t> which) {
  if (which.empty()) return;
  std::vector<OutputChannel> channels;
  std::size_t width = 0;
  for (const std::size_t q : which) {
    for (const OutputChannel& c : quantities_[q].object)
      channels.push_back(c), width += at(c.width);
  }
  std::vector<double> columns(width);
  read_outputs(step.observer, x_, channels, step.energy_reference, columns);
  auto next = columns.begin();
  for (const std::size_t q : which) {
    LocatedPeak peak{q, at_top.t, at_top.values[q], {}};
    for (const OutputChannel& c : quantities_[q].object) {
      peak.columns.insert(peak.columns.end(), next, next + c.width);
      next += c.width;
    }
    floor_[q] = peak.value;
    found_(peak);
  }
}

void PeakWatch::report(const Step& step, bool begins_piece) {
  struct Top {
    std::size_t quantity;
    const Look* at;
  };
  std::vector<Top> tops;
  for (std::size_t q = 0; q < quantities_.size(); ++q) {
    const Look* top = nullptr;
    if (find_top(step, q, begins_piece, top)) tops.push_back({q, top});
  }
  std::stable_sort(tops.begin(), tops.end(),
                   [](const Top& a, const Top& b) { return a.at->t < b.at->t; });
  for (auto first = tops.begin(); first != tops.end();) {
    const Look& here = *first->at;
    std::vector<std::size_t> which;
    for (; first != tops.end() && first->at == &here; ++first) which.push_back(first->quantity);
    state_at(step, here.t);
    evaluate(step.observer, here.t, x_);
    ++evaluations_;
    tell(step, here, which);
  }
}

/// The largest value since the last row is the table's to find: here is each that exceeds it.
void PeakWatch::pass_end(const Step& step) {
  clear_points();
  look(step, step.until);
  count_held_back(step.observer, step.modes);
  const std::vector<double>& values = points_.front().values;
  const std::size_t n = quantities_.size(), touching = track_count(step.observer);
  const double h = step.until - step.integrator.previous_time();
  for (std::size_t k = 0; k < touching && !step.is_followed; ++k) {
    LoadTrack& track = track_of(step.observer, step.modes, k);
    track.slip += h * values[n + touching + k];
    track.peak_depth = std::max(track.peak_depth, values[n + 2 * touching + k]);
    if (values[n + k] <= track.peak_force) continue;
    track.peak_force = values[n + k], track.peak_time = step.until;
  }
  std::vector<std::size_t> higher;
  for (std::size_t q = 0; q < n; ++q) {
    const bool is_higher = values[q] > floor_[q] * (1.0 + kAboveFloor);
    if (is_higher && std::isfinite(values[q])) higher.push_back(q);
  }
  tell(step, points_.front(), higher);
}

void PeakWatch::pass(const Step& step) {
  const std::int64_t before = counted_;
  counted_ = step.integrator.statistics().rhs_evaluations;
  if (is_idle(step.observer)) return forget();
  if (step.at_ends) return pass_end(step);
  const std::size_t expected = quantities_.size() + 3 * track_count(step.observer);
  const std::uint64_t order = track_order(step.observer);
  if (has_last_ && (last_.values.size() != expected || order != order_)) forget();
  order_ = order;
  const bool begins_piece = !has_last_;
  // A step that was repeated without dense output gives its end alone.
  if (!step.is_dense && !has_before_) return;
  clear_points();
  if (begins_piece) {
    look(step, step.integrator.previous_time());
  } else {
    points_.push_back(std::move(last_));
  }
  const double begin = points_.front().t;
  if (step.until > begin) {
    const bool has_middle = step.is_dense && (begins_piece || counted_ - before >= kManyStages);
    if (has_middle) look(step, 0.5 * (begin + step.until));
    look(step, step.until, step.is_known && !begins_piece && !has_middle);
    count_held_back(step.observer, step.modes);
    if (step.is_dense) refine(step);
    if (track_count(step.observer) > 0) book_contacts(step);
    if (step.is_dense) report(step, begins_piece);
    put_aside(before_);
    before_ = std::move(points_[points_.size() - 2]);
    has_before_ = true;
  }
  last_ = std::move(points_.back());
  has_last_ = true;
}

}  // namespace carom
