#include "carom/engine/contact_validity.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/index.h"
#include "carom/base/text.h"
#include "carom/engine/contact_events.h"
#include "carom/engine/contact_forces.h"
#include "carom/engine/contact_part.h"

namespace carom {

std::string validity_warning(const Workspace& w, const ContactPair& pair, const Contact& contact) {
  if (pair.held > 0) {
    return "contact of '" + collider_name(*w.model, pair.a) + "' and '" +
           collider_name(*w.model, pair.b) + "': its elastic energy jumped; in " +
           std::to_string(pair.held) + " steps its force was held back to what had gone in";
  }
  constexpr double kDeepest = 0.1, kYielding = 1.6;
  const double curvature = std::sqrt(contact.k1 * contact.k2);
  if (!(curvature > 0.0 && std::isfinite(curvature))) return {};  // flat, or a sharp edge
  const ContactModel& model = w.model->contact;
  const PairMaterial& material = model.laws[static_cast<std::size_t>(pair.law)].material;
  const double strain = pair.deepest * curvature;
  const std::string names = "contact of '" + collider_name(*w.model, pair.a) + "' and '" +
                            collider_name(*w.model, pair.b) + "': ";
  if (strain > kDeepest) {
    return names + "depth " + rounded_text(pair.deepest) + " m is " + rounded_text(100.0 * strain) +
           " % of the radius of curvature; the laws hold to 10 %";
  }
  const double pressure = 4.0 / (3.0 * std::numbers::pi) * material.modulus * std::sqrt(strain);
  if (material.yield_strength > 0.0 && pressure > kYielding * material.yield_strength) {
    return names + "mean pressure " + rounded_text(pressure) + " Pa passes 1.6 times the yield " +
           "strength: the solid would yield, the elastic force is too large";
  }
  return {};
}

std::vector<DeepOverlap> find_deep_overlaps(const Workspace& w) {
  std::vector<DeepOverlap> found;
  for (const ContactPair& pair : w.modes.contacts.pairs) {
    if (part_for(w, pair).may_lie_behind) continue;
    const Collider& A = w.model->contact.colliders[pair.a];
    const Collider& B = w.model->contact.colliders[pair.b];
    const double depth = -find_contact(w, pair).phi;
    const double size = std::min(A.reach, B.reach);
    if (!(depth > w.model->scene.contact.deepest_start * size)) continue;
    const auto is_named = [&](const DeepOverlap& o) {
      return o.body_a == A.body && o.body_b == B.body;
    };
    if (std::ranges::none_of(found, is_named)) found.push_back({A.body, B.body, depth});
  }
  return found;
}

std::string overlap_text(const Model& model, const DeepOverlap& o, const std::string& where) {
  const Scene& scene = model.scene;
  return "bodies '" + scene.bodies[at(o.body_a)].name + "' and '" +
         scene.bodies[at(o.body_b)].name + "' overlap by " + rounded_text(o.depth) + " m " + where +
         ", more than " + rounded_text(100.0 * scene.contact.deepest_start) +
         " % of the smaller one";
}

}  // namespace carom
