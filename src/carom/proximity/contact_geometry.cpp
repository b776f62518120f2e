#include "carom/proximity/contact_geometry.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "carom/geometry/superquadric_core.h"

namespace carom {
namespace {

// Radii below this count as sharp; the curvature is reported as infinite.
constexpr double kSharpRadius = 1e-12;
constexpr double kNoWeight = 1e-12;

/// The pieces of one body that carry the contact.
struct Carriers {
  union {
    Vec3 point[3];  ///< set where there are several
  };
  std::uint32_t piece[3];
  double weight[3];
  bool moves[3];
  int count = 0;

  Carriers() {}
  /// Do all points stay where they are when the normal turns?
  bool fixed() const {
    for (int i = 0; i < count; ++i) {
      if (moves[i]) return false;
    }
    return true;
  }
  Vec3 ruling() const { return count > 1 ? point[1] - point[0] : Vec3{}; }
};

Carriers carriers(const ActiveSet& s, bool of_a) {
  Carriers c;
  if (s.count == 1) {
    const ActivePiece& p = s.piece[0];
    c.piece[0] = of_a ? p.piece_a : p.piece_b, c.weight[0] = p.weight;
    c.moves[0] = of_a ? p.moves_a : p.moves_b;
    c.count = 1;
    return c;
  }
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

/// Radii of curvature in the basis, weighted over the carriers, with rounding.
SurfaceCurvature piece_radii(const Core& core, const PieceKind& kind, const Carriers& c,
                             const Vec3& n, const Vec3& e1, const Vec3& e2) {
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

/// Faces of a superquadric are flatter than what is behind them: radii end at twice the size of
/// the body, smoothly (1e-3 at half of that). Without it the stiffness of a point had no bound.
SurfaceCurvature bounded(const Core& core, const SurfaceCurvature& k) {
  if (core.kind != &core_superquadric || (core.v[1].x == 2.0 && core.v[1].y == 2.0)) return k;
  const double mean = 0.5 * (k.xx + k.yy), half = 0.5 * (k.xx - k.yy);
  const double root = std::sqrt(half * half + k.xy * k.xy);
  const double least = 0.5 / core.kind->radius(core);
  const auto from_below = [&](double x) {
    const double most = std::max(x, least), low = std::pow(std::min(x, least) / most, 8.0);
    return most * std::pow(1.0 + low, 0.125);
  };
  const double major = from_below(mean + root), minor = from_below(std::max(mean - root, 0.0));
  const double c = root > 0.0 ? half / root : 1.0, s = root > 0.0 ? k.xy / root : 0.0;
  const double sum = 0.5 * (major + minor), difference = 0.5 * (major - minor);
  return {sum + difference * c, difference * s, sum - difference * c};
}

/// Curvature across a straight line of the surface, along which there is none.
SurfaceCurvature across(double ux, double uy, const SurfaceCurvature& r) {
  const double length = std::sqrt(ux * ux + uy * uy);
  if (!(length > 0.0)) return inverse(r);
  const double vx = -uy / length, vy = ux / length;
  const double radius = vx * (r.xx * vx + r.xy * vy) + vy * (r.xy * vx + r.yy * vy);
  const double k = 1.0 / std::max(radius, kSharpRadius);
  return {k * vx * vx, k * vx * vy, k * vy * vy};
}

/// What one body contributes. `R` takes its axes to those of the basis; null: they are the same.
struct Side {
  const Core& core;
  const PieceKind& kind;
  const Mat3* R;

  Vec3 own(const Vec3& d) const { return R ? transpose_times(*R, d) : d; }

  /// Radii of curvature in the basis, weighted over the carriers, with rounding.
  SurfaceCurvature radii(const Optimum& o, const Carriers& c, const Vec3& e1,
                         const Vec3& e2) const {
    if (!o.evaluated) return piece_radii(core, kind, c, own(R ? -o.n : o.n), own(e1), own(e2));
    SurfaceCurvature r{core.rounding, 0.0, core.rounding};
    for (int i = 0; i < o.set.count; ++i) {
      const ActivePiece& p = o.set.piece[i];
      const TangentForm& own_radii = R ? p.radii_b : p.radii_a;
      r.xx += p.weight * own_radii.xx, r.xy += p.weight * own_radii.xy;
      r.yy += p.weight * own_radii.yy;
    }
    return r;
  }

  SurfaceCurvature curvature(const Optimum& o, const Carriers& c, int dimension, const Vec3& e1,
                             const Vec3& e2) const {
    if (dimension >= 2) return {};
    SurfaceCurvature r{core.rounding, 0.0, core.rounding};
    if (c.fixed()) {
      const double k = 1.0 / std::max(core.rounding, kSharpRadius);
      if (dimension == 0) return {k, 0.0, k};
    } else {
      r = radii(o, c, e1, e2);
      if (dimension == 0) return bounded(core, inverse(r));
    }
    const Vec3 ruling = c.ruling();
    return across(dot(e1, ruling), dot(e2, ruling), r);
  }
};

ContactFeature feature(const Carriers& c, bool face, const Side& side, const Vec3& n) {
  ContactFeature f;
  if (face || (c.count == 3 && side.kind.flat_face)) {
    Vec3 normal;
    if (side.kind.flat_face(side.core, side.own(n), normal) || face) {
      f.dimension = 2;
      for (std::size_t i = 0; i < 3; ++i) {
        if (std::abs(normal[i]) > 0.5) f = face_feature(i, normal[i] < 0.0);
      }
      return f;
    }
  }
  f.dimension = static_cast<std::uint8_t>(std::max(c.count, 1) - 1);
  f.key = key_of({c.piece, static_cast<std::size_t>(c.count)});
  return f;
}

/// Across a sharp edge, if there is one: beside its curvature, of 1e12, what other bodies have
/// along it is lost in any other basis, and stiffness trembles by 1e-5 of itself.
Vec3 first_tangent(const Carriers& a, const Carriers& b, const Vec3& n) {
  for (const Carriers* c : {&a, &b}) {
    if (c->count == 2 && c->fixed()) return across_edge(c->ruling(), n);
  }
  return any_perpendicular(n);
}

}  // namespace

Vec3 across_edge(const Vec3& along, const Vec3& n) {
  const Vec3 across = cross(along, n);
  const double length = norm(across);
  return length > 0.0 ? across / length : any_perpendicular(n);
}

SurfaceCurvature piece_curvature(const Core& core, const PieceKind& kind, std::uint32_t piece,
                                 const Vec3& n, const Vec3& e1, const Vec3& e2) {
  Carriers c;
  c.piece[0] = piece, c.weight[0] = 1.0, c.moves[0] = kind.curved, c.count = 1;
  return bounded(core, inverse(piece_radii(core, kind, c, n, e1, e2)));
}

double ball_curvature(double radius) {
  return radius > 2.0 * kSharpRadius ? 1.0 / radius : std::numeric_limits<double>::infinity();
}

ContactFeature vertex_feature(std::uint32_t piece) { return {0, key_of({&piece, 1})}; }

ContactFeature edge_feature(std::uint32_t end, std::uint32_t other_end) {
  const std::uint32_t ends[2] = {end, other_end};
  return {1, key_of(ends)};
}

ContactFeature face_feature(std::size_t axis, bool negative) {
  return {2, static_cast<std::uint32_t>(2 * axis + negative)};
}

void exchange(Contact& c) {
  c.n_AB_W = -c.n_AB_W;
  std::swap(c.p_WCa, c.p_WCb);
  std::swap(c.feature_a, c.feature_b);
  std::swap(c.state_a, c.state_b);
  std::swap(c.own_a, c.own_b);
  c.own_a.xy = -c.own_a.xy, c.own_b.xy = -c.own_b.xy;  // the second tangent turns over
}

void set_principal_curvatures(const SurfaceCurvature& a, const SurfaceCurvature& b, const Vec3& e1,
                              const Vec3& e2, Contact& contact) {
  const SurfaceCurvature k{a.xx + b.xx, a.xy + b.xy, a.yy + b.yy};
  const double mean = 0.5 * (k.xx + k.yy), half = 0.5 * (k.xx - k.yy);
  const double root = std::sqrt(half * half + k.xy * k.xy);
  const auto capped = [](double x) {
    return x >= 0.5 / kSharpRadius ? std::numeric_limits<double>::infinity() : std::max(x, 0.0);
  };
  // The smaller one without the difference of two large ones.
  const double off2 = k.xy * k.xy;
  double small = half >= 0.0 ? k.yy : k.xx;
  if (off2 > 0.0) small -= off2 / (std::abs(half) + root);
  contact.k1 = capped(mean + root), contact.k2 = capped(small);
  // Eigenvector of the larger eigenvalue: (half + root, xy) or (xy, root - half).
  const double x = half >= 0.0 ? half + root : k.xy, y = half >= 0.0 ? k.xy : root - half;
  const double length = std::sqrt(x * x + y * y);
  contact.own_a = a, contact.own_b = b;
  contact.k1_direction_W = e1;
  if (!(length > 0.0)) return;
  const double c = x / length, s = y / length;
  contact.k1_direction_W = c * e1 + s * e2;
  const auto turned = [&](const SurfaceCurvature& f) {
    const double cross_term = 2.0 * c * s * f.xy;
    return SurfaceCurvature{c * c * f.xx + cross_term + s * s * f.yy,
                            c * s * (f.yy - f.xx) + (c * c - s * s) * f.xy,
                            s * s * f.xx - cross_term + c * c * f.yy};
  };
  contact.own_a = turned(a), contact.own_b = turned(b);
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
  const Vec3 e1 = first_tangent(ca, cb, o.n), e2 = cross(o.n, e1);
  const Side side_a{A, *M.kind_a, nullptr}, side_b{B, *M.kind_b, &M.R};
  contact.feature_a = feature(ca, o.face_a, side_a, o.n);
  contact.feature_b = feature(cb, o.face_b, side_b, -o.n);
  const SurfaceCurvature ka = side_a.curvature(o, ca, contact.feature_a.dimension, e1, e2),
                         kb = side_b.curvature(o, cb, contact.feature_b.dimension, e1, e2);
  set_principal_curvatures(ka, kb, X_WA.R * e1, X_WA.R * e2, contact);
}

}  // namespace carom
