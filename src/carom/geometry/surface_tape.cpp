#include "carom/geometry/surface_tape.h"

#include <cmath>

#include "carom/base/text.h"
#include "carom/math/formula_functions.h"
#include "carom/math/formula_parser.h"

namespace carom {

FormulaTape compile_surface_formula(const SurfaceFormulas& formulas,
                                    std::span<const FormulaField> variables, std::string_view text,
                                    FormulaError& error) {
  const auto names = [&](const std::string& name) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (name == variables[i].name) return FormulaSymbol::make_variable(i);
    }
    for (const SurfaceFormulas::Constant& c : formulas.with) {
      if (name == c.name) return FormulaSymbol::make_constant(c.value);
    }
    FormulaSymbol unknown;
    std::vector<std::string> known;
    for (const FormulaField& v : variables) known.emplace_back(v.name);
    for (const SurfaceFormulas::Constant& c : formulas.with) known.push_back(c.name);
    if (!std::isnan(find_formula_constant(name))) return unknown;
    unknown.problem = "there is no '" + name + "'; " + suggest(name, known);
    return unknown;
  };
  return parse_formula(text, names, error);
}

FormulaTape surface_tape(const SurfaceFormulas& formulas, std::span<const FormulaField> variables,
                         std::string_view name, std::string& problem) {
  for (const SurfaceFormulas::Text& t : formulas.texts) {
    if (t.name != name) continue;
    FormulaError error;
    FormulaTape tape = compile_surface_formula(formulas, variables, t.text, error);
    if (!error.empty()) {
      problem = t.name + " is '" + t.text + "': " + error.message + "\n" +
                show_formula_place(t.text, error.at);
    }
    return tape;
  }
  problem = "it has no formula '" + std::string(name) + "'";
  return {};
}

Interval surface_range(const SurfaceFormulas& formulas, std::string_view name,
                       std::string& problem) {
  constexpr double kTooFar = 1e6;
  for (const SurfaceFormulas::Range& r : formulas.ranges) {
    if (r.name != name) continue;
    const bool is_sound =
        r.upper > r.lower && std::abs(r.lower) <= kTooFar && std::abs(r.upper) <= kTooFar;
    if (!is_sound) {
      problem =
          "the range of " + r.name + " is [" + number_text(r.lower) + ", " + number_text(r.upper) +
          "], its upper end must be the greater one, and both at most " + number_text(kTooFar);
    }
    return {r.lower, r.upper};
  }
  problem = "it has no range of '" + std::string(name) + "'";
  return {0.0, 1.0};
}

}  // namespace carom
