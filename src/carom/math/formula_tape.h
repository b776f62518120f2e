// A formula as a tape: a list of operations, each writing one register, compiled from text once
// (formula_parser.h) and run by interpreters for values, jets and intervals (formula_run.h).
//
// Common subexpressions are merged, operations on constants are done when the tape is made, and
// what does not reach the result is dropped. Registers are used again after their last reading,
// so that a run needs a few of them, on the stack: nothing allocates, from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom {

/// Longer than any formula a person writes; bounds the work on foreign input.
inline constexpr std::size_t kMaxFormulaLength = 10000;
inline constexpr int kMaxFormulaNesting = 250;
inline constexpr std::size_t kMaxFormulaRegisters = 256;

enum class FormulaOp : std::uint8_t {
  // leaves
  constant,
  variable,
  // two operands
  add,
  subtract,
  multiply,
  divide,
  power,
  arctangent2,
  minimum,
  maximum,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  unequal,
  both,
  either,
  // one operand and a constant
  add_constant,
  from_constant,  ///< c - x
  scale,
  over_constant,  ///< x / c
  constant_over,  ///< c / x
  whole_power,    ///< x^n, n whole
  real_power,     ///< x^c
  // three operands
  choose,
  // one operand
  negate,
  sine,
  cosine,
  tangent,
  arcsine,
  arccosine,
  arctangent,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  log2,
  log10,
  log,
  exp,
  sqrt,
  absolute,
  sign,
  round,
};

struct FormulaStep {
  FormulaOp op = FormulaOp::constant;
  std::uint16_t out = 0, a = 0, b = 0, c = 0;  ///< registers; of a variable, a is its number
  double value = 0.0;                          ///< of a constant
};

/// What is wrong with a text, and at which of its bytes.
struct FormulaError {
  std::string message;
  std::size_t at = 0;
  bool empty() const { return message.empty(); }
};

/// A function that is not smooth, where the text calls it.
struct FormulaKink {
  std::string name;  ///< "abs", "?:", "<"
  std::size_t at = 0;
};

struct FormulaTape {
  std::vector<FormulaStep> steps;
  std::uint16_t result = 0;  ///< its register
  std::vector<FormulaKink> kinks;

  bool empty() const { return steps.empty(); }
  bool is_constant() const { return steps.size() == 1 && steps[0].op == FormulaOp::constant; }
};

/// The lines of `text` with the byte `at`, cut to a width that can be read, and a caret below it:
///
///     2*pivto.q
///       ^
std::string show_formula_place(std::string_view text, std::size_t at);

}  // namespace carom
