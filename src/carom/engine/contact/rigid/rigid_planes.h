// Points of a body over a half space: corners, which stay where they are in the body, and the
// lowest points of discs, which run along their rims.
//
// A round body is the hull of discs with a ball's radius q around it: two of a cylinder or a cone,
// four of a beam. Of a disc with centre c, axis a and radius R over a plane with normal up,
//
//   h = up - (up . a) a = s e,   lowest point c - R e,   gap up . c - R s - q               (1)
//
// with s the sine of its tilt. Seen from the body, up turns with nu = (w_plane - w_body) x up, and
// the point runs along the rim with -R (nu . t)/s, t = a x e. Where s passes zero the whole face
// comes down: e keeps the side on which it was until then, so that a step may go beyond. A disc
// that lies flat touches in points of its rim, each a corner: eight, and those that are added where
// the rim would sink in (rigid_cuts.cpp), since one of k points tips by up to 1 - cos(pi/k) less
// force than the rim does.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "carom/engine/contact/contact_points.h"
#include "carom/engine/contact/rigid/rigid_data.h"

namespace carom {

struct RigidRound {
  struct Disc {
    Vec3 centre, axis, e1, e2;  ///< e1, e2, axis: unit, right-handed
    double radius = 0.0;        ///< 0: an apex
  };
  double rounding = 0.0;  ///< q [m]
  std::vector<Disc> discs;
  Core core;  ///< the same for distances
};

/// Of a cylinder, a cone or a beam; empty for others.
RigidRound make_round(const Core& core);

/// A ball with this centre and radius in the body that is not the half space, whose centre runs
/// with `slide` over it. `is_on_plane`: its point is taken there, and not half-way.
RigidSite ball_site(const PairState& s, const Vec3& centre, double radius, const Vec3& slide,
                    bool is_on_plane = false);

/// All points of the body that is not the half space, each once.
void find_round_sites(const PairState& s, const RigidRound& round, double size,
                      std::vector<RigidSite>& out);
/// One of them. `side`: e where the step began; zero: the disc's own.
RigidSite round_site(const PairState& s, const RigidRound& round, std::uint32_t feature,
                     const Vec3& side);

/// The lowest point of a disc.
RigidSite lowest_site(const PairState& s, const RigidRound& round, std::size_t disc);

/// Of a point of the rim of a disc that lies flat.
struct RimPlace {
  std::size_t disc = 0;
  double angle = 0.0;
};
std::uint32_t rim_feature(const RimPlace& place);
RimPlace rim_place(std::uint32_t feature);
/// Whether a feature is the lowest point of a rim, wherever that is.
bool runs_along_rim(std::uint32_t feature);

/// What is left before a disc comes down flat, or whirls as good as flat; of a point of a flat
/// disc: before that has tilted so far that it has a lowest point [m].
double rim_margin(const PairState& s, const RigidRound& round, const RigidSite& site, double size);

/// Angle by which lowest points turn per time, the fastest [rad/s].
double rim_turn(const PairState& s, const RigidRound& round);

bool is_half_space(const ShapePiece& piece);

}  // namespace carom
