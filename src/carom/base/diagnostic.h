// What is wrong with user input, where, and what to do about it.
//
// A Diagnostic names a place (file:line:column), states the rule that is broken
// together with the offending value, and offers a remedy. Readers collect all of
// them before giving up, so that a user mends a file in one pass.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace carom {

/// A place in a source file; line and column count from 1, 0 means "unknown".
struct SourcePos {
  std::string file;
  int line = 0;
  int column = 0;
};

enum class Severity { error, warning, note };

struct Diagnostic {
  Severity severity = Severity::error;
  SourcePos where;
  std::string message;  ///< the value and the rule it breaks
  std::string remedy;   ///< what to write instead; may be empty
  /// The line of the input with a caret under the character; empty where there is none.
  std::string excerpt = {};
};

/// "file:3:7: error: radius is -1, it must be positive\n  remedy: …".
std::string to_string(const Diagnostic& diagnostic);

/// A list of findings about one input. A file of a stranger can have millions: those beyond
/// kMost are counted but not kept, and long messages are cut.
class Diagnostics {
 public:
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kLongest = 2000;  ///< bytes of a message, and of a remedy

  void error(SourcePos where, std::string message, std::string remedy = {},
             std::string excerpt = {});
  void warning(SourcePos where, std::string message, std::string remedy = {});
  void note(SourcePos where, std::string message, std::string remedy = {});
  void add(Diagnostic diagnostic);

  bool has_errors() const { return error_count_ > 0; }
  int error_count() const { return error_count_; }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
  int error_count_ = 0;
};

/// Thrown at the edge of the library (never from numerical code) when an input
/// cannot be used; carries every finding.
class InputError : public std::runtime_error {
 public:
  explicit InputError(Diagnostics diagnostics);
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  Diagnostics diagnostics_;
};

}  // namespace carom
