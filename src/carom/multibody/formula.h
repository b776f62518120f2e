// Formulas: text compiled once, evaluated many times without allocation.
//
// A formula computes a number from named variables and nothing else: no
// assignment, one result. The functions are those of muParser (sin, cos, tan, asin,
// acos, atan, atan2, sinh, …, exp, ln, log10, sqrt, abs, sign, min, max, sum, avg, rint)
// and the constants pi and e. Comparison gives 1 or 0; `a ? b : c` chooses.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

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
  Formula();
  ~Formula();
  Formula(Formula&&) noexcept;
  Formula& operator=(Formula&&) noexcept;

  /// Compiles `text`; on failure returns the reason and leaves the formula empty.
  std::string compile(const std::string& text, std::span<const FormulaVariable> variables);
  /// The same where there are too many variables to look through for every formula.
  std::string compile(const std::string& text, const FormulaLookup& find);
  bool empty() const { return !impl_; }
  double operator()() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The names that `text` refers to (constants and functions excluded), or the reason
/// why it does not parse in `error`.
std::vector<std::string> formula_names(const std::string& text, std::string& error);

}  // namespace carom
