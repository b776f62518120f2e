// Weights of the corners of a contact patch: how likely each is to be the lowest one.
//
// Let g(s) be the gap between two surfaces over the contact plane. g is convex, and the
// contact is where it is lowest. Tilt it by every slope u of a small disc,
//
//   s*(u) = argmin over s of g(s) + u.s,      |u| <= tilt,                         (1)
//
// and let the weight of a set of points be the share of tilts whose s* lies in it: the
// Monge-Ampere measure of g over the disc. Three facts make it the right one (N9):
//
// - The shares add up to one, whatever the patch is: polygon, segment or point.
// - The measure depends continuously on g (weakly, as all Monge-Ampere measures do), so
//   force and moment of springs w_i k(phi_i) at p_i are continuous in the poses. Points
//   that appear, split or vanish do so with weight zero or in one place.
// - On a flat polygon the share of a corner is its exterior angle over 2 pi: a mid-edge
//   corner has weight zero, a rectangle four quarters, a segment two halves. Tributary
//   areas, which this replaces, have none of these limits: they are undefined when the
//   polygon becomes a segment, and jump when a corner appears on a straight edge.
//
// Where g is linear with slope m on a convex patch, the tilts that select a corner whose
// outward normals run from n0 to n1 are a wedge, -u in m + cone(n0, n1), so its weight is
//
//   w = area(unit disc, wedge at m / tilt) / pi                                    (2)
//     = (R(n0) + turn / 2 - R(n1)) / pi,
//
// by Green's theorem, with R(n) the area of the disc swept by the radius vector along the
// ray from m in direction n. The sum over the corners telescopes to one. A rim is a
// continuum of corners; a part of it is lumped where the mean of the tilts that select it
// points to, which does not depend on how the part is cut into pieces.
#pragma once

#include "carom/proximity/vec2.h"

namespace carom {

/// Part of the unit disc, by its area and first moment about the disc's centre.
struct DiscPart {
  double area = 0.0;
  Vec2 moment{};
};
inline DiscPart operator+(const DiscPart& a, const DiscPart& b) {
  return {a.area + b.area, a.moment + b.moment};
}
inline DiscPart operator-(const DiscPart& a, const DiscPart& b) {
  return {a.area - b.area, a.moment - b.moment};
}
/// What the radius vector sweeps along the ray from `apex` along unit `n`: R(n) in (2).
DiscPart swept(const Vec2& apex, const Vec2& n);
/// The sector between unit vectors `from` and `to`; `turn` is the angle between them. The
/// part in a wedge is swept(from) + sector(from, to) - swept(to).
DiscPart sector(const Vec2& from, const Vec2& to, double turn);

/// Two lumps of the measure of (1) along a line, cut in the middle of [x0, x1].
struct LineLumps {
  double x[2];       ///< mean place of each half
  double weight[2];  ///< their sum is 1
};

/// For a gap  slope x + curvature x² / 2  on x0 <= x <= x1, x0 < x1. Without curvature the
/// lumps are the two ends.
LineLumps line_lumps(double x0, double x1, double slope, double curvature, double tilt);

}  // namespace carom
