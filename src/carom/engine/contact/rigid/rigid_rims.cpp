#include "carom/engine/contact/rigid/rigid_rims.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Tilt above which a disc that lay flat does not any more, as kFlatRim.
constexpr double kTilted = 1e-9;
/// Sine of the tilt below which the lowest point stays on its side.
constexpr double kKeepsSide = 1e-9;
/// A disc whose tilt is below this and whose lowest point runs round it is as good as flat; so
/// much of its motion is that, at this speed at least [m/s].
constexpr double kWhirlTilt = 5e-7, kWhirlShare = 0.1, kWhirlSpeed = 1e-6;

}  // namespace

RigidRim::RigidRim(const RigidDisc& disc, const Pose& X_body, const Vec3& up_of_plane,
                   const Vec3& turn_of_plane, const Vec3& side)
    : up(up_of_plane), turn(turn_of_plane), radius(disc.radius), is_whole(disc.is_whole) {
  // Through t: of 1 - (up . a)² nothing is left where the disc is nearly flat.
  axis = X_body.R * disc.axis;
  const Vec3 across = cross(axis, up), kept = cross(axis, side);
  const double sine = norm(across), length = norm(kept);
  keeps_side = length > 0.0 && sine < kKeepsSide;
  t = sine > 0.0 ? across / sine : X_body.R * disc.e2;
  if (keeps_side) t = kept / length;
  if (!keeps_side && dot(t, kept) < 0.0) t = -t;
  e = cross(t, axis), tilt = dot(up, e);
  const Vec3 nu = cross(turn, up);
  sinks = dot(nu, e), whirls = dot(nu, t);
}

Vec3 RigidRim::slide() const {
  if (keeps_side) return (-radius * dot(cross(turn, e), t)) * t;
  return tilt != 0.0 ? (-radius * whirls / tilt) * t : Vec3{};
}

/// By how much it whirls more than it tilts [m/s].
double RigidRim::excess() const {
  return radius * std::abs(whirls) - std::max(kWhirlShare * radius * std::abs(sinks), kWhirlSpeed);
}

bool RigidRim::is_flat(double size) const {
  const double sine = std::abs(tilt);
  return 2.0 * radius * sine <= kFlatRim * size ||
         (is_whole && sine <= kWhirlTilt && excess() >= 0.0);
}

bool RigidRim::is_pressed(double size) const {
  return 2.0 * radius * std::abs(tilt) > kFlatRim * size;
}

double RigidRim::margin_of_lowest() const {
  if (!is_whole) return radius * tilt;
  const double whirl = std::max(radius * (tilt - kWhirlTilt), -excess());
  return std::min(radius * tilt, whirl);
}

double RigidRim::margin_of_flat(double size) const {
  return kTilted * size - radius * std::abs(tilt);
}

double RigidRim::speed() const {
  return std::abs(tilt) < kKeepsSide ? 0.0 : std::abs(whirls / tilt);
}

}  // namespace carom
