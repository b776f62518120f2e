#include "carom/math/formula_functions.h"

#include <numbers>

namespace carom {
namespace {

constexpr FormulaFunction kFunctions[] = {
    {"sin", FormulaOp::sine, 1},
    {"cos", FormulaOp::cosine, 1},
    {"tan", FormulaOp::tangent, 1},
    {"asin", FormulaOp::arcsine, 1},
    {"acos", FormulaOp::arccosine, 1},
    {"atan", FormulaOp::arctangent, 1},
    {"atan2", FormulaOp::arctangent2, 2},
    {"sinh", FormulaOp::sinh, 1},
    {"cosh", FormulaOp::cosh, 1},
    {"tanh", FormulaOp::tanh, 1},
    {"asinh", FormulaOp::asinh, 1},
    {"acosh", FormulaOp::acosh, 1},
    {"atanh", FormulaOp::atanh, 1},
    {"log2", FormulaOp::log2, 1},
    {"log10", FormulaOp::log10, 1},
    {"log", FormulaOp::log, 1},
    {"ln", FormulaOp::log, 1},
    {"exp", FormulaOp::exp, 1},
    {"sqrt", FormulaOp::sqrt, 1},
    {"sign", FormulaOp::sign, 1, Smoothness::jump},
    {"rint", FormulaOp::round, 1, Smoothness::jump},
    {"abs", FormulaOp::absolute, 1, Smoothness::kink},
    {"sum", FormulaOp::add, 0},
    {"avg", FormulaOp::add, 0},
    {"min", FormulaOp::minimum, 0, Smoothness::kink},
    {"max", FormulaOp::maximum, 0, Smoothness::kink},
};

constexpr FormulaOperator kOperators[] = {
    {"||", FormulaOp::either, 1, Smoothness::jump},
    {"&&", FormulaOp::both, 2, Smoothness::jump},
    {"<=", FormulaOp::less_equal, 3, Smoothness::jump},
    {">=", FormulaOp::greater_equal, 3, Smoothness::jump},
    {"==", FormulaOp::equal, 3, Smoothness::jump},
    {"!=", FormulaOp::unequal, 3, Smoothness::jump},
    {"<", FormulaOp::less, 3, Smoothness::jump},
    {">", FormulaOp::greater, 3, Smoothness::jump},
    {"+", FormulaOp::add, 4},
    {"-", FormulaOp::subtract, 4},
    {"*", FormulaOp::multiply, 5},
    {"/", FormulaOp::divide, 5},
    {"^", FormulaOp::power, 7},
};

}  // namespace

std::span<const FormulaFunction> formula_functions() { return kFunctions; }
std::span<const FormulaOperator> formula_operators() { return kOperators; }

const FormulaFunction* find_formula_function(std::string_view name) {
  for (const FormulaFunction& function : kFunctions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

double find_formula_constant(std::string_view name) {
  if (name == "pi" || name == "_pi") return std::numbers::pi;
  if (name == "e" || name == "_e") return std::numbers::e;
  return std::numeric_limits<double>::quiet_NaN();
}

std::string_view formula_op_name(FormulaOp op) {
  if (op == FormulaOp::choose) return "?:";
  for (const FormulaFunction& function : kFunctions) {
    if (function.op == op && op != FormulaOp::add) return function.name;
  }
  for (const FormulaOperator& row : kOperators) {
    if (row.op == op) return row.sign;
  }
  return "";
}

Smoothness formula_op_smoothness(FormulaOp op) {
  if (op == FormulaOp::choose) return Smoothness::jump;
  for (const FormulaFunction& function : kFunctions) {
    if (function.op == op) return function.smoothness;
  }
  for (const FormulaOperator& row : kOperators) {
    if (row.op == op) return row.smoothness;
  }
  return Smoothness::smooth;
}

}  // namespace carom
