#include "carom/math/formula_builder.h"

#include <bit>
#include <cmath>

#include "carom/math/formula_functions.h"
#include "carom/math/formula_run.h"

namespace carom {

using Id = FormulaBuilder::Id;

int formula_operands(FormulaOp op) {
  if (op <= FormulaOp::variable) return 0;
  if (op == FormulaOp::choose) return 3;
  return op < FormulaOp::add_constant ? 2 : 1;
}

bool FormulaBuilder::Node::operator==(const Node& other) const {
  // By bits: 0 and -0 differ, and NaN is itself.
  return op == other.op && a == other.a && b == other.b && c == other.c &&
         std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(other.value);
}

std::size_t FormulaBuilder::Hash::operator()(const Node& node) const {
  std::uint64_t h = static_cast<std::uint64_t>(node.op);
  for (const std::uint64_t part :
       {std::uint64_t{node.a}, std::uint64_t{node.b}, std::uint64_t{node.c},
        std::bit_cast<std::uint64_t>(node.value)}) {
    h = (h ^ part) * 0x9e3779b97f4a7c15ULL;
    h ^= h >> 29;
  }
  return h;
}

Id FormulaBuilder::merge(const Node& node, std::size_t at) {
  const auto [found, is_new] = known_.try_emplace(node, static_cast<Id>(nodes_.size()));
  if (is_new) nodes_.push_back(node), at_.push_back(at);
  return found->second;
}

Id FormulaBuilder::constant(double value) {
  return merge({.op = FormulaOp::constant, .value = value});
}

Id FormulaBuilder::variable(std::uint16_t number) {
  return merge({.op = FormulaOp::variable, .a = number});
}

Id FormulaBuilder::unary(FormulaOp op, Id x, std::size_t at) {
  if (is_constant(x)) return constant(FormulaNumber<double>::unary(op, nodes_[x].value));
  return merge({.op = op, .a = x}, at);
}

Id FormulaBuilder::with_constant(FormulaOp op, Id x, double value) {
  return merge({.op = op, .a = x, .value = value});
}

Id FormulaBuilder::power_of(Id x, double exponent) {
  if (exponent == 1.0) return x;
  if (exponent == 0.0) return constant(1.0);
  if (std::isnan(exponent)) return constant(exponent);
  const bool whole = exponent == std::rint(exponent) && std::abs(exponent) < 1e9;
  return with_constant(whole ? FormulaOp::whole_power : FormulaOp::real_power, x, exponent);
}

Id FormulaBuilder::binary(FormulaOp op, Id a, Id b, std::size_t at) {
  if (is_constant(a) && is_constant(b)) {
    return constant(FormulaNumber<double>::binary(op, nodes_[a].value, nodes_[b].value));
  }
  const bool commutes = op == FormulaOp::add || op == FormulaOp::multiply;
  if (commutes && (is_constant(a) || (!is_constant(b) && b < a))) std::swap(a, b);
  if (is_constant(b)) {
    const double value = nodes_[b].value;
    switch (op) {
      case FormulaOp::add: return with_constant(FormulaOp::add_constant, a, value);
      case FormulaOp::subtract: return with_constant(FormulaOp::add_constant, a, -value);
      case FormulaOp::multiply: return value == 1.0 ? a : with_constant(FormulaOp::scale, a, value);
      case FormulaOp::divide: return with_constant(FormulaOp::over_constant, a, value);
      case FormulaOp::power: return power_of(a, value);
      default: break;
    }
  } else if (is_constant(a)) {
    const double value = nodes_[a].value;
    if (op == FormulaOp::subtract) return with_constant(FormulaOp::from_constant, b, value);
    if (op == FormulaOp::divide) return with_constant(FormulaOp::constant_over, b, value);
  }
  return merge({.op = op, .a = a, .b = b}, at);
}

Id FormulaBuilder::choose(Id condition, Id a, Id b, std::size_t at) {
  if (is_constant(condition) && !std::isnan(nodes_[condition].value)) {
    return nodes_[condition].value != 0.0 ? a : b;
  }
  return merge({.op = FormulaOp::choose, .a = condition, .b = a, .c = b}, at);
}

std::vector<bool> FormulaBuilder::find_live(Id result) const {
  std::vector<bool> live(nodes_.size(), false);
  live[result] = true;
  for (Id i = result + 1; i-- > 0;) {  // operands come before what reads them
    const int operands = live[i] ? formula_operands(nodes_[i].op) : 0;
    const Id read[] = {nodes_[i].a, nodes_[i].b, nodes_[i].c};
    for (int k = 0; k < operands; ++k) live[read[k]] = true;
  }
  return live;
}

FormulaTape FormulaBuilder::finish(Id result) const {
  const std::vector<bool> live = find_live(result);
  std::vector<Id> last(nodes_.size(), 0);  // who reads it last
  for (Id i = 0; i <= result; ++i) {
    const Id read[] = {nodes_[i].a, nodes_[i].b, nodes_[i].c};
    const int operands = live[i] ? formula_operands(nodes_[i].op) : 0;
    for (int k = 0; k < operands; ++k) last[read[k]] = i;
  }
  FormulaTape tape;
  std::vector<std::uint16_t> place(nodes_.size(), 0), free;
  std::uint16_t used = 0;
  for (Id i = 0; i <= result; ++i) {
    if (!live[i]) continue;
    const Node& node = nodes_[i];
    const int operands = formula_operands(node.op);
    FormulaStep step{.op = node.op, .value = node.value};
    if (node.op == FormulaOp::variable) step.a = static_cast<std::uint16_t>(node.a);
    if (operands > 0) step.a = place[node.a];
    if (operands > 1) step.b = place[node.b];
    if (operands > 2) step.c = place[node.c];
    if (free.empty()) {
      if (used == kMaxFormulaRegisters) return {};
      free.push_back(used++);
    }
    // Never the register of an operand: a step may write its result while it reads.
    step.out = place[i] = free.back();
    free.pop_back();
    const Id read[] = {node.a, node.b, node.c};
    for (int k = 0; k < operands; ++k) {
      bool again = false;  // x*x gives its register back once
      for (int j = 0; j < k; ++j) again |= read[j] == read[k];
      if (!again && last[read[k]] == i) free.push_back(place[read[k]]);
    }
    tape.steps.push_back(step);
    if (formula_op_smoothness(node.op) != Smoothness::smooth) {
      tape.kinks.push_back({std::string(formula_op_name(node.op)), at_[i]});
    }
  }
  tape.result = place[result];
  return tape;
}

}  // namespace carom
