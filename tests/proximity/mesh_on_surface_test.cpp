// Triangle meshes on surfaces by formulas: against half spaces and balls, of which meshes know the
// area otherwise, sums over fine parts with depths in closed form, and sweeps of poses.
#include "carom/proximity/area/mesh_on_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "carom/geometry/shape.h"
#include "carom/math/spatial.h"
#include "carom/proximity/area/area_cores.h"
#include "carom/proximity/shape_piece.h"
#include "surface_meshes.h"

namespace carom {
namespace {

Shape formula_shape(const char* kind, std::vector<SurfaceFormulas::Text> texts,
                    std::vector<SurfaceFormulas::Range> ranges) {
  ShapeInput input{.kind = find_shape_kind(kind)};
  input.formulas.texts = std::move(texts), input.formulas.ranges = std::move(ranges);
  return make_shape(std::move(input));
}

Shape waves(double height) {
  return formula_shape("graph", {{"z", std::to_string(height) + "*cos(12*x)*cos(11*y)"}},
                       {{"x", -1.0, 1.0}, {"y", -1.0, 1.0}});
}

Shape ring_of(double R, double r) {
  return make_shape({.kind = find_shape_kind("torus"), .params = {R, r}});
}

TriangleSurface block_surface(const Vec3& size) {
  return make_triangle_surface(tessellate(
      make_shape(
          {.kind = find_shape_kind("box"), .params = {size.x, size.y, size.z}, .edge_radius = 0.0}),
      8));
}

Mat3 any_turn(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return to_matrix(
      normalized(Quat{normal(random), normal(random), normal(random), normal(random)}));
}

struct MeshOn {
  const TriangleSurface& mesh;
  const Shape& shape;
  Pose X_WM, X_WB;

  AreaBody body() const {
    const ShapePiece piece = make_piece(*shape.surface, shape.core);
    return {shape.core, X_WB, piece.centre, piece.reach, shape.surface.get()};
  }
  Contact contact() const { return mesh_surface_distance({mesh, X_WM}, body(), true, {}); }
  AreaPatch area() const {
    AreaPatch out;
    find_mesh_area_on_surface({mesh, X_WM}, body(), -contact().phi, true, out);
    return out;
  }
};

Wrench wrench_of(const AreaPatch& p, const Vec3& about) {
  Wrench sum;
  for (std::size_t i = 0; i < static_cast<std::size_t>(p.count); ++i) {
    const Vec3 f = p.points[i].area * p.points[i].u * p.points[i].n_W;
    sum += {cross(p.points[i].p_W - about, f), f};
  }
  return sum;
}

/// Depth and normal of a point in closed form, in the axes of the surface.
struct KnownDepth {
  double u = 0.0;
  Vec3 n;
};
KnownDepth in_torus(double R, double r, const Vec3& p) {
  const double rho = std::hypot(p.x, p.y);
  const Vec3 off{p.x - R * p.x / rho, p.y - R * p.y / rho, p.z};
  return {r - norm(off), off / norm(off)};
}

struct PartSums {
  double area = 0.0, volume = 0.0, deepest = -1.0;
};
/// Over equal parts of every triangle; parts that are near are as fine as `size`.
PartSums sum_of_parts(const TriangleSurface& mesh, const Pose& X_BM, double size,
                      const std::function<KnownDepth(const Vec3&)>& depth) {
  PartSums sums;
  const std::function<void(Vec3, Vec3, Vec3)> add = [&](Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 middle = (a + b + c) / 3.0, twice = cross(b - a, c - a);
    const double r = std::max({norm(a - middle), norm(b - middle), norm(c - middle)});
    const KnownDepth d = depth(middle);
    if (d.u < -r) return;
    if (r > size) {
      const Vec3 ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
      add(ab, bc, ca), add(a, ab, ca), add(b, bc, ab), add(c, ca, bc);
      return;
    }
    sums.deepest = std::max(sums.deepest, d.u);
    const double across = -0.5 * dot(twice, d.n);
    if (d.u > 0.0 && across > 0.0) sums.area += across, sums.volume += across * d.u;
  };
  for (const Triangle& t : mesh.triangles) {
    add(X_BM * mesh.vertices[t[0]], X_BM * mesh.vertices[t[1]], X_BM * mesh.vertices[t[2]]);
  }
  return sums;
}

TEST(MeshOnSurface, OfAFlatGraphIsThatInAHalfSpace) {
  std::mt19937 random(1);
  const TriangleSurface ball =
      make_triangle_surface(test::icosphere(3, [](const Vec3&) { return 0.1; }));
  const Shape flat = waves(0.0);
  const Core plane = make_shape({.kind = find_shape_kind("half_space")}).core;
  for (const double share : {0.005, 0.02, 0.1, 0.5}) {
    const MeshOn m{ball, flat, {any_turn(random), {0.3, -0.2, 0.1 * (1.0 - share)}}, {}};
    AreaPatch known;
    find_mesh_area({ball, m.X_WM}, {plane, m.X_WB, {}, INFINITY}, true, known);
    const AreaPatch patch = m.area();
    EXPECT_NEAR(patch.volume, known.volume, 1e-12 * known.volume) << share;
    EXPECT_NEAR(patch.area, known.area, 1e-12 * known.area) << share;
    const Wrench a = wrench_of(patch, m.X_WM.p), b = wrench_of(known, m.X_WM.p);
    EXPECT_LT(norm(a.t - b.t), 1e-12 * norm(b.f)) << share;
    EXPECT_NEAR(m.contact().phi,
                mesh_distance({ball, m.X_WM}, {plane, m.X_WB, {}, INFINITY}, true).phi, 1e-16);
  }
}

TEST(MeshOnSurface, OfABallByFormulasIsThatInABall) {
  std::mt19937 random(2);
  const double R = 0.05;
  const Shape implicit =
      formula_shape("implicit", {{"h", "x^2 + y^2 + z^2 - 0.0025"}},
                    {{"x", -0.06, 0.061}, {"y", -0.06, 0.062}, {"z", -0.06, 0.063}});
  const Shape parametric = formula_shape(
      "parametric",
      {{"x", "0.05*cos(u)*cos(v)"}, {"y", "0.05*sin(u)*cos(v)"}, {"z", "0.05*sin(v)"}},
      {{"u", -M_PI, M_PI}, {"v", -M_PI / 2, M_PI / 2}});
  const Core core =
      area_cores(make_shape({.kind = find_shape_kind("sphere"), .params = {R}})).front();
  const TriangleSurface block = block_surface({0.2, 0.15, 0.1});
  for (const Shape* shape : {&implicit, &parametric}) {
    for (const double depth : {1e-5, 1e-4, 1e-3, 5e-3}) {
      for (int i = 0; i < 4; ++i) {
        // On a face, over its edges, at its corners.
        const Vec3 place{0.1, i > 1 ? 0.075 : 0.01, i > 2 ? 0.05 : 0.02};
        const Vec3 n = normalized(Vec3{1.0, i > 1 ? 1.0 : 0.0, i > 2 ? 1.0 : 0.0});
        const Pose X_WM{any_turn(random), {0.1, 0.2, 0.3}};
        const MeshOn m{block, *shape, X_WM, {any_turn(random), X_WM * (place + (R - depth) * n)}};
        AreaPatch known;
        find_mesh_area({block, m.X_WM}, {core, m.X_WB, {}, R}, true, known);
        const Contact far = mesh_distance({block, m.X_WM}, {core, m.X_WB, {}, R}, true);
        EXPECT_NEAR(m.contact().phi, far.phi, 1e-13) << i;
        EXPECT_LT(norm(m.contact().n_AB_W - far.n_AB_W), 1e-6) << i;
        const AreaPatch patch = m.area();
        EXPECT_NEAR(patch.volume, known.volume, 1e-3 * known.volume) << i << " " << depth;
        EXPECT_NEAR(patch.area, known.area, 1e-3 * known.area) << i << " " << depth;
        const Wrench a = wrench_of(patch, X_WM.p), b = wrench_of(known, X_WM.p);
        EXPECT_LT(norm(a.f - b.f), 1e-3 * norm(b.f)) << i;
        EXPECT_LT(norm(a.t - b.t), 1e-3 * norm(b.f) * 0.1) << i;
      }
    }
  }
}

TEST(MeshOnSurface, OfATorusIsTheSumOverPartsInClosedForm) {
  std::mt19937 random(3);
  const double R = 0.08, r = 0.02;
  const Shape ring = ring_of(R, r);
  const TriangleSurface meshes[] = {block_surface({0.1, 0.06, 0.04}),
                                    make_triangle_surface(test::icosphere(
                                        2, [](const Vec3& p) { return 0.05 + 0.05 * p.x * p.y; }))};
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  int touching = 0;
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    const TriangleSurface& mesh = meshes[i % 2];
    MeshOn m{mesh, ring, {any_turn(random), {}}, {}};
    const Vec3 way = normalized(Vec3{any(random), any(random), any(random)});
    // Closer until they are 1 mm in each other.
    double far = 0.3;
    for (m.X_WM.p = far * way; m.contact().phi > -1e-3; m.X_WM.p = far * way) {
      far -= std::max(1e-4, m.contact().phi);
    }
    const auto depth = [&](const Vec3& p) { return in_torus(R, r, p); };
    const PartSums sums = sum_of_parts(mesh, m.X_WM, 2e-4, depth);
    const AreaPatch patch = m.area();
    EXPECT_GE(-m.contact().phi, sums.deepest - 1e-12) << i;
    EXPECT_LT(-m.contact().phi, sums.deepest + 2e-4) << i;
    EXPECT_NEAR(patch.volume, sums.volume, 6e-3 * sums.volume) << i;
    EXPECT_NEAR(patch.area, sums.area, 1e-2 * sums.area) << i;
    touching += patch.count > 0;
  }
  EXPECT_EQ(touching, 12);
}

/// The largest second difference of force and moment over a course of poses, of the largest force.
struct SweepSteps {
  double force = 0.0, moment = 0.0;
  int touching = 0;
};
SweepSteps sweep_over(int poses, double size, const std::function<MeshOn(double)>& at) {
  SweepSteps most;
  Wrench before, last;
  double largest = 0.0;
  for (int i = 0; i < poses; ++i) {
    const MeshOn m = at(static_cast<double>(i) / (poses - 1));
    const AreaPatch patch = m.area();
    const Wrench now = wrench_of(patch, m.X_WM.p);
    most.touching += patch.count > 0;
    largest = std::max(largest, norm(now.f));
    if (i > 1) {
      most.force = std::max(most.force, norm(now.f - 2.0 * last.f + before.f));
      most.moment = std::max(most.moment, norm(now.t - 2.0 * last.t + before.t) / size);
    }
    before = last, last = now;
  }
  most.force /= largest, most.moment /= largest;
  return most;
}

TEST(MeshOnSurface, HasNoJumpsOverCrestsEdgesAndHollows) {
  // 300 poses are 1 mm and 5 mrad apart: what is beyond 2 % of one is a jump or a sharp bend.
  const Shape ground = waves(0.02);
  const TriangleSurface block = block_surface({0.1, 0.06, 0.04});
  const auto pose = [&](double way) {
    const Vec3 turn{1.5 * way, 0.3 * way, 0.2};
    return Pose{to_matrix(quat_exp(turn)), {-0.15 + 0.3 * way, 0.02 + 0.1 * way, 0.035}};
  };
  const SweepSteps coarse = sweep_over(300, 0.05, [&](double way) {
    return MeshOn{block, ground, pose(way), {}};
  });
  EXPECT_GT(coarse.touching, 250);
  // Ten times as close the second differences of a smooth course are a hundredth; a jump stays.
  const SweepSteps fine = sweep_over(300, 0.05, [&](double way) {
    return MeshOn{block, ground, pose(0.45 + 0.1 * way), {}};
  });
  EXPECT_LT(coarse.force, 0.02);
  EXPECT_LT(coarse.moment, 0.02);
  EXPECT_LT(fine.force, 1e-3);
  EXPECT_LT(fine.moment, 1e-3);
}

TEST(MeshOnSurface, EndsWhereTheSurfaceEnds) {
  // A plate that lies over the border of a flat graph with a half of it.
  const Shape flat = waves(0.0);
  const TriangleSurface plate = block_surface({0.2, 0.1, 0.02});
  for (const double over : {0.0, 0.013, 0.05, 0.1, 0.16}) {
    const MeshOn m{plate, flat, {Mat3{}, {0.9 + over, 0.1, 0.01 - 1e-4}}, {}};
    const AreaPatch patch = m.area();
    const double area = 0.1 * (0.2 - over);
    EXPECT_NEAR(patch.area, area, 1e-9 * area) << over;
    EXPECT_NEAR(patch.volume, 1e-4 * area, 1e-9 * area) << over;
  }
  const MeshOn beyond{plate, flat, {Mat3{}, {1.2, 0.1, 0.01 - 1e-4}}, {}};
  EXPECT_GT(beyond.contact().phi, 0.0);
}

TEST(MeshOnSurface, DistanceDoesNotDependOnWhatWasBefore) {
  std::mt19937 random(5);
  const Shape ring = ring_of(0.08, 0.02);
  const TriangleSurface mesh =
      make_triangle_surface(test::icosphere(3, [](const Vec3&) { return 0.04; }));
  std::uniform_real_distribution<double> any(-0.12, 0.12);
  DistanceCache memory;
  for (int i = 0; i < 60; ++i) {
    const MeshOn m{mesh, ring, {any_turn(random), {any(random), any(random), any(random)}}, {}};
    const Contact cold = m.contact();
    const DistanceCache last = memory;
    const Contact warm = mesh_surface_distance({mesh, m.X_WM}, m.body(), true, last, &memory);
    EXPECT_NEAR(warm.phi, cold.phi, 1e-15) << i;
    double least = INFINITY;
    for (const Vec3& v : mesh.vertices) {
      least = std::min(least, -in_torus(0.08, 0.02, m.X_WM * v).u);
    }
    EXPECT_LE(cold.phi, least + 1e-15) << i;
    EXPECT_GT(cold.phi, least - 3.5e-3) << i;  // no place is farther from a corner
  }
}

}  // namespace
}  // namespace carom
