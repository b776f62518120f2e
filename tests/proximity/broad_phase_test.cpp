// The broad phase against brute force over all pairs, and the promises of its list: it
// depends on the boxes alone, and a stale one never hides a contact.
#include "carom/proximity/search/broad_phase.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>

namespace carom {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Boxes = std::vector<BoundingBox>;
using Pairs = std::vector<ShapePair>;

BoundingBox box_about(const Vec3& centre, const Vec3& half) {
  return {centre - half, centre + half};
}

/// The definition: the gap along every axis is at most `margin`, as overlap of the boxes
/// enlarged by half of it.
Pairs brute_force(const Boxes& boxes, double margin, const PairFilter& filter = {}) {
  const double h = 0.5 * margin;
  const auto near = [&](const BoundingBox& p, const BoundingBox& q) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (p.lower[k] - h > q.upper[k] + h || q.lower[k] - h > p.upper[k] + h) return false;
    }
    return true;
  };
  Pairs out;
  for (std::uint32_t a = 0; a < boxes.size(); ++a) {
    for (std::uint32_t b = a + 1; b < boxes.size(); ++b) {
      if (near(boxes[a], boxes[b]) && may_touch(filter, a, b)) out.push_back({a, b});
    }
  }
  return out;
}

Pairs candidates(const Boxes& boxes, double margin, const PairFilter& filter = {}) {
  BroadPhaseWorkspace workspace;
  CandidateList list;
  EXPECT_EQ(find_candidates(boxes, filter, margin, workspace, list).status, Status::ok);
  return list.pairs;
}

/// Boxes with log-uniform sizes between `smallest` and `largest` in a cube of given side.
Boxes random_boxes(std::size_t n, double side, double smallest, double largest, unsigned seed) {
  std::mt19937 gen(seed);
  std::uniform_real_distribution<double> place(-0.5 * side, 0.5 * side);
  std::uniform_real_distribution<double> size(std::log(smallest), std::log(largest));
  Boxes out(n);
  for (BoundingBox& b : out) {
    const double s = 0.5 * std::exp(size(gen));
    std::uniform_real_distribution<double> part(0.1, 1.0);
    b = box_about({place(gen), place(gen), place(gen)},
                  {s * part(gen), s * part(gen), s * part(gen)});
  }
  return out;
}

struct Crowd {
  const char* name;
  double side, smallest, largest, margin;
};

class BroadPhaseOfCrowds : public ::testing::TestWithParam<Crowd> {};

TEST_P(BroadPhaseOfCrowds, FindsThePairsOfBruteForceInOrder) {
  const Crowd& c = GetParam();
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Boxes boxes = random_boxes(1500, c.side, c.smallest, c.largest, seed);
    const Pairs expected = brute_force(boxes, c.margin);
    EXPECT_GT(expected.size(), 10u) << "the crowd tests nothing";
    EXPECT_EQ(candidates(boxes, c.margin), expected) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(, BroadPhaseOfCrowds,
                         ::testing::Values(Crowd{"EqualSizes", 1.6, 0.1, 0.1, 0.0},
                                           Crowd{"WithMargin", 2, 0.1, 0.1, 0.05},
                                           Crowd{"SizesOverFourDecades", 10, 1e-3, 10, 0.0},
                                           Crowd{"SizesOverTwelveDecades", 100, 1e-10, 100, 0.0},
                                           Crowd{"MarginLargerThanTheBoxes", 10, 1e-6, 1e-3, 1.0},
                                           Crowd{"AllOverlapping", 1, 1, 8, 0.0},
                                           Crowd{"SparseDust", 1e4, 1, 1e3, 0.0}),
                         [](const auto& crowd) { return crowd.param.name; });

TEST(BroadPhase, FindsPairsInFarApartClusters) {
  // Too thinly spread for an array of cells; far enough that float is of no use.
  Boxes boxes;
  for (const double at : {-3e7, 0.0, 4e5, 6e9}) {
    for (BoundingBox b : random_boxes(200, 0.5, 0.1, 0.2, 5)) {
      const Vec3 shift{at, -at, 0.5 * at};
      boxes.push_back({b.lower + shift, b.upper + shift});
    }
  }
  EXPECT_EQ(candidates(boxes, 0.01), brute_force(boxes, 0.01));
}

TEST(BroadPhase, FindsTouchingBoxesOfARegularLattice) {
  // Faces touch exactly and corners lie on cell boundaries: nothing may be lost.
  Boxes boxes;
  for (int i = 0; i < 1000; ++i) {
    boxes.push_back(box_about({0.25 * (i % 10), 0.25 * (i / 10 % 10), 0.25 * (i / 100)},
                              {0.125, 0.125, 0.125}));
  }
  const Pairs pairs = candidates(boxes, 0.0);
  EXPECT_EQ(pairs, brute_force(boxes, 0.0));
  EXPECT_EQ(pairs.size(), 2700u + 2 * 3 * 9 * 9 * 10 + 4 * 9 * 9 * 9);  // faces, edges, corners
}

TEST(BroadPhase, TakesNothingOneAndMany) {
  EXPECT_TRUE(candidates({}, 0.1).empty());
  EXPECT_TRUE(candidates({box_about({}, {1, 1, 1})}, 0.1).empty());
  const Boxes equal(100, box_about({1, 2, 3}, {0.5, 0.5, 0.5}));
  EXPECT_EQ(candidates(equal, 0.0).size(), 100u * 99u / 2u);
  const Boxes points(100, box_about({1, 2, 3}, {0, 0, 0}));
  EXPECT_EQ(candidates(points, 0.0).size(), 100u * 99u / 2u);
}

TEST(BroadPhase, ComparesInfiniteBoxesWithAll) {
  Boxes boxes = random_boxes(500, 2, 0.05, 0.1, 7);
  const BoundingBox ground{{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, -0.5}};
  const BoundingBox everything{{-kInfinity, -kInfinity, -kInfinity},
                               {kInfinity, kInfinity, kInfinity}};
  boxes[3] = ground, boxes[77] = everything;
  boxes.push_back({{-1e200, -1, -1}, {1e200, 1, 1}});
  EXPECT_EQ(candidates(boxes, 0.01), brute_force(boxes, 0.01));
}

TEST(BroadPhase, RejectsWhatIsNotABox) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const BoundingBox good = box_about({}, {1, 1, 1});
  const BoundingBox bad[] = {{{nan, 0, 0}, {1, 1, 1}},
                             {{0, 0, 0}, {1, nan, 1}},
                             {{0, 0, 1}, {1, 1, 0}},
                             {{kInfinity, 0, 0}, {kInfinity, 1, 1}}};
  for (const BoundingBox& b : bad) {
    BroadPhaseWorkspace workspace;
    CandidateList list;
    const BroadPhaseStatus s = find_candidates(Boxes{good, good, b}, {}, 0.1, workspace, list);
    EXPECT_EQ(s.status, Status::recoverable);
    EXPECT_EQ(s.shape, 2u);
    EXPECT_TRUE(list.pairs.empty());
    EXPECT_FALSE(covers(list, Boxes{good, good, good}));
  }
}

TEST(BroadPhase, DoesNotDependOnTheOrderOfTheBoxesOrOnHistory) {
  const Boxes boxes = random_boxes(1000, 4, 0.01, 1, 11);
  std::vector<std::uint32_t> label(boxes.size());
  std::iota(label.begin(), label.end(), 0u);
  std::shuffle(label.begin(), label.end(), std::mt19937(12));
  Boxes shuffled(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) shuffled[label[i]] = boxes[i];

  BroadPhaseWorkspace workspace;  // used for something else before
  CandidateList list;
  find_candidates(random_boxes(2000, 1, 0.1, 0.1, 13), {}, 0.0, workspace, list);
  find_candidates(shuffled, {}, 0.02, workspace, list);
  Pairs relabelled;
  for (const ShapePair& p : candidates(boxes, 0.02)) {
    relabelled.push_back({std::min(label[p.a], label[p.b]), std::max(label[p.a], label[p.b])});
  }
  std::sort(relabelled.begin(), relabelled.end(), [](const ShapePair& p, const ShapePair& q) {
    return p.a != q.a ? p.a < q.a : p.b < q.b;
  });
  EXPECT_EQ(list.pairs, relabelled);
}

TEST(BroadPhase, LeavesOutWhatMayNotTouch) {
  const Boxes boxes = random_boxes(400, 1, 0.1, 0.3, 17);
  std::mt19937 gen(18);
  const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(gen() % n); };
  std::vector<CollisionFilter> shapes(boxes.size());
  for (CollisionFilter& f : shapes) f = {below(50), 1u << below(3), below(8)};
  std::vector<std::uint64_t> excluded;
  for (int k = 0; k < 200; ++k) excluded.push_back(body_pair_key(below(50), below(50)));
  std::sort(excluded.begin(), excluded.end());
  const PairFilter filter{shapes, excluded};

  const Pairs pairs = candidates(boxes, 0.0, filter);
  EXPECT_EQ(pairs, brute_force(boxes, 0.0, filter));
  EXPECT_LT(pairs.size(), brute_force(boxes, 0.0).size());
  for (const ShapePair& p : pairs) {
    const CollisionFilter &a = shapes[p.a], &b = shapes[p.b];
    EXPECT_NE(a.body, b.body);
    EXPECT_TRUE((a.groups & b.collides_with) && (b.groups & a.collides_with));
    EXPECT_EQ(std::count(excluded.begin(), excluded.end(), body_pair_key(a.body, b.body)), 0);
  }
}

TEST(CandidateList, HidesNoContactWhileItCovers) {
  std::mt19937 gen(21);
  std::uniform_real_distribution<double> step(-0.01, 0.01);
  Boxes boxes = random_boxes(400, 1.2, 0.05, 0.2, 22);
  BroadPhaseWorkspace workspace;
  CandidateList list;
  find_candidates(boxes, {}, 0.05, workspace, list);
  int covered = 0;
  while (covers(list, boxes)) {
    for (const ShapePair& p : brute_force(boxes, 0.0)) {
      ASSERT_NE(std::find(list.pairs.begin(), list.pairs.end(), p), list.pairs.end());
    }
    for (BoundingBox& b : boxes) {
      const Vec3 shift{step(gen), step(gen), step(gen)};
      b = {b.lower + shift, b.upper + shift};
    }
    ASSERT_LT(++covered, 100);
  }
  EXPECT_GE(covered, 2);
}

TEST(CandidateList, IsStaleExactlyWhenABoxLeavesItsReach) {
  const Boxes start{box_about({}, {1, 1, 1}), box_about({5, 0, 0}, {1, 1, 1})};
  BroadPhaseWorkspace workspace;
  CandidateList list;
  find_candidates(start, {}, 0.25, workspace, list);
  Boxes moved = start;
  moved[1].upper.y += 0.125;  // margin / 2, exact in binary
  EXPECT_TRUE(covers(list, moved));
  moved[1].upper.y = std::nextafter(moved[1].upper.y, 9.0);
  EXPECT_FALSE(covers(list, moved));
  moved[1].upper.y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(covers(list, moved));
  EXPECT_FALSE(covers(list, Boxes{start[0]}));
}

TEST(BroadPhase, KeepsItsBuffersOnceWarm) {
  const Boxes boxes = random_boxes(2000, 2, 0.01, 0.1, 31);
  BroadPhaseWorkspace w;
  CandidateList list;
  find_candidates(boxes, {}, 0.0, w, list);
  const void* const before[] = {
      w.grid.items.data(),     w.grid.staged.data(),   w.grid.cell_start.data(),
      w.grid.bucket_of.data(), w.grid.level_of.data(), w.found.data(),
      w.pair_start.data(),     list.pairs.data(),      list.reach.data()};
  for (int k = 0; k < 5; ++k) find_candidates(boxes, {}, 0.0, w, list);
  const void* const after[] = {
      w.grid.items.data(),     w.grid.staged.data(),   w.grid.cell_start.data(),
      w.grid.bucket_of.data(), w.grid.level_of.data(), w.found.data(),
      w.pair_start.data(),     list.pairs.data(),      list.reach.data()};
  EXPECT_TRUE(std::equal(std::begin(before), std::end(before), after));
}

}  // namespace
}  // namespace carom
