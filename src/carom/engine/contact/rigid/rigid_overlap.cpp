#include "carom/engine/contact/rigid/rigid_overlap.h"

#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/engine/contact/contact_validity.h"
#include "carom/engine/contact/rigid/rigid_sites.h"

namespace carom {
namespace {

constexpr double kLocated = 1e-9, kLocatedBroken = 0.02;
constexpr double kStepped = 0.05, kSteppedBroken = 0.25;

double thickness(const Workspace& w, const ContactPair& pair) {
  const ContactModel& model = w.model->contact;
  const double size = std::min(smallest_size(model, model.colliders[pair.a]),
                               smallest_size(model, model.colliders[pair.b]));
  return size > 0.0 && std::isfinite(size) ? size : rigid_size(w, pair);
}

}  // namespace

void note_overlap(Workspace& w, double t, ContactPair& pair, double depth) {
  if (!(depth > pair.deepest)) return;
  pair.deepest = depth;
  // Rounding of places far from the origin is no overlap.
  constexpr double kResolutions = 64.0;
  const double rounding = kResolutions * rigid_resolution(w, pair);
  if (!(depth > rounding)) return;
  const bool is_located = w.step.locates_events;
  const double share = is_located ? std::max(kLocated, w.model->scene.run.tolerance) : kStepped;
  const double size = thickness(w, pair);
  const double limit = std::max(share * size, rounding);
  if (!(depth > limit)) return;
  const double broken = std::max(limit, (is_located ? kLocatedBroken : kSteppedBroken) * size);
  const std::string subject = pair_text(w, pair);
  w.contacts.rigid.overlaps.push_back(
      {"overlap", subject, depth, limit, depth > broken ? Grade::broken : Grade::doubtful,
       subject + ": rigid bodies are in each other by " + rounded_text(depth) +
           " m at t = " + rounded_text(t) + " s, " + rounded_text(100.0 * depth / size) +
           " % of the smaller one; " + rounded_text(limit) + " m are borne"});
}

}  // namespace carom
