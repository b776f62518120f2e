#include "carom/multibody/formula.h"

#include <gtest/gtest.h>

#include <cmath>

namespace carom {
namespace {

std::string reason(const std::string& text) {
  double t = 0.5;
  const FormulaVariable variables[] = {{"t", &t}};
  Formula formula;
  const std::string error = formula.compile(text, variables);
  EXPECT_EQ(formula.empty(), !error.empty()) << text;
  return error;
}

TEST(Formula, ComputesWhatTheSameExpressionComputesInCpp) {
  double t = 0.3, q = -0.7;
  const FormulaVariable variables[] = {{"t", &t}, {"pivot.q", &q}};
  Formula formula;
  ASSERT_EQ(formula.compile("2*sin(pi*t) - 0.1*pivot.q^2 + (t < 1 ? e : 0)", variables), "");
  for (int i = 0; i < 5; ++i) {
    const double expected = 2 * std::sin(M_PI * t) - 0.1 * q * q + (t < 1 ? std::exp(1.0) : 0.0);
    // A handful of roundings on numbers of order one.
    EXPECT_NEAR(formula(), expected, 8e-16 * 8);
    t += 0.4;
    q *= -1.3;
  }
}

TEST(Formula, ReadsTheVariablesWhereTheyLie) {
  double x = 1.0;
  const FormulaVariable variables[] = {{"x", &x}};
  Formula formula;
  ASSERT_EQ(formula.compile("3*x", variables), "");
  EXPECT_EQ(formula(), 3.0);
  x = 2.0;
  EXPECT_EQ(formula(), 6.0);
  Formula moved = std::move(formula);
  x = 5.0;
  EXPECT_EQ(moved(), 15.0);
}

TEST(Formula, RefusesAssignmentAndMoreThanOneResult) {
  EXPECT_NE(reason("t=3").find("assign"), std::string::npos);
  EXPECT_NE(reason("t, 2").find("2 results"), std::string::npos);
  EXPECT_EQ(reason("t==3"), "");
  EXPECT_EQ(reason("t<=3"), "");
  EXPECT_EQ(reason("t!=3 && t>=0"), "");
}

TEST(Formula, RefusesWhatIsNotAFormula) {
  const char* bad[] = {"",    "  ",       "2*",    "(t",  "t)",    "foo(t)", "\"text\"",
                       "1 2", "sin(1,2)", "2**t",  "t t", "$t",    "t;t",    "@",
                       "()",  "\x01",     "sin t", "1e",  "max()", "t ? 1",  "3.4.5"};
  for (const char* text : bad) EXPECT_NE(reason(text), "") << text;
}

TEST(Formula, SuggestsTheNameThatWasMeant) {
  double q = 0.0;
  const FormulaVariable variables[] = {{"pivot.q", &q}};
  Formula formula;
  EXPECT_NE(formula.compile("2*pivto.q", variables).find("did you mean 'pivot.q'?"),
            std::string::npos);
}

TEST(Formula, RefusesTextWithoutBound) {
  EXPECT_NE(reason(std::string(20000, '1')).find("characters"), std::string::npos);
  EXPECT_EQ(reason(std::string(3000, '(') + "1" + std::string(3000, ')')), "");
}

TEST(FormulaNames, ListsVariablesButNotFunctionsOrConstants) {
  std::string error;
  const std::vector<std::string> names = formula_names("a.b*sin(t) + pi*e + c_1 + 1e3", error);
  EXPECT_EQ(error, "");
  EXPECT_EQ(names, (std::vector<std::string>{"a.b", "c_1", "t"}));
  formula_names("1 +", error);
  EXPECT_NE(error, "");
}

}  // namespace
}  // namespace carom
