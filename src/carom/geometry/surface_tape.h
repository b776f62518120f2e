// Formulas of a surface compiled: variables are those with ranges, other names are its numbers.
#pragma once

#include "carom/geometry/shape.h"
#include "carom/math/formula_tape.h"

namespace carom {

/// Names that the formulas of a kind may use, in the order of the variables.
FormulaTape compile_surface_formula(const SurfaceFormulas& formulas,
                                    std::span<const FormulaField> variables, std::string_view text,
                                    FormulaError& error);

/// The formula of this name as a tape; what is wrong, with the text and a caret, in `problem`.
FormulaTape surface_tape(const SurfaceFormulas& formulas, std::span<const FormulaField> variables,
                         std::string_view name, std::string& problem);

/// The range of this name, which must be there and not empty.
Interval surface_range(const SurfaceFormulas& formulas, std::string_view name,
                       std::string& problem);

}  // namespace carom
