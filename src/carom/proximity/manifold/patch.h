// Convex regions of the contact plane and their intersections: where two flat faces lie
// on each other.
//
// The boundary is a cycle of pieces in counter-clockwise order, each a corner or an arc,
// with straight edges between them where two pieces lie apart. Each piece takes its turn
// of the outward normal; the turns add up to 2 pi. A segment has two corners with a turn
// of pi each, a point one corner with a turn of 2 pi.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "carom/proximity/vec2.h"

namespace carom {

inline constexpr int kMaxFaceCorners = 64;  ///< of one face; larger polygons are thinned out
inline constexpr int kMaxPatchPieces = 2 * kMaxFaceCorners + 32;
inline constexpr int kRimParts = 8;  ///< rims are cut into these, fixed to the body
inline constexpr std::uint32_t kNoPart = 2 * kRimParts;

struct PatchPolygon {
  int count = 0;
  bool lumped = false;                       ///< a fine polygon is treated as a rim
  std::array<Vec2, kMaxFaceCorners> corner;  ///< counter-clockwise
};

struct PatchDisc {
  Vec2 centre{};
  double radius = 0.0;
  Vec2 slope{};       ///< of its plane: what a tilted disc looks like is an ellipse
  double mark = 0.0;  ///< direction of a mark on the body: arcs are cut at equal angles from it
};

struct PatchPiece {
  Vec2 centre;    ///< a corner's place, or an arc's centre
  double radius;  ///< 0: a corner
  Vec2 normal_from, normal_to;
  double turn;             ///< from one to the other, >= 0
  Vec2 slope;              ///< of an arc's disc
  std::uint32_t rim_part;  ///< pieces with the same one are lumped; kNoPart: alone
  std::uint32_t label;     ///< the same for the same features, see patch.cpp
};

struct Patch {
  int count = 0;  ///< 0: empty
  double area = 0.0;
  std::array<PatchPiece, kMaxPatchPieces> piece;
};

/// Regions that miss each other by less than `tolerance` touch.
void intersect(const PatchPolygon& a, const PatchPolygon& b, double tolerance, Patch& out);
void intersect(const PatchDisc& a, const PatchPolygon& b, double tolerance, Patch& out);
void intersect(const PatchDisc& a, const PatchDisc& b, double tolerance, Patch& out);
/// A face on an unbounded plane.
void whole(const PatchPolygon& a, double tolerance, Patch& out);
void whole(const PatchDisc& a, Patch& out);

/// Cuts the segment from p to q: the part [t0, t1] of 0..1 inside the region remains.
/// False if there is none.
bool clip_segment(const Vec2& p, const Vec2& q, const PatchPolygon& region, double tolerance,
                  double& t0, double& t1);
bool clip_segment(const Vec2& p, const Vec2& q, const PatchDisc& region, double tolerance,
                  double& t0, double& t1);

}  // namespace carom
