#include "carom/math/formula.h"

#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/math/formula_functions.h"
#include "carom/math/formula_run.h"

namespace carom {

FormulaError Formula::compile(const std::string& text, std::span<const FormulaVariable> variables) {
  std::string missing;
  FormulaError error = compile(text, [&](const std::string& name) -> const double* {
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [&](const FormulaVariable& v) { return v.name == name; });
    if (found != variables.end()) return found->value;
    missing = name;
    return nullptr;
  });
  if (missing.empty() || find_formula_function(missing)) return error;
  std::vector<std::string> known;
  for (const FormulaVariable& variable : variables) known.push_back(variable.name);
  if (const std::string hint = suggest(missing, known); !hint.empty()) error.message += "; " + hint;
  return error;
}

FormulaError Formula::compile(const std::string& text, const FormulaLookup& find) {
  tape_ = {};
  variables_.clear();
  FormulaError error;
  tape_ = parse_formula(
      text,
      [&](const std::string& name) -> FormulaSymbol {
        // pi and e are never variables here: scenes reserve the names.
        if (!std::isnan(find_formula_constant(name))) return {};
        const double* value = find(name);
        if (!value) return {};
        const auto known = std::find(variables_.begin(), variables_.end(), value);
        const auto index = static_cast<std::size_t>(known - variables_.begin());
        if (known == variables_.end()) variables_.push_back(value);
        return FormulaSymbol::make_variable(index);
      },
      error);
  return error;
}

double Formula::operator()() const {
  return run_formula<double>(tape_, [&](std::size_t i) { return *variables_[i]; });
}

Jet<double, 1> Formula::jet(const double* location, double x) const {
  using J = Jet<double, 1>;
  return run_formula<J>(tape_, [&](std::size_t i) {
    return variables_[i] == location ? J::variable(x, 0) : J::constant(*variables_[i]);
  });
}

}  // namespace carom
