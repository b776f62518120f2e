// Findings about formulas name the character that is wrong, in the file and below a caret.
#include <gtest/gtest.h>

#include "scene/scene_helpers.h"

namespace carom {
namespace {

const std::string kHead = "carom: 1\nbodies: {p: {mass: 1}}\n";

void expect_at(const std::string& text, const std::string& place, const std::string& excerpt) {
  const std::string findings = findings_of(kHead + text);
  EXPECT_EQ(findings.rfind("test.yaml:" + place + ":", 0), 0u) << findings;
  EXPECT_NE(findings.find("\n" + excerpt + "\n"), std::string::npos) << findings;
}

TEST(FormulaPlaces, AreTheCharactersOfTheFile) {
  expect_at("values: {a: \"=2*(3 + 4\"}\n", "3:17", "    =2*(3 + 4\n       ^");
  expect_at("values: {a: =2*radus, radius: 1}\n", "3:16", "    =2*radus\n       ^");
  expect_at("values: {a: 1, b: $(a + c)}\n", "3:25", "    $(a + c)\n          ^");
  expect_at("values: {a: 1, b: \"$a * $a + $c\"}\n", "3:31", "    $a * $a + $c\n               ^");
  expect_at("signals: {s: \"=sin(t) + cosh t\"}\n", "3:25",
            "    =sin(t) + cosh t\n              ^");
  expect_at("signals:\n  s: |\n    =sin(t)\n    + 3 * / 4\n", "6:11", "    + 3 * / 4\n          ^");
  expect_at("contact: {law: {formula: {force: \"k*d + foo\"}}}\n", "3:41",
            "    k*d + foo\n          ^");
}

TEST(FormulaPlaces, OfFormulasWithoutTheirSignAreTold) {
  expect_at("signals: {s: \"sin(2*t)) + 1\"}\n", "3:23", "    sin(2*t)) + 1\n            ^");
  expect_at("signals: {s: \"sin(2*t) + 1\"}\n", "3:15", "    sin(2*t) + 1\n    ^");
  expect_at("run: {until: 2*3}\n", "3:14", "    2*3\n    ^");
  const std::string findings = findings_of(kHead + "signals: {s: \"sin(2*t) + 1\"}\n");
  EXPECT_NE(findings.find("begins with '='"), std::string::npos) << findings;
}

TEST(FormulaPlaces, OfLongFormulasShowTheNeighbourhood) {
  std::string sum = "=1";
  for (int i = 0; i < 500; ++i) sum += "+1";
  const std::string findings =
      findings_of(kHead + "values: {a: \"" + sum + "+q+" + sum.substr(1) + "\"}\n");
  EXPECT_NE(findings.find("...1+1+1"), std::string::npos) << findings;
  EXPECT_LT(findings.size(), 600u);
  EXPECT_EQ(findings.rfind("test.yaml:3:1017:", 0), 0u) << findings;
}

TEST(FormulaPlaces, WithEscapesFallBackToTheTextItself) {
  const std::string findings = findings_of(kHead + "values: {a: \"=1 +\\t* 2\"}\n");
  EXPECT_EQ(findings.rfind("test.yaml:3:13:", 0), 0u) << findings;
}

}  // namespace
}  // namespace carom
