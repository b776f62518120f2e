#include "carom/proximity/triangles/surface_distance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::triangles {
namespace {

using Corners = std::array<Vec3, 3>;

struct Nearest {
  double square;  ///< of the distance [m²]
  Vec3 a, b;

  void consider(const Vec3& pa, const Vec3& pb) {
    const double s = norm2(pb - pa);
    if (s < square) square = s, a = pa, b = pb;
  }
};

/// The point of a triangle nearest to p, by the regions of its corners, edges and face [Ericson
/// 2004, "Real-time collision detection", 5.1.5].
Vec3 nearest_on(const Corners& t, const Vec3& p) {
  const Vec3 ab = t[1] - t[0], ac = t[2] - t[0], ap = p - t[0];
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0.0 && d2 <= 0.0) return t[0];
  const Vec3 bp = p - t[1];
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0.0 && d4 <= d3) return t[1];
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return t[0] + (d1 / (d1 - d3)) * ab;
  const Vec3 cp = p - t[2];
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0.0 && d5 <= d6) return t[2];
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return t[0] + (d2 / (d2 - d6)) * ac;
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    return t[1] + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (t[2] - t[1]);
  }
  const double whole = va + vb + vc;
  return t[0] + (vb / whole) * ab + (vc / whole) * ac;
}

/// Nearest points of two edges.
void consider_edges(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s, Nearest& best) {
  const Vec3 d = q - p, e = s - r, w = p - r;
  const double a = norm2(d), c = norm2(e), b = dot(d, e), f = dot(e, w), g = dot(d, w);
  if (!(a > 0.0 && c > 0.0)) return;  // its ends are vertices
  const double det = a * c - b * b;
  double u = det > 0.0 ? std::clamp((b * f - c * g) / det, 0.0, 1.0) : 0.0;
  double v = (b * u + f) / c;
  if (v < 0.0 || v > 1.0) {
    v = std::clamp(v, 0.0, 1.0);
    u = std::clamp((b * v - g) / a, 0.0, 1.0);
  }
  best.consider(p + u * d, r + v * e);
}

void consider_triangles(const Corners& A, const Corners& B, Nearest& best) {
  for (std::size_t i = 0; i < 3; ++i) {
    best.consider(A[i], nearest_on(B, A[i]));
    best.consider(nearest_on(A, B[i]), B[i]);
    for (std::size_t j = 0; j < 3; ++j) {
      consider_edges(A[i], A[(i + 1) % 3], B[j], B[(j + 1) % 3], best);
    }
  }
}

/// Whether x lies on one side of the plane of t, certainly farther than the root of `square`: then
/// the two cannot be nearer than that. Of a needle the plane is rounding.
bool is_beside(const Corners& t, const Corners& x, double square) {
  constexpr double kNeedle = 1e-4, kRounding = 1e-12;
  const Vec3 u = t[1] - t[0], v = t[2] - t[0], n = cross(u, v), d = x[0] - t[0];
  const double a = dot(n, d), b = dot(n, x[1] - t[0]), c = dot(n, x[2] - t[0]);
  const bool is_above = a > 0.0 && b > 0.0 && c > 0.0;
  if (!is_above && !(a < 0.0 && b < 0.0 && c < 0.0)) return false;
  const double least = std::min({std::abs(a), std::abs(b), std::abs(c)}), n2 = norm2(n);
  const double size2 = std::max({norm2(u), norm2(v), norm2(v - u), norm2(d)});
  if (!(n2 > kNeedle * kNeedle * size2 * size2)) return false;
  // (least / |n| - 1e-12 size)² > square, without a root where it is clear.
  if (!(least * least > n2 * square)) return false;
  const double height = least / std::sqrt(n2) - kRounding * std::sqrt(size2);
  return height > 0.0 && height * height > square;
}

/// A box in A's frame, about the middle of A's tree.
struct Box {
  Vec3 centre, half;
};

/// A triangle of one tree that meets a node of the other: its box, and its plane. A large triangle
/// (a side of the body that stands for a half space) has a box that says nothing; without its plane
/// every triangle of the other mesh would be looked at.
struct Lone {
  Box box;
  Vec3 n;  ///< unit normal; zero of a needle, whose plane is rounding

  /// Of the square of the distance to a box.
  double bound_beside(const Box& other) const {
    double reach = 0.0;
    for (std::size_t i = 0; i < 3; ++i) reach += std::abs(n[i]) * other.half[i];
    const double gap = std::abs(dot(n, other.centre - on_plane)) - reach - rounding;
    return gap > 0.0 ? gap * gap : 0.0;
  }
  Vec3 on_plane;
  Corners corners;        ///< about the middle of A's tree
  double rounding = 0.0;  ///< of where the plane is [m]
};

/// The line from the nearest point of A that is known to that of B. What lies behind it on both
/// sides cannot be nearer, and of bodies far from each other that is nearly all: their distances
/// differ far less than their boxes are large.
struct Ahead {
  Vec3 d, d_B;          ///< unit vector in A's frame and in B's; zero where nothing is known
  double length = 0.0;  ///< of the line, and what rounding may add [m]

  /// Whether no point beyond `b` along the line is nearer to one before `a` than the known two.
  bool excludes(double a, double b) const { return b - a > length; }
  double reach_of_a(const Vec3& half) const { return reach(d, half); }
  double reach_of_b(const Vec3& half) const { return reach(d_B, half); }

 private:
  static double reach(const Vec3& n, const Vec3& half) {
    return std::abs(n.x) * half.x + std::abs(n.y) * half.y + std::abs(n.z) * half.z;
  }
};

class Search {
 public:
  Search(const TriangleSurface& A, const TriangleSurface& B, const Pose& X_AB, Faces faces,
         double most, TreePairs& scratch)
      : a_(A),
        b_(B),
        placed_(place(A, B, X_AB, faces)),
        R_(X_AB.R),
        p_(X_AB * B.tree.middle - A.tree.middle),
        best_{most * most, {}, {}},
        stack_(scratch.stack) {}

  /// Nothing farther than these two is the answer; a little more, so that neither rounding of
  /// boxes nor the two themselves decide which of equally near points is found.
  void expect(const ItemPair& guess) {
    constexpr double kRoom = 1.0 + 1e-5, kRounding = 1e-12;
    if (guess.a >= a_.triangles.size() || guess.b >= b_.triangles.size()) return;
    Nearest own = best_;
    consider_triangles(corners(placed_.a, guess.a), corners(placed_.b, guess.b), own);
    const double size = norm(a_.tree.half) + norm(b_.tree.half) + norm(p_);
    const double enough = kRoom * std::sqrt(own.square) + kRounding * size;
    best_.square = std::min(best_.square, enough * enough);
    look_along(own.b - own.a);
  }

  SurfaceDistance run(double most) {
    stack_.clear();
    stack_.push_back({0, 0});
    while (!stack_.empty()) {
      const ItemPair at = stack_.back();
      stack_.pop_back();
      visit(at.a, at.b);
    }
    return {std::sqrt(best_.square), best_.a, best_.b, best_.square < most * most};
  }
  ItemPair nearest() const { return nearest_; }

 private:
  /// From the points that are known, or will do as well.
  void look_along(const Vec3& line) {
    constexpr double kRounding = 1e-12;
    const double length = norm(line);
    if (!(length > 0.0)) return;
    ahead_.d = line / length;
    ahead_.d_B = transpose_times(R_, ahead_.d);
    const double size = norm(a_.tree.half) + norm(b_.tree.half) + norm(p_);
    ahead_.length = std::sqrt(best_.square) + kRounding * size;
  }

  struct Child {
    double bound;  ///< of the square of the distance
    std::int32_t a, b;
  };

  Box box_a(const Box4Tree::Node& node, std::size_t k) const {
    return {{node.centre[0][k], node.centre[1][k], node.centre[2][k]},
            {node.half[0][k], node.half[1][k], node.half[2][k]}};
  }
  /// Where B's child begins along the line; its own axes know that better than A's.
  double front_of_b(const Box4Tree::Node& node, std::size_t k, const Vec3& centre) const {
    return dot(ahead_.d, centre) -
           ahead_.reach_of_b({node.half[0][k], node.half[1][k], node.half[2][k]});
  }
  Box box_b(const Box4Tree::Node& node, std::size_t k) const {
    const Vec3 c{node.centre[0][k], node.centre[1][k], node.centre[2][k]};
    const Vec3 h{node.half[0][k], node.half[1][k], node.half[2][k]};
    Box out{p_ + R_ * c, {}};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) out.half[i] += std::abs(R_(i, j)) * h[j];
    }
    return out;
  }
  static double bound(const Box& a, const Box& b) {
    double square = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double gap = std::abs(a.centre[i] - b.centre[i]) - a.half[i] - b.half[i];
      if (gap > 0.0) square += gap * gap;
    }
    return square;
  }

  static double bound(const Lone& own, const Box& other) {
    return std::max(bound(own.box, other), own.bound_beside(other));
  }

  /// The sixteen pairs of children, nearest last on the stack.
  void visit(std::uint32_t na, std::uint32_t nb) {
    const Box4Tree::Node &A = a_.tree.nodes[na], &B = b_.tree.nodes[nb];
    std::array<Child, 16> children;
    std::size_t count = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      if (B.child[j] == Box4Tree::kNothing) continue;
      const Box guest = box_b(B, j);
      const double front = front_of_b(B, j, guest.centre);
      for (std::size_t i = 0; i < 4; ++i) {
        if (A.child[i] == Box4Tree::kNothing) continue;
        const Box host = box_a(A, i);
        const double back = dot(ahead_.d, host.centre) + ahead_.reach_of_a(host.half);
        if (ahead_.excludes(back, front)) continue;
        const double b = bound(host, guest);
        if (b < best_.square) children[count++] = {b, A.child[i], B.child[j]};
      }
    }
    std::sort(children.begin(), children.begin() + static_cast<std::ptrdiff_t>(count),
              [](const Child& x, const Child& y) { return x.bound > y.bound; });
    // Triangles now, nearest first; nodes later, nearest last on the stack.
    for (std::size_t k = count; k-- > 0;) {
      const Child& c = children[k];
      if (c.bound >= best_.square) break;  // and all before it
      meet_items(c);
    }
    for (std::size_t k = 0; k < count; ++k) {
      const Child& c = children[k];
      if (Box4Tree::is_item(c.a) || Box4Tree::is_item(c.b) || c.bound >= best_.square) continue;
      stack_.push_back({static_cast<std::uint32_t>(c.a), static_cast<std::uint32_t>(c.b)});
    }
  }

  void meet_items(const Child& c) {
    const bool item_a = Box4Tree::is_item(c.a), item_b = Box4Tree::is_item(c.b);
    if (item_a && item_b) {
      meet(Box4Tree::item(c.a), Box4Tree::item(c.b));
    } else if (item_a) {
      const std::uint32_t a = Box4Tree::item(c.a);
      below_b(a, lone(corners(placed_.a, a)), static_cast<std::uint32_t>(c.b));
    } else if (item_b) {
      const std::uint32_t b = Box4Tree::item(c.b);
      below_a(static_cast<std::uint32_t>(c.a), b, lone(corners(placed_.b, b)));
    }
  }

  /// Up to four children of a node with their bounds, nearest first.
  struct Order {
    std::array<Child, 4> children;
    std::size_t count = 0;

    void add(const Child& c) {
      std::size_t k = count++;
      for (; k > 0 && children[k - 1].bound > c.bound; --k) children[k] = children[k - 1];
      children[k] = c;
    }
  };

  /// A triangle of one tree against everything below a node of the other.
  void below_b(std::uint32_t a, const Lone& own, std::uint32_t nb) {
    const Box4Tree::Node& B = b_.tree.nodes[nb];
    Order order;
    for (std::size_t j = 0; j < 4; ++j) {
      if (B.child[j] == Box4Tree::kNothing) continue;
      const Box guest = box_b(B, j);
      if (ahead_.excludes(highest(own), front_of_b(B, j, guest.centre))) continue;
      order.add({bound(own, guest), 0, B.child[j]});
    }
    for (std::size_t k = 0; k < order.count; ++k) {
      const Child& c = order.children[k];
      if (c.bound >= best_.square) return;
      if (Box4Tree::is_item(c.b)) {
        meet(a, Box4Tree::item(c.b));
      } else {
        below_b(a, own, static_cast<std::uint32_t>(c.b));
      }
    }
  }
  void below_a(std::uint32_t na, std::uint32_t b, const Lone& own) {
    const Box4Tree::Node& A = a_.tree.nodes[na];
    Order order;
    for (std::size_t i = 0; i < 4; ++i) {
      if (A.child[i] == Box4Tree::kNothing) continue;
      const Box host = box_a(A, i);
      const double back = dot(ahead_.d, host.centre) + ahead_.reach_of_a(host.half);
      if (ahead_.excludes(back, lowest(own))) continue;
      order.add({bound(own, host), A.child[i], 0});
    }
    for (std::size_t k = 0; k < order.count; ++k) {
      const Child& c = order.children[k];
      if (c.bound >= best_.square) return;
      if (Box4Tree::is_item(c.a)) {
        meet(Box4Tree::item(c.a), b);
      } else {
        below_a(static_cast<std::uint32_t>(c.a), b, own);
      }
    }
  }

  static Corners corners(const PlacedSurface& s, std::uint32_t t) {
    const Triangle& v = s.surface->triangles[t];
    return {s.vertex(v[0]), s.vertex(v[1]), s.vertex(v[2])};
  }
  Box box_around(const Corners& t) const {
    Box box;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [low, high] = std::minmax({t[0][i], t[1][i], t[2][i]});
      box.centre[i] = 0.5 * (low + high) - a_.tree.middle[i], box.half[i] = 0.5 * (high - low);
    }
    return box;
  }
  /// Along the line, about the middle of A's tree as boxes are.
  double highest(const Lone& t) const {
    const Vec3& d = ahead_.d;
    return std::max({dot(d, t.corners[0]), dot(d, t.corners[1]), dot(d, t.corners[2])});
  }
  double lowest(const Lone& t) const {
    const Vec3& d = ahead_.d;
    return std::min({dot(d, t.corners[0]), dot(d, t.corners[1]), dot(d, t.corners[2])});
  }
  Lone lone(const Corners& t) const {
    constexpr double kNeedle = 1e-4, kRounding = 1e-11;
    const Vec3 u = t[1] - t[0], v = t[2] - t[0], n = cross(u, v);
    const double longest2 = std::max({norm2(u), norm2(v), norm2(v - u)}), twice = norm(n);
    const Vec3& m = a_.tree.middle;
    Lone out;
    out.box = box_around(t);
    out.corners = {t[0] - m, t[1] - m, t[2] - m};
    out.rounding = kRounding * (std::sqrt(longest2) + norm(p_));
    out.on_plane = out.box.centre;
    if (twice > kNeedle * longest2) out.n = n / twice, out.on_plane = t[0] - a_.tree.middle;
    return out;
  }
  void meet(std::uint32_t a, std::uint32_t b) {
    const double before = best_.square;
    const Corners A = corners(placed_.a, a), B = corners(placed_.b, b);
    const Vec3& d = ahead_.d;
    if (ahead_.excludes(std::max({dot(d, A[0]), dot(d, A[1]), dot(d, A[2])}),
                        std::min({dot(d, B[0]), dot(d, B[1]), dot(d, B[2])}))) {
      return;
    }
    if (is_beside(A, B, before) || is_beside(B, A, before)) return;
    consider_triangles(A, B, best_);
    if (!(best_.square < before)) return;
    nearest_ = {a, b};
    look_along(best_.b - best_.a);
  }

  const TriangleSurface &a_, &b_;
  PlacedPair placed_;
  Mat3 R_;
  Vec3 p_;
  Nearest best_;
  Ahead ahead_;
  ItemPair nearest_{kNoIndex, kNoIndex};
  std::vector<ItemPair>& stack_;
};

}  // namespace

SurfaceDistance find_distance(const TriangleSurface& A, const TriangleSurface& B, const Pose& X_AB,
                              Faces faces, double most, TreePairs& scratch, ItemPair* guess) {
  if (A.tree.nodes.empty() || B.tree.nodes.empty() || are_apart(A.tree, B.tree, X_AB, most)) {
    return {most, {}, {}, false};
  }
  Search search(A, B, X_AB, faces, most, scratch);
  if (guess) search.expect(*guess);
  const SurfaceDistance found = search.run(most);
  if (guess) *guess = search.nearest();
  return found;
}

}  // namespace carom::triangles
