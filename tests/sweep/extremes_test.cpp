// Extremes of forces are found where they are, not where a row happens to lie.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/sweep/point_runner.h"
#include "sweep/studies.h"

namespace carom::sweep {
namespace {

/// A ball that bounces once; the contact lasts some 0.1 ms.
const char* const kDrop = R"(carom: 1
values: {speed: 1}
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [4, 4, 0.2]}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.2], velocity: [0, 0, "=-speed"]}
contact: {law: hertz, mu_k: 0}
run: {until: 0.1, output: {step: 0.05}}
)";

std::shared_ptr<const Plan> plan_of(const std::string& record, Diagnostics& findings) {
  const auto study = read_study_text(
      "carom_study: 1\nscene: none\nvary: {values.speed: [1, 2]}\ndesign: {grid: 2}\nrecord: {" +
          record + "}\n",
      "study", "", findings);
  auto document = load_document_text(kDrop, "scene", {}, findings);
  return study && document ? Plan::make(*study, *std::move(document), findings) : nullptr;
}

std::vector<double> row_of(const std::string& record, std::uint64_t point) {
  Diagnostics findings;
  const auto plan = plan_of(record, findings);
  for (const Diagnostic& d : findings.all()) ADD_FAILURE() << to_string(d);
  return plan ? PointRunner(plan).run(point, nullptr)->values : std::vector<double>();
}

/// Hertz: the deepest point of an elastic impact is where 1/2 m v² = 2/5 K d^(5/2), F = K d^(3/2).
double hertz_peak(double speed) {
  const double r = 0.05, E = 210e9, nu = 0.3, density = 7850;
  const double mass = density * 4.0 / 3.0 * M_PI * r * r * r;
  const double stiff = 4.0 / 3.0 * E / (2.0 * (1.0 - nu * nu)) * std::sqrt(r);
  return stiff * std::pow(1.25 * mass * speed * speed / stiff, 0.6);
}

TEST(Extremes, OfContactForcesAreFoundBetweenRows) {
  for (const std::uint64_t point : {0u, 1u}) {
    const std::vector<double> row = row_of(
        "most: \"max(contact(ball,table).force.normal)\", same: "
        "\"peak(contact(table,ball).force.normal)\", hit: \"time@contact_begin(ball,table)\", "
        "when: \"time@max(contact(ball,table).force.normal)\", "
        "speed: \"ball.velocity.z@contact_begin(ball,table)\"",
        point);
    if (row.empty()) continue;
    const double expected = hertz_peak(std::abs(row[4]));
    EXPECT_NEAR(row[0], expected, 1e-2 * expected) << "the material's figures are about these";
    EXPECT_EQ(row[0], row[1]) << "a normal force is the same seen from either body";
    EXPECT_GT(row[3], row[2]);
    EXPECT_LT(row[3], row[2] + 1e-3);
  }
}

TEST(Extremes, OfAVectorKeepTheOrderOfThePair) {
  Diagnostics findings;
  EXPECT_FALSE(plan_of("f: \"max(contact(ball,table).force.z)\"", findings));
  ASSERT_EQ(findings.error_count(), 1);
  EXPECT_NE(to_string(findings.all()[0]).find("contact(table,ball).force"), std::string::npos);
}

TEST(Extremes, OfWhatIsNotThereAreTheOnlyFindings) {
  Diagnostics findings;
  EXPECT_FALSE(plan_of("a: max(ball.velocityy), b: ball.position@end, c: max(none.q)", findings));
  EXPECT_EQ(findings.error_count(), 2);
}

}  // namespace
}  // namespace carom::sweep
