#include "carom/engine/events/overlooked_contacts.h"

#include <algorithm>
#include <optional>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_sites.h"
#include "carom/engine/contact/rigid/rigid_overlap.h"
#include "carom/engine/events/contact_events.h"
#include "carom/engine/events/contact_life.h"
#include "carom/engine/events/event_blocks.h"

namespace carom {
namespace {

/// Of the pairs in their order, among all event functions or what these resolve.
class Distances {
 public:
  Distances(const Workspace& w, std::span<const double> g) : g_(part_of(w, contact_events, g)) {}
  double operator[](std::size_t pair) const { return g_[kContactFunctions * pair]; }

 private:
  std::span<const double> g_;
};

}  // namespace

bool mend_overlooked_contacts(Workspace& w, double t, std::span<double> x,
                              std::span<const double> g, EventOutcome& outcome) {
  bool mended = false;
  const Distances distances(w, g);
  std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ContactPair& pair = pairs[i];
    if (part_for(w, pair).may_lie_behind || !(distances[i] < 0.0)) continue;
    if (&part_for(w, pair) == &rigid_part) continue;
    if (pair.mode == ContactMode::apart) {
      begin_contact(w, t, pair, false, &outcome);
    } else {
      const bool is_parting = part_for(w, pair).is_divided(w, pair) ||
                              distance_rate(w, pair, find_contact(w, pair)) > 0.0;
      if (!is_parting) continue;
      end_contact(w, t, x, pair, outcome);
    }
    mended = true;
  }
  if (mended) begin_branches(w, t, false, &outcome);
  if (mended) prepare_contacts(w);
  return mended;
}

namespace {

bool overlaps_apart(const Workspace& w, const ContactPair& pair, double distance,
                    double resolution) {
  return pair.mode == ContactMode::apart && distance < -resolution &&
         !part_for(w, pair).may_lie_behind;
}

/// Whether the step ends where a site appears, or it was there in overlap where the step began and
/// had not been found: it may be so, and no shorter step would find it any less deep.
bool is_birth(const Workspace& w, std::size_t pair, std::span<const int> crossed,
              std::span<const double> begin) {
  const ContactPair& site = w.modes.contacts.pairs[pair];
  if (&part_for(w, site) != &elastic_part) return false;  // areas begin with a point of theirs
  if (!has_sites(w.model->contact, site.piece_a, site.piece_b)) return false;
  if (!begin.empty() && Distances(w, begin)[pair] < 0.0) return true;
  return std::ranges::any_of(crossed, [&](int f) {
    const std::optional<ContactPlace> place = contact_place(w, at(f));
    return place && place->pair == pair && place->function == ContactFunction::distance;
  });
}

}  // namespace

bool may_have_sunken(const Workspace& w, std::span<const double> g) {
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  const Distances distances(w, g), resolutions(w, w.events.resolution);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (overlaps_apart(w, pairs[i], distances[i], resolutions[i])) return true;
  }
  return false;
}

int find_sunken_pair(Workspace& w, std::span<const double> g, std::span<const int> crossed,
                     std::span<const double> begin) {
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  const Distances distances(w, g), resolutions(w, w.events.resolution);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!overlaps_apart(w, pairs[i], distances[i], resolutions[i])) continue;
    if (part_for(w, pairs[i]).is_divided(w, pairs[i])) continue;
    if (is_birth(w, i, crossed, begin)) continue;
    const Contact contact = find_contact(w, pairs[i]);
    const double bearable = part_for(w, pairs[i]).bearable_depth(w, pairs[i], contact);
    if (-contact.phi > bearable) return static_cast<int>(i);
  }
  return -1;
}

bool begins_by_error(const Workspace& w, std::size_t f, double span) {
  const std::optional<ContactPlace> place = contact_place(w, f);
  if (!place || place->function != ContactFunction::distance) return false;
  const ContactPair& pair = w.modes.contacts.pairs[place->pair];
  if (pair.mode != ContactMode::apart || part_for(w, pair).may_lie_behind ||
      part_for(w, pair).is_divided(w, pair)) {
    return false;
  }
  const double rate = distance_rate(w, pair, find_contact(w, pair));
  return rate * span > 0.01 * part_for(w, pair).resolution(w, pair);
}

void note_depths(Workspace& w, std::span<const double> g) {
  const Distances distances(w, g);
  for (const std::size_t i : w.contacts.touching) {
    ContactPair& pair = w.modes.contacts.pairs[i];
    if (&part_for(w, pair) == &rigid_part) {
      note_overlap(w, w.t, pair, -find_contact(w, pair).phi);
      continue;
    }
    const double phi = parted(part_for(w, pair).resolution(w, pair)) - distances[i];
    pair.deepest = std::max(pair.deepest, -phi);
  }
}

}  // namespace carom
