// Triangle meshes in convex bodies: against volumes in closed form, the volume that a mesh
// displaces, sums over fine parts of its triangles, and areas of the same convex bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "carom/geometry/shape.h"
#include "carom/math/spatial.h"
#include "carom/proximity/area/area_cores.h"
#include "carom/proximity/area/inner_depth.h"
#include "carom/proximity/area/mesh_area.h"
#include "carom/proximity/shape_piece.h"
#include "surface_meshes.h"

namespace carom {
namespace {

constexpr double kPi = std::numbers::pi;

Core area_core(const char* kind, std::vector<double> params) {
  return area_cores(make_shape({.kind = find_shape_kind(kind), .params = std::move(params)}))
      .front();
}

TriangleMesh box_mesh(const Vec3& size) {
  const Shape box = make_shape(
      {.kind = find_shape_kind("box"), .params = {size.x, size.y, size.z}, .edge_radius = 0.0});
  return tessellate(box, 8);
}

Mat3 turned(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Quat q{normal(random), normal(random), normal(random), normal(random)};
  const double k = 1.0 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return to_matrix(Quat{k * q.w, k * q.x, k * q.y, k * q.z});
}

struct MeshInBody {
  TriangleSurface mesh;
  Core core;
  Pose X_WM, X_WB;

  AreaBody body() const {
    const ShapePiece piece = make_piece(core, false);
    return {core, X_WB, piece.centre, piece.reach};
  }
  Contact contact() const { return mesh_distance({mesh, X_WM}, body(), true); }
  AreaPatch area() const {
    AreaPatch out;
    find_mesh_area({mesh, X_WM}, body(), true, out);
    return out;
  }
};

double energy_of(const AreaPatch& p) {
  double sum = 0.0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(p.count); ++i) {
    sum += 0.5 * p.points[i].area * p.points[i].u * p.points[i].u;
  }
  return sum;
}

/// Force on the body and its torque about a point, of a foundation of 1 Pa/m.
Wrench load_of(const AreaPatch& p, const Vec3& about) {
  Wrench sum;
  for (std::size_t i = 0; i < static_cast<std::size_t>(p.count); ++i) {
    const Vec3 f = p.points[i].area * p.points[i].u * p.points[i].n_W;
    sum += {cross(p.points[i].p_W - about, f), f};
  }
  return sum;
}

/// Volume of a closed mesh below z = 0: each triangle cut there, and the cone to a point of that
/// plane.
double displaced(const TriangleSurface& mesh, const Pose& X) {
  double sum = 0.0;
  for (const Triangle& t : mesh.triangles) {
    std::vector<Vec3> part;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 p = X * mesh.vertices[t[i]], q = X * mesh.vertices[t[(i + 1) % 3]];
      if (p.z <= 0.0) part.push_back(p);
      if ((p.z < 0.0) != (q.z < 0.0)) part.push_back(p + (p.z / (p.z - q.z)) * (q - p));
    }
    for (std::size_t i = 2; i < part.size(); ++i) {
      sum += dot(part[0], cross(part[i - 1], part[i])) / 6.0;
    }
  }
  return sum;
}

/// V of (1) in mesh_area.h over `cuts`² equal parts of every triangle, with depths by distance().
double volume_of_parts(const MeshInBody& m, int cuts) {
  double sum = 0.0;
  const Pose X = inverse(m.X_WB) * m.X_WM;
  const auto add = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 middle = (a + b + c) / 3.0, twice = cross(b - a, c - a);
    if (!(most_inner_depth(m.core, middle) > 0.0)) return;
    const Contact at = distance(m.core, {}, make_point_core(middle, 0.0), {});
    if (at.phi < 0.0) sum += std::max(0.0, 0.5 * dot(twice, at.n_AB_W) * at.phi);
  };
  for (const Triangle& t : m.mesh.triangles) {
    const Vec3 a = X * m.mesh.vertices[t[0]], b = X * m.mesh.vertices[t[1]],
               c = X * m.mesh.vertices[t[2]];
    const auto at = [&](int i, int k) {
      return a + (static_cast<double>(i) / cuts) * (b - a) +
             (static_cast<double>(k) / cuts) * (c - a);
    };
    for (int i = 0; i < cuts; ++i) {
      for (int k = 0; i + k < cuts; ++k) {
        add(at(i, k), at(i + 1, k), at(i, k + 1));
        if (i + k + 1 < cuts) add(at(i + 1, k), at(i + 1, k + 1), at(i, k + 1));
      }
    }
  }
  return sum;
}

TEST(MeshArea, OfASphereIsTheVolumeThatItDisplaces) {
  std::mt19937 random(1);
  const double R = 0.1;
  const TriangleSurface ball =
      make_triangle_surface(test::icosphere(4, [&](const Vec3&) { return R; }));
  ASSERT_EQ(ball.triangles.size(), 5120u);
  for (const double share : {0.005, 0.02, 0.1, 0.5}) {
    const double d = share * R;
    const Pose X{turned(random), {0.3, -0.2, R - d}};
    const MeshInBody m{ball, area_core("half_space", {}), X, {}};
    const AreaPatch patch = m.area();
    const double volume = displaced(ball, X);
    EXPECT_NEAR(patch.volume, volume, 1e-12 * volume) << share;
    // Facets lie below the sphere by 2 pi R/(3^½ N) in the mean.
    const double facets = 2.0 * kPi * R / (std::sqrt(3.0) * 5120.0);
    const double cap = kPi * (R * d * d - d * d * d / 3.0);
    EXPECT_NEAR(patch.volume / cap, 1.0 - 2.0 * facets / d, 0.3 * facets / d + 1e-3) << share;
    // In a half space the pressure acts straight up, at the centre of what is displaced.
    const Wrench load = load_of(patch, X.p);
    EXPECT_LT(norm(cross(load.f, Vec3{0.0, 0.0, 1.0})), 1e-15 * norm(load.f));
    EXPECT_LT(norm(load.t), 2e-3 * R * norm(load.f));
  }
}

TEST(MeshArea, OfACubeFlatOnAPlaneIsDepthTimesFace) {
  const Vec3 size{0.1, 0.08, 0.06};
  const double d = 2e-4;
  const MeshInBody m{make_triangle_surface(box_mesh(size)),
                     area_core("half_space", {}),
                     {Mat3{}, {0.5, 0.0, 0.03 - d}},
                     {}};
  const AreaPatch patch = m.area();
  EXPECT_NEAR(patch.area, 0.008, 1e-15);
  EXPECT_NEAR(patch.volume, 0.008 * d, 1e-12 * 0.008 * d);
  EXPECT_NEAR(energy_of(patch), 0.5 * 0.008 * d * d, 1e-12 * 0.004 * d * d);
  EXPECT_NEAR(m.contact().phi, -d, 1e-16);
}

TEST(MeshArea, IsTheSumOverPartsOfItsTriangles) {
  // Large triangles with small sections, edges and corners in the body, and fine meshes.
  std::mt19937 random(2);
  const TriangleSurface cube = make_triangle_surface(box_mesh({0.2, 0.16, 0.12}));
  const TriangleSurface ball =
      make_triangle_surface(test::icosphere(2, [](const Vec3&) { return 0.1; }));
  const Core cores[] = {
      area_core("sphere", {0.05}),          area_core("ellipsoid", {0.06, 0.05, 0.04}),
      area_core("capsule", {0.04, 0.1}),    area_core("cylinder", {0.05, 0.08}),
      area_core("cone", {0.06, 0.1, 0.02}), area_core("box", {0.1, 0.08, 0.06}),
  };
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (const Core& core : cores) {
    for (int trial = 0; trial < 8; ++trial) {
      MeshInBody m{trial % 2 ? ball : cube, core, {}, {turned(random), {}}};
      const Vec3 away = normalized(Vec3{unit(random), unit(random), unit(random)});
      m.X_WM = {turned(random), 0.25 * away};
      for (int i = 0; i < 3; ++i) m.X_WM.p -= m.contact().phi * away;
      m.X_WM.p -= 0.006 * away;
      if (!(m.contact().phi < 0.0)) continue;
      const double volume = m.area().volume, own = volume_of_parts(m, trial % 2 ? 24 : 120);
      // Parts see the jump of n at an edge of the body to their size: boxes are exact.
      const bool has_edges = has_depth_kinks(core) || depth_plane_count(core) > 0;
      EXPECT_NEAR(volume, own, (has_edges ? 0.03 : 6e-3) * own + 1e-12)
          << core.kind->name << " " << trial;
    }
  }
}

TEST(MeshArea, OfACubeOnABallIsThatOfThePlane) {
  // A ball in the middle of a face that has no corner near it: the volume of the cap.
  const double R = 0.05;
  for (const double share : {1e-4, 1e-3, 1e-2, 0.1}) {
    const double d = share * R;
    const MeshInBody m{make_triangle_surface(box_mesh({0.4, 0.4, 0.2})),
                       area_core("sphere", {R}),
                       {Mat3{}, {0.01, 0.023, -0.1 - R + d}},
                       {}};
    const AreaPatch patch = m.area();
    // Along the ball's own normals depth over the plane is R - |x|: a closed form of its own.
    const double z = R - d;
    // V = int (R - s)(z/s) dA, s = |x|: 2 pi z int_z^R (R - s) ds = pi z d².
    EXPECT_NEAR(patch.volume, kPi * z * d * d, 1e-5 * patch.volume) << share;
    EXPECT_NEAR(patch.area, 2.0 * kPi * z * d, 1e-5 * patch.area) << share;
    EXPECT_NEAR(m.contact().phi, -d, 1e-15);
  }
}

TEST(MeshArea, PressesWithTheGradientOfItsEnergyInAHalfSpace) {
  std::mt19937 random(3);
  const TriangleSurface ball =
      make_triangle_surface(test::icosphere(1, [](const Vec3&) { return 0.1; }));
  for (int trial = 0; trial < 20; ++trial) {
    MeshInBody m{ball, area_core("half_space", {}), {turned(random), {0.1, 0.2, 1.0}}, {}};
    m.X_WM.p.z -= m.contact().phi + 0.01;
    const Wrench load = load_of(m.area(), m.X_WM.p);  // on the half space
    const double h = 1e-6;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      MeshInBody up = m, down = m;
      Vec3 turn;
      turn[axis] = h;
      up.X_WM.R = to_matrix(quat_exp(turn)) * m.X_WM.R;
      down.X_WM.R = to_matrix(quat_exp(-turn)) * m.X_WM.R;
      const double slope = (energy_of(up.area()) - energy_of(down.area())) / (2.0 * h);
      EXPECT_NEAR(slope, load.t[axis], 1e-6 * (norm(load.t) + 0.1 * norm(load.f))) << trial;
    }
  }
}

/// Where the mesh is let down on the body to a depth of 3 mm, at a place of a way of turning.
MeshInBody let_down(const TriangleSurface& mesh, const Core& core, double t) {
  const Vec3 turn = t * normalized(Vec3{1.0, 0.6, 0.3});
  MeshInBody m{mesh, core, {to_matrix(quat_exp(turn)), {0.0, 0.0, 0.3}}, {}};
  m.X_WB.R = to_matrix(quat_exp(Vec3{0.2 + 0.3 * t, 0.5, 0.0}));
  for (int k = 0; k < 40; ++k) {
    const Contact c = m.contact();
    m.X_WM.p.z += c.phi / c.n_AB_W.z;
    if (std::abs(c.phi) < 1e-13) break;
  }
  m.X_WM.p.z -= 0.003;
  return m;
}

TEST(MeshArea, IsContinuousOverFacesEdgesAndCorners) {
  // The largest step of a sweep is looked at closely: a jump would stay as it is.
  struct Way {
    TriangleSurface mesh;
    Core core;
  };
  const TriangleSurface cube = make_triangle_surface(box_mesh({0.1, 0.1, 0.1}));
  const TriangleSurface ball =
      make_triangle_surface(test::icosphere(2, [](const Vec3&) { return 0.06; }));
  const Way ways[] = {{cube, area_core("sphere", {0.05})},
                      {ball, area_core("cylinder", {0.05, 0.08})},
                      {cube, area_core("box", {0.1, 0.1, 0.1})},
                      {cube, area_core("half_space", {})},
                      {ball, area_core("ellipsoid", {0.06, 0.05, 0.04})}};
  for (const Way& way : ways) {
    constexpr int kPoses = 1000, kWithin = 100;
    const auto load_at = [&](double t) {
      const MeshInBody m = let_down(way.mesh, way.core, t);
      return load_of(m.area(), m.X_WM.p);
    };
    const auto step_of = [](const Wrench& a, const Wrench& b) {
      return std::max(norm(b.f - a.f), norm(b.t - a.t) / 0.05);
    };
    double most = 0.0, worst = 0.0, where = 0.0;
    Wrench before = load_at(0.0);
    for (int i = 1; i <= kPoses; ++i) {
      const Wrench now = load_at(2.0 * i / kPoses);
      most = std::max(most, norm(now.f));
      if (step_of(before, now) > worst)
        worst = step_of(before, now), where = 2.0 * (i - 1) / kPoses;
      before = now;
    }
    double within = 0.0;
    before = load_at(where);
    for (int i = 1; i <= kWithin; ++i) {
      const Wrench now = load_at(where + 2.0 / kPoses * i / kWithin);
      within = std::max(within, step_of(before, now));
      before = now;
    }
    EXPECT_LT(within, 0.1 * worst + 1e-3 * most) << way.core.kind->name << " " << where;
    EXPECT_LT(worst, 0.1 * most) << way.core.kind->name << " " << where;
  }
}

}  // namespace
}  // namespace carom
