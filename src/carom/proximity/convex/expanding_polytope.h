// A convex polytope that grows by one vertex at a time, with its faces in the order of
// their distance from the origin. Fixed capacity, no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "carom/proximity/convex/minkowski.h"

namespace carom {

struct ExpandingFace {
  Vec3 normal;      ///< unit, outward
  double distance;  ///< of its plane from the origin, positive if that is inside [m]
  std::uint16_t vertex[3];
  std::uint16_t neighbour[3];  ///< across the edge from vertex[i] to vertex[i + 1]
  bool alive;
};

class ExpandingPolytope {
 public:
  static constexpr int kMaxVertices = 1000;
  static constexpr int kMaxFaces = 6000;

  /// False if the four points span no volume; `size` is that of the numbers involved.
  bool start(const std::array<MinkowskiPoint, 4>& points, double size);
  /// Faces farther than this are not queued from now on: something nearer is known.
  void limit(double distance) { limit_ = distance; }
  /// Takes the nearest face out of the queue; -1 if there is none.
  int pop_nearest();
  /// Adds a vertex beyond `face`. False if rounding or the capacity stops it: then
  /// nothing has changed.
  bool expand(int face, const MinkowskiPoint& p);

  const ExpandingFace& face(int i) const { return faces()[i]; }
  const MinkowskiPoint& vertex(int i) const { return vertices()[i]; }

 private:
  struct QueueEntry {
    double distance;
    std::uint16_t face;
  };
  struct HorizonEdge {
    std::uint16_t from, to;
    std::uint16_t outer, outer_edge;
  };
  static bool later(const QueueEntry& a, const QueueEntry& b) { return a.distance > b.distance; }

  // Raw storage: most queries use a small part of it, and none wants it cleared.
  ExpandingFace* faces() { return reinterpret_cast<ExpandingFace*>(face_storage_); }
  const ExpandingFace* faces() const {
    return reinterpret_cast<const ExpandingFace*>(face_storage_);
  }
  MinkowskiPoint* vertices() { return reinterpret_cast<MinkowskiPoint*>(vertex_storage_); }
  const MinkowskiPoint* vertices() const {
    return reinterpret_cast<const MinkowskiPoint*>(vertex_storage_);
  }

  int add_face(int a, int b, int c);
  bool sees(int face, const Vec3& w) const;
  bool find_horizon(const Vec3& w, int face, int entered);
  bool can_close() const;
  void push(int face);

  alignas(ExpandingFace) std::byte face_storage_[kMaxFaces * sizeof(ExpandingFace)];
  alignas(MinkowskiPoint) std::byte vertex_storage_[kMaxVertices * sizeof(MinkowskiPoint)];
  QueueEntry queue_[kMaxFaces];
  HorizonEdge horizon_[kMaxVertices];
  std::uint16_t seen_[kMaxFaces];
  int face_count_ = 0, vertex_count_ = 0, queue_size_ = 0, horizon_size_ = 0, seen_size_ = 0;
  double rounding_ = 0.0, limit_ = 0.0;
};

}  // namespace carom
