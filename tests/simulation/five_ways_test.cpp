// One scene by several formulations: five balls on one table, whole shapes in place of idealised
// surfaces, and a cam by a formula beside the curve it must draw.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "contact_runs.h"
#include "example_scenes.h"

namespace carom {
namespace {

using testing::events_of;
using testing::run_example;
using testing::set;

/// What one ball did: when it touched, how fast it came, how long it stayed.
struct Bounces {
  std::vector<double> time, speed, duration;
};

std::map<std::string, Bounces> bounces_of(const RunResult& r) {
  std::map<std::string, Bounces> balls;
  for (const EngineEvent& e : events_of(r, "impact")) {
    balls["rigid"].time.push_back(e.time);
    balls["rigid"].speed.push_back(e.value);
  }
  const auto ball_of = [](const EngineEvent& e) {
    return e.subject == "skin" ? std::string("idealised") : e.other;
  };
  for (const EngineEvent& e : events_of(r, "contact_begin")) {
    balls[ball_of(e)].time.push_back(e.time);
    balls[ball_of(e)].speed.push_back(e.value);
  }
  for (const EngineEvent& e : events_of(r, "contact_end")) {
    Bounces& b = balls[ball_of(e)];
    b.duration.push_back(e.time - b.time.at(b.duration.size()));
  }
  return balls;
}

// The rigid ball bounces in closed form. The others differ by no more than the weight does while
// an impact lasts, as the scene says.
TEST(FiveWays, AgreeWithinWhatStiffnessExplains) {
  const RunResult r = run_example("five_ways");
  auto balls = bounces_of(r);
  ASSERT_EQ(balls.size(), 5u);
  const double g = 9.81, v0 = std::sqrt(2 * g * 0.3);
  double t = v0 / g, v = v0;
  const Bounces& rigid = balls.at("rigid");
  ASSERT_GE(rigid.time.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(rigid.time[k], t, 1e-9);
    EXPECT_NEAR(rigid.speed[k], v, 1e-9);
    v *= 0.8;
    t += 2 * v / g;
  }
  for (const auto& [name, ball] : balls) {
    if (name == "rigid") continue;
    ASSERT_GE(ball.time.size(), 4u) << name;
    double lasted = 0.0;
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(ball.speed[k], rigid.speed[k], g * lasted + 1e-7) << name << k;
      EXPECT_NEAR(ball.time[k], rigid.time[k], 3 * lasted + 1e-8) << name << k;
      if (k < ball.duration.size()) lasted += ball.duration[k];
    }
    // Stiff: three impacts take less than 4 ms in all, and are told from none.
    EXPECT_LT(lasted, 4e-3) << name;
    EXPECT_GT(std::abs(ball.time[3] - rigid.time[3]), 1e-4) << name;
  }
  // A point by Hertz and the same law between idealised surfaces are one and the same.
  EXPECT_NEAR(balls.at("idealised").time[3], balls.at("elastic").time[3], 1e-6);
}

// Stiffer by a factor of 100, impacts last 100^(-2/5) as long, and so do the differences.
TEST(FiveWays, DrawTogetherAsTheyGetStiffer) {
  const auto late = [](const RunResult& r, const char* ball) {
    auto balls = bounces_of(r);
    return balls.at(ball).time.at(3) - balls.at("rigid").time.at(3);
  };
  const RunResult soft = run_example("five_ways", {"contact.k_red=0.01"});
  const RunResult stiff = run_example("five_ways");
  // The facets of a ball of triangles are 0.1 mm high, as much as a third of the stiff depth.
  for (const auto& [ball, share] : {std::pair{"elastic", 0.1}, {"area", 0.1}, {"triangles", 0.2}}) {
    const double ratio = late(soft, ball) / late(stiff, ball);
    EXPECT_NEAR(ratio, std::pow(100.0, 0.4), share * ratio) << ball;
  }
}

/// Height of the centre of a round tip of radius r over a profile turned by phi: the greatest of
/// z + sqrt(r² - x²) over its points.
double tip_height(double base, double lift, double r, double phi) {
  const auto height = [&](double u) {
    const double nose = 0.5 * (1.0 + std::cos(u)), radius = base + lift * nose * nose;
    const double x = radius * std::sin(u + phi), z = radius * std::cos(u + phi);
    return std::abs(x) < r && z > 0.0 ? z + std::sqrt(r * r - x * x) : -1.0;
  };
  double best = -phi;  // below the tip
  constexpr int kSteps = 4000;
  for (int i = 0; i <= kSteps; ++i) {
    const double u = -phi + 0.5 * (2.0 * i / kSteps - 1.0);
    if (height(u) > height(best)) best = u;
  }
  double step = 1.0 / kSteps;
  for (int i = 0; i < 100; ++i, step *= 0.7) {
    for (const double u : {best - step, best + step}) {
      if (height(u) > height(best)) best = u;
    }
  }
  return height(best);
}

TEST(CamDemo, LiftsItsFollowerAlongTheOffsetOfItsProfile) {
  Simulation simulation(testing::example_model("cam"));
  double worst = 0.0, highest = 0.0, lowest = 1.0;
  for (int i = 1; i <= 100; ++i) {
    ASSERT_EQ(simulation.advance(0.01 * i), AdvanceStatus::reached);
    const double z = simulation.value("slide.q")[0];
    worst = std::max(worst, std::abs(z - tip_height(0.03, 0.012, 0.01, 0.12 * i)));
    highest = std::max(highest, z), lowest = std::min(lowest, z);
  }
  // The steel gives way by less than 1.5 µm.
  EXPECT_LT(worst, 1.5e-6);
  EXPECT_NEAR(highest - lowest, 0.012, 2e-4);
}

TEST(CamDemo, LetsItsFollowerJumpWhenItTurnsTooFast) {
  const RunResult slow = run_example("cam", {"run.until=0.6"});
  EXPECT_EQ(events_of(slow, "contact_end").size(), 0u);
  const RunResult fast = run_example("cam", {"values.turn=60", "run.until=0.4"});
  EXPECT_GE(events_of(fast, "contact_end").size(), 3u);
}

/// Largest difference of a channel of two runs, at every hundredth of a second until `until`.
double difference(const char* one, std::vector<std::string> settings, const char* other,
                  const std::string& channel, double until) {
  Simulation a(testing::example_model(one, std::move(settings))), b(testing::example_model(other));
  double largest = 0.0;
  for (int i = 1; 0.01 * i <= until; ++i) {
    a.advance(0.01 * i), b.advance(0.01 * i);
    largest = std::max(largest, std::abs(a.value(channel)[0] - b.value(channel)[0]));
  }
  return largest;
}

// Whole shapes find the same contacts as idealised surfaces while these are all that touches. What
// is left is where friction acts: on the surface here, in the middle of the overlap there.
TEST(WholeShapes, FollowIdealisedSurfacesInExperiment1) {
  const std::vector<std::string> stiff{"values.c=1.2e6"};
  EXPECT_LT(difference("idealised_1", stiff, "idealised_1_solid", "ball.position.y", 0.25), 3e-5);
  EXPECT_LT(difference("idealised_1", stiff, "idealised_1_solid", "ball.position.z", 0.25), 3e-4);
}

TEST(WholeShapes, FollowIdealisedSurfacesInExperiment2UntilTheEdge) {
  EXPECT_LT(difference("idealised_2", {}, "idealised_2_solid", "roll.position.y", 0.37), 1e-5);
  EXPECT_LT(difference("idealised_2", {}, "idealised_2_solid", "roll.angular_velocity.x", 0.37),
            0.06);
}

TEST(WholeShapes, FollowIdealisedSurfacesInExperiment3UntilTheEdge) {
  EXPECT_LT(difference("idealised_3", {}, "idealised_3_solid", "box.position.x", 0.4), 5e-4);
  EXPECT_LT(difference("idealised_3", {}, "idealised_3_solid", "box.position.y", 0.4), 5e-4);
}

}  // namespace
}  // namespace carom
