// Convex bodies as rigid contact sees them where round ones take part: flat faces, which may be
// round themselves, straight edges and rims, sides of cylinders and cones, and corners, all within
// a ball's radius of them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "carom/engine/contact/rigid/rigid_planes.h"
#include "carom/engine/contact/rigid/rigid_solids.h"

namespace carom {

struct RigidForm {
  /// A polygon, or all that lies within `reach` of a line: a disc, and the round face of a beam.
  struct Flat {
    Vec3 normal;  ///< unit, outward
    Vec3 origin;  ///< of the plane; of a round one the middle of its line
    std::vector<Vec3> from,
        inward;          ///< of a polygon: a point of each side, the unit vector into it
    Vec3 half;           ///< from the origin to an end of the line
    double reach = 0.0;  ///< 0: it is a polygon [m]
  };
  struct Curve {
    bool is_rim = false;
    // A straight edge.
    std::array<std::uint32_t, 2> ends{};  ///< into corners, where it has some
    Vec3 p, d;                            ///< its first end, and the unit vector along it
    double length = 0.0;
    std::array<Vec3, 2> inward;  ///< unit, in the faces at it and towards them; zero: none
    Vec3 outward;                ///< away from the body; zero: it has no faces
    // A rim; outward is the normal of its face.
    RigidDisc disc;
    double sine = 0.0, cosine = 1.0;  ///< of the slope of the side at it, as of Side
    Vec3 axis;                        ///< of that side
    Vec3 half;  ///< of the end of a beam: its rim is the half on this side; zero: it is whole
  };
  /// From the circle about p to that about p + length axis; its outward normal has the component
  /// `sine` along the axis.
  struct Side {
    Vec3 p, axis, e1, e2;
    double length = 0.0, r0 = 0.0, r1 = 0.0;
    double sine = 0.0, cosine = 1.0;
    double slant = 0.0;  ///< length of its straight lines
    Vec3 half;           ///< as of a rim
  };
  double radius = 0.0;  ///< of the ball that goes over all of it [m]
  bool is_round = false;
  Core core;  ///< the same for distances
  std::vector<Vec3> corners;
  std::vector<Flat> flats;
  std::vector<Curve> curves;
  std::vector<Side> sides;
};

RigidForm make_form(const RigidSolid& solid);
RigidForm make_form(const RigidRound& round);

/// Per piece; null where it is neither a solid nor round, and everywhere where nothing is round.
std::vector<std::shared_ptr<const RigidForm>> make_forms(
    const std::vector<std::shared_ptr<const RigidSolid>>& solids,
    const std::vector<std::shared_ptr<const RigidRound>>& rounds);

/// Signed distance: the widest gap along the normal that the search for the nearest points ends
/// with, and along those of flat faces. Where faces lie on each other that search may lose its way;
/// a gap along any normal is never too wide.
Contact form_distance(const PairState& s, const RigidForm& A, const RigidForm& B);

}  // namespace carom
