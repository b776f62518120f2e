// What of a compiled scene can touch, and by which laws.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "carom/base/index.h"
#include "carom/contact/contact_radius.h"
#include "carom/contact/pair_law.h"
#include "carom/contact/spring_body.h"
#include "carom/engine/contact/connected/connected_model.h"
#include "carom/engine/contact/elastic/sweep_limit.h"
#include "carom/engine/ids.h"
#include "carom/geometry/polytope.h"
#include "carom/math/pose.h"
#include "carom/multibody/tree.h"
#include "carom/proximity/finder.h"
#include "carom/proximity/search/collision_filter.h"

namespace carom {

class ContactPart;
struct RigidForm;
struct RigidRound;
struct RigidSolid;

/// A shape that may touch others, or an idealised surface, which touches those it is connected
/// with.
struct Collider {
  BodyId body = 0;          ///< -1: the world
  int shape = 0;            ///< of its shapes in the Scene
  int surface = -1;         ///< into Scene::surfaces and ContactModel::surfaces; -1: of a shape
  PieceId first = 0;        ///< of its pieces, which are neighbours
  std::uint32_t count = 1;  ///< of them
  /// The first ones are convex, or surfaces by formulas; triangles and areas of the same shape, for
  /// partners that touch by these, come after them.
  std::uint32_t convex_count = 1;
  LinkId link = 0;
  Pose X_LS;
  bool is_at_link = false;  ///< X_LS is the identity
  ContactRadius contact_radius;
  int law_class = 0;
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
  BodyId body_a = 0, body_b = 0;
  PartId part = 0;  ///< with `own`, as of ContactPair
  int own = -1;
};

struct ContactModel {
  IdArray<ColliderId, Collider> colliders;
  IdArray<PieceId, ShapePiece> pieces;        ///< of all colliders, one after the other
  IdArray<PieceId, SpringBody> springs;       ///< per piece
  IdArray<PieceId, CollisionFilter> filters;  ///< per piece; `body` is a rigid group
  std::vector<std::uint64_t> excluded;        ///< pairs of rigid groups that never touch
  int class_count = 0;
  std::vector<int> law_of_classes;  ///< class_count x class_count, into laws; -1: never touch
  IdArray<LawId, PairLaw> laws;
  IdArray<LawId, PartId> part_of_law;         ///< where the search finds a pair of this law
  IdArray<PartId, const ContactPart*> parts;  ///< formulations; the first is that of shapes
  std::vector<MovingMesh> meshes;             ///< large ones that move
  ConnectedModel connected;
  std::vector<std::shared_ptr<const TriangleSurface>> surfaces;  ///< that pieces point to
  std::vector<std::shared_ptr<const Polytope>> prisms;  ///< that cores point to (flat_face.h)
  std::vector<WatchedPair> watched;
  SlotLayout slot;
  double margin = 0.0;     ///< of candidate lists [m]
  bool has_sites = false;  ///< pieces may have several (contact_sites.h)
  int rigid_laws = 0;      ///< laws of bodies that cannot penetrate
  bool has_rigid = false;
  bool has_spin = false;                                  ///< some of these resist drilling
  std::vector<std::shared_ptr<const RigidSolid>> solids;  ///< per piece, of bodies with flat faces
  std::vector<std::shared_ptr<const RigidRound>>
      rounds;                                           ///< per piece, of cylinders and their like
  std::vector<std::shared_ptr<const RigidForm>> forms;  ///< of both, where there are round ones

  bool empty() const { return colliders.empty(); }
  /// Whether some contact is a spring, be it of shapes or of surfaces.
  bool has_elastic() const {
    return !empty() && (!has_rigid || static_cast<std::size_t>(rigid_laws) < laws.size());
  }
  PairFilter filter() const { return {filters, excluded}; }
  /// Of two colliders.
  /// Whether anything lets them touch. What was refused has no pieces.
  bool may_meet(ColliderId a, ColliderId b) const {
    const Collider &A = colliders[a], &B = colliders[b];
    for (std::uint32_t k = 0; B.count > 0 && k < A.count; ++k) {
      if (carom::may_touch(filter(), A.first + k, B.first)) return true;
    }
    for (std::uint32_t k = 1; A.count > 0 && k < B.count; ++k) {
      if (carom::may_touch(filter(), A.first, B.first + k)) return true;
    }
    return false;
  }
  LawId law_of(ColliderId a, ColliderId b) const {
    return law_of_classes[at(colliders[a].law_class) * at(class_count) +
                          at(colliders[b].law_class)];
  }
};

}  // namespace carom
