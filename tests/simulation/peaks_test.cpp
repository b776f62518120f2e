// The largest forces between rows: against closed forms, against rows on a fine grid, and without
// a change in the motion.
#include <cmath>

#include "carom/record/memory_writer.h"
#include "contact_runs.h"

namespace carom {
namespace {

using namespace carom::testing;

struct Recorded {
  RunResult result;
  Recording rows;
};

Recorded record(const std::string& text, std::vector<std::string> overrides = {}) {
  MemoryWriter writer;
  RunOptions options;
  options.recorder = &writer;
  Recorded out;
  out.result = run(model_of(text, std::move(overrides)), options);
  EXPECT_EQ(out.result.status, RunStatus::completed) << out.result.reason;
  out.rows = writer.take();
  return out;
}

double largest_row(const Recording& r, const std::string& column) {
  double largest = 0.0;
  for (const double v : r.column(column)) largest = std::max(largest, std::abs(v));
  return largest;
}

double largest_peak(const RunResult& r, const std::string& object, const std::string& quantity) {
  for (const PeakRecord& p : r.peaks) {
    if (p.object == object && p.quantity == quantity) return p.value;
  }
  ADD_FAILURE() << "no peak of " << object << " " << quantity;
  return 0.0;
}

const char* const kBall = R"(carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.03}}], position: [0, 0, 0.13], velocity: [0.3, 0, 0]}
contact: {k_red: 1e-2, restitution: 0.6, watch: [[table, ball]]}
run: {until: 0.4, tolerance: 1e-8, output: {step: 0.1}}
)";

/// Largest force and depth of the first impact on a grid of 2 µs: in half a millisecond it misses
/// the top by 2e-5 of it at most.
struct Truth {
  double force = 0.0, depth = 0.0;
};
const Truth& first_impact() {
  static const Truth truth = [] {
    const Recorded fine = record(kBall, {"run.output.step=2e-6", "run.until=0.147"});
    Truth found;
    found.force = largest_row(fine.rows, "contact(table,ball).force.normal");
    for (const double phi : fine.rows.column("contact(table,ball).phi")) {
      found.depth = std::max(found.depth, -phi);
    }
    return found;
  }();
  return truth;
}

TEST(Peaks, OfAnImpactAreThoseOfAFineGrid) {
  for (const char* method : {"auto", "cvode_bdf", "erk8", "erk5"}) {
    SCOPED_TRACE(method);
    const std::string integrator = std::string("run.integrator=") + method;
    const Recorded coarse = record(kBall, {integrator});
    const double truth = first_impact().force;
    ASSERT_GT(truth, 1000.0);
    EXPECT_LT(largest_row(coarse.rows, "contact(table,ball).force.normal"), 0.01 * truth);
    EXPECT_NEAR(largest_peak(coarse.result, "contact(table,ball)", "force.normal"), truth,
                2e-5 * truth);
    const EngineEvent end = events_of(coarse.result, "contact_end").front();
    EXPECT_NEAR(end.peak_force, truth, 2e-5 * truth);
    EXPECT_NEAR(end.peak_depth, first_impact().depth, 2e-4 * first_impact().depth);
  }
}

TEST(Peaks, OfFixedStepsAreFoundToo) {
  for (const char* method : {"rk4", "semi_implicit_euler"}) {
    SCOPED_TRACE(method);
    const std::vector<std::string> words{std::string("run.integrator=") + method, "run.step=2e-6"};
    const Recorded coarse = record(kBall, words);
    const double truth = first_impact().force;
    EXPECT_NEAR(largest_peak(coarse.result, "contact(table,ball)", "force.normal"), truth,
                5e-3 * truth);
    EXPECT_FALSE(coarse.rows.peaks.empty());
  }
}

TEST(Peaks, ChangeNeitherStepsNorRows) {
  for (const char* method : {"auto", "cvode_adams", "rk4"}) {
    SCOPED_TRACE(method);
    std::vector<std::string> words{std::string("run.integrator=") + method};
    if (std::string(method) == "rk4") words.push_back("run.step=1e-5");
    const Recorded with = record(kBall, words);
    words.push_back("run.output.peaks=off");
    const Recorded without = record(kBall, words);
    EXPECT_TRUE(without.rows.peaks.empty());
    EXPECT_FALSE(with.rows.peaks.empty());
    EXPECT_EQ(with.result.statistics.counts.steps, without.result.statistics.counts.steps);
    EXPECT_EQ(with.rows.time, without.rows.time);
    ASSERT_EQ(with.rows.values.size(), without.rows.values.size());
    for (std::size_t i = 0; i < with.rows.values.size(); ++i) {
      const double a = with.rows.values[i], b = without.rows.values[i];
      ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << i;
    }
  }
}

TEST(Peaks, AreAtMostOneOfAnObjectBetweenTwoRowsAndAboveBoth) {
  const Recorded r = record(kBall, {"run.output.step=0.02", "run.until=1"});
  ASSERT_GT(r.rows.peaks.size(), 3u);
  double last = 0.0;
  for (std::size_t i = 0; i < r.rows.peaks.size(); ++i) {
    const PeakRecord& p = r.rows.peaks[i];
    EXPECT_GE(p.time, last);
    last = p.time;
    ASSERT_GT(p.row, 0u);
    ASSERT_LT(p.row, r.rows.rows());
    EXPECT_GT(p.time, r.rows.time[p.row - 1]);
    EXPECT_LT(p.time, r.rows.time[p.row]);
    for (std::size_t k = 0; k < i; ++k) {
      const PeakRecord& q = r.rows.peaks[k];
      EXPECT_FALSE(q.row == p.row && q.object == p.object && q.quantity == p.quantity);
    }
    if (p.object != "contact(table,ball)") continue;
    const std::vector<double> force = r.rows.column("contact(table,ball).force.normal");
    EXPECT_GT(p.value, std::max(force[p.row - 1], force[p.row]));
    // The columns are those of the object at that instant.
    const ColumnIndex index(r.rows.channels);
    const std::size_t column = index.column("contact(table,ball).force.normal");
    EXPECT_EQ(p.columns[column - p.first_column], p.value);
  }
}

// Largest where the pendulum hangs straight down: m g (3 - 2 cos q0), between rows 0.7 s apart.
TEST(Peaks, OfAReactionAreThoseOfTheClosedForm) {
  const std::string pendulum = R"(carom: 1
bodies:
  bob: {mass: 2, com: [0, 0, -0.5], inertia: [0, 0, 0], joint: {revolute: {axis: y}, name: pivot, q: 1.2}}
run: {until: 2.1, tolerance: 1e-9, output: {step: 0.7}}
)";
  const double truth = 2.0 * 9.81 * (3.0 - 2.0 * std::cos(1.2));
  for (const char* method : {"erk8", "cvode_adams", "cvode_bdf"}) {
    SCOPED_TRACE(method);
    const Recorded r = record(pendulum, {std::string("run.integrator=") + method});
    EXPECT_NEAR(largest_peak(r.result, "pivot", "reaction_force"), truth, 1e-6 * truth);
    EXPECT_LT(largest_row(r.rows, "pivot.reaction_force.z"), 0.99 * truth);
  }
}

// Every contact is told of when it ends: energy and impulse by the change of velocity, the whole
// also in the table of pairs.
TEST(ContactEnds, TellDurationImpulseAndLoss) {
  const RunResult r = run_text(kBall, {"run.until=0.2", "bodies.ball.velocity=[0, 0, 0]"});
  const EngineEvent begin = events_of(r, "contact_begin").at(0),
                    end = events_of(r, "contact_end").at(0);
  const double mass = 7850.0 * 4.0 / 3.0 * 3.14159265358979 * 0.03 * 0.03 * 0.03;
  EXPECT_NEAR(end.duration, end.time - begin.time, 1e-15);
  EXPECT_NEAR(end.energy_lost, 0.5 * mass * (begin.value * begin.value - end.value * end.value),
              0.02 * end.energy_lost);
  EXPECT_NEAR(end.impulse, mass * (begin.value + end.value + 9.81 * end.duration),
              0.02 * end.impulse);
  EXPECT_LT(end.slip, 1e-9);
  ASSERT_EQ(r.contact_pairs.size(), 1u);
  const ContactSummary& pair = r.contact_pairs.front();
  EXPECT_EQ(pair.first + "|" + pair.second, "table|ball");
  EXPECT_EQ(pair.count, events_of(r, "contact_begin").size());
  EXPECT_EQ(pair.peak_force, end.peak_force);  // the first bounce is the hardest
  EXPECT_GT(pair.peak_time, begin.time);
  EXPECT_LT(pair.peak_time, end.time);
}

// A ball that is thrown along a table slides until it rolls: by Coulomb, v0² / (7 μ g).
TEST(ContactEnds, TellTheWayThatWasSlid) {
  const std::string ball = R"(carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.05], velocity: [1, 0, 0]}
contact: {k_red: 1e-2, mu_k: 0.2, friction: coulomb, resistance: none}
run: {until: 0.25, tolerance: 1e-8}
)";
  for (const char* method : {"auto", "cvode_bdf"}) {
    SCOPED_TRACE(method);
    const RunResult r = run_text(ball, {std::string("run.integrator=") + method});
    ASSERT_EQ(r.contact_pairs.size(), 1u);
    // It is put down rather than in balance: it sinks in, and the normal force swings.
    EXPECT_NEAR(r.contact_pairs[0].slip, 1.0 / (7.0 * 0.2 * 9.81), 0.01 / (7.0 * 0.2 * 9.81));
  }
}

TEST(ErrorEstimates, TellOfPeaksAndReactions) {
  const Recorded r = record(kBall, {"run.tolerance=1e-6"});
  const ErrorEstimate e =
      estimate_error(*model_of(kBall, {"run.tolerance=1e-6"}), r.rows, r.result.peaks);
  const double force = largest_peak(r.result, "contact(table,ball)", "force.normal");
  EXPECT_GT(e.peak_force, 0.0);
  EXPECT_LT(e.peak_force, 1e-3 * force);
}

}  // namespace
}  // namespace carom
