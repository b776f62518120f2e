// Contact of shapes as triangle surfaces: what is known of an overlap is its circumference, what it
// goes around and how deep that is.
//
//   F = (E*/4) L_r ∮ max(0, δ(x)) ds,   L_r = 8 √2 / (3π)                                   (1)
//
// along the normal of the patch at its centre of pressure (patch_load.h). After Moisio 2013, where
// stiffness follows the circumference; with the mean depth V/A in place of one that is integrated,
// one factor L_r gives Hertz's force for balls, a square punch 5.1 % more than its elastic solution
// and a round one 5.7 % less. Damping and friction are those of the laws, once per patch.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/base/text.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_slot.h"
#include "carom/engine/contact/contact_validity.h"
#include "carom/engine/contact/energy_hold.h"
#include "carom/engine/contact/triangles/circumference_map.h"
#include "carom/engine/contact/triangles/elements.h"
#include "carom/engine/contact/triangles/live_elements.h"
#include "carom/engine/contact/triangles/triangle_sites.h"
#include "carom/engine/events/contact_events.h"
#include "carom/engine/implicit/pair_rows.h"
#include "carom/proximity/finder.h"

namespace carom {
namespace {

using triangles::PatchLoad;

/// Four points about the centre of pressure, equally loaded, stand for the patch. Where they press,
/// and are damped, the bodies' own motion is the rate of the depth field: what tilts is damped and
/// what rolls is not. They rub where the pressure is.
void put_points(const PatchLoad& patch, PairState& s, Manifold& m) {
  m.count = 4;
  m.has_normals = false;
  m.springs = 1.0;
  m.n_AB_W = patch.normal;
  m.length_direction_W = {};
  m.area = m.length = m.width = 0.0;
  std::array<Vec3, 4>& rubs = s.rub_points.emplace();
  for (std::size_t i = 0; i < 4; ++i) {
    const double sign = i % 2 == 0 ? 1.0 : -1.0;
    m.points[i] = {patch.pressure_centre + sign * patch.turning_arm[i / 2], -patch.depth, 0.25,
                   static_cast<std::uint32_t>(i)};
    rubs[i] = patch.pressure_centre + sign * patch.arm[i / 2];
  }
  s.stiffness = ContactStiffness{pressure_factor(s.law) * patch.pressed / patch.depth, 0.0};
  s.has_points = true;
}

/// Depth at which the surfaces would hold the weight of the lighter body and have taken up its
/// kinetic energy: one is moved into the other along the normal.
double probe_depth(Workspace& w, const PairState& s, const Contact& contact) {
  constexpr int kHalvings = 12;
  constexpr double kEnergy = 0.4;  // of force times way, as for balls
  const double mass = lighter_mass(w, s.pair);
  const double weight = mass * norm(w.parameters.gravity.uniform);
  const double kinetic = 0.5 * mass * s.pair.start.speed * s.pair.start.speed;
  if (!(std::isfinite(mass) && (weight > 0.0 || kinetic > 0.0))) return kInf;
  TriangleScratch& scratch = *w.contacts.triangles;
  triangles::NearPairs& near = known_pieces(scratch, s.pair).near;
  const double size = smaller_reach(w.model->contact, s.pair);
  double low = 1e-12 * size, high = 0.5 * size;
  for (int i = 0; i < kHalvings; ++i) {
    const double d = std::sqrt(low * high);
    Pose X_WB = s.X_WB;
    X_WB.p -= d * contact.n_AB_W;
    triangles::find_state(triangles::place_surfaces(place_a(s), {s.PB, X_WB}), 0.0,
                          scratch.intersection, scratch.probe, &near);
    double pressed = 0.0;
    for (const PatchLoad& p : scratch.probe.patches) pressed = std::max(pressed, p.pressed);
    const double force = pressure_factor(s.law) * pressed;
    (kEnergy * force * d > kinetic && force > weight ? high : low) = d;
  }
  return high;
}

class TrianglePart final : public ContactPart {
 public:
  constexpr TrianglePart() : ContactPart("triangles", {.has_branches = true, .is_banked = true}) {}

  bool takes(const ShapePiece& a, const ShapePiece& b) const override {
    return finder_triangles.handles(a, b) && (a.triangles || b.triangles);
  }
  void prepare(Workspace& w) const override { list_triangle_sites(w); }

  Contact find(const Workspace& w, const ContactPair& pair) const override {
    if (const PatchLoad* patch = find_patch(w, pair)) {
      Contact contact = triangles::contact_of(*patch);
      // Found, though of no depth: it is there, by as much as is resolved.
      if (patch->is_at_rim) contact.phi = std::min(contact.phi, -2.0 * resolution(w, pair));
      return contact;
    }
    const TrianglePieces& p = find_pieces(w, pair);
    if (p.state.patches.empty() && (pair.mode != ContactMode::apart || !has_sibling(w, p))) {
      Contact apart = p.state.apart;
      // Of a gap of some roundings only what was says the direction.
      if (pair.mode != ContactMode::apart && norm2(pair.warm.n_A) > 0.0) {
        apart.n_AB_W = p.X_WA.R * pair.warm.n_A;
      }
      return apart;
    }
    Contact waiting = p.state.apart;  // what the two have in common belongs to other sites
    waiting.phi = watched_gap(w, pair);
    if (p.state.patches.empty()) return waiting;
    waiting.n_AB_W = p.state.patches.front().normal;
    waiting.p_WCa = waiting.p_WCb = p.state.patches.front().centre;
    return waiting;
  }
  double resolution(const Workspace& w, const ContactPair& pair) const override {
    return distance_resolution(w, pair, false);
  }

  /// A new patch at a rim has no depth yet.
  bool overlaps(const Workspace& w, const ContactPair& pair, double phi) const override {
    if (phi <= 0.0) return true;
    const PatchLoad* patch = find_patch(w, pair);
    return patch && patch->is_at_rim;
  }

  bool is_divided(const Workspace& w, const ContactPair& pair) const override {
    const bool has_patch = find_patch(w, pair) != nullptr;
    const TrianglePieces& p = find_pieces(w, pair);
    if (pair.mode != ContactMode::apart) return !has_patch && !p.state.patches.empty();
    return has_patch && has_sibling(w, p);
  }

  void begin(Workspace& w, ContactPair& pair, const Contact& contact, bool is_put) const override {
    const Vec3 p_W = 0.5 * (contact.p_WCa + contact.p_WCb);
    const TrianglePieces& p = find_pieces(w, pair);
    const PatchLoad* own = nullptr;
    for (const PatchLoad& patch : p.state.patches) {
      if (!own || norm2(patch.volume_centre - p_W) < norm2(own->volume_centre - p_W)) own = &patch;
    }
    pair.home = inverse(p.X_WA) * (own ? own->centre : p_W);
    pair.home_b = inverse(p.X_WB) * (p.X_WA * pair.home);
    pair.volume = own ? own->volume : 0.0, pair.depth = own ? own->depth : 0.0;
    pair.warm.n_A = transpose_times(p.X_WA.R, contact.n_AB_W);
    const double force = own ? pressure_factor(law_of(w, pair)) * own->pressed : 0.0;
    double energy = own ? 0.5 * force * own->depth : 0.0;
    pair.load = force;
    if (!is_put && split_off(w, pair, force, own)) return;
    start_law(w, pair, contact, is_put);
    if (law_of(w, pair).elements.is_on && begins_at_zero(w, pair)) energy = 0.0;
    pair.mass = lighter_mass(w, pair);
    pair.expected_depth = probe_depth(w, pair_state(w, pair), contact);
    pair.guard = {.stored = energy, .scale = impact_energy(w, pair), .share = 1e-6, .rest = 0.0};
  }

  void begin_at_rest(Workspace& w, ContactPair& pair, const Contact& contact) const override {
    start_law_at_rest(w, pair);
    pair.expected_depth = probe_depth(w, pair_state(w, pair), contact);
  }

  double bearable_depth(Workspace& w, const ContactPair& known,
                        const Contact& contact) const override {
    constexpr double kShareOfDepth = 1e-3;  // as of other shapes: 3e-8 of the energy
    ContactPair pair = known;
    start_law(w, pair, contact, false);
    return std::max(2.0 * resolution(w, pair),
                    kShareOfDepth * probe_depth(w, pair_state(w, pair), contact));
  }

  /// Its patch has become a part of another: what it holds goes there.
  void hand_over(Workspace& w, std::span<double> x, ContactPair& pair) const override {
    const TrianglePieces& p = find_pieces(w, pair);
    ContactPair* heir = find_owner(w, pair, p.X_WA * pair.home);
    if (!heir || heir->is_same_site(pair) || heir->slot < 0 || pair.slot < 0) return;
    const SlotLayout& slot = w.model->contact.slot;
    const std::size_t own = w.model->size() + at(pair.slot * slot.width);
    const std::size_t other = w.model->size() + at(heir->slot * slot.width);
    if (std::max(own, other) + at(slot.width) > x.size()) return;
    if (slot.bristle >= 0) merge_bristles(w, pair, *heir, &x[own], &x[other]);
    if (w.modes.banks) return;  // implicit steps have emptied its bank
    const double held = pair.guard.stored + x[own + SlotLayout::kStored];
    heir->guard.stored += held, heir->brought += held;
    pair.guard.stored -= held, pair.brought -= held;
    heir->load += pair.load;
  }

  std::vector<Finding> findings(const Workspace& w, const ContactPair& pair,
                                const Contact&) const override;

  bool remember(Workspace& w, std::span<ContactPair> pairs) const override {
    // All first, then all at once: where a patch belongs depends on where the others were.
    std::vector<Vec3>& homes = w.contacts.triangles->homes;
    std::vector<double>& volumes = w.contacts.triangles->volumes;
    std::vector<double>& depths = w.contacts.triangles->depths;
    homes.assign(pairs.size(), {}), volumes.assign(pairs.size(), -1.0);
    depths.assign(pairs.size(), 0.0);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].mode == ContactMode::apart) continue;
      const PatchLoad* patch = find_patch(w, pairs[i]);
      if (!patch) continue;
      const TrianglePieces& p = find_pieces(w, pairs[i]);
      homes[i] = inverse(p.X_WA) * patch->centre;
      volumes[i] = patch->volume, depths[i] = patch->depth;
      pairs[i].track.passed_wall = pairs[i].track.passed_wall || patch->is_through;
      pairs[i].warm.n_A = transpose_times(p.X_WA.R, patch->normal);
      // Implicit steps note what they found.
      if (!w.modes.banks) {
        pairs[i].load = pressure_factor(law_of(w, pairs[i])) * patch->pressed;
      }
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (volumes[i] < 0.0) continue;
      const TrianglePieces& p = find_pieces(w, pairs[i]);
      pairs[i].home = homes[i];
      pairs[i].volume = volumes[i], pairs[i].depth = depths[i];
      pairs[i].home_b = inverse(p.X_WB) * (p.X_WA * homes[i]);
    }
    remember_pieces(w, pairs);
    return false;
  }

  void map_pressure(Workspace& w, const ContactReading& reading,
                    std::vector<PressureMap>& out) const override {
    map_circumference(w, w.modes.contacts.pairs[reading.pair], reading.normal_force, out);
  }

  bool has_step_rows() const override { return true; }
  bool find_step_rows(Workspace& w, ContactPair& pair, const Contact& contact,
                      const StepReach& look, PairRows& out) const override {
    return find_rows(pair_state(w, pair), contact, look, w.contacts.scratch, out);
  }

  void functions(Workspace& w, std::span<const double> x, std::size_t first, std::size_t last,
                 double* g, double* resolution_of) const override {
    for (std::size_t i = first; i < last; ++i, g += kContactFunctions) {
      PairState s = pair_state(w, w.modes.contacts.pairs[i]);
      const Contact contact = find(w, s.pair);
      if (const PatchLoad* patch = find_patch(w, s.pair)) {
        put_points(*patch, s, w.contacts.scratch.manifold);
      }
      calc_pair_functions(w, s, x, contact, resolution(w, s.pair), g, resolution_of);
      resolution_of += kContactFunctions;
    }
  }

  void apply(Workspace& w, std::span<const double> x, std::size_t first,
             std::size_t last) const override {
    for (std::size_t k = first; k < last; ++k) {
      PairState s = pair_state(w, w.modes.contacts.pairs[w.contacts.touching[k]]);
      const PatchLoad* patch = find_patch(w, s.pair);
      ContactReading& reading = w.contacts.readings[k];
      if (patch && patch->pressed > 0.0) {
        press(w, s, x, *patch, reading);
      } else {
        const Contact contact = find(w, s.pair);
        reading.phi = contact.phi, reading.normal = contact.n_AB_W;
        reading.point = contact.p_WCa;
        reading.nearest_a = contact.p_WCa, reading.nearest_b = contact.p_WCb;
        hold_unpressed(w, s, slot_view(w, s.pair, x).state, reading);
      }
      if (s.pair.slot < 0) press_left_over(w, s, x);
    }
  }

 private:
  /// Where every pair of triangles presses, all sites of two pieces at once.
  static void remember_pieces(Workspace& w, std::span<const ContactPair> pairs) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (!law_of(w, pairs[i]).elements.is_on) continue;
      if (i > 0 && pairs[i].is_site_of(pairs[i - 1])) continue;
      remember_elements(w, pairs[i]);
    }
  }

  /// Whether one of the sites of the two pieces touches.
  static bool has_sibling(const Workspace& w, const TrianglePieces& p) {
    return std::ranges::any_of(p.sites, [&](std::size_t i) {
      return w.modes.contacts.pairs[i].mode != ContactMode::apart;
    });
  }
  static const PairLaw& law_of(const Workspace& w, const ContactPair& pair) {
    return w.model->contact.laws[at(pair.law)];
  }

  static void press(Workspace& w, PairState& s, std::span<const double> x, const PatchLoad& patch,
                    ContactReading& reading) {
    if (s.law.elements.is_on) return press_elements(w, s, x, patch, reading);
    put_points(patch, s, w.contacts.scratch.manifold);
    apply_pair(w, s, x, triangles::contact_of(patch), nullptr, reading);
    reading.contact_area = patch.area, reading.circumference = patch.length;
  }

  /// In the search of an equilibrium one site stands for all patches of its pieces.
  static void press_left_over(Workspace& w, PairState& s, std::span<const double> x) {
    const TrianglePieces& p = find_pieces(w, s.pair);
    const PatchLoad* own = find_patch(w, s.pair);
    for (const PatchLoad& patch : p.state.patches) {
      if (&patch == own || !(patch.pressed > 0.0)) continue;
      ContactReading unread;
      press(w, s, x, patch, unread);
    }
  }

  static double impact_energy(const Workspace& w, const ContactPair& pair) {
    const double gravity = norm(w.parameters.gravity.uniform);
    const double depth = std::isfinite(pair.expected_depth) ? pair.expected_depth : 0.0;
    const double speed2 = pair.start.speed * pair.start.speed;
    return std::isfinite(pair.mass) ? pair.mass * (0.5 * speed2 + gravity * depth) : 0.0;
  }

  /// A patch that was a part of another goes on as that did, with its share.
  bool split_off(Workspace& w, ContactPair& pair, double force, const PatchLoad* own) const {
    if (!own) return false;
    const TrianglePieces& p = find_pieces(w, pair);
    ContactPair* parent = nullptr;
    for (const std::size_t i : p.sites) {
      ContactPair& q = w.modes.contacts.pairs[i];
      if (q.mode == ContactMode::apart || q.is_same_site(pair)) continue;
      const auto away = [&](const ContactPair& c) { return norm2(p.X_WA * c.home - own->centre); };
      if (!parent || away(q) < away(*parent)) parent = &q;
    }
    // Hardly any depth: it has just come to touch.
    if (!parent || !(own->depth > 1e-3 * parent->expected_depth)) return false;
    pair.start = parent->start, pair.constants = parent->constants;
    pair.mass = parent->mass, pair.expected_depth = parent->expected_depth;
    pair.guard = parent->guard;
    pair.share = parent->load > 0.0 ? std::min(1.0, force / parent->load) : 0.0;
    pair.guard.stored = 0.0;
    pair.inherits = parent->slot;
    return true;
  }

  static void merge_bristles(const Workspace& w, const ContactPair& pair, const ContactPair& heir,
                             const double* own, double* other) {
    const PairLaw& law = law_of(w, pair);
    if (!law.friction->has_bristle) return;
    const bool adds_up = bristles_add_up(*law.friction, law.friction_params);
    const double sum = pair.load + heir.load;
    const double share = adds_up ? 1.0 : sum > 0.0 ? pair.load / sum : 0.0;
    const double rest = adds_up ? 1.0 : 1.0 - share;
    const std::size_t first = at(w.model->contact.slot.bristle);
    for (std::size_t k = first; k < first + 4; ++k) other[k] = share * own[k] + rest * other[k];
  }
};

std::vector<Finding> TrianglePart::findings(const Workspace& w, const ContactPair& pair,
                                            const Contact&) const {
  constexpr double kOfSize = 0.1;
  std::vector<Finding> found;
  const double size = smaller_reach(w.model->contact, pair);
  const std::string subject = pair_text(w, pair);
  if (pair.deepest > kOfSize * size) {
    // Deeper than half of it, one has passed the middle of the other.
    const Grade grade = pair.deepest > 0.5 * size ? Grade::broken : Grade::doubtful;
    found.push_back({"depth", subject, pair.deepest, kOfSize * size, grade,
                     subject + ": mean depth " + rounded_text(pair.deepest) + " m is " +
                         rounded_text(100.0 * pair.deepest / size) +
                         " % of the size of the smaller body; the law holds to 10 %"});
  }
  if (pair.track.passed_wall) {
    found.push_back({"through_wall", subject, pair.deepest, 0.0, Grade::doubtful,
                     subject +
                         ": one has come out on the far side of a wall of the other; the force "
                         "is that of a thick wall"});
  }
  if (pair.track.held_steps > 0) {
    found.push_back({"held_back", subject, static_cast<double>(pair.track.held_steps), 0.0,
                     Grade::sound,
                     subject + ": in " + std::to_string(pair.track.held_steps) +
                         " steps its elastic force was scaled to give back no more than had gone "
                         "in"});
  }
  return found;
}

constexpr TrianglePart kTriangles;

}  // namespace

const ContactPart& triangle_part = kTriangles;

}  // namespace carom
