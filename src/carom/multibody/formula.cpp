// Formulas by muParser, which stays behind this file.
//
// muParser takes `t = 3` as an assignment and `t, 2` as two results; both would let a
// typing error pass for a value, so they are refused here. Names may carry dots
// ("ball.position.z") because channels do.
#include "carom/multibody/formula.h"

#include <muParser.h>

#include <algorithm>
#include <exception>
#include <numbers>

#include "carom/base/text.h"

namespace carom {
namespace {

// Longer than any formula a person writes; bounds the work on foreign input.
constexpr std::size_t kMaxLength = 10000;

constexpr const char* kNameChars =
    "0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// A parser that knows the constants. Making one defines some fifty functions, copying one is
/// five times quicker: scenes have thousands of formulas.
mu::Parser& prototype() {
  thread_local mu::Parser parser = [] {
    mu::Parser made;
    made.DefineNameChars(kNameChars);
    made.DefineConst("pi", std::numbers::pi);
    made.DefineConst("e", std::numbers::e);
    return made;
  }();
  return parser;
}

/// A lone '=' is an assignment; ==, <=, >= and != are comparisons.
bool has_assignment(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    if (i + 1 < text.size() && text[i + 1] == '=') {
      ++i;
      continue;
    }
    const char before = i > 0 ? text[i - 1] : ' ';
    if (before != '<' && before != '>' && before != '!') return true;
  }
  return false;
}

/// What can be refused before muParser sees the text; empty if nothing.
std::string refuse(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return "the formula is empty";
  if (text.size() > kMaxLength) {
    return "the formula has " + std::to_string(text.size()) + " characters; at most " +
           std::to_string(kMaxLength) + " are read";
  }
  if (text.find('"') != std::string::npos) return "a formula computes numbers, not texts";
  if (has_assignment(text)) return "a formula cannot assign; '==' compares";
  return {};
}

/// Runs `action` and turns whatever muParser throws into a reason.
template <class Action>
std::string guarded(Action action) {
  try {
    action();
    return {};
  } catch (const mu::ParserError& error) {
    std::string reason = error.GetMsg();
    while (!reason.empty() && (reason.back() == '.' || reason.back() == ' ')) reason.pop_back();
    return reason.empty() ? "it is not a formula" : reason;
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string unknown_name(const std::string& name, std::span<const FormulaVariable> variables) {
  std::vector<std::string> known;
  for (const FormulaVariable& variable : variables) known.push_back(variable.name);
  const std::string hint = suggest(name, known);
  return "'" + name + "' is not known here" + (hint.empty() ? "" : "; " + hint);
}

}  // namespace

namespace {

/// Names are looked up while the text is parsed, so that it is parsed once.
struct Names {
  const FormulaLookup& find;
  std::string missing;

  static double* locate(const char* name, void* self) {
    auto& names = *static_cast<Names*>(self);
    // muParser wants a mutable location; without assignment it only reads it.
    if (const double* value = names.find(name)) return const_cast<double*>(value);
    names.missing = name;
    throw mu::ParserError("unknown name");
  }
};

}  // namespace

struct Formula::Impl {
  mu::Parser parser = prototype();
};

Formula::Formula() = default;
Formula::~Formula() = default;
Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula&&) noexcept = default;

std::string Formula::compile(const std::string& text, std::span<const FormulaVariable> variables) {
  std::string missing;
  const std::string error = compile(text, [&](const std::string& name) -> const double* {
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [&](const FormulaVariable& v) { return v.name == name; });
    if (found != variables.end()) return found->value;
    missing = name;
    return nullptr;
  });
  return missing.empty() ? error : unknown_name(missing, variables);
}

std::string Formula::compile(const std::string& text, const FormulaLookup& find) {
  impl_.reset();
  std::string error = refuse(text);
  if (!error.empty()) return error;
  auto impl = std::make_unique<Impl>();
  Names names{find, {}};
  int results = 0;
  error = guarded([&] {
    impl->parser.SetVarFactory(Names::locate, &names);
    impl->parser.SetExpr(text);
    impl->parser.Eval();
    results = impl->parser.GetNumResults();
  });
  if (!names.missing.empty()) return "'" + names.missing + "' is not known here";
  if (!error.empty()) return error;
  if (results != 1) return "the formula gives " + std::to_string(results) + " results, not one";
  impl_ = std::move(impl);
  return {};
}

double Formula::operator()() const { return impl_->parser.Eval(); }

std::vector<std::string> formula_names(const std::string& text, std::string& error) {
  std::vector<std::string> names;
  error = refuse(text);
  if (!error.empty()) return names;
  error = guarded([&] {
    mu::Parser& parser = prototype();
    parser.SetExpr(text);
    for (const auto& entry : parser.GetUsedVar()) names.push_back(entry.first);
  });
  return names;
}

}  // namespace carom
