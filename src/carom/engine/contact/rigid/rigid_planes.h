// Points of a body over a half space: corners, which stay where they are in the body, and the
// lowest points of discs, which run along their rims (rigid_rims.h).
//
// A round body is the hull of discs with a ball's radius q around it: two of a cylinder or a cone,
// four of a beam. A disc that lies flat touches in points of its rim, each a corner: eight, and
// those that are added where the rim would sink in (rigid_cuts.cpp), since one of k points tips by
// up to 1 - cos(pi/k) less force than the rim does.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "carom/engine/contact/contact_points.h"
#include "carom/engine/contact/rigid/rigid_data.h"
#include "carom/engine/contact/rigid/rigid_rims.h"

namespace carom {

struct RigidRound {
  using Disc = RigidDisc;
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
RigidSite round_site(const PairState& s, const RigidRound& round, RigidFeature feature,
                     const Vec3& side);

/// The lowest point of a disc.
RigidSite lowest_site(const PairState& s, const RigidRound& round, std::size_t disc);

/// Of a point of the rim of a disc that lies flat.
struct RimPlace {
  std::size_t disc = 0;
  double angle = 0.0;
};
RigidFeature rim_feature(const RimPlace& place);
RimPlace rim_place(RigidFeature feature);
/// Whether a feature is the lowest point of a rim, wherever that is.
bool runs_along_rim(RigidFeature feature);

/// What is left before a disc comes down flat, or whirls as good as flat; of a point of a flat
/// disc: before that has tilted so far that it has a lowest point [m].
double rim_margin(const PairState& s, const RigidRound& round, const RigidSite& site, double size);

/// Angle by which lowest points turn per time, the fastest [rad/s].
double rim_turn(const PairState& s, const RigidRound& round);

bool is_half_space(const ShapePiece& piece);

}  // namespace carom
