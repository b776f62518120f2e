#include "carom/engine/contact/rigid/rigid_planes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

constexpr std::uint32_t kRuns = 1u << 31, kAngleBits = 24, kAngles = 1u << kAngleBits;
constexpr std::uint32_t kRimPoints = 8;
/// Tilt below which a disc lies flat: as far as its rim rises, over the size [-]; and above which
/// one that lay flat does not any more.
constexpr double kFlat = 4e-12, kTilted = 1e-9;
/// Gap below which a flat disc is more than its lowest point, over the size [-].
constexpr double kNear = 1e-6;
/// Sine of the tilt below which the lowest point stays on its side.
constexpr double kKeepsSide = 1e-9;
/// A disc whose tilt is below this and whose lowest point runs round it is as good as flat; so
/// much of its motion is that, at this speed at least [m/s].
constexpr double kWhirlTilt = 5e-7, kWhirlShare = 0.1, kWhirlSpeed = 1e-6;

RigidRound::Disc disc_of(const Vec3& centre, const Vec3& axis, double radius) {
  const Vec3 e1 = std::abs(axis.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  return {centre, axis, e1, cross(axis, e1), radius};
}

/// The half space, the body, and how they move.
struct Over {
  bool a_is_plane;
  const Pose &X_plane, &X_body;
  Vec3 up, turn;  ///< of the plane relative to the body

  explicit Over(const PairState& s)
      : a_is_plane(is_half_space(s.PA)),
        X_plane(a_is_plane ? s.X_WA : s.X_WB),
        X_body(a_is_plane ? s.X_WB : s.X_WA),
        up(X_plane.R.col(2)) {
    const Vec3 w_a = s.A.link == 0 ? Vec3{} : s.LA.V.w, w_b = s.B.link == 0 ? Vec3{} : s.LB.V.w;
    turn = a_is_plane ? w_a - w_b : w_b - w_a;
  }
};

/// (1) of a disc where it is.
struct Rim {
  Vec3 axis, e, t;
  double tilt = 0.0;    ///< s, negative beyond the side that was kept
  double sinks = 0.0;   ///< rate at which the tilt changes [1/s]
  double whirls = 0.0;  ///< nu . t [1/s]
  bool keeps_side = false;

  Rim(const Over& over, const RigidRound::Disc& disc, const Vec3& side) {
    // Through t: of 1 - (up . a)² nothing is left where the disc is nearly flat.
    axis = over.X_body.R * disc.axis;
    const Vec3 across = cross(axis, over.up), kept = cross(axis, side);
    const double sine = norm(across), length = norm(kept);
    keeps_side = length > 0.0 && sine < kKeepsSide;
    t = sine > 0.0 ? across / sine : over.X_body.R * disc.e2;
    if (keeps_side) t = kept / length;
    if (!keeps_side && dot(t, kept) < 0.0) t = -t;
    e = cross(t, axis), tilt = dot(over.up, e);
    const Vec3 nu = cross(over.turn, over.up);
    sinks = dot(nu, e), whirls = dot(nu, t);
  }
  /// Velocity of the lowest point over the body.
  Vec3 slide(const Over& over, double radius) const {
    if (keeps_side) return (-radius * dot(cross(over.turn, e), t)) * t;
    return tilt != 0.0 ? (-radius * whirls / tilt) * t : Vec3{};
  }
  /// By how much it whirls more than it tilts [m/s].
  double excess(double radius) const {
    return radius * std::abs(whirls) -
           std::max(kWhirlShare * radius * std::abs(sinks), kWhirlSpeed);
  }
  bool is_flat(double radius, double size) const {
    const double sine = std::abs(tilt);
    return 2.0 * radius * sine <= kFlat * size || (sine <= kWhirlTilt && excess(radius) >= 0.0);
  }
};

RigidSite rim_point_site(const PairState& s, const RigidRound& round, const Over& over,
                         const RimPlace& place) {
  const RigidRound::Disc& disc = round.discs[place.disc];
  const Vec3 p = disc.centre + (disc.radius * std::cos(place.angle)) * disc.e1 +
                 (disc.radius * std::sin(place.angle)) * disc.e2;
  // On the plane itself: of a face that is as good as flat the points lie at heights that differ,
  // and as it comes down turning no friction would hold them all, for a slip of next to nothing.
  RigidSite site = ball_site(s, over.X_body * p, round.rounding, {}, true);
  site.feature = rim_feature(place);
  return site;
}

}  // namespace

bool is_half_space(const ShapePiece& piece) { return piece.core.kind == &core_half_space; }

RigidRound make_round(const Core& core) {
  RigidRound round;
  round.rounding = core.rounding;
  round.core = core;
  const Vec3 x{1, 0, 0}, z{0, 0, 1}, &v = core.v[0];
  if (core.kind == &core_cylinder) {
    for (const double at : {-v.x, v.x}) round.discs.push_back(disc_of({at, 0, 0}, x, v.y));
  } else if (core.kind == &core_frustum) {
    for (const Vec3& d : {core.v[0], core.v[1]}) {
      round.discs.push_back(disc_of({d.x, 0, 0}, x, d.y));
    }
  } else if (core.kind == &core_stadium) {
    for (const double at : {-v.z, v.z}) {
      for (const double end : {-v.x, v.x}) round.discs.push_back(disc_of({end, 0, at}, z, v.y));
    }
  }
  return round;
}

RigidSite ball_site(const PairState& s, const Vec3& centre, double radius, const Vec3& slide,
                    bool is_on_plane) {
  const Over over(s);
  const ShapePiece& plane = over.a_is_plane ? s.PA : s.PB;
  const Vec3& up = over.up;
  const double height = dot(up, centre - over.X_plane.p) - plane.core.rounding;
  RigidSite site;
  site.phi = height - radius;
  site.n = over.a_is_plane ? up : -up;
  const Vec3 on_body = centre - radius * up, on_plane = centre - height * up;
  site.p_a = over.a_is_plane ? on_plane : on_body, site.p_b = over.a_is_plane ? on_body : on_plane;
  site.p = is_on_plane ? on_plane : 0.5 * (on_body + on_plane);
  site.u = relative_velocity(s, site.p);
  add_tangents(site);
  const Vec3 w_a = s.A.link == 0 ? Vec3{} : s.LA.V.w, w_b = s.B.link == 0 ? Vec3{} : s.LB.V.w;
  const Vec3 rolls = radius * cross(w_b - w_a, site.n) + slide;
  const Vec3 s_a = over.a_is_plane ? rolls + site.slip() : rolls;
  const Vec3 s_b = over.a_is_plane ? rolls : rolls - site.slip();
  site.bias = cross(w_b, s_b) - cross(w_a, s_a);
  site.n_dot = cross(over.a_is_plane ? w_a : w_b, site.n);
  site.turn = dot(site.n_dot, site.u);
  return site;
}

std::uint32_t rim_feature(const RimPlace& place) {
  const double turns = place.angle / (2.0 * std::numbers::pi);
  const auto step = static_cast<std::uint32_t>(std::llround((turns - std::floor(turns)) * kAngles));
  return static_cast<std::uint32_t>(place.disc) << kAngleBits | step % kAngles;
}

RimPlace rim_place(std::uint32_t feature) {
  const std::uint32_t own = feature & ~kRuns;
  return {own >> kAngleBits, 2.0 * std::numbers::pi * (own % kAngles) / kAngles};
}

bool runs_along_rim(std::uint32_t feature) { return (feature & kRuns) != 0; }

RigidSite round_site(const PairState& s, const RigidRound& round, std::uint32_t feature,
                     const Vec3& side) {
  const Over over(s);
  const RimPlace place = rim_place(feature);
  if (!runs_along_rim(feature)) return rim_point_site(s, round, over, place);
  const RigidRound::Disc& disc = round.discs[place.disc];
  const Rim rim(over, disc, side);
  const Vec3 centre = over.X_body * disc.centre - disc.radius * rim.e;
  RigidSite site = ball_site(s, centre, round.rounding, rim.slide(over, disc.radius));
  site.feature = feature, site.side = rim.e;
  return site;
}

RigidSite lowest_site(const PairState& s, const RigidRound& round, std::size_t disc) {
  return round_site(s, round, kRuns | rim_feature({disc, 0.0}), {});
}

void find_round_sites(const PairState& s, const RigidRound& round, double size,
                      std::vector<RigidSite>& out) {
  const Over over(s);
  for (std::size_t i = 0; i < round.discs.size(); ++i) {
    const RigidRound::Disc& disc = round.discs[i];
    if (disc.radius == 0.0) {
      out.push_back(rim_point_site(s, round, over, {i, 0.0}));
      continue;
    }
    const Rim rim(over, disc, {});
    const RigidSite lowest = lowest_site(s, round, i);
    if (lowest.phi > kNear * size || !rim.is_flat(disc.radius, size)) {
      out.push_back(lowest);
      continue;
    }
    for (std::uint32_t k = 0; k < kRimPoints; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kRimPoints;
      out.push_back(rim_point_site(s, round, over, {i, angle}));
      out.back().is_pressed = 2.0 * disc.radius * std::abs(rim.tilt) > kFlat * size;
    }
  }
}

double rim_margin(const PairState& s, const RigidRound& round, const RigidSite& site, double size) {
  const RigidRound::Disc& disc = round.discs[rim_place(site.feature).disc];
  if (disc.radius == 0.0) return size;
  const Rim rim(Over(s), disc, site.side);
  if (!runs_along_rim(site.feature)) return kTilted * size - disc.radius * std::abs(rim.tilt);
  const double whirl = std::max(disc.radius * (rim.tilt - kWhirlTilt), -rim.excess(disc.radius));
  return std::min(disc.radius * rim.tilt, whirl);
}

double rim_turn(const PairState& s, const RigidRound& round) {
  const Over over(s);
  double fastest = 0.0;
  for (const RigidRound::Disc& disc : round.discs) {
    const Rim rim(over, disc, {});
    if (std::abs(rim.tilt) < kKeepsSide) continue;
    fastest = std::max(fastest, std::abs(rim.whirls / rim.tilt));
  }
  return fastest;
}

}  // namespace carom
