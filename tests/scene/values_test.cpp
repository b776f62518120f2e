#include "carom/scene/values.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scene/scene_helpers.h"

namespace carom {
namespace {

TEST(Numbers, AreThoseOfYaml) {
  EXPECT_EQ(parse_number("5"), 5.0);
  EXPECT_EQ(parse_number("-.5"), -0.5);
  EXPECT_EQ(parse_number("+1e3"), 1000.0);
  EXPECT_EQ(parse_number("1.5E-3"), 1.5e-3);
  EXPECT_EQ(parse_number("-.inf"), -kInf);
  EXPECT_TRUE(std::isnan(*parse_number(".nan")));
  EXPECT_EQ(parse_number("1e999"), kInf);
  for (const char* text : {"", "abc", "inf", "nan", "1x", "--1", "+-1", "0x10", "1,5", ".", "-"}) {
    EXPECT_FALSE(parse_number(text)) << text;
  }
}

TEST(Values, MayReferToEachOtherInAnyOrder) {
  const Scene scene = read_scene_text(
      "carom: 1\nvalues: {a: \"=2*b\", b: $c, c: 3, d: \"=sqrt(a + b) + pi\"}\n"
      "bodies: {p: {mass: $a, com: [\"=a/2\", $(b+1), -1]}}\n");
  EXPECT_EQ(scene.values[0].second, 6.0);
  EXPECT_EQ(scene.values[3].second, 3.0 + M_PI);
  EXPECT_EQ(scene.bodies[0].mass, 6.0);
  EXPECT_EQ(scene.bodies[0].com, (Vec3{3, 4, -1}));
}

TEST(Values, ReportCyclesUnknownNamesAndNonsense) {
  const std::string head = "carom: 1\nbodies: {p: {mass: 1}}\n";
  const auto has = [&](const std::string& values, const std::string& part) {
    const std::string findings = findings_of(head + values);
    EXPECT_NE(findings.find(part), std::string::npos) << values << "\n" << findings;
    EXPECT_EQ(findings.rfind("test.yaml:3:", 0), 0u) << findings;
  };
  has("values: {a: \"=b\", b: \"=a\"}", "refers to itself");
  has("values: {a: \"=a+1\"}", "refers to itself");
  has("values: {a: \"=radus\", radius: 1}", "did you mean 'radius'?");
  has("values: {a: \"=1/0\"}", "not finite");
  has("values: {a: \"=1+\"}", "values.a is '=1+'");
  has("values: {a: \"=t\"}", "there is no value 't'");
  has("values: {a: text}", "it must be a number");
  has("values: {a: .inf}", "it must be finite");
  has("values: {a: [1]}", "it must be a number");
  has("values: {a-b: 1}", "it holds '-'");
  has("values: {pi: 1}", "meaning of its own");
  has("values: 3", "write values as a map");
}

TEST(Values, ChainsAreBounded) {
  std::string text = "carom: 1\nbodies: {p: {mass: 1}}\nvalues:\n  v0: 1\n";
  for (int i = 1; i < 3000; ++i) {
    text += "  v" + std::to_string(i) + ": \"=v" + std::to_string(i - 1) + "+1\"\n";
  }
  EXPECT_EQ(findings_of(text), "");  // each finds the one before it done
  text = "carom: 1\nbodies: {p: {mass: 1}}\nvalues:\n";
  for (int i = 0; i < 3000; ++i) {
    text += "  v" + std::to_string(i) + ": \"=v" + std::to_string(i + 1) + "+1\"\n";
  }
  EXPECT_NE(findings_of(text + "  v3000: 1\n").find("more than 500 steps"), std::string::npos);
}

TEST(Values, RefuseQuotedNumbersWithARemedy) {
  EXPECT_NE(findings_of("carom: 1\nbodies: {p: {mass: \"5\"}}\n").find("remove the quotes"),
            std::string::npos);
}

}  // namespace
}  // namespace carom
