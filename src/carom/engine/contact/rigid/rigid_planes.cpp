#include "carom/engine/contact/rigid/rigid_planes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

constexpr RigidFeature kRuns = 1u << 31, kAngleBits = 24, kAngles = 1u << kAngleBits;

RigidRound::Disc disc_of(const Vec3& centre, const Vec3& axis, double radius) {
  const Vec3 e1 = std::abs(axis.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  return {centre, axis, e1, cross(axis, e1), radius, true};
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

RigidRim rim_of(const Over& over, const RigidRound::Disc& disc, const Vec3& side) {
  return {disc, over.X_body, over.up, over.turn, side};
}

RigidSite rim_point_site(const PairState& s, const RigidRound& round, const Over& over,
                         const RimPlace& place) {
  const RigidRound::Disc& disc = round.discs[place.disc];
  const Vec3 p = disc.centre + (disc.radius * std::cos(place.angle)) * disc.e1 +
                 (disc.radius * std::sin(place.angle)) * disc.e2;
  // On the plane itself: of a face that is as good as flat the points lie at heights that differ,
  // and as it comes down turning no friction would hold them all, for a slip of next to nothing.
  RigidSite site = ball_site(s, over.X_body * p, round.rounding, {}, true);
  site.feature = rim_feature(place);
  if (disc.radius > 0.0) site.face = place.disc + 1, site.angle = rim_place(site.feature).angle;
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
      for (const double end : {-v.x, v.x}) {
        round.discs.push_back(disc_of({end, 0, at}, z, v.y));
        round.discs.back().is_whole = v.x == 0.0;
      }
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

RigidFeature rim_feature(const RimPlace& place) {
  const double turns = place.angle / (2.0 * std::numbers::pi);
  const auto step = static_cast<RigidFeature>(std::llround((turns - std::floor(turns)) * kAngles));
  return static_cast<RigidFeature>(place.disc) << kAngleBits | step % kAngles;
}

RimPlace rim_place(RigidFeature feature) {
  const RigidFeature own = feature & ~kRuns;
  return {own >> kAngleBits, 2.0 * std::numbers::pi * static_cast<double>(own % kAngles) / kAngles};
}

bool runs_along_rim(RigidFeature feature) { return (feature & kRuns) != 0; }

RigidSite round_site(const PairState& s, const RigidRound& round, RigidFeature feature,
                     const Vec3& side) {
  const Over over(s);
  const RimPlace place = rim_place(feature);
  if (!runs_along_rim(feature)) return rim_point_site(s, round, over, place);
  const RigidRound::Disc& disc = round.discs[place.disc];
  const RigidRim rim = rim_of(over, disc, side);
  const Vec3 centre = over.X_body * disc.centre - disc.radius * rim.e;
  RigidSite site = ball_site(s, centre, round.rounding, rim.slide());
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
    const RigidRim rim = rim_of(over, disc, {});
    const RigidSite lowest = lowest_site(s, round, i);
    if (lowest.phi > kNearRim * size || !rim.is_flat(size)) {
      out.push_back(lowest);
      continue;
    }
    for (std::uint32_t k = 0; k < kRimPoints; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kRimPoints;
      out.push_back(rim_point_site(s, round, over, {i, angle}));
      out.back().is_pressed = rim.is_pressed(size);
    }
  }
}

double rim_margin(const PairState& s, const RigidRound& round, const RigidSite& site, double size) {
  const RigidRound::Disc& disc = round.discs[rim_place(site.feature).disc];
  if (disc.radius == 0.0) return size;
  const RigidRim rim = rim_of(Over(s), disc, site.side);
  return runs_along_rim(site.feature) ? rim.margin_of_lowest() : rim.margin_of_flat(size);
}

double rim_turn(const PairState& s, const RigidRound& round) {
  const Over over(s);
  double fastest = 0.0;
  for (const RigidRound::Disc& disc : round.discs) {
    fastest = std::max(fastest, rim_of(over, disc, {}).speed());
  }
  return fastest;
}

}  // namespace carom
