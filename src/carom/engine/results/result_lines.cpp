#include "carom/engine/results/result_lines.h"

#include "carom/base/index.h"
#include "carom/engine/contact/contact_history.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/events/contact_events.h"

namespace carom {

std::vector<ContactLine> list_contacts(const Workspace& w) {
  std::vector<ContactLine> lines;
  for (const ContactReading& r : w.contacts.readings) {
    const ContactPair& pair = w.modes.contacts.pairs[r.pair];
    const double slow = w.model->contact.laws[at(pair.law)].material.v_small;
    const char* state = r.normal_force == 0.0 ? "released"
                        : r.slip_speed > slow ? "sliding"
                                              : "sticking";
    lines.push_back(
        {collider_name(*w.model, pair.a), collider_name(*w.model, pair.b), r, state, {}});
    const std::span<const SurfacePoints::Point> points = part_for(w, pair).points(w, pair);
    lines.back().points.assign(points.begin(), points.end());
  }
  return lines;
}

std::vector<PairLine> list_pairs(const Workspace& w, double t, std::span<const double> x) {
  std::vector<PairLine> lines;
  for (const PairHistory& h : contact_history(w, t, x)) {
    const auto& pieces = w.model->contact.pieces;
    lines.push_back({collider_name(*w.model, pieces[h.a].collider),
                     collider_name(*w.model, pieces[h.b].collider), h.count, h.duration, h.impulse,
                     h.track, h.energy_lost});
  }
  return lines;
}

std::int64_t count_held_steps(const Workspace& w, double t, std::span<const double> x) {
  std::int64_t sum = 0;
  for (const PairHistory& h : contact_history(w, t, x)) sum += h.track.held_steps;
  return sum;
}

std::vector<std::string> line_names(const Model& model) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.contact.colliders.size(); ++i) {
    names.push_back(collider_name(model, static_cast<std::uint32_t>(i)));
  }
  return names;
}

std::vector<Impact> list_impacts(const Workspace& w, double t) {
  std::vector<Impact> impacts;
  for (const ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.mode == ContactMode::apart || pair.begun != t || pair.start.settling) continue;
    impacts.push_back({collider_name(*w.model, pair.a), collider_name(*w.model, pair.b),
                       pair.start.speed, pair.start.restitution, pair.expected_depth});
  }
  return impacts;
}

}  // namespace carom
