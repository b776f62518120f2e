// A step of the tape is two numbers: its operation and registers packed into one whole number
// below 2^48, which a double holds exactly, and its constant.
#include "carom/contact/law_formula.h"

#include <cstdint>

#include "carom/base/text.h"
#include "carom/math/formula_parser.h"
#include "carom/math/formula_run.h"

namespace carom {
namespace {

static_assert(kMaxFormulaRegisters <= 256, "registers are packed into eight bits");

double pack(const FormulaStep& step) {
  const std::uint64_t code = static_cast<std::uint64_t>(step.op) | std::uint64_t{step.out} << 8 |
                             std::uint64_t{step.b} << 16 | std::uint64_t{step.c} << 24 |
                             std::uint64_t{step.a} << 32;
  return static_cast<double>(code);
}

FormulaStep unpack(double number, double value) {
  const auto code = static_cast<std::uint64_t>(number);
  return {.op = static_cast<FormulaOp>(code & 0xff),
          .out = static_cast<std::uint16_t>(code >> 8 & 0xff),
          .a = static_cast<std::uint16_t>(code >> 32),
          .b = static_cast<std::uint16_t>(code >> 16 & 0xff),
          .c = static_cast<std::uint16_t>(code >> 24 & 0xff),
          .value = value};
}

}  // namespace

std::vector<double> compile_law_formula(std::string_view text,
                                        std::span<const std::string_view> names,
                                        std::span<const std::pair<std::string, double>> constants,
                                        FormulaError& error, std::vector<FormulaKink>* kinks) {
  const FormulaTape tape = parse_formula(
      text,
      [&](const std::string& name) -> FormulaSymbol {
        std::vector<std::string> known;
        for (std::size_t i = 0; i < names.size(); ++i) {
          if (name == names[i]) return FormulaSymbol::make_variable(i);
          known.emplace_back(names[i]);
        }
        for (const auto& [own, value] : constants) {
          if (name == own) return FormulaSymbol::make_constant(value);
          known.push_back(own);
        }
        FormulaSymbol unknown;
        unknown.problem =
            "there is no '" + shortened(name, 40) + "' in a law; " + suggest(name, known);
        return unknown;
      },
      error);
  std::vector<double> program;
  if (tape.empty()) return program;
  if (kinks) *kinks = tape.kinks;
  program.push_back(tape.result);
  for (const FormulaStep& step : tape.steps) {
    program.push_back(pack(step));
    program.push_back(step.value);
  }
  return program;
}

double evaluate_law_formula(std::span<const double> program, std::span<const double> variables) {
  if (program.empty()) return 0.0;
  FormulaRun<double> run;
  for (std::size_t i = 1; i + 1 < program.size(); i += 2) {
    run.step(unpack(program[i], program[i + 1]), [&](std::size_t k) { return variables[k]; });
  }
  return run.registers[static_cast<std::size_t>(program[0])];
}

}  // namespace carom
