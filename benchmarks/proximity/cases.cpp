#include "cases.h"

#include <random>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/distance.h"

namespace carom::bench {
namespace {

Body body(Kind kind, const Vec3& size, double rounding = 0.0) {
  Body b{kind, size, rounding, nullptr, {}};
  Core& c = b.core;
  switch (kind) {
    case Kind::sphere: c = make_point_core({}, size.x + rounding); return b;
    case Kind::capsule:
      c = make_segment_core({-size.y, 0, 0}, {size.y, 0, 0}, size.x + rounding);
      return b;
    case Kind::box: c.kind = &core_box, c.v[0] = size; break;
    case Kind::ellipsoid: c.kind = &core_ellipsoid, c.v[0] = size; break;
    case Kind::cylinder: c.kind = &core_cylinder, c.v[0] = {size.y, size.x, 0.0}; break;
    case Kind::cone:
      c.kind = &core_frustum;
      c.v[0] = {-0.5 * size.y, size.x, 0.0}, c.v[1] = {0.5 * size.y, 0.0, 0.0};
      break;
    case Kind::hull: break;
  }
  c.rounding = rounding;
  return b;
}

Vec3 random_unit(std::mt19937& gen) {
  std::normal_distribution<double> normal;
  return normalized(Vec3{normal(gen), normal(gen), normal(gen)});
}

Body hull(int points, unsigned seed) {
  std::mt19937 gen(seed);
  std::vector<Vec3> p;
  for (int i = 0; i < points; ++i) {
    const Vec3 u = random_unit(gen);
    p.push_back({double(float(0.6 * u.x)), double(float(0.5 * u.y)), double(float(0.4 * u.z))});
  }
  Body b{Kind::hull, {}, 0.0, std::make_shared<Polytope>(make_polytope(p)), {}};
  b.core.kind = &core_polytope, b.core.data = b.hull.get();
  return b;
}

Mat3 random_rotation(std::mt19937& gen) {
  return axis_angle(random_unit(gen), std::uniform_real_distribution<double>(0, 6.28)(gen));
}

/// A point of the surface and its outward normal, in the axes of the body: mostly in a
/// flat face where the body has some, else in a free direction.
void surface_sample(const Body& b, bool face, std::mt19937& gen, Vec3& n, Vec3& p) {
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  n = random_unit(gen);
  if (face && b.kind == Kind::box) {
    const std::size_t axis = gen() % 3;
    const double sign = gen() % 2 ? 1.0 : -1.0;
    n = {}, n[axis] = sign;
    p = {b.size.x * u(gen), b.size.y * u(gen), b.size.z * u(gen)};
    p[axis] = sign * b.size[axis];
    p += b.core.rounding * n;
    return;
  }
  if (face && b.kind == Kind::hull) {
    const PolytopeFace& f = b.hull->faces[gen() % b.hull->faces.size()];
    const auto v = b.hull->vertices_of(f);
    double w[3] = {0.1 + std::abs(u(gen)), 0.1 + std::abs(u(gen)), 0.1 + std::abs(u(gen))};
    p = {};
    for (std::size_t i = 0; i < 3; ++i) p += w[i] / (w[0] + w[1] + w[2]) * b.hull->vertices[v[i]];
    n = f.normal;
    return;
  }
  if (face && b.kind == Kind::cylinder) {
    if (gen() % 2) {
      n = {gen() % 2 ? 1.0 : -1.0, 0.0, 0.0};
      const double r = b.size.x * std::sqrt(std::abs(u(gen))), a = 3.2 * u(gen);
      p = {n.x * b.size.y, r * std::cos(a), r * std::sin(a)};
    } else {
      const double a = 3.2 * u(gen);
      n = {0.0, std::cos(a), std::sin(a)};
      p = {b.size.y * u(gen), b.size.x * n.y, b.size.x * n.z};
    }
    p += b.core.rounding * n;
    return;
  }
  p = surface_point(b.core, n);
}

double draw_distance(PoseClass c, std::mt19937& gen) {
  std::uniform_real_distribution<double> u(0.0, 1.0);
  switch (c) {
    case PoseClass::sep: return 0.1 + 0.4 * u(gen);
    case PoseClass::near: return 1e-3;
    case PoseClass::shallow: return -std::pow(10.0, -6.0 + 3.0 * u(gen));
    case PoseClass::deep: return -(0.1 + 0.15 * u(gen));
  }
  return 0.0;
}

/// B so that its point p_B with outward normal n_B meets A's point at distance d.
Pose place(const Pose& X_WA, const Vec3& a, const Vec3& n, const Mat3& R_WB, const Vec3& p_B,
           double d) {
  return {R_WB, X_WA * a + d * (X_WA.R * n) - R_WB * p_B};
}

/// The shortest rotation that takes the unit vector a to b.
Mat3 turn(const Vec3& a, const Vec3& b) {
  const Vec3 axis = cross(a, b);
  const double s = norm(axis), c = dot(a, b);
  if (s < 1e-12) return c > 0.0 ? Mat3{} : axis_angle(any_perpendicular(a), 3.141592653589793);
  return axis_angle(axis / s, std::atan2(s, c));
}

}  // namespace

std::vector<Pair> make_pairs() {
  const Body box = body(Kind::box, {0.5, 0.375, 0.25}),
             cylinder = body(Kind::cylinder, {0.375, 0.5, 0});
  const Body ellipsoid = body(Kind::ellipsoid, {0.625, 0.5, 0.375});
  const double r = 1.0 / 64.0;
  const Body rbox = body(Kind::box, {0.5, 0.375, 0.25}, r),
             rcyl = body(Kind::cylinder, {0.375, 0.5, 0}, r);
  return {{"sphere-box", body(Kind::sphere, {0.5, 0, 0}), box},
          {"box-box", box, box},
          {"capsule-cyl", body(Kind::capsule, {0.25, 0.5, 0}), cylinder},
          {"cyl-cyl", cylinder, cylinder},
          {"ell-ell", ellipsoid, ellipsoid},
          {"cone-box", body(Kind::cone, {0.375, 1.0, 0}), box},
          {"hull100", hull(100, 1), hull(100, 2)},
          {"hull1000", hull(1000, 3), hull(1000, 4)},
          {"rbox-rbox", rbox, rbox},
          {"rcyl-rcyl", rcyl, rcyl}};
}

std::vector<KnownPose> make_poses(const Pair& pair, PoseClass c, int count, int length,
                                  unsigned seed) {
  std::mt19937 gen(seed);
  std::vector<KnownPose> out;
  for (int tries = 0; static_cast<int>(out.size()) < count * length && tries < 200 * count;
       ++tries) {
    const bool face = c == PoseClass::shallow || c == PoseClass::deep || gen() % 2;
    const bool of_a = gen() % 2;
    Vec3 n_A, a, n_B, b;
    surface_sample(pair.A, face && of_a, gen, n_A, a);
    surface_sample(pair.B, face && !of_a, gen, n_B, b);
    Pose X_WA{random_rotation(gen), {}};
    Mat3 R_WB = random_rotation(gen);
    R_WB = turn(R_WB * n_B, -(X_WA.R * n_A)) * R_WB;
    const double d = draw_distance(c, gen);
    std::vector<KnownPose> sequence;
    const Vec3 spin = random_unit(gen);
    for (int i = 0; i < length; ++i) {
      const Vec3 n = X_WA.R * n_A;
      const KnownPose k{X_WA, place(X_WA, a, n_A, R_WB, b, d), d, n};
      // Only a shallower direction disproves the construction: a deeper answer, or a
      // wrong distance of separated bodies, is an error and stays in the statistics.
      const double shallowest = distance(pair.A.core, k.X_WA, pair.B.core, k.X_WB).phi;
      if (d < 0.0 && shallowest > d + 1e-9) break;
      sequence.push_back(k);
      // Everything turns about the normal or together, so that the answer stays known.
      X_WA.R = axis_angle(spin, 0.005) * X_WA.R;
      R_WB = axis_angle(X_WA.R * n_A, 0.01) * (axis_angle(spin, 0.005) * R_WB);
    }
    if (static_cast<int>(sequence.size()) == length)
      out.insert(out.end(), sequence.begin(), sequence.end());
  }
  return out;
}

}  // namespace carom::bench
