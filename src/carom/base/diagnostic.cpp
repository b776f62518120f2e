#include "carom/base/diagnostic.h"

#include <utility>

#include "carom/base/text.h"

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

// Names and values in messages are the input's: they reach terminals without their controls.
std::string to_string(const Diagnostic& d) {
  std::string text;
  if (!d.where.file.empty()) text += printable(d.where.file) + ":";
  if (d.where.line > 0) {
    text += std::to_string(d.where.line) + ":" + std::to_string(d.where.column) + ":";
  }
  if (!text.empty()) text += ' ';
  text += std::string(word(d.severity)) + ": " + printable(d.message);
  if (!d.excerpt.empty()) text += "\n" + printable(d.excerpt);
  if (!d.remedy.empty()) text += "\n  remedy: " + printable(d.remedy);
  return text;
}

void Diagnostics::add(Diagnostic diagnostic) {
  const bool first_error = diagnostic.severity == Severity::error && ++error_count_ == 1;
  if (all_.size() >= kMost && !first_error) return;  // an error is never lost behind warnings
  diagnostic.message = shortened(diagnostic.message, kLongest);
  diagnostic.remedy = shortened(diagnostic.remedy, kLongest);
  all_.push_back(std::move(diagnostic));
}

void Diagnostics::error(SourcePos where, std::string message, std::string remedy,
                        std::string excerpt) {
  add({Severity::error, std::move(where), std::move(message), std::move(remedy),
       std::move(excerpt)});
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
