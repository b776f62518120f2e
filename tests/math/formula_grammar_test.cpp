// Random formulas, and random texts that are nearly formulas, against muParser.
#include <gtest/gtest.h>
#include <muParser.h>

#include <cmath>
#include <random>

#include "carom/math/formula_parser.h"
#include "carom/math/formula_run.h"

namespace carom {
namespace {

constexpr const char* kNames[] = {"x", "y", "z"};

FormulaSymbol lookup(const std::string& name) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (name == kNames[i]) return FormulaSymbol::make_variable(i);
  }
  return {};
}

/// What muParser says about the same text.
struct Referee {
  double x[3] = {0.0, 0.0, 0.0};
  mu::Parser parser;

  Referee() {
    // Its optimiser takes 0.5 && 0.5 of constants for 0, which it is not for variables.
    parser.EnableOptimizer(false);
    parser.DefineNameChars("0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    parser.DefineConst("pi", M_PI);
    parser.DefineConst("e", M_E);
    for (std::size_t i = 0; i < 3; ++i) parser.DefineVar(kNames[i], &x[i]);
  }
  bool accepts(const std::string& text, double& value) {
    try {
      parser.SetExpr(text);
      int results = 0;
      value = parser.Eval(results)[0];
      return results == 1;
    } catch (const mu::ParserError&) {
      return false;
    }
  }
};

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}
  int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  double number(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random_);
  }

  /// Parts are drawn one after the other, so that every compiler draws the same formulas.
  std::string formula(int depth) {
    if (depth <= 0) return leaf();
    const int kind = pick(9);
    if (kind == 0) return leaf();
    if (kind == 1) return function(depth);
    std::string text = kind == 3 ? "(" + sign() : kind <= 4 ? "(" : "";
    text += formula(depth - 1);
    if (kind == 4) {
      text += " ? " + formula(depth - 1);
      text += ":" + formula(depth - 1);
    }
    if (kind <= 4) return text + ")";
    text += space();
    text += sign_of();
    text += space();
    return text + formula(depth - 1);
  }

 private:
  std::string leaf() {
    static const char* leaves[] = {"x", "y",   "z",    "x",  "y",   "pi", "e",
                                   "2", "0.5", "1e-2", "3.", ".25", "10", "7e+0"};
    return leaves[pick(14)];
  }
  std::string sign() { return pick(2) ? "-" : "+"; }
  std::string space() { return pick(3) ? "" : " "; }
  std::string sign_of() {
    static const char* signs[] = {"+", "-", "*",  "/",  "+",  "-",  "*",  "^",
                                  "<", ">", "<=", ">=", "==", "!=", "&&", "||"};
    return signs[pick(16)];
  }
  std::string function(int depth) {
    static const char* one[] = {"sin",  "cos",  "tan",   "asin",  "acos",  "atan", "sinh",
                                "cosh", "tanh", "asinh", "acosh", "atanh", "log2", "log10",
                                "log",  "ln",   "exp",   "sqrt",  "sign",  "rint", "abs"};
    static const char* many[] = {"min", "max", "sum", "avg"};
    const int kind = pick(4);
    if (kind == 0) {
      const std::string y = formula(depth - 1);
      return "atan2(" + y + "," + formula(depth - 1) + ")";
    }
    if (kind == 1) {
      std::string text = std::string(many[pick(4)]) + "(";
      text += formula(depth - 1);
      for (int i = pick(3); i > 0; --i) text += ", " + formula(depth - 1);
      return text + ")";
    }
    const std::string name = one[pick(21)];
    return name + "(" + formula(depth - 1) + ")";
  }

  std::mt19937 random_;
};

TEST(FormulaGrammar, GivesTheValuesOfMuParserOnRandomFormulas) {
  Writer writer(20);
  Referee referee;
  int finite = 0, nowhere = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const std::string text = writer.formula(1 + trial % 5);
    for (double& x : referee.x) x = writer.number(-2.0, 2.0);
    double expected = 0.0;
    ASSERT_TRUE(referee.accepts(text, expected)) << text;
    FormulaError error;
    const FormulaTape tape = parse_formula(text, lookup, error);
    ASSERT_EQ(error.message, "") << text;
    const double value = run_formula<double>(tape, [&](std::size_t i) { return referee.x[i]; });
    // How far roundings can move the value is known from the bounds, which enclose the result of
    // every rounding. Those of muParser are larger: its asinh is log(x + sqrt(x^2 + 1)).
    const Interval bounds =
        run_formula<Interval>(tape, [&](std::size_t i) { return Interval(referee.x[i]); });
    if (!std::isfinite(expected) || bounds.is_empty() || std::isnan(value)) {
      EXPECT_FALSE(std::isfinite(value) && bounds.is_empty()) << text;
      nowhere += std::isfinite(expected);
      continue;
    }
    ++finite;
    EXPECT_TRUE(bounds.contains(value)) << text << " trial " << trial;
    const double loose = 1e-9 * std::abs(expected) + 1e-12;
    EXPECT_GE(expected, bounds.lo - loose) << text << " trial " << trial;
    EXPECT_LE(expected, bounds.hi + loose) << text << " trial " << trial;
  }
  EXPECT_GT(finite, 2000);
  // muParser turns some of what is not a number into one: log(-1) < 3 is 0 there.
  EXPECT_LT(nowhere, 400);
}

TEST(FormulaGrammar, AcceptsWhatMuParserAccepts) {
  Writer writer(7);
  Referee referee;
  const std::string alphabet = "xyz().,+-*/^?:<>=!&|1250e ";
  int refused = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text = writer.formula(trial % 3);
    const int edits = writer.pick(3);
    for (int i = 0; i < edits && !text.empty(); ++i) {
      const auto at = static_cast<std::size_t>(writer.pick(static_cast<int>(text.size())));
      const char c = alphabet[static_cast<std::size_t>(writer.pick(26))];
      switch (writer.pick(3)) {
        case 0: text.erase(at, 1); break;
        case 1: text.insert(at, 1, c); break;
        default: text[at] = c;
      }
    }
    double value = 0.0;
    const bool theirs = referee.accepts(text, value);
    FormulaError error;
    parse_formula(text, lookup, error);
    if (theirs == error.empty()) {
      refused += !theirs;
      EXPECT_LE(error.at, text.size());
      continue;
    }
    // What differs on purpose: no assignment; signs may follow each other; space before a bracket.
    const bool assigns = error.message.find("assign") != std::string::npos;
    bool signs = false, spaced = false;
    char before = ' ';
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == ' ') {
        spaced |= i + 1 < text.size() && text[i + 1] == '(';
        continue;
      }
      const bool is_sign = text[i] == '-' || text[i] == '+';
      signs |= is_sign && (before == '-' || before == '+');
      before = text[i];
    }
    EXPECT_TRUE(theirs ? assigns : signs || spaced)
        << "'" << text << "' muParser " << theirs << ": " << error.message;
  }
  EXPECT_GT(refused, 1000);
}

TEST(FormulaGrammar, BoundsWhatForeignTextsCost) {
  FormulaError error;
  const auto refused = [&](const std::string& text) {
    parse_formula(text, lookup, error);
    return error.message;
  };
  EXPECT_NE(refused(std::string(20000, '1')).find("characters"), std::string::npos);
  EXPECT_EQ(refused(std::string(200, '(') + "x" + std::string(200, ')')), "");
  EXPECT_NE(refused(std::string(4000, '(') + "x" + std::string(4000, ')')).find("nested"),
            std::string::npos);
  std::string tower = "x", choices = "x", signs = "x";
  while (tower.size() < 9990) tower += "^x", choices += "?x:x", signs = "-" + signs;
  EXPECT_NE(refused(tower).find("nested"), std::string::npos);
  EXPECT_NE(refused(choices.substr(0, 9997)).find("nested"), std::string::npos);
  EXPECT_EQ(refused(signs), "");
  std::string sum = "x";
  for (int i = 0; sum.size() < 9900; ++i) sum += "+x^" + std::to_string(i);
  EXPECT_EQ(refused(sum), "");
  // Hundreds of values that all have to be kept.
  std::string kept = "0", again = "0";
  for (int i = 1; i < 300; ++i) {
    kept += "+sin(" + std::to_string(i) + "*x)";
    again += "+sin(" + std::to_string(i) + "*x)^2";
  }
  EXPECT_NE(refused(kept + "+" + again).find("intermediate"), std::string::npos);
}

TEST(FormulaGrammar, PointsAtTheCharacterThatIsWrong) {
  const struct {
    const char *text, *caret;
  } cases[] = {
      {"2*(x + y", "  ^"},
      {"x + foo", "    ^"},
      {"x + sinn(y)", "    ^"},
      {"x +", "   ^"},
      {"x ? 1", "  ^"},
      {"1 2", "  ^"},
      {"atan2(x)", "^"},
      {"max(x, ", "       ^"},
      {"(x, y)", "  ^"},
      {"x = 3", "  ^"},
      {"x + 3.4.5", "    ^"},
      {"y\n + q", "   ^"},
      {"x * (y + 2))", "           ^"},
  };
  for (const auto& c : cases) {
    FormulaError error;
    parse_formula(c.text, lookup, error);
    const std::string shown = show_formula_place(c.text, error.at);
    EXPECT_EQ(shown.substr(shown.rfind('\n') + 5), c.caret) << shown << "\n" << error.message;
  }
  EXPECT_EQ(show_formula_place("2*pivto.q", 2), "    2*pivto.q\n      ^");
}

}  // namespace
}  // namespace carom
