#include "carom/scene/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "carom/base/param.h"
#include "carom/base/text.h"
#include "carom/math/formula.h"
#include "carom/scene/read/formula_place.h"

namespace carom {
namespace {

/// Resolves values that refer to each other, depth first.
class Resolver {
 public:
  Resolver(const Document& document, const Node& node, Diagnostics& out)
      : document_(document), out_(out) {
    for (const NodeEntry& entry : node.entries) entries_.emplace(entry.key, Item{&entry});
  }

  std::optional<double> value(const std::string& name) {
    Item& item = entries_.at(name);
    if (item.state == State::done) return item.value;
    if (item.state == State::open) {
      report(*item.entry, "values." + name + " refers to itself", "give one of them a number");
      return {};
    }
    // Chains longer than any scene needs would exhaust the stack.
    if (++depth_ > kMaxDepth) {
      report(*item.entry, "values refer to each other through more than 500 steps", {});
      --depth_;
      return {};
    }
    item.state = State::open;
    item.value = compute(*item.entry);
    item.state = State::done;
    --depth_;
    return item.value;
  }

 private:
  static constexpr int kMaxDepth = 500;
  enum class State { untouched, open, done };
  struct Item {
    const NodeEntry* entry;
    State state = State::untouched;
    std::optional<double> value = {};
  };

  void report(const NodeEntry& entry, const std::string& message, const std::string& remedy) {
    out_.error(document_.position(entry.value.where), message, remedy);
  }

  std::optional<double> compute(const NodeEntry& entry) {
    const Node& node = entry.value;
    const std::string path = "values." + entry.key;
    if (is_formula_text(node)) return compute_formula(entry, path);
    const std::optional<double> number =
        node.is_scalar() && !node.quoted ? parse_number(node.text) : std::nullopt;
    if (!number) {
      report(entry, path + " is " + describe(node) + ", it must be a number",
             "write a number or a \"=formula\"");
    } else if (!std::isfinite(*number)) {
      report(entry, path + " is " + describe(node) + ", it must be finite", {});
      return {};
    }
    return number;
  }

  std::optional<double> compute_formula(const NodeEntry& entry, const std::string& path) {
    const std::string formula = formula_text(entry.value.text);
    FormulaError error;
    const std::vector<FormulaUse> names = find_formula_names(formula, error);
    std::vector<double> numbers(names.size());
    std::vector<FormulaVariable> variables;
    for (std::size_t i = 0; i < names.size() && error.empty(); ++i) {
      const std::string& name = names[i].name;
      if (!entries_.contains(name)) {
        if (out_.all().size() >= Diagnostics::kMost) return {};
        std::vector<std::string> known;
        for (const auto& [own, item] : entries_) known.push_back(own);
        report_formula(document_, entry.value, path,
                       {"there is no value '" + name + "'", names[i].at}, suggest(name, known),
                       out_);
        return {};
      }
      const std::optional<double> number = value(name);
      if (!number) return {};
      numbers[i] = *number;
      variables.push_back({name, &numbers[i]});
    }
    Formula compiled;
    if (error.empty()) error = compiled.compile(formula, variables);
    const double result = error.empty() ? compiled() : 0.0;
    if (error.empty() && std::isfinite(result)) return result;
    if (error.empty()) error.message = "the result is not finite";
    report_formula(document_, entry.value, path + " is " + describe(entry.value), error, {}, out_);
    return {};
  }

  const Document& document_;
  Diagnostics& out_;
  std::map<std::string, Item> entries_;
  int depth_ = 0;
};

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  const double sign = negative ? -1.0 : 1.0;
  if (text == ".inf" || text == ".Inf" || text == ".INF") return sign * kInf;
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return std::nan("");
  // from_chars also takes "inf" and "nan", which are words in YAML.
  const bool digit = !text.empty() && ((text[0] >= '0' && text[0] <= '9') || text[0] == '.');
  if (!digit) return {};
  double value = 0.0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return {};
  if (code == std::errc::result_out_of_range) return sign * kInf;
  if (code != std::errc()) return {};
  return sign * value;
}

bool is_formula_text(const Node& node) {
  if (!node.is_scalar() || node.text.empty()) return false;
  return node.text[0] == '=' || node.text.find('$') != std::string::npos;
}

std::string formula_text(std::string_view text) {
  if (!text.empty() && text[0] == '=') text.remove_prefix(1);
  std::string formula(text);
  std::erase(formula, '$');
  return formula;
}

void Values::read(const Document& document, const Node* node, Diagnostics& out) {
  if (!node || node->is_null()) return;
  if (!node->is_map()) {
    out.error(document.position(node->where), "values is " + describe(*node),
              "write values as a map, such as {r: 0.05}");
    return;
  }
  Resolver resolver(document, *node, out);
  for (const NodeEntry& entry : node->entries) {
    // A value that is wrong has been reported; 1 spares the formulas that use it.
    index_.emplace(entry.key, all_.size());
    all_.emplace_back(entry.key, resolver.value(entry.key).value_or(1.0));
  }
}

const double* Values::find(std::string_view name) const {
  const auto found = index_.find(std::string(name));
  return found == index_.end() ? nullptr : &all_[found->second].second;
}

std::optional<double> Values::evaluate(const std::string& text, FormulaError& error) const {
  Formula formula;
  std::string missing;
  error = formula.compile(text, [&](const std::string& name) {
    const double* value = find(name);
    if (!value) missing = name;
    return value;
  });
  if (!error.empty() && !missing.empty()) {
    std::vector<std::string> known;
    for (const auto& [name, value] : all_) known.push_back(name);
    const std::string hint = suggest(missing, known);
    if (!hint.empty()) error.message += "; " + hint;
  }
  if (!error.empty()) return {};
  const double result = formula();
  if (std::isfinite(result)) return result;
  error = {"the result is not finite", 0};
  return {};
}

}  // namespace carom
