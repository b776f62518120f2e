#include "carom/math/formula_parser.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "carom/base/text.h"
#include "carom/math/formula_builder.h"
#include "carom/math/formula_functions.h"

namespace carom {
namespace {

using Id = FormulaBuilder::Id;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || is_digit(c);
}

constexpr int kLeast = 1, kSign = 6;  ///< precedences: of all operators, and above * and /

class Parser {
 public:
  Parser(std::string_view text, const FormulaNames& names, FormulaError& error)
      : text_(text), names_(names), error_(error) {}

  FormulaTape parse() {
    error_ = {};
    if (text_.size() > kMaxFormulaLength) {
      fail(0, "the formula has " + std::to_string(text_.size()) + " characters; at most " +
                  std::to_string(kMaxFormulaLength) + " are read");
      return {};
    }
    skip();
    if (at_ == text_.size()) fail(0, "the formula is empty");
    const Id result = choice();
    skip();
    if (ok() && at_ < text_.size()) left_over();
    if (!ok()) return {};
    FormulaTape tape = builder_.finish(result);
    if (tape.empty()) {
      fail(0, "the formula needs more than " + std::to_string(kMaxFormulaRegisters) +
                  " intermediate values at once");
    }
    return tape;
  }

 private:
  bool ok() const { return error_.empty(); }
  Id fail(std::size_t at, std::string why) {
    if (ok()) error_ = {std::move(why), std::min(at, text_.size())};
    return builder_.constant(0.0);
  }
  void skip() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
      ++at_;
    }
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  /// The word or sign that stands at `at`, for a message.
  std::string token(std::size_t at) const {
    std::size_t end = at;
    while (end < text_.size() && is_name(text_[end])) ++end;
    if (end == at) end += std::max<std::size_t>(1, utf8_length(text_, at));
    return "'" + printable(shortened(text_.substr(at, end - at), 40), true) + "'";
  }

  void left_over() {
    const char c = text_[at_];
    if (c == ',') {
      fail(at_, "',' stands between arguments of a function; a formula gives one result");
    } else if (c == '=') {
      fail(at_, "a formula cannot assign; '==' compares");
    } else if (c == ')') {
      fail(at_, "there is no '(' for this ')'");
    } else if (c == ':') {
      fail(at_, "there is no '?' for this ':'");
    } else {
      fail(at_, "an operator is missing before " + token(at_));
    }
  }

  Id choice() {
    if (++nesting_ > kMaxFormulaNesting) return too_deep();
    Id result = binary(kLeast);
    skip();
    const std::size_t at = at_;
    if (ok() && take('?')) {
      const Id yes = choice();
      if (ok() && !take(':')) {
        if (at_ < text_.size() && text_[at_] == '=') left_over();
        fail(at, "this '?' has no ':'");
      }
      const Id no = ok() ? choice() : yes;
      result = builder_.choose(result, yes, no, at);
    }
    --nesting_;
    return result;
  }
  Id too_deep() {
    return fail(at_, "the formula is nested deeper than " + std::to_string(kMaxFormulaNesting));
  }

  const FormulaOperator* next_operator(int least) {
    skip();
    for (const FormulaOperator& row : formula_operators()) {
      if (text_.substr(at_, row.sign.size()) == row.sign) {
        return row.precedence >= least ? &row : nullptr;
      }
    }
    return nullptr;
  }

  /// Operators from precedence `least` up.
  Id binary(int least) {
    Id left = sign();
    while (ok()) {
      const FormulaOperator* row = next_operator(least);
      if (!row) break;
      const std::size_t at = at_;
      at_ += row->sign.size();
      if (row->op == FormulaOp::power) {
        if (++nesting_ > kMaxFormulaNesting) return too_deep();
        left = builder_.binary(row->op, left, binary(row->precedence), at);
        --nesting_;
      } else {
        left = builder_.binary(row->op, left, binary(row->precedence + 1), at);
      }
    }
    return left;
  }

  Id sign() {
    skip();
    const std::size_t at = at_;
    bool negative = false, any = false;
    while (ok() && (take('-') || take('+'))) {
      any = true;
      if (text_[at_ - 1] == '-') negative = !negative;
    }
    const Id x = any ? binary(kSign) : operand();
    return negative ? builder_.unary(FormulaOp::negate, x, at) : x;
  }

  Id operand() {
    skip();
    if (!ok()) return 0;
    if (at_ >= text_.size()) return fail(at_, "the formula ends too early");
    const std::size_t at = at_;
    if (take('(')) {
      const Id inside = choice();
      if (ok() && !take(')')) close_problem(at);
      return inside;
    }
    const char c = text_[at_];
    if (is_digit(c) || c == '.') return number();
    if (!is_name(c)) return unexpected(c);
    std::size_t end = at_;
    while (end < text_.size() && is_name(text_[end])) ++end;
    const std::string name(text_.substr(at_, end - at_));
    at_ = end;
    if (take('(')) return function(name, at);
    at_ = end;
    return symbol(name, at);
  }

  Id unexpected(char c) {
    if (c == '"') return fail(at_, "a formula computes numbers, not texts");
    if (c == '=') return fail(at_, "a formula cannot assign; '==' compares");
    return fail(at_, token(at_) + " is not expected here");
  }

  void close_problem(std::size_t open) {
    skip();
    if (at_ >= text_.size()) {
      fail(open, "this bracket is not closed");
    } else if (text_[at_] == '=' || text_[at_] == ':') {
      left_over();
    } else {
      fail(at_, token(at_) + " is not expected here; the bracket before it is not closed");
    }
  }

  Id number() {
    double value = 0.0;
    const char* begin = text_.data() + at_;
    const char* limit = text_.data() + text_.size();
    const auto [end, code] = std::from_chars(begin, limit, value);
    if (code == std::errc::result_out_of_range && is_small(begin, end)) {
      value = 0.0;
    } else if (code != std::errc()) {
      return fail(at_, token(at_) + " is not a number that can be read");
    }
    // "1e" and "3x": what follows must not be a part of a word.
    if (end != limit && is_name(*end)) {
      return fail(at_, token(at_) + " is not a number; write * between a number and a name");
    }
    at_ += static_cast<std::size_t>(end - begin);
    return builder_.constant(value);
  }
  /// Whether a number out of range is too small, by the sign of its exponent.
  static bool is_small(const char* begin, const char* end) {
    const char* e = std::find_if(begin, end, [](char c) { return c == 'e' || c == 'E'; });
    return e != end && e + 1 != end && e[1] == '-';
  }

  Id function(const std::string& name, std::size_t at) {
    const FormulaFunction* row = find_formula_function(name);
    if (!row) {
      std::vector<std::string> known;
      for (const FormulaFunction& f : formula_functions()) known.emplace_back(f.name);
      return fail(at,
                  "there is no function '" + shortened(name, 40) + "'; " + suggest(name, known));
    }
    const std::size_t open = at_ - 1;
    Id result = choice(), second = result;
    int count = 1;
    while (ok() && take(',')) {
      second = choice();
      ++count;
      // Folded as they come, so that a long list needs no more registers than a short one.
      if (row->arguments == 0) result = builder_.binary(row->op, result, second, at);
    }
    if (ok() && !take(')')) close_problem(open);
    if (!ok()) return result;
    if (row->arguments > 0 && count != row->arguments) {
      return fail(at, name + " takes " + (row->arguments == 1 ? "one argument" : "two arguments") +
                          ", not " + std::to_string(count));
    }
    if (row->name == "avg") {
      return builder_.binary(FormulaOp::divide, result, builder_.constant(count), at);
    }
    if (row->arguments == 0) return result;
    return row->arguments == 1 ? builder_.unary(row->op, result, at)
                               : builder_.binary(row->op, result, second, at);
  }

  Id symbol(const std::string& name, std::size_t at) {
    const FormulaSymbol symbol = names_(name);
    if (symbol.kind == FormulaSymbol::Kind::variable) return builder_.variable(symbol.variable);
    if (symbol.kind == FormulaSymbol::Kind::constant) return builder_.constant(symbol.value);
    const double constant = find_formula_constant(name);
    if (!std::isnan(constant)) return builder_.constant(constant);
    const std::string quoted = "'" + shortened(name, 40) + "'";
    if (find_formula_function(name)) return fail(at, quoted + " is a function: it needs a '('");
    return fail(at, symbol.problem.empty() ? quoted + " is not known here" : symbol.problem);
  }

  std::string_view text_;
  const FormulaNames& names_;
  FormulaError& error_;
  FormulaBuilder builder_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace

FormulaTape parse_formula(std::string_view text, const FormulaNames& names, FormulaError& error) {
  return Parser(text, names, error).parse();
}

std::vector<FormulaUse> find_formula_names(std::string_view text, FormulaError& error) {
  std::vector<FormulaUse> uses;
  std::map<std::string, std::uint16_t, std::less<>> found;
  const FormulaNames collect = [&](const std::string& name) {
    if (!std::isnan(find_formula_constant(name)) || find_formula_function(name)) {
      return FormulaSymbol{};
    }
    const auto next = static_cast<std::uint16_t>(found.size());
    return FormulaSymbol::make_variable(found.try_emplace(name, next).first->second);
  };
  parse_formula(text, collect, error);
  if (!error.empty()) return uses;
  for (const auto& [name, number] : found) {
    for (std::size_t at = text.find(name); at != std::string_view::npos;
         at = text.find(name, at + 1)) {
      const bool begins = at == 0 || !is_name(text[at - 1]);
      const bool ends = at + name.size() == text.size() || !is_name(text[at + name.size()]);
      if (!begins || !ends) continue;
      uses.push_back({name, at});
      break;
    }
  }
  return uses;
}

std::string show_formula_place(std::string_view text, std::size_t at) {
  constexpr std::size_t kBefore = 50, kAfter = 25;
  at = std::min(at, text.size());
  std::size_t begin = at == 0 ? 0 : text.find_last_of('\n', at - 1) + 1;
  std::size_t end = std::min(text.find('\n', at), text.size());
  const bool cut_before = at - begin > kBefore, cut_after = end - at > kAfter;
  if (cut_before) begin = at - kBefore;
  if (cut_after) end = at + kAfter;
  // A tab or a byte of another alphabet would move the caret.
  std::string line;
  std::size_t column = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (i == at) column = line.size();
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c & 0xc0) == 0x80) continue;
    line += c >= 0x20 && c < 0x7f ? text[i] : c >= 0x80 ? '?' : ' ';
  }
  if (at >= end) column = line.size();
  const std::string lead = cut_before ? "..." : "";
  return "    " + lead + line + (cut_after ? "..." : "") + "\n    " +
         std::string(lead.size() + column, ' ') + "^";
}

}  // namespace carom
