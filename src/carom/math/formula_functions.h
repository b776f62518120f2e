// The functions and operators that formulas know: names, numbers of arguments, smoothness.
#pragma once

#include <limits>
#include <span>
#include <string_view>

#include "carom/math/formula_tape.h"

namespace carom {

enum class Smoothness {
  smooth,
  kink,  ///< continuous, its slope jumps
  jump,
};

struct FormulaFunction {
  std::string_view name;
  FormulaOp op;
  int arguments;  ///< 0: one or more
  Smoothness smoothness = Smoothness::smooth;
};

struct FormulaOperator {
  std::string_view sign;
  FormulaOp op;
  int precedence;  ///< greater binds closer; ^ binds to the right
  Smoothness smoothness = Smoothness::smooth;
};

/// sum, avg, min and max take any number of arguments; of avg the op is the sum's.
std::span<const FormulaFunction> formula_functions();
/// Longer signs first, so that the first that fits is meant.
std::span<const FormulaOperator> formula_operators();

const FormulaFunction* find_formula_function(std::string_view name);
/// pi, e, _pi, _e; NaN if there is no constant of this name.
double find_formula_constant(std::string_view name);

/// The name of what `op` does, and whether it is smooth.
std::string_view formula_op_name(FormulaOp op);
Smoothness formula_op_smoothness(FormulaOp op);

}  // namespace carom
