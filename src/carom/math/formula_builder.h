// Makes a tape from operations in the order in which they are written: merges what is equal,
// does what can be done now, drops what is not needed, and gives out registers.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "carom/math/formula_tape.h"

namespace carom {

class FormulaBuilder {
 public:
  using Id = std::uint32_t;

  Id constant(double value);
  Id variable(std::uint16_t number);
  /// `at`: where the text asks for it.
  Id unary(FormulaOp op, Id x, std::size_t at);
  Id binary(FormulaOp op, Id a, Id b, std::size_t at);
  Id choose(Id condition, Id a, Id b, std::size_t at);

  /// The tape that computes `result`; empty if it needs more than kMaxFormulaRegisters.
  FormulaTape finish(Id result) const;

 private:
  struct Node {
    FormulaOp op = FormulaOp::constant;
    Id a = 0, b = 0, c = 0;
    double value = 0.0;
    bool operator==(const Node& other) const;
  };
  struct Hash {
    std::size_t operator()(const Node& node) const;
  };

  bool is_constant(Id x) const { return nodes_[x].op == FormulaOp::constant; }
  Id with_constant(FormulaOp op, Id x, double value);
  Id power_of(Id x, double exponent);
  Id merge(const Node& node, std::size_t at = 0);
  std::vector<bool> find_live(Id result) const;

  std::vector<Node> nodes_;
  std::vector<std::size_t> at_;
  std::unordered_map<Node, Id, Hash> known_;
};

/// How many of a, b, c an operation reads.
int formula_operands(FormulaOp op);

}  // namespace carom
