// Laws as formulas: a tape (math/formula_tape.h) written as numbers, which fit where a law's
// parameters are and are evaluated without allocation, from any thread.
//
// The names of a law hide those of constants: `e` is its restitution.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/math/formula_tape.h"

namespace carom {

/// Names of a normal law's formula: depth, its rate, speed and restitution of the impact,
/// linear and Hertz stiffness of the point.
inline constexpr std::string_view kNormalFormulaNames[] = {"d", "v", "v0", "e", "k", "kh"};
/// Of a friction law's formula, which gives a coefficient: slip speed and normal force.
inline constexpr std::string_view kFrictionFormulaNames[] = {"s", "fn"};

/// The program, or the reason why there is none in `error`. `constants` are further names; `kinks`,
/// which may be null, takes the functions in it whose slope jumps.
std::vector<double> compile_law_formula(std::string_view text,
                                        std::span<const std::string_view> names,
                                        std::span<const std::pair<std::string, double>> constants,
                                        FormulaError& error,
                                        std::vector<FormulaKink>* kinks = nullptr);

/// The value for the variables in the order of the names.
double evaluate_law_formula(std::span<const double> program, std::span<const double> variables);

}  // namespace carom
