// Same scene, same bits: at -O0 and -O2, in one thread and in two, today and tomorrow.
//
// The final states of three scenes are reduced to a hash (FNV-1a over the bits of positions,
// orientations and velocities). The table holds for one mathematical library on one kind of
// processor, known by a hash of its own sines and powers, which round as they like; with others
// only the runs of this test are compared with each other. Where a change of the code moves numbers
// on purpose, the test prints the new row, and CHANGELOG.md gets a line "Results change:".
#include <cinttypes>
#include <cmath>
#include <cstring>
#include <thread>

#include "scene_runs.h"

namespace carom {
namespace {

using testing::run_text;

const char* kTumbling = R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  box: {material: steel, shapes: [{box: {size: [0.1, 0.12, 0.14]}}], position: [0, 0, 0.2], angular_velocity: [3, 2, 1]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0.02, 0.01, 0.4]}
contact: {law: exact, friction: lugre, restitution: 0.5, k_red: 1e-4}
run: {until: 0.4, tolerance: 1e-7}
)yaml";

const char* kLinkage = R"yaml(
carom: 1
bodies:
  left: {mass: 1, com: [0, 0, -0.25], inertia: [0.02, 0.02, 0.001], joint: {revolute: {axis: y}, name: left_pivot, q: 0.5}}
  right: {mass: 1, com: [0, 0, -0.25], inertia: [0.02, 0.02, 0.001], joint: {revolute: {at: [0.4, 0, 0], axis: y}, name: right_pivot, q: 0.5}}
  bar: {mass: 0.5, com: [0.2, 0, 0], inertia: [0.001, 0.01, 0.01], joint: {revolute: {parent: left, at: [0, 0, -0.5], axis: y}, name: left_end, q: -0.5}}
joints:
  right_end: {revolute: {parent: bar, child: right, at: [0.4, 0, 0], child_at: [0, 0, -0.5], axis: y}, loop: true}
run: {until: 2, tolerance: 1e-8}
)yaml";

const char* kBouncing = R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  egg: {material: soft, shapes: [{ellipsoid: {radii: [0.2, 0.1, 0.1]}}], position: [0, 0, 0.4], rotation: [0.2, 0.4, 0], velocity: [1, 0, 0]}
materials: {soft: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
contact: {law: flores, friction: coulomb, restitution: 0.7}
run: {until: 1, tolerance: 1e-7}
)yaml";

struct Golden {
  const char* name;
  const char* scene;
  const char* method;
  std::uint64_t hash;
};

const Golden kGolden[] = {
    {"tumbling", kTumbling, "switching", 0xe3c0947c0582c6f2ull},
    {"linkage", kLinkage, "erk8", 0x8aeb88ac21a619c7ull},
    {"linkage", kLinkage, "cvode_bdf", 0xc2bdd31add66dfe7ull},
    {"bouncing", kBouncing, "dirk5", 0x9adf03b8511c3821ull},
};
constexpr std::uint64_t kLibrary = 0xa6dfd51c02e4f11aull;

class Hash {
 public:
  void add(double value) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (const unsigned char byte : bytes) value_ = (value_ ^ byte) * 1099511628211ull;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037ull;
};

std::uint64_t hash_of_library() {
  Hash hash;
  for (int i = 1; i <= 3000; ++i) {
    const double x = 0.0137 * i;
    for (const double y : {std::sin(x), std::cos(x), std::atan2(x, 1.0 + x), std::exp(-x),
                           std::log(x), std::pow(x, 1.5), std::tanh(x), std::cbrt(x)}) {
      hash.add(y);
    }
  }
  return hash.value();
}

std::uint64_t hash_of(const Golden& golden) {
  const RunResult r = run_text(golden.scene, {std::string("run.integrator=") + golden.method});
  Hash hash;
  for (const BodyState& b : r.bodies) {
    for (std::size_t i = 0; i < 3; ++i) {
      hash.add(b.position[i]), hash.add(b.velocity[i]), hash.add(b.angular_velocity[i]);
    }
    hash.add(b.orientation.w), hash.add(b.orientation.x);
    hash.add(b.orientation.y), hash.add(b.orientation.z);
  }
  return hash.value();
}

TEST(Golden, FinalStatesAreTheSameBitsAsEver) {
  if (hash_of_library() != kLibrary) {
    GTEST_SKIP() << "the table is for another mathematical library; this one is 0x" << std::hex
                 << hash_of_library();
  }
  for (const Golden& golden : kGolden) {
    const std::uint64_t hash = hash_of(golden);
    EXPECT_EQ(hash, golden.hash) << golden.name << ", " << golden.method << ": now 0x" << std::hex
                                 << hash;
  }
}

TEST(Golden, TwoThreadsDisturbNothing) {
  std::uint64_t alone[std::size(kGolden)], first[std::size(kGolden)], second[std::size(kGolden)];
  const auto run_all = [](std::uint64_t* out) {
    for (std::size_t i = 0; i < std::size(kGolden); ++i) out[i] = hash_of(kGolden[i]);
  };
  run_all(alone);
  std::thread other(run_all, second);
  run_all(first);
  other.join();
  for (std::size_t i = 0; i < std::size(kGolden); ++i) {
    EXPECT_EQ(alone[i], first[i]) << kGolden[i].name;
    EXPECT_EQ(alone[i], second[i]) << kGolden[i].name;
  }
}

}  // namespace
}  // namespace carom
