// Two boxes, by the fifteen directions that can be normal to a facet of B - A: the faces
// of both and the products of their edges [Gottschalk 1996].
//
// Where all gaps along them are negative the largest is the signed distance. Where one is
// positive the boxes are apart, and the nearest features are found here if they are a
// vertex and a face or two edges; else the general search finds them.
#include <algorithm>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/pair_kernel.h"

namespace carom {
namespace {

// Edges that are parallel to this sine span no direction that the faces do not.
constexpr double kParallel = 1e-6;

struct Widest {
  double gap = -1e300;
  int direction = 0;  ///< 0..2 faces of A, 3..5 faces of B, 6 + 3 i + j edges i of A and j of B
};

void consider(double gap, int direction, Widest& best) {
  if (gap > best.gap) best.gap = gap, best.direction = direction;
}

Widest widest_gap(const Minkowski& M) {
  const Vec3 &a = M.A->v[0], &b = M.B->v[0], &t = M.t;
  const Mat3& R = M.R;
  Mat3 C;
  for (std::size_t i = 0; i < 9; ++i) C.m[i] = std::abs(R.m[i]);
  Widest best;
  for (std::size_t i = 0; i < 3; ++i) {
    consider(std::abs(t[i]) - a[i] - dot(C.row(i), b), static_cast<int>(i), best);
    consider(std::abs(dot(R.col(i), t)) - b[i] - dot(C.col(i), a), static_cast<int>(3 + i), best);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double sine2 = R(i1, j) * R(i1, j) + R(i2, j) * R(i2, j);
      const double gap = std::abs(t[i2] * R(i1, j) - t[i1] * R(i2, j)) - a[i1] * C(i2, j) -
                         a[i2] * C(i1, j) - b[j1] * C(i, j2) - b[j2] * C(i, j1);
      // Most of the nine are out before the root and the division.
      if (sine2 < kParallel * kParallel ||
          (gap < 0.0 && gap * gap >= best.gap * best.gap * sine2 && best.gap < 0.0)) {
        continue;
      }
      consider(gap / std::sqrt(sine2), static_cast<int>(6 + 3 * i + j), best);
    }
  }
  return best;
}

/// The edge of a box along axis `i` that is farthest along `n` (in its axes): its middle,
/// and the piece of its positive end.
Vec3 farthest_edge(const Vec3& h, std::size_t i, const Vec3& n, std::uint32_t& piece) {
  Vec3 middle;
  piece = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (k == i) continue;
    middle[k] = n[k] >= 0.0 ? h[k] : -h[k];
    if (n[k] < 0.0) piece |= 1u << k;
  }
  return middle;
}

bool on_edges(const Minkowski& M, std::size_t i, std::size_t j, Optimum& out) {
  const Vec3 &a = M.A->v[0], &b = M.B->v[0];
  Vec3 u, n;
  u[i] = 1.0;
  const Vec3 v = M.R.col(j);
  n = normalized(cross(u, v));
  if (dot(n, M.t) < 0.0) n = -n;
  std::uint32_t piece_a = 0, piece_b = 0;
  const Vec3 p = farthest_edge(a, i, n, piece_a);
  const Vec3 q = M.t + M.R * farthest_edge(b, j, -transpose_times(M.R, n), piece_b);
  const Vec3 d = q - p;
  const double k = v[i], du = d[i], dv = dot(d, v), sine2 = 1.0 - k * k;
  const double x = (du - k * dv) / sine2, y = (k * du - dv) / sine2;
  if (std::abs(x) > a[i] || std::abs(y) > b[j]) return false;
  out.n = n, out.phi = dot(n, d), out.face_a = out.face_b = false;
  // Three of the four pairs of ends, so that all weights are positive.
  const double s = 0.5 * (1.0 + x / a[i]), r = 0.5 * (1.0 + y / b[j]);
  const auto end = [&](bool plus_a, bool plus_b, double weight) {
    set_active(out.set, false, plus_a ? piece_a : piece_a | 1u << i,
               plus_a ? p + a[i] * u : p - a[i] * u, plus_b ? piece_b : piece_b | 1u << j,
               plus_b ? q + b[j] * v : q - b[j] * v, weight);
  };
  if (s + r <= 1.0) {
    end(false, false, 1.0 - s - r), end(true, false, s), end(false, true, r);
  } else {
    end(true, true, s + r - 1.0), end(false, true, 1.0 - s), end(true, false, 1.0 - r);
  }
  return true;
}

bool solve(const Minkowski& M, bool, Optimum& out) {
  const Widest best = widest_gap(M);
  if (best.direction >= 6) {
    const auto edges = static_cast<std::size_t>(best.direction - 6);
    return on_edges(M, edges / 3, edges % 3, out);
  }
  Vec3 normal;
  const auto i = static_cast<std::size_t>(best.direction % 3);
  if (best.direction < 3) {
    normal[i] = M.t[i] < 0.0 ? -1.0 : 1.0;
    return optimum_on_face_of_a(M, normal, out);
  }
  normal[i] = dot(M.R.col(i), M.t) > 0.0 ? -1.0 : 1.0;
  return optimum_on_face_of_b(M, normal, out);
}

}  // namespace

extern const PairKernel pair_box_box{"box-box", &core_box, &core_box, solve, false};

}  // namespace carom
