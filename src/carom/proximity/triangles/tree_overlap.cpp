#include "carom/proximity/triangles/tree_overlap.h"

#include <cmath>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace carom::triangles {
namespace {

using Float4 = float __attribute__((vector_size(16)));
using Mask4 = std::int32_t __attribute__((vector_size(16)));
using Node = Box4Tree::Node;

Float4 load(const float* p) { return *reinterpret_cast<const Float4*>(p); }
Float4 all(float x) { return Float4{x, x, x, x}; }
Float4 magnitude(Float4 x) { return x < 0.0f ? -x : x; }

/// One bit per lane.
unsigned bits(Mask4 m) {
#if defined(__SSE2__)
  return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(m)));
#else
  return (m[0] & 1u) | (m[1] & 2u) | (m[2] & 4u) | (m[3] & 8u);
#endif
}

/// How boxes of one tree are seen from the frame of the other.
struct View {
  Float4 R[3][3];     ///< axes of the guest in the host's frame; [host axis][guest axis]
  Float4 size[3][3];  ///< their magnitudes
  Float4 p[3];        ///< middle of the guest's tree in the host's [m]
  Float4 slack;       ///< bound of the rounding of the test, and half the margin [m]
};

/// Four boxes of the guest's node: centres and reach along the axes of the host.
struct Guests {
  Float4 centre[3], reach[3], half[3];

  Guests(const View& v, const Node& node) {
    for (int i = 0; i < 3; ++i) half[i] = load(node.half[i]);
    for (int i = 0; i < 3; ++i) {
      centre[i] = v.p[i] + v.R[i][0] * load(node.centre[0]) + v.R[i][1] * load(node.centre[1]) +
                  v.R[i][2] * load(node.centre[2]);
      reach[i] = v.slack + v.size[i][0] * half[0] + v.size[i][1] * half[1] + v.size[i][2] * half[2];
    }
  }
};

/// Which of the four boxes of `host` meet guest number `lane`.
unsigned meet(const View& v, const Node& host, const Guests& guests, int lane) {
  Float4 t[3], h[3];
  Mask4 apart{};
  for (int i = 0; i < 3; ++i) {
    t[i] = all(guests.centre[i][lane]) - load(host.centre[i]);
    h[i] = load(host.half[i]);
    apart |= magnitude(t[i]) > h[i] + all(guests.reach[i][lane]);
  }
  if (bits(apart) == 15u) return 0;
  for (int j = 0; j < 3; ++j) {
    const Float4 along = v.R[0][j] * t[0] + v.R[1][j] * t[1] + v.R[2][j] * t[2];
    const Float4 reach = v.slack + all(guests.half[j][lane]) + v.size[0][j] * h[0] +
                         v.size[1][j] * h[1] + v.size[2][j] * h[2];
    apart |= magnitude(along) > reach;
  }
  return ~bits(apart) & 15u;
}

View make_view(const Pose& X, double slack) {
  View v;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const auto r = static_cast<float>(X.R(i, j));
      v.R[i][j] = all(r), v.size[i][j] = all(std::abs(r));
    }
    v.p[i] = all(static_cast<float>(X.p[i]));
  }
  v.slack = all(static_cast<float>(slack));
  return v;
}

class Traversal {
 public:
  Traversal(const Box4Tree& A, const Box4Tree& B, const Pose& X_MaMb, double slack, TreePairs& out)
      : a_(A),
        b_(B),
        in_a_(make_view(X_MaMb, slack)),
        in_b_(make_view(inverse(X_MaMb), slack)),
        out_(out) {}

  void run() {
    out_.stack.push_back({0, 0});
    while (!out_.stack.empty()) {
      const ItemPair at = out_.stack.back();
      out_.stack.pop_back();
      const Node& node = b_.nodes[at.b];
      const Guests guests(in_a_, node);
      for (int lane = 0; lane < 4; ++lane) {
        if (node.child[lane] != Box4Tree::kNothing) meet_in_a(at.a, guests, lane, node.child[lane]);
      }
    }
  }

 private:
  /// The child `b` of B against the four children of a node of A.
  void meet_in_a(std::uint32_t host, const Guests& guests, int lane, std::int32_t b) {
    const Node& node = a_.nodes[host];
    for (unsigned met = meet(in_a_, node, guests, lane); met != 0; met &= met - 1) {
      const int at = __builtin_ctz(met);
      const std::int32_t a = node.child[at];
      if (Box4Tree::is_item(b)) {
        if (Box4Tree::is_item(a)) {
          out_.items.push_back({Box4Tree::item(a), Box4Tree::item(b)});
        } else {
          meet_in_a(static_cast<std::uint32_t>(a), guests, lane, b);
        }
      } else if (Box4Tree::is_item(a)) {
        meet_in_b(static_cast<std::uint32_t>(b), Guests(in_b_, node), at, Box4Tree::item(a));
      } else {
        out_.stack.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
      }
    }
  }

  /// An item of A against everything below a node of B.
  void meet_in_b(std::uint32_t host, const Guests& guests, int lane, std::uint32_t a) {
    const Node& node = b_.nodes[host];
    for (unsigned met = meet(in_b_, node, guests, lane); met != 0; met &= met - 1) {
      const std::int32_t b = node.child[__builtin_ctz(met)];
      if (Box4Tree::is_item(b)) {
        out_.items.push_back({a, Box4Tree::item(b)});
      } else {
        meet_in_b(static_cast<std::uint32_t>(b), guests, lane, a);
      }
    }
  }

  const Box4Tree& a_;
  const Box4Tree& b_;
  const View in_a_, in_b_;
  TreePairs& out_;
};

}  // namespace

bool are_apart(const Box4Tree& A, const Box4Tree& B, const Pose& X_AB, double margin) {
  for (const double r : X_AB.R.m) {
    if (!std::isfinite(r)) return true;
  }
  const double reach = norm(A.half) + norm(B.half) + margin;
  return !(norm(X_AB * B.middle - A.middle) <= 1.001 * reach);  // nor if it is no number
}

void find_overlaps(const Box4Tree& A, const Box4Tree& B, const Pose& X_AB, double margin,
                   TreePairs& out) {
  out.items.clear();
  out.stack.clear();
  if (A.nodes.empty() || B.nodes.empty() || are_apart(A, B, X_AB, margin)) return;
  const Pose X_MaMb{X_AB.R, X_AB * B.middle - A.middle};
  // Some ten operations in float on numbers up to this size: 16 units in the last place.
  const double slack = 1e-6 * (norm(A.half) + norm(B.half) + norm(X_MaMb.p));
  Traversal(A, B, X_MaMb, slack + margin, out).run();
}

}  // namespace carom::triangles
