// What every finder must keep: points whose shares add up to one, the same answer with and without
// points and memory, and boxes that hold their pieces.
#include "carom/proximity/finder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <random>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/smooth/surface_pair.h"
#include "carom/proximity/triangles/piece_surfaces.h"
#include "proximity/random_pairs.h"
#include "proximity/surface_meshes.h"

namespace carom {
namespace {

class FinderPairs {
 public:
  explicit FinderPairs(unsigned seed) : random_(seed) {
    Core plane;
    plane.kind = &core_half_space;
    for (const PairBody& body : pool_.bodies()) pieces_.push_back(make_piece(body.core, false));
    pieces_.push_back(make_piece(plane, false));
    ShapeInput wave{.kind = find_shape_kind("graph")};
    wave.formulas.texts = {{"z", "0.05*sin(5*x)*cos(4*y)"}};
    wave.formulas.ranges = {{"x", -1, 1}, {"y", -1, 1}};
    graph_ = make_shape(std::move(wave));
    pieces_.push_back(make_piece(*graph_.surface, graph_.core));
    surfaces_.resize(4);
    surfaces_[0] = {SurfaceForm::sphere, 0.1, 0.0, 0.0, {}};
    surfaces_[1] = {SurfaceForm::cylinder, 0.05, 0.2, 0.0, {}};
    surfaces_[2] = {SurfaceForm::rectangle, 0.0, 0.3, 0.2, {}};
    surfaces_[3] = {SurfaceForm::circle, 0.25, 0.0, 0.0, {}};
    for (const IdealSurface& surface : surfaces_) {
      ShapePiece piece;
      piece.finder = &finder_connected;
      piece.surface = &surface;
      piece.radius = piece.reach = surface_radius(surface);
      pieces_.push_back(piece);
    }
    for (const int times : {0, 1}) {
      planes_.push_back(make_triangle_surface(triangles::plane_mesh(1.0)));
      meshes_.push_back(make_triangle_surface(test::bumpy_sphere(times)));
    }
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
      pieces_.push_back(make_surface_piece(make_point_core({}, 1.0), &meshes_[i], &planes_[i]));
    }
    pieces_.push_back(make_surface_piece(plane, nullptr, nullptr));
    add_area_pieces(plane);
  }
  /// Two pieces of this finder, near each other.
  void draw(const ContactFinder& finder) {
    do {
      a = &pieces_[random_() % pieces_.size()], b = &pieces_[random_() % pieces_.size()];
    } while (&finder_of(*a, *b) != &finder || !finder.handles(*a, *b) ||
             !(std::isfinite(a->radius) || std::isfinite(b->radius)));
    const auto size = [](const ShapePiece& p) { return std::isfinite(p.radius) ? p.radius : 0.0; };
    const double reach = size(*a) + size(*b);
    X_WA = {turn(), {}}, X_WB = {turn(), reach * Vec3{u(), u(), u()}};
  }
  const ShapePiece *a = nullptr, *b = nullptr;
  Pose X_WA, X_WB;

 private:
  /// What touches by its area: a mesh, a ring on planes, and bodies for them.
  void add_area_pieces(const Core& plane) {
    ring_ = make_shape({.kind = find_shape_kind("torus"), .params = {0.5, 0.1}});
    ShapePiece ring = make_piece(*ring_.surface, ring_.core);
    ring.finder = &finder_ring;
    ring.ring_radius = 0.5, ring.tube_radius = 0.1;
    ShapePiece mesh = make_surface_piece(make_point_core({}, 1.0), &meshes_[0], &planes_[0]);
    mesh.finder = &finder_mesh;
    for (ShapePiece piece :
         {make_piece(plane, false), make_piece(make_point_core({}, 0.5), false),
          make_piece(make_segment_core({-1, 0, 0}, {1, 0, 0}, 0.3), false), ring, mesh}) {
      piece.has_area = true;
      pieces_.push_back(piece);
    }
  }
  double u() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }
  Mat3 turn() { return to_matrix(normalized(Quat{u(), u(), u(), 0.3})); }

  BodyPool pool_;
  Shape graph_, ring_;
  std::vector<IdealSurface> surfaces_;
  std::deque<TriangleSurface> meshes_, planes_;
  std::vector<ShapePiece> pieces_;
  std::mt19937 random_;
};

TEST(Finders, GivePointsWhoseSharesAddUpToOne) {
  FinderPairs pairs(31);
  for (const ContactFinder* finder : finder_catalogue()) {
    int with_points = 0;
    for (int i = 0; i < 1500; ++i) {
      pairs.draw(*finder);
      const Place a{*pairs.a, pairs.X_WA}, b{*pairs.b, pairs.X_WB};
      EXPECT_TRUE(finder->handles(*pairs.a, *pairs.b));
      Manifold m;
      const Contact contact = finder->find(a, b, {}, &m);
      if (contact.status != Status::ok || m.count == 0) continue;
      ++with_points;
      double sum = 0.0;
      for (std::size_t k = 0; k < static_cast<std::size_t>(m.count); ++k) {
        EXPECT_GE(m.points[k].weight, 0.0);
        EXPECT_NEAR(norm(m.normal_at(k)), 1.0, 1e-12);
        sum += m.points[k].weight;
      }
      EXPECT_NEAR(sum, 1.0, 1e-13) << finder->name << " " << i;
      EXPECT_GT(m.springs, 0.0);
    }
    EXPECT_GT(with_points, 300) << finder->name;
  }
}

TEST(Finders, AnswerAlikeWithAndWithoutPointsAndMemory) {
  FinderPairs pairs(32);
  for (const ContactFinder* finder : finder_catalogue()) {
    for (int i = 0; i < 500; ++i) {
      pairs.draw(*finder);
      const Place a{*pairs.a, pairs.X_WA}, b{*pairs.b, pairs.X_WB};
      Manifold m, alone;
      const Contact with = finder->find(a, b, {}, &m), without = finder->find(a, b, {}, nullptr);
      EXPECT_EQ(with.phi, without.phi);
      finder->find_points(a, b, without, alone);
      ASSERT_EQ(m.count, alone.count);
      for (std::size_t k = 0; k < static_cast<std::size_t>(m.count); ++k) {
        EXPECT_EQ(m.points[k].phi, alone.points[k].phi);
        EXPECT_EQ(m.points[k].weight, alone.points[k].weight);
      }
      if (!finder->remember || with.status != Status::ok) continue;
      DistanceCache memory;
      finder->remember(a, b, memory);
      const double size = std::max(1e-6, std::min(pairs.a->reach, pairs.b->reach));  // of points
      EXPECT_NEAR(finder->find(a, b, memory, nullptr).phi, with.phi, 1e-9 * size) << i;
    }
  }
}

// The support of a piece along any direction lies in its box.
TEST(Finders, BoxesHoldTheirPieces) {
  FinderPairs pairs(33);
  std::mt19937 random(34);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 1000; ++i) {
    pairs.draw(finder_convex);
    if (!std::isfinite(pairs.a->radius)) continue;
    const BoundingBox box = finder_convex.box({*pairs.a, pairs.X_WB}, false);
    const Vec3 d = normalized(Vec3{normal(random), normal(random), normal(random)});
    const double reach =
        dot(d, pairs.X_WB.p) + extent(pairs.a->core, transpose_times(pairs.X_WB.R, d));
    double corner = 0.0;
    for (std::size_t k = 0; k < 3; ++k) corner += d[k] * (d[k] > 0 ? box.upper[k] : box.lower[k]);
    EXPECT_LE(reach, corner + 1e-9 * pairs.a->radius);
  }
}

}  // namespace
}  // namespace carom
