#include "carom/engine/contact/crowd_limit.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/workspace.h"

namespace carom {
namespace {

/// All pairs of so many are fewer than the steps of a run have evaluations.
constexpr int kMany = 256;
constexpr double kRadii = 0.5;

}  // namespace

double longest_step_of_crowd(const Workspace& w) {
  const ContactModel& contact = w.model->contact;
  const std::vector<Vec3>& velocity = w.contacts.search.velocity;  // per collider
  if (contact.pieces.size() < kMany || velocity.size() != contact.colliders.size()) return kInf;
  int moving = 0;
  double inverse_radii = 0.0, speed = 0.0;
  for (const ShapePiece& piece : contact.pieces) {
    const double radius = piece.radius;
    const bool is_fixed = contact.colliders[piece.collider].link == 0;
    if (is_fixed || !(radius > 0.0) || !std::isfinite(radius)) continue;
    ++moving;
    inverse_radii += 1.0 / radius;
    speed = std::max(speed, norm(velocity[piece.collider]));
  }
  if (moving < kMany) return kInf;
  const double way = kRadii * moving / inverse_radii;
  const double gravity = norm(w.parameters.gravity.uniform);
  // The root of (1), without cancellation.
  const double h = 2.0 * way / (speed + std::sqrt(speed * speed + 2.0 * gravity * way));
  return std::isfinite(h) ? h : kInf;
}

}  // namespace carom
