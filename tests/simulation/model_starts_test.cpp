// Runs that share a Model have the bits of runs whose scenes were compiled one by one.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "carom/engine/study/model_starts.h"
#include "carom/scene/scene_values.h"
#include "carom/simulation/run.h"
#include "example_scenes.h"

namespace carom::testing {
namespace {

std::vector<std::string> number_paths(const Scene& scene) {
  std::vector<std::string> paths;
  SceneValues walk([&](const ValueSite& site, double) { paths.push_back(site.path); });
  walk.walk(scene);
  return paths;
}

double change_number(Scene& scene, const std::string& path, double factor, double offset) {
  double changed = 0.0;
  SceneValues walk([&](const ValueSite& site, double& value) {
    if (site.path == path) changed = value = factor * value + offset;
  });
  walk.walk(scene);
  return changed;
}

/// Everything that a run says, as bits.
std::vector<std::uint64_t> bits_of(const RunResult& r) {
  std::vector<std::uint64_t> bits = {static_cast<std::uint64_t>(r.status),
                                     static_cast<std::uint64_t>(r.statistics.counts.steps),
                                     static_cast<std::uint64_t>(r.events.size())};
  const auto add = [&](double x) { bits.push_back(std::bit_cast<std::uint64_t>(x)); };
  for (const double x : {r.time, r.energy.total(), r.largest_residual, r.energy_scale}) add(x);
  for (const BodyState& b : r.bodies) {
    for (std::size_t k = 0; k < 3; ++k) {
      add(b.position[k]), add(b.velocity[k]), add(b.angular_velocity[k]);
    }
    for (const double x : {b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z}) {
      add(x);
    }
  }
  return bits;
}

/// A short run of the scene with another number at a place: shared if that can be, compiled anew,
/// and compared. Whether it was shared.
bool shares_with_equal_bits(const std::shared_ptr<const Model>& model, const std::string& path,
                            double factor, double offset) {
  ModelStarts starts(model);
  if (!starts.vary(path)) return false;
  Scene scene = model->scene;
  const double number = change_number(scene, path, factor, offset);
  const ModelStart* start = starts.make({&number, 1});
  Diagnostics findings;
  const std::shared_ptr<const Model> anew = compile(scene, findings);
  EXPECT_TRUE(anew || !start) << path << " = " << number << " has findings";
  if (!start || !anew) return false;
  RunOptions options;
  options.start = start;
  try {
    const RunResult alone = run(anew), shared = run(model, options);
    EXPECT_EQ(bits_of(alone), bits_of(shared)) << path << " = " << number;
    EXPECT_EQ(alone.reason, shared.reason);
  } catch (const InputError&) {
    EXPECT_THROW(run(model, options), InputError);
  }
  return true;
}

class ModelStartsOf : public ::testing::TestWithParam<std::string> {};

TEST_P(ModelStartsOf, HaveTheBitsOfScenesCompiledOneByOne) {
  constexpr int kPlaces = 2;
  const auto whole = example_model(GetParam());
  Scene scene = whole->scene;
  scene.run.until = scene.run.start + 0.01 * (scene.run.until - scene.run.start);
  Diagnostics findings;
  const auto model = compile(scene, findings);
  ASSERT_TRUE(model);
  std::vector<std::string> paths = number_paths(model->scene);
  std::mt19937 random(1);
  std::shuffle(paths.begin(), paths.end(), random);
  int shared = 0;
  for (std::size_t i = 0; i < paths.size() && shared < kPlaces; ++i) {
    shared += shares_with_equal_bits(model, paths[i], 1.0 + 1e-3, 1e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, ModelStartsOf, ::testing::ValuesIn(example_names()),
                         [](const auto& example) { return example.param; });

std::shared_ptr<const Model> model_of_text(const std::string& text) {
  Diagnostics findings;
  return compile(read_scene_text(text), findings);
}

TEST(ModelStarts, AreDeclinedWhereZeroWouldMakeAnotherModel) {
  const auto model = model_of_text(
      "carom: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], joint: {revolute: {axis: y}, name: p, "
      "damping: 0.1, spring: {stiffness: 3}}}}\n");
  ModelStarts starts(model);
  ASSERT_TRUE(starts.vary("joints.p.damping"));
  double number = 0.2;
  EXPECT_TRUE(starts.make({&number, 1}));
  number = 0.0;
  EXPECT_FALSE(starts.make({&number, 1}));
  number = -1.0;  // compile() has a finding about it
  EXPECT_FALSE(starts.make({&number, 1}));
  EXPECT_FALSE(starts.vary("bodies.b.mass"));
  EXPECT_FALSE(starts.vary("joints.p.friction.coulomb"));
}

TEST(ModelStarts, TakeValuesThatFormulasReadDuringTheRun) {
  const auto model = model_of_text(
      "carom: 1\nvalues: {k: 2}\nsignals: {u: {formula: \"k*sin(t)\"}}\nbodies: {b: {mass: 1, "
      "inertia: [1, 1, 1], joint: {revolute: {axis: y}, name: p, drive: {force: u}}}}\n"
      "run: {until: 1}\n");
  ASSERT_TRUE(model);
  EXPECT_TRUE(shares_with_equal_bits(model, "values.k", 1.5, 0.0));
}

TEST(ModelStarts, AreDeclinedWhereBodiesWouldOverlap) {
  const auto model = model_of_text(
      "carom: 1\nbodies:\n  floor: {fixed: true, material: steel, shapes: [{box: {size: [2, 2, "
      "0.2]}}]}\n"
      "  ball: {material: steel, shapes: [{sphere: {radius: 0.1}}], position: [0, 0, 0.5]}\nrun: "
      "{until: "
      "0.1}\n");
  ASSERT_TRUE(model);
  ModelStarts starts(model);
  ASSERT_TRUE(starts.vary("bodies.ball.position.2"));
  double height = 0.6;
  EXPECT_TRUE(starts.make({&height, 1}));
  height = 0.1;
  EXPECT_FALSE(starts.make({&height, 1}));
  EXPECT_FALSE(starts.vary("bodies.floor.position.2"));
}

}  // namespace
}  // namespace carom::testing
