#include "carom/engine/contact_validity.h"

#include <cmath>
#include <numbers>

#include "carom/base/text.h"
#include "carom/engine/contact_events.h"

namespace carom {

std::string validity_warning(const Workspace& w, const ContactPair& pair, const Contact& contact) {
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

}  // namespace carom
