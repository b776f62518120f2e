// The lowest point of a disc over a plane.
//
// Of a disc with centre c, axis a and radius R over a plane with normal up,
//
//   h = up - (up . a) a = s e,   lowest point c - R e,   gap up . c - R s - q               (1)
//
// with s the sine of its tilt and q the radius of the ball that goes over it. Seen from the body,
// up turns with nu = (w_plane - w_body) x up, and the point runs along the rim with
// -R (nu . t)/s, t = a x e. Where s passes zero the whole face comes down: e keeps the side on
// which it was until then, so that a step may go beyond.
#pragma once

#include <cmath>
#include <cstdint>

#include "carom/math/pose.h"

namespace carom {

struct RigidDisc {
  Vec3 centre, axis, e1, e2;  ///< e1, e2, axis: unit, right-handed
  double radius = 0.0;        ///< 0: an apex
  bool is_whole = true;       ///< false: of the end of a beam, whose lowest point cannot run round
  Vec3 radial(double angle) const { return std::cos(angle) * e1 + std::sin(angle) * e2; }
};

/// Points of the rim of a disc that lies flat, before any are added.
inline constexpr std::uint32_t kRimPoints = 8;
/// Tilt below which a disc lies flat: as far as its rim rises, over the size [-].
inline constexpr double kFlatRim = 4e-12;
/// Gap below which a flat disc is more than its lowest point, over the size [-].
inline constexpr double kNearRim = 1e-6;

/// (1) of a disc where it is.
struct RigidRim {
  Vec3 axis, e, t, up, turn;
  double radius = 0.0;
  double tilt = 0.0;    ///< s, negative beyond the side that was kept
  double sinks = 0.0;   ///< rate at which the tilt changes [1/s]
  double whirls = 0.0;  ///< nu . t [1/s]
  bool keeps_side = false, is_whole = true;

  /// `turn_of_plane`: angular velocity of the plane relative to the body. `side`: e where the step
  /// began; zero: the disc's own.
  RigidRim(const RigidDisc& disc, const Pose& X_body, const Vec3& up_of_plane,
           const Vec3& turn_of_plane, const Vec3& side);

  /// Velocity of the lowest point over the body.
  Vec3 slide() const;
  bool is_flat(double size) const;
  /// Whether it counts as flat only since its lowest point runs round it.
  bool is_pressed(double size) const;
  /// What is left before it comes down flat, or whirls as good as flat [m].
  double margin_of_lowest() const;
  /// What is left of a flat one before it has tilted so far that it has a lowest point [m].
  double margin_of_flat(double size) const;
  /// Angle by which the lowest point turns per time [rad/s].
  double speed() const;

 private:
  double excess() const;
};

}  // namespace carom
