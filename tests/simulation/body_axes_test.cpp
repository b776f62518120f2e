// The channel angular_velocity_body: recorded where it is asked for, in axes of the body.
#include <cmath>

#include "carom/record/memory_writer.h"
#include "rigid_scenes.h"

namespace carom {
namespace {

/// A body whose frame is turned against its principal axes, in free flight.
std::string free_body(const std::string& output) {
  return "carom: 1\ngravity: [0, 0, 0]\nbodies:\n"
         "  top: {mass: 1, inertia: [0.1, 0.2, 0.3], rotation: [0.3, -0.5, 1.1], "
         "angular_velocity: [1, 2, 3]}\n"
         "run: {until: 2, tolerance: 1e-11, output: {step: 0.1" +
         output + "}}\n";
}

Recording recorded_flight(const std::string& output) {
  MemoryWriter memory;
  RunOptions options;
  options.recorder = &memory;
  EXPECT_EQ(run(testing::model_of(free_body(output)), options).status, RunStatus::completed);
  return memory.take();
}

// Without torques energy and the square of the spin are sums over the components along principal
// axes, 2 T = sum I w^2 and L^2 = sum (I w)^2; R(q) turns it into what is recorded in world axes.
TEST(BodyAxes, HaveTheIntegralsOfEuler) {
  const Recording rows = recorded_flight(", channels: [bodies, top.angular_velocity_body]");
  const auto at = [&](const std::string& name, std::size_t i) { return rows.column(name)[i]; };
  const double inertia[] = {0.1, 0.2, 0.3};
  double energy = 0.0, spin = 0.0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const Vec3 w{at("top.angular_velocity_body.x", i), at("top.angular_velocity_body.y", i),
                 at("top.angular_velocity_body.z", i)};
    const double own[] = {w.x, w.y, w.z};
    double T = 0.0, L = 0.0;
    for (int k = 0; k < 3; ++k) {
      T += inertia[k] * own[k] * own[k], L += std::pow(inertia[k] * own[k], 2);
    }
    if (i == 0) energy = T, spin = L;
    EXPECT_NEAR(T, energy, 1e-9);
    EXPECT_NEAR(L, spin, 1e-9);
    const Quat q{at("top.orientation.w", i), at("top.orientation.x", i), at("top.orientation.y", i),
                 at("top.orientation.z", i)};
    const Vec3 world = to_matrix(q) * w;
    const Vec3 recorded{at("top.angular_velocity.x", i), at("top.angular_velocity.y", i),
                        at("top.angular_velocity.z", i)};
    EXPECT_LT(norm(world - recorded), 1e-14);
  }
}

TEST(BodyAxes, AreRecordedOnRequestAlone) {
  for (const auto& [output, is_there] : {std::pair{"", false},
                                         {", channels: [all]", false},
                                         {", channels: [top]", false},
                                         {", channels: [body_axes]", true}}) {
    const Recording rows = recorded_flight(output);
    bool found = false;
    for (const auto& channel : rows.channels) found |= channel.name == "top.angular_velocity_body";
    EXPECT_EQ(found, is_there) << output;
  }
}

}  // namespace
}  // namespace carom
