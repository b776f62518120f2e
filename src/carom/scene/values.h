// Numbers in a scene: written out, by the name of a value ($r), or as a formula of
// values ("=2*r + 1").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "carom/math/formula_tape.h"
#include "carom/scene/read/document.h"

namespace carom {

/// `text` as a number of YAML (also .inf and .nan); nothing if it is none.
std::optional<double> parse_number(std::string_view text);

/// True for a text such as "=2*r", $r or $(2*r).
bool is_formula_text(const Node& node);
/// The formula in it: without the leading = and without $.
std::string formula_text(std::string_view text);

/// The named numbers of a scene. They may refer to each other in any order.
class Values {
 public:
  /// Reads the map `values`; `node` may be null.
  void read(const Document& document, const Node* node, Diagnostics& diagnostics);

  const std::vector<std::pair<std::string, double>>& all() const { return all_; }
  const double* find(std::string_view name) const;
  /// The number that a formula of values gives; nothing and the reason in `error`
  /// otherwise.
  std::optional<double> evaluate(const std::string& formula, FormulaError& error) const;

 private:
  std::vector<std::pair<std::string, double>> all_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace carom
