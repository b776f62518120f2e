// Areas that verify integrates itself: solids against closed forms and searches, recorded areas of
// every kind that it knows, and falsified records of each.
#include "carom/verify/own_areas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>

#include "carom/record/memory_writer.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/run.h"
#include "carom/verify/own_quadrature.h"

namespace carom::verify {
namespace {

using Kind = OwnSolid::Kind;

OwnSolid own(Kind kind, const Vec3& r, double p = 2.0, double q = 2.0) {
  OwnSolid s;
  s.kind = kind, s.r = r, s.p = p, s.q = q;
  return s;
}

const OwnSolid kSolids[] = {
    own(Kind::quadric, {0.03, 0.02, 0.01}), own(Kind::box, {0.03, 0.02, 0.01}),
    own(Kind::cylinder, {0.01, 0.05, 0.0}), own(Kind::capsule, {0.01, 0.05, 0.0}),
    own(Kind::cone, {0.02, 0.05, 0.005}),   own(Kind::superquadric, {0.03, 0.02, 0.01}, 8.0, 3.0),
    own(Kind::torus, {0.03, 0.01, 0.0})};

TEST(OwnSolids, ValuesGrowNoFasterThanTheWay) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> place(-0.06, 0.06);
  for (const OwnSolid& s : kSolids) {
    for (int i = 0; i < 1000; ++i) {
      const Vec3 a{place(random), place(random), place(random)};
      const Vec3 b{place(random), place(random), place(random)};
      EXPECT_LE(std::abs(s.value(a) - s.value(b)), norm(a - b) * (1.0 + 1e-12));
    }
  }
}

TEST(OwnSolids, DepthsAreTheShortestWaysOut) {
  std::mt19937 random(12);
  std::uniform_real_distribution<double> place(-0.05, 0.05);
  std::normal_distribution<double> normal;
  for (const OwnSolid& s : kSolids) {
    for (int found = 0; found < 20;) {
      const Vec3 x{place(random), place(random), place(random)};
      const auto depth = s.depth(x);
      if (!depth || s.value(x) < -0.002) continue;  // farther in a body has several ways out
      ++found;
      // The end of the way is on the surface, and none of many others is shorter.
      EXPECT_NEAR(s.value(x + depth->u * depth->n_W), 0.0, 1e-6 * s.reach());
      for (int k = 0; k < 200; ++k) {
        const Vec3 d =
            normalized(depth->n_W + Vec3{normal(random), normal(random), normal(random)});
        EXPECT_LE(s.value(x + (depth->u * (1.0 - 1e-6)) * d), 0.0);
      }
    }
  }
}

TEST(OwnSolids, LinesEndOnTheSurface) {
  std::mt19937 random(13);
  std::uniform_real_distribution<double> place(-0.02, 0.02);
  for (const OwnSolid& s : kSolids) {
    int met = 0;
    for (int i = 0; i < 200; ++i) {
      const Vec3 o{place(random), place(random), place(random)};
      const Vec3 d = normalized(Vec3{place(random), place(random), place(random)});
      const auto t = s.top(o, d);
      if (!t) continue;
      ++met;
      EXPECT_NEAR(s.value(o + *t * d), 0.0, 1e-10);
      EXPECT_GT(s.value(o + (*t + 1e-7) * d), 0.0);
    }
    EXPECT_GT(met, 20);
  }
}

TEST(OwnQuadrature, KnowsTheErrorOfASlice) {
  // A cylinder lying on a plane: length times the segment of a circle.
  const double r = 0.01, length = 0.06, d = 2e-4;
  OwnSolid rod = own(Kind::cylinder, {r, length, 0.0});
  rod.X.p = {0.0, 0.0, r - d};
  const double half = std::sqrt(2.0 * r * d - d * d);
  const double segment = r * r * std::acos((r - d) / r) - (r - d) * half;
  const OwnArea a = own_edged_area(own(Kind::plane, {}), rod, {0.0, 0.0, -0.5 * d}, {0, 0, 1});
  EXPECT_NEAR(a.area, 2.0 * half * length, 2e-3 * a.area);
  EXPECT_NEAR(a.volume, length * segment, 1e-5 * a.volume);
  EXPECT_LE(std::abs(a.volume - length * segment), 2.0 * a.volume_error + 1e-7 * a.volume);
}

// Of every kind one pair, held aslant in each other.
const std::string kHeld = R"(
carom: 1
gravity: off
materials: {soft: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  die: {material: soft, shapes: [{superquadric: {radii: [0.01, 0.01, 0.01], exponents: [8, 8]}}], joint: {revolute: {axis: [1, 0.3, 0], at: [0, 0, 0.0099]}, name: a, motion: "=0.02 + 2*t", collide: true}}
  rod: {material: soft, shapes: [{cylinder: {radius: 0.01, length: 0.02}, axis: z}], joint: {revolute: {axis: [1, 0.3, 0], at: [0.1, 0, 0.0099]}, name: b, motion: "=0.02 + 2*t", collide: true}}
  ring: {material: soft, shapes: [{torus: {radius: 0.03, tube_radius: 0.01}}], joint: {revolute: {axis: x, at: [0.2, 0, 0.0098]}, name: c, motion: "=0.01 + 0.1*t", collide: true}}
  block: {material: soft, shapes: [{triangle_mesh: {file: wedge.obj}}], joint: {revolute: {axis: [1, 0.3, 0], at: [0.3, 0, -0.0002]}, name: d, motion: "=0.01 + 0.1*t", collide: true}}
contact:
  {law: hertz, friction: none, area: {layer: 0.01}, watch: [WATCHED], exclude: [[die, rod], [die, ring], [die, block], [rod, ring], [rod, block], [ring, block]]}
run: {until: 1e-3, integrator: rk4, step: 1e-3, output: {step: 1e-3, channels: [all]}}
)";

struct HeldRecord {
  std::shared_ptr<const Model> model;
  Recording rows;
};

HeldRecord held_record(const std::string& watched) {
  Diagnostics diagnostics;
  std::string text = kHeld;
  text.replace(text.find("WATCHED"), 7, watched);
  const std::string folder = testing::TempDir() + "own_areas/";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "wedge.obj") << "v -0.03 -0.02 0\nv 0.03 -0.02 0\nv -0.03 0.02 0\n"
                                         "v -0.03 -0.02 0.04\nf 1 3 2\nf 1 2 4\nf 2 3 4\n"
                                         "f 1 4 3\n";
  std::ofstream(folder + "held.yaml") << text;
  const auto scene = read_scene_file(folder + "held.yaml", {}, diagnostics);
  HeldRecord made;
  made.model = compile(scene.value(), diagnostics);
  MemoryWriter memory;
  RunOptions options;
  options.recorder = &memory;
  run(made.model, options);
  made.rows = memory.take();
  return made;
}

bool areas_agree(const HeldRecord& r, std::size_t* values = nullptr) {
  std::vector<Recomputed> found;
  compare_areas(*r.model, r.rows, found);
  bool agree = !found.empty();
  for (const Recomputed& c : found) {
    agree = agree && c.difference <= c.tolerance;
    if (values) *values += c.values;
  }
  return agree;
}

TEST(OwnAreas, OfSuperquadricsCylindersRingsAndMeshesAgree) {
  std::size_t values = 0;
  EXPECT_TRUE(areas_agree(held_record("[floor, die], [floor, rod], [floor, ring], [floor, block]"),
                          &values));
  EXPECT_EQ(values, 4u * 2u * 3u);  // pairs, rows; area, force and centre of pressure
}

void falsify(Recording& rows, const std::string& column, double by) {
  const std::vector<std::string> names = column_names(rows.channels);
  const auto at =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin());
  ASSERT_LT(at, names.size()) << column;
  for (std::size_t i = at; i < rows.values.size(); i += names.size()) rows.values[i] *= 1.0 + by;
}

TEST(OwnAreas, AFalsifiedRecordOfEachIsCaught) {
  // By a per cent; areas of a cylinder, which are known to three, by five.
  for (const char* pair : {"die", "rod", "ring", "block"}) {
    const HeldRecord honest = held_record("[floor, " + std::string(pair) + "]");
    for (const char* column : {".contact_area", ".force.normal", ".point.y"}) {
      const bool is_rough = std::string(pair) == "rod" && column[1] == 'c';
      HeldRecord r = honest;
      falsify(r.rows, "contact(floor," + std::string(pair) + ")" + column, is_rough ? 0.05 : 0.01);
      EXPECT_FALSE(areas_agree(r)) << pair << column;
    }
  }
}

}  // namespace
}  // namespace carom::verify
