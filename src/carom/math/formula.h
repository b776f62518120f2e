// Formulas: text compiled once, evaluated many times without allocation.
//
// A formula computes a number from named variables and nothing else: no assignment, one
// result. Grammar: formula_parser.h. Functions: sin, cos, tan, asin, acos, atan, atan2, sinh,
// cosh, tanh, asinh, acosh, atanh, exp, ln, log, log2, log10, sqrt, abs, sign, rint, min, max,
// sum, avg; constants pi and e. Comparison gives 1 or 0; `a ? b : c` chooses. Names may carry
// dots ("ball.position.z") because channels do.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "carom/math/formula_parser.h"
#include "carom/math/jet.h"

namespace carom {

/// A variable: its name and where its value will be found. The location must outlive
/// the formula and may change its value between evaluations.
struct FormulaVariable {
  std::string name;
  const double* value;
};

/// Where the value of a name is found; null if there is none of this name.
using FormulaLookup = std::function<const double*(const std::string& name)>;

class Formula {
 public:
  /// Compiles `text`; on failure says why and leaves the formula empty.
  FormulaError compile(const std::string& text, std::span<const FormulaVariable> variables);
  /// The same where there are too many variables to look through for every formula.
  FormulaError compile(const std::string& text, const FormulaLookup& find);
  bool empty() const { return tape_.empty(); }
  double operator()() const;
  /// Value and two derivatives with respect to the variable at `location`, where that is `x`.
  Jet<double, 1> jet(const double* location, double x) const;
  /// Where its variables are, each once.
  std::span<const double* const> variables() const { return variables_; }

 private:
  FormulaTape tape_;
  std::vector<const double*> variables_;
};

}  // namespace carom
