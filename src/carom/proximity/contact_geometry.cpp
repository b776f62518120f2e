#include "carom/proximity/contact_geometry.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace carom {
namespace {

// Radii below this count as sharp; the curvature is reported as infinite.
constexpr double kSharpRadius = 1e-12;
constexpr double kNoWeight = 1e-12;

/// The pieces of one body that carry the contact.
struct Carriers {
  Vec3 point[3];
  std::uint32_t piece[3];
  double weight[3];
  bool moves[3];
  int count = 0;
};

Carriers carriers(const ActiveSet& s, bool of_a) {
  Carriers c;
  for (int i = 0; i < s.count; ++i) {
    const ActivePiece& p = s.piece[i];
    if (p.weight <= kNoWeight && s.count > 1) continue;
    const Vec3& x = of_a ? p.a : p.b;
    const std::uint32_t id = of_a ? p.piece_a : p.piece_b;
    int k = 0;
    while (k < c.count && !(c.piece[k] == id && norm2(c.point[k] - x) <= 1e-20 * norm2(x))) ++k;
    if (k == c.count) {
      c.point[k] = x, c.piece[k] = id, c.weight[k] = 0.0, c.moves[k] = of_a ? p.moves_a : p.moves_b;
      ++c.count;
    }
    c.weight[k] += p.weight;
  }
  return c;
}

/// Symmetric in the pieces: their order depends on the history.
std::uint32_t key_of(std::span<const std::uint32_t> pieces) {
  std::uint32_t sum = 0, product = 1;
  for (const std::uint32_t piece : pieces) sum += piece, product *= 2 * piece + 3;
  return sum + 2654435761u * product;
}

ContactFeature feature(const Carriers& c, bool face, const Core& core, const PieceKind& kind,
                       const Vec3& n) {
  ContactFeature f;
  Vec3 normal;
  if (face || (c.count == 3 && kind.flat_face && kind.flat_face(core, n, normal))) {
    kind.flat_face(core, n, normal);
    f.dimension = 2;
    for (std::size_t i = 0; i < 3; ++i) {
      if (std::abs(normal[i]) > 0.5) f = face_feature(i, normal[i] < 0.0);
    }
    return f;
  }
  f.dimension = static_cast<std::uint8_t>(std::max(c.count, 1) - 1);
  f.key = key_of({c.piece, static_cast<std::size_t>(c.count)});
  return f;
}

/// Radii of curvature in the basis, weighted over the carriers, with rounding.
SurfaceCurvature radii(const Core& core, const PieceKind& kind, const Carriers& c, const Vec3& n,
                       const Vec3& e1, const Vec3& e2) {
  SurfaceCurvature r{core.rounding, 0.0, core.rounding};
  for (int i = 0; i < c.count; ++i) {
    if (!c.moves[i]) continue;
    const Sym3 h = kind.derivatives(core, c.piece[i], n).hessian;
    const Vec3 h1 = h * e1, h2 = h * e2;
    r.xx += c.weight[i] * dot(e1, h1), r.xy += c.weight[i] * dot(e2, h1);
    r.yy += c.weight[i] * dot(e2, h2);
  }
  return r;
}

SurfaceCurvature inverse(const SurfaceCurvature& r) {
  // By eigenvalues, so that one sharp direction does not spoil the other.
  const double mean = 0.5 * (r.xx + r.yy), half = 0.5 * (r.xx - r.yy);
  const double root = std::sqrt(half * half + r.xy * r.xy);
  const double k_major = 1.0 / std::max(mean + root, kSharpRadius);
  const double k_minor = 1.0 / std::max(mean - root, kSharpRadius);
  const double c = root > 0.0 ? half / root : 1.0, s = root > 0.0 ? r.xy / root : 0.0;
  const double sum = 0.5 * (k_major + k_minor), diff = 0.5 * (k_major - k_minor);
  return {sum + diff * c, diff * s, sum - diff * c};
}

SurfaceCurvature curvature(const Core& core, const PieceKind& kind, const Carriers& c,
                           int dimension, const Vec3& ruling, const Vec3& n, const Vec3& e1,
                           const Vec3& e2) {
  if (dimension >= 2) return {};
  const SurfaceCurvature r = radii(core, kind, c, n, e1, e2);
  if (dimension == 0) return inverse(r);
  double ux = dot(e1, ruling), uy = dot(e2, ruling);
  const double length = std::sqrt(ux * ux + uy * uy);
  if (!(length > 0.0)) return inverse(r);
  const double vx = -uy / length, vy = ux / length;
  const double radius = vx * (r.xx * vx + r.xy * vy) + vy * (r.xy * vx + r.yy * vy);
  const double k = 1.0 / std::max(radius, kSharpRadius);
  return {k * vx * vx, k * vx * vy, k * vy * vy};
}

}  // namespace

SurfaceCurvature piece_curvature(const Core& core, const PieceKind& kind, std::uint32_t piece,
                                 const Vec3& n, const Vec3& e1, const Vec3& e2) {
  Carriers c;
  c.piece[0] = piece, c.weight[0] = 1.0, c.moves[0] = kind.curved, c.count = 1;
  return inverse(radii(core, kind, c, n, e1, e2));
}

double ball_curvature(double radius) {
  return radius > 2.0 * kSharpRadius ? 1.0 / radius : std::numeric_limits<double>::infinity();
}

ContactFeature vertex_feature(std::uint32_t piece) { return {0, key_of({&piece, 1})}; }

ContactFeature face_feature(std::size_t axis, bool negative) {
  return {2, static_cast<std::uint32_t>(2 * axis + negative)};
}

void exchange(Contact& c) {
  c.n_AB_W = -c.n_AB_W;
  std::swap(c.p_WCa, c.p_WCb);
  std::swap(c.feature_a, c.feature_b);
}

void set_principal_curvatures(const SurfaceCurvature& k, const Vec3& e1, const Vec3& e2,
                              Contact& contact) {
  const double mean = 0.5 * (k.xx + k.yy), half = 0.5 * (k.xx - k.yy);
  const double root = std::sqrt(half * half + k.xy * k.xy);
  const auto capped = [](double x) {
    return x >= 0.5 / kSharpRadius ? std::numeric_limits<double>::infinity() : std::max(x, 0.0);
  };
  contact.k1 = capped(mean + root), contact.k2 = capped(mean - root);
  // Eigenvector of the larger eigenvalue: (half + root, xy) or (xy, root - half).
  const double x = half >= 0.0 ? half + root : k.xy, y = half >= 0.0 ? k.xy : root - half;
  const double length = std::sqrt(x * x + y * y);
  contact.k1_direction_W = length > 0.0 ? (x / length) * e1 + (y / length) * e2 : e1;
}

void describe_contact(const Minkowski& M, const Optimum& o, const Pose& X_WA, Contact& contact) {
  const Core &A = *M.A, &B = *M.B;
  Vec3 a, b;
  double sum = 0.0;
  for (int i = 0; i < o.set.count; ++i) {
    a += o.set.piece[i].weight * o.set.piece[i].a;
    b += o.set.piece[i].weight * o.set.piece[i].b;
    sum += o.set.piece[i].weight;
  }
  const double out_a = M.inner_a + A.rounding, out_b = M.inner_b + B.rounding;
  contact.phi = o.phi - (out_a + out_b);
  const Vec3 middle = 0.5 / sum * (a + b) + 0.5 * (out_a - out_b) * o.n;
  contact.n_AB_W = X_WA.R * o.n;
  const Vec3 p_WC = X_WA * middle;
  contact.p_WCa = p_WC - (0.5 * contact.phi) * contact.n_AB_W;
  contact.p_WCb = p_WC + (0.5 * contact.phi) * contact.n_AB_W;

  const Carriers ca = carriers(o.set, true), cb = carriers(o.set, false);
  const Vec3 n_B = -transpose_times(M.R, o.n);
  contact.feature_a = feature(ca, o.face_a, A, *M.kind_a, o.n);
  contact.feature_b = feature(cb, o.face_b, B, *M.kind_b, n_B);
  const Vec3 e1 = any_perpendicular(o.n), e2 = cross(o.n, e1);
  const Vec3 ruling_a = ca.count > 1 ? ca.point[1] - ca.point[0] : Vec3{};
  const Vec3 ruling_b = cb.count > 1 ? cb.point[1] - cb.point[0] : Vec3{};
  const SurfaceCurvature ka =
      curvature(A, *M.kind_a, ca, contact.feature_a.dimension, ruling_a, o.n, e1, e2);
  const SurfaceCurvature kb =
      curvature(B, *M.kind_b, cb, contact.feature_b.dimension, transpose_times(M.R, ruling_b), n_B,
                transpose_times(M.R, e1), transpose_times(M.R, e2));
  set_principal_curvatures({ka.xx + kb.xx, ka.xy + kb.xy, ka.yy + kb.yy}, X_WA.R * e1, X_WA.R * e2,
                           contact);
}

}  // namespace carom
