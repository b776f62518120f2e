// Contact of idealised surfaces that a scene connects: points, lines and areas with an elastic
// layer of given thickness.
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/index.h"
#include "carom/base/text.h"
#include "carom/engine/contact/connected/connected_points.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/events/contact_events.h"

namespace carom {
namespace {

const ConnectedPair& connected_pair_of(const Workspace& w, const ContactPair& pair) {
  return w.model->contact.connected.pairs[at(pair.own)];
}

ContactArea area_of(const Manifold& m) {
  return m.count == 0     ? ContactArea::none
         : m.area > 0.0   ? ContactArea::plane
         : m.length > 0.0 ? ContactArea::line
                          : ContactArea::point;
}

class ConnectedPart final : public ContactPart {
 public:
  constexpr ConnectedPart()
      : ContactPart("connected", {.may_lie_behind = true, .is_published = true}) {}

  void watch(const ContactModel& model, int part, std::vector<ContactPair>& pairs) const override {
    for (std::size_t i = 0; i < model.connected.pairs.size(); ++i) {
      const ConnectedPair& c = model.connected.pairs[i];
      ContactPair pair;
      pair.a = c.a, pair.b = c.b, pair.law = c.law;
      pair.piece_a = model.colliders[c.a].first, pair.piece_b = model.colliders[c.b].first;
      pair.part = part, pair.own = static_cast<int>(i);
      pairs.push_back(pair);
    }
  }
  int own_count(const ContactModel& model) const override {
    return static_cast<int>(model.connected.pairs.size());
  }
  void prepare(Workspace& w) const override {
    const std::size_t count = w.model->contact.connected.pairs.size();
    w.events.kinks.reserve(count * SurfacePoints::kMost);
    w.contacts.surface_points.assign(count, {});
  }

  Contact find(const Workspace& w, const ContactPair& pair) const override {
    Manifold manifold;
    return find_connected(connected_state(w, pair), manifold);
  }
  double resolution(const Workspace& w, const ContactPair& pair) const override {
    return distance_resolution(w, pair, true);
  }

  /// A surface deeper than the layer of the other lies behind it.
  bool overlaps(const Workspace& w, const ContactPair& pair, double phi) const override {
    return phi <= 0.0 && phi >= -connected_pair_of(w, pair).layer;
  }

  void begin(Workspace& w, ContactPair& pair, const Contact& contact, bool is_put) const override {
    start_law(w, pair, contact, is_put);
    const ConnectedState s = connected_state(w, pair);
    note_expectations(w, s, contact, pair);
    find_connected(s, w.contacts.scratch.manifold);
    prepare_guard(w, s, contact, pair);
    pair.home = mean_point(s, w.contacts.scratch.manifold);
  }
  void begin_at_rest(Workspace& w, ContactPair& pair, const Contact& contact) const override {
    start_law_at_rest(w, pair);
    pair.expected_depth = expected_depth(w, connected_state(w, pair), contact);
  }

  /// The elastic layer is used up: the contact lets go, or is only reported.
  const char* pass_limit(Workspace& w, double t, const ContactPair& pair,
                         EventOutcome& outcome) const override {
    const ConnectedPair& own = connected_pair_of(w, pair);
    if (own.lets_go) return "contact_released";
    const Contact contact = find(w, pair);
    const double rate = distance_rate(w, pair, contact);
    outcome.events.push_back(contact_event(w, t, "contact_deep", pair, -rate));
    const std::string subject = "contact of " + pair_name(w, pair);
    outcome.findings.push_back(
        {"layer", subject, -contact.phi, own.layer, Grade::doubtful,
         subject + ": deeper than its layer of " + number_text(own.layer) + " m; it pushes on"});
    return nullptr;
  }

  void functions(Workspace& w, std::span<const double> x, std::size_t first, std::size_t last,
                 double* g, double* resolution_of) const override {
    for (std::size_t i = first; i < last; ++i, g += kContactFunctions) {
      const ConnectedState s = connected_state(w, w.modes.contacts.pairs[i]);
      Contact contact;
      contact.phi = look(w, s, contact);
      calc_pair_functions(w, s, x, contact, resolution(w, s.pair), g, resolution_of);
      if (s.pair.mode != ContactMode::apart) g[2] = s.own.layer + contact.phi;
      resolution_of += kContactFunctions;
    }
  }

  void apply(Workspace& w, std::span<const double> x, std::size_t first,
             std::size_t last) const override {
    for (SurfacePoints& p : w.contacts.surface_points) p.count = 0, p.area = p.length = 0.0;
    for (std::size_t k = first; k < last; ++k) {
      ConnectedState s = connected_state(w, w.modes.contacts.pairs[w.contacts.touching[k]]);
      Manifold& m = w.contacts.scratch.manifold;
      const Contact contact = find_connected(s, m);
      if (s.own.low_pass > 0.0) {
        filter_points(s, slot_view(w, s.pair, x), w.model->contact.slot.filter, m);
      }
      if (m.count > 1) note_gaps(m, w.events.kinks);
      s.axis = flat_axis(s);
      std::array<Vec3, kMaxManifoldPoints> forces;
      apply_pair(w, s, x, contact, forces.data(), w.contacts.readings[k]);
      list_points(m, forces, w.contacts.surface_points[at(s.pair.own)]);
      w.contacts.readings[k].area = area_of(m);
    }
  }

  std::span<const SurfacePoints::Point> points(const Workspace& w,
                                               const ContactPair& pair) const override {
    const SurfacePoints& found = w.contacts.surface_points[at(pair.own)];
    return {found.points.data(), found.count};
  }

  /// Filtered movements of points count against the size of the surfaces, their rates against what
  /// the filter makes of it.
  void scale_states(const Workspace& w, const ContactPair& pair, double size,
                    std::span<double> scale) const override {
    const double low_pass = connected_pair_of(w, pair).low_pass;
    if (!(low_pass > 0.0 && std::isfinite(size))) return;
    const std::size_t first = at(w.model->contact.slot.filter);
    for (std::size_t k = 0; k < 3; ++k)
      scale[first + k] = size, scale[first + 3 + k] = size * low_pass;
  }

 private:
  /// Distance for the search of begin and end, without a closer look where that is idle.
  static double look(Workspace& w, const ConnectedState& s, Contact& contact) {
    if (s.pair.mode == ContactMode::apart) {
      ++w.contacts.surface_tests;
      if (const std::optional<double> gap = far_apart(s)) {
        ++w.contacts.surface_skips;
        return *gap;
      }
    }
    contact = find_connected(s, w.contacts.scratch.manifold);
    return contact.phi;
  }

  /// Points that begin or cease to press while the contact lasts are kinks, not events.
  static void note_gaps(const Manifold& m, std::vector<double>& kinks) {
    for (std::size_t i = 0; i < at(m.count); ++i) kinks.push_back(m.points[i].phi);
  }

  /// Points of connected surfaces are results of their own.
  static void list_points(const Manifold& m, std::span<const Vec3> forces, SurfacePoints& out) {
    out.count = std::min(at(m.count), SurfacePoints::kMost);
    for (std::size_t i = 0; i < out.count; ++i) {
      out.points[i] = {m.points[i].p_WC, forces[i], m.points[i].phi,
                       m.points[i].weight * m.springs};
    }
    out.area = m.area, out.length = m.length;
  }
};

constexpr ConnectedPart kConnected;

}  // namespace

const ContactPart& connected_part = kConnected;

}  // namespace carom
