#include "carom/engine/contact/contact_history.h"

#include <algorithm>
#include <tuple>

#include "carom/base/index.h"
#include "carom/engine/time_stepping/stepped_contacts.h"

namespace carom {
namespace {

bool is_listed_before(const PairHistory& a, const PairHistory& b) {
  return std::tie(a.a, a.b) < std::tie(b.a, b.b);
}

}  // namespace

PairHistory history_of(const ContactPair& pair, double t, double impulse, double energy_lost) {
  return {pair.piece_a, pair.piece_b, 1, t - pair.begun, impulse, pair.track, energy_lost};
}

void add_to_history(std::vector<PairHistory>& history, const PairHistory& more) {
  auto known = std::lower_bound(history.begin(), history.end(), more, is_listed_before);
  if (known == history.end() || is_listed_before(more, *known)) {
    history.insert(known, more);
    return;
  }
  known->count += more.count;
  known->duration += more.duration, known->impulse += more.impulse;
  known->energy_lost += more.energy_lost, known->track.slip += more.track.slip;
  known->track.held_steps += more.track.held_steps;
  known->track.passed_wall = known->track.passed_wall || more.track.passed_wall;
  known->track.peak_depth = std::max(known->track.peak_depth, more.track.peak_depth);
  if (more.track.peak_force <= known->track.peak_force) return;
  known->track.peak_force = more.track.peak_force, known->track.peak_time = more.track.peak_time;
}

std::vector<PairHistory> contact_history(const Workspace& w, double t, std::span<const double> x) {
  std::vector<PairHistory> all = w.modes.contacts.history;
  const std::size_t width = at(w.model->contact.slot.width);
  for (const ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.mode == ContactMode::apart) continue;
    if (pair.slot < 0 && is_stepped(w)) {  // time steps sum up without slots
      add_to_history(all, history_of(pair, t, pair.sums.impulse, pair.sums.energy_lost));
    }
    if (pair.slot < 0) continue;
    const std::size_t first = w.model->size() + at(pair.slot) * width;
    if (first + width > x.size()) continue;
    add_to_history(all,
                   history_of(pair, t, x[first + SlotLayout::kImpulse],
                              x[first + SlotLayout::kNormal] + x[first + SlotLayout::kFriction]));
  }
  return all;
}

}  // namespace carom
