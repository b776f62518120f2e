// The judge: a case whose expectation is wrong has to fail, by every way of reading a number.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/verify/own_sums.h"
#include "carom/verify/verify.h"

namespace carom::verify {
namespace {

// A ball thrown up at 3 m/s from 1 m, in vacuum: everything about it is known.
const std::string kThrow = R"(---
carom: 1
gravity: [0, 0, -10]
bodies: {ball: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1], velocity: [1, 0, 3], angular_velocity: [0, 0, 4]}}
events: {top: {when: "ball.velocity.z"}}
run: {until: 0.8, tolerance: 1e-10, output: {step: 0.01}}
)";

struct Expectation {
  const char* how;
  double truth;
};

const Expectation kExpectations[] = {
    {"last: ball.position.z", 1 + 3 * 0.8 - 5 * 0.64},
    {"first: ball.velocity.z", 3},
    {"at: ball.position.z, time: 0.5", 1 + 1.5 - 1.25},
    {"max: ball.velocity.z", 3},
    {"min: ball.velocity.z", -5},
    {"range: ball.position.x", 0.8},
    {"peak: ball.position.z", 1.45},
    {"mean: ball.velocity.z", -1},
    {"integral: ball.velocity.z, from: 0.2, until: 0.4", 0.0},
    {"crossing: ball.velocity.z", 0.3},
    {"event: user, subject: top", 0.3},
    {"count: user", 1},
    {"mass: ball", 2},
    {"inertia: ball.zz", 0.1},
    {"last: own.kinetic", 0.5 * 2 * (1 + 25) + 0.5 * 0.1 * 16},
    {"last: own.potential", 2 * 10 * (1 + 3 * 0.8 - 5 * 0.64)},
    {"last: own.momentum.x", 2},
    {"last: own.spin.z", 0.4},
    {"at: ball.own_velocity.z, time: 0.4", -1},
    {"max: abs(ball.own_force.z)", 0},
};

CaseResult judge(const std::string& how, double expected) {
  const std::string text =
      "title: t\nsource: closed form\nread: {a: {" + how +
      "}}\ncheck: [{what: a, computed: a, expected: " + std::to_string(expected) +
      ", tolerance: 1e-6}]\n" + kThrow;
  return run_case(read_case("throw", text));
}

TEST(Comparison, AcceptsTheTruth) {
  for (const Expectation& e : kExpectations) {
    const CaseResult r = judge(e.how, e.truth);
    EXPECT_TRUE(r.passed) << e.how << ": " << r.failure << " "
                          << (r.checks.empty() ? NAN : r.checks[0].computed);
  }
}

TEST(Comparison, RefusesWhatIsOffByALittle) {
  for (const Expectation& e : kExpectations) {
    EXPECT_FALSE(judge(e.how, e.truth + 1e-5).passed) << e.how;
    EXPECT_FALSE(judge(e.how, e.truth - 1e-5).passed) << e.how;
  }
}

TEST(Comparison, TellsWhatCannotBeRead) {
  EXPECT_NE(judge("last: ball.positoin.z", 0).failure.find("ball.position.z"), std::string::npos);
  EXPECT_NE(judge("event: user, number: 2", 0).failure.find("there are 1"), std::string::npos);
  EXPECT_NE(judge("at: ball.position.z, time: 0.123", 0).failure.find("no row"), std::string::npos);
}

TEST(Comparison, DoesNotPassOnANumberThatIsNone) {
  EXPECT_FALSE(judge("last: 0/0*ball.position.z", 0).passed);
}

TEST(OwnSums, DifferentiateToFourthOrder) {
  std::vector<double> t, y;
  for (int i = 0; i <= 100; ++i) t.push_back(0.01 * i), y.push_back(std::sin(t.back()));
  const std::vector<double> d = derivative(t, y);
  // h⁴/30 of the fifth derivative.
  for (std::size_t i = 2; i + 2 < t.size(); ++i) EXPECT_NEAR(d[i], std::cos(t[i]), 1e-9);
}

}  // namespace
}  // namespace carom::verify
