#include "carom/proximity/convex/expanding_polytope.h"

#include <algorithm>
#include <limits>
#include <new>

namespace carom {

bool ExpandingPolytope::start(const std::array<MinkowskiPoint, 4>& points, double size) {
  face_count_ = vertex_count_ = queue_size_ = 0;
  for (const MinkowskiPoint& p : points) {
    new (&vertices()[vertex_count_++]) MinkowskiPoint(p);
  }
  rounding_ = 4.0 * kEpsilon * size;
  limit_ = std::numeric_limits<double>::infinity();
  const Vec3 &a = points[0].w, &b = points[1].w, &c = points[2].w, &d = points[3].w;
  const double volume = dot(cross(b - a, c - a), d - a);
  if (volume == 0.0 || !std::isfinite(volume)) return false;
  // Outward order: the fourth point lies behind the first three.
  const int order[2][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}};
  const int* v = order[volume > 0.0 ? 1 : 0];
  const int f0 = add_face(v[0], v[1], v[2]), f1 = add_face(v[0], v[3], v[1]),
            f2 = add_face(v[1], v[3], v[2]), f3 = add_face(v[2], v[3], v[0]);
  const int neighbours[4][3] = {{f1, f2, f3}, {f3, f2, f0}, {f1, f3, f0}, {f2, f1, f0}};
  for (int f = 0; f < 4; ++f) {
    for (int e = 0; e < 3; ++e) {
      faces()[f].neighbour[e] = static_cast<std::uint16_t>(neighbours[f][e]);
    }
    push(f);
  }
  return true;
}

namespace {

/// From one vertex to another. Body by body: the edge of a small body between two vertices
/// that share the point of a large one would be lost in its rounding.
Vec3 difference(const MinkowskiPoint& from, const MinkowskiPoint& to) {
  return (to.b - from.b) - (to.a - from.a);
}

}  // namespace

int ExpandingPolytope::add_face(int a, int b, int c) {
  const Vec3& p = vertex(a).w;
  const Vec3 cross_product =
      cross(difference(vertex(a), vertex(b)), difference(vertex(a), vertex(c)));
  const double area = norm(cross_product);
  ExpandingFace f{};
  f.alive = true;
  f.vertex[0] = static_cast<std::uint16_t>(a), f.vertex[1] = static_cast<std::uint16_t>(b),
  f.vertex[2] = static_cast<std::uint16_t>(c);
  if (area > 0.0) {
    f.normal = cross_product / area;
    f.distance = dot(f.normal, p);
  } else {
    f.distance = 1e300;  // no area: never expanded
  }
  new (&faces()[face_count_]) ExpandingFace(f);
  return face_count_++;
}

void ExpandingPolytope::push(int f) {
  if (face(f).distance > limit_) return;
  queue_[queue_size_++] = {face(f).distance, static_cast<std::uint16_t>(f)};
  std::push_heap(queue_, queue_ + queue_size_, later);
}

int ExpandingPolytope::pop_nearest() {
  while (queue_size_ > 0) {
    std::pop_heap(queue_, queue_ + queue_size_, later);
    const int f = queue_[--queue_size_].face;
    if (face(f).alive) return f;
  }
  return -1;
}

bool ExpandingPolytope::sees(int f, const Vec3& w) const {
  return dot(face(f).normal, w) - face(f).distance > rounding_;
}

/// Walks over the faces that `w` sees and lists the edges beyond which it does not, in
/// order around the hole.
bool ExpandingPolytope::find_horizon(const Vec3& w, int f, int entered) {
  faces()[f].alive = false;
  if (seen_size_ == kMaxFaces) return false;
  seen_[seen_size_++] = static_cast<std::uint16_t>(f);
  for (int k = entered < 0 ? 0 : 1; k < 3; ++k) {
    const int e = entered < 0 ? k : (entered + k) % 3;
    const int other = face(f).neighbour[e];
    if (!face(other).alive) continue;
    int back = 0;
    while (back < 3 && face(other).neighbour[back] != f) ++back;
    if (back == 3) return false;
    if (sees(other, w)) {
      if (!find_horizon(w, other, back)) return false;
    } else {
      if (horizon_size_ == kMaxVertices) return false;
      horizon_[horizon_size_++] = {face(f).vertex[e], face(f).vertex[(e + 1) % 3],
                                   static_cast<std::uint16_t>(other),
                                   static_cast<std::uint16_t>(back)};
    }
  }
  return true;
}

/// Is the horizon one closed loop, and is there room for its faces?
bool ExpandingPolytope::can_close() const {
  if (horizon_size_ < 3 || face_count_ + horizon_size_ > kMaxFaces ||
      queue_size_ + horizon_size_ > kMaxFaces) {
    return false;
  }
  for (int i = 0; i < horizon_size_; ++i) {
    if (horizon_[i].to != horizon_[(i + 1) % horizon_size_].from) return false;
  }
  return true;
}

bool ExpandingPolytope::expand(int f, const MinkowskiPoint& p) {
  if (vertex_count_ == kMaxVertices) return false;
  horizon_size_ = seen_size_ = 0;
  if (!find_horizon(p.w, f, -1) || !can_close()) {
    for (int i = 0; i < seen_size_; ++i) faces()[seen_[i]].alive = true;
    return false;
  }
  const int v = vertex_count_;
  new (&vertices()[vertex_count_++]) MinkowskiPoint(p);
  const int first = face_count_, count = horizon_size_;
  for (int i = 0; i < count; ++i) {
    const HorizonEdge& e = horizon_[i];
    const int added = add_face(e.from, e.to, v);
    ExpandingFace& g = faces()[added];
    g.neighbour[0] = e.outer;
    g.neighbour[1] = static_cast<std::uint16_t>(first + (i + 1) % count);
    g.neighbour[2] = static_cast<std::uint16_t>(first + (i + count - 1) % count);
    faces()[e.outer].neighbour[e.outer_edge] = static_cast<std::uint16_t>(added);
  }
  for (int i = 0; i < count; ++i) push(first + i);
  return true;
}

}  // namespace carom
