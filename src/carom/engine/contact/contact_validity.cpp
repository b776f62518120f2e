#include "carom/engine/contact/contact_validity.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/index.h"
#include "carom/base/text.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_sites.h"
#include "carom/engine/contact/rigid/rigid_settle.h"
#include "carom/engine/events/contact_events.h"
#include "carom/engine/results/evidence.h"

namespace carom {
namespace {

constexpr double kOfRadius = 0.1, kOfEdgeBody = 0.01, kOfFaceBody = 0.05;
constexpr double kYielding = 1.6;

/// What a shape measures along the normal of a contact, as it lies: a cube on its corner is deep.
double width_along(const Workspace& w, const Collider& c, const Vec3& n_W) {
  const ContactModel& model = w.model->contact;
  const double smallest = smallest_size(model, c);
  if (!std::isfinite(smallest) || !(norm2(n_W) > 0.5)) return smallest;
  const Vec3 n = transpose_times(shape_pose(w.tree.links[at(c.link)], c).R, n_W);
  double above = -kInf, below = -kInf;
  for (std::uint32_t k = c.first; k < c.first + c.count; ++k) {
    above = std::max(above, extent(model.pieces[k].core, n));
    below = std::max(below, extent(model.pieces[k].core, -n));
  }
  return std::max(smallest, above + below);
}

/// Whether a radius of curvature as small as this is that of edges which nobody has set.
bool is_default_edge(const Workspace& w, const Collider& c, double radius) {
  if (c.surface >= 0) return false;
  const Shape& shape = w.model->scene.bodies[at(c.body)].shapes[at(c.shape)].shape;
  // A corner against an edge is no more than three times as sharp as either.
  return (shape.has_default_edges || shape.edge_radius == 0.0) &&
         shape.kind->rounding != Rounding::none && radius <= 3.0 * shape.edge_radius;
}

/// Radius of curvature of one of two bodies whose relative one is `radius`; infinite if it is not
/// known to be small.
double own_radius(const Workspace& w, const Collider& c, double radius) {
  if (c.contact_radius.is_sphere) return c.contact_radius.radius;
  if (c.surface >= 0) return kInf;
  const double edge = w.model->scene.bodies[at(c.body)].shapes[at(c.shape)].shape.edge_radius;
  return radius <= edge ? edge : kInf;
}

/// The depth to which the laws hold, and of what it is a share.
struct DepthLimit {
  double depth = kInf;
  double of = kInf;
  const char* what = "";
};

DepthLimit depth_limit(const Workspace& w, const ContactPair& pair, const Contact& contact) {
  const ContactModel& model = w.model->contact;
  const Collider &A = model.colliders[pair.a], &B = model.colliders[pair.b];
  const double radius = contact.k1 > 0.0 ? 1.0 / contact.k1 : kInf;
  DepthLimit limit;
  const auto consider = [&](double share, double of, const char* what) {
    if (share * of < limit.depth) limit = {share * of, of, what};
  };
  bool is_edge = false;
  for (const Collider* c : {&A, &B}) {
    if (!is_default_edge(w, *c, radius)) continue;
    is_edge = true;
    consider(kOfEdgeBody, smallest_size(model, *c), "the body's smallest size");
  }
  if (is_edge) return limit;
  // Of a round end that lies exactly flat the curvature is told as infinite: it is a face, too.
  if (!std::isfinite(radius) || radius == 0.0) {
    for (const Collider* c : {&A, &B})
      consider(kOfFaceBody, smallest_size(model, *c), "the smallest size");
    return limit;
  }
  const double smaller = std::min(own_radius(w, A, radius), own_radius(w, B, radius));
  consider(kOfRadius, std::isfinite(smaller) ? smaller : radius, "the radius of curvature");
  return limit;
}

/// How deep one body may be in another before it is through. Beyond what the smaller one measures
/// along the normal nothing of it is outside any more; and past half of what both measure the
/// shortest way out is on the other side, so that no contact is found deeper than that.
double depth_of_passage(const Workspace& w, const ContactPair& pair, const Vec3& n_W) {
  constexpr double kNearlyHalf = 0.45;  // steps hardly ever end where it is deepest
  const ContactModel& model = w.model->contact;
  const double a = width_along(w, model.colliders[pair.a], n_W);
  const double b = width_along(w, model.colliders[pair.b], n_W);
  return std::min({a, b, kNearlyHalf * (a + b)});
}

std::vector<Finding> depth_findings(const Workspace& w, const ContactPair& pair,
                                    const Contact& contact) {
  const ContactModel& model = w.model->contact;
  const std::string subject = pair_text(w, pair);
  const double passage = depth_of_passage(w, pair, contact.n_AB_W);
  if (pair.deepest > passage) {
    return {{"passed_through", subject, pair.deepest, passage, Grade::broken,
             subject + ": depth " + rounded_text(pair.deepest) + " m is more than the " +
                 rounded_text(passage) +
                 " m at which the smaller one has vanished in the other, or comes out on its other "
                 "side: one has passed through the other"}};
  }
  const DepthLimit limit = depth_limit(w, pair, contact);
  if (pair.deepest > limit.depth) {
    return {{"depth", subject, pair.deepest, limit.depth, Grade::doubtful,
             subject + ": depth " + rounded_text(pair.deepest) + " m is " +
                 rounded_text(100.0 * pair.deepest / limit.of) + " % of " + limit.what +
                 "; the laws hold to " + rounded_text(100.0 * limit.depth / limit.of) + " %"}};
  }
  const double curvature = std::sqrt(contact.k1 * contact.k2);
  if (!(curvature > 0.0 && std::isfinite(curvature))) return {};  // flat, or a sharp edge
  const PairMaterial& material = model.laws[at(pair.law)].material;
  const double pressure =
      4.0 / (3.0 * std::numbers::pi) * material.modulus * std::sqrt(pair.deepest * curvature);
  const double most = kYielding * material.yield_strength;
  if (material.yield_strength > 0.0 && pressure > most) {
    return {{"yield", subject, pressure, most, Grade::doubtful,
             subject + ": mean pressure " + rounded_text(pressure) +
                 " Pa passes 1.6 times the yield strength: the solid would yield, the elastic "
                 "force is too large"}};
  }
  return {};
}

}  // namespace

double smallest_size(const ContactModel& model, const Collider& c) {
  BoundingBox box{{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}};
  for (std::uint32_t k = c.first; k < c.first + c.count; ++k) {
    const ShapePiece& piece = model.pieces[k];
    if (piece.surface || !std::isfinite(piece.reach)) return kInf;
    if (piece.smooth && !piece.smooth->is_closed()) return kInf;
    const BoundingBox more = bounding_box(piece.core);
    for (std::size_t i = 0; i < 3; ++i) {
      box.lower[i] = std::min(box.lower[i], more.lower[i]);
      box.upper[i] = std::max(box.upper[i], more.upper[i]);
    }
  }
  const Vec3 size = box.upper - box.lower;
  const double smallest = std::min({size.x, size.y, size.z});
  return c.count == 1 || smallest > 2.0 * model.pieces[c.first].core.rounding ? smallest : kInf;
}

std::string pair_text(const Workspace& w, const ContactPair& pair) {
  return "contact of " + pair_name(w, pair);
}

Finding birth_finding(const Workspace& w, const ContactPair& pair, const Contact& contact) {
  const std::string subject = pair_text(w, pair);
  return {"born_in_overlap",
          subject,
          -contact.phi,
          0.0,
          Grade::doubtful,
          subject + ": a contact point appeared in an overlap of " + rounded_text(-contact.phi) +
              " m, because the surfaces nearly conform there; it holds nothing at first, 'area' "
              "would be the better model"};
}

std::vector<Finding> site_findings(const Workspace& w, const ContactPair& pair,
                                   const Contact& contact) {
  constexpr double kConforming = 0.1;
  const std::string subject = pair_text(w, pair);
  std::vector<Finding> found;
  if (contact.end == Contact::End::left) {
    found.push_back({"border", subject, 0.0, 0.0, Grade::doubtful,
                     subject + ": the surface ended under the contact, which ended there; "
                               "make its ranges larger"});
  }
  if (contact.end == Contact::End::merged) {
    found.push_back({"merged", subject, 0.0, 0.0, Grade::doubtful,
                     subject + ": a contact point vanished under load, because the surfaces nearly "
                               "conform there; 'area' would be the better model"});
  }
  const ContactModel& model = w.model->contact;
  const ShapePiece &A = model.pieces[pair.piece_a], &B = model.pieces[pair.piece_b];
  const double size = smaller_reach(model, pair), share = contact.k2 * size;
  if (contact.end == Contact::End::none && (A.smooth || B.smooth) && share < kConforming) {
    const bool has_area = A.has_area && B.has_area;
    found.push_back(
        {"nearly_conforming", subject, share, kConforming, Grade::doubtful,
         subject +
             ": the surfaces nearly conform (smaller relative curvature times "
             "size " +
             rounded_text(share) + ", below 0.1): the contact " +
             (has_area ? "area may reach beyond what is seen from its deepest point"
                       : "point is badly determined; 'area' would be the better model")});
  }
  return found;
}

std::vector<Finding> validity_findings(const Workspace& w, const ContactPair& pair,
                                       const Contact& contact) {
  if (!(pair.deepest > 0.0)) return {};
  std::vector<Finding> found = depth_findings(w, pair, contact);
  for (Finding& f : site_findings(w, pair, contact)) found.push_back(std::move(f));
  if (const std::int64_t held = pair.track.held_steps; held > 0 && !w.modes.banks) {
    found.push_back({"held_back", pair_text(w, pair), static_cast<double>(held), 0.0, Grade::sound,
                     pair_text(w, pair) + ": in " + std::to_string(held) +
                         " steps its elastic force was scaled to give back what had gone in"});
  }
  return found;
}

std::vector<Finding> start_findings(const Workspace& w, double much) {
  std::vector<Finding> found;
  for (const ContactReading& reading : w.contacts.readings) {
    if (!(reading.energy > much)) continue;
    const std::string subject = pair_text(w, w.modes.contacts.pairs[reading.pair]);
    found.push_back({"start_overlap", subject, reading.energy, much, Grade::sound,
                     subject + ": an overlap of " + rounded_text(-reading.phi) +
                         " m at the start holds " + rounded_text(reading.energy) +
                         " J, more than all bodies have by moving or would gain in a fall by their "
                         "size; place them apart if that is not meant"});
  }
  for (const HollowPair& p : find_hollow_pairs(w.model->contact)) {
    ContactPair pair;
    pair.a = p.a, pair.b = p.b;
    found.push_back({"conforming", pair_text(w, pair), p.conformity, 1.0, Grade::doubtful,
                     pair_text(w, pair) + ": one does not fit into the sharpest hollow of the "
                                          "other; where they would touch along a line, contact "
                                          "may be missed"});
  }
  return found;
}

std::vector<DeepOverlap> find_deep_overlaps(const Workspace& w) {
  std::vector<DeepOverlap> found;
  for (const ContactPair& pair : w.modes.contacts.pairs) {
    if (part_for(w, pair).may_lie_behind) continue;
    const bool is_rigid = &part_for(w, pair) == &rigid_part;
    const Collider& A = w.model->contact.colliders[pair.a];
    const Collider& B = w.model->contact.colliders[pair.b];
    const double depth = -find_contact(w, pair).phi;
    const double size = smaller_reach(w.model->contact, pair);
    const double share = is_rigid ? kRigidStart : w.model->scene.contact.deepest_start;
    if (!(depth > share * size)) continue;
    const auto is_named = [&](const DeepOverlap& o) {
      return o.body_a == A.body && o.body_b == B.body;
    };
    if (std::ranges::none_of(found, is_named)) found.push_back({A.body, B.body, depth, is_rigid});
  }
  for (const SwallowedPair& p : find_swallowed_pairs(w)) {
    const Collider &A = w.model->contact.colliders[p.a], &B = w.model->contact.colliders[p.b];
    found.push_back({A.body, B.body, p.depth, false});
  }
  return found;
}

std::string overlap_text(const Model& model, const DeepOverlap& o, const std::string& where) {
  const Scene& scene = model.scene;
  const std::string more =
      ", more than " + rounded_text(100.0 * scene.contact.deepest_start) + " % of the smaller one";
  return "bodies '" + scene.bodies[at(o.body_a)].name + "' and '" +
         scene.bodies[at(o.body_b)].name + "' overlap by " + rounded_text(o.depth) + " m " + where +
         (o.is_rigid ? ", and are rigid" : more);
}

}  // namespace carom
