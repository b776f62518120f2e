#include "carom/base/diagnostic.h"

#include <utility>

namespace carom {
namespace {

const char* word(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
  }
  return "error";
}

std::string join_errors(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity != Severity::error) continue;
    if (!text.empty()) text += '\n';
    text += to_string(d);
  }
  return text;
}

}  // namespace

std::string to_string(const Diagnostic& d) {
  std::string text;
  if (!d.where.file.empty()) text += d.where.file + ":";
  if (d.where.line > 0) {
    text += std::to_string(d.where.line) + ":" + std::to_string(d.where.column) + ":";
  }
  if (!text.empty()) text += ' ';
  text += std::string(word(d.severity)) + ": " + d.message;
  if (!d.remedy.empty()) text += "\n  remedy: " + d.remedy;
  return text;
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::error) ++error_count_;
  all_.push_back(std::move(diagnostic));
}

void Diagnostics::error(SourcePos where, std::string message, std::string remedy) {
  add({Severity::error, std::move(where), std::move(message), std::move(remedy)});
}

void Diagnostics::warning(SourcePos where, std::string message, std::string remedy) {
  add({Severity::warning, std::move(where), std::move(message), std::move(remedy)});
}

void Diagnostics::note(SourcePos where, std::string message, std::string remedy) {
  add({Severity::note, std::move(where), std::move(message), std::move(remedy)});
}

InputError::InputError(Diagnostics diagnostics)
    : std::runtime_error(join_errors(diagnostics)), diagnostics_(std::move(diagnostics)) {}

}  // namespace carom
