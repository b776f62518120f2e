// The text of a formula, parsed into a tape.
//
//   choice     = binary [ "?" choice ":" choice ]
//   binary     = sign { operator sign }           || && (< <= > >= == !=) (+ -) (* /) ^
//   sign       = { "-" | "+" } operand            a sign binds as * does: -x^2 is -(x^2)
//   operand    = number | name | name "(" choice { "," choice } ")" | "(" choice ")"
//
// ^ binds to the right, the other operators to the left. It is the grammar of muParser, with
// which the tests compare it on random texts, without assignment and with one result; besides,
// signs may follow each other and a function may be parted from its bracket by space.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/math/formula_tape.h"

namespace carom {

/// What a name means.
struct FormulaSymbol {
  enum class Kind { unknown, variable, constant };
  Kind kind = Kind::unknown;
  std::uint16_t variable = 0;
  double value = 0.0;
  std::string problem = {};  ///< of an unknown one; empty: "is not known here"

  static FormulaSymbol make_variable(std::size_t i) {
    return {Kind::variable, static_cast<std::uint16_t>(i)};
  }
  static FormulaSymbol make_constant(double value) { return {Kind::constant, 0, value}; }
};

/// Asked before pi and e, so that a name may hide them.
using FormulaNames = std::function<FormulaSymbol(const std::string& name)>;

/// The tape; empty with what is wrong in `error`.
FormulaTape parse_formula(std::string_view text, const FormulaNames& names, FormulaError& error);

/// A name that a formula uses, and where it does first.
struct FormulaUse {
  std::string name;
  std::size_t at = 0;
};
/// All of them by name, constants and functions excluded, and whether the text parses.
std::vector<FormulaUse> find_formula_names(std::string_view text, FormulaError& error);

}  // namespace carom
