// Derivatives of formulas against Taylor's remainder, bounds against samples.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "carom/math/formula_parser.h"
#include "carom/math/formula_run.h"

namespace carom {
namespace {

FormulaTape tape_of(const std::string& text) {
  FormulaError error;
  FormulaTape tape = parse_formula(
      text,
      [](const std::string& name) {
        return name.size() == 1 && name[0] >= 'x' && name[0] <= 'z'
                   ? FormulaSymbol::make_variable(static_cast<std::size_t>(name[0] - 'x'))
                   : FormulaSymbol{};
      },
      error);
  EXPECT_EQ(error.message, "") << text;
  return tape;
}

/// Every function and operator, in compositions whose derivatives do not vanish.
const char* const kSmooth[] = {
    "sin(x*y) + cos(x - z)",
    "tan(0.3*x + 0.2*y*z)",
    "asin(0.4*x*y) + acos(0.3*z*x)",
    "atan(x^2*y) + atan2(y + 2, x*z + 0.5)",
    "sinh(x*y) - cosh(y*z) + tanh(x + 2*z)",
    "asinh(x*y + z) + acosh(3 + x*y) + atanh(0.3*x*z)",
    "log2(4 + x*y) + log10(4 + y*z) + ln(5 + x*z) + log(3 + x^2)",
    "exp(x*y - z) + sqrt(4 + x*y)",
    "x^3*y^2 - z^-2 + (2 + x*y)^1.7 + (3 + x)^(y*z)",
    "2^(x*y) + x/(3 + y*z) + 4/(5 + x^2) - (1 - x*z)/7",
    "sum(x, y*z, x^2) + avg(x*y, z, x) - (x - 3) - (3 - y^2*x)",
    "(sqrt(x^2 + y^2) - 0.7)^2 + z^2 - 0.09",
    "(x/0.3)^20 + (y/0.2)^20",
};

TEST(FormulaJets, FollowTheFormulaToThirdOrder) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> at(0.3, 1.2), turn(-1.0, 1.0);
  for (const char* text : kSmooth) {
    const FormulaTape tape = tape_of(text);
    EXPECT_TRUE(tape.kinks.empty());
    for (int trial = 0; trial < 20; ++trial) {
      const double x[3] = {at(random), at(random), at(random)};
      const double d[3] = {turn(random), turn(random), turn(random)};
      const Jet<double, 3> j = formula_jet(tape, x);
      // f(x+hd) - f(x-hd) = 2h g·d + O(h³), and the second difference = h² dᵀHd + O(h⁴): the
      // remainders must fall by 8 and 16 when h is halved, until rounding.
      const auto along = [&](double h) {
        return run_formula<double>(tape, [&](std::size_t i) { return x[i] + h * d[i]; });
      };
      double slope = 0.0, curve = 0.0;
      for (std::size_t i = 0; i < 3; ++i) {
        slope += j.g[i] * d[i];
        for (std::size_t k = 0; k < 3; ++k) curve += d[i] * j.second(i, k) * d[k];
      }
      const auto first = [&](double h) { return (along(h) - along(-h)) / (2 * h) - slope; };
      const auto second = [&](double h) {
        return (along(h) - 2 * along(0.0) + along(-h)) / (h * h) - curve;
      };
      const double scale = std::abs(slope) + std::abs(curve) + std::abs(j.v) + 1e-3;
      const double h = 4e-3;
      EXPECT_NEAR(first(h) / scale, 4.0 * first(h / 2) / scale,
                  2e-2 * std::abs(first(h)) / scale + 1e-11)
          << text;
      EXPECT_NEAR(second(h) / scale, 4.0 * second(h / 2) / scale,
                  4e-2 * std::abs(second(h)) / scale + 1e-8)
          << text;
      EXPECT_EQ(j.v, along(0.0)) << text;
    }
  }
}

TEST(FormulaJets, HaveClosedForms) {
  const double x[2] = {0.7, -1.3};
  const Jet<double, 2> j = formula_jet(tape_of("x^3*sin(y)"), x);
  EXPECT_NEAR(j.g[0], 3 * 0.49 * std::sin(-1.3), 1e-15);
  EXPECT_NEAR(j.g[1], 0.343 * std::cos(-1.3), 1e-15);
  EXPECT_NEAR(j.h[0], 4.2 * std::sin(-1.3), 1e-15);
  EXPECT_NEAR(j.h[1], 3 * 0.49 * std::cos(-1.3), 1e-15);
  EXPECT_NEAR(j.h[2], -0.343 * std::sin(-1.3), 1e-15);
  // Whole powers are exact at zero and below it.
  const double zero[2] = {0.0, -2.0};
  const Jet<double, 2> p = formula_jet(tape_of("x^2 + x + y^3 + x^20"), zero);
  EXPECT_EQ(p.v, -8.0);
  EXPECT_EQ(p.g[0], 1.0);
  EXPECT_EQ(p.g[1], 12.0);
  EXPECT_EQ(p.h[0], 2.0);
  EXPECT_EQ(p.h[2], -12.0);
}

TEST(FormulaBounds, HoldEveryValueAndDerivativeInTheBox) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> at(-1.5, 1.5), size(0.0, 0.4), part(0.0, 1.0);
  std::vector<std::string> texts(std::begin(kSmooth), std::end(kSmooth));
  for (const char* more :
       {"abs(x*y) + max(x, y, z) - min(x, 0.3)", "x < y ? x^2 : y*z", "1/x + y/z", "sqrt(x)*ln(y)",
        "x^y", "tan(2*x)", "x^-3 + y^0.5", "rint(3*x) + sign(y)*z", "atan2(y, x)",
        "x > 0 && y > 0 || z > 0", "(x == y) + (x != z)", "asin(x) + acos(y)", "abs(x)^2.5"}) {
    texts.push_back(more);
  }
  for (const std::string& text : texts) {
    const FormulaTape tape = tape_of(text);
    for (int trial = 0; trial < 60; ++trial) {
      Interval box[3];
      for (Interval& b : box) {
        const double lo = at(random);
        b = {lo, lo + (trial % 4 == 0 ? 0.0 : size(random))};
      }
      const Jet<Interval, 3> bounds = formula_bounds(tape, box);
      for (int sample = 0; sample < 20; ++sample) {
        double x[3];
        for (std::size_t i = 0; i < 3; ++i) {
          x[i] = sample < 2 ? (sample == 0 ? box[i].lo : box[i].hi)
                            : box[i].lo + part(random) * (box[i].hi - box[i].lo);
        }
        const Jet<double, 3> j = formula_jet(tape, x);
        if (!std::isfinite(j.v)) continue;
        const auto inside = [&](const Interval& b, double value) {
          if (!std::isfinite(value)) return true;
          const double slack = 1e-13 * (std::abs(value) + 1e-300);  // of the double, not the bound
          return b.lo - slack <= value && value <= b.hi + slack;
        };
        ASSERT_TRUE(inside(bounds.v, j.v))
            << text << " " << j.v << " not in [" << bounds.v.lo << ", " << bounds.v.hi << "]";
        for (std::size_t i = 0; i < 3; ++i) {
          ASSERT_TRUE(inside(bounds.g[i], j.g[i])) << text << " slope " << i;
        }
        for (std::size_t i = 0; i < 6; ++i) {
          ASSERT_TRUE(inside(bounds.h[i], j.h[i])) << text << " second " << i;
        }
      }
    }
  }
}

TEST(FormulaBounds, AreNarrowWhereTheBoxIsSmall) {
  // The excess of natural interval extensions falls with the square of the box for centred
  // forms, linearly here: ten times a smaller box, ten times narrower bounds.
  const FormulaTape tape = tape_of("(sqrt(x^2 + y^2) - 0.1)^2 + z^2");
  const auto width = [&](double h) {
    const Interval box[3] = {{0.1, 0.1 + h}, {0.05, 0.05 + h}, {0.02, 0.02 + h}};
    return formula_bounds(tape, box).v.width();
  };
  EXPECT_LT(width(1e-3), 0.11 * width(1e-2));
  EXPECT_LT(width(1e-8), 1.2e-5 * width(1e-3));
}

TEST(FormulaKinks, AreNamedWhereTheyAre) {
  const FormulaTape tape = tape_of("abs(x) + (y < 2 ? min(x, 3) : 1) + abs(-3) + max(2, 5)");
  std::vector<std::string> names;
  for (const FormulaKink& kink : tape.kinks) names.push_back(kink.name);
  EXPECT_EQ(names, (std::vector<std::string>{"abs", "<", "min", "?:"}));
  EXPECT_EQ(tape.kinks[0].at, 0u);
  EXPECT_EQ(tape.kinks[2].at, 18u);
}

TEST(FormulaTapes, ComputeWhatIsWrittenTwiceOnce) {
  EXPECT_EQ(tape_of("sin(x*y)^2 + sin(y*x)^2").steps.size(),
            tape_of("sin(x*y)^2").steps.size() + 1);
  EXPECT_EQ(tape_of("x*(2*3 - 5)").steps.size(), 1u);  // times 1
  EXPECT_EQ(tape_of("1 ? x : sin(y)").steps.size(), 1u);
}

}  // namespace
}  // namespace carom
