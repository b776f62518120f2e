// A recursive-descent parser that writes postfix code, and the stack machine that runs it.
#include "carom/contact/law_formula.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "carom/base/text.h"

namespace carom {
namespace {

constexpr int kMaxStack = 32;
constexpr int kMaxNesting = 60;
constexpr std::size_t kMaxLength = 2000;

using Binary = double (*)(double, double);
using Unary = double (*)(double);

/// Codes are indices into these tables, shifted; the operands of the first two follow them.
enum Code : int { kConstant, kVariable, kChoose, kNegate, kFirstBinary = 10, kFirstUnary = 40 };

struct BinaryRow {
  std::string_view name;
  int precedence;  ///< 0: a function
  Binary apply;
};
constexpr BinaryRow kBinary[] = {
    {"||", 1, [](double a, double b) { return a != 0.0 || b != 0.0 ? 1.0 : 0.0; }},
    {"&&", 2, [](double a, double b) { return a != 0.0 && b != 0.0 ? 1.0 : 0.0; }},
    {"<=", 3, [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
    {">=", 3, [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
    {"==", 3, [](double a, double b) { return a == b ? 1.0 : 0.0; }},
    {"!=", 3, [](double a, double b) { return a != b ? 1.0 : 0.0; }},
    {"<", 3, [](double a, double b) { return a < b ? 1.0 : 0.0; }},
    {">", 3, [](double a, double b) { return a > b ? 1.0 : 0.0; }},
    {"+", 4, [](double a, double b) { return a + b; }},
    {"-", 4, [](double a, double b) { return a - b; }},
    {"*", 5, [](double a, double b) { return a * b; }},
    {"/", 5, [](double a, double b) { return a / b; }},
    {"^", 7, [](double a, double b) { return std::pow(a, b); }},
    {"min", 0, [](double a, double b) { return std::min(a, b); }},
    {"max", 0, [](double a, double b) { return std::max(a, b); }},
};

struct UnaryRow {
  std::string_view name;
  Unary apply;
};
constexpr UnaryRow kUnary[] = {
    {"abs", [](double x) { return std::abs(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"ln", [](double x) { return std::log(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"sign", [](double x) { return x > 0.0   ? 1.0
                                   : x < 0.0 ? -1.0
                                             : 0.0; }},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Parser {
 public:
  Parser(std::string_view text, std::span<const std::string_view> names,
         std::span<const std::pair<std::string, double>> constants)
      : text_(text), names_(names), constants_(constants) {}

  std::vector<double> program;
  std::string error;

  void parse() {
    if (text_.size() > kMaxLength) return fail("the formula is too long");
    expression();
    skip();
    if (error.empty() && at_ < text_.size()) {
      fail("'" + std::string(text_.substr(at_)) + "' is left over");
    }
  }

 private:
  void fail(const std::string& why) {
    if (error.empty()) error = why;
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) {
      ++at_;
    }
  }
  bool take(std::string_view word) {
    skip();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  void push(int code, int pops) {
    program.push_back(code);
    depth_ += 1 - pops;
    if (depth_ > kMaxStack) fail("the formula is nested too deeply");
  }
  void constant(double value) {
    push(kConstant, 0);
    program.push_back(value);
  }

  void expression() {
    if (++nesting_ > kMaxNesting) fail("the formula is nested too deeply");
    if (error.empty()) binary(1);
    if (error.empty() && take("?")) {
      expression();
      if (!take(":")) fail("'?' needs ':'");
      expression();
      push(kChoose, 3);
    }
    --nesting_;
  }

  const BinaryRow* next_operator(int least) {
    skip();
    for (const BinaryRow& row : kBinary) {
      if (row.precedence >= least && text_.substr(at_, row.name.size()) == row.name) return &row;
    }
    return nullptr;
  }

  /// Operators from precedence `least` up; ^ is right-associative.
  void binary(int least) {
    prefix();
    while (error.empty()) {
      const BinaryRow* row = next_operator(std::max(least, 1));
      if (!row) return;
      at_ += row->name.size();
      binary(row->name == "^" ? row->precedence : row->precedence + 1);
      push(kFirstBinary + static_cast<int>(row - kBinary), 2);
    }
  }

  void prefix() {
    if (take("-")) {
      if (++nesting_ > kMaxNesting) return fail("the formula is nested too deeply");
      binary(6);  // -d^2 is -(d^2)
      push(kNegate, 1);
      --nesting_;
    } else if (take("+")) {
      binary(6);
    } else if (take("(")) {
      expression();
      if (!take(")")) fail("a bracket is not closed");
    } else {
      atom();
    }
  }

  void atom() {
    skip();
    if (at_ >= text_.size()) return fail("the formula ends too early");
    const char c = text_[at_];
    if (is_digit(c) || c == '.') return number();
    if (!is_letter(c)) return fail("'" + std::string(1, c) + "' is not expected here");
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::string name(text_.substr(at_, end - at_));
    at_ = end;
    if (take("(")) return function(name);
    variable(name);
  }

  void number() {
    double value = 0.0;
    const char* begin = text_.data() + at_;
    const auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (code != std::errc()) return fail("a number is not readable");
    at_ += static_cast<std::size_t>(end - begin);
    constant(value);
  }

  void function(const std::string& name) {
    std::vector<std::string> known;
    for (const UnaryRow& row : kUnary) {
      known.emplace_back(row.name);
      if (name != row.name) continue;
      expression();
      push(kFirstUnary + static_cast<int>(&row - kUnary), 1);
      if (!take(")")) fail("a bracket is not closed");
      return;
    }
    for (const BinaryRow& row : kBinary) {
      if (row.precedence == 0) known.emplace_back(row.name);
      if (name != row.name) continue;
      expression();
      if (!take(",")) fail(name + " takes two arguments");
      expression();
      push(kFirstBinary + static_cast<int>(&row - kBinary), 2);
      if (!take(")")) fail("a bracket is not closed");
      return;
    }
    fail("there is no function '" + name + "'; " + suggest(name, known));
  }

  void variable(const std::string& name) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      known.emplace_back(names_[i]);
      if (name != names_[i]) continue;
      push(kVariable, 0);
      return program.push_back(static_cast<double>(i));
    }
    for (const auto& [own, value] : constants_) {
      known.push_back(own);
      if (name == own) return constant(value);
    }
    if (name == "pi") return constant(std::numbers::pi);
    fail("there is no '" + name + "' in a law; " + suggest(name, known));
  }

  std::string_view text_;
  std::span<const std::string_view> names_;
  std::span<const std::pair<std::string, double>> constants_;
  std::size_t at_ = 0;
  int depth_ = 0, nesting_ = 0;
};

}  // namespace

std::vector<double> compile_law_formula(std::string_view text,
                                        std::span<const std::string_view> names,
                                        std::span<const std::pair<std::string, double>> constants,
                                        std::string& error) {
  Parser parser(text, names, constants);
  parser.parse();
  error = parser.error;
  return error.empty() ? std::move(parser.program) : std::vector<double>{};
}

double evaluate_law_formula(std::span<const double> program, std::span<const double> variables) {
  std::array<double, kMaxStack> stack{};
  std::size_t top = 0;  // number of values
  for (std::size_t i = 0; i < program.size(); ++i) {
    const int code = static_cast<int>(program[i]);
    if (code == kConstant) {
      stack[top++] = program[++i];
    } else if (code == kVariable) {
      stack[top++] = variables[static_cast<std::size_t>(program[++i])];
    } else if (code == kNegate) {
      stack[top - 1] = -stack[top - 1];
    } else if (code == kChoose) {
      top -= 2;
      stack[top - 1] = stack[top - 1] != 0.0 ? stack[top] : stack[top + 1];
    } else if (code < kFirstUnary) {
      --top;
      stack[top - 1] = kBinary[code - kFirstBinary].apply(stack[top - 1], stack[top]);
    } else {
      stack[top - 1] = kUnary[code - kFirstUnary].apply(stack[top - 1]);
    }
  }
  return top == 1 ? stack[0] : 0.0;
}

}  // namespace carom
