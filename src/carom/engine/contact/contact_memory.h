// What contacts remember from step to step. Only accepted steps and located events change
// it, so the right-hand side is a pure function of (t, x) and of this (N1, N2).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/contact/pair_law.h"
#include "carom/engine/contact/load_track.h"
#include "carom/engine/contact/rigid/rigid_memory.h"
#include "carom/engine/ids.h"
#include "carom/proximity/distance.h"
#include "carom/proximity/shape_piece.h"

namespace carom {

enum class ContactMode : std::uint8_t {
  apart,     ///< no force, even where a trial step overlaps
  touching,  ///< the law acts, clamped at zero
};

/// What the elastic energy of a contact is made of (contact_springs.h). Chosen where it begins,
/// and kept: another choice is a switch.
struct SpringBase {
  enum Kind : std::uint8_t {
    points,  ///< none: points with shares (manifold.h)
    a_on_b,  ///< springs of A on a face of B
    b_on_a,  ///< springs of B on a face of A
    point,   ///< one, where the bodies are deepest, with the stiffness of a ball
  };
  Kind kind = points;
  std::int32_t face = -1;   ///< of the body that lends it; -1: a half space
  bool is_bounded = false;  ///< the contact reaches over the border of the face
  double radius = 0.0;      ///< of the ball [m]
  double scale = 1.0;       ///< of the stiffness, so that a switch keeps the energy
  bool operator==(const SpringBase&) const = default;
};

/// Against more elastic energy coming out of a contact than went in (contact_forces.cpp).
struct ContactGuard {
  double stored = 0.0;     ///< elastic energy where the contact began [J]
  double scale = 0.0;      ///< energy of the impact [J]; 0: there is no guard
  double share = 0.0;      ///< of it, or of what the contact holds, that may come from nothing
  double rest = 0.0;       ///< that may come and go in any case: what the weight stores [J]
  bool is_banked = false;  ///< it began in overlap, and gives back what has come in since
};

/// What acted on B, as a mean since the last point of the grid of steps.
struct ActedForce {
  double normal = 0.0;      ///< [N]
  Vec3 force;               ///< [N]
  Vec3 torque;              ///< about `at` [N.m]
  Vec3 at;                  ///< world
  bool has_torque = false;  ///< the contact moves a free body, whose rows tell
};

/// All contacts of two shapes that have ended.
struct PairHistory {
  PieceId a = 0, b = 0;
  std::uint64_t count = 0;
  double duration = 0.0, impulse = 0.0;
  LoadTrack track;  ///< largest of all; slip and held steps: of all together
  double energy_lost = 0.0;
};

/// Of a contact without a slot, whose integrals are summed step by step (engine/time_stepping).
struct ContactSums {
  double impulse = 0.0;      ///< along the normal [N.s]
  double energy_lost = 0.0;  ///< [J]
};

/// A site: pieces of two shapes near enough to be watched. Between convex pieces the gap has one
/// minimum, so the two pieces name it for as long as it lasts; others may touch in several places,
/// and a smooth surface has a number for each minimum, where `warm` says it is.
struct ContactPair {
  ColliderId a = 0, b = 0;           ///< a < b
  PieceId piece_a = 0, piece_b = 0;  ///< of these
  std::uint32_t branch = 0;          ///< which of the places where the two pieces touch
  LawId law = 0;
  PartId part = 0;  ///< how it answers
  int own = -1;     ///< of what the part watches always, the number; -1: two shapes
  ContactMode mode = ContactMode::apart;
  SlotId slot = -1;             ///< its state, while not apart
  double begun = 0.0;           ///< [s]
  ContactStart start;           ///< how the contact began
  double expected_depth = 0.0;  ///< for error weights [m]
  double mass = 0.0;            ///< of the lighter body [kg]
  double deepest = 0.0;         ///< overlap so far, for warnings [m]
  std::array<double, kNormalConstants> constants{};
  SpringBase base;
  bool base_changed = false;  ///< since the contact began
  ContactGuard guard;
  double brought = 0.0;      ///< elastic energy where it began that no flow accounts for [J]
  double load = 0.0;         ///< normal force in the last step, where steps or parts note it [N]
  ActedForce acted;          ///< in the last implicit step
  double unpaid = 0.0;       ///< depth that no energy accounts for, in implicit steps [m]
  double rub_energy = kInf;  ///< of its bristles where the last implicit step ended; infinite: none
                             ///< is known [J]
  bool told = false;         ///< its begin was reported; implicit steps begin contacts ahead
  Vec3 home;    ///< in the frame of A; connected surfaces: mean of the points where the contact
                ///< began; triangles: centre of its patch at the last accepted step
  Vec3 home_b;  ///< the same point in the frame of B
  double volume = 0.0;      ///< of its overlap at the last accepted step, of triangles [m³],
  double depth = 0.0;       ///< with this mean depth [m]
  double foundation = 0.0;  ///< pressure over depth, of contact areas [Pa/m]
  SlotId inherits =
      -1;              ///< slot of the site that it was a part of, until its states are taken over
  double share = 0.0;  ///< of what that site carried
  RigidLift lift;      ///< of rigid bodies that are apart
  ContactSums sums;    ///< of rigid bodies that are stepped
  DistanceCache warm;
  LoadTrack track;

  bool is_site_of(const ContactPair& p) const {
    return piece_a == p.piece_a && piece_b == p.piece_b;
  }
  bool is_same_site(const ContactPair& p) const { return is_site_of(p) && branch == p.branch; }
};

/// What a pair of triangles that meet knew of one end of its segment at the last accepted step;
/// [0] along the normal of A's triangle, [1] of B's (contact/triangles/elements.h).
struct ElementEnd {
  Vec3 p_a, p_b;                  ///< where it was, in the frames of A and B [m]
  std::array<double, 2> depth{};  ///< integrated [m]
  std::array<double, 2> speed{};  ///< of approach where it began [m/s]
  std::array<Vec3, 2> bristle{};  ///< in the axes of A [m]
};
struct TriangleElement {
  std::uint32_t piece_a = 0, piece_b = 0;
  std::uint32_t a = 0, b = 0;  ///< triangles of these
  double time = 0.0;           ///< of that step [s]
  std::array<ElementEnd, 2> ends;
};

/// Integrals of contacts that have ended [J].
struct ContactTotals {
  double normal = 0.0, friction = 0.0;
  double stored = 0.0;     ///< elastic energy of contacts that are not conservative, by its flow
  double bristle = 0.0;    ///< that flowed into bristles at the load of the moment
  double published = 0.0;  ///< the part of `stored` in laws and surfaces after a publication
};

/// Room for so many pairs, and for more where there is none: a list that grows by a few from step
/// to step would move each time, and that of a heap to fresh pages.
inline void make_room(std::vector<ContactPair>& pairs, std::size_t count) {
  if (count > pairs.capacity()) pairs.reserve(count + count / 2);
}

struct ContactMemory {
  std::vector<ContactPair> pairs;
  std::vector<int> free_slots;
  int slot_count = 0;
  ContactTotals ended;
  std::vector<PairHistory> history;  ///< ascending by a, then b
  RigidMemory rigid;
  std::vector<TriangleElement> elements;  ///< ascending by pieces, then by triangles
};

}  // namespace carom
