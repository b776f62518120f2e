// A Stewart platform: a free body on six legs, each a universal joint below, a piston, and
// a spherical joint above that closes a loop. Pistons are driven by forces.
#include <array>
#include <numbers>

#include "scene_runs.h"

namespace carom {
namespace {

using testing::body;
using testing::joint;
using testing::run_text;

Vec3 ring(double radius, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle), 0.0};
}

/// Where leg k stands on the ground, and where it holds the platform (in its axes).
Vec3 foot(int k) { return ring(0.5, k / 2 * 2 * std::numbers::pi / 3 + (k % 2 ? 0.2 : -0.2)); }
Vec3 head(int k) { return ring(0.3, k / 2 * 2 * std::numbers::pi / 3 + (k % 2 ? 0.85 : -0.85)); }

std::string text_of(const Vec3& p) {
  char text[80];
  std::snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", p[0], p[1], p[2]);
  return text;
}

std::string stewart_platform() {
  std::string bodies = R"yaml(carom: 1
bodies:
  platform: {mass: 10, inertia: [0.4, 0.5, 0.8], position: [0.02, -0.01, 0.6], rotation: [0.05, -0.03, 0.1]}
)yaml";
  std::string loops = "joints:\n";
  for (int k = 0; k < 6; ++k) {
    const std::string n = std::to_string(k);
    bodies += "  lower" + n + ": {mass: 0.5, com: [0, 0, 0.15], inertia: [4e-3, 4e-3, 1e-4], " +
              "joint: {universal: {at: " + text_of(foot(k)) + "}, name: u" + n + "}}\n";
    bodies += "  upper" + n + ": {mass: 0.4, com: [0, 0, -0.1], inertia: [3e-3, 3e-3, 1e-4], " +
              "joint: {prismatic: {parent: lower" + n + ", axis: z}, name: p" + n +
              ", q: 0.6, damping: 5, spring: {stiffness: 4000, rest: 0.64}, drive: {force: " +
              "\"=60*sin((3 + 0.7*" + n + ")*t)\"}}}\n";
    loops += "  s" + n + ": {spherical: {parent: upper" + n +
             ", child: platform, child_at: " + text_of(head(k)) + "}, loop: true}\n";
  }
  return bodies + loops + "initial: {assemble: {keep: [p0]}}\n" +
         "run: {until: 20, tolerance: 1e-8}\n";
}

// The length of each leg follows from the pose of the platform alone: what a machine's
// control computes. N11 bounds the ledger, N12 the loops.
TEST(StewartPlatform, FollowsItsForcesWithItsLegsAttached) {
  const RunResult r = run_text(stewart_platform());
  const BodyState& platform = body(r, "platform");
  for (int k = 0; k < 6; ++k) {
    const Vec3 top = platform.position + to_matrix(platform.orientation) * head(k);
    EXPECT_NEAR(joint(r, "p" + std::to_string(k)).q[0], norm(top - foot(k)), 1e-9) << k;
  }
  EXPECT_LE(r.statistics.constraint_error, 1e-9);
  EXPECT_EQ(r.statistics.redundant_constraints, 0u);
  EXPECT_LE(r.largest_residual, 100 * 1e-8 * 2 * r.energy_scale);
  EXPECT_GT(r.energy.drive_work, 1.0);  // it was driven, by joules
}

}  // namespace
}  // namespace carom
