// Maps of contacts beside the rows: what they add up to, and where their points lie.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/record/memory_writer.h"
#include "scene_runs.h"

namespace carom {
namespace {

using testing::model_of;

struct MappedRun {
  RunResult result;
  Recording recording;
};

MappedRun run_with_maps(const std::string& text) {
  MemoryWriter writer;
  RunOptions options;
  options.recorder = &writer;
  MappedRun out;
  out.result = run(model_of(text), options);
  EXPECT_EQ(out.result.status, RunStatus::completed) << out.result.reason;
  out.recording = writer.take();
  return out;
}

struct Point {
  Vec3 p;
  double value, share;
};
std::vector<Point> points_of(const MapRecord& map) {
  std::vector<Point> out;
  for (std::size_t i = 0; i < map.points.size(); i += kMapNumbers) {
    const double* n = &map.points[i];
    out.push_back({{n[0], n[1], n[2]}, n[3], n[4]});
  }
  return out;
}

double force_in(const MapRecord& map) {
  double sum = 0.0;
  for (const Point& p : points_of(map)) sum += p.value * p.share;
  return sum;
}
Vec3 centre_in(const MapRecord& map) {
  Vec3 sum;
  for (const Point& p : points_of(map)) sum += p.value * p.share * p.p;
  return sum / force_in(map);
}

const char* kPressedBall = R"yaml(
carom: 1
materials: {soft: {density: 1100, youngs_modulus: 5e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  ball: {material: soft, shapes: [{sphere: {radius: 0.05}}], position: [0.1, 0.2, 0.05], velocity: [0.3, 0, -0.2], angular_velocity: [0, 2, 20]}
contact: {area: {pressure: foundation, layer: 2e-3}, restitution: 0.5, mu_k: 0.5}
run: {until: 0.05, output: {step: 5e-4, maps: on}}
)yaml";

TEST(PressureMaps, OfAnAreaAddUpToItsForce) {
  const MappedRun run = run_with_maps(kPressedBall);
  const std::vector<double> force = run.recording.column("contact(floor,ball).force.normal");
  const std::vector<double> x = run.recording.column("contact(floor,ball).point.x");
  const std::vector<double> peak = run.recording.column("contact(floor,ball).peak_pressure");
  ASSERT_GT(run.recording.maps.size(), 5u);
  for (const MapRecord& map : run.recording.maps) {
    EXPECT_EQ(map.object, "contact(floor,ball)");
    EXPECT_EQ(map.quantity, "pressure");
    EXPECT_EQ(map.unit, "Pa");
    const double whole = force[map.row];
    EXPECT_NEAR(force_in(map), whole, 1e-9 * whole) << map.row;
    // It rolls: damping presses most beside the deepest place.
    for (const Point& p : points_of(map)) EXPECT_LE(p.value, peak[map.row] * (1.0 + 1e-9));
    if (whole > 0.0) {
      EXPECT_NEAR(centre_in(map).x, x[map.row], 1e-9);
    }
  }
}

TEST(PressureMaps, OfABallAreItsCap) {
  // At rest the pressure is K u, and u the height of the cap over the plane.
  std::string text = kPressedBall;
  text.replace(text.find("velocity: [0.3, 0, -0.2], angular_velocity: [0, 2, 20]"), 54,
               "rotation: [0, 0, 0]");
  text.replace(text.find("until: 0.05"), 11, "until: 1");
  text.replace(text.find("step: 5e-4"), 10, "step: 0.5");
  const MappedRun run = run_with_maps(text);
  ASSERT_FALSE(run.recording.maps.empty());
  const MapRecord& map = run.recording.maps.back();
  const double R = 0.05, K = 0.5 * 0.7 / (1.3 * 0.4) * 5e6 / 2e-3;
  const double height = run.recording.column("ball.position.z")[map.row];
  for (const Point& p : points_of(map)) {
    const double r = std::hypot(p.p.x - 0.1, p.p.y - 0.2);
    const double u = std::sqrt(R * R - r * r) - height;
    EXPECT_NEAR(p.value, K * u, 1e-3 * K * (R - height)) << r;
  }
}

const char* kCube = R"yaml(
carom: 1
materials: {soft: {density: 1000, youngs_modulus: 2.1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  cube: {mass: 10, inertia: [0.0667, 0.0667, 0.0667], material: soft, shapes: [{box: {size: [0.2, 0.2, 0.2]}, mass: off}], position: [0.3, 0, 0.1]}
forces:
  push: {force: {body: cube, at: [0.03, 0, 0.1], value: [0, 0, -50]}}
contact: {method: triangles, restitution: 0.3}
run: {until: 0.6, integrator: implicit_contact, step: 2e-3, output: {step: 0.2, maps: on}}
)yaml";

TEST(PressureMaps, OfACubeAreItsRim) {
  const MappedRun run = run_with_maps(kCube);
  ASSERT_FALSE(run.recording.maps.empty());
  const MapRecord& map = run.recording.maps.back();
  EXPECT_EQ(map.quantity, "circumference");
  EXPECT_EQ(map.unit, "N/m");
  EXPECT_NEAR(map.normal[2], 1.0, 1e-6);
  const std::vector<Point> points = points_of(map);
  ASSERT_GE(points.size(), 5u);
  EXPECT_EQ(points.front().p, points.back().p) << "the curve is closed";
  double length = 0.0;
  for (const Point& p : points) {
    length += p.share;
    EXPECT_NEAR(std::max(std::abs(p.p.x - 0.3), std::abs(p.p.y)), 0.1, 1e-4);
    EXPECT_NEAR(p.p.z, 0.0, 1e-9);
  }
  EXPECT_NEAR(length, 0.8, 1e-4);
  const double force = run.recording.column("contact(floor,cube).force.normal")[map.row];
  EXPECT_NEAR(force_in(map), force, 1e-9 * force);
  // Weight and push together act 3 cm times 50 N beside the middle.
  const double weight = 10.0 * 9.81;
  EXPECT_NEAR(centre_in(map).x, 0.3 + 0.03 * 50.0 / (weight + 50.0), 1e-3);
}

TEST(PressureMaps, AreLeftOutUnlessAskedFor) {
  std::string text = kCube;
  text.replace(text.find(", maps: on"), 10, "");
  EXPECT_TRUE(run_with_maps(text).recording.maps.empty());
}

TEST(PressureMaps, EndWhereThereIsNoRoomAndSaySo) {
  std::string text = kPressedBall;
  text.replace(text.find("position: [0.1, 0.2, 0.05], velocity: [0.3, 0, -0.2]"), 52,
               "position: [0.1, 0.2, 0.0499]");
  text.replace(text.find("until: 0.05"), 11, "until: 0.02");
  text.replace(text.find("step: 5e-4"), 10, "step: 1e-6");
  const MappedRun run = run_with_maps(text);
  std::size_t points = 0;
  for (const MapRecord& map : run.recording.maps) points += map.points.size() / kMapNumbers;
  EXPECT_LE(points, 1'000'000u);
  EXPECT_GT(points, 900'000u);
  ASSERT_FALSE(run.result.warnings.empty());
  EXPECT_NE(run.result.warnings.back().find("maps of contacts"), std::string::npos);
  EXPECT_EQ(run.recording.rows(), 20'001u);
}

TEST(PressureMaps, AreTheSameInARunThatWasResumed) {
  std::string text = kPressedBall;
  text.replace(text.find("until: 0.05"), 11, "until: 0.05, checkpoint: 0.02");
  std::vector<Checkpoint> checkpoints;
  MemoryWriter whole;
  RunOptions options;
  options.recorder = &whole;
  options.on_checkpoint = [&](const Checkpoint& here) { checkpoints.push_back(here); };
  run(model_of(text), options);
  ASSERT_FALSE(checkpoints.empty());
  MemoryWriter again;
  RunOptions resumed;
  resumed.recorder = &again;
  resumed.resume = &checkpoints.front();
  resumed.recorded = &whole.recording();
  run(model_of(text), resumed);
  const std::vector<MapRecord>&a = whole.recording().maps, &b = again.recording().maps;
  ASSERT_GT(a.size(), 5u);
  ASSERT_LT(a.front().row, checkpoints.front().rows);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].row, b[i].row);
    EXPECT_EQ(a[i].points, b[i].points);
  }
}

}  // namespace
}  // namespace carom
