#include "carom/math/formula.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/math/formula_parser.h"
#include "carom/math/formula_run.h"
#include "support/allocation_counter.h"

namespace carom {
namespace {

std::string reason(const std::string& text) {
  double t = 0.5;
  const FormulaVariable variables[] = {{"t", &t}};
  Formula formula;
  const std::string error = formula.compile(text, variables).message;
  EXPECT_EQ(formula.empty(), !error.empty()) << text;
  return error;
}

TEST(Formula, ComputesWhatTheSameExpressionComputesInCpp) {
  double t = 0.3, q = -0.7;
  const FormulaVariable variables[] = {{"t", &t}, {"pivot.q", &q}};
  Formula formula;
  ASSERT_EQ(formula.compile("2*sin(pi*t) - 0.1*pivot.q^2 + (t < 1 ? e : 0)", variables).message,
            "");
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
  ASSERT_EQ(formula.compile("3*x", variables).message, "");
  EXPECT_EQ(formula(), 3.0);
  x = 2.0;
  EXPECT_EQ(formula(), 6.0);
  Formula moved = std::move(formula);
  x = 5.0;
  EXPECT_EQ(moved(), 15.0);
}

TEST(Formula, RefusesAssignmentAndMoreThanOneResult) {
  EXPECT_NE(reason("t=3").find("assign"), std::string::npos);
  EXPECT_NE(reason("t, 2").find("one result"), std::string::npos);
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
  EXPECT_NE(formula.compile("2*pivto.q", variables).message.find("did you mean 'pivot.q'?"),
            std::string::npos);
}

TEST(Formula, RefusesTextWithoutBound) {
  EXPECT_NE(reason(std::string(20000, '1')).find("characters"), std::string::npos);
  EXPECT_EQ(reason(std::string(200, '(') + "1" + std::string(200, ')')), "");
  EXPECT_NE(reason(std::string(3000, '(') + "1" + std::string(3000, ')')), "");
}

TEST(Formula, EvaluatesWithoutAllocating) {
  if (!testing::can_count_allocations()) GTEST_SKIP();
  double x = 0.3;
  const FormulaVariable variables[] = {{"x", &x}};
  Formula formula;
  ASSERT_EQ(formula.compile("max(sin(x), x^3, x < 1 ? 2^x : 4) + atan2(x, 2)", variables).message,
            "");
  FormulaError error;
  const FormulaTape tape = parse_formula(
      "max(sin(x), x^3) + exp(x)",
      [](const std::string&) { return FormulaSymbol::make_variable(0); }, error);
  const double at[2] = {0.3, 0.0};
  const Interval box[2] = {{0.3, 0.4}, 0.0};
  const long before = testing::allocation_count();
  double sum = 0.0;
  for (int i = 0; i < 100; ++i) {
    sum += formula() + formula.jet(&x, 0.4).h[0] + formula_jet(tape, at).v +
           formula_bounds(tape, box).v.lo;
  }
  EXPECT_EQ(testing::allocation_count(), before);
  EXPECT_GT(sum, 0.0);
}

TEST(FormulaNames, ListsVariablesButNotFunctionsOrConstants) {
  FormulaError error;
  const std::vector<FormulaUse> uses = find_formula_names("a.b*sin(t) + pi*e + c_1 + 1e3", error);
  EXPECT_EQ(error.message, "");
  ASSERT_EQ(uses.size(), 3u);
  EXPECT_EQ(uses[0].name, "a.b");
  EXPECT_EQ(uses[1].name, "c_1");
  EXPECT_EQ(uses[2].name, "t");
  EXPECT_EQ(uses[2].at, 8u);
  find_formula_names("1 +", error);
  EXPECT_NE(error.message, "");
}

TEST(Formula, DifferentiatesByOneOfItsVariables) {
  double t = 0.4, k = 3.0;
  const FormulaVariable variables[] = {{"t", &t}, {"k", &k}};
  Formula formula;
  ASSERT_EQ(formula.compile("k*sin(k*t)", variables).message, "");
  const Jet<double, 1> jet = formula.jet(&t, 0.7);
  EXPECT_NEAR(jet.v, 3 * std::sin(2.1), 1e-15);
  EXPECT_NEAR(jet.g[0], 9 * std::cos(2.1), 1e-14);
  EXPECT_NEAR(jet.h[0], -27 * std::sin(2.1), 1e-14);
}

/// A part that is not a number stays none, in values, jets and bounds, unless it does not count.
TEST(Formula, IsNoNumberWhereAPartIsNone) {
  const auto value_at = [](const std::string& text, double x, bool& empty) {
    FormulaError error;
    const auto lookup = [](const std::string& name) {
      return name == "x" ? FormulaSymbol::make_variable(0) : FormulaSymbol{};
    };
    const FormulaTape tape = parse_formula(text, lookup, error);
    EXPECT_EQ(error.message, "") << text;
    const double value = run_formula<double>(tape, [&](std::size_t) { return x; });
    const Interval bounds = run_formula<Interval>(tape, [&](std::size_t) { return Interval(x); });
    const double both[] = {x, 0.0};
    const Interval box[] = {Interval(x), Interval(0.0)};
    EXPECT_EQ(std::isnan(formula_jet<2>(tape, both).v), std::isnan(value)) << text;
    EXPECT_EQ(formula_bounds<2>(tape, box).v.is_empty(), bounds.is_empty()) << text;
    empty = bounds.is_empty();
    EXPECT_TRUE(empty || std::isnan(value) || bounds.contains(value)) << text;
    return value;
  };
  bool empty = false;
  for (const char* text : {"log(x) < 3", "3 >= log(x)", "log(x) != 1", "max(log(x), 3)",
                           "min(2, log(x))", "log(x) ? 1 : 2", "log(x)^x", "1^(x*log(x))",
                           "sign(log(x))", "atan2(log(x), 1)", "(0*x)/(0*x) == 1"}) {
    EXPECT_TRUE(std::isnan(value_at(text, -1.0, empty))) << text;
    EXPECT_TRUE(empty) << text;
  }
  EXPECT_EQ(value_at("x > 0 && log(x) > 1", -1.0, empty), 0.0);
  EXPECT_EQ(value_at("x < 0 || log(x) > 1", -1.0, empty), 1.0);
  EXPECT_EQ(value_at("x > 0 ? log(x) : 7", -1.0, empty), 7.0);
  EXPECT_TRUE(std::isnan(value_at("x < 0 && log(x) > 1", -1.0, empty)));
  // Infinite numbers are numbers: what is bounded again lies within the bounds.
  EXPECT_NEAR(value_at("atan(1/x)", 0.0, empty), 1.5707963267948966, 1e-15);
  EXPECT_EQ(value_at("1/(1/x)", 0.0, empty), 0.0);
  EXPECT_FALSE(empty);
}

}  // namespace
}  // namespace carom
