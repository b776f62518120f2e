// What of a compiled scene can touch, and by which laws.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/contact/contact_radius.h"
#include "carom/contact/pair_law.h"
#include "carom/math/pose.h"
#include "carom/proximity/collision_filter.h"

namespace carom {

/// A convex piece of a shape that may touch others; most shapes are one.
struct Collider {
  int body = 0, shape = 0;  ///< into Scene::bodies and its shapes
  int piece = 0;            ///< of the shape
  int link = 0;
  Pose X_LS;
  Core core;
  double radius = 0.0;    ///< largest distance of its points from its origin; may be infinite [m]
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
  static constexpr int kIntegrals = 4;
  int bristle = -1;  ///< four doubles: deflection in the axes of A, and of the spin
  int normal = -1;   ///< state of the normal law
  int width = kIntegrals;
};

/// Two bodies whose contacts have channels of their own.
struct WatchedPair {
  int body_a = 0, body_b = 0;
};

struct ContactModel {
  std::vector<Collider> colliders;
  std::vector<CollisionFilter> filters;  ///< per collider; `body` is a rigid group
  std::vector<std::uint64_t> excluded;   ///< pairs of rigid groups that never touch
  int class_count = 0;
  std::vector<int> law_of_classes;  ///< class_count x class_count, into laws; -1: never touch
  std::vector<PairLaw> laws;
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
