// What of a compiled scene can touch, and by which laws.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/contact/contact_radius.h"
#include "carom/contact/pair_law.h"
#include "carom/contact/spring_body.h"
#include "carom/engine/contact/connected/connected_model.h"
#include "carom/engine/contact/elastic/sweep_limit.h"
#include "carom/math/pose.h"
#include "carom/proximity/collision_filter.h"

namespace carom {

class ContactPart;

/// A convex piece of a shape that may touch others (most shapes are one), or an idealised
/// surface, which touches those it is connected with.
struct Collider {
  int body = 0, shape = 0;  ///< into Scene::bodies and its shapes; body -1: the world
  int surface = -1;         ///< into Scene::surfaces and ContactModel::surfaces; -1: of a shape
  int piece = 0;            ///< of the shape
  int link = 0;
  Pose X_LS;
  bool is_at_link = false;  ///< X_LS is the identity
  Core core;
  double radius = 0.0;    ///< largest distance of its points from its origin; may be infinite [m]
  Vec3 centre;            ///< of a ball around its points, in the frame of the shape
  double reach = 0.0;     ///< radius of that ball, its size; may be infinite [m]
  bool is_round = false;  ///< strictly convex: meets anything in one point
  ContactRadius contact_radius;
  int surface_class = 0;
};

/// Places in the state of one contact, relative to its slot; -1: there is none. Integrals
/// that nothing depends on come first.
struct SlotLayout {
  static constexpr int kImpulse = 0;   ///< of the normal force [N.s]
  static constexpr int kNormal = 1;    ///< energy dissipated by the normal law [J]
  static constexpr int kFriction = 2;  ///< by friction and resistance [J]
  static constexpr int kStored = 3;    ///< that flowed into elastic deflection [J]
  static constexpr int kBristle = 4;   ///< that flowed into bristles at constant load [J]
  static constexpr int kIntegrals = 5;
  int bristle = -1;  ///< four doubles: deflection in the axes of A, and of the spin
  int normal = -1;   ///< state of the normal law
  int filter = -1;   ///< six doubles: filtered movement of the points, and its rate
  int width = kIntegrals;
};

/// Two bodies, or a pair that a part watches always, whose contacts have channels of their own.
struct WatchedPair {
  int body_a = 0, body_b = 0;
  int part = 0, own = -1;  ///< as of ContactPair
};

struct ContactModel {
  std::vector<Collider> colliders;
  std::vector<SpringBody> springs;       ///< per collider
  std::vector<CollisionFilter> filters;  ///< per collider; `body` is a rigid group
  std::vector<std::uint64_t> excluded;   ///< pairs of rigid groups that never touch
  int class_count = 0;
  std::vector<int> law_of_classes;  ///< class_count x class_count, into laws; -1: never touch
  std::vector<PairLaw> laws;
  std::vector<int> part_of_law;           ///< into parts, where the search finds a pair of this law
  std::vector<const ContactPart*> parts;  ///< formulations; the first is that of shapes
  std::vector<MovingMesh> meshes;         ///< large ones that move
  ConnectedModel connected;
  std::vector<WatchedPair> watched;
  SlotLayout slot;
  double margin = 0.0;  ///< of candidate lists [m]

  bool empty() const { return colliders.empty(); }
  PairFilter filter() const { return {filters, excluded}; }
  int law_of(std::uint32_t a, std::uint32_t b) const {
    return law_of_classes[static_cast<std::size_t>(colliders[a].surface_class * class_count +
                                                   colliders[b].surface_class)];
  }
};

}  // namespace carom
