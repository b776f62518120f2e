// What evaluations keep of contacts: who touches, what each does, and scratch memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/contact/contact_springs.h"
#include "carom/contact/normal_law.h"
#include "carom/engine/contact/contact_reading.h"
#include "carom/engine/contact/contact_search.h"
#include "carom/engine/contact/rigid/rigid_data.h"
#include "carom/engine/islands.h"
#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/manifold/manifold.h"

namespace carom {

/// Distances of the touching pairs where the links are now. A fixed step asks for them twice: at
/// its end, for what begins and ends, and at the beginning of the next.
struct KnownContacts {
  std::vector<Contact> of_pair;
  bool are_current = false;
};

/// What finders said where all event functions were evaluated last. An accepted step ends there,
/// and what is to be remembered of it would be asked once more.
struct NotedContacts {
  struct Note {
    PieceId piece_a, piece_b;
    bool is_known = false;
    Contact contact;
    DistanceCache warm;  ///< as the question has left it
  };
  std::vector<Note> of_pair;
  std::vector<double> q;   ///< coordinates at which they were asked
  bool is_noting = false;  ///< all functions are being evaluated

  void begin(std::span<const double> where, std::size_t pairs) {
    q.assign(where.begin(), where.end());
    of_pair.resize(pairs);
    for (Note& note : of_pair) note.is_known = false;
    is_noting = true;
  }
  void end() { is_noting = false; }
};

/// Scratch of one contact.
struct ContactScratch {
  ContactSprings springs;
  std::uint64_t sides = 0;  ///< of the springs of all contacts, as last evaluated
  Manifold manifold;
  AreaPatch patch;  ///< of which the manifold is made, where contact has an area
  PointList<NormalInput, kMaxManifoldPoints> normal_in;
  PointList<NormalOutput, kMaxManifoldPoints> normal_out;
  PointList<Vec3, kMaxManifoldPoints> velocity;  ///< of B relative to A at the points
  PointList<double, kMaxManifoldPoints> press;   ///< normal forces of the points, >= 0

  void make_room(std::size_t count) {
    normal_in.make_room(count), normal_out.make_room(count);
    velocity.make_room(count), press.make_room(count);
  }
};

struct TriangleScratch;

struct ContactData {
  ContactSearch search;               ///< of the pairs in Modes::contacts
  std::vector<std::size_t> touching;  ///< pairs that are not apart
  KnownContacts known;
  double fastest2 = -1.0;  ///< square of the fastest link's speed; < 0: not asked for yet [m²/s²]
  NotedContacts noted;
  std::vector<ContactReading> readings;       ///< of those that touch, one each
  std::vector<double> slot_rates;             ///< of their states
  std::vector<SurfacePoints> surface_points;  ///< of connected surfaces
  std::int64_t surface_tests = 0;             ///< of these that are apart
  std::int64_t surface_skips = 0;             ///< of these: too far apart to look closer
  ContactScratch scratch;
  std::shared_ptr<TriangleScratch> triangles;  ///< of shapes as triangles (triangle_sites.h)
  Islands islands;  ///< of the links that contacts join; current_islands()
  bool islands_are_current = false;
  RigidData rigid;
};

}  // namespace carom
