// Contact by its area: an elastic foundation on the surfaces.
//
//   p = K u (1 + chi u'),   u the depth along the normal where the bodies are deepest      (1)
//
// integrated over the area by points (proximity/area). K is that of the layers of both bodies in
// series, chi the damping that the normal law takes from the restitution at this impact; u' is the
// rate at the point itself, so that rolling is resisted. Laws act at every point as they do at
// those of other contacts (contact_forces.cpp): friction without memory with the slip of each,
// bristles once, with the mean lever of the pressure. Elastic energy is 1/2 K integral of u²; where
// the normal turns, what that does is model_work.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/base/text.h"
#include "carom/engine/contact/area/area_points.h"
#include "carom/engine/contact/area/area_rows.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_validity.h"
#include "carom/engine/events/contact_events.h"
#include "carom/engine/results/pressure_maps.h"
#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

class AreaPart final : public ContactPart {
 public:
  constexpr AreaPart() : ContactPart("area") {}

  bool takes(const ShapePiece& a, const ShapePiece& b) const override {
    if (!a.has_area || !b.has_area) return false;
    const ContactFinder& finder = finder_of(a, b);
    if (&finder == &finder_mesh || &finder == &finder_ring) return finder.handles(a, b);
    const bool is_on_plane = a.core.kind == &core_half_space || b.core.kind == &core_half_space;
    const bool is_ring_a = a.tube_radius > 0.0, is_ring_b = b.tube_radius > 0.0;
    return is_on_plane ? !is_ring_a && !is_ring_b : !is_ring_a || !is_ring_b;
  }
  Contact find(const Workspace& w, const ContactPair& pair) const override {
    return find_contact(pair_state(w, pair));
  }
  double resolution(const Workspace& w, const ContactPair& pair) const override {
    return finder_resolution(w, pair);
  }

  void begin(Workspace& w, ContactPair& pair, const Contact& contact, bool is_put) const override {
    start_law(w, pair, contact, is_put);
    lay_foundation(w, pair, contact);
    pair.mass = lighter_mass(w, pair);
    pair.expected_depth = area_depth(w, pair_state(w, pair), contact);
    AreaPatch patch;
    carom::find_area(w, pair_state(w, pair), contact, 0.0, patch);
    pair.guard = {};
    pair.guard.stored = area_energy(patch, pair.foundation);
  }
  void begin_at_rest(Workspace& w, ContactPair& pair, const Contact& contact) const override {
    start_law_at_rest(w, pair);
    lay_foundation(w, pair, contact);
    pair.expected_depth = area_depth(w, pair_state(w, pair), contact);
  }
  double bearable_depth(Workspace& w, const ContactPair& known,
                        const Contact& contact) const override {
    constexpr double kShareOfDepth = 1e-3;  // of energy 1e-9
    ContactPair pair = known;
    start_law(w, pair, contact, false);
    lay_foundation(w, pair, contact);
    return std::max(2.0 * resolution(w, pair),
                    kShareOfDepth * area_depth(w, pair_state(w, pair), contact));
  }

  std::vector<Finding> findings(const Workspace& w, const ContactPair& pair,
                                const Contact&) const override;

  bool remember(Workspace& w, std::span<ContactPair> pairs) const override {
    for (ContactPair& pair : pairs) {
      const PairState s = pair_state(w, pair);
      const ContactFinder& finder = finder_of(s.PA, s.PB);
      if (!finder.remember || finder.is_closed_form(s.PA, s.PB)) continue;
      finder.remember(place_a(s), place_b(s), pair.warm);
    }
    return false;
  }

  void map_pressure(Workspace& w, const ContactReading& reading,
                    std::vector<PressureMap>& out) const override {
    const PairState s = pair_state(w, w.modes.contacts.pairs[reading.pair]);
    Contact contact = find_contact(s);
    if (!(contact.phi < 0.0) || contact.status != Status::ok) return;
    AreaPatch patch;
    carom::find_area(w, s, contact, 0.0, patch);
    if (patch.count == 0) return;
    turn_to_mean_normal(patch, contact);
    PressureMap map{{}, PressureMap::kPressure, "Pa", contact.n_AB_W, {}};
    for (std::size_t i = 0; i < at(patch.count); ++i) {
      const AreaPoint& p = patch.points[i];
      const Vec3& n_W = patch.has_normals ? p.n_W : contact.n_AB_W;
      map.points.push_back({p.p_W, pressure_at(s, n_W, p.u, p.p_W), p.area});
    }
    out.push_back(std::move(map));
  }

  bool has_step_rows() const override { return true; }
  bool find_step_rows(Workspace& w, ContactPair& pair, const Contact& contact,
                      const StepReach& look, PairRows& out) const override {
    return find_area_rows(w, pair_state(w, pair), contact, look, out);
  }

  void functions(Workspace& w, std::span<const double> x, std::size_t first, std::size_t last,
                 double* g, double* resolution_of) const override {
    for (std::size_t i = first; i < last; ++i, g += kContactFunctions) {
      PairState s = pair_state(w, w.modes.contacts.pairs[i]);
      Contact contact = find_contact(s);
      const bool asks = s.pair.mode != ContactMode::apart && s.law.normal->lets_go;
      if (asks && contact.phi < 0.0 && !put_points(w, s, contact)) contact.phi = 0.0;
      calc_pair_functions(w, s, x, contact, resolution(w, s.pair), g, resolution_of);
      resolution_of += kContactFunctions;
    }
  }

  void apply(Workspace& w, std::span<const double> x, std::size_t first,
             std::size_t last) const override {
    const KnownContacts& known = w.contacts.known;
    for (std::size_t k = first; k < last; ++k) {
      const std::size_t i = w.contacts.touching[k];
      PairState s = pair_state(w, w.modes.contacts.pairs[i]);
      Contact contact = known.are_current ? known.of_pair[i] : find_contact(s);
      ContactReading& reading = w.contacts.readings[k];
      if (put_points(w, s, contact)) {
        apply_pair(w, s, x, contact, nullptr, reading);
        note_pressure(w, s, contact, reading);
      } else {
        reading.phi = contact.phi, reading.normal = contact.n_AB_W;
        reading.point = 0.5 * (contact.p_WCa + contact.p_WCb);
        reading.nearest_a = contact.p_WCa, reading.nearest_b = contact.p_WCb;
      }
    }
  }

 private:
  static void lay_foundation(Workspace& w, ContactPair& pair, const Contact& contact) {
    const PairState s = pair_state(w, pair);
    pair.foundation =
        s.law.area.foundation > 0.0 ? s.law.area.foundation : fitting_foundation(w, s, contact);
  }

  /// False where the bodies do not overlap.
  static bool put_points(Workspace& w, PairState& s, Contact& contact) {
    if (!(contact.phi < 0.0) || contact.status != Status::ok) return false;
    ContactScratch& scratch = w.contacts.scratch;
    carom::find_area(w, s, contact, 0.0, scratch.patch);
    if (scratch.patch.count == 0 || !(scratch.patch.area > 0.0)) return false;
    turn_to_mean_normal(scratch.patch, contact);
    scratch.make_room(at(scratch.patch.count));
    put_area(scratch.patch, contact, s, scratch.manifold);
    return true;
  }

  /// The greatest pressure of what rests is where the bodies are deepest, and no point need be
  /// there; of what turns, damping has it where the bodies come together.
  static void note_pressure(const Workspace& w, const PairState& s, const Contact& contact,
                            ContactReading& reading) {
    const Vec3 deepest = 0.5 * (contact.p_WCa + contact.p_WCb);
    const AreaPatch& patch = w.contacts.scratch.patch;
    const Vec3 middle = patch.has_normals ? middle_of(patch) : deepest;
    reading.contact_area = patch.area;
    reading.rolling_torque = cross(reading.point - middle, reading.normal_force * contact.n_AB_W);
    reading.peak_pressure = pressure_at(s, contact.n_AB_W, -contact.phi, deepest);
    const ContactScratch& c = w.contacts.scratch;
    for (std::size_t i = 0; i < at(c.manifold.count); ++i) {
      const double area = c.manifold.points[i].weight * c.manifold.area;
      if (!(area > 0.0)) continue;
      reading.peak_pressure = std::max(reading.peak_pressure, c.normal_out[i].force / area);
    }
  }

  /// (1) at a point of the area.
  static double pressure_at(const PairState& s, const Vec3& n_W, double depth, const Vec3& p_W) {
    NormalInput in;
    NormalOutput out;
    in.depth = depth;
    in.depth_rate = -dot(n_W, relative_velocity(s, p_W));
    in.linear = s.pair.foundation;
    s.law.normal->evaluate({&in, 1}, s.law.material, s.law.normal_params, s.pair.constants,
                           {&out, 1});
    return std::max(0.0, out.force);
  }
};

std::vector<Finding> AreaPart::findings(const Workspace& w, const ContactPair& pair,
                                        const Contact& contact) const {
  constexpr double kOfLayer = 0.5, kOfSize = 0.1, kThrough = 0.5;
  if (!(pair.deepest > 0.0)) return {};
  // Rings and meshes are integrated all around, whatever the curvature where they are deepest.
  const auto& pieces = w.model->contact.pieces;
  const ContactFinder& finder = finder_of(pieces[pair.piece_a], pieces[pair.piece_b]);
  const bool is_whole = &finder == &finder_ring || &finder == &finder_mesh;
  std::vector<Finding> found = is_whole ? std::vector<Finding>{} : site_findings(w, pair, contact);
  const std::string subject = pair_text(w, pair);
  const double size = smaller_reach(w.model->contact, pair);
  if (pair.deepest > kThrough * size) {
    found.push_back(
        {"passed_through", subject, pair.deepest, kThrough * size, Grade::broken,
         subject + ": depth " + rounded_text(pair.deepest) +
             " m is more than half of the smaller size; one has passed through the other"});
    return found;
  }
  if (pair.deepest > kOfSize * size) {
    found.push_back({"depth", subject, pair.deepest, kOfSize * size, Grade::doubtful,
                     subject + ": depth " + rounded_text(pair.deepest) + " m is " +
                         rounded_text(100.0 * pair.deepest / size) +
                         " % of the size of the smaller body; the area holds to 10 %"});
    return found;
  }
  const double layers = 2.0 * w.model->contact.laws[at(pair.law)].area.layer;
  if (layers > 0.0 && pair.deepest > kOfLayer * layers) {
    found.push_back({"layer", subject, pair.deepest, kOfLayer * layers, Grade::doubtful,
                     subject + ": depth " + rounded_text(pair.deepest) +
                         " m is more than half of both elastic layers; take a thicker layer"});
    return found;
  }
  return found;
}

constexpr AreaPart kArea;

}  // namespace

const ContactPart& area_part = kArea;

}  // namespace carom
