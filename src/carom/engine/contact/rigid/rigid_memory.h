// What rigid contacts remember from step to step: plain data, saved with the run.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/math/vec3.h"
#include "carom/proximity/shape_piece.h"

namespace carom {

/// Which of the features of two bodies touch: a number that is the same while they do.
using RigidFeature = std::uint64_t;

enum class RigidState : std::uint8_t {
  open,      ///< no force; its gap is watched
  sliding,   ///< friction against the slip
  sticking,  ///< no slip, whatever that takes within the cone
  onset,     ///< slip has just begun, along `direction`: too slow to have one of its own
};

/// How the bodies turn about the normal of a closed point with a spin radius.
enum class RigidSpin : std::int8_t {
  begins_backward = -2,
  backward = -1,  ///< B turns backward over A
  held = 0,       ///< not at all, whatever torque that takes within its bound
  forward = 1,
  begins_forward = 2,  ///< from rest: too slow as yet to tell rounding from turning back
};
inline double sign_of(RigidSpin spin) {
  return spin == RigidSpin::held ? 0.0 : spin > RigidSpin::held ? 1.0 : -1.0;
}
inline bool has_begun(RigidSpin spin) {
  return spin == RigidSpin::begins_backward || spin == RigidSpin::begins_forward;
}

/// Where bodies part their gap begins at zero, and rounding makes it less: this much is added to
/// it, and taken off again while it opens, so that nothing is added where it closes.
struct RigidLift {
  double height = 0.0;               ///< [m]
  double since = 0.0, until = -1.0;  ///< instants; until < since: it stays [s]
  double at(double t) const {
    if (until < since) return height;
    return t >= until ? 0.0 : height * (until - t) / (until - since);
  }
};

/// A point of two bodies that touch: where the gap of their surfaces has its minimum, or a corner
/// of one over the face of the other. Corners that are not down are listed as open.
struct RigidPoint {
  PieceId piece_a = 0, piece_b = 0;
  std::uint32_t branch = 0;  ///< which of the places where the two pieces touch
  RigidFeature feature = 0;
  RigidState state = RigidState::open;
  RigidLift lift;  ///< of an open point
  Vec3 direction;  ///< of slip where the step began, or at its onset
  Vec3 centre;     ///< force around which redundant points share the change of theirs [N]
  Vec3 side;       ///< as of RigidSite, where the step began
  RigidSpin spin = RigidSpin::held;
  bool runs_out = false;  ///< its slip is about to end, and keeps its direction until then
};

/// What impacts have done to a pair of pieces.
struct RigidRecord {
  PieceId piece_a = 0, piece_b = 0;
  std::int64_t impacts = 0, since_landing = 0;
  Vec3 impulse;        ///< on B [N.s]
  double limit = 0.0;  ///< instant at which its bounces end, as the last one told [s]
};

/// A point that pressed in the last time step (engine/time_stepping): from there the search for the
/// impulses of the next one begins.
struct StepImpulse {
  PieceId piece_a = 0, piece_b = 0;
  std::uint32_t branch = 0, feature = 0;
  RigidState state = RigidState::open;
  Vec3 p, n;                             ///< where it pressed, and the normal from A to B
  double normal = 0.0;                   ///< impulse that kept the bodies apart [N.s]
  Vec3 friction;                         ///< with it, on B [N.s]
  Vec3 bounce;                           ///< impulse that threw them back, on B [N.s]
  double spin = 0.0, bounce_spin = 0.0;  ///< of both, about the normal [N.m.s]
  Vec3 impulse() const { return normal * n + friction + bounce; }
};

struct RigidMemory {
  std::vector<RigidPoint> points;    ///< of pairs that touch, in the order of the pairs
  std::vector<RigidRecord> records;  ///< ascending by piece_a, then piece_b
  double lost_normal = 0.0, lost_friction = 0.0;  ///< in impacts, and where slip was stopped [J]
  std::vector<StepImpulse> steps;                 ///< of the last time step, in order of the pairs
  double step = 0.0;                              ///< its length [s]
};

}  // namespace carom
